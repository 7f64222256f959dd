"""What the tiles, cities and fields of an edition look like: set into the page once, used by reference."""

from functools import cache

import msgspec

from app.games.amyitis.components import City, Tile
from app.games.amyitis.pieces import channel_place
from app.games.amyitis.rules import Rules


class TileFace(msgspec.Struct, frozen=True):
    """A garden tile: its points, the quality that its square requires, and the signs of what it brings."""

    tile: Tile
    required: int
    signs: tuple[str, ...]


class Faces(msgspec.Struct, frozen=True, eq=False):
    """All faces of an edition; one for all tables that play it. ``sale``: the points for one and for two tokens;
    ``places``: where the places of the channels are, in classes."""

    tiles: tuple[TileFace, ...]
    cities: tuple[City, ...]
    sale: tuple[int, ...]
    fields: tuple[tuple[str, ...], ...]
    places: tuple[str, ...]
    squares: int
    temples: tuple[str, ...]
    resources: tuple[str, ...]


@cache
def faces(game: Rules) -> Faces:
    """The faces of everything in the box that lies on the table."""
    box = game.box
    floors = dict(zip(box.grid.squares, box.grid.floors, strict=True))
    found = []
    for tile in box.tiles:
        floor = floors.get(tile.square, tile.quality)
        signs = [*(["court-choice"] if tile.court == "choice" else [tile.court] if tile.court else [])]
        signs += ["camel"] * tile.camels + ["talent"] * tile.talents
        found.append(TileFace(tile, box.garden.required[floor - 1], tuple(signs)))
    return Faces(
        tiles=tuple(found),
        cities=box.caravan.cities,
        sale=box.caravan.sale_vp,
        fields=(box.fields.upper, box.fields.lower),
        places=tuple(
            [
                channel_place(box.grid, channel, place)
                for channel, count in enumerate(box.grid.places)
                for place in range(1, count + 1)
            ]
        ),
        squares=len(box.grid.squares),
        temples=("ishtar", "marduk", "tammuz"),
        resources=box.resource_ids,
    )
