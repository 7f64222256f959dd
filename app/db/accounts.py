"""Queries about people, the browsers they are known in, and the links sent to them."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Login, Token, User

PRESENT = timedelta(minutes=2)
FRESH = timedelta(minutes=1)
INVITATION = "invitation"
"""The kind of a link that an admin hands to somebody who is nobody here yet; it is the admin's."""


async def find_user_by_token(session: AsyncSession, token_hash: bytes) -> tuple[User, Login] | None:
    """Who is known by a token, and in which browser."""
    query = select(User, Login).join(Login, Login.user_id == User.id).where(Login.token_hash == token_hash)
    found = (await session.execute(query)).one_or_none()
    return (found[0], found[1]) if found else None


async def find_user(session: AsyncSession, user_id: int, *, lock: bool = False) -> User | None:
    """A person by number; ``lock``: no other transaction changes them until this one ends."""
    query = select(User).where(User.id == user_id)
    query = query.with_for_update(key_share=True) if lock else query
    return (await session.execute(query.execution_options(populate_existing=True))).scalar_one_or_none()


async def find_account(session: AsyncSession, name_key: str) -> User | None:
    """The account of that name."""
    query = select(User).where(User.name_key == name_key, ~User.guest)
    return (await session.execute(query)).scalar_one_or_none()


async def find_account_by_email(session: AsyncSession, email: str) -> User | None:
    """The account that has confirmed that address."""
    query = select(User).where(User.email == email, User.email_confirmed_at.is_not(None))
    return (await session.execute(query)).scalar_one_or_none()


async def list_guests_called(session: AsyncSession, name_key: str) -> list[User]:
    """Every guest of that name, the one who came first first."""
    query = select(User).where(User.name_key == name_key, User.guest).order_by(User.id)
    return list((await session.execute(query.with_for_update(key_share=True))).scalars())


async def find_users_by_name(session: AsyncSession, name: str) -> list[User]:
    """Everybody of that name, the latest seen first."""
    query = select(User).where(User.name == name).order_by(User.seen_at.desc())
    return list((await session.execute(query)).scalars())


async def hold_user(session: AsyncSession, user_id: int) -> None:
    """Lets this transaction be the only one of its kind for a person, until it ends."""
    await session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))


async def has_gone(session: AsyncSession, user_id: int) -> bool:
    """Whether the person was deleted."""
    return (await session.execute(select(User.deleted_at).where(User.id == user_id))).scalar() is not None


async def hold_name(session: AsyncSession, name_key: str) -> None:
    """Lets nobody else take that name, until this transaction ends."""
    await session.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 1))"), {"key": name_key})


async def touch(session: AsyncSession, user_ids: Collection[int], *, at: datetime) -> None:
    """Notes that these people are here now; at most one write a minute each."""
    stale = User.seen_at < at - FRESH
    await session.execute(update(User).where(User.id.in_(user_ids), stale).values(seen_at=at))


async def count_present(session: AsyncSession, *, at: datetime) -> int:
    """How many people were here in the last two minutes."""
    query = select(func.count()).select_from(User).where(User.seen_at > at - PRESENT)
    return (await session.execute(query)).scalar_one()


async def list_logins(session: AsyncSession, user_id: int) -> list[Login]:
    """The browsers in which a person is known, the latest used first."""
    query = select(Login).where(Login.user_id == user_id).order_by(Login.seen_at.desc(), Login.id.desc())
    return list((await session.execute(query)).scalars())


async def list_alive(session: AsyncSession, login_ids: Collection[int]) -> set[int]:
    """Which of these logins have not been ended."""
    query = select(Login.id).where(Login.id.in_(login_ids))
    return set((await session.execute(query)).scalars())


async def end_logins(
    session: AsyncSession, user_id: int, *, only: int | None = None, but: int | None = None
) -> set[int]:
    """Ends a person's logins: one, all but one, or all. Those that were ended."""
    query = delete(Login).where(Login.user_id == user_id)
    if only is not None:
        query = query.where(Login.id == only)
    if but is not None:
        query = query.where(Login.id != but)
    return set((await session.execute(query.returning(Login.id))).scalars())


async def end_old_logins(session: AsyncSession, *, unseen_since: datetime) -> int:
    """Ends logins that nobody has used for long; how many."""
    ended = await session.execute(delete(Login).where(Login.seen_at < unseen_since).returning(Login.id))
    return len(ended.all())


async def find_token(session: AsyncSession, token_hash: bytes, *, kind: str, lock: bool = False) -> Token | None:
    """What a link from a letter stands for."""
    query = select(Token).where(Token.token_hash == token_hash, Token.kind == kind)
    return (await session.execute(query.with_for_update() if lock else query)).scalar_one_or_none()


async def drop_tokens(session: AsyncSession, user_id: int, *, kind: str = "") -> None:
    """Makes a person's links worthless: all that were sent to them, or those of a kind."""
    query = delete(Token).where(Token.user_id == user_id)
    await session.execute(query.where(Token.kind == kind if kind else Token.kind != INVITATION))


async def drop_old_tokens(session: AsyncSession, *, expired_before: datetime) -> None:
    """Forgets links that have been worthless for long."""
    await session.execute(delete(Token).where(Token.expires_at < expired_before))
