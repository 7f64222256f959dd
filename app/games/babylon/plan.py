"""The plan of the garden at the centre, from straight above, and what is gold on it."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from app.engine import notation
from app.games.babylon.choices import offered
from app.games.babylon.decorating import Offer, statue_lines
from app.games.babylon.faces import faces_of
from app.games.babylon.garden import OFFSETS, Cell, Decoration, Garden, Terrace
from app.games.babylon.glance import Glance
from app.games.babylon.rules import Rules
from app.games.babylon.scene import HIGHEST_NUMBER, HIGHEST_PAINT
from app.games.babylon.standing import standing
from app.games.babylon.state import Bridge, Fountain, Lay, Place, Stairs, Statue
from app.games.babylon.supports import NO_CORNER

TAG = 33
"""How far from the middle of a tile its level is written, in a plan of 40 a column."""

QUARTERS = {(1, 0): 0, (0, 1): 1, (-1, 0): 2, (0, -1): 3}
"""How often a drawing that points east must be turned clockwise to point that way."""


class Piece(msgspec.Struct, frozen=True):
    """One piece: where it is, in classes; the drawings it is made of, each with its classes.

    ``pick``: what a click on it stands for; ``chosen``: it is chosen by itself. ``earns``: a letter for each part
    of the score that it earns. ``gain``: the pillars that mining it would bring.
    """

    id: str
    place: str
    faces: tuple[tuple[str, str], ...]
    pick: str = ""
    chosen: bool = False
    changed: bool = False
    earns: str = ""
    gain: int | None = None


class Spot(msgspec.Struct, frozen=True):
    """Something gold: where it is, its drawing, what a click on it stands for.

    ``second``: only once the spot under it is chosen. ``would``: what would stand there, and how it is turned.
    """

    place: str
    sprite: str
    pick: str
    second: bool = False
    would: tuple[str, str] = ("", "")


def at(x: int, y: int) -> str:
    """The classes of a place of the plan: of a column, or of a tile by its north-west column."""
    return f"in-plan x{x} y{y}"


@lru_cache(maxsize=4096)
def built(game: Rules, garden: Garden, fresh: frozenset[str]) -> tuple[Piece, ...]:
    """The pieces of a garden as they came: a later tile lies above what it covers (9.4.6)."""
    earns = standing(garden, game.box.scoring).earns
    found: list[Piece] = []
    tags: list[Cell] = []
    waiting = list(garden.decorations)
    for number in range(len(garden.terraces) + 1):
        if number:
            terrace = garden.terraces[number - 1]
            found.append(_tile(game, garden, terrace, earns, tags, changed=terrace.piece in fresh))
        while waiting and waiting[0].after == number:
            decoration = waiting.pop(0)
            earned = earns.get(decoration.piece, "")
            found.append(_standing(decoration, earned, changed=decoration.piece in fresh))
    return tuple(found)


def _tile(
    game: Rules, garden: Garden, terrace: Terrace, earns: dict[str, str], tags: list[Cell], *, changed: bool
) -> Piece:
    level = terrace.level
    faces = [(f"bab-flat-{min(level, HIGHEST_PAINT)}", ""), (f"flat-{terrace.id}", "")]
    open_corner = terrace.supports.find("-")
    if open_corner >= 0:
        faces.append(("bab-flat-belvedere", f"at{open_corner}"))
    corner = _tagged(garden, terrace, tags)
    if corner is not None:
        faces.append((f"bab-tag-{min(level, HIGHEST_NUMBER)}", f"tag{corner}"))
    turns = faces_of(game).turned(terrace.id, terrace.face)
    return Piece(
        id=terrace.piece,
        place=f"tile {at(terrace.x, terrace.y)} t{turns}",
        faces=tuple(faces),
        changed=changed,
        earns=earns.get(terrace.piece, "") + earns.get(terrace.belvedere, ""),
    )


def _tagged(garden: Garden, terrace: Terrace, tags: list[Cell]) -> int | None:
    """In which corner that can be seen a tile's level is written: a free one if possible, and clear of other tags."""
    best, found = 9, None
    for corner, (cell, (dx, dy)) in enumerate(zip(terrace.cells, OFFSETS, strict=True)):
        if garden.height(cell) != terrace.level:
            continue
        tag = (40 * terrace.x + 40 + TAG * (2 * dx - 1), 40 * terrace.y + 40 + TAG * (2 * dy - 1))
        near = any(abs(tag[0] - x) + abs(tag[1] - y) < TAG for x, y in tags)
        fault = 2 * near + bool(garden.occupant(cell))
        if fault < best:
            best, found, mine = fault, corner, tag
    if found is not None:
        tags.append(mine)
    return found


def _standing(decoration: Decoration, earns: str, *, changed: bool) -> Piece:
    cells = decoration.cells
    return Piece(
        id=decoration.piece,
        place=f"deco {at(*cells[0])} q{_quarters(cells)}",
        faces=((f"bab-flat-{decoration.kind}", ""),),
        changed=changed,
        earns=earns,
    )


def _quarters(cells: tuple[Cell, ...]) -> int:
    (x, y), (x2, y2) = cells[0], cells[-1]
    way = (x2 > x) - (x2 < x), (y2 > y) - (y2 < y)
    return QUARTERS.get(way, 0)


def lines(glance: Glance) -> str:
    """A path along the rows and lines in which a statue would stand in line, while I may build or decorate (10.5)."""
    if not glance.at_home or not glance.actions or glance.view.phase not in ("build", "lay", "decorate"):
        return ""
    rows, columns = statue_lines(glance.player.garden)
    across = "".join(f"M0 {40 * y + 20}H320" for y in sorted(rows))
    return across + "".join(f"M{40 * x + 20} 0V320" for x in sorted(columns))


# What is gold


def spots(glance: Glance) -> Iterator[Spot]:
    """Where the chosen tile may lie, how the tile under way may lie, and what may be decorated."""
    if not glance.at_home:
        return
    phase = glance.view.phase
    if phase == "build":
        yield from _sites(glance)
    if phase == "lay":
        yield from _corners(glance)
    if phase in ("build", "decorate"):
        yield from _offers(glance)


def sites(glance: Glance) -> dict[Cell, list[int]]:
    """The levels at which a tile may lie, by place."""
    found: dict[Cell, list[int]] = {}
    for action in glance.actions:
        if isinstance(action, Place):
            levels = found.setdefault((action.x, action.y), [])
            if action.level not in levels:
                levels.append(action.level)
    return found


def _sites(glance: Glance) -> Iterator[Spot]:
    found = sites(glance)
    for (x, y), levels in found.items():
        alone = f" l{levels[0]}" if len(levels) == 1 else ""
        yield Spot(f"spot {at(x, y)}{alone}", f"bab-dot-{'-'.join(map(str, levels))}", f"place:*:{x}:{y}:*")
    for (x, y), levels in found.items():
        if len(levels) > 1:
            for number, level in enumerate(levels):
                place = f"chip {at(x, y)} l{level} n{number + 1}"
                yield Spot(place, f"bab-chip-{level}", f"place:*:{x}:{y}:{level}", second=True)


def _corners(glance: Glance) -> Iterator[Spot]:
    laying = glance.view.laying
    assert laying, "this phase has a tile under way"
    corners = dict.fromkeys(action.open for action in glance.actions if isinstance(action, Lay))
    for corner in sorted(corners, key=NO_CORNER.__eq__):  # The middle lies above what a finger needs of the others.
        sprite = "bab-set" if corner == NO_CORNER else "bab-open"
        name = "whole" if corner == NO_CORNER else corner
        yield Spot(f"corner {name} {at(laying.x, laying.y)}", sprite, f"lay:*:{corner}")


def _offers(glance: Glance) -> Iterator[Spot]:
    legal = [action for action in glance.actions if isinstance(action, Statue | Fountain | Bridge | Stairs)]
    if not legal:
        return
    taken: set[tuple[int, int]] = set()
    for offer, action in zip(offered(glance.view), legal, strict=True):
        dx, dy = _between(offer, taken)
        taken.add((2 * offer.cells[0][0] + dx, 2 * offer.cells[0][1] + dy))
        altered = " altered" if offer.altered != "none" else ""
        yield Spot(
            place=f"offer {at(*offer.cells[0])} {_shift('dx', dx)} {_shift('dy', dy)}{altered}",
            sprite=f"bab-mark-{offer.kind}",
            pick=notation.write(action),
            would=(f"bab-flat-{offer.kind}", f"q{_quarters(offer.cells)}"),
        )


def _between(offer: Offer, taken: set[tuple[int, int]]) -> tuple[int, int]:
    """Where the mark of an offer stands, in half columns from its first cell; not where another one does."""
    (x, y), (x2, y2) = offer.cells[0], offer.cells[-1]
    dx, dy = (x2 > x) - (x2 < x), (y2 > y) - (y2 < y)
    ways = {"statue": (0,), "bridge": (2, 1, 3)}.get(offer.kind, (1,))
    for steps in ways:
        if (2 * x + steps * dx, 2 * y + steps * dy) not in taken:
            return steps * dx, steps * dy
    return ways[0] * dx, ways[0] * dy


def _shift(name: str, halves: int) -> str:
    return f"{name}{halves}" if halves >= 0 else f"{name}-{-halves}"
