"""Queries about tables, seats and entries."""

from collections.abc import Sequence

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Entry, Seat, Table, User

UNFINISHED = ("waiting", "playing")


async def find_table(session: AsyncSession, table_id: int, *, lock: bool = False) -> Table | None:
    """A table by its number; ``lock``: no other transaction changes it until this one ends."""
    query = select(Table).where(Table.id == table_id)
    return (await session.execute(query.with_for_update() if lock else query)).scalar_one_or_none()


async def find_table_id(session: AsyncSession, key: str) -> int | None:
    """The number of the table at that address."""
    return (await session.execute(select(Table.id).where(Table.key == key))).scalar_one_or_none()


async def find_key(session: AsyncSession, table_id: int) -> str | None:
    """The address of the table of that number."""
    return (await session.execute(select(Table.key).where(Table.id == table_id))).scalar_one_or_none()


async def list_seats(session: AsyncSession, table_ids: Sequence[int]) -> list[tuple[Seat, str | None]]:
    """The seats of these tables in order, each with the name of the person on it."""
    query = (
        select(Seat, User.name)
        .outerjoin(User, User.id == Seat.user_id)
        .where(Seat.table_id.in_(table_ids))
        .order_by(Seat.table_id, Seat.seat)
    )
    return [(row[0], row[1]) for row in await session.execute(query)]


async def list_entries(session: AsyncSession, table_id: int, *, after: int = 0) -> list[Entry]:
    """The entries of a table that came after a version, in order."""
    query = select(Entry).where(Entry.table_id == table_id, Entry.seq > after).order_by(Entry.seq)
    return list((await session.execute(query)).scalars())


async def list_versions(session: AsyncSession, table_ids: Sequence[int]) -> list[tuple[int, int, int]]:
    """Number, version and changes of these tables: what a sweep compares."""
    query = select(Table.id, Table.version, Table.changed).where(Table.id.in_(table_ids))
    return [(row[0], row[1], row[2]) for row in (await session.execute(query)).all()]


async def list_tables_of(session: AsyncSession, user_id: int) -> list[Table]:
    """A person's unfinished tables."""
    sits = exists().where(Seat.table_id == Table.id, Seat.user_id == user_id)
    query = select(Table).where(sits, Table.status.in_(UNFINISHED)).order_by(Table.moved_at.desc()).limit(50)
    return list((await session.execute(query)).scalars())


async def list_open_tables(session: AsyncSession, *, not_of: int | None) -> list[Table]:
    """Public tables that wait for people, the newest first, without those this person sits at."""
    free = exists().where(Seat.table_id == Table.id, Seat.user_id.is_(None), Seat.bot == "")
    query = select(Table).where(Table.status == "waiting", Table.public, free)
    if not_of is not None:
        query = query.where(~exists().where(Seat.table_id == Table.id, Seat.user_id == not_of))
    return list((await session.execute(query.order_by(Table.created_at.desc()).limit(60))).scalars())


async def note_change(session: AsyncSession, user_id: int) -> list[tuple[int, int, int]]:
    """Raises ``changed`` of a person's unfinished tables: number, version and changes of each."""
    sits = exists().where(Seat.table_id == Table.id, Seat.user_id == user_id)
    query = select(Table).where(sits, Table.status.in_(UNFINISHED)).order_by(Table.id).with_for_update()
    found = list((await session.execute(query)).scalars())
    for table in found:
        table.changed += 1
    return [(table.id, table.version, table.changed) for table in found]


async def count_unfinished(session: AsyncSession, host_id: int) -> int:
    """How many unfinished tables a person has opened."""
    query = select(Table.id).where(Table.host_id == host_id, Table.status.in_(UNFINISHED))
    return len((await session.execute(query)).all())


async def list_playing(session: AsyncSession, *, with_bots: bool = False) -> list[int]:
    """The numbers of all tables in play; ``with_bots``: those at which a bot sits."""
    query = select(Table.id).where(Table.status == "playing").order_by(Table.id)
    if with_bots:
        query = query.where(exists().where(Seat.table_id == Table.id, Seat.bot != ""))
    return list((await session.execute(query)).scalars())


async def list_all(session: AsyncSession) -> list[int]:
    """The numbers of all tables."""
    return list((await session.execute(select(Table.id).order_by(Table.id))).scalars())


def seats_by_table(rows: Sequence[tuple[Seat, str | None]]) -> dict[int, list[tuple[Seat, str | None]]]:
    """The rows of :func:`list_seats`, by table."""
    found: dict[int, list[tuple[Seat, str | None]]] = {}
    for seat, name in rows:
        found.setdefault(seat.table_id, []).append((seat, name))
    return found
