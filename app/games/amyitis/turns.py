"""The action phase: passing, recruiting, and whose turn comes next (7.2)."""

import msgspec

from app.engine.contract import Event
from app.games.amyitis import garden, market, stages, temples
from app.games.amyitis.components import Box
from app.games.amyitis.events import Built, Hired, NothingToBuild, Passed, Recruited, Waited
from app.games.amyitis.fields import farmed
from app.games.amyitis.grid import members
from app.games.amyitis.state import NOBODY, Realm, scored, with_player

WAGE = 1
"""Talents that a passed seat takes each time its turn comes round (7.2 A)."""

Outcome = tuple[Realm, tuple[Event, ...]]


def passed(realm: Realm, seat: int) -> Outcome:
    """The seat is out for this round (7.2 A)."""
    return msgspec.structs.replace(realm, passed=(*realm.passed, seat), stage=stages.NEXT), (Passed(seat),)


def next_turn(realm: Realm) -> Outcome:
    """The next seat's turn, each passed one on the way taking its talent; none when all have passed (7.2, Q16)."""
    told: list[Event] = []
    seats = realm.seats
    if len(realm.passed) == seats:
        leads = (realm.start - 1) % seats
        return msgspec.structs.replace(
            realm, stage=stages.PROCESSION, seat=leads, active=NOBODY, turn=realm.turn + 1
        ), ()
    seat = (realm.active + 1) % seats
    while seat in realm.passed:
        player = realm.players[seat]
        realm = with_player(realm, seat, msgspec.structs.replace(player, talents=player.talents + WAGE))
        told.append(Waited(seat, WAGE))
        seat = (seat + 1) % seats
    return msgspec.structs.replace(realm, active=seat, seat=seat, stage=stages.ACT, turn=realm.turn + 1), tuple(told)


def recruited(box: Box, realm: Realm, seat: int, *, row: int, card: int) -> Outcome:
    """The seat hires a character (row and card from 0) and has its effect, or its choice, before it (7.2 B)."""
    craft = realm.market[row].cards[card]
    cost = market.price(box, realm.market[row])
    player = realm.players[seat]
    player = msgspec.structs.replace(player, talents=player.talents - cost)
    realm = market.taken(with_player(realm, seat, player), seat, row, card)
    told = Recruited(seat, row + 1, card + 1, craft, cost)
    if craft == "peasant":
        return msgspec.structs.replace(realm, stage=stages.FIELD), (told,)
    if craft == "priest":
        return msgspec.structs.replace(realm, stage=stages.TEMPLE), (told,)
    if craft == "engineer":
        realm, events = to_build(box, realm, seat, stage=stages.CHANNEL)
        return realm, (told, *events)
    camels = box.crafts[craft].camels
    player = msgspec.structs.replace(player, camels=player.camels + camels)
    realm = msgspec.structs.replace(with_player(realm, seat, player), stage=stages.NEXT)
    return realm, (told, Hired(seat, camels))


def to_build(box: Box, realm: Realm, seat: int, *, stage: str) -> Outcome:
    """A channel is to be chosen; without a choice it is built at once, or not at all (7.2 B, Q7, Q8)."""
    where = garden.eligible(box, realm)
    if not where:
        return msgspec.structs.replace(realm, stage=stages.NEXT), (NothingToBuild(seat),)
    realm = msgspec.structs.replace(realm, stage=stage)
    if where & (where - 1):
        return realm, ()
    return built(box, realm, seat, next(iter(members(where))))


def built(box: Box, realm: Realm, seat: int, channel: int) -> Outcome:
    """The seat's cube in a channel: an engineer's scores, that of a sale does not (7.2 B, 3.4)."""
    cubes = (*realm.channels[channel], seat)
    vp = box.crafts["engineer"].vp if realm.stage == stages.CHANNEL else 0
    realm = msgspec.structs.replace(
        with_player(realm, seat, scored(realm.players[seat], "channels", vp)),
        channels=(*realm.channels[:channel], cubes, *realm.channels[channel + 1 :]),
        stage=stages.NEXT,
    )
    return realm, (Built(seat, box.grid.channels[channel], vp, len(cubes) == box.grid.places[channel]),)


def tilled(box: Box, realm: Realm, seat: int, row: int) -> Outcome:
    """A peasant's work (7.2 B)."""
    realm, events = farmed(box, realm, seat, row)
    return msgspec.structs.replace(realm, stage=stages.NEXT), events


def prayed(box: Box, realm: Realm, seat: int, temple: int) -> Outcome:
    """A priest's offering (7.2 B)."""
    realm, events = temples.offered(box, realm, seat, temple)
    return msgspec.structs.replace(realm, stage=stages.NEXT), events
