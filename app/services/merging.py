"""A guest becomes part of an account: tables, invitations and results go over, nothing is lost."""

from datetime import datetime

from sqlalchemy import delete, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db import belongings, notices, results, shared_seats, talk, visits
from app.db.models import (
    Hush,
    Invitation,
    Letter,
    Login,
    Look,
    Result,
    Seat,
    SharedSeat,
    Subscription,
    Table,
    Token,
    User,
    Visit,
)
from app.db.models import Notice as Told
from app.services import clock, ratings
from app.services.accounts import Notice
from app.services.lobby import OFFER_LENGTH, STAND_IN, new_key

GONE = "—"
"""What somebody is called who is no longer here; a sign, so that it needs no translation."""


async def merge(session: AsyncSession, *, guest_id: int, into_id: int) -> list[Notice]:
    """Gives an account everything of a guest, who is no more afterwards; what to ring for after the commit.

    Where both sit at one table the account keeps its seat and the guest's is given up: it is free before the start;
    in play a bot has it, and whoever sits there may offer it to somebody else. A game that both played to its end was
    played by one person, and is not rated.
    """
    for user_id in sorted((guest_id, into_id)):
        await queries.hold_user(session, user_id)
    guest = await queries.find_user(session, guest_id)
    account = await queries.find_user(session, into_id)
    if guest is None or account is None or not guest.guest or account.guest:
        return []  # the guest has made an account, or the account has gone, a moment ago
    concerned = await belongings.list_concerned(session, guest_id)
    for slug in sorted({slug for _, slug in concerned}):
        await results.hold_ratings(session, slug)
    tables = await belongings.hold_tables(session, [table_id for table_id, _ in concerned])
    await _seats(session, tables, guest_id=guest_id, into_id=into_id)
    first = await _results(session, guest_id=guest_id, into_id=into_id)
    for slug, since in sorted(first.items()):
        await ratings.retell(session, slug, since=since)
    await _invitations(session, guest_id=guest_id, into_id=into_id)
    await visits.hand_on(session, guest_id=guest_id, into_id=into_id)
    await talk.hand_on(session, guest_id=guest_id, into_id=into_id)
    await notices.hand_on(session, guest_id=guest_id, into_id=into_id)
    if guest.muted_until is not None:
        account.muted_until = max(guest.muted_until, account.muted_until or guest.muted_until)
    await forget(session, guest)
    return [(table.id, table.version, table.changed) for table in tables]


async def _seats(session: AsyncSession, tables: list[Table], *, guest_id: int, into_id: int) -> None:
    taken_over = []
    for table in tables:
        seats = list((await session.execute(select(Seat).where(Seat.table_id == table.id))).scalars())
        both = any(seat.user_id == into_id for seat in seats)
        bound = [each for seat in seats for each in (seat.user_id, seat.conceded_id)]
        sits = guest_id in bound or into_id in bound
        had_left = any(seat.left_id == into_id for seat in seats)
        for seat in seats:
            if seat.user_id == guest_id and not both:
                seat.user_id = into_id
            elif seat.user_id == guest_id and table.status in {"waiting", "playing"}:
                seat.user_id, seat.ready = None, False
                if table.status == "playing":
                    seat.bot, seat.offer_key = STAND_IN, new_key(OFFER_LENGTH)
            if seat.conceded_id == guest_id:
                seat.conceded_id = into_id
            if sits and seat.left_id in {guest_id, into_id}:
                seat.left_id = None  # one person, who has a seat or gave one up
            elif seat.left_id == guest_id:
                seat.left_id = None if had_left else into_id
        if table.host_id == guest_id:
            table.host_id = into_id
        table.changed += 1
        if not both:
            taken_over.append(table)
    await session.flush()
    await shared_seats.hand_on(session, taken_over, guest_id=guest_id, into_id=into_id)


async def _results(session: AsyncSession, *, guest_id: int, into_id: int) -> dict[str, datetime]:
    """Moves the results over; by game, since when ratings must be computed again."""
    mine = select(Result.table_id).where(Result.user_id == into_id)
    theirs = select(Result.table_id).where(Result.user_id == guest_id)
    both = Result.table_id.in_(mine) & Result.table_id.in_(theirs)
    changed = or_(Result.user_id == guest_id, both)
    query = select(Result.slug, func.min(Result.at)).where(Result.rated, changed).group_by(Result.slug)
    since = {row[0]: row[1] for row in await session.execute(query)}
    await session.execute(
        update(Result)
        .where(both)
        .values(rated=False, mu=None, sigma=None)
        .execution_options(synchronize_session=False)
    )
    await session.execute(
        update(Result)
        .where(Result.user_id == guest_id, Result.table_id.not_in(mine))
        .values(user_id=into_id)
        .execution_options(synchronize_session=False)
    )
    return since


async def _invitations(session: AsyncSession, *, guest_id: int, into_id: int) -> None:
    asked = select(
        Invitation.table_id, literal(into_id), Invitation.by_id, Invitation.declined, Invitation.created_at
    )
    columns = ["table_id", "user_id", "by_id", "declined", "created_at"]
    taken_over = insert(Invitation).from_select(columns, asked.where(Invitation.user_id == guest_id))
    await session.execute(taken_over.on_conflict_do_nothing())
    await session.execute(delete(Invitation).where(Invitation.user_id == guest_id))
    await session.execute(update(Invitation).where(Invitation.by_id == guest_id).values(by_id=into_id))


async def forget(session: AsyncSession, user: User) -> None:
    """Keeps the row, because logs and results name it, and nothing in it that tells who this was, nor what they
    said."""
    user.name, user.name_key = GONE, None
    user.guest, user.password_hash = True, None
    user.email = user.email_confirmed_at = None
    user.role, user.language, user.time_zone, user.quiet, user.preferences = "", "", "", "", {}
    user.muted_until, user.deleted_at = None, clock.now()
    for kind in (Login, Token, Letter, SharedSeat, Visit, Told, Look, Hush, Subscription):
        await session.execute(delete(kind).where(kind.user_id == user.id))
    await talk.forget_person(session, user.id)
