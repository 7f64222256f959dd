"""Tables as admins find them: who sits there, whom they wait for, and what is the matter."""

from datetime import datetime, timedelta

import msgspec

from app.db import pulses, searches
from app.db import tables as queries
from app.db.models import Table
from app.db.searches import Sought
from app.services import clock
from app.services.accounts import Me
from app.services.admin import rights
from app.services.admin.glance import parted_of
from app.services.errors import NoSuchTable
from app.services.facts import SeatFacts, seat_facts
from app.services.names import name_key
from app.services.pulse import ALIVE
from app.services.server import Server

PAGE = 50


class Listed(msgspec.Struct, frozen=True):
    """A table in the list. ``parted``: the entry at which its log parts ways; ``silent``: a bot does not act."""

    id: int
    slug: str
    status: str
    ended: str
    seats: tuple[SeatFacts, ...]
    waiting: tuple[int, ...]
    host_id: int
    moved_at: datetime
    version: int
    public: bool
    locked: bool
    hidden: bool
    paused: bool
    silent: bool
    parted: int | None
    edition: str
    key: str


class Found(msgspec.Struct, frozen=True):
    """Tables that fit; ``total``: how many there are; ``earlier``: where the list goes on."""

    tables: tuple[Listed, ...]
    total: int
    earlier: str


async def search(server: Server, me: Me, sought: Sought, *, before: str = "") -> Found:
    """The tables that fit, the latest moved first. Raises ``NotAllowed``."""
    now = clock.now()
    since = now - searches.SILENCE
    text = sought.text.strip()[:100]
    async with server.sessions() as session:
        await rights.acting(session, me, "tables")
        alive = await pulses.list_alive(session, since=now - ALIVE)
        parted = parted_of(alive, server)
        sought = msgspec.structs.replace(sought, text=text, key=name_key(text), ids=tuple(parted))
        rows = await searches.search(session, sought, since=since, before=place_of(before), most=PAGE + 1)
        total = await searches.count(session, sought, since=since)
        seats = queries.seats_by_table(await queries.list_seats(session, [row[0].id for row in rows]))
    listed = tuple(_listed(row[0], seats.get(row[0].id, []), silent=row[1], parted=parted) for row in rows[:PAGE])
    last = listed[-1] if len(rows) > PAGE else None
    return Found(listed, total, f"{last.moved_at.timestamp():.6f}_{last.id}" if last else "")


def place_of(written: str) -> tuple[datetime, int] | None:
    """Where a list goes on; the beginning when it cannot be read."""
    moment, _, number = written.partition("_")
    try:
        return datetime.fromtimestamp(0, clock.now().tzinfo) + timedelta(seconds=float(moment)), int(number[:17])
    except (ValueError, OverflowError):
        return None


def _listed(table: Table, rows: list[queries.Sitting], *, silent: bool, parted: dict[int, int]) -> Listed:
    return Listed(
        id=table.id,
        slug=table.slug,
        status=table.status,
        ended=table.ended,
        seats=tuple(seat_facts(row) for row in rows),
        waiting=tuple(sorted(int(seat) for seat in table.waiting)),
        host_id=table.host_id,
        moved_at=table.moved_at,
        version=table.version,
        public=table.public,
        locked=table.password_hash is not None,
        hidden=table.hidden,
        paused=table.paused,
        silent=silent,
        parted=parted.get(table.id) if table.status == "playing" else None,
        edition=table.edition,
        key=table.key,
    )


async def show(server: Server, me: Me, table_id: int) -> Listed:
    """One table. Raises ``NotAllowed``, :class:`NoSuchTable`."""
    since = clock.now() - searches.SILENCE
    async with server.sessions() as session:
        await rights.acting(session, me, "tables")
        sought = Sought(text=str(table_id), key="\x01", state="all")
        rows = await searches.search(session, sought, since=since, before=None, most=PAGE)
        found = next((row for row in rows if row[0].id == table_id), None)
        if found is None:
            raise NoSuchTable
        seats = await queries.list_seats(session, [table_id])
    return _listed(found[0], seats, silent=found[1], parted=server.states.parted)
