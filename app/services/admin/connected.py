"""Who has pages open now, and where; and how long they wait for the zones after a click: all processes together."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import people as queries
from app.db.models import Pulse

MOST = 60


class Connected(msgspec.Struct, frozen=True):
    """Somebody: at which tables, whether in the lobby, and with how many pages."""

    id: int
    name: str
    guest: bool
    role: str
    tables: tuple[int, ...]
    lobby: bool
    pages: int


class Everybody(msgspec.Struct, frozen=True):
    """All who are connected; ``more``: so many besides those named, ``strangers``: pages of nobody we know."""

    people: tuple[Connected, ...]
    more: int
    strangers: int


class Wait(msgspec.Struct, frozen=True):
    """Of so many of the latest clicks, one in twenty took longer than so many milliseconds."""

    clicks: int
    slow: float


async def everybody(session: AsyncSession, alive: Sequence[Pulse]) -> Everybody:
    """Whom the processes that live told of."""
    pages: Counter[tuple[int, int]] = Counter()
    for pulse in alive:
        for (user_id, table_id), count in pulse.facts.get("connected", ()):
            pages[user_id, table_id] += count
    by_person: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (user_id, table_id), count in sorted(pages.items()):
        by_person[user_id][table_id] = count
    strangers = sum(by_person.pop(0, {}).values())
    known = await queries.list_people(session, by_person.keys())
    people = [
        Connected(
            id=user.id,
            name=user.name,
            guest=user.guest,
            role=user.role,
            tables=tuple(table_id for table_id in by_person[user.id] if table_id),
            lobby=0 in by_person[user.id],
            pages=sum(by_person[user.id].values()),
        )
        for user in known
    ]
    return Everybody(tuple(people[:MOST]), max(0, len(people) - MOST), strangers)


def wait_of(alive: Sequence[Pulse]) -> Wait:
    """What the processes that live measured, put together."""
    took: Counter[float] = Counter()
    for pulse in alive:
        for milliseconds, count in pulse.facts.get("clicks", ()):
            took[milliseconds] += count
    slowest_first = sorted(took.elements(), reverse=True)
    return Wait(len(slowest_first), slowest_first[len(slowest_first) // 20] if slowest_first else 0.0)
