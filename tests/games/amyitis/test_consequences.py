"""What would come of an action, before it is done: nothing but what then comes of it."""

import pytest

from app.games.amyitis import stages
from app.games.amyitis.actions import Build, Discard, Move, Plant, Worship
from app.games.amyitis.events import Earned, RoundBegan, Watered
from app.games.amyitis.outcome import consequence
from app.games.amyitis.state import NOBODY
from app.games.amyitis.temples import rewarded
from app.i18n import LANGUAGES
from tests.games.amyitis.looks import bubble, look, played
from tests.games.amyitis.positions import BOX, GAME
from tests.games.looks import Page

HELD = ("talents", "camels", "gardeners")


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("profile", ["standard", "rulebook"])
def test_a_consequence_is_what_comes_of_it(seats: int, profile: str) -> None:
    told = 0
    for position in played(seats, greedy=True, profile=profile)[::3]:
        for seat in position.waiting:
            state, seen = position.state, look(position, seat)
            for action in seen.actions[::3]:
                outcome = consequence(GAME, seen, action)
                for language in LANGUAGES:
                    assert not Page(bubble(language, outcome)).open
                if isinstance(action, Discard):
                    assert outcome.paid == ((action.resource, 1),)
                    continue
                step = GAME.apply(state, seat, action)
                before, after = state.realm.players, step.state.realm.players
                begun = any(isinstance(event, RoundBegan) for event in step.events)
                income = {event.seat: event for event in step.events if begun and isinstance(event, Earned)}
                for each in range(seats):
                    vp = after[each].vp - before[each].vp - (income[each].vp if each in income else 0)
                    assert vp == (outcome.points if each == seat else dict(outcome.others).get(each + 1, 0))
                changes = {kind: -count for kind, count in outcome.paid} | dict(outcome.gained)
                for kind in HELD:
                    paid = income[seat].talents if kind == "talents" and seat in income else 0
                    assert changes.pop(kind, 0) == getattr(after[seat], kind) - getattr(before[seat], kind) - paid
                for number, kind in enumerate(BOX.resource_ids):
                    assert changes.pop(kind, 0) == after[seat].goods[number] - before[seat].goods[number]
                assert not changes
                told += bool(outcome.points)
    assert told > 5


def test_a_planting_says_who_has_most_water_and_how_many_grey_cubes_come() -> None:
    checked = 0
    for position in played(4, greedy=True):
        if position.state.realm.stage != stages.PLANT:
            continue
        seat = min(position.waiting)
        seen = look(position, seat)
        for action in seen.actions:
            assert isinstance(action, Plant)
            outcome = consequence(GAME, seen, action)
            lines = {line.kind: line for line in outcome.lines}
            step = GAME.apply(position.state, seat, action)
            grey = sum(
                len(new) - len(old)
                for old, new in zip(position.state.realm.channels, step.state.realm.channels, strict=True)
            )
            for event in step.events:
                if isinstance(event, Watered):
                    assert lines["water"].count == (event.leader + 1 if event.leader != NOBODY else 0)
                    assert sum(mark.kind == "counts" for mark in outcome.marks) == sum(event.cubes)
            assert (lines["grey"].count if "grey" in lines else 0) == grey
            assert sum(mark.kind == "cube" for mark in outcome.marks) == grey
            checked += 1
    assert checked > 5


def test_a_channel_says_what_gets_water() -> None:
    for position in played(3, greedy=True):
        for seat in position.waiting:
            seen = look(position, seat)
            for action in seen.actions:
                if not isinstance(action, Build):
                    continue
                outcome = consequence(GAME, seen, action)
                (cube,) = [mark for mark in outcome.marks if mark.kind == "cube"]
                assert cube.face == str(seat + 1)
                kinds = {line.kind for line in outcome.lines}
                assert kinds & {"built", "half"}
                assert ("wet" in kinds) == any(mark.kind == "moist" for mark in outcome.marks)


def test_a_way_of_the_caravan_is_marked_step_by_step() -> None:
    for position in played(2, greedy=True):
        for seat in position.waiting:
            seen = look(position, seat)
            for action in seen.actions:
                if isinstance(action, Move):
                    outcome = consequence(GAME, seen, action)
                    steps = [mark for mark in outcome.marks if mark.kind == "step"]
                    paid = [mark for mark in steps if mark.face == "paid"]
                    camels = position.state.realm.players[seat].camels
                    after = GAME.apply(position.state, seat, action).state.realm.players[seat]
                    if not any(kind == "camels" for kind, _ in outcome.gained):
                        assert len(paid) >= camels - after.camels
                    assert 1 <= len(paid) <= len(steps) <= 9


def test_an_offering_says_who_would_stand_first() -> None:
    for position in played(4, greedy=True):
        if position.state.realm.stage != stages.TEMPLE:
            continue
        seat = min(position.waiting)
        seen = look(position, seat)
        for number, action in enumerate(seen.actions):
            assert isinstance(action, Worship)
            (line,) = [line for line in consequence(GAME, seen, action).lines if line.kind == "rank"]
            after = GAME.apply(position.state, seat, action).state.realm
            assert line.colours == tuple(each + 1 for each in rewarded(BOX, after, number))


def test_nothing_hidden_is_told() -> None:
    """What others have sealed does not change what a discard is said to bring."""
    for position in played(4, greedy=True):
        if position.state.realm.stage == stages.DISCARD:
            for seat in position.waiting:
                seen = look(position, seat)
                for action in seen.actions:
                    outcome = consequence(GAME, seen, action)
                    assert not (outcome.points or outcome.others or outcome.lines or outcome.marks)
