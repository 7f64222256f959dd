"""A garden in space, seen from one of its four sides: what is drawn where, and in which order.

A column further east is 40 to the right and 24 down on the screen, one further south 40 to the left and 24 down.
A level rises 54; a terrace is the uppermost 18 of it. The viewer stays at the south-east: the garden is turned.
"""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from app.games.babylon.components import BOARD
from app.games.babylon.faces import Faces, faces_of
from app.games.babylon.garden import CORNERS, Cell, Decoration, Garden, Terrace
from app.games.babylon.placing import Site
from app.games.babylon.rules import Rules
from app.games.babylon.standing import standing

WIDE, DEEP, RISE, THICK = 40, 24, 54, 18
SIDES = range(4)
"""From the south-east, the north-east, the north-west, the south-west."""

STANDING, LYING = 0, 1
WAYS = {(1, 0): "e", (0, 1): "s", (-1, 0): "w", (0, -1): "n"}
HIGHEST_PAINT = 4
"""Terraces from this level on are glazed alike; their number tells them apart."""

HIGHEST_NUMBER = 9
FRAME = (-356, -118, 712, 570)
"""The whole board with room for what is usually built; a garden that rises higher makes the picture taller."""

Frame = tuple[int, int, int, int]
"""What a picture shows: left, top, how wide and how tall."""

NEAR = 14
"""How much is left around a small picture."""

Block = tuple[int, int, int, int]
"""The north-west column, and how many columns wide and deep."""


class Part(msgspec.Struct, frozen=True):
    """One drawing: which, where on the screen, with which classes, and the parts of the score that it earns."""

    sprite: str
    x: int
    y: int
    look: str = ""
    earns: str = ""


class Storey(msgspec.Struct, frozen=True):
    """From the floors of one level up to the tops of the next, in painter's order; ``level`` is that of the tops."""

    level: int
    parts: tuple[Part, ...]


class Scene(msgspec.Struct, frozen=True):
    """A garden from one side. ``under``: where tiles shade the board.

    ``frame``: what the picture shows; ``near``: only what is around the tiles, for a small one.
    """

    side: int
    flower: str
    frame: Frame
    near: Frame
    under: tuple[tuple[int, int], ...]
    storeys: tuple[Storey, ...]


class Ghost(msgspec.Struct, frozen=True):
    """A tile on its way, on its site; ``open`` is the corner that stays open unless another is chosen."""

    tile: str
    flower: str
    site: Site
    open: str


class Solid(msgspec.Struct, frozen=True):
    """Something in the garden with its place in painter's order.

    A garden is painted in storeys. Storey k is everything from the floors of level k up to the tops of level k + 1:
    first what stands on the floors, then the terraces of level k + 1. Within those, what is nearer to the viewer,
    the larger x + y of its middle, comes later; of two that tie, the one further forward across its length. That
    is exact: what stands is lower than the next terrace, and what would cross a terrace is cut there (a double
    pillar in foot and head, a flight of stairs in flight, upper steps and landing, a bridge in its columns).
    """

    order: tuple[int, int, int, int]
    block: Block
    level: int
    drawings: tuple[Part, ...]


def turned(block: Block, side: int) -> Block:
    """Where a block of columns lies when the garden was turned clockwise ``side`` times."""
    x, y, wide, deep = block
    for _ in range(side):
        x, y, wide, deep = BOARD - y - deep, x, deep, wide
    return x, y, wide, deep


def on_screen(block: Block, level: int) -> tuple[int, int]:
    """The middle of a block at the height of a level; blocks as they lie turned."""
    x, y, wide, deep = block
    across, along = 2 * (x - y) + wide - deep, 2 * (x + y) + wide + deep
    return across * WIDE // 2, along * DEEP // 2 - level * RISE


def solid(storey: int, phase: int, block: Block, level: int, *drawings: tuple[str, str, str]) -> Solid:
    """A solid whose drawings (sprite, classes, earns) have their origin in the middle of the block at that level."""
    x, y, wide, deep = block
    forward = y if wide > deep else x if deep > wide else 0
    at = on_screen(block, level)
    return Solid(
        order=(storey, phase, 2 * (x + y) + wide + deep, forward),
        block=block,
        level=level,
        drawings=tuple([Part(sprite, *at, look, earns) for sprite, look, earns in drawings]),
    )


@lru_cache(maxsize=2048)
def scene(
    game: Rules,
    garden: Garden,
    flower: str,
    side: int,
    *,
    ghost: Ghost | None = None,
) -> Scene:
    """The picture of a garden on a board with that flower; equal for all who look from that side."""
    earns = standing(garden, game.box.scoring).earns
    storeys: dict[int, list[Part]] = {}
    for one in solids(faces_of(game), garden, side=side, earns=earns, ghost=ghost):
        storeys.setdefault(one.order[0], []).extend(one.drawings)
    left, highest, wide, tall = FRAME
    parts = [part for drawn in storeys.values() for part in drawn]
    top = min([highest, *(part.y - 60 for part in parts)])
    return Scene(
        side=side,
        flower=flower,
        frame=(left, top, wide, tall + highest - top),
        near=_near(parts) if parts else FRAME,
        under=tuple([on_screen(turned((each.x, each.y, 2, 2), side), 0) for each in garden.terraces]),
        storeys=tuple([Storey(storey + 1, tuple(drawn)) for storey, drawn in sorted(storeys.items())]),
    )


def solids(
    faces: Faces,
    garden: Garden,
    *,
    side: int,
    earns: dict[str, str] | None = None,
    ghost: Ghost | None = None,
) -> list[Solid]:
    """Everything in a garden, in the order in which it is painted."""
    found: list[Solid] = []
    for terrace in garden.terraces:
        found += _terrace(faces, garden, terrace, side, earns or {})
    for decoration in garden.decorations:
        found += _decoration(decoration, side, earns or {})
    if ghost:
        found += _ghost(ghost, side)
    found.sort(key=lambda one: one.order)
    return found


def _terrace(faces: Faces, garden: Garden, terrace: Terrace, side: int, earns: dict[str, str]) -> Iterator[Solid]:
    level, earned = terrace.level, earns.get(terrace.piece, "")
    middle = turned((terrace.x, terrace.y, 2, 2), side)
    turns = faces.turned(terrace.id, terrace.face)
    open_corner = terrace.supports.find("-")
    # The symbol under a belvedere is lost: which one, as the tile's symbols are listed.
    lost = f" o{(open_corner - turns) % 4}" if open_corner >= 0 else ""
    whole = solid(
        level - 1,
        LYING,
        middle,
        level,
        (f"bab-slab-{min(level, HIGHEST_PAINT)}", "", earned),
        (f"top-{terrace.id}", f"t{(turns + side) % 4}{lost}", earned),
        (f"bab-n{min(level, HIGHEST_NUMBER)}", "", earned),
    )
    shades = [
        Part("bab-shade", *on_screen(turned((*cell, 1, 1), side), level))
        for cell in terrace.cells
        if garden.height(cell) > level
    ]
    yield msgspec.structs.replace(whole, drawings=(*whole.drawings, *shades)) if shades else whole
    for cell, support in zip(terrace.cells, terrace.supports, strict=True):
        yield from _support(support, turned((*cell, 1, 1), side), level, "")
    if terrace.open_cell:
        block = turned((*terrace.open_cell, 1, 1), side)
        yield solid(level, STANDING, block, level, ("bab-pavilion", "", earns.get(terrace.belvedere, "")))


def _support(support: str, block: Block, level: int, look: str) -> Iterator[Solid]:
    """The pillar under a corner of a tile of that level."""
    if support == "s":
        yield solid(level - 1, STANDING, block, level - 1, ("bab-pillar", look, ""))
    elif support == "d":
        yield solid(level - 2, STANDING, block, level - 2, ("bab-pillar-foot", look, ""))
        yield solid(level - 1, STANDING, block, level - 1, ("bab-pillar-head", look, ""))


def _decoration(decoration: Decoration, side: int, earns: dict[str, str]) -> Iterator[Solid]:
    level, kind, earned = decoration.level, decoration.kind, earns.get(decoration.piece, "")
    blocks = [turned((*cell, 1, 1), side) for cell in decoration.cells]
    if kind == "statue":
        yield solid(level, STANDING, blocks[0], level, ("bab-figure", "", earned))
        return
    if kind == "stairs":
        (x, y, _, _), (x2, y2, _, _) = blocks
        way = WAYS[x2 - x, y2 - y]
        yield solid(level, STANDING, blocks[0], level, (f"bab-flight-{way}", "", earned))
        yield solid(level, LYING, blocks[0], level, (f"bab-upper-{way}", "", earned))
        yield solid(level + 1, STANDING, blocks[1], level + 1, (f"bab-landing-{way}", "", earned))
        return
    (x, y, _, _), (x2, _, _, _) = sorted(blocks)
    dx, dy = (1, 0) if x2 > x else (0, 1)
    way = WAYS[dx, dy]
    if kind == "fountain":
        yield solid(level, STANDING, (x, y, 1 + dx, 1 + dy), level, (f"bab-basin-{way}", "", earned))
        return
    for part in range(3):
        block = (x + part * dx, y + part * dy, 1, 1)
        yield solid(level, STANDING, block, level, (f"bab-bridge-{way}{part}", "", earned))


def _ghost(ghost: Ghost, side: int) -> Iterator[Solid]:
    """A tile that is not laid yet: its corners can be told apart, for another of them may be chosen to stay open."""
    x, y, level = ghost.site.x, ghost.site.y, ghost.site.level
    middle = turned((x, y, 2, 2), side)
    yield solid(
        level - 1,
        LYING,
        middle,
        level,
        (f"bab-slab-{min(level, HIGHEST_PAINT)}", "ghost", ""),
        (f"top-{ghost.tile}", "ghost laying", ""),
        (f"bab-n{min(level, HIGHEST_NUMBER)}", "ghost", ""),
        ("bab-rim", "ghost rim", ""),
    )
    cells: tuple[Cell, ...] = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
    for cell, corner, support in zip(cells, CORNERS, ghost.site.corners, strict=True):
        block = turned((*cell, 1, 1), side)
        unless = " unless" if corner == ghost.open else ""
        yield from _support(support, block, level, f"ghost under {corner}{unless}")
        if support != "p":
            yield solid(level, STANDING, block, level, ("bab-pavilion", f"ghost over {corner}{unless}", ""))


def _near(parts: list[Part]) -> Frame:
    """The frame around some drawings, terraces being the widest; never so near that a tile fills it."""
    slabs = [(part.x, part.y) for part in parts if part.sprite.startswith("bab-slab")]
    left, right = min(x for x, _ in slabs) - 2 * WIDE, max(x for x, _ in slabs) + 2 * WIDE
    top, bottom = min(part.y for part in parts) - 2 * DEEP, max(part.y for part in parts) + DEEP
    across, along = max(NEAR, (FRAME[2] // 2 - right + left) // 2), max(NEAR, (FRAME[3] // 2 - bottom + top) // 2)
    return left - across, top - along, right - left + 2 * across, bottom - top + 2 * along
