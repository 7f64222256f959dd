"""Asking people to a table by name, and saying no."""

from app.db import invitations as queries
from app.db.models import Invitation
from app.services.accounts import Me, check_not_muted
from app.services.errors import (
    AlreadyStarted,
    BadName,
    HasDeclined,
    HasSeat,
    NoSuchPerson,
    NotYourSeat,
    SeveralPeople,
    TooManyInvitations,
)
from app.services.names import clean_name, name_key
from app.services.rooms import changing
from app.services.server import Server

MOST = 20
"""How many may be asked to one table."""


async def invite(server: Server, me: Me, table_id: int, *, name: str) -> None:
    """Asks somebody to the table at which one sits: an account of that name, or the only guest who is called so.

    Asking twice changes nothing. Raises ``NoSuchTable``, :class:`AlreadyStarted`, :class:`NotYourSeat`,
    :class:`NoSuchPerson`, :class:`SeveralPeople`, :class:`HasSeat`, :class:`HasDeclined`,
    :class:`TooManyInvitations`, ``Muted``.
    """
    try:
        wanted = clean_name(name)
    except BadName as fault:
        raise NoSuchPerson(name=name[:80]) from fault
    async with changing(server, table_id) as room:
        await check_not_muted(room.session, me)
        if room.table.status != "waiting":
            raise AlreadyStarted
        if room.seat_of(me) is None:
            raise NotYourSeat
        found = await queries.list_called(room.session, name_key(wanted))
        if not found:
            raise NoSuchPerson(name=wanted)
        if len(found) > 1:
            raise SeveralPeople(name=wanted)
        guest = found[0]
        if any(seat.user_id == guest.id for seat in room.seats):
            raise HasSeat
        asked = await queries.list_asked(room.session, table_id)
        known = next((each for each in asked if each.user_id == guest.id), None)
        if known is not None:
            room.idle = True
            if known.declined:
                raise HasDeclined(name=guest.name)
        elif len(asked) >= MOST:
            raise TooManyInvitations(most=MOST)
        else:
            room.session.add(Invitation(table_id=table_id, user_id=guest.id, by_id=me.id))


async def decline(server: Server, me: Me, table_id: int) -> None:
    """Says no; the table is listed no more for me. Raises ``NoSuchTable``."""
    async with changing(server, table_id) as room:
        asked = await queries.find_invitation(room.session, table_id, me.id)
        room.idle = asked is None or asked.declined
        if asked is not None:
            asked.declined = True


async def withdraw(server: Server, me: Me, table_id: int, *, user_id: int) -> None:
    """Asks somebody no more. Raises ``NoSuchTable``, :class:`AlreadyStarted`, :class:`NotYourSeat`."""
    async with changing(server, table_id) as room:
        if room.table.status != "waiting":
            raise AlreadyStarted
        if room.seat_of(me) is None:
            raise NotYourSeat
        asked = await queries.find_invitation(room.session, table_id, user_id)
        room.idle = asked is None
        if asked is not None:
            await room.session.delete(asked)


async def list_companions(server: Server, me: Me, *, but: frozenset[int], most: int = 6) -> tuple[str, ...]:
    """The names of some with whom this person has played, without those who know already."""
    async with server.sessions() as session:
        found = await queries.list_companions(session, me.id)
    return tuple(name for user_id, name in found if user_id not in but)[:most]
