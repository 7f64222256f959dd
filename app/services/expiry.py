"""Tables at which nothing happens: their people are warned, and later the table is closed."""

from datetime import datetime

from app.db import tables as queries
from app.db.models import Table
from app.services import clock
from app.services.accounts import Me
from app.services.errors import AlreadyStarted, NotYourSeat
from app.services.listing import lead, life
from app.services.rooms import Notice, changing
from app.services.server import Server

AT_ONCE = 200


async def sweep(server: Server) -> int:
    """Warns and closes what is due, unless another process does so at this moment; how many tables it was.

    Nobody loses a table without having had the time of the warning, however long the server stood still.
    """
    now = clock.now()
    club = await server.club.get()
    notices: list[Notice] = []
    async with server.sessions.begin() as session:
        if not await queries.hold_sweep(session):
            return 0
        for status in queries.UNFINISHED:
            warned = now - lead(club, status)
            quiet = now - life(club, status) + lead(club, status)
            for table in await queries.list_quiet(session, status, quiet=quiet, warned=warned, most=AT_ONCE):
                _advance(table, now)
                notices.append((table.id, table.version, table.changed))
    for notice in notices:
        server.ring(*notice)
    return len(notices)


def _advance(table: Table, now: datetime) -> None:
    table.changed += 1
    if table.warned_at is None or table.warned_at < table.moved_at:
        table.warned_at = now
    else:
        table.status, table.ended = "cancelled", "expired"
        table.waiting = {}


async def keep(server: Server, me: Me, table_id: int) -> None:
    """Keeps a table open that waits for people. Raises ``NoSuchTable``, :class:`AlreadyStarted`,
    :class:`NotYourSeat`."""
    async with changing(server, table_id) as room:
        if room.seat_of(me) is None:
            raise NotYourSeat
        if room.table.status != "waiting":
            raise AlreadyStarted
        room.idle = room.table.warned_at is None
