"""How well a seat stands: points, and what belongings and places are worth to somebody who knows the game.

All numbers here are judgement, in victory points; no rule depends on them.
"""

from collections.abc import Sequence

from app.games.amyitis import scoring, stages
from app.games.amyitis.components import Box
from app.games.amyitis.garden import irrigated, tiled, water
from app.games.amyitis.goods import storage
from app.games.amyitis.grid import members
from app.games.amyitis.majority import leader
from app.games.amyitis.state import Player, Realm
from app.games.amyitis.temples import ISHTAR, MARDUK, TAMMUZ, rewarded

TALENTS = (0.0, 0.55, 1.05, 1.5, 1.85, 2.1, 2.3, 2.45)
CAMELS = (0.0, 1.2, 2.2, 3.0, 3.6, 4.0, 4.3)
GOODS = (0.0, 1.9, 3.6, 5.0, 6.0, 6.6)
KINDS = 0.25
WINE = 0.5
GARDENERS = (0.0, 2.2, 3.8, 4.6, 5.0)
CARAVANEERS = (0.0, 0.45, 0.9)
TALENT_EACH_ROUND = 0.4
PALACE_AHEAD = 0.12
TEMPLE = ((0.7, 0.35), (2.0, 1.0), (1.6, 0.35))
TEMPLE_LATER = 0.15
WATER = 0.45
FIELD = 0.9
TILE_STEP = 0.8
TILES_A_ROUND = (0.0, 0.0, 1.1, 1.5, 1.9)


def purse(box: Box, realm: Realm, seat: int) -> float:
    """What the seat has got, at plain prices: points, and belongings as far as they can be kept."""
    player = realm.players[seat]
    if realm.stage == stages.OVER:
        return player.vp
    kept = min(sum(player.goods), storage(box, player) + 1)
    return (
        player.vp
        + 1.5 * kept
        + 1.2 * min(player.camels, 5)
        + 0.5 * min(player.talents, 6)
        + 2.0 * player.gardeners
        + 1.5 * (player.caravaneer + player.banker + len(player.tiles))
    )


def rounds_ahead(box: Box, realm: Realm) -> float:
    """About how many rounds will follow this one."""
    to_go = scoring.tiles_left(realm) - box.end.tiles_left.at(realm.seats)
    return max(0.0, to_go / TILES_A_ROUND[realm.seats])


def worth(curve: Sequence[float], count: int) -> float:
    """The value of so many of a thing, each less than the one before."""
    return curve[count] if count < len(curve) else curve[-1]


def standing(box: Box, realm: Realm, seat: int) -> float:
    """What the seat has got and may hope for, in victory points."""
    player = realm.players[seat]
    if realm.stage == stages.OVER:
        return player.vp
    ahead = rounds_ahead(box, realm)
    future = min(1.0, ahead / 2)
    value = player.vp + _tiles(box, player, realm.seats, future)
    value += _goods(box, realm, player, seat, future)
    value += future * (worth(TALENTS, player.talents) + worth(CAMELS, player.camels))
    value += future * worth(GARDENERS, player.gardeners)
    value += ahead * CARAVANEERS[min(player.caravaneer, 2)]
    if player.banker:
        banker = box.court.banker[player.banker - 1]
        value += ahead * (banker.vp + TALENT_EACH_ROUND * banker.talents)
    value += future * PALACE_AHEAD * player.palace
    return value + _temples(box, realm, seat, ahead) + _water(box, realm, seat, future) + _fields(realm, seat, future)


def _tiles(box: Box, player: Player, seats: int, future: float) -> float:
    """The bonus reached, and a part of the next one for each tile towards it (9)."""
    tiles = len(player.tiles)
    reached = scoring.tile_bonus(box, tiles, seats=seats)
    coming = scoring.next_bonus(box, tiles, seats=seats)
    if coming is None:
        return reached
    below = max((line.tiles for line in box.end.bonus.at(seats) if line.tiles <= tiles), default=0)
    part = (tiles - below) / (coming[0] - below)
    return reached + future * TILE_STEP * part * (coming[1] - reached)


def _goods(box: Box, realm: Realm, player: Player, seat: int, future: float) -> float:
    """Tokens, those that could not be stored at half their price while the seat may still act."""
    held = sum(player.goods)
    kept = min(held, storage(box, player))
    value = worth(GOODS, kept)
    if seat not in realm.passed and realm.stage == stages.ACT:
        value += 0.6 * (worth(GOODS, held) - value)
    kinds = sum(count > 0 for count in player.goods)
    value += KINDS * kinds + WINE * min(kept, player.goods[box.wild])
    return future * value + (1 - future) * kept


def _temples(box: Box, realm: Realm, seat: int, ahead: float) -> float:
    """What the gods would give at the end of this round, and a part of it for each round after."""
    value = 0.0
    for temple in (ISHTAR, MARDUK, TAMMUZ):
        for rank, each in enumerate(rewarded(box, realm, temple)):
            if each == seat:
                value += TEMPLE[temple][rank]
    return value * (1 + TEMPLE_LATER * min(ahead, 3))


def _water(box: Box, realm: Realm, seat: int, future: float) -> float:
    """The water that squares with tiles would bring: full for those irrigated, less for the others."""
    wet = irrigated(box, realm)
    value = 0.0
    for square in members(tiled(realm)):
        cubes = water(box, realm, square)
        if cubes[seat]:
            first = leader(cubes) == seat
            value += (1.0 if first else 0.3) * (1.0 if wet >> square & 1 else 0.6)
    return future * WATER * value


def _fields(realm: Realm, seat: int, future: float) -> float:
    """The gardener that a row may bring to who has most cubes in it (5)."""
    if not realm.gardeners:
        return 0.0
    value = 0.0
    for row in realm.fields:
        mine = row.count(seat)
        if mine:
            others = max(row.count(other) for other in range(realm.seats) if other != seat)
            value += FIELD * (0.25 * mine + (0.5 if mine > others else 0.0)) * len(row) / 4
    return future * value


def lead(box: Box, realm: Realm, seat: int) -> float:
    """How far the seat stands before the others: before the best of them and before all on average."""
    values = [standing(box, realm, each) for each in range(realm.seats)]
    mine = values.pop(seat)
    return mine - 0.5 * max(values) - 0.5 * sum(values) / len(values)
