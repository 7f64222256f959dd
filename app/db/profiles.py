"""Queries about what a person's profile shows, to whoever looks: private tables only to those who sat there."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, exists, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.db.models import Result, Seat, SharedSeat, Table, User


def visible_to(viewer_id: int | None) -> ColumnElement[bool]:
    """Whether somebody may learn that a table was there."""
    sat = exists().where(Seat.table_id == Table.id, or_(Seat.user_id == viewer_id, Seat.conceded_id == viewer_id))
    for_all = and_(Table.public, ~Table.hidden, Table.password_hash.is_(None))
    return for_all if viewer_id is None else or_(for_all, sat)


async def list_places(
    session: AsyncSession, user_id: int, *, viewer_id: int | None
) -> Sequence[Row[str, int, bool, int]]:
    """How often a person came to which place: game, place, whether others played too, how often."""
    together = Result.people > 1
    query = (
        select(Result.slug, Result.rank, together, func.count())
        .join(Table, Table.id == Result.table_id)
        .where(Result.user_id == user_id, visible_to(viewer_id))
        .group_by(Result.slug, Result.rank, together)
    )
    return (await session.execute(query)).all()


async def count_playing(session: AsyncSession, user_id: int, *, viewer_id: int | None) -> int:
    """At how many tables a person plays now."""
    sits = exists().where(Seat.table_id == Table.id, Seat.user_id == user_id)
    query = select(func.count()).select_from(Table).where(Table.status == "playing", sits, visible_to(viewer_id))
    return (await session.execute(query)).scalar_one()


def _steps(user_id: int) -> Any:
    """A person's results, each with what was believed of them before it."""
    before = func.lag(Result.mu).over(partition_by=(Result.slug, Result.rated), order_by=Result.at)
    return select(Result, before.label("before")).where(Result.user_id == user_id).subquery()


async def list_steps(
    session: AsyncSession, user_id: int, *, viewer_id: int | None
) -> Sequence[Row[str, float, float, float | None]]:
    """Every rated result in order: game, what was believed after it (mean and uncertainty), and before it."""
    steps = _steps(user_id)
    query = (
        select(steps.c.slug, steps.c.mu, steps.c.sigma, steps.c.before)
        .join(Table, Table.id == steps.c.table_id)
        .where(steps.c.rated, visible_to(viewer_id))
        .order_by(steps.c.at)
    )
    return (await session.execute(query)).all()


async def list_games(
    session: AsyncSession,
    user_id: int,
    *,
    viewer_id: int | None,
    slug: str,
    before: str,
    most: int,
) -> Sequence[Any]:
    """Games that ended, the latest first (those before the table of that address): table, seat, place, points,
    whether rated, what the rating was after and before."""
    steps = _steps(user_id)
    query = (
        select(Table, steps.c.seat, steps.c.rank, steps.c.total, steps.c.rated, steps.c.mu, steps.c.before)
        .join(Table, Table.id == steps.c.table_id)
        .where(visible_to(viewer_id))
        .order_by(Table.moved_at.desc(), Table.id.desc())
    )
    if slug:
        query = query.where(steps.c.slug == slug)
    if before:
        last = aliased(Table)
        query = query.join(last, last.key == before)
        query = query.where(tuple_(Table.moved_at, Table.id) < tuple_(last.moved_at, last.id))
    return (await session.execute(query.limit(most))).all()


async def list_players(session: AsyncSession, table_ids: Sequence[int]) -> Sequence[Any]:
    """How everybody ended at these tables: table, seat, person, bot, points, name, whether a guest or gone. Who
    played on another's device has a name only."""
    name = func.coalesce(User.name, SharedSeat.name)
    beside = and_(SharedSeat.table_id == Result.table_id, SharedSeat.seat == Result.seat, Result.user_id.is_(None))
    query = (
        select(Result.table_id, Result.seat, Result.user_id, Result.bot, Result.total, name, User.guest)
        .outerjoin(User, User.id == Result.user_id)
        .outerjoin(SharedSeat, beside & (Result.bot == ""))
        .where(Result.table_id.in_(table_ids))
        .order_by(Result.table_id, Result.rank, Result.seat)
    )
    return (await session.execute(query)).all()


async def list_parts(session: AsyncSession, slug: str, *, most: int) -> Sequence[list[list[Any]]]:
    """Where the points of everybody came from in a game, at the latest tables that all may see."""
    query = (
        select(Result.parts)
        .join(Table, Table.id == Result.table_id)
        .where(Result.slug == slug, Result.user_id.is_not(None), visible_to(None))
        .order_by(Result.at.desc())
        .limit(most)
    )
    return (await session.execute(query)).scalars().all()


async def list_record(session: AsyncSession, slug: str, *, user_id: int, viewer_id: int | None) -> Sequence[Any]:
    """All that is written down of a person's games of one kind, in order."""
    kept = (Result.seats, Result.people, Result.bots, Result.total, Result.rank, Result.rated, Result.mu)
    query = (
        select(*kept, Result.parts, Result.at)
        .join(Table, Table.id == Result.table_id)
        .where(Result.slug == slug, Result.user_id == user_id, visible_to(viewer_id))
        .order_by(Result.at)
    )
    return (await session.execute(query)).all()


async def list_totals(session: AsyncSession, user_id: int, *, viewer_id: int | None) -> Sequence[Any]:
    """A person's games in numbers: game, how many, how many won, mean and best of the points."""
    won = func.count().filter(Result.rank == 1, Result.seats > 1)
    query = (
        select(Result.slug, func.count(), won, func.avg(Result.total), func.max(Result.total))
        .join(Table, Table.id == Result.table_id)
        .where(Result.user_id == user_id, visible_to(viewer_id))
        .group_by(Result.slug)
        .order_by(Result.slug)
    )
    return (await session.execute(query)).all()
