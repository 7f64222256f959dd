"""Queries about people as admins look for them."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Row, Text, and_, cast, exists, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Ban, Login, Result, Seat, Table, User

KINDS = ("", "guests", "accounts", "admins", "restrained")


async def search(
    session: AsyncSession, *, key: str, number: int | None, address: str, kind: str, at: datetime, most: int
) -> Sequence[Row[User, int, int, bool]]:
    """People whose name has that in it, or of that number or address, the latest seen first: each with the number of
    games played to the end and left, and whether banned."""
    games = select(func.count()).where(Result.user_id == User.id).correlate(User).scalar_subquery()
    left = select(func.count()).where(Seat.left_id == User.id).correlate(User).scalar_subquery()
    banned = exists().where(Ban.user_id == User.id, or_(Ban.until.is_(None), Ban.until > at))
    query = select(User, games, left, banned).where(User.deleted_at.is_(None))
    if number is not None:
        query = query.where(or_(User.id == number, _contains(key)))
    elif address:
        query = query.where(
            exists().where(Login.user_id == User.id, Login.address.startswith(address, autoescape=True))
        )
    elif key:
        query = query.where(_contains(key))
    if kind == "guests":
        query = query.where(User.guest)
    elif kind == "accounts":
        query = query.where(~User.guest)
    elif kind == "admins":
        query = query.where(User.role != "")
    elif kind == "restrained":
        query = query.where(or_(banned, User.muted_until > at))
    return (await session.execute(query.order_by(User.seen_at.desc(), User.id.desc()).limit(most))).all()


def _contains(key: str) -> ColumnElement[bool]:
    place: ColumnElement[int] = func.strpos(
        func.coalesce(User.name_key, func.lower(User.name)), cast(literal(key), Text)
    )
    return place > 0


async def list_people(session: AsyncSession, user_ids: Collection[int]) -> list[User]:
    """Those of them who are still here, by name."""
    query = select(User).where(User.id.in_(user_ids), User.deleted_at.is_(None))
    return list((await session.execute(query.order_by(User.name, User.id))).scalars())


async def list_tables(session: AsyncSession, user_id: int) -> list[tuple[int, str]]:
    """The unfinished tables of a person: number and game."""
    sits = exists().where(Seat.table_id == Table.id, Seat.user_id == user_id)
    query = select(Table.id, Table.slug).where(and_(sits, Table.status.in_(("waiting", "playing"))))
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Table.id.desc()).limit(30))]


async def count_owners(session: AsyncSession) -> int:
    """How many people own the server; nobody's role changes until this transaction ends."""
    query = select(User.id).where(User.role == "owner").order_by(User.id).with_for_update(key_share=True)
    return len((await session.execute(query)).all())
