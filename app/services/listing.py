"""Which tables there are, as the lobby lists them: mine, those I am asked to, and those that wait for anybody."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import tables as queries
from app.db.accounts import PRESENT
from app.db.models import Table
from app.services import clock, pace
from app.services.accounts import Me
from app.services.facts import SeatFacts, TableFacts, own_seat, seat_facts
from app.services.pace import NONE, Pace
from app.services.server import Server


class Listed(msgspec.Struct, frozen=True):
    """A table as the lobby lists it. ``since``: when each seat's decision opened; ``expires_at``: when it will be
    closed, once its people were warned; ``by``: who asks me to come."""

    id: int
    key: str
    slug: str
    status: str
    options: dict[str, str]
    seats: tuple[SeatFacts, ...]
    since: dict[int, datetime]
    created_at: datetime
    moved_at: datetime
    host: str
    locked: bool = False
    expires_at: datetime | None = None
    by: str = ""
    pace: Pace = NONE

    @property
    def missing(self) -> int:
        """How many seats are free."""
        return sum(seat.free for seat in self.seats)

    @property
    def languages(self) -> frozenset[str]:
        """What the people read who sit there."""
        return frozenset(seat.language for seat in self.seats if seat.language)

    def seat_of(self, user_id: int | None) -> int | None:
        """Where a person sits."""
        return own_seat(self.seats, user_id)

    def turn_of(self, user_id: int) -> datetime | None:
        """Since when the table waits for a person, at whichever of their seats."""
        mine = (seat for seat, sitting in enumerate(self.seats) if sitting.user_id == user_id)
        return min((self.since[seat] for seat in mine if seat in self.since), default=None)

    def has_people_here(self, now: datetime) -> bool:
        """Whether one of those who sit there is on our pages."""
        return any(seat.seen_at is not None and seat.seen_at > now - PRESENT for seat in self.seats)


class Sought(msgspec.Struct, frozen=True):
    """What somebody looks for; whatever is empty does not matter. ``bots``: ``with`` or ``without`` any."""

    game: str = ""
    seats: int = 0
    bots: str = ""
    language: str = ""

    @property
    def query(self) -> str:
        """The same as a query string, without what does not matter."""
        return "&".join(f"{name}={value}" for name in self.__struct_fields__ if (value := getattr(self, name)))

    def fits(self, table: Listed) -> bool:
        """Whether that table is sought."""
        bots = any(seat.bot for seat in table.seats)
        return (
            self.game in {"", table.slug}
            and self.seats in {0, len(table.seats)}
            and self.bots in {"", "with" if bots else "without"}
            and (not self.language or self.language in table.languages)
        )


class Lasting(Protocol):
    """How long things last: the configuration says it, and the club may say otherwise."""

    @property
    def waiting_hours(self) -> float:
        """Of a table that has not begun."""

    @property
    def idle_days(self) -> float:
        """Of a game in which nobody moves."""

    @property
    def warning_hours(self) -> float:
        """Of the warning before."""


def lead(settings: Lasting, status: str) -> timedelta:
    """How long before a table is closed its people are warned: never longer than half of its time."""
    return min(timedelta(hours=settings.warning_hours), life(settings, status) / 2)


def life(settings: Lasting, status: str) -> timedelta:
    """How long a table stays at which nothing happens."""
    if status == "waiting":
        return timedelta(hours=settings.waiting_hours)
    return timedelta(days=settings.idle_days)


def expiry(settings: Lasting, table: Table | TableFacts) -> datetime | None:
    """When a table will be closed whose people were warned; ``None``: they were not, or something happened since."""
    if table.status not in queries.UNFINISHED or table.warned_at is None or table.warned_at < table.moved_at:
        return None
    return table.warned_at + lead(settings, table.status)


async def list_mine(server: Server, me: Me) -> tuple[Listed, ...]:
    """My unfinished tables: those that wait for me first, the longest wait first; last those I left to a bot."""
    async with server.sessions() as session:
        found = await read(server, session, await queries.list_tables_of(session, me.id))

    def order(table: Listed) -> tuple[bool, bool, float]:
        seat = table.seat_of(me.id)
        turn = table.turn_of(me.id)
        return (seat is None, turn is None, turn.timestamp() if turn else -table.moved_at.timestamp())

    return tuple(sorted(found, key=order))


async def list_open(server: Server) -> tuple[Listed, ...]:
    """Public tables with a free seat, the newest first."""
    async with server.sessions() as session:
        return await read(server, session, await queries.list_open_tables(session))


async def list_invitations(server: Server, me: Me) -> tuple[Listed, ...]:
    """The tables that I am asked to."""
    async with server.sessions() as session:
        asked = await queries.list_invited_to(session, me.id)
        found = await read(server, session, [table for table, _ in asked])
    return tuple(msgspec.structs.replace(table, by=by) for table, (_, by) in zip(found, asked, strict=True))


def others(tables: Iterable[Listed], me: Me | None) -> tuple[Listed, ...]:
    """Those at which this person does not sit."""
    return tuple(table for table in tables if table.seat_of(me.id if me else None) is None)


async def read(server: Server, session: AsyncSession, tables: Sequence[Table]) -> tuple[Listed, ...]:
    """Stored tables with all that the lobby tells of them."""
    seats = queries.seats_by_table(await queries.list_seats(session, [table.id for table in tables]))
    opened = [(table.id, since) for table in tables for since in table.waiting.values() if since]
    moments = await queries.list_moments(session, opened)
    listed = []
    for table in tables:
        sitting = tuple(seat_facts(row) for row in seats[table.id])
        began = table.started_at or table.created_at
        listed.append(
            Listed(
                id=table.id,
                key=table.key,
                slug=table.slug,
                status=table.status,
                options=table.options,
                seats=sitting,
                since={int(seat): moments.get((table.id, since), began) for seat, since in table.waiting.items()},
                created_at=table.created_at,
                moved_at=table.moved_at,
                host=next((seat.name for seat in sitting if seat.user_id == table.host_id), ""),
                locked=table.password_hash is not None,
                expires_at=expiry(server.club.latest, table),
                pace=pace.read(table.pace),
            )
        )
    return tuple(listed)


async def list_best(server: Server, session: AsyncSession, me: Me, sought: Sought) -> list[Listed]:
    """The open tables at which this person might sit down at once, the one that soonest begins first."""
    now = clock.now()
    found = others(await read(server, session, await queries.list_open_tables(session)), me)
    fitting = [table for table in found if sought.fits(table) and not table.locked and not table.pace]
    return sorted(fitting, key=lambda table: (not table.has_people_here(now), table.missing, table.created_at))
