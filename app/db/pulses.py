"""Queries about how the processes are doing, and what went wrong."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Text, cast, delete, func, select, update
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by, distinct_on, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Fault, Pulse, Table, User


async def beat(session: AsyncSession, values: dict[str, Any]) -> None:
    """Writes how a process is doing in this minute, over what was there."""
    statement = insert(Pulse).values(**values)
    news = {name: statement.excluded[name] for name in values if name not in {"process", "minute"}}
    await session.execute(statement.on_conflict_do_update(index_elements=["process", "minute"], set_=news))


async def forget_connected(session: AsyncSession, *, before: datetime) -> None:
    """Forgets who was connected: that is told of now, and kept of no earlier minute."""
    rest = Pulse.facts.op("-", return_type=JSONB)(cast("connected", Text))
    told = Pulse.facts.has_key("connected")
    await session.execute(update(Pulse).where(Pulse.minute < before, told).values(facts=rest))


async def note_faults(session: AsyncSession, rows: Sequence[dict[str, Any]]) -> None:
    """Writes down what went wrong."""
    if rows:
        await session.execute(insert(Fault).on_conflict_do_nothing(), list(rows))


async def list_alive(session: AsyncSession, *, since: datetime) -> list[Pulse]:
    """The newest pulse of every process that lives."""
    query = select(Pulse).where(Pulse.minute > since).order_by(Pulse.process, Pulse.minute.desc())
    return list((await session.execute(query.ext(distinct_on(Pulse.process)))).scalars())


async def list_minutes(session: AsyncSession, *, since: datetime) -> Sequence[Row[datetime, int, int]]:
    """Moves and sockets of all processes together, minute by minute."""
    query = select(Pulse.minute, func.sum(Pulse.moves), func.sum(Pulse.sockets)).where(Pulse.minute >= since)
    return (await session.execute(query.group_by(Pulse.minute).order_by(Pulse.minute))).all()


async def list_faults(
    session: AsyncSession, *, since: datetime, most: int
) -> Sequence[Row[str, str, int, str, datetime]]:
    """What went wrong, alike put together: what, where, how often, and the id and the time of the latest."""
    last = func.max(Fault.at)
    latest = func.array_agg(aggregate_order_by(Fault.id, Fault.at.desc()))[1]
    query = (
        select(Fault.what, Fault.place, func.count(), latest, last)
        .where(Fault.at > since)
        .group_by(Fault.what, Fault.place)
        .order_by(last.desc())
        .limit(most)
    )
    return (await session.execute(query)).all()


async def find_fault(session: AsyncSession, fault_id: str) -> Fault | None:
    """What went wrong under that id."""
    return (await session.execute(select(Fault).where(Fault.id == fault_id))).scalar_one_or_none()


async def count_faults(session: AsyncSession, *, since: datetime) -> int:
    """How often something went wrong."""
    return (await session.execute(select(func.count()).where(Fault.at > since))).scalar_one()


async def count_tables(session: AsyncSession) -> Sequence[Row[str, bool, int]]:
    """Unfinished tables by status, and whether everybody may find them."""
    query = select(Table.status, Table.public, func.count()).where(Table.status.in_(("waiting", "playing")))
    return (await session.execute(query.group_by(Table.status, Table.public))).all()


async def count_here(session: AsyncSession, *, since: datetime) -> Sequence[Row[bool, int]]:
    """How many people were here since then, guests and accounts."""
    query = select(User.guest, func.count()).where(User.seen_at > since, User.deleted_at.is_(None))
    return (await session.execute(query.group_by(User.guest))).all()


async def forget(session: AsyncSession, *, before: datetime) -> None:
    """Forgets what was long ago."""
    await session.execute(delete(Pulse).where(Pulse.minute < before))
    await session.execute(delete(Fault).where(Fault.at < before))
