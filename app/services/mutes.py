"""Not hearing somebody, and asking those who keep order to look at what somebody said."""

from datetime import datetime

import msgspec

from app.db import reports
from app.db import talk as queries
from app.db.models import Remark
from app.services import clock, talk
from app.services.accounts import Me
from app.services.errors import NoSuchRemark
from app.services.server import Server


class Muted(msgspec.Struct, frozen=True):
    """Somebody I do not want to hear, by the name under which they said what I did not."""

    id: int
    name: str
    since: datetime


async def mute(server: Server, me: Me, table_id: int, *, remark_id: int) -> None:
    """Hears no more, at any table, whoever said that. Raises :class:`NoSuchRemark`, ``NoSuchTable``."""
    remark = await _heard(server, me, table_id, remark_id)
    async with server.sessions.begin() as session:
        new = await queries.mute(session, me.id, remark.user_id, name=remark.name, at=clock.now())
    if new:
        server.call(me.id)


async def unmute(server: Server, me: Me, *, user_id: int) -> None:
    """Hears somebody again, and what they said meanwhile."""
    async with server.sessions.begin() as session:
        new = await queries.unmute(session, me.id, user_id)
    if new:
        server.call(me.id)


async def list_muted(server: Server, me: Me) -> tuple[Muted, ...]:
    """Whom I do not want to hear."""
    async with server.sessions() as session:
        return tuple(Muted(*row) for row in await queries.list_muted(session, me.id))


async def report(server: Server, me: Me, table_id: int, *, remark_id: int) -> None:
    """Asks those who keep order to look at a remark that I hear. Raises :class:`NoSuchRemark`, ``NoSuchTable``."""
    remark = await _heard(server, me, table_id, remark_id)
    async with server.sessions.begin() as session:
        await reports.add(session, remark.id, by_id=me.id, at=clock.now())


async def _heard(server: Server, me: Me, table_id: int, remark_id: int) -> Remark:
    """Another's remark at that table. What one does not hear is not there."""
    held = await server.states.newest(table_id)
    async with server.sessions() as session:
        remark = await queries.find(session, remark_id)
        if remark is None or remark.table_id != table_id or remark.user_id == me.id:
            raise NoSuchRemark
        heard = await queries.list_before(
            session,
            table_id,
            before=remark_id + 1,
            heard=talk.heard_in(held.facts, me.id, muted=()),
            most=1,
        )
    if not heard or heard[0].id != remark_id:
        raise NoSuchRemark
    return remark
