"""The lobby: which tables there are, opening one, and taking seats before the start."""

import secrets
from collections.abc import Mapping
from datetime import datetime

import msgspec
from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from app import games
from app.db import tables as queries
from app.db.accounts import hold_user
from app.db.models import Seat, Table
from app.engine import codec, log
from app.engine.contract import OptionRefused
from app.engine.editions import HOUSE
from app.services.accounts import Me
from app.services.errors import (
    AlreadyStarted,
    BadTable,
    GameOver,
    NoSuchTable,
    NotHost,
    NotOver,
    NotStarted,
    NotYourSeat,
    SeatsFree,
    SeatTaken,
    TableFull,
    TooManyTables,
)
from app.services.server import Server
from app.services.states import SeatFacts

KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
KEY_LENGTH = 12
STAND_IN = "greedy"
"""The bot that plays on for a person who leaves."""


class Listed(msgspec.Struct, frozen=True):
    """A table as the lobby lists it."""

    key: str
    slug: str
    status: str
    options: dict[str, str]
    seats: tuple[SeatFacts, ...]
    waiting: tuple[int, ...]
    moved_at: datetime
    host: str


class Wish(msgspec.Struct, frozen=True):
    """What somebody wants to play: ``bot`` fills the other seats at once, when it names one."""

    slug: str
    seats: int
    options: Mapping[str, str] = msgspec.field(default_factory=dict)
    public: bool = True
    bot: str = ""


async def list_mine(server: Server, me: Me) -> tuple[Listed, ...]:
    """My unfinished tables: those that wait for me first, the longest wait first."""
    async with server.sessions() as session:
        found = await _listed(session, await queries.list_tables_of(session, me.id))

    def order(table: Listed) -> tuple[bool, float]:
        mine = waits_for(table, me.id)
        return (not mine, table.moved_at.timestamp() if mine else -table.moved_at.timestamp())

    return tuple(sorted(found, key=order))


def waits_for(table: Listed, user_id: int) -> bool:
    """Whether this person must choose at that table."""
    return any(table.seats[seat].user_id == user_id for seat in table.waiting)


async def list_open(server: Server, me: Me | None) -> tuple[Listed, ...]:
    """Public tables with a free seat, the newest first."""
    async with server.sessions() as session:
        return await _listed(session, await queries.list_open_tables(session, not_of=me.id if me else None))


async def _listed(session: AsyncSession, tables: list[Table]) -> tuple[Listed, ...]:
    seats = queries.seats_by_table(await queries.list_seats(session, [table.id for table in tables]))
    listed = []
    for table in tables:
        sitting = tuple(SeatFacts(seat.user_id, name or "", seat.bot) for seat, name in seats[table.id])
        host = next((seat.name for seat in sitting if seat.user_id == table.host_id), "")
        listed.append(
            Listed(
                key=table.key,
                slug=table.slug,
                status=table.status,
                options=table.options,
                seats=sitting,
                waiting=tuple(sorted(int(seat) for seat in table.waiting)),
                moved_at=table.moved_at,
                host=host,
            )
        )
    return tuple(listed)


async def open_table(server: Server, me: Me, wish: Wish) -> str:
    """Opens a table and sits its host on the first seat; its address.

    With a ``bot`` the other seats are filled and the game begins. Raises :class:`BadTable`,
    :class:`TooManyTables`.
    """
    rules = games.games().get(wish.slug)
    if rules is None:
        raise BadTable(field="game")
    if wish.seats not in rules.seats:
        raise BadTable(field="seats")
    try:
        options = rules.options_for(wish.seats, wish.options)
    except OptionRefused as fault:
        raise BadTable(field=f"option.{fault.name}") from fault
    if wish.bot and wish.bot not in games.bots(wish.slug):
        raise BadTable(field="bot")
    async with server.sessions.begin() as session:
        await hold_user(session, me.id)  # so that nobody opens many at once
        if await queries.count_unfinished(session, me.id) >= server.settings.tables_per_person:
            raise TooManyTables(most=server.settings.tables_per_person)
        table = await _add_table(session, me, slug=wish.slug, options=options, public=wish.public)
        for seat in range(wish.seats):
            taken = {"user_id": me.id} if seat == 0 else {"bot": wish.bot}
            session.add(Seat(table_id=table.id, seat=seat, **taken))
        table.seat_count = wish.seats
        if wish.bot or wish.seats == 1:
            _begin(table)
        await session.flush()
    server.ring(table.id, 0, table.changed)
    return table.key


async def _add_table(session: AsyncSession, me: Me, *, slug: str, options: Mapping[str, str], public: bool) -> Table:
    game = games.load(slug)
    table = Table(
        key="".join(secrets.choice(KEY_LETTERS) for _ in range(KEY_LENGTH)),
        slug=slug,
        revision=game.revision,
        edition=HOUSE,
        edition_digest=game.edition.digest,
        seat_count=0,
        options=dict(options),
        deal={},
        seed=secrets.token_hex(32),
        status="waiting",
        public=public,
        host_id=me.id,
        version=0,
        changed=1,
        waiting={},
    )
    session.add(table)
    await session.flush()
    return table


def _begin(table: Table) -> None:
    """From here on the log may grow; who must choose first is known."""
    game = games.load(table.slug, table.edition)
    position = log.begin(
        game, seats=table.seat_count, options=table.options, seed=table.seed, deal=table.deal or None
    )
    table.status = "playing"
    table.waiting = {str(seat): since for seat, since in position.waiting.items()}
    table.started_at = table.moved_at = func.now()
    assert codec.digest(position.state)


async def _locked(session: AsyncSession, table_id: int) -> tuple[Table, list[Seat]]:
    table = await queries.find_table(session, table_id, lock=True)
    if table is None or table.status == "cancelled":
        raise NoSuchTable
    return table, [seat for seat, _ in await queries.list_seats(session, [table_id])]


async def sit(server: Server, me: Me, table_id: int, *, seat: int | None = None) -> int:
    """Takes a free seat (the first, or this one); my seat. Sitting down twice changes nothing.

    Raises :class:`NoSuchTable`, :class:`AlreadyStarted`, :class:`SeatTaken`, :class:`TableFull`.
    """
    async with server.sessions.begin() as session:
        table, seats = await _locked(session, table_id)
        mine = next((each for each in seats if each.user_id == me.id), None)
        if mine is not None and seat in {None, mine.seat}:
            return mine.seat
        if table.status != "waiting":
            raise AlreadyStarted
        free = [each for each in seats if each.user_id is None and not each.bot]
        if seat is not None:
            free = [each for each in free if each.seat == seat]
            if not free:
                raise SeatTaken
        if not free:
            raise TableFull
        if mine is not None:
            mine.user_id = None
        free[0].user_id = me.id
        table.changed += 1
    server.ring(table_id, table.version, table.changed)
    return free[0].seat


async def leave(server: Server, me: Me, table_id: int) -> None:
    """Gets up. Before the start the seat is free again and a leaving host passes the table on (the last one
    closes it); in play a bot takes over, so that nobody is left waiting.

    Raises :class:`NoSuchTable`, :class:`NotYourSeat`, :class:`GameOver`.
    """
    async with server.sessions.begin() as session:
        table, seats = await _locked(session, table_id)
        mine = next((each for each in seats if each.user_id == me.id), None)
        if mine is None:
            raise NotYourSeat
        if table.status == "over":
            raise GameOver
        mine.user_id = None
        if table.status == "playing":
            mine.bot = STAND_IN
        others = [each.user_id for each in seats if each.user_id is not None]
        if table.host_id == me.id and others:
            table.host_id = others[0]
        if table.status == "waiting" and not others:
            table.status = "cancelled"
        table.changed += 1
    server.ring(table_id, table.version, table.changed)


async def _hosted(session: AsyncSession, me: Me, table_id: int) -> tuple[Table, list[Seat]]:
    table, seats = await _locked(session, table_id)
    if table.status != "waiting":
        raise AlreadyStarted
    if table.host_id != me.id:
        raise NotHost
    return table, seats


async def seat_bot(server: Server, me: Me, table_id: int, *, seat: int, bot: str) -> None:
    """Puts a bot on a free seat, or another kind of bot on a bot's seat.

    Raises :class:`NoSuchTable`, :class:`AlreadyStarted`, :class:`NotHost`, :class:`SeatTaken`, :class:`BadTable`.
    """
    async with server.sessions.begin() as session:
        table, seats = await _hosted(session, me, table_id)
        if bot not in games.bots(table.slug) or not 0 <= seat < len(seats):
            raise BadTable(field="bot")
        if seats[seat].user_id is not None:
            raise SeatTaken
        seats[seat].bot = bot
        table.changed += 1
    server.ring(table_id, table.version, table.changed)


async def clear_seat(server: Server, me: Me, table_id: int, *, seat: int) -> None:
    """Frees another's seat. Raises :class:`NoSuchTable`, :class:`AlreadyStarted`, :class:`NotHost`,
    :class:`BadTable`."""
    async with server.sessions.begin() as session:
        table, seats = await _hosted(session, me, table_id)
        if not 0 <= seat < len(seats) or seats[seat].user_id == me.id:
            raise BadTable(field="seat")
        seats[seat].user_id, seats[seat].bot = None, ""
        table.changed += 1
    server.ring(table_id, table.version, table.changed)


async def set_public(server: Server, me: Me, table_id: int, *, public: bool) -> None:
    """Shows the table in the lobby, or keeps it to those who have the link. Raises as :func:`seat_bot`."""
    async with server.sessions.begin() as session:
        table, _ = await _hosted(session, me, table_id)
        table.public = public
        table.changed += 1
    server.ring(table_id, table.version, table.changed)


async def start(server: Server, me: Me, table_id: int) -> None:
    """Begins the game. Starting a game that has begun changes nothing.

    Raises :class:`NoSuchTable`, :class:`NotHost`, :class:`SeatsFree`.
    """
    async with server.sessions.begin() as session:
        table, seats = await _locked(session, table_id)
        if table.host_id != me.id:
            raise NotHost
        if table.status != "waiting":
            return
        free = sum(each.user_id is None and not each.bot for each in seats)
        if free:
            raise SeatsFree(count=free)
        _begin(table)
        table.changed += 1
    server.ring(table_id, table.version, table.changed)


async def rematch(server: Server, me: Me, table_id: int) -> str:
    """The next table with the same people in mind: the first who asks opens it, the others sit down at it;
    one that was closed meanwhile is opened anew.

    Bots come along. Its address. Raises :class:`NoSuchTable`, :class:`NotOver`, :class:`NotYourSeat`,
    :class:`NotStarted`.
    """
    async with server.sessions.begin() as session:
        table, seats = await _locked(session, table_id)
        if table.status == "waiting":
            raise NotStarted
        if table.status != "over":
            raise NotOver
        if all(each.user_id != me.id for each in seats):
            raise NotYourSeat
        opened = await queries.find_table(session, table.rematch_id) if table.rematch_id else None
        if opened is None or opened.status == "cancelled":
            again = await _add_table(session, me, slug=table.slug, options=table.options, public=False)
            again.seat_count = table.seat_count
            bots = [each.bot for each in seats if each.bot]
            for seat in range(table.seat_count):
                from_end = table.seat_count - seat
                bot = bots[-from_end] if from_end <= len(bots) else ""
                session.add(Seat(table_id=again.id, seat=seat, user_id=me.id if seat == 0 else None, bot=bot))
            if len(bots) == table.seat_count - 1:
                _begin(again)
            table.rematch_id = again.id
            table.changed += 1
            await session.flush()
            key = again.key
        else:
            key = opened.key
    server.ring(table_id, table.version, table.changed)
    if opened is not None and opened.key == key:
        try:
            await sit(server, me, opened.id)
        except (TableFull, AlreadyStarted):
            pass
        except NoSuchTable:  # closed a moment ago
            return await rematch(server, me, table_id)
    return key
