"""Whatever is wrong with a command, its files or the settings: one line, an exit code, and never a traceback."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.commands import main
from app.config import misspelt, settings
from app.db.embedded import Cluster
from tests.commands.test_serving import command

HEAD = "game: hanging_gardens\nseats: 2\n"
NINES = "9" * 5000


Refused = Callable[..., str]


def checked(said: str) -> str:
    assert said.startswith("error: "), said
    assert said.count("\n") == 1
    assert len(said) < 800
    return said


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Iterator[Refused]:
    """Runs a command as ``python -m app`` does, in this process, and gives back how it says no."""

    def run(*words: str, code: int = 1, **environment: str) -> str:
        settings.cache_clear()
        for name, value in {"SEMIRAMIS_VAR": str(tmp_path), **environment}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["app", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert ended.value.code == code, said.err
        return checked(said.err)

    yield run
    settings.cache_clear()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nosuch",), 2),
        (("replay", "nowhere.game"), 2),
        (("play", "hanging_gardens", "--seats", "x"), 2),
        (("serve", "--port", "99999"), 2),
        (("serve", "--port", "-1"), 2),
        (("serve", "--workers", "0"), 2),
        (("play", "chess"), 1),
        (("play", "hanging_gardens", "--seed", ""), 1),
        (("play", "hanging_gardens", "--seed", "a#b"), 1),
        (("play", "hanging_gardens", "--seed", "a\nb"), 1),
        (("play", "hanging_gardens", "--seed", " a"), 1),
        (("play", "hanging_gardens", "--seed", "\udcff"), 1),
        (("play", "hanging_gardens", "--record", "/"), 1),
    ],
)
def test_a_command_that_makes_no_sense_is_refused_in_one_line(
    refused: Refused, words: tuple[str, ...], code: int
) -> None:
    refused(*words, code=code)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SEMIRAMIS_POOL_SIZE", "many"),
        ("SEMIRAMIS_POOL_SIZE", "0"),
        ("SEMIRAMIS_LOG_LEVEL", "LOUD"),
        ("SEMIRAMIS_MOVES_PER_SECOND", "nan"),
        ("SEMIRAMIS_BOT_PAUSE", "-1"),
        ("SEMIRAMIS_SECURE_COOKIES", "maybe"),
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "mysql://127.0.0.1/x"),
    ],
)
def test_a_setting_that_cannot_be_is_named(refused: Refused, name: str, value: str) -> None:
    said = refused("make-admin", "Mika", **{"DATABASE_URL": "postgresql://127.0.0.1:1/x", name: value})
    assert name.removeprefix("SEMIRAMIS_").lower() in said.lower()


OWN = "0f3a9c1be2d47586aa10bb32cc54dd76"
SOUND = {
    "SEMIRAMIS_ENVIRONMENT": "production",
    "SEMIRAMIS_SECRET": OWN,
    "DATABASE_URL": "postgresql://semiramis:9c1be2d47586@127.0.0.1:1/x",
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SEMIRAMIS_SECRET", ""),
        ("SEMIRAMIS_SECRET", "changeme"),
        ("SEMIRAMIS_SECRET", "change-me-change-me-change-me-change-me"),
        ("SEMIRAMIS_SECRET", "0" * 64),
        ("SEMIRAMIS_SECRET", OWN[:31]),
        ("SEMIRAMIS_METRICS_TOKEN", "secret"),
        ("DATABASE_URL", "postgresql://semiramis:change-me@postgres/semiramis"),
        ("DATABASE_URL", "postgresql://postgres:postgres@postgres/semiramis"),
    ],
)
@pytest.mark.parametrize("words", [("serve",), ("bots",), ("migrate",)])
def test_nothing_starts_with_the_secrets_of_an_example(
    refused: Refused, words: tuple[str, ...], name: str, value: str
) -> None:
    said = refused(*words, **{**SOUND, name: value})
    assert said.startswith(f"error: setting {name}: ")
    assert "outside development it must be your own" in said
    assert not value or value not in said


def test_secrets_of_ones_own_are_taken(refused: Refused) -> None:
    assert "METRICS_TOKEN" not in refused("migrate", **SOUND, SEMIRAMIS_METRICS_TOKEN=OWN)


@pytest.mark.parametrize(
    "words", [("make-admin", "x"), ("migrate",), ("replay-check",), ("serve", "--port", "47311")]
)
def test_a_database_that_does_not_answer_is_said_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = command("postgresql://127.0.0.1:1/x", tmp_path, *words)
    assert done.returncode == 1
    said = checked(done.stderr)
    assert "“x” at 127.0.0.1, port 1 (setting DATABASE_URL)" in said and "Errno 111" in said


def test_a_database_without_our_tables_is_said_in_one_line(cluster: Cluster, tmp_path: Path) -> None:
    done = command(cluster.url_of("postgres"), tmp_path, "make-admin", "x")
    assert done.returncode == 1
    assert "does not exist" in checked(done.stderr)


def test_a_folder_that_cannot_be_made_is_said_in_one_line(refused: Refused) -> None:
    refused("migrate", DATABASE_URL="", SEMIRAMIS_VAR="/dev/null/var")


def test_a_port_that_is_taken_is_said(database: str, tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = command(database, tmp_path, "serve", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert "choose another one: make run PORT=" in checked(done.stderr)
    assert done.stdout == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        f"game: hanging_gardens\nseats: {NINES}\n",
        f"game: hanging_gardens\nseats: 2\nrevision: {NINES}\n",
        "game: hanging_gardens\nseats: ٣\n",
        f"{HEAD}A undo:{NINES}\n",
        f"{HEAD}- undo:1\n",
        f"{HEAD}- rewind:{NINES}\n",
        f"{HEAD}- rewind:-1\n",
        f"{HEAD}- rewind:0\n",
        f"{HEAD}A rewind:0\n",
        f"{HEAD}- take:1:1:1:0\n",
        f"{HEAD}Z take:1:1:1:0\n",
        f"{HEAD}A \n",
        f"{HEAD}score\n",
        f"{HEAD}A {'x' * 10**7}\n",
        f"{HEAD}{'x' * 10**7}: y\n",
        f"{HEAD}deal.deck: {'x' * 10**7}\n",
        f"{HEAD}options: {'x' * 10**7}\n",
        f"{HEAD}edition: {'x' * 10**7}\n",
        f"game: {'x' * 10**7}\nseats: 2\n",
        f"{HEAD}edition: ../../rules\n",
    ],
    ids=lambda text: text[:40].replace("\n", " ") + f"… {len(text)}",
)
def test_a_hostile_file_is_refused_at_its_line(refused: Refused, tmp_path: Path, text: str) -> None:
    file = tmp_path / "hostile.game"
    file.write_text(text, encoding="utf-8")
    for name in ("replay", "legal"):
        refused(name, str(file))


def test_entries_that_a_file_does_not_have_are_refused(refused: Refused, tmp_path: Path) -> None:
    file = tmp_path / "short.game"
    file.write_text(HEAD, encoding="utf-8")
    for name in ("replay", "legal"):
        assert "has 0 entries; there is none of number 999" in refused(name, str(file), "--until", "999")


def test_a_setting_that_is_none_is_named_with_the_one_that_was_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SEMIRAMIS_BOT_PAUZE", "SEMIRAMIS_XYLOPHONE", "SEMIRAMIS_STORIES"):
        monkeypatch.setenv(name, "1")
    assert misspelt() == [("SEMIRAMIS_BOT_PAUZE", "SEMIRAMIS_BOT_PAUSE"), ("SEMIRAMIS_XYLOPHONE", "")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "cp037"])
def test_a_file_in_another_encoding_is_refused(refused: Refused, tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "other.game"
    file.write_bytes(HEAD.encode(encoding))
    refused("replay", str(file))


def test_a_file_with_a_mark_of_its_byte_order_is_read(tmp_path: Path) -> None:
    """As some editors write it."""
    file = tmp_path / "marked.game"
    file.write_bytes(HEAD.encode("utf-8-sig"))
    assert command("", tmp_path, "replay", str(file)).returncode == 0


def test_scores_that_stand_twice_are_refused(refused: Refused, tmp_path: Path) -> None:
    file = tmp_path / "one.game"
    assert command("", tmp_path, "play", "hanging_gardens", "--record", str(file)).returncode == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[-1] = lines[-2]
    file.write_text("\n".join(lines), encoding="utf-8")
    refused("replay", str(file))


def test_a_game_depends_on_its_arguments_alone(tmp_path: Path) -> None:
    """Byte for byte, however Python orders its sets."""
    files = []
    for seed in ("0", "1", "4242"):
        file = tmp_path / f"{seed}.game"
        words = ("play", "hanging_gardens", "--seats", "3", "--bots", "normal,greedy,random", "--record", str(file))
        assert command("", tmp_path, *words, PYTHONHASHSEED=seed).returncode == 0
        files.append(file.read_bytes())
    assert files[0] == files[1] == files[2]
