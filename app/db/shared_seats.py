"""Queries about seats that one person holds for somebody who shares the device."""

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import SharedSeat, Table

Beside = tuple[int, str]
"""Who holds a seat for somebody, and what that one is called."""


async def share(session: AsyncSession, table_id: int, seat: int, *, user_id: int, name: str) -> None:
    """Somebody of that name plays this seat on that person's device."""
    told = {"user_id": user_id, "name": name, "opened": False}
    made = insert(SharedSeat).values(table_id=table_id, seat=seat, **told)
    await session.execute(made.on_conflict_do_update(constraint="pk_shared_seats", set_=told))


async def open_gate(
    session: AsyncSession, table_id: int, seats: Sequence[int], *, user_id: int, seat: int | None
) -> None:
    """Of these seats, all that a person holds, only one shows what it knows."""
    of_others = SharedSeat.table_id == table_id, SharedSeat.seat.in_(seats), SharedSeat.user_id != user_id
    await session.execute(delete(SharedSeat).where(*of_others))
    rows = [
        {"table_id": table_id, "seat": each, "user_id": user_id, "name": "", "opened": each == seat} for each in seats
    ]
    made = insert(SharedSeat).values(rows)
    await session.execute(
        made.on_conflict_do_update(constraint="pk_shared_seats", set_={"opened": made.excluded.opened})
    )


async def unshare(session: AsyncSession, table_id: int, seats: Sequence[int]) -> None:
    """Nobody beside another plays these seats any more."""
    await session.execute(delete(SharedSeat).where(SharedSeat.table_id == table_id, SharedSeat.seat.in_(seats)))


async def rearrange(session: AsyncSession, table_id: int, places: Mapping[int, int]) -> None:
    """Those at the seats of a table sit at others now, each key at its value; who is not named is not there."""
    query = select(SharedSeat.seat, SharedSeat.user_id, SharedSeat.name).where(SharedSeat.table_id == table_id)
    rows = [(seat, user_id, name) for seat, user_id, name in await session.execute(query)]
    await session.execute(delete(SharedSeat).where(SharedSeat.table_id == table_id))
    await session.flush()
    for seat, user_id, name in rows:
        if seat in places:
            await share(session, table_id, places[seat], user_id=user_id, name=name)


async def list_beside(session: AsyncSession, user_id: int) -> dict[int, dict[int, str]]:
    """Whom a person let play beside them: by table, then by seat, their names."""
    query = select(SharedSeat.table_id, SharedSeat.seat, SharedSeat.name).where(
        SharedSeat.user_id == user_id, SharedSeat.name != ""
    )
    found: dict[int, dict[int, str]] = {}
    for table_id, seat, name in await session.execute(query.order_by(SharedSeat.table_id, SharedSeat.seat)):
        found.setdefault(table_id, {})[seat] = name
    return found


async def hand_on(session: AsyncSession, tables: Sequence[Table], *, guest_id: int, into_id: int) -> None:
    """At these tables a guest's seats are another's."""
    theirs = SharedSeat.table_id.in_([table.id for table in tables]), SharedSeat.user_id == guest_id
    await session.execute(update(SharedSeat).where(*theirs).values(user_id=into_id))
