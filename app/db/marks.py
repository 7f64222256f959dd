"""Queries about time: that our servers are there, when they were not, and what befell tables besides their moves."""

from datetime import datetime, timedelta

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Mark, Outage, Table

FRESH = timedelta(seconds=8)
"""So long a server may be silent before that counts as an outage."""
RETURN = timedelta(seconds=5)
"""What people are given, after one, to come back."""

BEAT = text("""
WITH before AS (SELECT at FROM watch WHERE id = 1 FOR UPDATE), silence AS (
  INSERT INTO outages (began_at, ended_at)
  SELECT at, now() + :back FROM before WHERE at < now() - CAST(:fresh AS interval)
  RETURNING id
), beat AS (
  INSERT INTO watch (id, at) SELECT 1, now() FROM (SELECT max(at) FROM before) AS waited
  ON CONFLICT (id) DO UPDATE SET at = greatest(watch.at, excluded.at)
)
SELECT id FROM silence
""")
NOTE = text("""
UPDATE tables SET changed = changed + 1 WHERE status = 'playing' AND pace <> '{}'
RETURNING id, version, changed
""")


async def beat(session: AsyncSession) -> list[tuple[int, int, int]]:
    """Says that a server is there. After a silence that is noted as an outage, once, and every table with clocks
    changes by it: number, version and changes of each."""
    silence = (await session.execute(BEAT, {"back": RETURN, "fresh": FRESH})).first()
    if silence is None:
        return []
    return [(row[0], row[1], row[2]) for row in await session.execute(NOTE)]


async def find_moment(session: AsyncSession) -> datetime | None:
    """Until when our servers are known to be there, by the clock of the database; ``None``: they are not now."""
    query = text("SELECT at FROM watch WHERE id = 1 AND at >= now() - CAST(:fresh AS interval)")
    return (await session.execute(query, {"fresh": FRESH})).scalar_one_or_none()


async def list_outages(session: AsyncSession, *, since: datetime) -> list[tuple[datetime, datetime]]:
    """When none of our servers was there, from a moment on."""
    query = select(Outage.began_at, Outage.ended_at).where(Outage.ended_at > since).order_by(Outage.id)
    return [(row[0], row[1]) for row in await session.execute(query)]


async def list_marks(session: AsyncSession, table_id: int) -> list[Mark]:
    """What befell a table besides its moves, in order."""
    query = select(Mark).where(Mark.table_id == table_id).order_by(Mark.number)
    return list((await session.execute(query)).scalars())


async def list_timed(session: AsyncSession) -> list[tuple[int, int, int]]:
    """The tables in play that have clocks: number, version and changes of each."""
    query = select(Table.id, Table.version, Table.changed).where(Table.status == "playing", ~Table.paused)
    return [(row[0], row[1], row[2]) for row in await session.execute(query.where(Table.pace != {}))]
