"""Queries about how games ended, and how well people play."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, exists, func, select, text
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Rating, Result, Table


async def hold_ratings(session: AsyncSession, slug: str) -> None:
    """Lets nobody else rate that game, until this transaction ends: ratings depend on the order of results."""
    await session.execute(text("SELECT pg_advisory_xact_lock(2, hashtext(:slug))"), {"slug": slug})


async def has_results(session: AsyncSession, table_id: int) -> bool:
    """Whether the end of that table is written down."""
    return bool((await session.execute(select(exists().where(Result.table_id == table_id)))).scalar_one())


async def list_unsettled(session: AsyncSession) -> list[int]:
    """Tables that ended and whose end is not written down yet, in the order in which they ended."""
    query = select(Table.id).where(Table.status == "over", Table.scores.is_not(None))
    query = query.where(~exists().where(Result.table_id == Table.id)).order_by(Table.moved_at, Table.id)
    return list((await session.execute(query.limit(1000))).scalars())


async def find_last_moment(session: AsyncSession, slug: str) -> datetime | None:
    """When the latest result of a game was written down."""
    return (await session.execute(select(func.max(Result.at)).where(Result.slug == slug))).scalar_one()


async def list_slugs(session: AsyncSession, *, user_id: int | None = None) -> list[str]:
    """The games that have results (of a person)."""
    query = select(Result.slug).distinct().order_by(Result.slug)
    if user_id is not None:
        query = query.where(Result.user_id == user_id)
    return list((await session.execute(query)).scalars())


async def list_rated(session: AsyncSession, slug: str, *, since: datetime | None = None) -> list[Result]:
    """The results that count for ratings, in the order in which they count."""
    query = select(Result).where(Result.slug == slug, Result.rated)
    if since is not None:
        query = query.where(Result.at >= since)
    return list((await session.execute(query.order_by(Result.at, Result.table_id, Result.seat))).scalars())


async def list_with_sheets(session: AsyncSession, slug: str) -> Sequence[Row[Result, list[Any]]]:
    """Every result of a game with the score sheet of its table."""
    query = select(Result, Table.scores).join(Table, Table.id == Result.table_id)
    query = query.where(Result.slug == slug, Table.scores.is_not(None)).order_by(Result.table_id, Result.seat)
    return (await session.execute(query)).all()


async def list_standings(
    session: AsyncSession, slug: str, *, before: datetime
) -> Sequence[Row[int | None, float | None, float | None, int]]:
    """How everybody stood before a moment: person, mean, uncertainty, and number of games."""
    earlier = (Result.slug == slug, Result.rated, Result.at < before)
    newest = (
        select(Result.user_id, Result.mu, Result.sigma)
        .where(*earlier)
        .order_by(Result.user_id, Result.at.desc())
        .ext(distinct_on(Result.user_id))
        .subquery()
    )
    games = select(Result.user_id, func.count().label("games")).where(*earlier).group_by(Result.user_id).subquery()
    query = select(newest.c.user_id, newest.c.mu, newest.c.sigma, games.c.games).join(
        games, games.c.user_id == newest.c.user_id
    )
    return (await session.execute(query)).all()


async def list_ratings(session: AsyncSession, slug: str, user_ids: Sequence[int] | None = None) -> list[Rating]:
    """How well people play a game; all who do, or these."""
    query = select(Rating).where(Rating.slug == slug)
    if user_ids is not None:
        query = query.where(Rating.user_id.in_(user_ids))
    return list((await session.execute(query)).scalars())


async def store_ratings(session: AsyncSession, rows: list[dict[str, Any]]) -> None:
    """Writes ratings, over those that were there."""
    if rows:
        statement = insert(Rating)
        values = {name: statement.excluded[name] for name in ("mu", "sigma", "games")}
        keys = ["user_id", "slug"]
        await session.execute(statement.on_conflict_do_update(index_elements=keys, set_=values), rows)


async def drop_ratings(session: AsyncSession, slug: str, user_ids: Sequence[int]) -> None:
    """Forgets the ratings of people who have no rated results."""
    if user_ids:
        await session.execute(delete(Rating).where(Rating.slug == slug, Rating.user_id.in_(user_ids)))
