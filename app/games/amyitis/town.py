"""Babylon beside its garden: the craft market, the temples and the fields, the same for everybody."""

from functools import lru_cache

import msgspec

from app.games.amyitis.components import ROWS, TEMPLES, Box
from app.games.amyitis.fields import cubes, leading
from app.games.amyitis.glance import Glance
from app.games.amyitis.market import price
from app.games.amyitis.rules import Rules
from app.games.amyitis.state import NOBODY, Realm
from app.games.amyitis.temples import ISHTAR, MARDUK, rewarded


class Stall(msgspec.Struct, frozen=True):
    """A row of the craft market: what its next character costs, and how many are left."""

    row: int
    price: int
    left: int


class Market(msgspec.Struct, frozen=True):
    """The craft market under its cards."""

    rows: tuple[Stall, ...]


class Temple(msgspec.Struct, frozen=True):
    """A temple's tablet: the colours of who would be first and second now (0: nobody) and what they would get.

    ``second``: whether a second place is rewarded at all. ``vp``: Marduk's points; ``camels``, ``talents``: Ishtar's.
    """

    name: str
    first: int
    runner: int
    second: bool
    vp: tuple[int, int] = (0, 0)
    camels: int = 0
    talents: int = 0


class Temples(msgspec.Struct, frozen=True):
    """The three tablets."""

    temples: tuple[Temple, ...]


class Field(msgspec.Struct, frozen=True):
    """A row of fields: the place (from 1) of the next cube and what it brings.

    ``leader``: the colour of who would get the gardener as things stand (0: nobody); ``tie``: nobody would.
    """

    row: str
    next: int
    resource: str
    leader: int
    tie: bool


class Fields(msgspec.Struct, frozen=True):
    """Both rows; ``gardeners``: how many are left in the pool."""

    rows: tuple[Field, ...]
    gardeners: int


def market(glance: Glance) -> Market:
    """The prices of the craft market."""
    return _town(glance.game, glance.realm)[0]


def temples(glance: Glance) -> Temples:
    """Who is first and second before each god."""
    return _town(glance.game, glance.realm)[1]


def fields(glance: Glance) -> Fields:
    """What the fields bring next, and whom."""
    return _town(glance.game, glance.realm)[2]


@lru_cache(maxsize=512)
def _town(game: Rules, realm: Realm) -> tuple[Market, Temples, Fields]:
    box = game.box
    stalls = [
        Stall(number, price(box, row), row.takers.count(NOBODY)) for number, row in enumerate(realm.market, start=1)
    ]
    return (
        Market(tuple(stalls)),
        Temples(tuple([_temple(box, realm, number, name) for number, name in enumerate(TEMPLES)])),
        Fields(tuple([_field(box, realm, number, name) for number, name in enumerate(ROWS)]), realm.gardeners),
    )


def _temple(box: Box, realm: Realm, number: int, name: str) -> Temple:
    ranked = (*(seat + 1 for seat in rewarded(box, realm, number)), 0, 0)
    ishtar = box.temples.ishtar if number == ISHTAR else None
    return Temple(
        name=name,
        first=ranked[0],
        runner=ranked[1],
        second=realm.seats > 2 or box.profile(realm.profile).second_rank_with_two_players,
        vp=box.temples.marduk.vp if number == MARDUK else (0, 0),
        camels=ishtar.camels if ishtar else 0,
        talents=ishtar.talents if ishtar else 0,
    )


def _field(box: Box, realm: Realm, number: int, name: str) -> Field:
    taken = len(realm.fields[number])
    first = leading(realm, number)
    return Field(
        row=name,
        next=taken + 1,
        resource=box.resource_ids[box.field_rows[number][taken]],
        leader=first + 1 if first != NOBODY else 0,
        tie=first == NOBODY and any(cubes(realm, number)),
    )
