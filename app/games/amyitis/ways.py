"""Every legal action as a plain button, grouped so that a person who sees no board finds it."""

import msgspec

from app.engine import notation
from app.games.amyitis import caravan, garden, stages
from app.games.amyitis.actions import (
    Build,
    Court,
    Decline,
    Discard,
    Farm,
    Gift,
    Move,
    Pass,
    Pay,
    Plant,
    Recruit,
    Sell,
    Swap,
    Token,
    Worship,
)
from app.games.amyitis.components import ROWS, Tile
from app.games.amyitis.fields import next_resource
from app.games.amyitis.glance import Glance
from app.games.amyitis.goods import NONE
from app.games.amyitis.market import price
from app.games.amyitis.tray import Step, step


class Way(msgspec.Struct, frozen=True):
    """One action, with what tells it from the others of its group.

    ``name``: a craft, city, square, channel, row, temple, resource or gift; ``cost``: talents, camels or gardeners;
    ``tokens``: resources paid, sold or brought.
    """

    action: str
    name: str = ""
    row: int = 0
    cost: int = 0
    tokens: tuple[str, ...] = ()
    vp: int = 0
    quality: int = 0
    tracks: tuple[str, ...] = ()
    step: Step | None = None
    tile: Tile | None = None
    complete: bool = False


class Group(msgspec.Struct, frozen=True):
    """Actions of one kind; ``names``: the pattern that its heading names, and ``called`` what it is about."""

    kind: str
    ways: tuple[Way, ...]
    names: str = ""
    called: str = ""


class Choices(msgspec.Struct, frozen=True):
    """Every legal action, grouped; ``stage``: what is to be decided."""

    stage: str
    groups: tuple[Group, ...]


def choices(glance: Glance) -> Choices:
    """The legal actions, group by group in the order in which a person thinks of them."""
    groups: dict[tuple[str, str], list[Way]] = {}
    for action in glance.actions:
        kind = notation.write(action).partition(":")[0]
        about = action.given if isinstance(action, Swap) else ""
        groups.setdefault((kind, about), []).append(_way(glance, action))
    return Choices(
        stage=glance.realm.stage if glance.actions else "",
        groups=tuple(
            [
                Group(kind, tuple(ways), names=f"swap:{about}:*" if about else "", called=about)
                for (kind, about), ways in groups.items()
            ]
        ),
    )


def _way(glance: Glance, action: msgspec.Struct) -> Way:
    box, realm = glance.box, glance.realm
    match action:
        case Recruit(row, card):
            stall = realm.market[row - 1]
            return Way(notation.write(action), stall.cards[card - 1], row=row, cost=price(box, stall))
        case Move(city):
            number = box.city_number[city]
            steps = caravan.distance(box, realm.caravan, number)
            place = box.caravan.cities[number]
            return Way(
                notation.write(action),
                city,
                cost=caravan.camels(box, realm.players[glance.me], steps),
                tokens=tuple([box.resource_ids[each] for each in caravan.price(box, realm, number)]),
                quality=caravan.face(box, realm, number).quality if place.kind == "plant" else 0,
                tracks=place.tracks,
            )
        case Pay(first, second):
            return Way(notation.write(action), tokens=_tokens(first, second))
        case Sell(first, second):
            tokens = _tokens(first, second)
            return Way(notation.write(action), tokens=tokens, vp=box.caravan.sale_vp[len(tokens) - 1])
        case Plant(square):
            number = box.grid.square_number[square]
            quality = caravan.face(box, realm, realm.caravan).quality
            cost = garden.gardeners_needed(box, number, quality=quality)
            return Way(notation.write(action), square, cost=cost, tile=box.tile[realm.tiles[number]])
        case Build(channel):
            found = garden.outlook(box, realm, box.grid.channel_number[channel])
            vp = box.crafts["engineer"].vp if realm.stage == stages.CHANNEL else 0
            return Way(notation.write(action), channel, vp=vp, complete=found.complete)
        case Farm(row):
            return Way(notation.write(action), row, tokens=(next_resource(box, realm, ROWS.index(row)),))
        case Worship(temple):
            return Way(notation.write(action), temple)
        case Court(track):
            return Way(notation.write(action), track, step=step(box, realm.players[glance.me], track))
        case Token(name) | Discard(name) | Gift(name) | Swap(_, name):
            return Way(notation.write(action), name)
        case Pass() | Decline():
            return Way(notation.write(action))
        case _:
            raise TypeError(action)


def _tokens(first: str, second: str) -> tuple[str, ...]:
    return (first,) if second == NONE else (first, second)
