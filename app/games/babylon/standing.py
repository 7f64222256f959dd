"""How a garden stands, as a board shows it: its points part by part, and which pieces earn them."""

from functools import lru_cache

import msgspec

from app.games.babylon import scoring
from app.games.babylon.components import Scoring
from app.games.babylon.garden import Garden

LETTERS = {
    "statues": "s",
    "fountains": "f",
    "bridges": "b",
    "stairs": "t",
    "deco_sets": "d",
    "flower_sets": "w",
    "belvederes": "v",
    "height": "h",
}
"""One letter for each part of the score, as the board marks the pieces that earn it."""


class Standing(msgspec.Struct, frozen=True):
    """A garden's points by part, and by the name of a piece the letters of what it earns."""

    parts: tuple[tuple[str, int], ...]
    total: int
    earns: dict[str, str]


@lru_cache(maxsize=4096)
def standing(garden: Garden, values: Scoring) -> Standing:
    """How a garden stands; worked out once for a garden and shared by all who look at it."""
    earns: dict[str, str] = {}
    parts = scoring.parts(garden, values)
    for part in parts:
        for earning in part.earnings:
            for piece in earning.pieces:
                earns[piece] = earns.get(piece, "") + LETTERS[part.name]
    return Standing(
        parts=tuple([(part.name, part.points) for part in parts]),
        total=sum(part.points for part in parts),
        earns=earns,
    )
