"""What admins do to tables. Everybody who sees the table sees that it was done, and why."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app import games
from app.db import accounts
from app.db import tables as queries
from app.db.models import Seat, Table, User
from app.engine import log
from app.services import clock, editions
from app.services.accounts import Me
from app.services.admin import audit, rights
from app.services.errors import (
    BadTable,
    GameOver,
    GaveUp,
    LogParted,
    NoSuchPerson,
    NoSuchTable,
    NotStarted,
    NotYourSeat,
    SeatTaken,
)
from app.services.names import name_key
from app.services.ratings import settle_soon
from app.services.rooms import Room
from app.services.server import Server

ADMIN = "admin"
"""What ``tables.ended`` says when an admin ended it."""


@dataclass
class Acting:
    """An act under way: the table is held until it is done. ``facts`` go into the record, as its line number
    ``line``; ``idle``: it was so already, and nothing is written."""

    session: AsyncSession
    actor: User
    table: Table
    seats: list[Seat]
    facts: dict[str, Any] = field(default_factory=dict)
    idle: bool = False
    line: int = 0


@asynccontextmanager
async def acting(
    server: Server, me: Me, table_id: int, power: str, *, act: str = "", reason: str, needed: bool = True
) -> AsyncIterator[Acting]:
    """One act at one table: checked, done, written into the record, and told to every page. ``act``: its word in the
    record, when it is not that of the power.

    Raises ``NotAllowed``, ``NeedsReason``, :class:`NoSuchTable`.
    """
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, power)
        kept = audit.clean_reason(reason, needed=needed)
        table = await queries.find_table(session, table_id, lock=True)
        if table is None:
            raise NoSuchTable
        seats = [row[0] for row in await queries.list_seats(session, [table_id])]
        doing = Acting(session, actor, table, seats)
        yield doing
        if doing.idle:
            return
        table.changed += 1
        doing.line = await audit.note(session, actor, act or power, table_id=table_id, reason=kept, facts=doing.facts)
    server.ring(table_id, table.version, table.changed)


def check_unfinished(table: Table) -> None:
    """Raises :class:`GameOver`."""
    if table.status not in queries.UNFINISHED:
        raise GameOver


async def pause(server: Server, me: Me, table_id: int, *, reason: str) -> None:
    """Lets nobody act at a table in play, bots included.

    Raises as :func:`acting`, :class:`NotStarted`, :class:`GameOver`.
    """
    async with acting(server, me, table_id, "pause", reason=reason) as doing:
        if doing.table.status == "waiting":
            raise NotStarted
        check_unfinished(doing.table)
        doing.idle = doing.table.paused
        doing.table.paused = True


async def resume(server: Server, me: Me, table_id: int, *, reason: str = "") -> None:
    """Lets a paused table go on. Raises as :func:`acting`."""
    async with acting(server, me, table_id, "pause", act="resume", reason=reason, needed=False) as doing:
        doing.idle = not doing.table.paused
        doing.table.paused = False


async def hide(server: Server, me: Me, table_id: int, *, reason: str) -> None:
    """Keeps a table out of the lobby, whatever its host says. Raises as :func:`acting`."""
    async with acting(server, me, table_id, "hide", reason=reason) as doing:
        doing.idle = doing.table.hidden
        doing.table.hidden = True


async def unhide(server: Server, me: Me, table_id: int, *, reason: str = "") -> None:
    """Lets a table be in the lobby again, if its host wants it there. Raises as :func:`acting`."""
    async with acting(server, me, table_id, "hide", act="unhide", reason=reason, needed=False) as doing:
        doing.idle = not doing.table.hidden
        doing.table.hidden = False


async def end(server: Server, me: Me, table_id: int, *, reason: str) -> None:
    """Ends a game with the points as they stand; nobody's rating changes.

    Raises as :func:`acting`, :class:`NotStarted`, :class:`GameOver`, and :class:`LogParted` when nobody knows them.
    """
    async with acting(server, me, table_id, "end", reason=reason) as doing:
        table = doing.table
        if table.status == "waiting":
            raise NotStarted
        check_unfinished(table)
        game, position = await replayed(doing.session, table)
        table.scores = msgspec.to_builtins(game.scores(position.state))
        table.status, table.ended, table.waiting = "over", ADMIN, {}
        table.rated = table.paused = False
        table.moved_at = clock.now()
    await settle_soon(server, table_id)


async def cancel(server: Server, me: Me, table_id: int, *, reason: str) -> None:
    """Ends a table without any result. Raises as :func:`acting`, and :class:`GameOver`."""
    async with acting(server, me, table_id, "cancel", reason=reason) as doing:
        table = doing.table
        check_unfinished(table)
        table.status, table.ended, table.waiting = "cancelled", ADMIN, {}
        table.rated = table.paused = False
        table.moved_at = clock.now()


async def replace(
    server: Server, me: Me, table_id: int, *, seat: int, bot: str = "", name: str = "", reason: str
) -> None:
    """Puts a bot, or the person of that name, on a seat; before the start ``bot`` and ``name`` may both be empty, and
    the seat is free. A game that more people played than have seats is not rated. Whoever comes has said nothing yet,
    neither that they give up nor that they wish the game cancelled.

    Raises as :func:`acting`, :class:`GameOver`, :class:`BadTable`, ``NoSuchPerson``, :class:`SeatTaken`,
    :class:`GaveUp`.
    """
    async with acting(server, me, table_id, "replace", reason=reason) as doing:
        table, seats = doing.table, doing.seats
        check_unfinished(table)
        if not 0 <= seat < len(seats):
            raise BadTable(field="seat")
        sitting = seats[seat]
        if name.strip():
            user = await _known(doing.session, name)
            if any(each.user_id == user.id for each in seats):
                raise SeatTaken
            if any(each.conceded_id == user.id and each is not sitting for each in seats):
                raise GaveUp
            user_id, bot = user.id, ""
        elif bot and bot not in games.bots(table.slug):
            raise BadTable(field="bot")
        elif not bot and table.status == "playing":
            raise BadTable(field="seat")
        else:
            user_id = None
        doing.facts = {"seat": seat, "name": name.strip(), "bot": bot, "user": sitting.user_id}
        sitting.user_id, sitting.bot, sitting.ready = user_id, bot, False
        sitting.left_id = sitting.offer_key = sitting.conceded_id = sitting.conceded_at = None
        sitting.cancels = False
        if table.status == "playing":
            table.rated = False
            sitting.quiet = ""
            await doing.session.flush()
            await queries.keep_quiet(doing.session, table_id, seat=seat)
            if user_id is not None and table.pace:  # with all the time there was at first
                Room(doing.session, table, seats).mark("sat", seat=seat)
        others = [each.user_id for each in seats if each.user_id is not None]
        if table.host_id not in others and others:
            table.host_id = others[0]
        if user_id is None:
            Room(doing.session, table, seats).call_off_if_agreed(seat=seat)


async def hand_over(server: Server, me: Me, table_id: int, *, seat: int, reason: str) -> None:
    """Makes the person on a seat the host. Raises as :func:`acting`, :class:`GameOver`, :class:`NotYourSeat`."""
    async with acting(server, me, table_id, "host", reason=reason) as doing:
        check_unfinished(doing.table)
        user_id = doing.seats[seat].user_id if 0 <= seat < len(doing.seats) else None
        if user_id is None:
            raise NotYourSeat
        doing.idle = doing.table.host_id == user_id
        doing.table.host_id = user_id
        doing.facts = {"seat": seat}


async def _known(session: AsyncSession, name: str) -> User:
    """The account of that name, or else the one guest who is called that. Raises ``NoSuchPerson``."""
    key = name_key(name[:200])
    account = await accounts.find_account(session, key) if key else None
    guests = [] if account or not key else await accounts.list_guests_called(session, key)
    found = account or (guests[0] if len(guests) == 1 else None)
    if found is None or found.deleted_at is not None:
        raise NoSuchPerson
    return found


async def replayed(session: AsyncSession, table: Table) -> tuple[Any, log.Position[Any]]:
    """The game and its position as the log leads to it now. Raises :class:`LogParted`."""
    await editions.know(session, table.slug, table.edition)
    game = games.load(table.slug, table.edition)
    first = begun(game, table)
    entries = [log.Entry(each.seat, each.text) for each in await queries.list_entries(session, table.id)]
    try:
        return game, log.replay(game, first, entries)
    except Exception as fault:  # rules that have changed may say anything to an old action
        raise LogParted(seq=len(entries)) from fault


def begun(game: Any, table: Table) -> log.Position[Any]:
    """The position before the first entry of a stored table."""
    return log.begin(game, seats=table.seat_count, options=table.options, seed=table.seed, deal=table.deal or None)
