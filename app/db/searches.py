"""Queries about tables as admins look for them."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, Row, exists, func, literal_column, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Seat, Table, User

SILENCE = timedelta(minutes=2)
"""A bot that has not acted for so long does not think any more."""
STATES = ("", "playing", "waiting", "over", "cancelled", "all")


class Sought(msgspec.Struct, frozen=True):
    """What somebody looks for. ``text``: a number, an address, or part of a name; ``state``: empty is unfinished;
    ``stuck``: only tables that need a look; ``ids``: those that do for reasons the database does not know."""

    text: str = ""
    key: str = ""
    slug: str = ""
    state: str = ""
    private: bool = True
    stuck: bool = False
    ids: tuple[int, ...] = ()


def silent(since: datetime) -> ColumnElement[bool]:
    """Whether a bot should have acted long ago."""
    waited_for = text("tables.waiting ? CAST(seats.seat AS text)")
    bot = exists(literal_column("1")).where(Seat.table_id == Table.id, Seat.bot != "", waited_for)
    return (Table.status == "playing") & ~Table.paused & (Table.moved_at < since) & bot.correlate(Table)


def _fitting(sought: Sought, *, since: datetime) -> list[ColumnElement[bool]]:
    wanted: list[ColumnElement[bool]] = []
    if sought.text:
        named = exists().where(
            Seat.table_id == Table.id,
            Seat.user_id == User.id,
            func.strpos(func.coalesce(User.name_key, func.lower(User.name)), sought.key) > 0,
        )
        number = int(sought.text) if sought.text.isdecimal() and len(sought.text) < 18 else None
        wanted.append(or_(Table.key == sought.text, named, Table.id == (number if number is not None else -1)))
    if sought.slug:
        wanted.append(Table.slug == sought.slug)
    if not sought.state:
        wanted.append(Table.status.in_(("waiting", "playing")))
    elif sought.state != "all":
        wanted.append(Table.status == sought.state)
    if not sought.private:
        wanted.append(Table.public.is_(True))
    if sought.stuck:
        wanted.append(or_(silent(since), Table.paused, Table.id.in_(sought.ids)))
    return wanted


async def search(
    session: AsyncSession, sought: Sought, *, since: datetime, before: tuple[datetime, int] | None, most: int
) -> Sequence[Row[Table, bool]]:
    """The tables that fit, the latest moved first, each with whether a bot is silent there."""
    query = select(Table, silent(since)).where(*_fitting(sought, since=since))
    if before is not None:
        moved_at, table_id = before
        earlier = (Table.moved_at < moved_at) | ((Table.moved_at == moved_at) & (Table.id < table_id))
        query = query.where(earlier)
    return (await session.execute(query.order_by(Table.moved_at.desc(), Table.id.desc()).limit(most))).all()


async def count(session: AsyncSession, sought: Sought, *, since: datetime) -> int:
    """How many fit."""
    query = select(func.count()).select_from(Table).where(*_fitting(sought, since=since))
    return (await session.execute(query)).scalar_one()


async def list_silent(session: AsyncSession, *, since: datetime, most: int) -> list[tuple[int, datetime]]:
    """The tables at which a bot is silent, and since when."""
    query = select(Table.id, Table.moved_at).where(silent(since)).order_by(Table.moved_at).limit(most)
    return [(row[0], row[1]) for row in await session.execute(query)]


async def list_paused(session: AsyncSession, *, most: int) -> list[tuple[int, datetime]]:
    """The paused tables, and when they last moved."""
    query = select(Table.id, Table.moved_at).where(Table.paused).order_by(Table.moved_at).limit(most)
    return [(row[0], row[1]) for row in await session.execute(query)]
