"""Whole games, written down with their scores; whoever changes a rule will hear of it here."""

from importlib.resources import files

import pytest

from app.engine import log, record
from tests.games.babylon.script import garden, rules

GAMES = sorted(
    (file for file in (files(__package__) / "recorded").iterdir() if file.name.endswith(".game")),
    key=lambda file: file.name,
)
NAMES = [file.name.removesuffix(".game") for file in GAMES]


def read(name: str) -> record.Record:
    """The recorded game of that name."""
    return record.read(GAMES[NAMES.index(name)].read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_game_is_played_as_it_was(name: str) -> None:
    written = read(name)
    assert written.revision == rules().revision
    assert written.scores
    end = record.replay(rules(), written)
    assert end.over
    for player in end.state.players:
        assert garden(str(player.garden)) == player.garden


def test_the_recorded_games_hold_every_kind_of_action_and_token() -> None:
    seen = {entry.text.split(":")[0] for name in NAMES for entry in read(name).entries}
    assert seen == {"remove", "mine", "place", "lay", "statue", "fountain", "bridge", "stairs", "end", "undo"}
    shown = {token for name in NAMES for token in record.replay(rules(), read(name)).state.shown}
    assert shown == {token.id for token in rules().box.tokens}


def test_a_recorded_game_uses_up_the_belvederes() -> None:
    assert record.replay(rules(), read("four_greedy")).state.supply.belvedere == 0


def test_a_record_that_was_tampered_with_is_refused_at_its_line() -> None:
    text = GAMES[NAMES.index("two_dealt")].read_text(encoding="utf-8")
    with pytest.raises(record.RecordRefused, match=r"line 19: .*level_gap") as refused:
        record.replay(rules(), record.read(text.replace("place:s-yellow:0:0:1", "place:s-yellow:0:0:3", 1)))
    assert refused.value.rule == "9.4.2"
    assert isinstance(refused.value.__cause__, log.Refused)
