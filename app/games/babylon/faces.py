"""What every tile and token of the edition looks like: set into the page once, used by reference."""

from functools import cache

import msgspec

from app.games.babylon.components import Box, Face
from app.games.babylon.rules import Rules

TURNINGS = range(4)


class TileFace(msgspec.Struct, frozen=True):
    """A tile as it lies unturned, symbols clockwise from north-west; a starting tile has no material."""

    id: str
    flower: str
    material: str
    symbols: Face


class Faces(msgspec.Struct, frozen=True, eq=False):
    """All faces of an edition by id, one for all tables that play it."""

    tiles: dict[str, TileFace]

    def turned(self, tile: str, face: Face) -> int:
        """How many quarter turns clockwise a tile was turned to lie like that (4.3)."""
        symbols = self.tiles[tile].symbols
        return next(turns for turns in TURNINGS if symbols[4 - turns :] + symbols[: 4 - turns] == face)


@cache
def faces_of(game: Rules) -> Faces:
    """The faces of a game's edition."""
    return faces(game.box)


def faces(box: Box) -> Faces:
    """The faces of everything in a box."""
    return Faces(
        {
            tile.id: TileFace(tile.id, tile.flower, tile.material, tile.symbols)
            for tile in (*box.start_tiles, *box.tiles)
        }
    )
