"""What would come of an action, before it is done: nothing but what then comes of it."""

import pytest

from app.games.hanging_gardens.outcome import Outcome, consequence
from app.games.hanging_gardens.state import Complete, Pass
from app.i18n import LANGUAGES
from app.web.drawing import draw
from tests.games.hanging_gardens.drawn import GAME
from tests.games.hanging_gardens.looks import Page, look, played


@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_a_consequence_is_what_comes_of_it(seats: int) -> None:
    told = 0
    for position in played(seats)[::3]:
        for seat in position.waiting:
            state, seen = position.state, look(position, seat)
            before, player = GAME.scores(state)[seat].total, state.players[seat]
            for action in seen.actions[::4]:
                outcome = consequence(GAME, seen, action)
                step = GAME.apply(state, seat, action)
                after = step.state.players[seat]
                assert outcome.points == GAME.scores(step.state)[seat].total - before
                paid = {"tool": 0, "coin": 0, outcome.currency: -outcome.paid}
                paid[outcome.gift] = paid.get(outcome.gift, 0) + outcome.gained
                assert (after.tools - player.tools, after.coins - player.coins) == (paid["tool"], paid["coin"])
                told += bool(outcome.points)
                for language in LANGUAGES:
                    page = Page(draw(language, "games/hanging_gardens/consequence.html", m=outcome))
                    assert not page.open
    assert told


def test_a_consequence_says_which_objective_it_makes_possible() -> None:
    for position in played(3, greedy=True):
        for seat in position.waiting:
            seen = look(position, seat)
            for action in seen.actions:
                outcome = consequence(GAME, seen, action)
                if not outcome.goals:
                    continue
                then = GAME.apply(position.state, seat, action).state
                while then.phase == "enhance":
                    then = GAME.apply(then, seat, Pass()).state
                wanted = {choice.tile for choice in GAME.actions(then, seat) if isinstance(choice, Complete)}
                items = {GAME.box.objectives[tile].item for tile in wanted}
                assert {goal.item for goal in outcome.goals} <= items
                return
    raise AssertionError("nowhere in the game an objective came into reach")


def test_a_choice_without_a_piece_changes_nothing_that_could_be_told() -> None:
    position = next(each for each in played(2) if each.state.phase == "enhance")
    assert consequence(GAME, look(position, min(position.waiting)), Pass()) == Outcome("pass")
