"""Giving up, and calling a game off together: how a game ends before its rules say so."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from sqlalchemy import func

from app.db.models import Seat
from app.engine.contract import Score
from app.services.accounts import Me
from app.services.errors import DecisionPassed, GameOver, NotStarted, NotYourSeat, SharedDevice
from app.services.facts import SeatFacts, TableFacts
from app.services.held import Held
from app.services.lobby import STAND_IN
from app.services.ratings import settle_soon
from app.services.rooms import Room, changing
from app.services.server import Server

TRIES = 8
LAST = datetime.max.replace(tzinfo=UTC)


async def concede(server: Server, me: Me, table_id: int) -> None:
    """Gives up. When others are still at it a bot plays on, unless they all wish the game called off; when only one
    is left, the game is over and won.

    Whoever gives up comes last, and the later the better; it counts for ratings like any end. Raises
    ``NoSuchTable``, :class:`NotYourSeat`, :class:`NotStarted`, :class:`GameOver`, :class:`SharedDevice`.
    """
    for _ in range(TRIES):
        held = await server.states.newest(table_id)
        async with changing(server, table_id) as room:
            room.idle = (room.table.version, room.table.changed) != (held.version, held.facts.changed)
            if not room.idle:
                _concede(room, held, me)
        if not room.idle:
            break
    else:
        raise DecisionPassed
    if room.table.status == "over":
        await settle_soon(server, table_id)


def _concede(room: Room, held: Held, me: Me) -> None:
    mine, *beside = _seats_in_play(room, me)
    if beside:
        raise SharedDevice
    mine.conceded_id, mine.conceded_at, mine.offer_key, mine.cancels = me.id, func.now(), None, False
    room.mark("conceded", seat=mine.seat)
    others = [seat for seat in room.seats if seat is not mine and seat.conceded_id is None]
    if len(others) > 1 and any(seat.user_id is not None for seat in others):
        mine.user_id, mine.bot = None, STAND_IN
        if room.table.host_id == me.id:
            room.table.host_id = next(seat.user_id for seat in others if seat.user_id is not None)
        room.call_off_if_agreed(seat=mine.seat)
        return
    assert held.position is not None
    seats = list(held.facts.seats)
    seats[mine.seat] = msgspec.structs.replace(seats[mine.seat], conceded_id=me.id, conceded_at=LAST)
    facts = msgspec.structs.replace(held.facts, seats=tuple(seats))
    table = room.table
    table.status, table.ended, table.waiting, table.moved_at = "over", "conceded", {}, func.now()
    table.paused = False
    table.scores = msgspec.to_builtins(ranked(facts, held.game.scores(held.position.state)))


def ranked(facts: TableFacts, scores: Sequence[Score]) -> tuple[Score, ...]:
    """The scores with those who gave up behind all others, the first to do so last."""
    gone = {index: seat.conceded_at for index, seat in enumerate(facts.seats) if seat.conceded_at is not None}
    if not gone:
        return tuple(scores)
    played = [score.rank for score in scores if score.seat not in gone]
    places = {}
    for score in scores:
        if score.seat in gone:
            places[score.seat] = 1 + len(played) + sum(gone[score.seat] < at for at in gone.values())
        else:
            places[score.seat] = 1 + sum(rank < score.rank for rank in played)
    return tuple(msgspec.structs.replace(score, rank=places[score.seat]) for score in scores)


async def wish_to_cancel(server: Server, me: Me, table_id: int, *, wish: bool) -> None:
    """Wishes that the game be called off, or not (any more): one who does not sets all wishes back. When all who sit
    there wish so it ends without a result, also when the last who does not goes. Raises as :func:`concede`.
    """
    async with changing(server, table_id) as room:
        mine = _seats_in_play(room, me)
        wished = [seat for seat in room.seats if seat.cancels]
        if not wish:
            room.idle = not wished
            if room.idle:
                return
            for seat in wished:
                seat.cancels = False
            room.mark("unwish", seat=mine[0].seat)
            return
        said = all(seat.cancels for seat in mine)
        for seat in mine:
            seat.cancels = True
        if room.call_off_if_agreed(seat=mine[0].seat):
            return
        if said:
            room.idle = True
        else:
            room.mark("wish", seat=mine[0].seat)


def _seats_in_play(room: Room, me: Me) -> list[Seat]:
    if room.table.status == "waiting":
        raise NotStarted
    mine = room.seats_of(me)
    if not mine:
        raise NotYourSeat
    if room.table.status != "playing":
        raise GameOver
    return mine


def conceders(facts: TableFacts) -> list[tuple[int, SeatFacts]]:
    """Who gave up, each with the seat's number."""
    return [(index, seat) for index, seat in enumerate(facts.seats) if seat.conceded_id is not None]
