"""The bots: each plays a whole game by the rules, and each is better than the one before."""

from collections.abc import Sequence

import pytest

from app.engine.playout import playout
from app.engine.rng import Rng
from app.games import bots
from app.games.babylon import choices, decorating, placing
from app.games.babylon.bots import BOTS
from app.games.babylon.planning import Planner
from app.games.babylon.prospects import Outlook
from app.games.babylon.state import End, State
from app.games.babylon.weights import FORESIGHT, POINTS_ONLY
from tests.games.babylon.gardens import states
from tests.games.babylon.script import box, garden, purse_of, rules, stock
from tests.games.babylon.tables import thinned


def final_scores(names: Sequence[str], seed: str) -> list[int]:
    """The totals of a game between the bots of these names."""
    players = [bots("babylon")[name] for name in names]
    end = list(playout(rules(), seats=len(names), seed=seed, bots=players))[-1]
    assert end.over
    return [score.total for score in rules().scores(end.state)]


def test_there_are_three_bots_weakest_first() -> None:
    assert [bot.name for bot in BOTS] == ["random", "greedy", "normal"]
    assert list(bots("babylon")) == ["random", "greedy", "normal"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random(seats: int) -> None:
    for seed in ("1", "2", "3"):
        mine, *others = final_scores(["greedy"] + ["random"] * (seats - 1), seed)
        assert mine > max(others)


def test_normal_beats_greedy_more_often_than_not() -> None:
    won = 0
    for seed in range(4):
        names = ["normal", "greedy"] if seed % 2 else ["greedy", "normal"]
        scores = dict(zip(names, final_scores(names, str(seed)), strict=True))
        won += scores["normal"] > scores["greedy"]
    assert won >= 3


@pytest.mark.parametrize("name", ["greedy", "normal"])
def test_a_bot_chooses_a_legal_action_wherever_it_is_asked_and_the_same_one_again(name: str) -> None:
    game, bot = rules(), bots("babylon")[name]
    asked = 0
    for state in list(states("bots", seats=3))[::5]:
        if state.phase == "over":
            continue
        actions = game.actions(state, state.seat)
        view = game.view(state, state.seat)
        chosen = bot.choose(game, view, state.seat, actions, Rng("x"))
        assert chosen in actions, f"\n{state.players[state.seat].garden}"
        assert bot.choose(game, view, state.seat, actions, Rng("x")) == chosen
        asked += 1
    assert asked > 20


def test_greedy_takes_the_pair_that_is_worth_most() -> None:
    here = garden(
        """
        tile A L1 @(0,0) face[. F/. T] sup[ss/ss] white
        turn
        """
    )
    outlook = Outlook(here, values=box().scoring, weights=POINTS_ONLY, fade=0.5)
    tile = box().tile_by_id["c14"]
    assert tile.symbols == ("fountain", "stairs", "none", "none")
    best = outlook.best([tile], purse_of(4), 6)["c14"]
    assert best.site.level == 1
    laid = placing.laid(here, tile, best.site, turned=best.turned, form=best.form)
    assert [offer.cells for offer in decorating.offers(laid, "none", stock())] == [((1, 0), (2, 0))]


def test_an_outlook_counts_what_a_tile_would_cover() -> None:
    here = garden(
        """
        tile A L1 @(1,1) face[S ./. .] sup[ss/s-] white
        statue (1,1)
        turn
        """
    )
    outlook = Outlook(here, values=box().scoring, weights=POINTS_ONLY, fade=0.5)
    prospects = {
        (prospect.site.x, prospect.site.y, prospect.site.level): prospect.value
        for prospect in outlook.each(box().tile_by_id["c01"], purse_of(30), 0)
    }
    # Level 2 brings 2 points and a belvedere; over the statue that costs 1, over the old belvedere another 1.
    assert prospects[4, 4, 2] == pytest.approx(3)
    assert prospects[0, 0, 2] == pytest.approx(2)
    assert prospects[2, 2, 2] == pytest.approx(2)


def test_a_planner_keeps_the_tile_with_more_symbols() -> None:
    state: State = thinned(4)
    view = rules().view(rules().apply(state, 0, rules().actions(state, 0)[0]).state, 0)
    planner = Planner(box(), view, FORESIGHT, breadth=4)
    assert planner.end() == End("s-white")
    assert choices.choices(box(), view) == rules().actions(rules().imagine(view, 0, Rng("any")), 0)
