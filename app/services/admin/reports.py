"""Remarks that were reported: looking at them, taking words away, muting who said them, letting it be."""

from datetime import datetime

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import people, tables, talk
from app.db import reports as queries
from app.db.models import Remark, Table, User
from app.db.talk import Said
from app.services.accounts import Me
from app.services.admin import audit, order, rights
from app.services.errors import BadAction, NoSuchRemark, NotImpartial
from app.services.server import Server

POWER = "talk"
REMOVE, MUTE, BOTH, DISMISS = "remove", "mute", "both", "dismiss"
DEEDS = (REMOVE, MUTE, BOTH, DISMISS)
AROUND = 5
"""So many remarks before and after a reported one are shown with it."""
MOST = 50


class Reported(msgspec.Struct, frozen=True):
    """A remark that waits for somebody to look at it, with what was said ``around`` it in the same room. ``count``:
    how many people reported it; ``partial``: whoever looks plays at that table, and is shown nothing; ``own``: they
    said it themselves, and nobody else could settle it."""

    remark_id: int
    table_id: int
    slug: str
    status: str
    count: int
    since: datetime
    partial: bool
    speaker_id: int = 0
    own: bool = False
    around: tuple[Said, ...] = ()


async def count_open(server: Server) -> int:
    """How many remarks wait."""
    async with server.sessions() as session:
        return await queries.count_open(session)


async def list_open(server: Server, me: Me) -> tuple[Reported, ...]:
    """Remarks that wait, the longest first. Of a table at which one plays nothing is shown: it may be the room of
    those who watch. Raises ``NotAllowed``."""
    async with server.sessions() as session:
        actor = await rights.acting(session, me, POWER)
        return tuple(
            [
                await _reported(session, actor, remark, count=count, since=since)
                for remark, count, since in await queries.list_open(session, most=MOST)
            ]
        )


async def _reported(session: AsyncSession, actor: User, remark: Remark, *, count: int, since: datetime) -> Reported:
    table = await tables.find_table(session, remark.table_id)
    assert table is not None
    found = Reported(
        remark_id=remark.id,
        table_id=table.id,
        slug=table.slug,
        status=table.status,
        count=count,
        since=since,
        partial=await _plays(session, table, actor.id),
    )
    if found.partial:
        return found
    around = await talk.list_around(session, remark, most=AROUND)
    own = await _is_own(session, actor, remark)
    return msgspec.structs.replace(found, speaker_id=remark.user_id, own=own, around=around)


async def _is_own(session: AsyncSession, actor: User, remark: Remark) -> bool:
    """Whether it is what the only owner said, who looks at it: nobody has power over them."""
    mine = actor.role == "owner" and remark.user_id == actor.id
    return mine and await people.count_owners(session) == 1


async def _plays(session: AsyncSession, table: Table, user_id: int) -> bool:
    """Whether somebody sits at a table that goes on, or may come back to it."""
    if table.status not in {"waiting", "playing"}:
        return False
    rows = await tables.list_seats(session, [table.id])
    return any(user_id in {row.seat.user_id, row.seat.left_id} for row in rows)


async def settle(
    server: Server, me: Me, remark_id: int, *, deed: str, hours: int | None = None, reason: str = ""
) -> None:
    """Takes the words away (``remove``), mutes who said them (``mute``), both, or lets it be (``dismiss``); the
    reports of the remark, one of which must be open, are settled by it, in one transaction with the lines in the
    record. What the only owner said nobody else could settle: they do, with a reason, and the line says whose it was.

    Raises ``NotAllowed``, ``NeedsReason``, ``BadTime``, ``HigherRole``, ``NoSuchPerson``, :class:`NoSuchRemark`,
    :class:`NotImpartial`, :class:`BadAction`.
    """
    if deed not in DEEDS:
        raise BadAction
    notice = None
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, POWER)
        found = await talk.find(session, remark_id)
        table = await tables.find_table(session, found.table_id, lock=True) if found else None
        remark = await talk.find(session, remark_id, lock=True)
        if remark is None or table is None:
            raise NoSuchRemark
        if await _plays(session, table, actor.id):
            raise NotImpartial
        if not await queries.is_open(session, remark.id):
            raise NoSuchRemark
        own = deed in {REMOVE, DISMISS} and await _is_own(session, actor, remark)
        if not own:
            await rights.subject(session, actor, remark.user_id)
        kept = audit.clean_reason(reason, needed=own or deed != DISMISS)
        facts = {"remark": remark.id} | ({"own": True} if own else {})
        if deed in {REMOVE, BOTH} and not remark.removed:
            remark.removed, remark.words = True, ""
            table.changed += 1
            notice = table.id, table.version, table.changed
            await audit.note(
                session, actor, REMOVE, table_id=table.id, user_id=remark.user_id, reason=kept, facts=facts
            )
        if deed in {MUTE, BOTH}:
            await order.mute_within(session, actor, remark.user_id, hours=hours or 0, reason=kept, facts=facts)
        if deed == DISMISS:
            await audit.note(session, actor, DISMISS, user_id=remark.user_id, reason=kept, facts=facts)
        await queries.close(session, remark.id, outcome=deed)
    if notice is not None:
        server.ring(*notice)
