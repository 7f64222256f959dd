"""Gardens that the rules page draws and scores, built of tiles of the edition."""

from functools import cache

import msgspec

from app.games.babylon.faces import TileFace, faces_of
from app.games.babylon.garden import Decoration, Garden, Terrace
from app.games.babylon.rules import Rules
from app.games.babylon.scene import Scene, scene
from app.games.babylon.standing import standing

PLACES = {
    "b02": (0, 0, 1, 3, "ssss"),
    "b06": (2, 0, 1, 1, "ssss"),
    "b14": (4, 0, 2, 0, "dd-d"),
    "b09": (0, 3, 1, 2, "ssss"),
    "g13": (3, 4, 1, 0, "ssss"),
    "c09": (2, 3, 2, 0, "ddsd"),
    "c04": (5, 1, 1, 0, "sss-"),
}
"""Where each tile of the examples lies: x, y, level, quarter turns, supports. A tile lies alike in all of them."""

FOUNTAIN = Decoration("fountain", ((1, 0), (2, 0)), 1, 2)
STAIRS = Decoration("stairs", ((3, 0), (4, 0)), 1, 3)
BRIDGE = Decoration("bridge", ((1, 1), (1, 3)), 1, 4)
STATUES = tuple(
    Decoration("statue", (cell,), level, after)
    for cell, level, after in (((0, 0), 1, 1), ((5, 0), 2, 3), ((0, 3), 1, 4))
)

GARDENS: dict[str, tuple[tuple[str, ...], tuple[Decoration, ...]]] = {
    "supports": (("g13", "c09", "c04"), ()),
    "fountain": (("b02", "b06"), (FOUNTAIN,)),
    "stairs": (("b06", "b14"), (STAIRS,)),
    "bridge": (("b02", "b09"), (BRIDGE,)),
    "scored": (("b02", "b06", "b14", "b09"), (STATUES[0], FOUNTAIN, STAIRS, STATUES[1], BRIDGE, STATUES[2])),
}


class Top(msgspec.Struct, frozen=True):
    """How a tile of the examples lies; ``lost``: which of its symbols lies under a belvedere (-1: none)."""

    face: TileFace
    turned: int
    lost: int


class Drawn(msgspec.Struct, frozen=True, eq=False):
    """What the page needs once: all faces; for the rules page the examples, each with its points by part.

    An edition without the tiles of the examples has none.
    """

    tiles: dict[str, TileFace]
    examples: dict[str, Scene]
    points: dict[str, dict[str, int]]
    tops: tuple[Top, ...]


@cache
def drawn(game: Rules) -> Drawn:
    """The faces of a game's edition, and the examples it can show."""
    tiles = faces_of(game).tiles
    if not PLACES.keys() <= tiles.keys():
        return Drawn(tiles, {}, {}, ())
    gardens = {name: _garden(game, *built) for name, built in GARDENS.items()}
    return Drawn(
        tiles=tiles,
        examples={name: scene(game, garden, "white", 0) for name, garden in gardens.items()},
        points={name: dict(standing(garden, game.box.scoring).parts) for name, garden in gardens.items()},
        tops=tuple(
            Top(tiles[tile], turned, (supports.find("-") - turned) % 4 if "-" in supports else -1)
            for tile, (_, _, _, turned, supports) in PLACES.items()
        ),
    )


def _garden(game: Rules, tiles: tuple[str, ...], decorations: tuple[Decoration, ...]) -> Garden:
    terraces = []
    for tile in tiles:
        x, y, level, turned, supports = PLACES[tile]
        known = game.box.tile_by_id[tile]
        terraces.append(Terrace(tile, known.flower, x, y, level, known.face(turned), supports, 0))
    return Garden(tuple(terraces), decorations)
