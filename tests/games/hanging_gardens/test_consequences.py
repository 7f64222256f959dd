"""What would come of an action, before it is done: nothing but what then comes of it."""

import pytest

from app.games.hanging_gardens.objectives import outlook
from app.games.hanging_gardens.outcome import Change, Outcome, consequence, prospect
from app.games.hanging_gardens.scoring import PARTS, best_alignment, flower_groups
from app.games.hanging_gardens.state import Buy, Complete, MarkerMoved, Pass, Player, Take
from app.i18n import LANGUAGES
from app.web.drawing import draw
from tests.games.hanging_gardens.drawn import BOX, GAME, replace
from tests.games.hanging_gardens.looks import look, played
from tests.games.looks import Page


@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_a_consequence_is_what_comes_of_it(seats: int) -> None:
    told = set()
    for position in (*played(seats)[::2], *played(seats, greedy=True)[1::2]):
        for seat in position.waiting:
            state, seen = position.state, look(position, seat)
            before, player = dict(GAME.scores(state)[seat].parts), state.players[seat]
            for action in seen.actions[::3]:
                outcome = consequence(GAME, seen, action)
                step = GAME.apply(state, seat, action)
                after, gained = step.state.players[seat], dict(GAME.scores(step.state)[seat].parts)
                for part in PARTS:
                    points = sum(change.points for change in outcome.changes if change.part == part)
                    assert points == gained[part] - before[part]
                assert outcome.points == sum(gained.values()) - sum(before.values())
                paid = {"tool": 0, "coin": 0, outcome.currency: -outcome.paid}
                paid[outcome.gift] = paid.get(outcome.gift, 0) + outcome.gained
                assert (after.tools - player.tools, after.coins - player.coins) == (paid["tool"], paid["coin"])
                assert outcome.marker == any(isinstance(e, MarkerMoved) and e.taker == seat for e in step.events)
                if isinstance(action, Take | Buy | Complete):
                    assert outcome.ends == (step.state.phase not in {"enhance", "objective"})
                    assert outcome.stands or not step.reveals
                    assert step.reveals or not outcome.stands or step.state.phase == "over"
                told |= {change.part for change in outcome.changes}
                for change in outcome.changes:
                    assert (change.before, change.after) == (0, 0) or change == counted(player, after, change)
    assert told == set(PARTS)


def test_a_card_or_a_tile_tells_what_it_brings_wherever_it_is_placed() -> None:
    told = set()
    for position in played(2, greedy=True):
        for seat in position.waiting:
            seen = look(position, seat)
            groups: dict[tuple[str, ...], list[Outcome]] = {}
            for action in seen.actions:
                if isinstance(action, Take | Buy):
                    found = consequence(GAME, seen, action)
                    groups.setdefault(
                        tuple(found.action.split(":")[: 3 if isinstance(action, Take) else 2]), []
                    ).append(found)
            for outcomes in groups.values():
                together = prospect(GAME, seen, outcomes)
                assert together is not None
                assert (together.card is None) == outcomes[0].action.startswith("buy")
                assert together.points == (min(o.points for o in outcomes), max(o.points for o in outcomes))
                assert {o.paid for o in outcomes} == {together.paid}
                told.add(together.card is None)
            if len(groups) > 1:
                assert prospect(GAME, seen, [one for outcomes in groups.values() for one in outcomes]) is None
    assert told == {True, False}


def counted(before: Player, after: Player, change: Change) -> Change:
    """The change as the two gardens show it: irrigated marks, flowers of the best group, trees of the species."""

    def number(player: Player) -> int:
        if change.part == "irrigation":
            return len(best_alignment(BOX, player).met)
        if change.part == "flowers":
            return sum(group.flowers for group in flower_groups(BOX, player.garden) if group.colour == change.kind)
        return sum(BOX.face(spot.card, spot.tile).kind == change.kind for spot in player.garden)

    return replace(change, before=number(before), after=number(after))


def test_a_consequence_says_exactly_which_objectives_it_makes_possible() -> None:
    told = 0
    for position in (*played(1, greedy=True), *played(3, greedy=True)):
        for seat in position.waiting:
            state, seen = position.state, look(position, seat)
            if state.phase not in {"card", "enhance"}:
                continue
            now = {each.tile for each in outlook(BOX, state, seat) if each.possible}
            for action in seen.actions[::2]:
                if not isinstance(action, Take | Buy):
                    continue
                then = GAME.apply(state, seat, action).state
                if then.phase == "enhance":
                    then = GAME.apply(then, seat, Pass()).state
                same_turn = then.phase == "objective" and (then.round, then.turn) == (state.round, state.turn)
                offered = GAME.actions(then, seat) if same_turn else ()
                possible = {choice.tile for choice in offered if isinstance(choice, Complete)}
                goals = [goal.item for goal in consequence(GAME, seen, action).goals]
                assert sorted(goals) == sorted(BOX.objectives[tile].item for tile in possible - now)
                told += len(goals)
    assert told


def test_a_consequence_is_a_whole_sentence_in_every_language() -> None:
    for position in played(3)[::6]:
        for seat in position.waiting:
            seen = look(position, seat)
            for action in seen.actions[::5]:
                for language in LANGUAGES:
                    outcome = consequence(GAME, seen, action)
                    assert not Page(draw(language, "games/hanging_gardens/consequence.html", m=outcome)).open


def test_a_choice_without_a_piece_changes_nothing_that_could_be_told() -> None:
    position = next(each for each in played(2) if each.state.phase == "enhance")
    assert consequence(GAME, look(position, min(position.waiting)), Pass()) == Outcome("pass")
