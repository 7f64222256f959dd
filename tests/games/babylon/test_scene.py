"""The picture in space: nothing is painted over what stands nearer to the viewer, from any of the four sides.

The drawn order is compared with a slow, obviously right one: every drawing is a box, and of two boxes that overlap on
the screen the one that lies wholly behind, left behind or below the other must have been painted first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.games.babylon.faces import faces_of
from app.games.babylon.garden import Garden
from app.games.babylon.scene import (
    DEEP,
    RISE,
    SIDES,
    THICK,
    WIDE,
    Solid,
    solids,
)
from tests.games.babylon.gardens import states
from tests.games.babylon.script import rules

SLAB = THICK / RISE
"""How thick a terrace is, in levels."""


@dataclass(frozen=True)
class Box:
    """What a drawing takes up at most, in columns and levels."""

    name: str
    x: tuple[float, float]
    y: tuple[float, float]
    z: tuple[float, float]

    def is_behind(self, other: "Box") -> bool:
        """Whether the viewer at the south-east, looking down, can see nothing of the other through this one."""
        return self.x[1] <= other.x[0] or self.y[1] <= other.y[0] or self.z[1] <= other.z[0]

    def outline(self) -> list[tuple[float, float]]:
        """The hexagon that it covers on the screen."""
        (x, x2), (y, y2), (z, z2) = self.x, self.y, self.z
        corners = [(x, y, z2), (x2, y, z2), (x2, y, z), (x2, y2, z), (x, y2, z), (x, y2, z2)]
        return [((cx - cy) * WIDE, (cx + cy) * DEEP - cz * RISE) for cx, cy, cz in corners]

    def overlaps(self, other: "Box") -> bool:
        """Whether the two share more than an edge on the screen: no edge of either separates them."""
        one, two = self.outline(), other.outline()
        for outline in (one, two):
            for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True):
                nx, ny = ay - by, bx - ax
                first = [nx * px + ny * py for px, py in one]
                second = [nx * px + ny * py for px, py in two]
                if max(first) <= min(second) + 1e-6 or max(second) <= min(first) + 1e-6:
                    return False
        return True


def box_of(solid: Solid) -> Box:
    """The box around a drawing; only a drum of a double pillar, and the landing of stairs, are known more closely."""
    name = solid.drawings[0].sprite.removeprefix("bab-")
    x, y, wide, deep = solid.block
    low, high, edge = float(solid.level), solid.level + 1 - SLAB, 0.0
    if name.startswith("slab"):
        low, high = solid.level - SLAB, float(solid.level)
    elif name == "pillar-foot":
        high, edge = solid.level + 1 - SLAB / 2, 0.28
    elif name == "pillar-head":
        low, edge = solid.level - SLAB / 2, 0.28
    elif name.startswith("upper"):
        low, high = solid.level + 1 - SLAB, solid.level + 1.0
    return Box(name, (x + edge, x + wide - edge), (y + edge, y + deep - edge), (low, high))


def wrong(garden: Garden, side: int) -> Iterator[str]:
    """Pairs painted in the wrong order."""
    boxes = [box_of(one) for one in solids(faces_of(rules()), garden, side=side)]
    for earlier, later in combinations(boxes, 2):
        if earlier.overlaps(later) and not earlier.is_behind(later):
            yield f"{earlier} before {later}"


def gardens(seed: str, *, seats: int, step: int = 9) -> Iterator[Garden]:
    """Gardens of one game, growing."""
    for number, state in enumerate(states(seed, seats=seats)):
        if number % step == 0:
            yield max((player.garden for player in state.players), key=lambda each: len(each.terraces))


@pytest.mark.parametrize("side", SIDES)
def test_what_is_nearer_is_painted_later_in_the_gardens_of_a_game(side: int) -> None:
    for number in range(4):
        for garden in gardens(f"order/{number}", seats=2 + number % 3, step=17):
            assert list(wrong(garden, side)) == [], f"\n{garden}"


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**9), side=st.sampled_from(SIDES))
def test_what_is_nearer_is_painted_later_in_any_garden(seed: int, side: int) -> None:
    *_, last = gardens(str(seed), seats=2)
    assert list(wrong(last, side)) == [], f"\n{last}"
