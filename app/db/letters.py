"""Queries about letters in the outbox."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Letter


async def claim(session: AsyncSession, *, now: datetime, until: datetime, most: int) -> Sequence[tuple[int, int]]:
    """Takes the letters that are due, so that nobody else does for a while: number and number of the try."""
    due = (
        select(Letter.id)
        .where(Letter.sent_at.is_(None), Letter.dropped == "", Letter.due_at <= now)
        .order_by(Letter.due_at, Letter.id)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    taken = (
        update(Letter)
        .where(Letter.id.in_(due))
        .values(due_at=until, tries=Letter.tries + 1)
        .returning(Letter.id, Letter.tries)
        .execution_options(synchronize_session=False)
    )
    return sorted((row[0], row[1]) for row in await session.execute(taken))


async def find_letter(session: AsyncSession, letter_id: int) -> Letter | None:
    """A letter by number."""
    return (await session.execute(select(Letter).where(Letter.id == letter_id))).scalar_one_or_none()


async def is_dropped(session: AsyncSession, letter_id: int) -> bool:
    """Whether a letter is not to be tried again."""
    query = select(Letter.dropped).where(Letter.id == letter_id)
    return bool((await session.execute(query)).scalar_one_or_none())


async def note(
    session: AsyncSession,
    letter_id: int,
    *,
    tries: int,
    dropped: str,
    sent_at: datetime | None,
    due_at: datetime | None,
) -> bool:
    """Writes down what came of a try; ``False``: it is no longer the latest one."""
    values: dict[str, Any] = {"dropped": dropped}
    if sent_at is not None:
        values["sent_at"] = sent_at
    if due_at is not None:
        values["due_at"] = due_at
    mine = (Letter.id == letter_id, Letter.tries == tries, Letter.sent_at.is_(None))
    noted = update(Letter).where(*mine).values(**values).returning(Letter.id)
    return bool((await session.execute(noted.execution_options(synchronize_session=False))).all())


async def count_recent(session: AsyncSession, user_id: int, *, kind: str, since: datetime) -> int:
    """How many letters of a kind somebody was written lately."""
    query = select(func.count()).select_from(Letter)
    query = query.where(Letter.user_id == user_id, Letter.kind == kind, Letter.due_at > since)
    return (await session.execute(query)).scalar_one()


async def drop_waiting(session: AsyncSession, user_id: int, *, kind: str) -> None:
    """Takes letters of a kind that are not on their way yet out of the outbox."""
    await session.execute(
        delete(Letter).where(
            Letter.user_id == user_id, Letter.kind == kind, Letter.sent_at.is_(None), Letter.dropped == ""
        )
    )


async def drop_old(session: AsyncSession, *, before: datetime) -> None:
    """Forgets letters that nothing more will come of."""
    done = or_(Letter.sent_at < before, (Letter.dropped != "") & (Letter.due_at < before))
    await session.execute(delete(Letter).where(done))
