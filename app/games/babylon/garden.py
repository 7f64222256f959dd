"""A garden: the terraces and decorations somebody built, in their order, and what follows from them (4, 7)."""

from functools import cached_property
from typing import TYPE_CHECKING, Literal

import msgspec

from app.games.babylon.components import BOARD, Face

if TYPE_CHECKING:
    from app.games.babylon.placing import Site

Cell = tuple[int, int]
"""A column: x from west to east, y from north to south, both from 0 (4.1)."""

Kind = Literal["stairs", "fountain", "bridge", "statue"]
Occupant = Literal["", "belvedere", "statue", "fountain", "bridge", "foot", "top"]

CORNERS = ("nw", "ne", "se", "sw")
"""The spaces of a tile in the order its symbols and supports are listed: clockwise from north-west."""

OFFSETS: tuple[Cell, ...] = ((0, 0), (1, 0), (1, 1), (0, 1))
COLUMNS: tuple[Cell, ...] = tuple((x, y) for y in range(BOARD) for x in range(BOARD))

LAST = BOARD - 2
"""The largest x and y at which a tile may lie (4.2)."""

FOOTPRINTS: dict[Cell, tuple[int, int, int, int]] = {
    (x, y): (y * BOARD + x, y * BOARD + x + 1, (y + 1) * BOARD + x + 1, (y + 1) * BOARD + x)
    for y in range(LAST + 1)
    for x in range(LAST + 1)
}
"""The numbers of the four columns under a tile at ``(x, y)``, clockwise; column ``(x, y)`` is ``y * 8 + x``."""


class Terrace(msgspec.Struct, frozen=True):
    """A tile as it lies in a garden.

    ``x, y`` is its north-west column; ``face`` and ``supports`` go clockwise from there, the face as it lies.
    Supports are ``s`` single pillar, ``d`` double pillar, ``p`` statue, ``-`` none: there stands a belvedere
    (9.5). ``turn`` counts the turns of the garden's owner.
    """

    id: str
    flower: str
    x: int
    y: int
    level: int
    face: Face
    supports: str
    turn: int

    @property
    def cells(self) -> tuple[Cell, Cell, Cell, Cell]:
        """Its four columns, clockwise."""
        x, y = self.x, self.y
        return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)

    @property
    def open_cell(self) -> Cell | None:
        """The column of the corner that stands on nothing and carries the belvedere, if there is one (9.5)."""
        corner = self.supports.find("-")
        return None if corner < 0 else self.cells[corner]

    @property
    def piece(self) -> str:
        """The name of this tile among all pieces of the garden."""
        return f"tile-{self.id}"

    @property
    def belvedere(self) -> str:
        """The name of the belvedere on its open corner, if it has one."""
        return f"belvedere-{self.id}"


class Decoration(msgspec.Struct, frozen=True):
    """A decoration as it stands: for stairs the cells are foot and top, for a bridge its two ends.

    ``level`` is that of the floor under the first cell. ``after`` is how many tiles lay when it was set;
    ``altered`` are the cells whose symbol an effect altered for it (12.2).
    """

    kind: Kind
    cells: tuple[Cell, ...]
    level: int
    after: int
    altered: tuple[Cell, ...] = ()

    @property
    def gap(self) -> Cell | None:
        """The column that a bridge crosses (10.4)."""
        if self.kind != "bridge":
            return None
        (ax, ay), (bx, by) = self.cells
        return (ax + bx) // 2, (ay + by) // 2

    @property
    def levels(self) -> tuple[int, ...]:
        """The level of the floor under each cell."""
        if self.kind == "stairs":
            return self.level, self.level + 1
        return (self.level,) * len(self.cells)

    @property
    def piece(self) -> str:
        """The name of this decoration among all pieces of the garden."""
        x, y = self.cells[0]
        return f"{self.kind}-{x}-{y}-{self.level}"


class Columns(msgspec.Struct, frozen=True):
    """What is to be seen in each of the 64 columns from straight above (4.5); lists to read, never to change.

    ``height``: level of the topmost tile, 0 for a bare hole. ``top``: which terrace that is, -1 for none.
    ``occupant``: what stands on it. ``gap``: level of the highest bridge across the column, 0 for none.
    ``pillars``: column and floor level of the statues that carry a tile (9.7).
    """

    height: list[int]
    top: list[int]
    occupant: list[Occupant]
    gap: list[int]
    pillars: frozenset[tuple[int, int]]


class Garden(msgspec.Struct, frozen=True, dict=True):
    """One player's garden; ``turn`` counts its owner's turns. Nothing in it ever moves or goes away (10.6)."""

    terraces: tuple[Terrace, ...] = ()
    decorations: tuple[Decoration, ...] = ()
    turn: int = 0

    @cached_property
    def columns(self) -> Columns:
        """The garden column by column."""
        height = [0] * len(COLUMNS)
        top = [-1] * len(COLUMNS)
        occupant: list[Occupant] = [""] * len(COLUMNS)
        gap = [0] * len(COLUMNS)
        pillars: set[tuple[int, int]] = set()
        # A later tile always lies above what it covers (9.4.6), so the last one over a column is its top.
        for number, terrace in enumerate(self.terraces):
            level = terrace.level
            supports = terrace.supports
            footprint = FOOTPRINTS[terrace.x, terrace.y]
            for column in footprint:
                height[column] = level
                top[column] = number
                occupant[column] = ""
            if "-" in supports:
                occupant[footprint[supports.index("-")]] = "belvedere"
            if "p" in supports:
                pillars.update((footprint[corner], level - 1) for corner in range(4) if supports[corner] == "p")
        for decoration in self.decorations:
            level, kind = decoration.level, decoration.kind
            (x, y), (x2, y2) = decoration.cells[0], decoration.cells[-1]
            first, second = y * BOARD + x, y2 * BOARD + x2
            if kind == "stairs":
                occupant[first] = "foot"
                if height[second] == level + 1:
                    occupant[second] = "top"
                continue
            if height[first] == level:
                occupant[first] = kind
            if height[second] == level:
                occupant[second] = kind
            if kind == "bridge":
                middle = (first + second) // 2
                gap[middle] = max(gap[middle], level)
        return Columns(height, top, occupant, gap, frozenset(pillars))

    @cached_property
    def sites(self) -> tuple["Site", ...]:
        """Every place where a tile could lie if pillars were no object, see :mod:`placing`."""
        # placing knows gardens; the memory of what it finds belongs to the garden it was found in.
        from app.games.babylon.placing import find_sites

        return find_sites(self)

    @property
    def fresh(self) -> tuple[Terrace, ...]:
        """The terraces placed in this turn; they are always the last ones."""
        count = len(self.terraces)
        while count and self.terraces[count - 1].turn == self.turn:
            count -= 1
        return self.terraces[count:]

    @property
    def highest(self) -> int:
        """The level of the highest tile, 0 without any (13.1)."""
        return max((terrace.level for terrace in self.terraces), default=0)

    @property
    def holes(self) -> int:
        """Board holes that can be seen from above (13.2)."""
        return self.columns.top.count(-1)

    def height(self, cell: Cell) -> int:
        """The level of what is seen from above in this column (4.5)."""
        return self.columns.height[number_of(cell)]

    def terrace_at(self, cell: Cell) -> Terrace | None:
        """The topmost terrace of a column."""
        top = self.columns.top[number_of(cell)]
        return None if top < 0 else self.terraces[top]

    def occupant(self, cell: Cell) -> Occupant:
        """What stands on the topmost space of a column."""
        return self.columns.occupant[number_of(cell)]

    def is_pillar(self, decoration: Decoration) -> bool:
        """Whether this is a statue that carries a tile and so is none any more (9.7)."""
        return decoration.kind == "statue" and (
            (number_of(decoration.cells[0]), decoration.level) in self.columns.pillars
        )

    def shows_terrace(self, terrace: Terrace) -> bool:
        """Whether at least one of its spaces can be seen from above (7.3)."""
        height, level = self.columns.height, terrace.level
        a, b, c, d = FOOTPRINTS[terrace.x, terrace.y]
        return height[a] == level or height[b] == level or height[c] == level or height[d] == level

    def shows_belvedere(self, terrace: Terrace) -> bool:
        """Whether this tile carries a belvedere that can be seen from above (9.5)."""
        corner = terrace.supports.find("-")
        if corner < 0:
            return False
        return self.columns.height[FOOTPRINTS[terrace.x, terrace.y][corner]] == terrace.level

    def shows_decoration(self, decoration: Decoration) -> bool:
        """Whether at least one of its spaces can be seen from above; a bridge's gap is one of them (7.3)."""
        if decoration.kind in ("stairs", "bridge"):
            return True  # The foot and the gap are never covered (7.5).
        height = self.columns.height
        return any(height[y * BOARD + x] == decoration.level for x, y in decoration.cells)

    def standing_statues(self) -> tuple[Decoration, ...]:
        """The statues that are still statues, hidden ones too: new ones must line up with them (10.5)."""
        pillars = self.columns.pillars
        return tuple(
            decoration
            for decoration in self.decorations
            if decoration.kind == "statue" and (number_of(decoration.cells[0]), decoration.level) not in pillars
        )

    def altered_tiles(self) -> tuple[str, ...]:
        """The tiles of this turn that have had their one altered symbol (12.2)."""
        tiles = []
        for decoration in self.decorations:
            for cell in decoration.altered:
                level = decoration.levels[decoration.cells.index(cell)]
                tiles += [tile.id for tile in self.fresh if tile.level == level and cell in tile.cells]
        return tuple(tiles)

    def with_terrace(self, terrace: Terrace) -> "Garden":
        """The garden with one more tile, which must be legal."""
        return Garden((*self.terraces, terrace), self.decorations, self.turn)

    def with_decoration(self, decoration: Decoration) -> "Garden":
        """The garden with one more decoration, which must be legal."""
        return Garden(self.terraces, (*self.decorations, decoration), self.turn)

    def settled(self) -> "Garden":
        """The garden after its owner's turn: no tile counts as placed this turn any more (6.4)."""
        return Garden(self.terraces, self.decorations, self.turn + 1)

    def __str__(self) -> str:
        from app.games.babylon.script import write

        return write(self)


def number_of(cell: Cell) -> int:
    """The number of a column in the lists of :class:`Columns`."""
    return cell[1] * BOARD + cell[0]


def is_on_board(cell: Cell) -> bool:
    """Whether the board has this column (4.1)."""
    return 0 <= cell[0] < BOARD and 0 <= cell[1] < BOARD
