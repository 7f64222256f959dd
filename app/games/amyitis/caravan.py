"""The caravan: how far a city is, what it costs to go there, and whether one could trade there (3, 8.2)."""

import msgspec

from app.engine.contract import Broken
from app.games.amyitis.components import Box, Face
from app.games.amyitis.court import obstacle, open_tracks
from app.games.amyitis.garden import lowest_ready
from app.games.amyitis.goods import can_pay
from app.games.amyitis.state import Player, Realm


class Destination(msgspec.Struct, frozen=True):
    """A city as a seat would reach it: steps, camels, the price there (ids), and what stands against going."""

    city: str
    distance: int
    camels: int
    price: tuple[str, ...]
    obstacle: Broken | None


def distance(box: Box, origin: int, city: int) -> int:
    """Steps clockwise from one city to another; to itself a full lap (3.2, Q15)."""
    return (city - origin - 1) % len(box.caravan.cities) + 1


def camels(box: Box, player: Player, steps: int) -> int:
    """The camels that so many steps cost the player (3.2)."""
    return max(1, steps - box.court.caravaneer[player.caravaneer].move_bonus)


def face(box: Box, realm: Realm, city: int) -> Face:
    """The face that is up of the plant card of a plant city (8.2)."""
    plant = realm.plants[box.plant_number[city]]
    return box.plant_cards[plant.card].faces[plant.face]


def price(box: Box, realm: Realm, city: int) -> tuple[int, ...]:
    """The resources (by number) that one purchase in a city costs; none in Babylon (3.1, 8.2)."""
    if city not in box.plant_number:
        return box.prices[city]
    plant = realm.plants[box.plant_number[city]]
    return box.prices[city] + box.extras[plant.card][plant.face]


def trade_obstacle(box: Box, realm: Realm, seat: int, city: int, *, lowest: int) -> Broken | None:
    """Why the seat could not trade in a city; ``lowest``: the least quality that a ready square requires (3.3)."""
    player = realm.players[seat]
    place = box.caravan.cities[city]
    if place.kind == "sale":
        return None if any(player.goods) else Broken("nothing_to_sell", "3.3", (("city", place.id),))
    asked = price(box, realm, city)
    if not can_pay(box, player.goods, asked):
        asking = [("price", box.resource_ids[asked[0]]), *(("extra", box.resource_ids[extra]) for extra in asked[1:])]
        return Broken("price_too_dear", "3.3", (("city", place.id), *asking))
    if place.kind == "court":
        if open_tracks(realm, seat, place.tracks):
            return None
        closed = [(track, obstacle(realm, seat, track)) for track in place.tracks]
        return Broken("no_step_at_court", "3.3", (("city", place.id), *closed))
    reach = face(box, realm, city).quality + player.gardeners
    if lowest <= reach:
        return None
    return Broken("nothing_to_plant", "3.3", (("city", place.id), ("reach", reach)))


def destinations(box: Box, realm: Realm, seat: int) -> tuple[Destination, ...]:
    """All cities as far as a move may go, nearest first, each with what stands against it (3.2, 3.3)."""
    return tuple(
        destination(box, realm, seat, (realm.caravan + steps) % len(box.caravan.cities))
        for steps in range(1, box.caravan.longest + 1)
    )


def destination(box: Box, realm: Realm, seat: int, city: int) -> Destination:
    """One city as the seat would reach it (3.2, 3.3)."""
    steps = distance(box, realm.caravan, city)
    cost = camels(box, realm.players[seat], steps)
    have = realm.players[seat].camels
    broken: Broken | None
    if steps > box.caravan.longest:
        broken = Broken("too_far", "3.2", (("distance", steps), ("longest", box.caravan.longest)))
    elif cost > have:
        broken = Broken("too_few_camels", "3.2", (("distance", steps), ("cost", cost), ("have", have)))
    else:
        broken = trade_obstacle(box, realm, seat, city, lowest=lowest_ready(box, realm))
    return Destination(
        city=box.caravan.cities[city].id,
        distance=steps,
        camels=cost,
        price=tuple(box.resource_ids[resource] for resource in price(box, realm, city)),
        obstacle=broken,
    )


def reachable(box: Box, realm: Realm, seat: int) -> tuple[int, ...]:
    """The cities (by number) to which the seat may lead the caravan now, nearest first (3.2, 3.3)."""
    player = realm.players[seat]
    if not player.camels:
        return ()
    lowest = lowest_ready(box, realm)
    found = []
    for steps in range(1, box.caravan.longest + 1):
        if camels(box, player, steps) > player.camels:
            break
        city = (realm.caravan + steps) % len(box.caravan.cities)
        if trade_obstacle(box, realm, seat, city, lowest=lowest) is None:
            found.append(city)
    return tuple(found)
