"""The garden: what water reaches, where a cube may go, who waters a square, what can be planted (4, 8.1, 8.3).

Every question is asked of the box and the realm, so that a page can ask it of a view. Squares and channels are
numbers in the order of :class:`~app.games.amyitis.grid.Grid`; sets of them are bit masks, which
:func:`~app.games.amyitis.grid.members` lists.
"""

import msgspec

from app.games.amyitis.components import Box
from app.games.amyitis.grid import members
from app.games.amyitis.majority import leader
from app.games.amyitis.state import NOBODY, Realm


class Outlook(msgspec.Struct, frozen=True):
    """What a cube in a channel would bring: whether it completes it, the squares that would become irrigated,
    and the channels that would come within reach (ids)."""

    complete: bool
    squares: tuple[str, ...]
    channels: tuple[str, ...]


class Prospect(msgspec.Struct, frozen=True):
    """What planting a square now would bring: gardeners it costs, the water majority, grey cubes by channel (ids)."""

    square: str
    gardeners: int
    tile: str
    cubes: tuple[int, ...]
    leader: int
    neutral: tuple[tuple[str, int], ...]


def complete(box: Box, realm: Realm) -> int:
    """The channels whose places all hold cubes (4.3)."""
    found, bit = 0, 1
    for cubes, places in zip(realm.channels, box.grid.places, strict=True):
        if len(cubes) == places:
            found |= bit
        bit <<= 1
    return found


def connected_among(box: Box, done: int) -> int:
    """Of the complete channels those that an unbroken path of complete channels joins to the river (4.4)."""
    touches = box.grid.touches
    reached = fresh = done & box.grid.bank
    while fresh:
        near = 0
        for channel in members(fresh):
            near |= touches[channel]
        fresh = near & done & ~reached
        reached |= fresh
    return reached


def connected(box: Box, realm: Realm) -> int:
    """The complete channels reachable from the river (4.4)."""
    return connected_among(box, complete(box, realm))


def eligible_among(box: Box, done: int) -> int:
    """Where a cube may go when these channels are complete: beside the river, or touching a connected one (4.4)."""
    touches = box.grid.touches
    near = box.grid.bank
    for channel in members(connected_among(box, done)):
        near |= touches[channel]
    return near & ~done


def eligible(box: Box, realm: Realm) -> int:
    """The channels that may take a cube now (4.4)."""
    return eligible_among(box, complete(box, realm))


def irrigated_among(box: Box, done: int) -> int:
    """The squares beside a complete channel; the river itself does not irrigate (4.5, Q5)."""
    waters = box.grid.waters
    wet = 0
    for channel in members(done):
        wet |= waters[channel]
    return wet


def irrigated(box: Box, realm: Realm) -> int:
    """The squares that are irrigated (4.5)."""
    return irrigated_among(box, complete(box, realm))


def tiled(realm: Realm) -> int:
    """The squares that still carry a tile."""
    found, bit = 0, 1
    for tile in realm.tiles:
        if tile:
            found |= bit
        bit <<= 1
    return found


def ready(box: Box, realm: Realm) -> int:
    """The squares that a plant good enough could be planted on: irrigated, with a tile (8.1)."""
    return irrigated(box, realm) & tiled(realm)


def plantable(box: Box, realm: Realm, *, quality: int, gardeners: int) -> tuple[int, ...]:
    """The squares that a plant of this quality with up to so many gardeners can be planted on (8.1)."""
    required = box.grid.required
    reach = quality + gardeners
    return tuple(square for square in members(ready(box, realm)) if required[square] <= reach)


def lowest_ready(box: Box, realm: Realm) -> int:
    """The least quality that some ready square requires; more than any plant has when there is none (8.1)."""
    required = box.grid.required
    return min((required[square] for square in members(ready(box, realm))), default=99)


def gardeners_needed(box: Box, square: int, *, quality: int) -> int:
    """The gardeners that must be spent: exactly the missing quality (8.1, Q12)."""
    return max(0, box.grid.required[square] - quality)


def water(box: Box, realm: Realm, square: int) -> tuple[int, ...]:
    """Each seat's cubes in the channels on the square's sides, complete or not (8.3, Q17, Q18)."""
    counts = [0] * len(realm.players)
    for side in box.grid.sides[square]:
        for cube in realm.channels[side]:
            if cube >= 0:
                counts[cube] += 1
    return tuple(counts)


def to_flood(box: Box, realm: Realm, square: int) -> tuple[tuple[int, int], ...]:
    """The channels that grey cubes fill when the square is planted, and how many each takes (8.3, Q1)."""
    grid = box.grid
    between = box.profile(realm.profile).neutral_fill == "between_planted"
    found = []
    for side in grid.sides[square]:
        free = grid.places[side] - len(realm.channels[side])
        one, two = grid.ends[side]
        if free and not (between and realm.planters[two if one == square else one] == NOBODY):
            found.append((side, free))
    return tuple(found)


def outlook(box: Box, realm: Realm, channel: int) -> Outlook:
    """What one more cube in this channel would bring (4.4, 4.5)."""
    grid = box.grid
    before = complete(box, realm)
    completes = len(realm.channels[channel]) + 1 == grid.places[channel]
    after = before | (1 << channel) if completes else before
    squares = irrigated_among(box, after) & ~irrigated_among(box, before)
    channels = eligible_among(box, after) & ~eligible_among(box, before)
    return Outlook(
        complete=completes,
        squares=tuple(grid.squares[square] for square in members(squares)),
        channels=tuple(grid.channels[other] for other in members(channels)),
    )


def prospect(box: Box, realm: Realm, square: int, *, quality: int) -> Prospect:
    """What planting this square with a plant of this quality would bring (8.3)."""
    counts = water(box, realm, square)
    return Prospect(
        square=box.grid.squares[square],
        gardeners=gardeners_needed(box, square, quality=quality),
        tile=realm.tiles[square],
        cubes=counts,
        leader=leader(counts),
        neutral=tuple((box.grid.channels[side], cubes) for side, cubes in to_flood(box, realm, square)),
    )
