"""What every card, tile and pattern of the edition looks like: set into the page once, used by reference."""

from functools import cache

import msgspec

from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.garden import LEVELS
from app.games.hanging_gardens.laid import plinth

VISITORS = (
    "blue_flowers",
    "yellow_flowers",
    "red_flowers",
    "irrigation",
    "animals",
    "visitors",
    "trees",
    "crowns",
    "coins",
    "tools",
    "objectives",
    "enhancements",
    "flower_set",
    "trio_set",
)
SEATS = range(1, 6)
BUSTS = ("visitor", "visitor-woman", "visitor-traveller")
ROBES = 6
"""Visitors come as three people in six robes; which one a kind is follows from its place in this list."""


class Value(msgspec.Struct, frozen=True):
    """A number on the plinth, where it stands, and whether it is the best of its row."""

    x: float
    points: int
    best: bool


class CardFace(msgspec.Struct, frozen=True):
    """A garden card, or a tile as it lies on one, bottom layer first. ``bust`` and ``robe``: who a visitor is."""

    id: str
    slot: str
    kind: str
    flowers: tuple[str, ...]
    irrigated: bool
    bonus: str
    values: tuple[Value, ...] = ()
    bust: str = ""
    robe: int = 0
    each: int = 0


class Cell(msgspec.Struct, frozen=True):
    """A place of an irrigation card's pattern, in cells of 20 units from the top left."""

    x: int
    y: int
    marked: bool


class Pattern(msgspec.Struct, frozen=True):
    """The pattern of an irrigation card: its marked places of each level, and how all of it is drawn."""

    id: str
    marks: tuple[tuple[int, ...], ...]
    cells: tuple[Cell, ...]


class SpaceFace(msgspec.Struct, frozen=True, order=True):
    """A space of an objective: its points, and what it gives at once."""

    points: int
    gift: str


class Wish(msgspec.Struct, frozen=True):
    """What an objective asks for."""

    item: str
    count: int


class Faces(msgspec.Struct, frozen=True, eq=False):
    """All faces of an edition, and what its objectives ask for, by id; one for all tables that play it."""

    cards: dict[str, CardFace]
    tiles: dict[str, CardFace]
    patterns: tuple[Pattern, ...]
    spaces: tuple[SpaceFace, ...]
    objectives: dict[str, Wish]


@cache
def faces(box: Box) -> Faces:
    """The faces of everything in the box that lies on the table."""
    return Faces(
        cards={
            card.id: CardFace(
                card.id,
                card.slot,
                card.kind,
                card.flowers,
                card.irrigated,
                card.bonus,
                values=values(box, card.kind),
                bust=bust(card.kind) if card.slot == "visitor" else "",
                robe=robe(card.kind) if card.slot == "visitor" else 0,
                each=box.likes[card.kind] if card.slot == "visitor" else 0,
            )
            for card in box.cards.values()
        },
        tiles={
            tile.id: CardFace(
                tile.id,
                tile.slot,
                tile.kind,
                tile.flowers,
                tile.irrigated,
                tile.bonus,
                values=values(box, tile.kind),
            )
            for tile in box.tiles.values()
        },
        patterns=tuple(
            Pattern(
                card.id,
                card.marks,
                tuple(
                    Cell(*cell(level, number), number + 1 in row)
                    for level, row in enumerate(card.marks, start=1)
                    for number in range(LEVELS[level - 1])
                ),
            )
            for card in box.irrigation.values()
        ),
        spaces=tuple(
            sorted({SpaceFace(one.vp, one.gift) for n in SEATS for row in box.spaces(n).values() for one in row})
        ),
        objectives={tile.id: Wish(tile.item, tile.count) for tile in box.objectives.values()},
    )


def cell(level: int, number: int) -> tuple[int, int]:
    """Where place ``number``, from 0, of a level lies in a drawing of the pattern."""
    return 10 * (level - 1) + 20 * number, 20 * (len(LEVELS) - level)


def values(box: Box, kind: str) -> tuple[Value, ...]:
    """What is written on the plinth under an animal or a tree; its best is where a player will want it."""
    row = box.animals.get(kind) or box.trees.get(kind) or ()
    best = max(row, default=0)
    return tuple(Value(x, points, points == best) for x, points in zip(plinth(row), row, strict=True))


def bust(kind: str) -> str:
    """Which of the people a visitor is."""
    return BUSTS[VISITORS.index(kind) % len(BUSTS)]


def robe(kind: str) -> int:
    """Which robe a visitor wears."""
    return VISITORS.index(kind) % ROBES + 1
