"""Queries about remarks that were reported."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Remark, Report


async def add(session: AsyncSession, remark_id: int, *, by_id: int, at: datetime) -> None:
    """Somebody reports a remark; twice is once."""
    made = insert(Report).values(remark_id=remark_id, by_id=by_id, at=at)
    await session.execute(made.on_conflict_do_nothing())


async def count_open(session: AsyncSession) -> int:
    """How many remarks wait for somebody to look at them."""
    query = select(func.count(Report.remark_id.distinct())).where(Report.outcome == "")
    return int((await session.execute(query)).scalar_one())


async def list_open(session: AsyncSession, *, most: int) -> Sequence[tuple[Remark, int, datetime]]:
    """Remarks that wait, the longest first: by how many people they were reported, and since when."""
    waiting = (
        select(Report.remark_id, func.count().label("many"), func.min(Report.at).label("since"))
        .where(Report.outcome == "")
        .group_by(Report.remark_id)
        .subquery()
    )
    query = (
        select(Remark, waiting.c.many, waiting.c.since)
        .join(waiting, waiting.c.remark_id == Remark.id)
        .order_by(waiting.c.since)
        .limit(most)
    )
    return [(row[0], row[1], row[2]) for row in await session.execute(query)]


async def is_open(session: AsyncSession, remark_id: int) -> bool:
    """Whether a remark waits for somebody to look at it."""
    query = select(Report.by_id).where(Report.remark_id == remark_id, Report.outcome == "").limit(1)
    return (await session.execute(query)).first() is not None


async def close(session: AsyncSession, remark_id: int, *, outcome: str) -> int:
    """Notes what came of the reports of a remark; how many had waited."""
    statement = update(Report).where(Report.remark_id == remark_id, Report.outcome == "").values(outcome=outcome)
    return len((await session.execute(statement.returning(Report.by_id))).all())
