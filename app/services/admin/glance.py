"""The server at a glance: tables, people, every process, the slowest zones, and what went wrong."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from app.db import accounts, backups, searches
from app.db import pulses as queries
from app.db.models import Fault, Pulse
from app.services import clock
from app.services.accounts import Me
from app.services.admin import rights
from app.services.admin.connected import Everybody, Wait, everybody, wait_of
from app.services.pulse import ALIVE
from app.services.server import Server

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
SLOWEST = 8
MOST_FAULTS = 30
MOST_STUCK = 20
BUCKET = 10
"""Minutes that are one point of the day's curve."""


class Process(msgspec.Struct, frozen=True):
    """One process: times in milliseconds, memory in MiB, CPU in percent."""

    name: str
    kind: str
    since: datetime
    sockets: int
    remembered: int
    late: float
    memory: int
    cpu: float
    stored_in: float


class Zone(msgspec.Struct, frozen=True):
    """How long a zone of a game takes to draw: in milliseconds, in the middle and at worst but one in twenty."""

    slug: str
    name: str
    drawn: int
    middle: float
    slow: float
    size: int


class Wrong(msgspec.Struct, frozen=True):
    """Something that went wrong, with the id of the latest time."""

    id: str
    what: str
    place: str
    times: int
    at: datetime


class Stuck(msgspec.Struct, frozen=True):
    """A table that needs a look: ``parted`` (at ``seq``), ``bot`` (silent) or ``paused``."""

    table_id: int
    why: str
    since: datetime | None
    seq: int = 0


class Glance(msgspec.Struct, frozen=True):
    """Everything at once. ``moves``: in the last whole minute; ``day``: a point for every ten minutes of a day;
    ``backup``: of which moment the newest is."""

    playing: int
    waiting: int
    by_link: int
    accounts: int
    guests: int
    sockets: int
    moves: int
    peak: int
    day: tuple[int, ...]
    sockets_day: tuple[int, ...]
    wrong_hour: int
    wrong: tuple[Wrong, ...]
    zones: tuple[Zone, ...]
    processes: tuple[Process, ...]
    stuck: tuple[Stuck, ...]
    connected: Everybody
    wait: Wait
    backup: datetime | None


async def look(server: Server, me: Me) -> Glance:
    """The server now. Raises ``NotAllowed``."""
    now = clock.now()
    async with server.sessions() as session:
        await rights.acting(session, me, "glance")
        tables = await queries.count_tables(session)
        here = {row[0]: row[1] for row in await queries.count_here(session, since=now - accounts.PRESENT)}
        alive = await queries.list_alive(session, since=now - ALIVE)
        alive = [each for each in alive if each.seen_at > now - ALIVE]
        minutes = await queries.list_minutes(session, since=now - DAY)
        faults = await queries.list_faults(session, since=now - DAY, most=MOST_FAULTS)
        wrong_hour = await queries.count_faults(session, since=now - HOUR)
        silent = await searches.list_silent(session, since=now - searches.SILENCE, most=MOST_STUCK)
        paused = await searches.list_paused(session, most=MOST_STUCK)
        connected = await everybody(session, alive)
        backup = await backups.find_last(session)
    this_minute = now.replace(second=0, microsecond=0)
    moves = {row[0]: int(row[1]) for row in minutes}
    by_status: Counter[str] = Counter()
    for status, _, count in tables:
        by_status[status] += count
    return Glance(
        playing=by_status["playing"],
        waiting=by_status["waiting"],
        by_link=sum(count for _, public, count in tables if not public),
        accounts=here.get(False, 0),
        guests=here.get(True, 0),
        sockets=sum(each.sockets for each in alive),
        moves=moves.get(this_minute - timedelta(minutes=1), 0),
        peak=max(moves.values(), default=0),
        day=buckets(moves.items(), now=now, together=max),
        sockets_day=buckets([(row[0], int(row[2])) for row in minutes], now=now, together=max),
        wrong_hour=wrong_hour,
        wrong=tuple(Wrong(row[3], row[0], row[1], row[2], row[4]) for row in faults),
        zones=slowest(alive),
        processes=tuple(process_of(each) for each in alive),
        stuck=(
            *(Stuck(table_id, "parted", None, seq) for table_id, seq in sorted(parted_of(alive, server).items())),
            *(Stuck(table_id, "bot", since) for table_id, since in silent),
            *(Stuck(table_id, "paused", since) for table_id, since in paused),
        ),
        connected=connected,
        wait=wait_of(alive),
        backup=backup.at if backup else None,
    )


def buckets(values: Iterable[tuple[datetime, int]], *, now: datetime, together: Any) -> tuple[int, ...]:
    """A day in points, the latest last."""
    points = [0] * (24 * 60 // BUCKET)
    for minute, value in values:
        ago = int((now - minute).total_seconds() // 60 // BUCKET)
        if 0 <= ago < len(points):
            points[-1 - ago] = together(points[-1 - ago], value)
    return tuple(points)


def parted_of(alive: Sequence[Pulse], server: Server) -> dict[int, int]:
    """The tables of which a process has seen that their log parts ways, and at which entry."""
    found = dict(server.states.parted)
    for each in alive:
        found.update({int(table_id): seq for table_id, seq in each.facts.get("parted", {}).items()})
    return found


def process_of(pulse: Pulse) -> Process:
    """A process as it told of itself."""
    facts = pulse.facts
    return Process(
        name=pulse.process,
        kind=pulse.kind,
        since=pulse.since,
        sockets=pulse.sockets,
        remembered=facts.get("remembered", 0),
        late=facts.get("late", 0.0),
        memory=facts.get("memory", 0),
        cpu=facts.get("cpu", 0.0),
        stored_in=facts.get("stored_in", 0.0),
    )


def slowest(alive: Sequence[Pulse]) -> tuple[Zone, ...]:
    """The zones of all processes that take longest."""
    found: dict[tuple[str, str], Zone] = {}
    for pulse in alive:
        for key, (drawn, middle, slow, size) in pulse.facts.get("zones", {}).items():
            slug, _, name = key.partition("/")
            known = found.get((slug, name), Zone(slug, name, 0, 0, 0, 0))
            found[slug, name] = Zone(
                slug=slug,
                name=name,
                drawn=drawn + known.drawn,
                middle=max(middle, known.middle),
                slow=max(slow, known.slow),
                size=max(size, known.size),
            )
    return tuple(sorted(found.values(), key=lambda zone: -zone.slow)[:SLOWEST])


async def find_wrong(server: Server, me: Me, fault_id: str) -> Fault | None:
    """What went wrong under an id that somebody was told. Raises ``NotAllowed``."""
    async with server.sessions() as session:
        await rights.acting(session, me, "glance")
        return await queries.find_fault(session, fault_id.strip().lower()[:40])
