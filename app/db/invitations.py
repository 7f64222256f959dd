"""Queries about who is asked to which table."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.db.models import Invitation, Seat, User


class Asked(NamedTuple):
    """Somebody who is asked to a table."""

    user_id: int
    name: str
    declined: bool


async def find_invitation(session: AsyncSession, table_id: int, user_id: int) -> Invitation | None:
    """That person's invitation to that table."""
    query = select(Invitation).where(Invitation.table_id == table_id, Invitation.user_id == user_id)
    return (await session.execute(query)).scalar_one_or_none()


async def list_present(session: AsyncSession, user_ids: Collection[int]) -> list[int]:
    """Those of these people who have not gone for good."""
    query = select(User.id).where(User.id.in_(user_ids), User.deleted_at.is_(None)).order_by(User.id)
    return list((await session.execute(query)).scalars())


async def list_asked(session: AsyncSession, table_id: int) -> list[Asked]:
    """Who is asked to a table, in the order of asking."""
    query = (
        select(Invitation.user_id, User.name, Invitation.declined)
        .join(User, User.id == Invitation.user_id)
        .where(Invitation.table_id == table_id)
        .order_by(Invitation.created_at, Invitation.user_id)
    )
    return [Asked(*row) for row in await session.execute(query)]


async def list_called(session: AsyncSession, name_key: str) -> list[User]:
    """Who may be meant by a name: the account of that name, else every guest, the latest seen first."""
    query = select(User).where(User.name_key == name_key, User.deleted_at.is_(None))
    query = query.order_by(User.guest, User.seen_at.desc()).limit(10)
    found = list((await session.execute(query)).scalars())
    return found[:1] if found and not found[0].guest else found


async def list_companions(session: AsyncSession, user_id: int, *, most: int = 12) -> Sequence[tuple[int, str]]:
    """Whom a person has sat at a table with, those who were here last first."""
    mine, theirs = aliased(Seat), aliased(Seat)
    query = (
        select(User.id, User.name)
        .join(theirs, theirs.user_id == User.id)
        .join(mine, mine.table_id == theirs.table_id)
        .where(mine.user_id == user_id, User.id != user_id, User.deleted_at.is_(None))
        .group_by(User.id)
        .order_by(func.max(User.seen_at).desc())
        .limit(most)
    )
    return [(row[0], row[1]) for row in await session.execute(query)]
