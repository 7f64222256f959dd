"""Gardens as they come about in play, for tests that hold in any garden."""

from collections.abc import Iterator

from app.engine.rng import Chance, Rng
from app.games.babylon.state import State
from tests.games.babylon.script import rules


def states(seed: str, *, seats: int = 2, greed: bool = True) -> Iterator[State]:
    """Every state of a game in which seats choose at random, but rarely end a turn that could go on."""
    game = rules()
    state = game.setup(seats, {}, Chance(Rng(seed)))
    rng = Rng(seed + "/choices")
    while state.phase != "over":
        yield state
        actions = game.actions(state, state.seat)
        if greed:
            going_on = [action for action in actions if type(action).__name__ != "End"]
            number, rng = rng.below(8)
            actions = going_on if going_on and number else actions
        action, rng = rng.choice(actions)
        state = game.apply(state, state.seat, action).state
    yield state
