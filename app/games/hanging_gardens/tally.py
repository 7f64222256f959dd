"""A garden, counted once: what lies where, how much of everything, and which groups it makes (8)."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import msgspec

from app.games.hanging_gardens.box import ITEM, Box, Face
from app.games.hanging_gardens.garden import FIRST, LEVELS, connected_parts, groups, left_end
from app.games.hanging_gardens.state import Spot

ON_LEVEL = tuple((1 << size) - 1 << first for first, size in zip(FIRST, LEVELS, strict=True))
"""The places of each level, as sets."""


class Tally(msgspec.Struct, frozen=True):
    """A garden, counted once, in sets of places (see :mod:`garden`).

    ``standing``: where each kind of animal and tree is. ``flowers``: for each colour the places with at least
    one, two, … flowers of it. ``visitors``: their kinds. ``tiles``: how many enhancements.
    """

    left: int
    places: int
    irrigated: int
    standing: Mapping[str, int]
    flowers: tuple[Sequence[int], ...]
    visitors: tuple[str, ...]
    faces: tuple[Face, ...]
    tiles: int


@lru_cache(maxsize=4096)
def tally(box: Box, garden: tuple[Spot, ...]) -> Tally:
    """Everything in a garden that scoring counts; each part of the score counts with it."""
    left = left_end(garden)
    places = irrigated = tiles = 0
    standing: dict[str, int] = {}
    flowers: tuple[list[int], ...] = ([], [], [])
    visitors = []
    faces = []
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
        faces.append(face)
        for colour in face.flowers:
            layers = flowers[colour]
            for index, layer in enumerate(layers):
                if not layer & here:
                    layers[index] |= here
                    break
            else:
                layers.append(here)
    return Tally(left, places, irrigated, standing, flowers, tuple(visitors), tuple(faces), tiles)


def largest_group(layers: Sequence[int]) -> tuple[int, int]:
    """The most flowers in one group, and the places of that group (nothing: none)."""
    best, where = 0, 0
    if layers:
        for group in groups(layers[0]):
            flowers = sum([(group & layer).bit_count() for layer in layers])
            if flowers > best:
                best, where = flowers, group
    return best, where


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


def liked(kind: str, count: Tally, objectives: int) -> int:
    """How many of what a kind of visitor likes are there, with so many objectives completed (3.8)."""
    if kind in ITEM:
        return total_of(kind, count)
    if kind == "objectives":
        return objectives
    if kind == "enhancements":
        return count.tiles
    if kind == "flower_set":
        return min([total_of(flower, count) for flower in ("red_flowers", "yellow_flowers", "blue_flowers")])
    return min([total_of(standing, count) for standing in ("trees", "visitors", "animals")])


def total_of(item: str, count: Tally) -> int:
    """How much of an item there is in the whole garden."""
    index = ITEM[item]
    return sum([face.counts[index] for face in count.faces])
