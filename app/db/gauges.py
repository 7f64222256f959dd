"""Queries about the server as a whole, for those who watch over it."""

from datetime import timedelta

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Table, User

BOT_WAIT = text("""
SELECT coalesce(extract(epoch FROM max(now() - moved_at)), 0) FROM tables
WHERE status = 'playing' AND EXISTS (
  SELECT FROM seats WHERE seats.table_id = tables.id AND seats.bot <> '' AND tables.waiting ? seats.seat::text
)
""")


async def count_by_status(session: AsyncSession) -> dict[str, int]:
    """How many tables there are of each status."""
    query = select(Table.status, func.count()).group_by(Table.status)
    return {row[0]: row[1] for row in await session.execute(query)}


async def count_moving(session: AsyncSession, within: timedelta) -> int:
    """At how many tables something happened lately."""
    query = select(func.count()).select_from(Table).where(Table.moved_at > func.now() - within)
    return (await session.execute(query)).scalar_one()


async def count_here(session: AsyncSession, within: timedelta) -> int:
    """How many people were seen lately."""
    query = select(func.count()).select_from(User).where(User.seen_at > func.now() - within)
    return (await session.execute(query)).scalar_one()


async def find_longest_bot_wait(session: AsyncSession) -> float:
    """Seconds that people have waited for a bot, at the table where they wait longest."""
    return float((await session.execute(BOT_WAIT)).scalar_one())
