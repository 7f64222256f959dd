"""What a garden is worth when looked at from straight above (13), piece by piece."""

from collections import Counter

import msgspec

from app.games.babylon.components import Scoring
from app.games.babylon.garden import Cell, Decoration, Garden, Terrace

PARTS = ("statues", "fountains", "bridges", "stairs", "deco_sets", "flower_sets", "belvederes", "height")
"""The parts of a score, in the order they are listed (13.1)."""

PART_OF = {"statue": "statues", "fountain": "fountains", "bridge": "bridges", "stairs": "stairs"}
SET_KINDS = tuple(PART_OF)
SET = 4
"""A set is one of each of the four decorations, or one of each of the four flowers (13.1)."""


class Earning(msgspec.Struct, frozen=True):
    """Points, the pieces that earn them together, and where those are seen.

    Pieces go by their names: ``Decoration.piece``, ``Terrace.piece``, ``Terrace.belvedere``.
    """

    points: int
    pieces: tuple[str, ...]
    cells: tuple[Cell, ...]


class ScorePart(msgspec.Struct, frozen=True):
    """One part of a garden's score and what earns it."""

    name: str
    points: int
    earnings: tuple[Earning, ...]


def points_of(kind: str, level: int, values: Scoring) -> int:
    """What one decoration scores, sets aside; ``level`` is the floor's, for stairs the foot's (13.1)."""
    if kind == "statue":
        return values.statue_per_level * level
    if kind == "fountain":
        return values.fountain_per_level * level
    if kind == "bridge":
        return values.bridge_per_level * level
    return values.stairs_per_level * (2 * level + 1)


def scoring_decorations(garden: Garden) -> tuple[Decoration, ...]:
    """The decorations that score: to be seen, and no statue that carries a tile (7.3, 9.7)."""
    return tuple(
        decoration
        for decoration in garden.decorations
        if garden.shows_decoration(decoration) and not garden.is_pillar(decoration)
    )


def points(garden: Garden, values: Scoring) -> tuple[tuple[str, int], ...]:
    """Every part and its points, in the order of :data:`PARTS`."""
    worth = dict.fromkeys(PARTS, 0)
    kinds: Counter[str] = Counter()
    for decoration in scoring_decorations(garden):
        kinds[decoration.kind] += 1
        worth[PART_OF[decoration.kind]] += points_of(decoration.kind, decoration.level, values)
    flowers: Counter[str] = Counter()
    for terrace in garden.terraces:
        if garden.shows_terrace(terrace):
            flowers[terrace.flower] += 1
        if garden.shows_belvedere(terrace):
            worth["belvederes"] += values.belvedere
    worth["deco_sets"] = values.decoration_set * sets_of(kinds)
    worth["flower_sets"] = values.flower_set * sets_of(flowers)
    worth["height"] = values.height_per_level * garden.highest
    return tuple(worth.items())


def sets_of(counts: Counter[str]) -> int:
    """How many sets of four the counts of four different things hold."""
    return min(counts.values()) if len(counts) == SET else 0


def total(garden: Garden, values: Scoring) -> int:
    """All points of a garden as it is now."""
    return sum(each for _, each in points(garden, values))


def worth(garden: Garden, decoration: Decoration, values: Scoring) -> int:
    """What setting this decoration would add to the score, sets included."""
    return total(garden.with_decoration(decoration), values) - total(garden, values)


def parts(garden: Garden, values: Scoring) -> tuple[ScorePart, ...]:
    """Every part with the pieces that earn it, in the order of :data:`PARTS`."""
    earned: dict[str, list[Earning]] = {name: [] for name in PARTS}
    scoring = scoring_decorations(garden)
    for decoration in scoring:
        each = points_of(decoration.kind, decoration.level, values)
        earned[PART_OF[decoration.kind]].append(Earning(each, (decoration.piece,), decoration.cells))
    earned["deco_sets"] = _decoration_sets(scoring, values)
    earned["flower_sets"] = _flower_sets(garden, values)
    for terrace in garden.terraces:
        if terrace.open_cell and garden.shows_belvedere(terrace):
            earned["belvederes"].append(Earning(values.belvedere, (terrace.belvedere,), (terrace.open_cell,)))
    top = garden.highest
    highest = [terrace for terrace in garden.terraces if terrace.level == top]
    if highest:
        pieces = tuple(terrace.piece for terrace in highest)
        cells = tuple(cell for terrace in highest for cell in terrace.cells)
        earned["height"].append(Earning(values.height_per_level * top, pieces, cells))
    return tuple(
        ScorePart(name, sum(earning.points for earning in earnings), tuple(earnings))
        for name, earnings in earned.items()
    )


def _decoration_sets(scoring: tuple[Decoration, ...], values: Scoring) -> list[Earning]:
    by_kind = [[decoration for decoration in scoring if decoration.kind == kind] for kind in SET_KINDS]
    return [
        Earning(
            values.decoration_set,
            tuple(decoration.piece for decoration in one_of_each),
            tuple(cell for decoration in one_of_each for cell in decoration.cells),
        )
        for one_of_each in zip(*by_kind, strict=False)
    ]


def _flower_sets(garden: Garden, values: Scoring) -> list[Earning]:
    by_flower: dict[str, list[Terrace]] = {}
    for terrace in garden.terraces:
        if garden.shows_terrace(terrace):
            by_flower.setdefault(terrace.flower, []).append(terrace)
    if len(by_flower) < SET:
        return []
    return [
        Earning(
            values.flower_set,
            tuple(terrace.piece for terrace in together),
            tuple(cell for terrace in together for cell in terrace.cells if garden.height(cell) == terrace.level),
        )
        for together in zip(*by_flower.values(), strict=False)
    ]
