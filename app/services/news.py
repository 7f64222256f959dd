"""What there is to tell a person, looked at once more just before it is told: as it stands then, and nothing else."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts, visits
from app.db import invitations as asked
from app.db import notices as queries
from app.db.models import User
from app.services import hotseat
from app.services.errors import LogParted, NoSuchTable
from app.services.held import Held
from app.services.listing import expiry
from app.services.server import Server

WAITS = frozenset({queries.TURN, queries.TIME_UP})


class Item(msgspec.Struct, frozen=True):
    """What is stored of something to tell."""

    kind: str
    table: int
    number: int = 0
    seat: int = -1


class News(msgspec.Struct, frozen=True):
    """Something to tell, with all that words are made of. ``seen``: how many entries the person has seen; ``seat``:
    from whose place they see the table; ``by``: who asks them to come; ``until``: when the table is closed."""

    kind: str
    held: Held
    seat: int | None
    user_id: int
    seen: int = 0
    by: str = ""
    until: datetime | None = None

    @property
    def key(self) -> str:
        """The table's address."""
        return self.held.facts.key


def turn_of(held: Held, seat: int) -> int | None:
    """The number of the turn that is a seat's now."""
    if held.position is None or held.facts.status != "playing":
        return None
    return next((each.turn for each in held.game.decisions(held.position.state) if each.seat == seat), None)


def is_late(held: Held, seat: int) -> bool:
    """Whether the time for the turn that is a seat's now is up."""
    return 0 <= seat < len(held.clocks()) and held.clocks()[seat].up


async def hold(server: Server, table_id: int) -> Held | None:
    """The table, if it can be read."""
    try:
        return await server.states.newest(table_id)
    except (LogParted, NoSuchTable):
        return None


async def still(server: Server, session: AsyncSession, user: User, items: Sequence[Any]) -> tuple[News, ...]:
    """Of these items what is still so, each once, turns first; of one table a turn is told, not that it began."""
    found: dict[tuple[str, int], News] = {}
    for item in msgspec.convert(list(items), list[Item]):
        held = await hold(server, item.table)
        if held is None or await queries.is_muted(session, user.id, item.table):
            continue
        made = await _news(server, session, user, item, held)
        if made is not None:
            found.setdefault((item.kind, item.table), made)
    waiting = {table for kind, table in found if kind in WAITS}
    late = {table for kind, table in found if kind == queries.TIME_UP}
    kept = [
        news
        for (kind, table), news in found.items()
        if not (kind == queries.STARTED and table in waiting) and not (kind == queries.TURN and table in late)
    ]
    return tuple(sorted(kept, key=lambda news: news.kind not in WAITS))


async def _news(server: Server, session: AsyncSession, user: User, item: Item, held: Held) -> News | None:
    facts = held.facts
    mine = hotseat.seats_of(facts, user.id)
    if item.kind == queries.INVITED:
        invitation = await asked.find_invitation(session, item.table, user.id)
        if facts.status != "waiting" or mine or invitation is None or invitation.declined:
            return None
        host = await accounts.find_user(session, invitation.by_id) if invitation.by_id else None
        return News(item.kind, held, None, user.id, by=host.name if host else "")
    if not mine and not (item.kind == queries.OVER and facts.gave_up(user.id)):
        return None
    until = expiry(server.club.latest, facts)
    fits = {
        queries.TURN: item.seat in mine and not facts.paused and turn_of(held, item.seat) == item.number,
        queries.TIME_UP: item.seat in mine
        and not facts.paused
        and turn_of(held, item.seat) == item.number
        and is_late(held, item.seat),
        queries.STARTED: facts.status == "playing",
        queries.OVER: facts.status in {"over", "cancelled"},
        queries.WARNED: until is not None,
    }
    if not fits.get(item.kind, False):
        return None
    if item.kind == queries.TURN and held.position is not None:
        since = held.position.waiting.get(item.seat, 0)
        if await queries.find_awake(session, user.id, item.table) >= since:
            return None  # it was seen before we came to tell it
    visit = await visits.find_visit(session, item.table, user.id)
    seat = mine[0] if len(mine) == 1 else None  # whoever else has the device must not read it in a letter
    return News(item.kind, held, seat, user.id, seen=visit.version if visit else 0, until=until)
