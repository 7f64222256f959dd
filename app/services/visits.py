"""Coming back to a table: what happened there since somebody's last look."""

from datetime import timedelta

import msgspec

from app.db import visits as queries
from app.services import clock
from app.services.accounts import Me
from app.services.held import Held
from app.services.hotseat import seats_of
from app.services.server import Server

AWAY = timedelta(minutes=2)
"""Whoever looks again sooner has not been away."""


class Missed(msgspec.Struct, frozen=True):
    """What somebody has not seen: all entries after ``since``, which was so many seconds ago."""

    since: int
    seconds: int


async def note(server: Server, me: Me, held: Held, *, version: int) -> None:
    """Somebody who sits at the table has seen so much of it."""
    if held.facts.seat_of(me.id) is None or held.position is None:
        return
    async with server.sessions.begin() as session:
        seen = max(0, min(version, held.version))
        await queries.note_visit(session, held.facts.id, me.id, version=seen, at=clock.now())


async def missed(server: Server, me: Me, held: Held) -> Missed | None:
    """What happened at the table since this person's last look, if they were away and others acted."""
    mine = seats_of(held.facts, me.id)
    if not mine or held.position is None:
        return None
    async with server.sessions() as session:
        visit = await queries.find_visit(session, held.facts.id, me.id)
    if visit is None:
        return None
    away = clock.now() - visit.at
    others = any(item.seq > visit.version and item.seat not in mine for item in held.position.played)
    if away < AWAY or not others:
        return None
    return Missed(since=visit.version, seconds=int(away.total_seconds()))
