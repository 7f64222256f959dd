"""Queries about what is said at tables, and about who does not want to hear whom."""

from collections.abc import Collection, Sequence
from datetime import datetime

import msgspec
from sqlalchemy import ColumnElement, Row, Select, case, delete, exists, func, literal, or_, select, union_all, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Mute, Remark, Report, Seat, Table, User

ROOMS = ("seats", "watchers")
LARGEST = 2**62


class Said(msgspec.Struct, frozen=True):
    """A remark as it is kept in mind: who said what in which room, and what decides who hears it. ``name``: what the
    person is called, or, while a game goes on at which they do not sit, what they were called when they said it."""

    id: int
    room: str
    user_id: int
    name: str
    seat: int | None
    words: str
    private: bool
    removed: bool
    at: datetime


def _said() -> Select[Remark, str]:
    sits = exists().where(Seat.table_id == Remark.table_id, Seat.user_id == Remark.user_id)
    name = case(((Table.status == "playing") & ~sits, Remark.name), else_=User.name)
    joined = select(Remark, name).join(User, User.id == Remark.user_id)
    return joined.join(Table, Table.id == Remark.table_id)


def _read(rows: Sequence[Row[Remark, str]]) -> tuple[Said, ...]:
    return tuple(
        Said(
            id=remark.id,
            room=remark.room,
            user_id=remark.user_id,
            name=name,
            seat=remark.seat,
            words=remark.words,
            private=remark.private,
            removed=remark.removed,
            at=remark.at,
        )
        for remark, name in reversed(rows)
    )


async def list_latest(session: AsyncSession, table_id: int, *, most: int) -> tuple[Said, ...]:
    """The latest remarks of both rooms of a table, so many of each, the newest last."""
    newest = [
        select(Remark.id)
        .where(Remark.table_id == table_id, Remark.room == room)
        .order_by(Remark.id.desc())
        .limit(most)
        .subquery()
        for room in ROOMS
    ]
    ids = union_all(*(select(each.c.id) for each in newest))
    query = _said().where(Remark.id.in_(ids)).order_by(Remark.id.desc())
    return _read((await session.execute(query)).all())


async def list_before(
    session: AsyncSession, table_id: int, *, before: int | None, heard: ColumnElement[bool], most: int
) -> tuple[Said, ...]:
    """The latest remarks of a table that came before one and that somebody hears, the newest last."""
    query = _said().where(Remark.table_id == table_id, heard).order_by(Remark.id.desc()).limit(most)
    if before is not None:
        query = query.where(Remark.id < before)
    return _read((await session.execute(query)).all())


async def list_around(session: AsyncSession, remark: Remark, *, most: int) -> tuple[Said, ...]:
    """A remark with those before and after it in the same room."""
    room = Remark.table_id == remark.table_id, Remark.room == remark.room
    until = _said().where(*room, Remark.id <= remark.id).order_by(Remark.id.desc()).limit(most + 1)
    after = _said().where(*room, Remark.id > remark.id).order_by(Remark.id).limit(most)
    later = (await session.execute(after)).all()
    return (*_read((await session.execute(until)).all()), *_read(list(reversed(later))))


async def find(session: AsyncSession, remark_id: int, *, lock: bool = False) -> Remark | None:
    """A remark by its number."""
    if not 0 < remark_id < LARGEST:
        return None
    query = select(Remark).where(Remark.id == remark_id)
    return (await session.execute(query.with_for_update() if lock else query)).scalar_one_or_none()


async def find_once(session: AsyncSession, user_id: int, once: str) -> Remark | None:
    """What somebody has said under that name."""
    query = select(Remark).where(Remark.user_id == user_id, Remark.once == once)
    return (await session.execute(query)).scalar_one_or_none()


async def add(session: AsyncSession, table_id: int, said: Said, *, once: str) -> None:
    """Keeps a remark; when the person says something else under the name ``once`` at this moment, at another table,
    without that name."""
    for name in (once, ""):
        values = {"room": said.room, "seat": said.seat, "name": said.name, "words": said.words}
        made = insert(Remark).values(
            table_id=table_id, user_id=said.user_id, private=said.private, once=name, at=said.at, **values
        )
        if (await session.execute(made.on_conflict_do_nothing().returning(Remark.id))).all():
            return


async def list_mutes(session: AsyncSession, speakers: Collection[int]) -> frozenset[tuple[int, int]]:
    """Who does not want to hear these people: pairs of who and whom."""
    if not speakers:
        return frozenset()
    query = select(Mute.user_id, Mute.muted_id).where(Mute.muted_id.in_(speakers))
    return frozenset((row[0], row[1]) for row in await session.execute(query))


async def list_muted(session: AsyncSession, user_id: int) -> list[tuple[int, str, datetime]]:
    """Whom somebody does not want to hear: number, name as it was heard, and since when. A name that they take later
    is something that they say."""
    query = select(Mute.muted_id, Mute.name, Mute.at).where(Mute.user_id == user_id).order_by(Mute.at, Mute.muted_id)
    return [(row[0], row[1], row[2]) for row in await session.execute(query)]


async def mute(session: AsyncSession, user_id: int, muted_id: int, *, name: str, at: datetime) -> bool:
    """Somebody does not want to hear another, of that name when it was heard; whether that is new."""
    made = insert(Mute).values(user_id=user_id, muted_id=muted_id, name=name, at=at)
    return bool((await session.execute(made.on_conflict_do_nothing().returning(Mute.user_id))).all())


async def unmute(session: AsyncSession, user_id: int, muted_id: int) -> bool:
    """Somebody hears another again; whether that is new."""
    gone = delete(Mute).where(Mute.user_id == user_id, Mute.muted_id == muted_id)
    return bool((await session.execute(gone.returning(Mute.user_id))).all())


async def list_said(session: AsyncSession, user_id: int) -> list[tuple[Remark, str]]:
    """Everything that somebody said, each with the address of the table."""
    query = select(Remark, Table.key).join(Table, Table.id == Remark.table_id).where(Remark.user_id == user_id)
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Remark.id))]


async def list_reports_by(session: AsyncSession, user_id: int) -> list[tuple[Report, str]]:
    """What somebody reported, each with the address of the table."""
    query = (
        select(Report, Table.key)
        .join(Remark, Remark.id == Report.remark_id)
        .join(Table, Table.id == Remark.table_id)
        .where(Report.by_id == user_id)
    )
    return [(row[0], row[1]) for row in await session.execute(query.order_by(Report.at))]


async def hand_on(session: AsyncSession, *, guest_id: int, into_id: int) -> None:
    """What a guest said, did not want to hear and reported is another's; and whoever did not hear the one does not
    hear the other."""
    await session.execute(update(Remark).where(Remark.user_id == guest_id).values(user_id=into_id, once=""))
    heard = Mute.name, Mute.at
    own = select(literal(into_id), Mute.muted_id, *heard).where(Mute.user_id == guest_id, Mute.muted_id != into_id)
    others = select(Mute.user_id, literal(into_id), *heard).where(Mute.muted_id == guest_id, Mute.user_id != into_id)
    for taken_over in (own, others):
        made = insert(Mute).from_select(["user_id", "muted_id", "name", "at"], taken_over)
        await session.execute(made.on_conflict_do_nothing())
    reported = select(Report.remark_id, literal(into_id), Report.outcome, Report.at).where(Report.by_id == guest_id)
    made = insert(Report).from_select(["remark_id", "by_id", "outcome", "at"], reported)
    await session.execute(made.on_conflict_do_nothing())


async def forget_person(session: AsyncSession, user_id: int) -> None:
    """Lets go of what a person said, did not want to hear and reported, and of who did not want to hear them."""
    await session.execute(delete(Remark).where(Remark.user_id == user_id))
    await session.execute(delete(Mute).where(or_(Mute.user_id == user_id, Mute.muted_id == user_id)))
    await session.execute(delete(Report).where(Report.by_id == user_id))


async def forget_old(session: AsyncSession, *, quiet_since: datetime, most: int) -> int:
    """Lets go of what was said at tables that ended and at which nothing has happened since, and of all but so many
    of the latest remarks of each room; how many they were."""
    ended = Table.status.in_(("over", "cancelled")) & (Table.moved_at < quiet_since)
    old = exists().where(Table.id == Remark.table_id, ended, Remark.at < quiet_since)
    gone = (await session.execute(delete(Remark).where(old).returning(Remark.id))).all()
    place = func.row_number().over(partition_by=(Remark.table_id, Remark.room), order_by=Remark.id.desc())
    numbered = select(Remark.id, place.label("place")).subquery()
    beyond = select(numbered.c.id).where(numbered.c.place > most)
    many = (await session.execute(delete(Remark).where(Remark.id.in_(beyond)).returning(Remark.id))).all()
    return len(gone) + len(many)
