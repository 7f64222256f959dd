"""Queries about how much of a table's log somebody has seen, and when."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Row, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Table, Visit


async def find_visit(session: AsyncSession, table_id: int, user_id: int) -> Visit | None:
    """Somebody's latest look at a table."""
    query = select(Visit).where(Visit.table_id == table_id, Visit.user_id == user_id)
    return (await session.execute(query)).scalar_one_or_none()


async def note_visit(session: AsyncSession, table_id: int, user_id: int, *, version: int, at: datetime) -> None:
    """Somebody looks at that moment and sees so many entries; what was seen stays seen."""
    made = insert(Visit).values(table_id=table_id, user_id=user_id, version=version, at=at)
    seen = func.greatest(Visit.version, made.excluded.version)
    await session.execute(made.on_conflict_do_update(constraint="pk_visits", set_={"version": seen, "at": at}))


async def list_visits(session: AsyncSession, user_id: int) -> Sequence[Row[str, int, datetime]]:
    """The tables that somebody has looked at: address, entries seen, and when."""
    query = select(Table.key, Visit.version, Visit.at).join(Table, Table.id == Visit.table_id)
    return (await session.execute(query.where(Visit.user_id == user_id).order_by(Visit.at))).all()


async def hand_on(session: AsyncSession, *, guest_id: int, into_id: int) -> None:
    """What a guest has seen, another has seen."""
    seen = select(Visit.table_id, literal(into_id), Visit.version, Visit.at).where(Visit.user_id == guest_id)
    made = insert(Visit).from_select(["table_id", "user_id", "version", "at"], seen)
    most = {name: func.greatest(getattr(Visit, name), getattr(made.excluded, name)) for name in ("version", "at")}
    await session.execute(made.on_conflict_do_update(constraint="pk_visits", set_=most))
