"""Queries about tables, seats and entries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, case, exists, func, or_, select, text, true, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Entry, Invitation, Remark, Seat, SharedSeat, Table, User

UNFINISHED = ("waiting", "playing")
MOST_OPEN = 200


class Sitting(NamedTuple):
    """A seat and what is known of the person on it; ``left``: what who left it to a bot was called then.

    ``beside``: the name is that of somebody who plays it on the person's device; ``opened``: what it knows may be
    seen there. ``preferences``: what the person chose."""

    seat: Seat
    name: str
    language: str
    seen_at: datetime | None
    left: str
    beside: bool
    opened: bool
    preferences: dict[str, Any]


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


async def find_offer(session: AsyncSession, offer_key: str) -> Seat | None:
    """The seat that somebody left and that is offered under that address."""
    if not (offer_key.isascii() and offer_key.isalnum()):
        return None
    return (await session.execute(select(Seat).where(Seat.offer_key == offer_key))).scalar_one_or_none()


async def find_before(session: AsyncSession, table_id: int) -> Table | None:
    """The table whose rematch that one is, locked."""
    query = select(Table).where(Table.rematch_id == table_id).limit(1).with_for_update()
    return (await session.execute(query)).scalar_one_or_none()


async def list_seats(session: AsyncSession, table_ids: Sequence[int]) -> list[Sitting]:
    """The seats of these tables in order, each with who sits there or left it."""
    query = (
        select(
            Seat,
            User.name,
            User.language,
            User.seen_at,
            SharedSeat.name,
            SharedSeat.opened,
            User.preferences,
        )
        .outerjoin(User, User.id == Seat.user_id)
        .outerjoin(
            SharedSeat,
            and_(
                SharedSeat.table_id == Seat.table_id,
                SharedSeat.seat == Seat.seat,
                SharedSeat.user_id == Seat.user_id,
            ),
        )
        .where(Seat.table_id.in_(table_ids))
        .order_by(Seat.table_id, Seat.seat)
    )
    return [
        Sitting(
            seat,
            beside or name or "",
            language or "",
            seen_at,
            seat.left_name if seat.left_id is not None else "",
            bool(beside),
            bool(opened),
            wishes or {},
        )
        for seat, name, language, seen_at, beside, opened, wishes in await session.execute(query)
    ]


async def list_entries(session: AsyncSession, table_id: int, *, after: int = 0) -> list[Entry]:
    """The entries of a table that came after a version, in order."""
    query = select(Entry).where(Entry.table_id == table_id, Entry.seq > after).order_by(Entry.seq)
    return list((await session.execute(query)).scalars())


async def list_versions(session: AsyncSession, table_ids: Sequence[int]) -> list[tuple[int, int, int]]:
    """Number, version and changes of these tables: what a sweep compares."""
    query = select(Table.id, Table.version, Table.changed).where(Table.id.in_(table_ids))
    return [(row[0], row[1], row[2]) for row in (await session.execute(query)).all()]


async def list_tables_of(session: AsyncSession, user_id: int, *, open_only: bool = False) -> list[Table]:
    """A person's unfinished tables, and those in play that they left to a bot; ``open_only``: those in the lobby."""
    sits = exists().where(Seat.table_id == Table.id, Seat.user_id == user_id)
    left = exists().where(Seat.table_id == Table.id, Seat.left_id == user_id)
    mine = or_(sits & Table.status.in_(UNFINISHED), left & (Table.status == "playing"))
    query = select(Table).where(mine, is_open() if open_only else true())
    return list((await session.execute(query.order_by(Table.moved_at.desc()).limit(50))).scalars())


def is_open() -> ColumnElement[bool]:
    """Whether the lobby shows a table to everybody, and somebody may still sit down."""
    free = exists().where(Seat.table_id == Table.id, Seat.user_id.is_(None), Seat.bot == "")
    return and_(Table.status == "waiting", Table.public, ~Table.hidden, free)


async def list_open_tables(session: AsyncSession) -> list[Table]:
    """The tables that wait for anybody, the newest first."""
    query = select(Table).where(is_open()).order_by(Table.created_at.desc(), Table.id.desc()).limit(MOST_OPEN)
    return list((await session.execute(query)).scalars())


async def list_invited_to(session: AsyncSession, user_id: int) -> list[tuple[Table, str]]:
    """The tables before the start to which a person is asked and has not said no, and by whom."""
    sits = exists().where(Seat.table_id == Table.id, Seat.user_id == user_id)
    query = (
        select(Table, User.name)
        .join(Invitation, Invitation.table_id == Table.id)
        .outerjoin(User, User.id == Invitation.by_id)
        .where(Invitation.user_id == user_id, ~Invitation.declined, Table.status == "waiting", ~sits)
        .order_by(Invitation.created_at.desc())
        .limit(20)
    )
    return [(row[0], row[1] or "") for row in await session.execute(query)]


async def list_moments(session: AsyncSession, moments: Sequence[tuple[int, int]]) -> dict[tuple[int, int], datetime]:
    """When these entries (table and number) were written."""
    query = select(Entry.table_id, Entry.seq, Entry.at).where(tuple_(Entry.table_id, Entry.seq).in_(moments))
    return {(row[0], row[1]): row[2] for row in await session.execute(query)} if moments else {}


async def list_audience(session: AsyncSession, table_ids: Sequence[int]) -> dict[int, tuple[bool, set[int]]]:
    """Whom a change of these tables concerns: whether the lobby lists it, and who sits, sat or is asked there."""
    query = select(Table.id, is_open()).where(Table.id.in_(table_ids))
    found: dict[int, tuple[bool, set[int]]] = {row[0]: (row[1], set()) for row in await session.execute(query)}
    seated = select(Seat.table_id, Seat.user_id, Seat.left_id).where(Seat.table_id.in_(table_ids))
    for table_id, user_id, left_id in await session.execute(seated):
        found[table_id][1].update(number for number in (user_id, left_id) if number is not None)
    asked = select(Invitation.table_id, Invitation.user_id).where(Invitation.table_id.in_(table_ids))
    for row in await session.execute(asked):
        found[row[0]][1].add(row[1])
    return found


async def keep_quiet(session: AsyncSession, table_id: int, *, seat: int | None = None) -> None:
    """Writes down the quiet hours of those who sit there (or on one seat) as they are now, for this game."""
    hours = User.quiet + " " + User.time_zone
    one = true() if seat is None else Seat.seat == seat
    query = update(Seat).where(Seat.table_id == table_id, one, Seat.user_id == User.id)
    kept = case((User.quiet == "", ""), else_=func.rtrim(hours))
    await session.execute(query.values(quiet=kept).execution_options(synchronize_session=False))


async def hold_quick(session: AsyncSession) -> None:
    """Lets this transaction be the only one that looks for a free seat, until it ends."""
    await session.execute(text("SELECT pg_advisory_xact_lock(hashtext('semiramis quick'))"))


async def hold_sweep(session: AsyncSession) -> bool:
    """Whether no other transaction looks for quiet tables; none does until this one ends."""
    query = text("SELECT pg_try_advisory_xact_lock(hashtext('semiramis sweep'))")
    return bool((await session.execute(query)).scalar_one())


async def list_quiet(
    session: AsyncSession, status: str, *, quiet: datetime, warned: datetime, most: int
) -> list[Table]:
    """Tables at which nothing has happened since ``quiet`` and whose people were not told so, or were told before
    ``warned``; locked, without those that somebody changes at this moment."""
    untold = or_(Table.warned_at.is_(None), Table.warned_at < Table.moved_at)
    due = or_(and_(untold, Table.moved_at < quiet), and_(~untold, Table.warned_at < warned))
    query = select(Table).where(Table.status == status, ~Table.paused, due).order_by(Table.id).limit(most)
    return list((await session.execute(query.with_for_update(skip_locked=True))).scalars())


async def note_change(session: AsyncSession, user_id: int) -> list[tuple[int, int, int]]:
    """Raises ``changed`` of the unfinished tables that show what a person is called now, because they sit there or,
    before the start, said something: number, version and changes of each."""
    sits = exists().where(Seat.table_id == Table.id, Seat.user_id == user_id)
    said = exists().where(Remark.table_id == Table.id, Remark.user_id == user_id)
    shown = or_(sits & Table.status.in_(UNFINISHED), said & (Table.status == "waiting"))
    query = select(Table).where(shown).order_by(Table.id).with_for_update()
    found = list((await session.execute(query)).scalars())
    for table in found:
        table.changed += 1
    return [(table.id, table.version, table.changed) for table in found]


async def count_unfinished(session: AsyncSession, host_id: int) -> int:
    """How many unfinished tables a person has opened."""
    query = select(Table.id).where(Table.host_id == host_id, Table.status.in_(UNFINISHED))
    return len((await session.execute(query)).all())


async def list_playing(session: AsyncSession, *, with_bots: bool = False) -> list[int]:
    """The numbers of all tables in play; ``with_bots``: those at which a bot plays, or may when time is up."""
    query = select(Table.id).where(Table.status == "playing").order_by(Table.id)
    if with_bots:
        bot = exists().where(Seat.table_id == Table.id, Seat.bot != "")
        query = query.where(or_(bot, Table.pace["up"].astext == "bot"), ~Table.paused)
    return list((await session.execute(query)).scalars())


async def list_all(session: AsyncSession) -> list[int]:
    """The numbers of all tables."""
    return list((await session.execute(select(Table.id).order_by(Table.id))).scalars())


def seats_by_table(rows: Sequence[Sitting]) -> dict[int, list[Sitting]]:
    """The rows of :func:`list_seats`, by table."""
    found: dict[int, list[Sitting]] = {}
    for row in rows:
        found.setdefault(row.seat.table_id, []).append(row)
    return found
