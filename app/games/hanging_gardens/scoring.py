"""What a garden is worth, part by part: live at any time, and final once it has twelve cards (8)."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.components import COLOURS, Colour
from app.games.hanging_gardens.garden import (
    Place,
    groups,
    numbers,
    place_of,
    room_to_shift,
    spots_in,
)
from app.games.hanging_gardens.state import Player, Spot
from app.games.hanging_gardens.tally import ON_LEVEL, Tally, best_split, largest_group, liked, tally

PARTS = ("irrigation", "flowers", "trees", "animals", "visitors", "objectives")
"""The parts of a score, in the order of the score pad."""


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


def points_by_part(box: Box, player: Player, *, seats: int) -> tuple[int, ...]:
    """The points of each of :data:`PARTS`, with irrigation at its best alignment."""
    count = tally(box, player.garden)
    return (
        _irrigation(box, player, count.irrigated),
        sum(largest_group(layers)[0] for layers in count.flowers) * box.contents.scoring.flowers.vp,
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


def _irrigation(box: Box, player: Player, irrigated: int) -> int:
    marked = box.marked[player.irrigation]
    shifts = range(room_to_shift(player.garden) + 1)
    return max([box.irrigation_vp[(marked & irrigated << shift).bit_count()] for shift in shifts])


@lru_cache(maxsize=2048)
def alignments(box: Box, player: Player) -> tuple[Alignment, ...]:
    """What the irrigation card gives for each place where the garden can still end up, from the left (6.2)."""
    marked = box.marked[player.irrigation]
    count = tally(box, player.garden)
    found = []
    for shift in range(room_to_shift(player.garden) + 1):

        def here(places: int, end: int = count.left - shift) -> tuple[Place, ...]:
            return tuple(place_of(number, end) for number in numbers(places))

        met = marked & count.irrigated << shift
        dry = marked & count.places << shift & ~met
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
    return best(alignments(box, player))


def best(found: Sequence[Alignment]) -> Alignment:
    """The best of a player's alignments."""
    return max(found, key=lambda one: (one.points, len(one.free), -one.shift))


# Flowers


def flower_groups(box: Box, garden: Sequence[Spot]) -> tuple[FlowerGroup, ...]:
    """The group that scores, of each colour that is in the garden at all."""
    count = tally(box, garden)
    found = []
    for colour, layers in zip(COLOURS, count.flowers, strict=True):
        flowers, where = largest_group(layers)
        if flowers:
            points = flowers * box.contents.scoring.flowers.vp
            found.append(FlowerGroup(colour, flowers, points, spots_in(garden, where, left=count.left)))
    return tuple(found)


# Trees


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
