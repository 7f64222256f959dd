"""A table changed as a whole, by anything that is no move: who sits there, who may come, whether it has begun."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from app import games
from app.db import tables as queries
from app.db.models import Mark, Seat, Table
from app.engine import codec, log
from app.services import clock, editions
from app.services.accounts import Me
from app.services.errors import AlreadyStarted, NoSuchTable, NotHost
from app.services.server import Server

Notice = tuple[int, int, int]


@dataclass
class Room:
    """A table that nobody else changes meanwhile. ``beside``: the seats that somebody plays on another's device, with
    their names; ``idle``: nothing was changed after all; ``also``: other tables whose pages want to know."""

    session: AsyncSession
    table: Table
    seats: list[Seat]
    beside: dict[int, str] = field(default_factory=dict)
    idle: bool = False
    also: list[Notice] = field(default_factory=list)

    @property
    def free(self) -> list[Seat]:
        """The seats on which nobody sits."""
        return [seat for seat in self.seats if seat.user_id is None and not seat.bot]

    @property
    def people(self) -> list[Seat]:
        """The seats on which people sit."""
        return [seat for seat in self.seats if seat.user_id is not None]

    def seats_of(self, me: Me) -> list[Seat]:
        """All seats that a person holds: their own first, then those of who sits beside."""
        mine = [seat for seat in self.seats if seat.user_id == me.id]
        return sorted(mine, key=lambda seat: (seat.seat in self.beside, seat.seat))

    def seat_of(self, me: Me) -> Seat | None:
        """Where that person sits."""
        return next(iter(self.seats_of(me)), None)

    def mark(self, kind: str, *, seat: int | None = None, turn: int | None = None) -> None:
        """Notes what befalls the table here and now; the kinds are told where it is stored."""
        table = self.table
        table.marks += 1
        self.session.add(
            Mark(
                table_id=table.id,
                number=table.marks,
                at=func.now(),
                version=table.version,
                kind=kind,
                seat=seat,
                turn=turn,
            )
        )

    def call_off_if_agreed(self, *, seat: int | None = None) -> bool:
        """Ends the game without a result when all who still sit there wish so; whether they do. ``seat``: the last to
        agree, or to go."""
        table = self.table
        if table.status != "playing" or not self.people or not all(each.cancels for each in self.people):
            return False
        self.mark("agreed", seat=seat)
        table.status, table.ended, table.waiting, table.moved_at = "cancelled", "agreed", {}, func.now()
        table.paused = False
        return True

    def close(self) -> list[Notice]:
        """Notes the change; whom to tell of it when it is stored."""
        if self.idle:
            return []
        self.table.changed += 1
        if self.table.status == "waiting":  # it is alive: nobody need be warned that it will be closed
            self.table.moved_at, self.table.warned_at = clock.now(), None
        return [(self.table.id, self.table.version, self.table.changed), *self.also]


async def lock(session: AsyncSession, table_id: int) -> Room:
    """The table, for this transaction only. Raises :class:`NoSuchTable`."""
    table = await queries.find_table(session, table_id, lock=True)
    if table is None or table.status == "cancelled":
        raise NoSuchTable
    rows = await queries.list_seats(session, [table_id])
    return Room(session, table, [row.seat for row in rows], {row.seat.seat: row.name for row in rows if row.beside})


@asynccontextmanager
async def changing(server: Server, table_id: int) -> AsyncIterator[Room]:
    """One transaction in which a table is changed; everybody is told when it is stored. Raises as :func:`lock`."""
    async with server.sessions.begin() as session:
        room = await lock(session, table_id)
        yield room
        notices = room.close()
    for notice in notices:
        server.ring(*notice)


@asynccontextmanager
async def hosted(server: Server, me: Me, table_id: int) -> AsyncIterator[Room]:
    """The same for what only the host may do, before the start. Raises :class:`AlreadyStarted`, :class:`NotHost`."""
    async with changing(server, table_id) as room:
        if room.table.status != "waiting":
            raise AlreadyStarted
        if room.table.host_id != me.id:
            raise NotHost
        yield room


async def begin(room: Room) -> None:
    """From here on the log may grow; who must choose first is known."""
    table = room.table
    await editions.know(room.session, table.slug, table.edition)
    set_up(table)
    await room.session.flush()
    await queries.keep_quiet(room.session, table.id)
    if not table.public:
        before = await queries.find_before(room.session, table.id)
        if before is not None and before.public:  # a rematch is by link until those of before have sat down
            table.public = True
            before.changed += 1
            room.also.append((before.id, before.version, before.changed))


def set_up(table: Table) -> None:
    """Shuffles and deals."""
    game = games.load(table.slug, table.edition)
    position = log.begin(
        game, seats=table.seat_count, options=table.options, seed=table.seed, deal=table.deal or None
    )
    table.status = "playing"
    table.waiting = {str(seat): since for seat, since in position.waiting.items()}
    table.started_at = table.moved_at = func.now()
    table.warned_at = None
    assert codec.digest(position.state)


async def begin_if_ready(room: Room) -> None:
    """Begins by itself when that was agreed, all seats are taken, and everybody has said that they are ready."""
    table = room.table
    ready = not room.free and all(seat.ready for seat in room.people)
    if table.status == "waiting" and table.auto_start and ready:
        await begin(room)
