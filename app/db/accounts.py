"""Queries about people and their logins."""

from datetime import timedelta

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Login, User

PRESENT = timedelta(minutes=2)
FRESH = timedelta(minutes=1)


async def find_user_by_token(session: AsyncSession, token_hash: bytes) -> User | None:
    """Who is known by a token."""
    query = select(User).join(Login, Login.user_id == User.id).where(Login.token_hash == token_hash)
    return (await session.execute(query)).scalar_one_or_none()


async def find_users_by_name(session: AsyncSession, name: str) -> list[User]:
    """Everybody of that name, the latest seen first."""
    query = select(User).where(User.name == name).order_by(User.seen_at.desc())
    return list((await session.execute(query)).scalars())


async def hold_user(session: AsyncSession, user_id: int) -> None:
    """Lets this transaction be the only one of its kind for a person, until it ends."""
    await session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))


async def touch(session: AsyncSession, user_ids: set[int]) -> None:
    """Notes that these people are here now; at most one write a minute each."""
    stale = User.seen_at < func.now() - FRESH
    await session.execute(update(User).where(User.id.in_(user_ids), stale).values(seen_at=func.now()))


async def count_present(session: AsyncSession) -> int:
    """How many people were here in the last two minutes."""
    query = select(func.count()).select_from(User).where(User.seen_at > func.now() - PRESENT)
    return (await session.execute(query)).scalar_one()
