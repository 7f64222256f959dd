"""Queries about who may not come in."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Ban, Login, User


async def list_standing(session: AsyncSession, *, at: datetime, user_id: int | None = None) -> Sequence[Ban]:
    """The bans that hold now, the newest first: all, or a person's."""
    query = select(Ban).where(or_(Ban.until.is_(None), Ban.until > at)).order_by(Ban.id.desc())
    if user_id is not None:
        query = query.where(Ban.user_id == user_id)
    return (await session.execute(query)).scalars().all()


async def list_with_names(session: AsyncSession, *, at: datetime) -> list[tuple[Ban, str]]:
    """The bans that hold now, each with the name of whom it is about."""
    query = (
        select(Ban, User.name)
        .outerjoin(User, User.id == Ban.user_id)
        .where(or_(Ban.until.is_(None), Ban.until > at))
        .order_by(Ban.id.desc())
    )
    return [(row[0], row[1] or "") for row in await session.execute(query)]


async def find(session: AsyncSession, ban_id: int) -> Ban | None:
    """A ban by its number."""
    return (await session.execute(select(Ban).where(Ban.id == ban_id).with_for_update())).scalar_one_or_none()


async def end_logins_from(session: AsyncSession, addresses: str) -> set[int]:
    """Ends the logins that were last used from a range of addresses, but those of people with a role."""
    known = text(
        r"CASE WHEN logins.address ~ '^[0-9a-fA-F:.]+$' THEN logins.address::inet <<= CAST(:addresses AS cidr) END"
    ).bindparams(addresses=addresses)
    plain = select(User.id).where(User.role == "")
    query = delete(Login).where(known, Login.user_id.in_(plain)).returning(Login.id)
    return set((await session.execute(query.execution_options(synchronize_session=False))).scalars())
