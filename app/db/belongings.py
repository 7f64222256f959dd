"""Queries about all that belongs to one person: tables, seats, moves; for going, merging and taking along."""

from collections.abc import Sequence

from sqlalchemy import Row, delete, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Entry, Invitation, Remark, Seat, Table


async def list_unfinished(session: AsyncSession, user_id: int) -> list[int]:
    """The tables at which a person sits and that are not over."""
    sits = exists().where(Seat.table_id == Table.id, Seat.user_id == user_id)
    query = select(Table.id).where(sits, Table.status.in_(("waiting", "playing"))).order_by(Table.id)
    return list((await session.execute(query)).scalars())


async def list_concerned(session: AsyncSession, user_id: int) -> list[tuple[int, str]]:
    """Every table at which a person sits, sat or said something, or that is theirs: its number and its game."""
    sits = exists().where(
        Seat.table_id == Table.id, or_(*(each == user_id for each in (Seat.user_id, Seat.left_id, Seat.conceded_id)))
    )
    said = exists().where(Remark.table_id == Table.id, Remark.user_id == user_id)
    query = select(Table.id, Table.slug).where(or_(sits, said, Table.host_id == user_id)).order_by(Table.id)
    return [(row[0], row[1]) for row in await session.execute(query)]


async def hold_tables(session: AsyncSession, table_ids: Sequence[int]) -> list[Table]:
    """These tables, locked until the transaction ends."""
    query = select(Table).where(Table.id.in_(table_ids)).order_by(Table.id).with_for_update()
    return list((await session.execute(query)).scalars())


async def note_all(session: AsyncSession, user_id: int) -> list[tuple[int, int, int]]:
    """Raises ``changed`` of every table that shows a person: number, version and changes of each."""
    found = await hold_tables(session, [table_id for table_id, _ in await list_concerned(session, user_id)])
    for table in found:
        table.changed += 1
    return [(table.id, table.version, table.changed) for table in found]


async def note_unfinished(session: AsyncSession, user_id: int) -> list[tuple[int, int, int]]:
    """The same for the tables at which they sit and that are not over."""
    found = await hold_tables(session, await list_unfinished(session, user_id))
    for table in found:
        table.changed += 1
    return [(table.id, table.version, table.changed) for table in found]


async def drop_claims(session: AsyncSession, user_id: int) -> None:
    """Gives up the seats that a person left and might have come back to, and what they were invited to."""
    await session.execute(update(Seat).where(Seat.left_id == user_id).values(left_id=None, left_name=""))
    await session.execute(delete(Invitation).where(Invitation.user_id == user_id))


async def list_sittings(session: AsyncSession, user_id: int) -> list[tuple[Table, Seat]]:
    """Every table at which a person has a seat or gave up, the latest first."""
    mine = or_(Seat.user_id == user_id, Seat.conceded_id == user_id)
    query = select(Table, Seat).join(Seat, Seat.table_id == Table.id).where(mine)
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Table.id.desc()))]


async def list_moves(session: AsyncSession, user_id: int) -> Sequence[Row[int, Entry]]:
    """Every entry of a log that a person wrote."""
    query = select(Entry.table_id, Entry).where(Entry.user_id == user_id).order_by(Entry.table_id, Entry.seq)
    return (await session.execute(query)).all()
