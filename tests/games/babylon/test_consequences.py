"""What would come of an action, before it is done: nothing but what then comes of it."""

import pytest

from app.engine import notation
from app.games.babylon.consequences import MOST_CHANCES, Consequence, consequence
from app.games.babylon.state import End, Lay, Mine, Place, Remove
from app.i18n import LANGUAGES
from app.web.drawing import draw
from tests.games.babylon.looks import look, played
from tests.games.babylon.script import garden, rules
from tests.games.babylon.tables import act, holding, thinned
from tests.games.babylon.tables import position as position_of
from tests.games.looks import Page

GAME = rules()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_consequence_is_what_comes_of_it(seats: int) -> None:
    told = 0
    for position in played(seats)[::2]:
        for seat in position.waiting:
            state, seen = position.state, look(position, seat)
            before, player = GAME.scores(state)[seat], state.players[seat]
            for action in seen.actions[::3]:
                found = consequence(GAME, seen, action)
                assert found.action == notation.write(action)
                for language in LANGUAGES:
                    assert not Page(draw(language, "games/babylon/consequence.html", m=found)).open
                if isinstance(action, Place | Remove):
                    continue
                step = GAME.apply(state, seat, action)
                after, then = GAME.scores(step.state)[seat], step.state.players[seat]
                assert found.points == after.total - before.total
                changes = {
                    name: points - dict(before.parts)[name]
                    for name, points in after.parts
                    if points != dict(before.parts)[name]
                }
                assert dict(found.parts) == changes
                if isinstance(action, End):
                    assert player.singles - then.singles == found.returned
                    assert then.stored == (found.keeps.id if found.keeps else "")
                    assert [tile.id for tile in found.drops] == list(step.state.discarded[len(state.discarded) :])
                    continue
                assert then.singles - player.singles == found.gained - found.paid
                if isinstance(action, Mine):
                    assert found.gained == found.sides + found.flower + found.token - found.lost or not found.gained
                if isinstance(action, Lay):
                    assert state.doubles - step.state.doubles == found.doubles
                told += bool(found.points)
    assert told


def test_the_decorations_that_a_tile_would_make_possible_are_then_possible() -> None:
    told = 0
    for position in played(3):
        if position.state.phase != "lay":
            continue
        state, seat = position.state, position.state.seat
        seen = look(position, seat)
        for action in seen.actions[::2]:
            found = consequence(GAME, seen, action)
            then = GAME.apply(state, seat, action).state
            possible = {}
            for choice in GAME.actions(then, seat):
                if isinstance(choice, Place | End):
                    continue
                points = GAME.scores(GAME.apply(then, seat, choice).state)[seat].total - GAME.scores(then)[seat].total
                words = notation.write(choice).split(":")
                numbers = [int(word) for word in words[1:-1]]
                cells = tuple(zip(numbers[::2], numbers[1::2], strict=True))
                possible[words[0], cells] = points
            listed = {(chance.kind, chance.cells): chance.points for chance in found.chances}
            assert listed.items() <= possible.items()
            assert len(listed) + found.more == len(possible)
            assert len(listed) <= MOST_CHANCES
            told += len(listed)
    assert told


def test_a_place_tells_what_holds_however_the_tile_is_turned() -> None:
    for position in played(2)[::3]:
        if position.state.phase != "build":
            continue
        state, seat = position.state, position.state.seat
        seen = look(position, seat)
        for action in [each for each in seen.actions if isinstance(each, Place)][::5]:
            found = consequence(GAME, seen, action)
            laying = GAME.apply(state, seat, action).state
            results = [
                (GAME.apply(laying, seat, lay).state, lay)
                for lay in GAME.actions(laying, seat)
                if isinstance(lay, Lay)
            ]
            costs = [state.players[seat].singles - then.players[seat].singles for then, _ in results]
            assert found.least == min(costs)
            first = [then for then, lay in results if lay.open == found.open]
            assert {GAME.scores(then)[seat].total - GAME.scores(state)[seat].total for then in first} == {
                found.points
            }
            assert found.paid == state.players[seat].singles - first[0].players[seat].singles


def test_where_a_corner_must_stay_open_the_cheapest_way_is_told_and_no_other() -> None:
    here = garden("tile A L1 @(0,0) face[. ./. .] sup[ss/ss] white\nturn")
    state = act(holding(thinned(4), singles=0, garden=here), "mine:0:0")
    action = Place("s-white", 1, 0, 2)
    for singles, told in ((6, (6, 4, "none")), (5, (4, 4, "ne")), (4, (4, 4, "ne"))):
        seen = look(position_of(holding(state, singles=singles)), state.seat)
        assert action in seen.actions
        found = consequence(GAME, seen, action)
        assert (found.paid, found.least, found.open) == told


def test_removing_clay_says_which() -> None:
    position = played(3)[0]
    action = GAME.actions(position.state, position.state.seat)[0]
    found = consequence(GAME, look(position, position.state.seat), action)
    assert isinstance(found, Consequence)
    assert found.tile is not None
    assert found.tile.material == "clay"
