"""Opening a table, sitting down, getting up, being ready, starting."""

import secrets
from collections.abc import Mapping

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app import games
from app.db import shared_seats
from app.db import tables as queries
from app.db.accounts import has_gone, hold_user
from app.db.invitations import find_invitation
from app.db.models import Seat, Table
from app.engine.contract import OptionRefused
from app.engine.editions import HOUSE
from app.services import editions, passwords
from app.services.accounts import Me
from app.services.club import Club
from app.services.errors import (
    AlreadyStarted,
    BadTable,
    GameOver,
    NeedsPassword,
    NoGuests,
    NotHost,
    NotYourSeat,
    SeatsFree,
    SeatTaken,
    SignedOut,
    TableFull,
    TooManyTables,
)
from app.services.pace import NONE, Pace
from app.services.rooms import Room, begin, begin_if_ready, changing, set_up
from app.services.server import Server
from app.services.talk import TALKS

KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
KEY_LENGTH = 12
OFFER_LENGTH = 24
"""Of the address under which a seat is offered: whoever has it may see what that seat holds."""
STAND_IN = "greedy"
"""The bot that plays on for a person who leaves."""


class Wish(msgspec.Struct, frozen=True):
    """What somebody wants to play: ``bot`` fills the other seats at once, when it names one; without an ``edition``
    it is the usual one, and options (and who hears the ``talk``) that are not chosen are as the house has them."""

    slug: str
    seats: int
    options: Mapping[str, str] = msgspec.field(default_factory=dict)
    public: bool = True
    bot: str = ""
    password: str = ""
    auto_start: bool = True
    edition: str = ""
    pace: Pace = NONE
    talk: str = ""


def new_key(length: int = KEY_LENGTH) -> str:
    """An address that cannot be guessed."""
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(length))


async def open_table(server: Server, me: Me, wish: Wish) -> str:
    """Opens a table and sits its host on the first seat; its address.

    With a ``bot`` the other seats are filled and the game begins. Raises :class:`BadTable`,
    :class:`TooManyTables`, :class:`NoGuests`.
    """
    agreed = await agree(server, me, wish)
    most = (await server.club.get()).tables_per_person
    password = await passwords.hashed_password(wish.password) if wish.password else None
    async with server.sessions.begin() as session:
        table = await add_table(session, me, agreed, most=most)
        table.password_hash = password
        await session.flush()
    server.ring(table.id, 0, table.changed)
    return table.key


async def agree(server: Server, me: Me, wish: Wish) -> Wish:
    """The wish with all that the house adds to it. Raises :class:`BadTable`, :class:`NoGuests`."""
    club = await server.club.get()
    check_may_play(club, me)
    if not club.offers(wish.slug):
        raise BadTable(field="game")
    offered = club.editions_of(wish.slug)
    edition = wish.edition or offered[0]
    if edition not in offered:
        raise BadTable(field="edition")
    async with server.sessions() as session:
        await editions.know(session, wish.slug, edition)
    defaults = club.defaults.get(wish.slug, {})
    usual = {
        option.name: defaults[option.name]
        for option in games.games()[wish.slug].options
        if (not option.seats or wish.seats in option.seats) and defaults.get(option.name) in option.choices
    }
    talk = wish.talk or club.talk
    agreed = msgspec.structs.replace(wish, options={**usual, **wish.options}, edition=edition, talk=talk)
    return msgspec.structs.replace(agreed, options=checked(agreed))


def check_may_play(club: Club, me: Me) -> None:
    """Raises :class:`NoGuests` when only accounts may sit down."""
    if me.guest and not club.guests:
        raise NoGuests


def checked(wish: Wish) -> dict[str, str]:
    """All options of a table that can be opened. Raises :class:`BadTable`."""
    rules = games.games().get(wish.slug)
    if rules is None:
        raise BadTable(field="game")
    if wish.seats not in rules.seats:
        raise BadTable(field="seats")
    if wish.bot and wish.bot not in games.bots(wish.slug):
        raise BadTable(field="bot")
    if len(wish.password) > passwords.LONGEST:
        raise BadTable(field="password")
    if wish.talk not in TALKS:
        raise BadTable(field="talk")
    try:
        return rules.options_for(wish.seats, wish.options)
    except OptionRefused as fault:
        raise BadTable(field=f"option.{fault.name}") from fault


async def add_table(session: AsyncSession, me: Me, wish: Wish, *, most: int) -> Table:
    """The same within a transaction, but for the password; the wish is agreed on. ``most``: how many unfinished
    tables one may have."""
    await hold_user(session, me.id)  # so that nobody opens many at once
    if await has_gone(session, me.id):
        raise SignedOut
    if await queries.count_unfinished(session, me.id) >= most:
        raise TooManyTables(most=most)
    table = new_table(
        me, slug=wish.slug, seats=wish.seats, options=wish.options, public=wish.public, edition=wish.edition
    )
    table.auto_start, table.pace, table.talk = wish.auto_start, wish.pace.stored, wish.talk
    session.add(table)
    await session.flush()
    for seat in range(wish.seats):
        session.add(Seat(table_id=table.id, seat=seat, **({"user_id": me.id} if seat == 0 else {"bot": wish.bot})))
    if wish.bot or wish.seats == 1:
        set_up(table)
        await session.flush()
        await queries.keep_quiet(session, table.id)
    return table


def new_table(
    me: Me, *, slug: str, seats: int, options: Mapping[str, str], public: bool, edition: str = HOUSE
) -> Table:
    """A table with nobody at it yet."""
    game = games.load(slug, edition)
    return Table(
        key=new_key(),
        slug=slug,
        revision=game.revision,
        edition=edition,
        edition_digest=game.edition.digest,
        seat_count=seats,
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


async def sit(server: Server, me: Me, table_id: int, *, seat: int | None = None, proof: str | None = None) -> int:
    """Takes a free seat (the first, or this one); my seat. Sitting down twice changes nothing.

    ``proof``: what this browser has shown to know, see :mod:`app.services.doors`. Raises :class:`NoSuchTable`,
    :class:`AlreadyStarted`, :class:`SeatTaken`, :class:`TableFull`, :class:`NeedsPassword`, :class:`NoGuests`.
    """
    check_may_play(await server.club.get(), me)
    async with changing(server, table_id) as room:
        return await take(room, me, seat=seat, proof=proof)


async def take(room: Room, me: Me, *, seat: int | None = None, proof: str | None = None) -> int:
    """The same within a transaction."""
    mine = room.seat_of(me)
    if mine is not None and seat in {None, mine.seat}:
        room.idle = True
        return mine.seat
    if room.table.status != "waiting":
        raise AlreadyStarted
    free = [each for each in room.free if seat in {None, each.seat}]
    if not free:
        raise TableFull if seat is None else SeatTaken
    asked = await find_invitation(room.session, room.table.id, me.id)
    if room.table.password_hash not in {None, proof} and mine is None and asked is None:
        raise NeedsPassword
    free[0].user_id, free[0].ready = me.id, mine is not None and mine.ready
    if mine is not None:
        mine.user_id, mine.ready = None, False
    if asked is not None:
        asked.declined = False
    await room.session.flush()  # which waits for a deletion of the person that is under way
    if await has_gone(room.session, me.id):
        raise SignedOut
    return free[0].seat


async def leave(server: Server, me: Me, table_id: int) -> None:
    """Gets up, from all seats that one holds. Before the start they are free again and a leaving host passes the
    table on (the last one closes it); in play a bot takes over, so that nobody is left waiting
    (:mod:`app.services.substitutes`).

    Raises :class:`NoSuchTable`, :class:`NotYourSeat`, :class:`GameOver`.
    """
    async with changing(server, table_id) as room:
        mine = room.seats_of(me)
        if not mine:
            raise NotYourSeat
        if room.table.status == "over":
            raise GameOver
        table = room.table
        for seat in mine:
            seat.user_id, seat.ready = None, False
            if table.status == "playing":
                seat.bot, seat.left_id, seat.offer_key = STAND_IN, me.id, new_key(OFFER_LENGTH)
                seat.left_name, seat.cancels = me.name, False
                room.mark("left", seat=seat.seat)
        if table.status == "waiting":
            await shared_seats.unshare(room.session, table_id, [seat.seat for seat in mine])
        asked = await find_invitation(room.session, table_id, me.id)
        if asked is not None:
            asked.declined = True
        heirs = [seat.user_id for seat in room.people if seat.user_id is not None]
        if table.host_id == me.id and heirs:
            table.host_id = heirs[0]
        if table.status == "waiting" and not heirs:
            table.status, table.ended = "cancelled", "left"
        room.call_off_if_agreed(seat=mine[0].seat)


async def set_ready(server: Server, me: Me, table_id: int, *, ready: bool) -> None:
    """Says that one would like to begin, or not yet, and who sits beside too; the last word may begin the game.

    Raises :class:`NoSuchTable`, :class:`AlreadyStarted`, :class:`NotYourSeat`.
    """
    async with changing(server, table_id) as room:
        mine = room.seats_of(me)
        if not mine:
            raise NotYourSeat
        if all(seat.ready == ready for seat in mine):
            room.idle = True
        elif room.table.status != "waiting":
            raise AlreadyStarted
        else:
            for seat in mine:
                seat.ready = ready
            await begin_if_ready(room)


async def start(server: Server, me: Me, table_id: int) -> None:
    """Begins the game. Starting a game that has begun changes nothing.

    Raises :class:`NoSuchTable`, :class:`NotHost`, :class:`SeatsFree`.
    """
    async with changing(server, table_id) as room:
        if room.table.host_id != me.id:
            raise NotHost
        if room.table.status != "waiting":
            room.idle = True
        elif room.free:
            raise SeatsFree(count=len(room.free))
        else:
            await begin(room)
