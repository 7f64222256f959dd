"""An edition with a fault: its file, key and reason in one line, from every command that opens the box."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app import games
from app.engine import editions
from tests.commands.test_refusals import HEAD, Refused, refused

__all__ = ["refused"]

HOUSE = Path(games.__file__).parent / "hanging_gardens" / "editions" / "house.toml"
Boxes = Callable[[bytes | None], None]


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Boxes]:
    """Puts another file in the place of the house edition of The Hanging Gardens, or none at all."""

    def found(package: str) -> Path:
        if not package.endswith("hanging_gardens"):
            return Path(games.__file__).parent / package.rpartition(".")[2]
        return tmp_path / "box"

    def put(contents: bytes | None) -> None:
        (tmp_path / "box" / "editions").mkdir(parents=True)
        if contents is not None:
            (tmp_path / "box" / "editions" / "house.toml").write_bytes(contents)
        monkeypatch.setattr(editions, "files", found)
        games.load.cache_clear()
        games.editions.cache_clear()

    yield put
    games.load.cache_clear()
    games.editions.cache_clear()


SOUND_BOX = HOUSE.read_bytes()


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        (b"rounds = 5\n" + SOUND_BOX, "(top): Object contains unknown field `rounds`"),
        (SOUND_BOX.replace(b"[setup]", b"[setup", 1), "(syntax): "),
        (SOUND_BOX.replace(b"cost = 2", b'cost = "two"', 1), "enhancement[0].cost: Expected `int`, got `str`"),
        (b"# K\xe4the\n" + SOUND_BOX, "(file): line 1 is not written in UTF-8"),
        (SOUND_BOX.decode().encode("utf-16"), "(file): line 1 is not written in UTF-8"),
        (b"", "(top): Object missing required field"),
        (None, "(file): it is not there, and every game has a house edition"),
    ],
)
def test_a_box_with_a_fault_is_named_by_every_command_that_opens_it(
    refused: Refused, boxes: Boxes, tmp_path: Path, contents: bytes | None, why: str
) -> None:
    boxes(contents)
    file = tmp_path / "one.game"
    file.write_text(HEAD, encoding="utf-8")
    for words in (
        ("play", "hanging_gardens"),
        ("bench", "hanging_gardens"),
        ("replay", str(file)),
        ("legal", str(file)),
        ("serve", "--port", "47312"),
        ("bots",),
    ):
        said = refused(*words, DATABASE_URL="postgresql://127.0.0.1:1/x")
        assert "app/games/hanging_gardens/editions/house.toml: " in said, words
        assert why in said, words


def test_what_the_checks_of_a_box_did_not_think_of_is_a_fault_of_the_file_too(
    refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    def falls_over(*_: object) -> None:
        raise KeyError("tulip")

    monkeypatch.setattr(games.games()["hanging_gardens"], "__init__", falls_over)
    games.load.cache_clear()
    try:
        said = refused("play", "hanging_gardens")
    finally:
        games.load.cache_clear()
    assert "house.toml: (contents): KeyError: 'tulip'" in said
