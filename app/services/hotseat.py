"""Several people at one device: one person holds several seats, and a gate stands before what only one may see."""

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import shared_seats as queries
from app.db import tables
from app.db.models import Seat, Table
from app.engine import codec
from app.services import lobby
from app.services.accounts import Me
from app.services.errors import AlreadyStarted, NoSuchTable, NotStarted, NotYourDecision, NotYourSeat, SeatTaken
from app.services.names import clean_name
from app.services.server import Server
from app.services.states import Held, TableFacts


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
    if "seat" in own.__struct_fields__:
        own = msgspec.structs.replace(own, seat=None)  # that it is this seat's view is no secret
    return codec.encode(own) != codec.encode(public)


def viewer_seat(held: Held, user_id: int | None) -> int | None:
    """From whose place a person sees the table: at a shared device whoever must choose there, once the gate is open.

    ``None``, as for a spectator, while it is shut.
    """
    mine = seats_of(held.facts, user_id)
    if len(mine) < 2 or held.position is None:
        return mine[0] if mine else None
    opened = next((seat for seat in mine if held.facts.seats[seat].opened), None)
    choosing = [seat for seat in mine if seat in held.position.waiting]
    if opened is not None and (opened in choosing or not choosing):
        return opened
    seat = choosing[0] if choosing else mine[0]
    return None if hides(held, seat) and not held.position.over else seat


def gate(held: Held, user_id: int | None) -> int | None:
    """The seat before which the device must be passed on; ``None``: nothing is hidden there, or the gate is open."""
    mine = seats_of(held.facts, user_id)
    if len(mine) < 2 or held.position is None or viewer_seat(held, user_id) is not None:
        return None
    return next((seat for seat in mine if seat in held.position.waiting), mine[0])


def undoer(held: Held, user_id: int | None, seat: int | None) -> int | None:
    """Whose latest action a person may want to take back: of several seats the one that acted last."""
    mine = seats_of(held.facts, user_id)
    if len(mine) < 2 or held.position is None:
        return seat
    return next((item.seat for item in reversed(held.position.played) if item.seat in mine), seat)


async def _waiting(session: AsyncSession, table_id: int) -> tuple[Table, list[Seat]]:
    table = await tables.find_table(session, table_id, lock=True)
    if table is None or table.status == "cancelled":
        raise NoSuchTable
    if table.status != "waiting":
        raise AlreadyStarted
    return table, [seat for seat, _ in await tables.list_seats(session, [table_id])]


async def share(server: Server, me: Me, table_id: int, *, name: str, seat: int | None = None) -> int:
    """Lets somebody beside me play a free seat (the first, or this one) on my device; the seat.

    Raises ``BadName``, :class:`NoSuchTable`, :class:`AlreadyStarted`, :class:`NotYourSeat`, :class:`SeatTaken`.
    """
    called = clean_name(name)
    async with server.sessions.begin() as session:
        table, seats = await _waiting(session, table_id)
        mine = [each for each in seats if each.user_id == me.id]
        if not mine:
            raise NotYourSeat
        free = [each for each in seats if each.user_id is None and not each.bot and seat in {None, each.seat}]
        if not free:
            raise SeatTaken
        if len(mine) == 1:
            await queries.share(session, table_id, mine[0].seat, user_id=me.id, name=me.name)
        free[0].user_id = me.id
        await queries.share(session, table_id, free[0].seat, user_id=me.id, name=called)
        table.changed += 1
    server.ring(table_id, table.version, table.changed)
    return free[0].seat


async def unshare(server: Server, me: Me, table_id: int, *, seat: int) -> None:
    """Frees a seat that somebody beside me was to play; my own stays mine.

    Raises :class:`NoSuchTable`, :class:`AlreadyStarted`, :class:`NotYourSeat`.
    """
    async with server.sessions.begin() as session:
        table, seats = await _waiting(session, table_id)
        mine = [each for each in seats if each.user_id == me.id]
        chosen = next((each for each in mine[1:] if each.seat == seat), None)
        if chosen is None:
            raise NotYourSeat
        chosen.user_id = None
        table.changed += 1
    server.ring(table_id, table.version, table.changed)


async def open_gate(server: Server, me: Me, table_id: int, *, seat: int) -> None:
    """Whoever plays this seat has the device: what the seat knows is shown, what my others know is not.

    Raises :class:`NoSuchTable`, :class:`NotStarted`, :class:`NotYourSeat`, :class:`NotYourDecision`.
    """
    held = await server.states.newest(table_id)
    if held.position is None:
        raise NotStarted
    mine = seats_of(held.facts, me.id)
    if len(mine) < 2 or seat not in mine:
        raise NotYourSeat
    if seat not in held.position.waiting and any(each in held.position.waiting for each in mine):
        raise NotYourDecision
    async with server.sessions.begin() as session:
        table = await tables.find_table(session, table_id, lock=True)
        if table is None:
            raise NoSuchTable
        await queries.open_gate(session, table_id, mine, seat=seat)
        table.changed += 1
    server.ring(table_id, table.version, table.changed)


async def leave(server: Server, me: Me, table_id: int) -> None:
    """Gets up from all seats that I hold. Raises as ``lobby.leave``."""
    held = await server.states.newest(table_id)
    for _ in range(max(1, len(seats_of(held.facts, me.id)))):
        await lobby.leave(server, me, table_id)
