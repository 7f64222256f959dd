"""How well and how fast the bots play; the numbers have room, so that a good change does not break them."""

from statistics import mean
from typing import Any

import pytest

from app.engine import notation
from app.engine.bots import Bot
from app.engine.playout import playout
from app.engine.rng import Rng
from app.games import bots
from app.games.hanging_gardens.bots import BOTS, PlanningGardener, Wishes
from tests.games.hanging_gardens.drawn import GAME, begin, player, replace, table

RANDOM, GREEDY, NORMAL = BOTS


def end(seats: int, seed: str, *players: Bot) -> Any:
    """The last state of a game between these bots."""
    return list(playout(GAME, seats=seats, seed=seed, bots=players))[-1].state


def test_the_bots_go_by_their_names() -> None:
    assert [bot.name for bot in BOTS] == ["random", "greedy", "normal"]
    assert bots("hanging_gardens")["greedy"] is GREEDY


def test_a_greedy_bot_beats_a_random_one() -> None:
    wins = 0
    for number in range(30):
        seat = number % 2
        seated = (GREEDY, RANDOM) if seat == 0 else (RANDOM, GREEDY)
        wins += GAME.scores(end(2, f"duel-{number}", *seated))[seat].rank == 1
    assert wins >= 28


@pytest.mark.parametrize(("seats", "games"), [(1, 24), (2, 12), (5, 5)])
def test_greedy_bots_score_about_sixty(seats: int, games: int) -> None:
    totals = [score.total for number in range(games) for score in GAME.scores(end(seats, f"mean-{number}", GREEDY))]
    assert 56 <= mean(totals) <= 72


def test_a_bot_chooses_a_legal_action_and_always_the_same() -> None:
    for position in playout(GAME, seats=3, seed="same", bots=(GREEDY,)):
        for seat in position.waiting:
            actions = GAME.actions(position.state, seat)
            view = GAME.view(position.state, seat)
            first = GREEDY.choose(GAME, view, seat, actions, Rng("a"))
            assert first in actions
            assert GREEDY.choose(GAME, view, seat, actions, Rng("a")) == first


class Hasty(PlanningGardener):
    """The normal bot with less time to think."""

    turns = 60


def test_a_normal_bot_beats_a_greedy_one() -> None:
    leads = []
    for number in range(4):
        seat = number % 2
        seated = (Hasty(), GREEDY) if seat == 0 else (GREEDY, Hasty())
        scores = GAME.scores(end(2, f"plan-{number}", *seated))
        leads.append(scores[seat].total - scores[1 - seat].total)
    assert mean(leads) > 0


def test_a_normal_bot_chooses_a_legal_action_and_always_the_same() -> None:
    state = begin(2, seed="plan")
    actions = GAME.actions(state, 0)
    first = NORMAL.choose(GAME, GAME.view(state, 0), 0, actions, Rng("a"))
    assert first in actions
    assert NORMAL.choose(GAME, GAME.view(state, 0), 0, actions, Rng("a")) == first


def chosen(state: Any) -> str:
    """What the greedy bot does for the seat whose turn it is."""
    action = GREEDY.choose(GAME, GAME.view(state, 0), 0, GAME.actions(state, 0), Rng("x"))
    return notation.write(action)


def test_a_greedy_bot_takes_the_best_space_of_an_objective() -> None:
    state = replace(table(player("G40 G43 G54"), player(), objectives="O02 O04 O05 O06", holder=1), phase="objective")
    assert chosen(state) == "complete:O02:1"


def test_a_greedy_bot_spends_its_last_tools() -> None:
    garden = "G40 G20\nG21 G22 G23 G24\nG25 G26 G27 G28 G29"
    state = table(
        player(garden, tools=3), player(), market=("G18 G17 G05 G74", "G06", "G12"), objectives="O02 O04 O05 O06"
    )
    assert chosen(state) == "take:1:4:3:2"  # whose visitor likes sets of flowers


def test_wishes_are_small_against_points() -> None:
    wishes = Wishes()
    assert max(wishes.coin, wishes.tool, wishes.marker, wishes.empty) <= 1
