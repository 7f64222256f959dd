"""What a tile of the quarry brings (8): one look at its four sides, its flower and the effect in force."""

from collections.abc import Sequence

import msgspec

from app.games.babylon.components import Box, Mining
from app.games.babylon.state import State, View

SIDES = (("north", 0, -1), ("east", 1, 0), ("south", 0, 1), ("west", -1, 0))


class Gain(msgspec.Struct, frozen=True):
    """The single pillars a tile brings, and why (8.2 to 8.4).

    ``sides`` names the sides that earn; ``token`` is what the effect takes away, 0 or less. ``total`` is never
    below 0; the supply may hold fewer (3.5).
    """

    sides: tuple[str, ...]
    from_sides: int
    flower: int
    token: int
    total: int


def earning_sides(heights: Sequence[int], width: int, x: int, y: int) -> tuple[str, ...]:
    """The sides of the stack at ``(x, y)`` that face the border or nothing higher (8.2).

    ``heights`` are the heights of all stacks, row by row from the north-west.
    """
    here = heights[y * width + x]
    rows = len(heights) // width
    found = []
    for side, dx, dy in SIDES:
        column, row = x + dx, y + dy
        beyond = not (0 <= column < width and 0 <= row < rows)
        if beyond or heights[row * width + column] <= here:
            found.append(side)
    return tuple(found)


def gains(box: Box, table: State | View, seat: int) -> tuple[Gain | None, ...]:
    """What every stack of the quarry would bring to this seat under the token in force, ``None`` where it is empty.

    The supply may hold fewer pillars (3.5).
    """
    width, heights, effect = box.quarry.width, table.heights, table.effect
    flower = table.players[seat].flower
    return tuple(
        gain(
            heights,
            width,
            number % width,
            number // width,
            own_flower=box.tile_by_id[tile].flower == flower,
            effect=effect,
            values=box.mining,
        )
        if tile
        else None
        for number, tile in enumerate(table.tops)
    )


def gain(
    heights: Sequence[int], width: int, x: int, y: int, *, own_flower: bool, effect: str, values: Mining
) -> Gain:
    """What mining the stack at ``(x, y)`` brings as the quarry lies now, before the tile is taken (8)."""
    sides = earning_sides(heights, width, x, y)
    from_sides = len(sides) * values.per_side
    flower = 0
    if own_flower:
        flower = values.flower_with_bonus if effect == "flower_bonus" else values.flower
    token = -values.minus_single if effect == "minus_single" else 0
    return Gain(sides, from_sides, flower, token, max(0, from_sides + flower + token))
