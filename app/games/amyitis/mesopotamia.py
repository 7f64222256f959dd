"""The cities around the road: what each sells, what the way there costs me, and what stands against it."""

import msgspec

from app.engine.contract import Broken
from app.games.amyitis import caravan
from app.games.amyitis.components import City
from app.games.amyitis.garden import lowest_ready
from app.games.amyitis.glance import Glance


class Plate(msgspec.Struct, frozen=True):
    """A city as I would reach it.

    ``price``: what a purchase costs, resources by id; ``quality``: of the plant sold there (0: none). ``steps`` and
    ``camels`` of the way from where the caravan stands; ``here``: it stands here. ``obstacle``: why I could not trade
    there, in the middle of nobody's turn as well.
    """

    number: int
    city: City
    price: tuple[str, ...]
    quality: int
    steps: int
    camels: int
    here: bool
    legal: bool
    obstacle: Broken | None


class Cities(msgspec.Struct, frozen=True):
    """The nine cities; ``mine``: the viewer has camels of his own that they could cost."""

    plates: tuple[Plate, ...]
    mine: bool
    free: int


def cities(glance: Glance) -> Cities:
    """All cities clockwise, Babylon first."""
    box, realm, me = glance.box, glance.realm, glance.me
    player = realm.players[me]
    lowest = lowest_ready(box, realm) if glance.mine else 0
    plates = []
    for number, city in enumerate(box.caravan.cities):
        steps = caravan.distance(box, realm.caravan, number)
        camels = caravan.camels(box, player, steps)
        obstacle: Broken | None = None
        if glance.mine and not glance.look.over:
            if camels > player.camels:
                facts = (("distance", steps), ("cost", camels), ("have", player.camels))
                obstacle = Broken("too_few_camels", "3.2", facts)
            else:
                obstacle = caravan.trade_obstacle(box, realm, me, number, lowest=lowest)
        plates.append(
            Plate(
                number=number,
                city=city,
                price=tuple([box.resource_ids[each] for each in caravan.price(box, realm, number)]),
                quality=caravan.face(box, realm, number).quality if city.kind == "plant" else 0,
                steps=steps,
                camels=camels,
                here=number == realm.caravan,
                legal=f"move:{city.id}" in glance.picks,
                obstacle=obstacle,
            )
        )
    bonus = box.court.caravaneer[player.caravaneer].move_bonus
    return Cities(tuple(plates), glance.mine and not glance.look.over, bonus)
