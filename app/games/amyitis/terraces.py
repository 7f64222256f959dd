"""The garden on its terraces: which channels carry water, what grows, and every square in words."""

from functools import lru_cache

import msgspec

from app.games.amyitis import scoring
from app.games.amyitis.components import Box, Tile
from app.games.amyitis.garden import complete, connected, irrigated, water
from app.games.amyitis.glance import Glance
from app.games.amyitis.grid import members
from app.games.amyitis.majority import leader
from app.games.amyitis.pieces import square_place
from app.games.amyitis.rules import Rules
from app.games.amyitis.state import NOBODY, Realm

LOOKS = ("am-planted-1", "am-planted-1b", "am-planted-2", "am-planted-2b")
"""What grows on a planted square: lower growth on the lowest floor, trees above, and neighbours differ."""


class Channel(msgspec.Struct, frozen=True):
    """A complete channel; ``still``: it is cut off from the river."""

    name: str
    still: bool


class Bed(msgspec.Struct, frozen=True):
    """A square without a tile: what grows there; paving where never anything will."""

    place: str
    look: str


class Garden(msgspec.Struct, frozen=True):
    """The garden under the pieces.

    ``planted``, ``to_go``, ``after``: tiles taken, left until the round is the last, and left then.
    """

    channels: tuple[Channel, ...]
    beds: tuple[Bed, ...]
    planted: int
    to_go: int
    after: int


class Square(msgspec.Struct, frozen=True):
    """A square, for those who point at it or do not see it; ``number``: in reading order.

    ``cubes``: colour and number of each seat with cubes around it; ``leader`` the colour of who alone has most (0:
    nobody). ``planter``: who planted it (0: nobody).
    """

    number: int
    name: str
    place: str
    floor: int
    required: int
    wet: bool
    tile: Tile | None
    planter: int
    cubes: tuple[tuple[int, int], ...]
    leader: int


def garden(glance: Glance) -> Garden:
    """The garden under the pieces."""
    return _ground(glance.game, glance.realm)[0]


def squares(glance: Glance) -> dict[str, Square]:
    """The squares in words, a zone each, so that only those are sent around which something changed."""
    return _ground(glance.game, glance.realm)[1]


@lru_cache(maxsize=512)
def _ground(game: Rules, realm: Realm) -> tuple[Garden, dict[str, Square]]:
    """Both zones of the garden, which are the same for everybody."""
    box = game.box
    done, joined, wet = complete(box, realm), connected(box, realm), irrigated(box, realm)
    left = scoring.tiles_left(realm)
    last = min(left, box.end.tiles_left.at(realm.seats))
    taken = sum(len(player.tiles) for player in realm.players)
    ground = Garden(
        channels=tuple([Channel(box.grid.channels[each], not joined >> each & 1) for each in members(done)]),
        beds=tuple([_bed(box, realm, each) for each, tile in enumerate(realm.tiles) if not tile]),
        planted=taken,
        to_go=left - last,
        after=last,
    )
    return ground, {f"square-{each}": _square(box, realm, each, wet) for each in range(len(realm.tiles))}


def _bed(box: Box, realm: Realm, square: int) -> Bed:
    place = square_place(box.grid, square)
    if realm.planters[square] == NOBODY and realm.planting != square:
        return Bed(place, "am-paving")
    column, row = square % len(box.garden.columns), square // len(box.garden.columns)
    return Bed(place, LOOKS[2 * (box.grid.required[square] > 1) + (column + row) % 2])


def _square(box: Box, realm: Realm, square: int, wet: int) -> Square:
    counts = water(box, realm, square)
    first = leader(counts)
    planter = realm.planters[square]
    return Square(
        number=square,
        name=box.grid.squares[square],
        place=square_place(box.grid, square),
        floor=box.grid.floors[square],
        required=box.grid.required[square],
        wet=bool(wet >> square & 1),
        tile=box.tile[realm.tiles[square]] if realm.tiles[square] else None,
        planter=planter + 1 if planter != NOBODY else 0,
        cubes=tuple([(seat + 1, count) for seat, count in enumerate(counts) if count]),
        leader=first + 1 if first != NOBODY else 0,
    )
