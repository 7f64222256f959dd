"""Queries about browsers that show notices, and what is to be sent to them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Login, Push, Subscription, User

MOST = 10
"""Browsers of one person; the one that came first gives way."""


async def subscribe(
    session: AsyncSession, user_id: int, *, login_id: int, endpoint: str, public: str, auth: str
) -> None:
    """A browser shows notices to this person from now on, and to nobody else."""
    told: dict[str, Any] = {"user_id": user_id, "login_id": login_id, "public": public, "auth": auth, "failures": 0}
    made = insert(Subscription).values(endpoint=endpoint, **told)
    await session.execute(made.on_conflict_do_update(constraint="uq_subscriptions_endpoint", set_=told))
    latest = select(Subscription.id).where(Subscription.user_id == user_id).order_by(Subscription.id.desc())
    others = Subscription.id.not_in(latest.limit(MOST).scalar_subquery())
    await session.execute(delete(Subscription).where(Subscription.user_id == user_id, others))


async def unsubscribe(session: AsyncSession, user_id: int, *, endpoint: str) -> None:
    """It does no more."""
    mine = (Subscription.user_id == user_id, Subscription.endpoint == endpoint)
    await session.execute(delete(Subscription).where(*mine))


async def is_subscribed(session: AsyncSession, user_id: int, *, endpoint: str) -> bool:
    """Whether it does."""
    query = select(Subscription.id).where(Subscription.user_id == user_id, Subscription.endpoint == endpoint)
    return (await session.execute(query)).first() is not None


async def list_browsers(session: AsyncSession, user_id: int) -> Sequence[tuple[str, datetime]]:
    """The browsers that show notices to a person, and since when."""
    query = select(Login.browser, Subscription.created_at).join(Login, Login.id == Subscription.login_id)
    rows = await session.execute(query.where(Subscription.user_id == user_id).order_by(Subscription.id))
    return [(row[0], row[1]) for row in rows]


async def list_subscriptions(session: AsyncSession, user_id: int) -> Sequence[int]:
    """The same by number."""
    query = select(Subscription.id).where(Subscription.user_id == user_id).order_by(Subscription.id)
    return list((await session.execute(query)).scalars())


async def add(session: AsyncSession, subscription_id: int, items: list[Any], *, at: datetime) -> None:
    """Has a browser told something, together with what was not sent to it yet."""
    made = insert(Push).values(subscription_id=subscription_id, items=items, due_at=at)
    joined = {"items": Push.items.concat(made.excluded["items"])}
    await session.execute(made.on_conflict_do_update(constraint="uq_pushes_subscription_id", set_=joined))


async def claim(session: AsyncSession, *, now: datetime, until: datetime, most: int) -> Sequence[tuple[int, int]]:
    """Takes what is due, so that nobody else does for a while: number and number of the try."""
    due = select(Push.id).where(Push.due_at <= now).order_by(Push.due_at).limit(most)
    taken = (
        update(Push)
        .where(Push.id.in_(due.with_for_update(skip_locked=True)))
        .values(due_at=until, tries=Push.tries + 1)
        .returning(Push.id, Push.tries)
        .execution_options(synchronize_session=False)
    )
    return sorted((row[0], row[1]) for row in await session.execute(taken))


async def find(session: AsyncSession, push_id: int) -> tuple[Push, Subscription, User] | None:
    """What is to be sent, where, and to whom."""
    query = select(Push, Subscription, User).join(Subscription, Subscription.id == Push.subscription_id)
    row = (await session.execute(query.join(User, User.id == Subscription.user_id).where(Push.id == push_id))).first()
    return (row[0], row[1], row[2]) if row else None


async def done(session: AsyncSession, push_id: int, *, count: int, at: datetime) -> None:
    """So many of its items need not be sent any more; what came meanwhile does."""
    push = (await session.execute(select(Push).where(Push.id == push_id).with_for_update())).scalar_one_or_none()
    if push is None:
        return
    if len(push.items) <= count:
        await session.delete(push)
    else:
        push.items, push.tries, push.due_at = push.items[count:], 0, at


async def later(session: AsyncSession, push_id: int, *, due_at: datetime) -> None:
    """It is tried again."""
    await session.execute(update(Push).where(Push.id == push_id).values(due_at=due_at))


async def note_failure(session: AsyncSession, subscription_id: int, *, failed: bool) -> int:
    """Counts refusals in a row."""
    number = Subscription.failures + 1 if failed else 0
    noted = update(Subscription).where(Subscription.id == subscription_id).values(failures=number)
    counted = noted.returning(Subscription.failures).execution_options(synchronize_session=False)
    return (await session.execute(counted)).scalar_one_or_none() or 0


async def drop(session: AsyncSession, subscription_id: int) -> None:
    """A browser is there no more."""
    await session.execute(delete(Subscription).where(Subscription.id == subscription_id))


async def keep(session: AsyncSession, before: int, *, login_id: int) -> None:
    """A browser is signed in anew, and shows notices as it did."""
    await session.execute(update(Subscription).where(Subscription.login_id == before).values(login_id=login_id))


async def count(session: AsyncSession, user_id: int) -> int:
    """How many browsers show notices to a person."""
    query = select(func.count()).select_from(Subscription).where(Subscription.user_id == user_id)
    return (await session.execute(query)).scalar_one()
