"""What happens when time is up: noticed by any process, done by one; and that our servers are there at all."""

import logging
from datetime import datetime

from app.db import marks
from app.db.lost import LOST
from app.db.models import Seat
from app.services.clocks import Clock
from app.services.errors import LogParted, NoSuchTable
from app.services.held import Held
from app.services.lobby import OFFER_LENGTH, STAND_IN, new_key
from app.services.rooms import Room, changing
from app.services.server import Server

logger = logging.getLogger(__name__)


async def beat(server: Server) -> None:
    """Says that this server is there. Time in which none is costs nobody anything."""
    async with server.sessions.begin() as session:
        notices = await marks.beat(session)
    for notice in notices:
        server.ring(*notice)


class Keeper:
    """Watches the clocks of all tables for one process. Several may watch one database: the table is locked, and
    whoever finds it changed since it was read leaves it alone."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._due: dict[int, tuple[int, int, datetime | None]] = {}
        self._told: set[int] = set()
        """Tables whose clocks could not be read or obeyed, which was logged once."""

    async def sweep(self) -> int:
        """Does what is due; at how many tables. Nothing while no server is there for people to play on."""
        async with self._server.sessions() as session:
            now = await marks.find_moment(session)
            timed = await marks.list_timed(session) if now else []
        if now is None:
            return 0
        known = {table_id: self._due[table_id] for table_id, _, _ in timed if table_id in self._due}
        self._due = known
        done = 0
        for table_id, version, changed in timed:
            try:
                done += await self._look(table_id, version, changed, now)
            except LOST:
                raise
            except Exception:  # whatever is wrong with one table, time goes on at the others
                if table_id not in self._told:
                    logger.exception("the clocks of table %s", table_id)
                self._told.add(table_id)
            else:
                self._told.discard(table_id)
        return done

    async def _look(self, table_id: int, version: int, changed: int, now: datetime) -> bool:
        """Does what is due at one table; whether there was anything."""
        entry = self._due.get(table_id)
        if entry is None or entry[:2] != (version, changed):
            try:
                held = await self._server.states.get(table_id, version=version, changed=changed)
            except (LogParted, NoSuchTable):
                return False
            entry = self._due[table_id] = (held.version, held.facts.changed, next_due(held))
        return entry[2] is not None and entry[2] <= now and await self._act(table_id, now)

    async def _act(self, table_id: int, now: datetime) -> bool:
        held = await self._server.states.newest(table_id)
        try:
            async with changing(self._server, table_id) as room:
                table = room.table
                same = (table.version, table.changed) == (held.version, held.facts.changed)
                found = [
                    (seat, clock)
                    for seat, clock in enumerate(held.clocks())
                    if (at := due(held, seat, clock)) is not None and at <= now
                ]
                room.idle = not same or table.status != "playing" or table.paused or not found
                if not room.idle:
                    for seat, clock in found:
                        _time_is_up(room, held, seat, clock)
                    if any(clock.up for _, clock in found):
                        room.call_off_if_agreed()
        except NoSuchTable:
            return False
        return not room.idle


def _time_is_up(room: Room, held: Held, index: int, clock: Clock) -> None:
    seat, turn = room.seats[index], held.turns[-1].get(index)
    if clock.up:
        _give_away(room, seat, turn)
        return
    room.mark("up", seat=index, turn=turn)
    if held.facts.pace.up == "substitute":
        seat.offer_key = new_key(OFFER_LENGTH)


def due(held: Held, seat: int, clock: Clock) -> datetime | None:
    """When something happens because of a seat's clock; never for a bot's."""
    if held.facts.seats[seat].bot:
        return None
    return clock.until if clock.up else clock.deadline


def next_due(held: Held) -> datetime | None:
    """When the first clock of a table asks for something."""
    moments = (due(held, seat, clock) for seat, clock in enumerate(held.clocks()))
    return min((at for at in moments if at is not None), default=None)


def _give_away(room: Room, seat: Seat, turn: int | None) -> None:
    """Nobody took the seat while it was offered: a bot does, for good."""
    room.mark("gone", seat=seat.seat, turn=turn)
    room.table.rated = False
    heirs = [each.user_id for each in room.people if each is not seat and each.user_id is not None]
    if seat.user_id == room.table.host_id and heirs:
        room.table.host_id = heirs[0]
    seat.user_id, seat.bot, seat.left_id, seat.offer_key, seat.cancels = None, STAND_IN, None, None, False
