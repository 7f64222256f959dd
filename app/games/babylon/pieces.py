"""Everything on the table that can move, in one picture: the quarry, the garden at the centre, the tiles in hand."""

from collections.abc import Iterator

import msgspec

from app.games.babylon import mining
from app.games.babylon.glance import Glance
from app.games.babylon.plan import Piece, Spot, at, built, lines, spots
from app.games.babylon.scene import HIGHEST_NUMBER, HIGHEST_PAINT
from app.games.babylon.state import Laying

FLAT = "bab-flat-0"
"""A tile that lies in no garden yet."""


class Pieces(msgspec.Struct, frozen=True):
    """The picture over the board. ``lines``: where statues would be in line; ``spots``: what is gold in the plan."""

    pieces: tuple[Piece, ...]
    lines: str
    spots: tuple[Spot, ...]


def pieces(glance: Glance) -> Pieces:
    """The table's pieces as seen from one place."""
    return Pieces(
        pieces=(
            *_quarry(glance),
            *built(glance.game, glance.player.garden, glance.fresh_in(glance.centre)),
            *_tiles(glance),
        ),
        lines=lines(glance),
        spots=tuple(spots(glance)),
    )


def _quarry(glance: Glance) -> Iterator[Piece]:
    view, width = glance.view, glance.box.quarry.width
    gains = mining.gains(glance.box, view, glance.me) if view.phase == "mine" and glance.actions else ()
    for number, stack in enumerate(view.quarry):
        if not stack.tile:
            continue
        x, y = number % width, number // width
        gain = gains[number] if gains else None
        yield Piece(
            id=f"tile-{stack.tile}",
            place=f"tile tablet in-quarry c{x} r{y} h{stack.height}",
            faces=((f"cut-{stack.tile}", ""),),
            pick=glance.pick(f"mine:{x}:{y}") or glance.pick(f"remove:{x}:{y}"),
            changed=f"tile-{stack.tile}" in glance.fresh,
            gain=min(gain.total, view.supply.single_pillar) if gain else None,
        )


def _tiles(glance: Glance) -> Iterator[Piece]:
    """The tiles that somebody holds, on their way into a garden, or kept."""
    view = glance.view
    for order, seat in enumerate((glance.me, *glance.others)):
        active = seat == view.seat
        if active and view.laying:
            yield _laying(glance, seat, order, view.laying)
        if active and view.mined:
            yield _held(glance, view.mined, order, "in-hand n1" if not order else f"in-turn o{order}")
        if view.players[seat].stored:
            place = "in-hand n2" if not order else f"in-slot o{order}"
            yield _held(glance, view.players[seat].stored, order, place)


def _held(glance: Glance, tile: str, order: int, place: str) -> Piece:
    pick = glance.pick(f"place:{tile}:*:*:*") if not order and glance.mine else ""
    return Piece(
        id=f"tile-{tile}",
        place=f"tile {place}",
        faces=((FLAT, ""), (f"flat-{tile}", "")),
        pick=pick,
        chosen=bool(pick) and tile == glance.view.hand[0],
        changed=f"tile-{tile}" in glance.fresh,
    )


def _laying(glance: Glance, seat: int, order: int, laying: Laying) -> Piece:
    if seat != glance.centre:
        return _held(glance, laying.tile, order, "in-hand n1" if not order else f"in-turn o{order}")
    level = min(laying.level, HIGHEST_PAINT)
    return Piece(
        id=f"tile-{laying.tile}",
        place=f"tile {at(laying.x, laying.y)} laying",
        faces=(
            (f"bab-flat-{level}", ""),
            (f"flat-{laying.tile}", ""),
            (f"bab-tag-{min(laying.level, HIGHEST_NUMBER)}", "tag0"),
        ),
    )
