"""Seats that one person holds for somebody who shares the device."""

from collections.abc import Sequence

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, SmallInteger, Text, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base


class SharedSeat(Base):
    """A seat with the name of who plays it on the device of ``user_id``; it counts while that person holds the seat.

    ``opened``: the gate before what the seat knows is open.
    """

    __tablename__ = "shared_seats"
    __table_args__ = (
        ForeignKeyConstraint(["table_id", "seat"], ["seats.table_id", "seats.seat"], ondelete="CASCADE"),
    )

    table_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(Text)
    opened: Mapped[bool] = mapped_column(server_default=text("false"))


async def list_shared(session: AsyncSession, table_ids: Sequence[int]) -> list[SharedSeat]:
    """The shared seats of these tables."""
    query = (
        select(SharedSeat).where(SharedSeat.table_id.in_(table_ids)).order_by(SharedSeat.table_id, SharedSeat.seat)
    )
    return list((await session.execute(query)).scalars())


async def share(session: AsyncSession, table_id: int, seat: int, *, user_id: int, name: str) -> None:
    """Somebody of that name plays this seat on that person's device."""
    told = {"user_id": user_id, "name": name, "opened": False}
    made = insert(SharedSeat).values(table_id=table_id, seat=seat, **told)
    await session.execute(made.on_conflict_do_update(constraint="pk_shared_seats", set_=told))


async def open_gate(session: AsyncSession, table_id: int, seats: Sequence[int], *, seat: int | None) -> None:
    """Of these seats only one shows what it knows."""
    mine = SharedSeat.table_id == table_id, SharedSeat.seat.in_(seats)
    await session.execute(update(SharedSeat).where(*mine).values(opened=SharedSeat.seat == seat))
