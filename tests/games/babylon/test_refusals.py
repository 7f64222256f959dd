"""An action is legal if and only if it is listed, whatever is asked; a refusal names a rule (14.5)."""

from collections import Counter

import pytest

from app.engine.rng import Rng
from app.games.babylon.decorating import ALTERED
from app.games.babylon.state import Bridge, Choice, End, Fountain, Lay, Mine, Place, Remove, Stairs, State, Statue
from app.games.babylon.supports import OPEN_CHOICES
from tests.games.babylon.gardens import states
from tests.games.babylon.script import rules


def strange(state: State, rng: Rng) -> tuple[Choice, Rng]:
    """Some action that somebody might ask for, sensible or not."""
    numbers = []
    for _ in range(6):
        number, rng = rng.below(10)
        numbers.append(number - 1)
    x, y, x2, y2, kind, near = numbers
    if near < 6:
        x2, y2 = (x + near // 3 + 1, y) if near % 2 else (x, y + near // 3 + 1)
    held = [*state.hand, "none", "c01", "nothing", ""]
    tile, rng = rng.choice(held)
    altered, rng = rng.choice([*ALTERED, "all"])
    corner, rng = rng.choice([*OPEN_CHOICES, "north"])
    asked: tuple[Choice, ...] = (
        Remove(x, y),
        Mine(x, y),
        Place(tile, x, y, kind),
        Place(tile, x, y, 1),
        Place(tile, x, y, 2),
        Lay(x, corner),
        Statue(x, y, altered),
        Fountain(x, y, x2, y2, altered),
        Bridge(x, y, x2, y2, altered),
        Stairs(x, y, x2, y2, altered),
        End(tile),
    )
    return asked[(kind + 1) % len(asked)] if near else rng.choice(asked)[0], rng


@pytest.mark.parametrize("seats", [2, 4])
def test_whatever_is_asked_is_legal_if_and_only_if_it_is_listed(seats: int) -> None:
    game = rules()
    rng = Rng(f"strange {seats}")
    complaints: Counter[str] = Counter()
    for state in states("refused", seats=seats):
        listed = set(game.actions(state, state.seat))
        for _ in range(12):
            action, rng = strange(state, rng)
            broken = game.why_not(state, state.seat, action)
            assert (broken is None) == (action in listed), (action, broken)
            assert game.allows(state, state.seat, action) == (broken is None)
            if broken:
                assert broken.complaint.replace("_", "").isalpha()
                assert broken.rule
                complaints[broken.complaint] += 1
        for action in listed:
            assert game.why_not(state, state.seat, action) is None
    assert len(complaints) > 15
