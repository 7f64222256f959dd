"""What a garden is worth, part by part: live at any time, and final once it has twelve cards (8)."""

from collections.abc import Sequence
from functools import cache

import msgspec

from app.games.hanging_gardens.components import COLOURS, ITEM, Box, Colour
from app.games.hanging_gardens.garden import (
    FIRST,
    LEVELS,
    Place,
    connected_parts,
    groups,
    left_end,
    numbers,
    outline,
    place_of,
    room_to_shift,
    spots_in,
)
from app.games.hanging_gardens.state import Player, Spot

PARTS = ("irrigation", "flowers", "trees", "animals", "visitors", "objectives")
"""The parts of a score, in the order of the score pad."""

ON_LEVEL = tuple((1 << size) - 1 << first for first, size in zip(FIRST, LEVELS, strict=True))
"""The places of each level, as sets."""


class Part(msgspec.Struct, frozen=True):
    """One part of a score, and the cards that earn it (none for objectives)."""

    name: str
    points: int
    spots: tuple[Spot, ...]


class Alignment(msgspec.Struct, frozen=True):
    """The irrigation card laid over a garden that ends up ``shift`` places further to the right (6.2).

    ``met``: marked places with an irrigated card; ``dry``: marked places with another card; ``free``: marked
    places without a card yet. A finished garden has one alignment, with shift 0.
    """

    shift: int
    points: int
    met: tuple[Place, ...]
    dry: tuple[Place, ...]
    free: tuple[Place, ...]


class FlowerGroup(msgspec.Struct, frozen=True):
    """The largest group of a colour: its flowers, its VP, and its cards (8)."""

    colour: Colour
    flowers: int
    points: int
    spots: tuple[Spot, ...]


class TreeGroup(msgspec.Struct, frozen=True):
    """A group of trees of one species as it is best scored (8, R-02)."""

    species: str
    points: int
    spots: tuple[Spot, ...]


class Worth(msgspec.Struct, frozen=True):
    """What stands on a card is worth ``points`` now.

    ``count``: an animal's level, the size of a tree's group (whose VP the points are), or how many of what
    it likes a visitor finds.
    """

    points: int
    count: int


class Tally(msgspec.Struct, frozen=True):
    """A garden, counted once: sets of places (see :mod:`garden`) and totals in the order of ``ITEMS``.

    ``flowers``: for each colour the places with at least one, two, … flowers of it.
    """

    left: int
    places: int
    irrigated: int
    standing: dict[str, int]
    flowers: tuple[list[int], ...]
    visitors: tuple[str, ...]
    totals: tuple[int, ...]
    tiles: int


_NOTHING = (0,) * len(ITEM)
_FIRST_FLOWER = ITEM["red_flowers"]


def tally(box: Box, garden: Sequence[Spot]) -> Tally:
    """Everything in a garden that scoring counts."""
    left = left_end(garden)
    places = irrigated = tiles = 0
    standing: dict[str, int] = {}
    flowers: tuple[list[int], ...] = ([], [], [])
    visitors = []
    counts = [_NOTHING]
    for spot in garden:
        here = 1 << FIRST[spot.level - 1] + spot.x - left
        face = box.face(spot.card, spot.tile)
        places |= here
        if spot.tile:
            tiles += 1
        if face.irrigated:
            irrigated |= here
        if face.slot == "visitor":
            visitors.append(face.kind)
        elif face.kind:
            standing[face.kind] = standing.get(face.kind, 0) | here
        counts.append(face.counts)
        for layers, number in zip(flowers, face.counts[_FIRST_FLOWER:], strict=True):
            for index in range(number):
                if index == len(layers):
                    layers.append(here)
                else:
                    layers[index] |= here
    totals = tuple(map(sum, zip(*counts, strict=True)))
    return Tally(left, places, irrigated, standing, flowers, tuple(visitors), totals, tiles)


def points_by_part(box: Box, player: Player, *, seats: int) -> tuple[int, ...]:
    """The points of each of :data:`PARTS`, with irrigation at its best alignment."""
    count = tally(box, player.garden)
    return (
        _irrigation(box, player, count.irrigated),
        sum(_largest(layers)[0] for layers in count.flowers) * box.contents.scoring.flowers.vp,
        _trees(box, count),
        _animals(box, count),
        sum(_visitor(box, kind, count, len(player.objectives)) for kind in count.visitors),
        objective_points(box, player, seats=seats),
    )


def parts(box: Box, player: Player, *, seats: int) -> tuple[Part, ...]:
    """The points of each of :data:`PARTS`, with the cards that earn them."""
    garden = player.garden
    count = tally(box, garden)
    points = points_by_part(box, player, seats=seats)
    earning = {
        "irrigation": set(best_alignment(box, player).met),
        "flowers": {(spot.level, spot.x) for group in flower_groups(box, garden) for spot in group.spots},
        "trees": _places(count, box.trees),
        "animals": _places(count, box.animals),
        "visitors": {(spot.level, spot.x) for spot in garden if box.face(spot.card, spot.tile).slot == "visitor"},
        "objectives": set(),
    }
    return tuple(
        Part(name, part, tuple(spot for spot in garden if (spot.level, spot.x) in earning[name]))
        for name, part in zip(PARTS, points, strict=True)
    )


def total(box: Box, player: Player, *, seats: int) -> int:
    """All points of a player as the garden stands."""
    return sum(points_by_part(box, player, seats=seats))


# Irrigation


def _matches(box: Box, player: Player, irrigated: int) -> int:
    marked = box.marked[player.irrigation]
    return max((marked & irrigated << shift).bit_count() for shift in range(room_to_shift(player.garden) + 1))


def _irrigation(box: Box, player: Player, irrigated: int) -> int:
    return box.irrigation_vp[_matches(box, player, irrigated)] if irrigated else box.irrigation_vp[0]


def alignments(box: Box, player: Player) -> tuple[Alignment, ...]:
    """What the irrigation card gives for each place where the garden can still end up, from the left (6.2)."""
    marked = box.marked[player.irrigation]
    left, occupied = outline(player.garden)
    irrigated = tally(box, player.garden).irrigated
    found = []
    for shift in range(room_to_shift(player.garden) + 1):

        def here(places: int, end: int = left - shift) -> tuple[Place, ...]:
            return tuple(place_of(number, end) for number in numbers(places))

        met = marked & irrigated << shift
        dry = marked & occupied << shift & ~met
        found.append(
            Alignment(
                shift=shift,
                points=box.irrigation_vp[met.bit_count()],
                met=here(met),
                dry=here(dry),
                free=here(marked & ~met & ~dry),
            )
        )
    return tuple(found)


def best_alignment(box: Box, player: Player) -> Alignment:
    """The alignment with the most points; of equals the one with most marked places still free, then leftmost."""
    return max(alignments(box, player), key=lambda one: (one.points, len(one.free), -one.shift))


# Flowers


def _largest(layers: Sequence[int]) -> tuple[int, int]:
    """The most flowers in one group, and the places of that group (nothing: none)."""
    best, where = 0, 0
    if layers:
        for group in groups(layers[0]):
            flowers = sum([(group & layer).bit_count() for layer in layers])
            if flowers > best:
                best, where = flowers, group
    return best, where


def flower_groups(box: Box, garden: Sequence[Spot]) -> tuple[FlowerGroup, ...]:
    """The group that scores, of each colour that is in the garden at all."""
    count = tally(box, garden)
    found = []
    for colour, layers in zip(COLOURS, count.flowers, strict=True):
        flowers, where = _largest(layers)
        if flowers:
            points = flowers * box.contents.scoring.flowers.vp
            found.append(FlowerGroup(colour, flowers, points, spots_in(garden, where, left=count.left)))
    return tuple(found)


# Trees


@cache
def best_split(places: int, table: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """A connected set of trees, divided into connected groups that the table can score, for the most VP (8).

    The VP, and the groups.
    """
    best = -1
    division: tuple[int, ...] = ()
    for part in connected_parts(places, len(table)):
        points = table[part.bit_count() - 1]
        divided: tuple[int, ...] = (part,)
        for rest in groups(places & ~part):
            more, others = best_split(rest, table)
            points, divided = points + more, divided + others
        if points > best:
            best, division = points, divided
    return best, division


def _trees(box: Box, count: Tally) -> int:
    return sum(
        best_split(group, table)[0]
        for species, table in box.trees.items()
        if species in count.standing
        for group in groups(count.standing[species])
    )


def tree_groups(box: Box, garden: Sequence[Spot]) -> tuple[TreeGroup, ...]:
    """All trees of a garden in the groups in which they score most."""
    count = tally(box, garden)
    return tuple(
        TreeGroup(species, table[part.bit_count() - 1], spots_in(garden, part, left=count.left))
        for species, table in box.trees.items()
        for group in groups(count.standing.get(species, 0))
        for part in best_split(group, table)[1]
    )


# Animals, visitors, objectives


def _animals(box: Box, count: Tally) -> int:
    return sum(
        (count.standing[kind] & places).bit_count() * vp
        for kind, table in box.animals.items()
        if kind in count.standing
        for places, vp in zip(ON_LEVEL, table, strict=True)
    )


def liked(kind: str, count: Tally, objectives: int) -> int:
    """How many of what a kind of visitor likes are there, with so many objectives completed (3.8)."""
    totals = count.totals
    if kind in ITEM:
        return totals[ITEM[kind]]
    if kind == "objectives":
        return objectives
    if kind == "enhancements":
        return count.tiles
    if kind == "flower_set":
        return min(totals[_FIRST_FLOWER:])
    return min(totals[ITEM["trees"]], totals[ITEM["visitors"]], totals[ITEM["animals"]])


def _visitor(box: Box, kind: str, count: Tally, objectives: int) -> int:
    return box.likes[kind] * liked(kind, count, objectives)


def objective_points(box: Box, player: Player, *, seats: int) -> int:
    """The VP of the spaces on which a player's markers stand (6.6)."""
    if not player.objectives:
        return 0
    spaces = box.spaces(seats)
    return sum(spaces[tile][space - 1].vp for tile, space in player.objectives)


def worth(box: Box, player: Player, spot: Spot) -> Worth | None:
    """What the animal, tree or visitor on one card of the garden is worth now; ``None``: nobody is there."""
    face = box.face(spot.card, spot.tile)
    if face.slot == "animal":
        return Worth(box.animals[face.kind][spot.level - 1], spot.level)
    if face.slot == "tree":
        group = next(group for group in tree_groups(box, player.garden) if spot in group.spots)
        return Worth(group.points, len(group.spots))
    if face.slot == "visitor":
        count = tally(box, player.garden)
        found = liked(face.kind, count, len(player.objectives))
        return Worth(_visitor(box, face.kind, count, len(player.objectives)), found)
    return None


def _places(count: Tally, kinds: dict[str, tuple[int, ...]]) -> set[Place]:
    return {
        place_of(number, count.left)
        for kind, places in count.standing.items()
        if kind in kinds
        for number in numbers(places)
    }
