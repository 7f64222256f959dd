"""``make game`` makes a whole game of the skeleton, in a copy of the project, and refuses what cannot be one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import new_game

ROOT = Path(__file__).parent.parent
FOLDERS = ("app", "templates", "static", "migrations", "tests", "docs")
FILES = ("pyproject.toml", "README.md")
SLUG = "river_stones"
OTHERS = ("go", "a_name_as_long_as_slugs_may_be")
BAD = (
    *("", "My_Game", "my-game", "my game", "1st", "_my", "my_", "my__game", "../up", "jeu_d'or", "庭", "x" * 31),
    *("class", "site", "my_rules", "hanging_gardens"),
)
CHECKED = (
    "tests/games/test_promises.py",
    "tests/games/test_pages.py",
    "tests/games/test_entering.py",
    f"tests/games/{SLUG}",
    "tests/test_words.py",
    "tests/test_house.py",
)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command of this Python in the copy; it must go well, or its words are the complaint."""
    environment = {**os.environ, "SEMIRAMIS_PROMISES": "25", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project elsewhere, with more games."""
    folder = tmp_path_factory.mktemp("semiramis")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy2(ROOT / name, folder / name)
    for slug in (SLUG, *OTHERS):
        assert run(folder, "-m", "tests.new_game", slug).stdout.count("\n") == 1
    return folder


def test_a_new_game_keeps_every_promise_and_draws_every_page(copy: Path) -> None:
    said = run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *CHECKED, "-k", f"{SLUG} or lobby").stdout
    assert " passed" in said
    assert "skipped" not in said


def test_a_new_game_is_well_written_and_well_typed(copy: Path) -> None:
    folders = [f"{under}/games/{slug}" for under in ("app", "tests") for slug in (SLUG, *OTHERS)]
    run(copy, "-m", "ruff", "format", "--no-cache", "--check", *folders)
    run(copy, "-m", "ruff", "check", "--no-cache", *folders)
    run(copy, "-m", "mypy", "-p", f"app.games.{SLUG}", "-p", f"tests.games.{SLUG}")


def test_a_new_game_plays_at_once(copy: Path) -> None:
    sheet = run(copy, "-m", "app", "play", SLUG, "--seats", "4", "--bots", "greedy", "--record", "one.game").stdout
    assert sheet.splitlines()[-1].startswith("rank")
    assert "all legal; over" in run(copy, "-m", "app", "replay", "one.game").stdout


def test_a_new_game_goes_by_its_own_name_everywhere(copy: Path) -> None:
    for path in copy.rglob("*"):
        if SLUG in path.as_posix() and path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not [name for name in new_game.NAMES if name in text], path
    words = (copy / "templates" / "games" / SLUG / "_words.html").read_text(encoding="utf-8")
    assert "River Stones" in words


@pytest.mark.parametrize("slug", BAD)
def test_a_bad_or_taken_slug_is_refused_in_one_line(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert new_game.main([slug]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1


def test_a_slug_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert new_game.main([]) == 1
    assert capsys.readouterr().err == "error: make game slug=my_game\n"


def test_the_skeleton_is_not_a_game_where_it_lies() -> None:
    assert [path for path in new_game.SKELETON.rglob("*") if path.suffix in {".py", ".pyc"}] == []
