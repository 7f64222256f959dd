"""Which decorations may be set, on which spaces, with which altered symbols, and why others may not (10, 12.2)."""

from collections.abc import Iterator
from typing import get_args

import msgspec

from app.engine.contract import Broken
from app.games.babylon.components import BOARD
from app.games.babylon.garden import (
    COLUMNS,
    FOOTPRINTS,
    Cell,
    Columns,
    Decoration,
    Garden,
    Kind,
    is_on_board,
    number_of,
)
from app.games.babylon.supply import Supply

KINDS: tuple[Kind, ...] = get_args(Kind)
SHOWN: dict[str, tuple[Kind, ...]] = {"none": (), **{kind: (kind,) for kind in KINDS}}
"""The kinds of decoration that an unaltered symbol can carry."""

ALTERED = ("none", "first", "second", "both")
"""Which of a decoration's cells is altered by an effect, as a word."""

CORNER = {0: 0, 1: 1, BOARD + 1: 2, BOARD: 3}
"""The corner of a tile, clockwise, from how much its column's number is above that of the north-west one."""


class Offer(msgspec.Struct, frozen=True):
    """A decoration that may be set now. Cells as in :class:`Decoration`; ``level`` is that of the first."""

    kind: Kind
    cells: tuple[Cell, ...]
    altered: str
    level: int

    @property
    def altered_cells(self) -> tuple[Cell, ...]:
        """The cells whose symbol is altered for it."""
        return cells_altered(self.cells, self.altered)

    def decoration(self, garden: Garden) -> Decoration:
        """The decoration as it would stand in this garden."""
        return Decoration(self.kind, self.cells, self.level, len(garden.terraces), self.altered_cells)


def cells_altered(cells: tuple[Cell, ...], word: str) -> tuple[Cell, ...]:
    """The cells that a word of :data:`ALTERED` names."""
    return tuple(cell for cell, name in zip(cells, ("first", "second"), strict=False) if word in (name, "both"))


def _across(number: int, steps: int) -> tuple[int, ...]:
    x, y = COLUMNS[number]
    ends = ((x + steps, y), (x, y + steps), (x - steps, y), (x, y - steps))
    return tuple(number_of(end) for end in ends if is_on_board(end))


ADJACENT = tuple(_across(number, 1) for number in range(len(COLUMNS)))
FACING = tuple(_across(number, 2) for number in range(len(COLUMNS)))


class Symbols:
    """What the uncovered, empty spaces of a garden show in this turn, altered ones included (12.2)."""

    def __init__(self, garden: Garden, effect: str) -> None:
        self.terraces = garden.terraces
        self.columns = garden.columns
        self.fresh_from = len(garden.terraces) - len(garden.fresh)
        self.effect = effect if effect in ("change_symbol", "add_symbol") else ""
        self.spent = garden.altered_tiles() if self.effect else ()

    def is_free(self, number: int) -> bool:
        """Whether a decoration could stand in this column, its symbol aside (10.1)."""
        columns = self.columns
        return columns.top[number] >= 0 and not columns.occupant[number] and not columns.gap[number]

    def printed(self, number: int) -> str:
        """The symbol on the topmost space of a column that has a tile."""
        terrace = self.terraces[self.columns.top[number]]
        return terrace.face[CORNER[number - FOOTPRINTS[terrace.x, terrace.y][0]]]

    def can_alter(self, number: int, kind: str) -> bool:
        """Whether the effect may make the space of a column show this symbol."""
        top = self.columns.top[number]
        if not self.effect or top < self.fresh_from or self.columns.occupant[number]:
            return False
        if self.terraces[top].id in self.spent:
            return False
        printed = self.printed(number)
        return printed == "none" if self.effect == "add_symbol" else printed not in ("none", kind)

    def alters(self, number: int, kind: str) -> bool | None:
        """Whether the column must be altered to show this symbol; ``None`` when it cannot show it at all."""
        if self.printed(number) == kind:
            return False
        return True if self.can_alter(number, kind) else None

    def fresh_columns(self) -> Iterator[int]:
        """The free columns whose topmost space belongs to a tile of this turn."""
        for index in range(self.fresh_from, len(self.terraces)):
            terrace = self.terraces[index]
            for number in FOOTPRINTS[terrace.x, terrace.y]:
                if self.columns.top[number] == index and self.is_free(number):
                    yield number


def offers(garden: Garden, effect: str, supply: Supply) -> tuple[Offer, ...]:
    """Every decoration that may be set now, each once, sorted by kind and cells."""
    symbols = Symbols(garden, effect)
    fresh = tuple(symbols.fresh_columns())
    if not fresh:
        return ()
    found: list[Offer] = []
    for number in fresh:
        for kind in KINDS if symbols.effect else SHOWN[symbols.printed(number)]:
            if not supply.left(kind):
                continue
            altered = symbols.alters(number, kind)
            if altered is None:
                continue
            if kind == "statue":
                found.append(_offer(symbols, kind, (number,), (altered,)))
                continue
            for other in FACING[number] if kind == "bridge" else ADJACENT[number]:
                # A pair of two fresh spaces is found from both; the first one speaks for it.
                if other in fresh and other < number:
                    continue
                other_altered = symbols.alters(other, kind) if symbols.is_free(other) else None
                if other_altered is None or _pair_fault(symbols.columns, kind, number, other):
                    continue
                found.append(_offer(symbols, kind, (number, other), (altered, other_altered)))
    if any(offer.kind == "statue" for offer in found):
        rows, lines = statue_lines(garden)
        if rows:
            found = [
                offer
                for offer in found
                if offer.kind != "statue" or offer.cells[0][1] in rows or offer.cells[0][0] in lines
            ]
    found.sort(key=_by_kind_and_place)
    return tuple(found)


def _by_kind_and_place(offer: Offer) -> tuple[str, tuple[Cell, ...]]:
    return offer.kind, offer.cells


def _offer(symbols: Symbols, kind: Kind, numbers: tuple[int, ...], altered: tuple[bool, ...]) -> Offer:
    """The offer with its cells in their order: foot before top, else west before east and north before south."""
    order = sorted(zip(numbers, altered, strict=True))
    if kind == "stairs":
        order.sort(key=lambda pair: symbols.columns.height[pair[0]])
    words = tuple(flag for _, flag in order)
    word = ALTERED[words[0] + 2 * (len(words) > 1 and words[1])]
    cells = tuple(COLUMNS[number] for number, _ in order)
    return Offer(kind, cells, word, symbols.columns.height[order[0][0]])


def statue_lines(garden: Garden) -> tuple[frozenset[int], frozenset[int]]:
    """The rows (y) and the lines across them (x) in which a statue stands that is no pillar (10.5)."""
    cells = [statue.cells[0] for statue in garden.standing_statues()]
    return frozenset(y for _, y in cells), frozenset(x for x, _ in cells)


def statues_in_line(garden: Garden, cell: Cell) -> tuple[Decoration, ...]:
    """The standing statues with which one on this cell would be in line (10.5)."""
    return tuple(
        statue
        for statue in garden.standing_statues()
        if cell[0] == statue.cells[0][0] or cell[1] == statue.cells[0][1]
    )


def fault(
    garden: Garden, *, kind: Kind, cells: tuple[Cell, ...], altered: tuple[Cell, ...], effect: str, supply: Supply
) -> Broken | None:
    """Which rule this decoration would break, ``None`` when it may be set (10, 12.2)."""
    symbols = Symbols(garden, effect)
    columns = symbols.columns
    for cell in cells:
        if not is_on_board(cell) or columns.top[number_of(cell)] < 0:
            return Broken("no_space", "10.1", _place(cell))
    numbers = [number_of(cell) for cell in cells]
    for cell, number in zip(cells, numbers, strict=True):
        if columns.occupant[number]:
            return Broken("space_occupied", "10.1", (*_place(cell), ("occupant", columns.occupant[number])))
    if kind != "statue" and numbers[1] not in (FACING if kind == "bridge" else ADJACENT)[numbers[0]]:
        return _of_pair("not_facing" if kind == "bridge" else "not_adjacent", kind, cells)
    broken = _symbol_fault(symbols, kind, cells, altered)
    if broken:
        return broken
    if kind != "statue":
        complaint = _pair_fault(columns, kind, *numbers)
        if kind == "stairs" and columns.height[numbers[0]] > columns.height[numbers[1]]:
            complaint = "wrong_levels"  # Named upside down: the foot comes first.
        if complaint:
            return _of_pair(complaint, kind, cells)
    if all(columns.top[number] < symbols.fresh_from for number in numbers):
        return Broken("no_new_tile", "10.1", _place(cells[0]))
    if kind == "statue":
        rows, lines = statue_lines(garden)
        if rows and cells[0][1] not in rows and cells[0][0] not in lines:
            return Broken("not_in_line", "10.5", _place(cells[0]))
    if not supply.left(kind):
        return Broken("supply_empty", "10.1", (("piece", kind), ("left", 0)))
    return None


def _place(cell: Cell) -> tuple[tuple[str, str | int], ...]:
    return ("x", cell[0]), ("y", cell[1])


def _of_pair(complaint: str, kind: str, cells: tuple[Cell, ...]) -> Broken:
    facts = (*_place(cells[0]), ("x2", cells[1][0]), ("y2", cells[1][1]))
    if kind == "fountain":
        return Broken(complaint, "10.2", facts)
    if kind == "stairs":
        return Broken(complaint, "10.3", facts)
    return Broken(complaint, "10.4", facts)


def _symbol_fault(symbols: Symbols, kind: str, cells: tuple[Cell, ...], altered: tuple[Cell, ...]) -> Broken | None:
    """What is wrong with one of the spaces: wrongly altered, another symbol, or under a bridge."""
    for cell in altered:
        if cell not in cells:
            return Broken("bad_override", "12.2", _place(cell))
        if not symbols.can_alter(number_of(cell), kind):
            return Broken("bad_override", "12.2", (*_place(cell), ("printed", symbols.printed(number_of(cell)))))
    for cell in cells:
        printed = symbols.printed(number_of(cell))
        if printed != kind and cell not in altered:
            return Broken("wrong_symbol", "10.1", (*_place(cell), ("printed", printed), ("wanted", kind)))
    for cell in cells:
        if symbols.columns.gap[number_of(cell)]:
            return Broken("under_bridge", "10.1", _place(cell))
    return None


def _pair_fault(columns: Columns, kind: str, first: int, second: int) -> str:
    """What is wrong with two spaces that lie as they must: their levels, their tiles, or the gap between them."""
    level, other = columns.height[first], columns.height[second]
    if abs(level - other) != (kind == "stairs"):
        return "wrong_levels"
    if columns.top[first] == columns.top[second]:
        return "same_tile"
    if kind == "bridge":
        middle = (first + second) // 2
        at_least = max(columns.height[middle], columns.gap[middle])
        if at_least >= level or columns.occupant[middle] == "foot":
            return "gap_blocked"
    return ""
