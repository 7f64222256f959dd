"""Turns are numbered so that time can be counted by them: a seat's next turn has a number of its own."""

import pytest

from app import games
from app.engine.bots import RandomBot
from app.engine.playout import playout


@pytest.mark.parametrize("slug", sorted(games.games()))
def test_a_turn_that_is_over_never_comes_again(slug: str) -> None:
    game = games.load(slug)
    seats = max(game.seats)
    over: set[tuple[int, int]] = set()
    before: dict[int, int] = {}
    for position in playout(game, seats=seats, seed="turns", bots=(RandomBot(),)):
        now = {decision.seat: decision.turn for decision in game.decisions(position.state)}
        over |= {(seat, turn) for seat, turn in before.items() if seat in now and now[seat] != turn}
        assert not over & set(now.items())
        before |= now
    assert len(over) > seats
