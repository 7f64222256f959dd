"""Who left a game may come back, as long as nobody else has taken over from the bot that stands in; whose time is up
may, as long as the seat is offered to others."""

from app.db import tables as queries
from app.db.models import Seat
from app.services.accounts import Me
from app.services.errors import GameOver, GaveUp, HasSeat, NoOffer, NotStarted, NotYourSeat
from app.services.held import Held
from app.services.rooms import Room, changing
from app.services.server import Server


async def reclaim(server: Server, me: Me, table_id: int) -> int:
    """Takes the seat back that one left, as long as nobody else has taken it, and those of who sat beside; my seat.

    Raises ``NoSuchTable``, :class:`NotYourSeat`, :class:`GameOver`.
    """
    async with changing(server, table_id) as room:
        left = [seat for seat in room.seats if seat.left_id == me.id]
        if not left:
            sitting = room.seat_of(me)
            if sitting is None:
                raise NotYourSeat
            room.idle = True
            return sitting.seat
        if room.table.status != "playing":
            raise GameOver
        for seat in left:
            room.mark("back", seat=seat.seat)
            _sit_down(room, seat, me)
        return left[0].seat


async def find_offer(server: Server, offer_key: str) -> tuple[int, int]:
    """The table and the seat that are offered under an address. Raises :class:`NoOffer`."""
    async with server.sessions() as session:
        seat = await queries.find_offer(session, offer_key)
    if seat is None:
        raise NoOffer
    return seat.table_id, seat.seat


async def substitute(server: Server, me: Me, offer_key: str) -> int:
    """Takes over for somebody who left; the table. A game that more people played than have seats is not rated.

    Raises :class:`NoOffer`, :class:`HasSeat`, :class:`GaveUp`, :class:`GameOver`, ``NoSuchTable``.
    """
    table_id, number = await find_offer(server, offer_key)
    held = await server.states.newest(table_id)
    async with changing(server, table_id) as room:
        seat = room.seats[number]
        if seat.offer_key != offer_key:
            raise NoOffer
        if room.table.status != "playing":
            raise GameOver if room.table.status == "over" else NotStarted
        if room.seat_of(me) is not None:
            raise HasSeat
        if any(each.conceded_id == me.id for each in room.seats):
            raise GaveUp
        if seat.user_id is not None and not is_offered(held, number, room):
            raise NoOffer
        back = seat.left_id == me.id
        if not back:
            room.table.rated = False
        room.mark("back" if back else "sat", seat=number)
        _sit_down(room, seat, me)
        for each in room.seats:
            if each.left_id == me.id:
                each.left_id = None  # who has a seat does not come back to another
        if not back:
            seat.quiet = ""
            await room.session.flush()
            await queries.keep_quiet(room.session, table_id, seat=number)
    return table_id


def is_offered(held: Held, seat: int, room: Room) -> bool:
    """Whether the time of a seat is up and it waits for a substitute, its owner having done nothing since."""
    known = (held.version, held.facts.changed) == (room.table.version, room.table.changed)
    return known and bool(held.clocks()) and held.clocks()[seat].up


def _sit_down(room: Room, seat: Seat, me: Me) -> None:
    seat.user_id, seat.bot, seat.left_id, seat.offer_key = me.id, "", None, None
    seat.cancels = False
    if all(each.user_id != room.table.host_id for each in room.seats):
        room.table.host_id = me.id
