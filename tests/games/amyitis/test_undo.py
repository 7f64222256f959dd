"""Taking back: step by step or whole turns, up to the craft cards of a new round (7.1)."""

import pytest

from app.engine import codec, log
from app.games.amyitis import stages
from app.games.amyitis.state import State
from tests.games.amyitis.positions import GAME, A, B, D, all_passed_but, caravan, dealt, owning, watered, with_tile


def begun(state: State) -> log.Position[State]:
    """A table whose log begins with this state."""
    waiting = {decision.seat: 0 for decision in GAME.decisions(state)}
    return log.Position(first=state, state=state, version=0, waiting=waiting, played=())


def acted(position: log.Position[State], *lines: str) -> log.Position[State]:
    """The position after these actions."""
    for line in lines:
        letter, text = line.split()
        position = log.append(GAME, position, log.Entry("ABCD".index(letter), text))
    return position


def planting() -> State:
    """A can lead the caravan to Khorsabad and plant a four-coloured tile on B1 or another on C1."""
    state = watered(caravan(dealt(face_khorsabad="1"), "palmyra"), "B1-C1[a,b], C1-C2[b]")
    state = with_tile(state, "B1", "G17")
    return owning(state, A, goods="dates palm wine", gardeners=1)


def test_every_step_of_a_caravan_turn_can_be_taken_back() -> None:
    """Rules 3.2, 8.3: move, pay, plant, reward."""
    lines = ("A move:khorsabad", "A pay:dates:palm", "A plant:B1", "A court:gardener")
    first = begun(planting())
    position = first
    before = []
    for line in lines:
        before.append(position)
        position = acted(position, line)
    assert position.waiting == {B: 4}
    for earlier in reversed(before):
        position = log.append(GAME, position, log.undo(position, A))
        assert codec.encode(position.state) == codec.encode(earlier.state)


def test_the_whole_turn_can_be_taken_back_at_once_until_the_next_seat_acts() -> None:
    """The turn's number holds its steps together."""
    first = begun(planting())
    position = acted(first, "A move:khorsabad", "A pay:dates:wine", "A plant:B1", "A court:banker")
    back = log.append(GAME, position, log.undo(position, A, whole_turn=True))
    assert codec.encode(back.state) == codec.encode(first.state)
    answered = acted(position, "B pass")
    with pytest.raises(log.CannotUndo) as no:
        log.undo(answered, A)
    assert no.value.broken.complaint == "undo_answered"


def test_nothing_before_a_new_round_can_be_taken_back() -> None:
    """7.1: the new craft cards have been seen."""
    position = acted(begun(all_passed_but(dealt(), A)), "A pass", "D worship:marduk")
    assert (position.state.realm.round, position.state.realm.stage) == (2, stages.ACT)
    with pytest.raises(log.CannotUndo) as no:
        log.undo(position, 3)
    assert no.value.broken.complaint == "undo_revealed"


def test_the_decisions_of_the_maintenance_phase_are_turns_of_their_own() -> None:
    """Rule 7.3: all of a turn taken back is one decision there; the procession goes back until somebody answers."""
    state = owning(all_passed_but(dealt(), D), D, goods="salt palm wine")
    passed = acted(begun(state), "D pass")
    led = acted(passed, "D worship:tammuz")
    assert led.state.realm.stage == stages.TAMMUZ_FIELD
    farmed = acted(led, "D farm:upper")
    assert farmed.state.realm.stage == stages.DISCARD
    sealed = acted(farmed, "D discard:salt")
    for position, earlier in ((sealed, farmed), (farmed, led), (led, passed), (passed, begun(state))):
        back = log.append(GAME, position, log.undo(position, D, whole_turn=True))
        assert codec.encode(back.state) == codec.encode(earlier.state)


def test_a_sealed_discard_can_be_taken_back_while_others_choose() -> None:
    """Rule 7.3: what the others seal in the meantime stands."""
    state = owning(owning(all_passed_but(dealt(), A), A, goods="salt palm wine"), B, goods="salt palm dates wine")
    position = acted(begun(state), "A pass", "D worship:marduk", "A discard:salt", "B discard:wine")
    back = log.append(GAME, position, log.undo(position, A))
    assert sum(back.state.sealed[A]) == 0
    assert sum(back.state.sealed[B]) == 1
    assert set(back.waiting) == {A, B}
