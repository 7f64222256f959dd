"""Several people at one device: one person holds several seats, and a gate stands before what only one may see."""

import msgspec

from app.db import shared_seats as queries
from app.db.models import Seat
from app.engine import codec
from app.services.accounts import Me, check_not_muted
from app.services.errors import AlreadyStarted, NotStarted, NotYourDecision, NotYourSeat, SeatTaken
from app.services.facts import TableFacts
from app.services.held import Held
from app.services.names import clean_name
from app.services.rooms import Room, changing
from app.services.server import Server


def seats_of(facts: TableFacts, user_id: int | None) -> tuple[int, ...]:
    """All seats that a person holds."""
    if user_id is None:
        return ()
    return tuple(index for index, seat in enumerate(facts.seats) if seat.user_id == user_id)


def hides(held: Held, seat: int) -> bool:
    """Whether the seat knows anything that not everybody does."""
    if held.position is None:
        return False
    own, public = held.game.view(held.position.state, seat), held.game.view(held.position.state, None)
    viewer = next((name for name in ("viewer", "seat") if name in own.__struct_fields__), "")
    if viewer:
        own = msgspec.structs.replace(own, **{viewer: None})  # that it is this seat's view is no secret
    return codec.encode(own) != codec.encode(public)


def viewer_seat(held: Held, user_id: int | None) -> int | None:
    """From whose place a person sees the table: at a shared device whoever must choose there, once the gate is open.

    ``None``, as for a spectator, while it is shut.
    """
    mine = seats_of(held.facts, user_id)
    if len(mine) < 2 or held.position is None:
        return mine[0] if mine else None
    opened = next((seat for seat in mine if held.facts.seats[seat].opened), None)
    playing = held.facts.status == "playing"
    choosing = [seat for seat in mine if playing and seat in held.position.waiting]
    if opened is not None and (opened in choosing or not choosing):
        return opened
    seat = choosing[0] if choosing else held.facts.seat_of(user_id)
    assert seat is not None
    return None if held.facts.status != "over" and hides(held, seat) else seat


def gate(held: Held, user_id: int | None) -> int | None:
    """The seat before which the device must be passed on; ``None``: nothing is hidden there, or the gate is open."""
    mine = seats_of(held.facts, user_id)
    if len(mine) < 2 or held.position is None or viewer_seat(held, user_id) is not None:
        return None
    return next((seat for seat in mine if seat in held.position.waiting), held.facts.seat_of(user_id))


def undoer(held: Held, user_id: int | None, seat: int | None) -> int | None:
    """Whose latest action a person may want to take back: of several seats the one that acted last."""
    mine = seats_of(held.facts, user_id)
    if len(mine) < 2 or held.position is None:
        return seat
    return next((item.seat for item in reversed(held.position.played) if item.seat in mine), seat)


async def share(server: Server, me: Me, table_id: int, *, name: str, seat: int | None = None) -> int:
    """Lets somebody beside me play a free seat (the first, or this one) on my device; the seat.

    We say anew that we are ready. Raises ``BadName``, ``Muted``, ``NoSuchTable``, :class:`AlreadyStarted`,
    :class:`NotYourSeat`, :class:`SeatTaken`.
    """
    called = clean_name(name)
    async with changing(server, table_id) as room:
        await check_not_muted(room.session, me)
        mine = _mine_before_the_start(room, me)
        free = [each for each in room.free if seat in {None, each.seat}]
        if not free:
            raise SeatTaken
        free[0].user_id = me.id
        for each in (*mine, free[0]):
            each.ready = False
        await queries.share(room.session, table_id, free[0].seat, user_id=me.id, name=called)
    return free[0].seat


async def unshare(server: Server, me: Me, table_id: int, *, seat: int) -> None:
    """Frees a seat that somebody beside me was to play; my own stays mine.

    Raises ``NoSuchTable``, :class:`AlreadyStarted`, :class:`NotYourSeat`.
    """
    async with changing(server, table_id) as room:
        mine = _mine_before_the_start(room, me)
        chosen = next((each for each in mine if each.seat == seat and seat in room.beside), None)
        if chosen is None:
            raise NotYourSeat
        chosen.user_id, chosen.ready = None, False
        await queries.unshare(room.session, table_id, [seat])


def _mine_before_the_start(room: Room, me: Me) -> list[Seat]:
    if room.table.status != "waiting":
        raise AlreadyStarted
    mine = room.seats_of(me)
    if not mine:
        raise NotYourSeat
    return mine


async def open_gate(server: Server, me: Me, table_id: int, *, seat: int) -> None:
    """Whoever plays this seat has the device: what the seat knows is shown, what my others know is not.

    Raises ``NoSuchTable``, :class:`NotStarted`, :class:`NotYourSeat`, :class:`NotYourDecision`.
    """
    held = await server.states.newest(table_id)
    if held.position is None:
        raise NotStarted
    async with changing(server, table_id) as room:
        mine = [each.seat for each in room.seats_of(me)]
        if len(mine) < 2 or seat not in mine:
            raise NotYourSeat
        if seat not in held.position.waiting and any(each in held.position.waiting for each in mine):
            raise NotYourDecision
        await queries.open_gate(room.session, table_id, mine, user_id=me.id, seat=seat)
