"""The bots: quick, legal, and each better than the one before."""

from app.engine.bots import Bot
from app.engine.playout import playout
from app.games import bots
from app.games.amyitis.bots import differing, ends_of_turn
from tests.games.amyitis.positions import (
    GAME,
    A,
    caravan,
    changed,
    dealt,
    legal,
    market,
    owning,
    watered,
    with_tile,
)

BOTS = bots("amyitis")


def wins(better: str, worse: str, *, seats: int, games: int) -> float:
    """The share of wins of one better bot among worse ones; a tie is shared."""
    won = 0.0
    for number in range(games):
        seat = number % seats
        table: list[Bot] = [BOTS[better if each == seat else worse] for each in range(seats)]
        *_, last = playout(GAME, seats=seats, seed=f"wins {number}", bots=table)
        first = [score.seat for score in GAME.scores(last.state) if score.rank == 1]
        won += (seat in first) / len(first)
    return won / games


def test_three_bots_stand_weakest_first() -> None:
    assert list(BOTS) == ["random", "greedy", "normal"]


def test_greedy_beats_random() -> None:
    assert wins("greedy", "random", seats=2, games=20) > 0.75
    assert wins("greedy", "random", seats=4, games=12) > 0.75


def test_normal_beats_greedy() -> None:
    assert wins("normal", "greedy", seats=2, games=4) > 0.7
    assert wins("normal", "greedy", seats=4, games=4) > 0.7


def test_a_bot_chooses_the_same_from_the_same_view() -> None:
    for name in ("greedy", "normal"):
        one, two = (
            [item.action for item in position.played]
            for position in (
                list(playout(GAME, seats=2, seed="same", bots=(BOTS[name],)))[-1],
                list(playout(GAME, seats=2, seed="same", bots=(BOTS[name],)))[-1],
            )
        )
        assert one == two


def test_bots_do_not_weigh_the_same_character_twice() -> None:
    state = market(dealt(), "PEASANT peasant priest", "priest priest engineer")
    thought = [
        action for action in differing(GAME, state, GAME.actions(state, A)) if str(action).startswith("Recruit")
    ]
    assert len(legal(state, A, "recruit")) == 5
    assert len(thought) == 3


def test_bots_think_to_the_end_of_their_turn() -> None:
    """Move, pay, plant and reward are one turn."""
    state = watered(caravan(dealt(face_khorsabad="1"), "palmyra"), "B1-C1[a,b], C1-C2[b]")
    state = owning(changed(with_tile(state, "B1", "G17"), market=()), A, goods="dates palm wine", gardeners=1)
    ends = list(ends_of_turn(GAME, state, A, GAME.actions(state, A)))
    assert all(end.realm.turn > state.realm.turn for _, end in ends)
    assert len([end for _, end in ends if end.realm.players[A].tiles]) > 3
