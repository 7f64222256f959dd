"""What the host of a table may do before the start, and how the table gets another host."""

from app import games
from app.db import shared_seats
from app.db.invitations import find_invitation
from app.db.models import Seat
from app.services import clock, passwords
from app.services.accounts import Me
from app.services.errors import BadTable, DecisionPassed, HostIsHere, NotHost, NotYourSeat, SeatTaken
from app.services.presence import is_away
from app.services.rooms import Room, begin, begin_if_ready, changing, hosted
from app.services.server import Server


async def seat_bot(server: Server, me: Me, table_id: int, *, seat: int, bot: str) -> None:
    """Puts a bot on a free seat, or another kind of bot on a bot's seat.

    Raises ``NoSuchTable``, ``AlreadyStarted``, :class:`NotHost`, :class:`SeatTaken`, :class:`BadTable`.
    """
    async with hosted(server, me, table_id) as room:
        chosen = seat_in(room, seat, field="bot")
        if bot not in games.bots(room.table.slug):
            raise BadTable(field="bot")
        if chosen.user_id is not None:
            raise SeatTaken
        chosen.bot = bot
        await begin_if_ready(room)


async def fill(server: Server, me: Me, table_id: int, *, bot: str) -> None:
    """Puts bots on all free seats. Raises as :func:`seat_bot`."""
    async with hosted(server, me, table_id) as room:
        if bot not in games.bots(room.table.slug):
            raise BadTable(field="bot")
        room.idle = not room.free
        for each in room.free:
            each.bot = bot
        await begin_if_ready(room)


async def clear_seat(server: Server, me: Me, table_id: int, *, seat: int) -> None:
    """Frees another's seat, and those of who sits beside; who was asked to the table is asked no more.
    Raises as :func:`seat_bot`."""
    async with hosted(server, me, table_id) as room:
        chosen = seat_in(room, seat)
        if chosen.user_id == me.id:
            raise BadTable(field="seat")
        freed = [chosen]
        if chosen.user_id is not None:
            asked = await find_invitation(room.session, table_id, chosen.user_id)
            if asked is not None:
                await room.session.delete(asked)
            freed = [each for each in room.seats if each.user_id == chosen.user_id]
        for each in freed:
            each.user_id, each.bot, each.ready = None, "", False
        await shared_seats.unshare(room.session, table_id, [each.seat for each in freed])


async def swap(server: Server, me: Me, table_id: int, *, seat: int, other: int) -> None:
    """Lets who sits on two seats change places. Raises as :func:`seat_bot`."""
    async with hosted(server, me, table_id) as room:
        one, two = seat_in(room, seat), seat_in(room, other)
        room.idle = one is two
        one.user_id, two.user_id = two.user_id, one.user_id
        one.bot, two.bot = two.bot, one.bot
        one.ready, two.ready = two.ready, one.ready
        places = {each: each for each in room.beside} | {one.seat: two.seat, two.seat: one.seat}
        await shared_seats.rearrange(room.session, table_id, places)


async def add_seat(server: Server, me: Me, table_id: int) -> None:
    """Adds a free seat; what was agreed stays as far as that number of seats has it. Everybody says anew that they
    are ready. Raises as :func:`seat_bot`."""
    async with hosted(server, me, table_id) as room:
        await _reseat(room, list(room.seats), more=1)


async def close_seat(server: Server, me: Me, table_id: int, *, seat: int) -> None:
    """Takes a free seat away; otherwise as :func:`add_seat`. Raises as :func:`seat_bot`."""
    async with hosted(server, me, table_id) as room:
        closed = seat_in(room, seat)
        if closed not in room.free:
            raise SeatTaken
        await _reseat(room, [each for each in room.seats if each is not closed])


async def start_with(server: Server, me: Me, table_id: int, *, seats: int) -> None:
    """Takes all free seats away and begins with those who are here, so many. Raises as :func:`seat_bot`, and
    :class:`DecisionPassed` when it is another number by now."""
    async with hosted(server, me, table_id) as room:
        sitting = [each for each in room.seats if each not in room.free]
        if len(sitting) != seats:
            raise DecisionPassed
        await _reseat(room, sitting)
        await begin(room)


async def _reseat(room: Room, staying: list[Seat], *, more: int = 0) -> None:
    """Only these seats stay, in this order, and some free ones are added."""
    table, count = room.table, len(staying) + more
    rules = games.games()[table.slug]
    if count not in rules.seats:
        raise BadTable(field="seats")
    places = {seat.seat: index for index, seat in enumerate(staying) if seat.seat in room.beside}
    sitting = [*((seat.user_id, seat.bot) for seat in staying), *([(None, "")] * more)]
    for index, (user_id, bot) in enumerate(sitting):
        if index == len(room.seats):
            room.seats.append(Seat(table_id=table.id, seat=index, bot="", ready=False))
            room.session.add(room.seats[index])
        seat = room.seats[index]
        seat.user_id, seat.bot, seat.ready = user_id, bot, False
    await shared_seats.rearrange(room.session, table.id, places)
    while count < len(room.seats):
        await room.session.delete(room.seats.pop())
    offered = [option for option in rules.options if not option.seats or count in option.seats]
    kept = {
        option.name: table.options[option.name]
        for option in offered
        if table.options.get(option.name) in option.choices
    }
    table.options, table.seat_count = rules.options_for(count, kept), count


async def hand_over(server: Server, me: Me, table_id: int, *, seat: int) -> None:
    """Makes another person of the table its host, also while the game is played.

    Raises ``NoSuchTable``, :class:`NotHost`, :class:`BadTable`.
    """
    async with changing(server, table_id) as room:
        if room.table.host_id != me.id:
            raise NotHost
        heir = seat_in(room, seat).user_id
        if heir is None:
            raise BadTable(field="seat")
        room.idle = heir == me.id
        room.table.host_id = heir


async def succeed(server: Server, me: Me, table_id: int) -> None:
    """Makes oneself the host of a table whose host has been away for a while.

    Raises ``NoSuchTable``, :class:`NotYourSeat`, :class:`HostIsHere`.
    """
    held = await server.states.newest(table_id)
    host = next((seat for seat in held.facts.seats if seat.user_id == held.facts.host_id), None)
    async with changing(server, table_id) as room:
        if room.seat_of(me) is None:
            raise NotYourSeat
        room.idle = room.table.host_id == me.id
        if host is not None and host.user_id == room.table.host_id and not is_away(host, clock.now()):
            raise HostIsHere
        room.table.host_id = me.id


async def set_public(server: Server, me: Me, table_id: int, *, public: bool) -> None:
    """Shows the table in the lobby, or keeps it to those who have the link. Raises as :func:`seat_bot`."""
    async with hosted(server, me, table_id) as room:
        room.idle = room.table.public == public
        room.table.public = public


async def set_password(server: Server, me: Me, table_id: int, *, password: str) -> None:
    """Lets in only who knows a word, or (empty) everybody. Who sits there stays. Raises as :func:`seat_bot`."""
    if len(password) > passwords.LONGEST:
        raise BadTable(field="password")
    kept = await passwords.hashed_password(password) if password else None
    async with hosted(server, me, table_id) as room:
        room.idle = room.table.password_hash is None and kept is None
        room.table.password_hash = kept


async def set_auto_start(server: Server, me: Me, table_id: int, *, auto_start: bool) -> None:
    """Lets the game begin by itself when all are ready, or only when the host says so. Raises as :func:`seat_bot`."""
    async with hosted(server, me, table_id) as room:
        room.idle = room.table.auto_start == auto_start
        room.table.auto_start = auto_start
        await begin_if_ready(room)


def seat_in(room: Room, seat: int, *, field: str = "seat") -> Seat:
    """The seat of that number. Raises :class:`BadTable`."""
    if not 0 <= seat < len(room.seats):
        raise BadTable(field=field)
    return room.seats[seat]
