"""How much of a table's log somebody has seen, and when."""

from datetime import datetime

from sqlalchemy import DateTime, ForeignKey, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base


class Visit(Base):
    """A person's latest look at a table: ``version`` is how many entries it showed."""

    __tablename__ = "visits"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    version: Mapped[int]
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())


async def find_visit(session: AsyncSession, table_id: int, user_id: int) -> Visit | None:
    """Somebody's latest look at a table."""
    query = select(Visit).where(Visit.table_id == table_id, Visit.user_id == user_id)
    return (await session.execute(query)).scalar_one_or_none()


async def note_visit(session: AsyncSession, table_id: int, user_id: int, *, version: int) -> None:
    """Somebody looks now and sees so many entries; what was seen stays seen."""
    made = insert(Visit).values(table_id=table_id, user_id=user_id, version=version)
    seen = func.greatest(Visit.version, made.excluded.version)
    await session.execute(
        made.on_conflict_do_update(constraint="pk_visits", set_={"version": seen, "at": func.now()})
    )
