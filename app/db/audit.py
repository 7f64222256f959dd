"""Queries about the record of what admins did: written once, never changed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Audit, Table, User

MOST_ON_A_TABLE = 200


class Act(msgspec.Struct, frozen=True):
    """What an admin did to a table, as everybody who sees the table may know it."""

    at: datetime
    actor: str
    act: str
    reason: str
    seat: int | None
    to: int | None
    name: str


async def list_acts(session: AsyncSession, table_id: int) -> tuple[Act, ...]:
    """What admins did to a table, the latest last."""
    query = (
        select(Audit, User.name)
        .outerjoin(User, User.id == Audit.actor_id)
        .where(Audit.table_id == table_id)
        .order_by(Audit.id.desc())
        .limit(MOST_ON_A_TABLE)
    )
    rows = (await session.execute(query)).all()
    return tuple(_act(row[0], row[1] or "") for row in reversed(rows))


def _act(line: Audit, actor: str) -> Act:
    facts = line.facts
    return Act(
        at=line.at,
        actor=actor,
        act=line.act,
        reason=line.reason,
        seat=facts.get("seat"),
        to=facts.get("to"),
        name=str(facts.get("name", "")),
    )


async def add(
    session: AsyncSession,
    *,
    actor_id: int | None,
    act: str,
    table_id: int | None = None,
    user_id: int | None = None,
    reason: str = "",
    facts: dict[str, Any] | None = None,
    at: datetime,
) -> int:
    """Writes a line; its number."""
    line = Audit(actor_id=actor_id, act=act, table_id=table_id, user_id=user_id, reason=reason, at=at)
    line.facts = facts or {}
    session.add(line)
    await session.flush()
    return line.id


async def find(session: AsyncSession, line_id: int) -> Audit | None:
    """A line by its number."""
    return await session.get(Audit, line_id)


async def list_lines(
    session: AsyncSession,
    *,
    before: int | None = None,
    actor_id: int | None = None,
    act: str = "",
    about: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    most: int,
) -> Sequence[tuple[Audit, str, str]]:
    """The newest lines that fit, each with the names of who did it and to whom; ``about``: a table's number, or
    somebody's name."""
    actor, other = User.__table__.alias("actor"), User.__table__.alias("other")
    query = (
        select(Audit, actor.c.name, other.c.name)
        .outerjoin(actor, actor.c.id == Audit.actor_id)
        .outerjoin(other, other.c.id == Audit.user_id)
        .order_by(Audit.id.desc())
        .limit(most)
    )
    if before is not None:
        query = query.where(Audit.id < before)
    if actor_id is not None:
        query = query.where(Audit.actor_id == actor_id)
    if act:
        query = query.where(Audit.act == act)
    if about:
        named = func.lower(other.c.name) == about.lower()
        number = int(about) if about.isdecimal() and len(about) < 18 else None
        query = query.where(named if number is None else or_(named, Audit.table_id == number))
    if since is not None:
        query = query.where(Audit.at >= since)
    if until is not None:
        query = query.where(Audit.at < until)
    return [(row[0], row[1] or "", row[2] or "") for row in await session.execute(query)]


async def list_actors(session: AsyncSession) -> list[tuple[int, str]]:
    """Everybody who ever did something as an admin."""
    query = select(User.id, User.name).where(User.id.in_(select(Audit.actor_id).distinct())).order_by(User.name)
    return [(row[0], row[1]) for row in await session.execute(query)]


async def keys_of(session: AsyncSession, table_ids: Sequence[int]) -> dict[int, str]:
    """The games of these tables."""
    query = select(Table.id, Table.slug).where(Table.id.in_(table_ids))
    return {row[0]: row[1] for row in await session.execute(query)}
