"""Whole games as text, replayed to their scores."""

from pathlib import Path

import pytest

from app.engine import record
from tests.games.amyitis.positions import GAME

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.game"))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_a_recorded_game_plays_to_its_scores(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    read = record.read(text)
    position = record.replay(GAME, read)
    assert position.over
    assert len(read.scores) == read.seats
    assert record.write(read) == text


def test_games_of_every_size_and_profile_are_recorded() -> None:
    games = [record.read(file.read_text(encoding="utf-8")) for file in RECORDED]
    assert {(game.seats, game.options["profile"]) for game in games} == {
        (seats, profile) for seats in (2, 3, 4) for profile in ("standard", "rulebook")
    }
    assert any(entry.text.startswith("undo:") for game in games for entry in game.entries)
    assert any(game.deal for game in games)
