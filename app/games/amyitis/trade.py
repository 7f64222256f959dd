"""What is done where the caravan stops: price, sale, court, planting and its rewards (3.3 to 3.5, 8.3, 8.4)."""

from collections.abc import Sequence

import msgspec

from app.engine.contract import Event
from app.games.amyitis import caravan, court, garden, goods, stages, turns
from app.games.amyitis.components import GARDENER, TRACKS, Box
from app.games.amyitis.events import (
    CardTurned,
    Flooded,
    Moved,
    NothingAtCourt,
    Paid,
    Planted,
    Sold,
    Watered,
)
from app.games.amyitis.majority import leader
from app.games.amyitis.state import NEUTRAL, NOBODY, Plant, Realm, scored, with_player
from app.games.amyitis.turns import Outcome

FOUR_COLOURED = (*TRACKS, GARDENER)
"""What a four-coloured tile offers (8.4)."""


def moved(box: Box, realm: Realm, seat: int, city: int) -> Outcome:
    """The caravan goes on to a city, where what nobody can choose is done at once (3.2, 3.3)."""
    steps = caravan.distance(box, realm.caravan, city)
    player = realm.players[seat]
    cost = caravan.camels(box, player, steps)
    cities = box.caravan.cities
    told = Moved(seat, cities[realm.caravan].id, cities[city].id, steps, cost)
    realm = with_player(realm, seat, msgspec.structs.replace(player, camels=player.camels - cost))
    realm = msgspec.structs.replace(realm, caravan=city)
    realm, events = _arrived(box, realm, seat)
    return realm, (told, *events)


def _arrived(box: Box, realm: Realm, seat: int) -> Outcome:
    held = realm.players[seat].goods
    if box.caravan.cities[realm.caravan].kind == "sale":
        offers = goods.sales(held)
        if len(offers) == 1:
            return sold(box, realm, seat, offers[0])
        return msgspec.structs.replace(realm, stage=stages.SELL), ()
    ways = goods.payments(box, held, caravan.price(box, realm, realm.caravan))
    if len(ways) == 1:
        return paid(box, realm, seat, ways[0])
    return msgspec.structs.replace(realm, stage=stages.PAY), ()


def sold(box: Box, realm: Realm, seat: int, tokens: Sequence[int]) -> Outcome:
    """One or two resources (by number) for points, and a cube in a channel (3.4)."""
    vp = box.caravan.sale_vp[len(tokens) - 1]
    player = realm.players[seat]
    player = msgspec.structs.replace(player, goods=goods.without(player.goods, tokens))
    realm = with_player(realm, seat, scored(player, "sales", vp))
    realm, events = turns.to_build(box, realm, seat, stage=stages.SALE_CHANNEL)
    return realm, (Sold(seat, tuple(box.resource_ids[token] for token in tokens), vp), *events)


def paid(box: Box, realm: Realm, seat: int, tokens: Sequence[int]) -> Outcome:
    """The price of the city, paid with these resources (by number) (3.5)."""
    player = realm.players[seat]
    player = msgspec.structs.replace(player, goods=goods.without(player.goods, tokens))
    realm = with_player(realm, seat, player)
    told = Paid(seat, tuple(box.resource_ids[token] for token in tokens))
    city = box.caravan.cities[realm.caravan]
    if city.kind == "court":
        realm, events = _offered(box, realm, seat, court.open_tracks(realm, seat, city.tracks), stage=stages.COURT)
        return realm, (told, *events)
    quality = caravan.face(box, realm, realm.caravan).quality
    squares = garden.plantable(box, realm, quality=quality, gardeners=player.gardeners)
    if len(squares) > 1:
        return msgspec.structs.replace(realm, stage=stages.PLANT), (told,)
    realm, events = planted(box, realm, seat, squares[0])
    return realm, (told, *events)


def _offered(box: Box, realm: Realm, seat: int, tracks: Sequence[str], *, stage: str) -> Outcome:
    """One court card of these: chosen, or taken at once when there is no choice."""
    if len(tracks) > 1:
        return msgspec.structs.replace(realm, stage=stage), ()
    return taken(box, realm, seat, tracks[0])


def taken(box: Box, realm: Realm, seat: int, track: str) -> Outcome:
    """The next card of a track or a gardener, with the token on it (8.4)."""
    realm, events = court.promoted(box, realm, seat, track)
    tokens = court.tokens_to_choose(box, realm, seat) if track == "caravaneer" else ()
    if len(tokens) > 1:
        return msgspec.structs.replace(realm, stage=stages.TOKEN), events
    realm, more = token_taken(box, realm, seat, tokens[0]) if tokens else _finished(box, realm, seat)
    return realm, events + more


def token_taken(box: Box, realm: Realm, seat: int, resource: str) -> Outcome:
    """The token of a caravaneer of the last level (8.4)."""
    realm, events = court.token_taken(box, realm, seat, resource)
    realm, more = _finished(box, realm, seat)
    return realm, events + more


def planted(box: Box, realm: Realm, seat: int, square: int) -> Outcome:
    """Gardeners go back, the tile is taken, and its court reward chosen or taken (8.3 steps 2 to 4)."""
    quality = caravan.face(box, realm, realm.caravan).quality
    spent = garden.gardeners_needed(box, square, quality=quality)
    tile = box.tile[realm.tiles[square]]
    player = realm.players[seat]
    player = msgspec.structs.replace(
        player,
        gardeners=player.gardeners - spent,
        talents=player.talents + tile.talents,
        camels=player.camels + tile.camels,
        tiles=(*player.tiles, tile.id),
    )
    realm = msgspec.structs.replace(
        with_player(realm, seat, scored(player, "tiles", tile.vp)),
        gardeners=realm.gardeners + spent,
        tiles=(*realm.tiles[:square], "", *realm.tiles[square + 1 :]),
        planting=square,
    )
    told = Planted(seat, box.grid.squares[square], tile.id, quality, spent, tile.vp, tile.talents, tile.camels)
    if not tile.court:
        realm, events = _finished(box, realm, seat)
        return realm, (told, *events)
    tracks = court.open_tracks(realm, seat, FOUR_COLOURED if tile.court == court.CHOICE else (tile.court,))
    if not tracks:
        realm, events = _finished(box, realm, seat)
        return realm, (told, NothingAtCourt(seat, tile.court), *events)
    realm, events = _offered(box, realm, seat, tracks, stage=stages.REWARD)
    return realm, (told, *events)


def _finished(box: Box, realm: Realm, seat: int) -> Outcome:
    """The trade is done; a planting ends with its water majority, its grey cubes and its card (8.3 steps 5 to 8)."""
    square = realm.planting
    if square < 0:
        return msgspec.structs.replace(realm, stage=stages.NEXT), ()
    quality = caravan.face(box, realm, realm.caravan).quality
    counts = garden.water(box, realm, square)
    first = leader(counts)
    vp = quality if first != NOBODY else 0
    told: list[Event] = [Watered(box.grid.squares[square], counts, first, vp)]
    if first != NOBODY:
        realm = with_player(realm, first, scored(realm.players[first], "water", vp))
    channels = list(realm.channels)
    for channel, cubes in garden.to_flood(box, realm, square):
        channels[channel] += (NEUTRAL,) * cubes
        told.append(Flooded(box.grid.channels[channel], cubes))
    at = box.plant_number[realm.caravan]
    plant = Plant(realm.plants[at].card, 1 - realm.plants[at].face)
    told.append(CardTurned(box.caravan.cities[realm.caravan].id, plant.card, plant.face))
    realm = msgspec.structs.replace(
        realm,
        channels=tuple(channels),
        planters=(*realm.planters[:square], seat, *realm.planters[square + 1 :]),
        plants=(*realm.plants[:at], plant, *realm.plants[at + 1 :]),
        planting=-1,
        stage=stages.NEXT,
    )
    return realm, tuple(told)
