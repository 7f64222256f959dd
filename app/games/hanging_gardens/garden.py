"""The shape of a garden: where a card may go, what touches what, and the twelve places by number (6.2).

A set of places is a number of twelve bits, anchored at the leftmost card of level 1: bits 0-4 are L1-1 to
L1-5, bits 5-8 are L2-1 to L2-4, bits 9-11 are L3-1 to L3-3. As long as level 1 is short, the whole garden
can still end up further to the right, which is a plain shift of the bits.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from app.games.hanging_gardens.state import Spot

LEVELS = (5, 4, 3)
"""Cards on levels 1, 2 and 3 of the finished garden."""

PLACES = sum(LEVELS)

Place = tuple[int, int]
"""``(level, x)``."""

FIRST = (0, 5, 9)
"""The bit of the leftmost place of each level."""


def bit(level: int, offset: int) -> int:
    """The number of the place ``offset`` to the right of the first place of its level."""
    return FIRST[level - 1] + offset


def place_of(number: int, left: int) -> Place:
    """The place of that number when ``left`` is the smallest x on level 1."""
    level = 3 if number >= FIRST[2] else 2 if number >= FIRST[1] else 1
    return level, left + number - FIRST[level - 1]


def left_end(garden: Sequence[Spot]) -> int:
    """The smallest x on level 1; 0 for an empty garden."""
    return min((spot.x for spot in garden if spot.level == 1), default=0)


def level_one(garden: Sequence[Spot]) -> int:
    """How many cards lie on level 1."""
    return sum(spot.level == 1 for spot in garden)


def outline(garden: Sequence[Spot]) -> tuple[int, int]:
    """The left end of level 1, and the set of occupied places."""
    left = left_end(garden)
    places = 0
    for spot in garden:
        places |= 1 << FIRST[spot.level - 1] + spot.x - left
    return left, places


def room_to_shift(garden: Sequence[Spot]) -> int:
    """By how many places the garden may still end up further to the right (6.2)."""
    return LEVELS[0] - level_one(garden) if garden else 0


def place_name(level: int, x: int, *, left: int) -> str:
    """The final name of a place, ``L2-3`` (6.2); ``left``: smallest x on level 1."""
    return f"L{level}-{x - left + 1}"


def legal_places(garden: Sequence[Spot]) -> tuple[Place, ...]:
    """Every place where the next card may go (6.2), level by level and from left to right."""
    if not garden:
        return ((1, 0),)
    left, places = outline(garden)
    return tuple([(level, left + offset) for level, offset in _offsets(places)])


@cache
def _offsets(places: int) -> tuple[Place, ...]:
    """The legal places as level and offset from the left end, for a garden that is not empty.

    Supported and level 1 no longer than five is the whole test: every gap of a level carries a card in
    the finished garden, so nothing placed so can block the 5-4-3 shape (6.2).
    """
    row = [[bool(places >> bit(level, offset) & 1) for offset in range(LEVELS[level - 1])] for level in (1, 2, 3)]
    length = sum(row[0])
    ends = [(1, -1), (1, length)] if length < LEVELS[0] else []
    carried = [
        (level, offset)
        for level in (2, 3)
        for offset in range(LEVELS[level - 1])
        if not row[level - 1][offset] and row[level - 2][offset] and row[level - 2][offset + 1]
    ]
    return tuple(sorted(ends + carried))


def touches(one: Place, other: Place) -> bool:
    """Whether two places share part of an edge (6.2): beside each other, or one carrying the other."""
    rise, step = other[0] - one[0], other[1] - one[1]
    if rise == 0:
        return abs(step) == 1
    return (rise == 1 and step in (-1, 0)) or (rise == -1 and step in (0, 1))


NEIGHBOURS: tuple[int, ...] = tuple(
    sum(1 << other for other in range(PLACES) if touches(place_of(number, 0), place_of(other, 0)))
    for number in range(PLACES)
)
"""For each place the set of those that touch it."""


def numbers(places: int) -> list[int]:
    """The numbers of the places in a set."""
    return [number for number in range(PLACES) if places >> number & 1]


@cache
def groups(places: int) -> tuple[int, ...]:
    """A set of places, split into its connected groups (6.2), that with the lowest number first."""
    found = []
    while places:
        group = reached = places & -places
        while reached:
            near = 0
            for number in numbers(reached):
                near |= NEIGHBOURS[number]
            reached = near & places & ~group
            group |= reached
        found.append(group)
        places &= ~group
    return tuple(found)


@cache
def connected_parts(places: int, largest: int) -> tuple[int, ...]:
    """The connected sets within a group that hold its lowest place, up to ``largest`` places each."""
    first = places & -places
    found = {first}
    edge = {first}
    for _ in range(largest - 1):
        grown = set()
        for part in edge:
            near = 0
            for number in numbers(part):
                near |= NEIGHBOURS[number]
            grown |= {part | 1 << number for number in numbers(near & places & ~part)}
        edge = grown - found
        found |= edge
    return tuple(sorted(found))


def spots_in(garden: Iterable[Spot], places: int, *, left: int) -> tuple[Spot, ...]:
    """The cards of a garden that lie on a set of places, in the order they were placed."""
    return tuple(spot for spot in garden if places >> FIRST[spot.level - 1] + spot.x - left & 1)
