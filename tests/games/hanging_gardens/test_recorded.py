"""Whole games as text, replayed with every action asked again, to the scores they ended with."""

from pathlib import Path

import pytest

from app.engine import record
from tests.games.hanging_gardens.drawn import GAME

GAMES = sorted((Path(__file__).parent / "recorded").glob("*.game"))


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_a_recorded_game_ends_as_it_did(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    written = record.read(text)
    assert written.scores
    assert record.replay(GAME, written).over
    assert record.write(written) == text


def test_there_is_a_recorded_game_for_every_number_of_seats() -> None:
    seats = {record.read(path.read_text(encoding="utf-8")).seats for path in GAMES}
    assert seats == set(GAME.seats)


def test_one_of_them_takes_something_back() -> None:
    assert any("undo:" in path.read_text(encoding="utf-8") for path in GAMES)
