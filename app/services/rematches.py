"""Once more with the same people."""

from app.db import invitations, shared_seats
from app.db import tables as queries
from app.db.models import Invitation, Seat
from app.services import editions, lobby
from app.services.accounts import Me
from app.services.errors import AlreadyStarted, NoSuchTable, NotOver, NotStarted, NotYourSeat, TableFull
from app.services.ratings import played
from app.services.rooms import Room, changing, set_up
from app.services.server import Server


async def rematch(server: Server, me: Me, table_id: int) -> str:
    """The next table with the same people: the first who asks opens it, the others are asked to it and sit down;
    one that was closed meanwhile is opened anew.

    Bots come along, but not those that played on for who gave up: these people do. Its address. Raises
    :class:`NoSuchTable`, :class:`NotOver`, :class:`NotYourSeat`, :class:`NotStarted`.
    """
    async with changing(server, table_id) as room:
        table = room.table
        if table.status == "waiting":
            raise NotStarted
        if table.status != "over":
            raise NotOver
        if not _seats_of(room, me):
            raise NotYourSeat
        opened = await queries.find_table(room.session, table.rematch_id) if table.rematch_id else None
        if opened is not None and opened.status != "cancelled":
            room.idle = True
        else:
            key = await _open_again(room, me)
    if not room.idle:
        return key
    assert opened is not None
    try:
        await lobby.sit(server, me, opened.id)
    except (TableFull, AlreadyStarted):
        pass
    except NoSuchTable:  # closed a moment ago
        return await rematch(server, me, table_id)
    return opened.key


async def _open_again(room: Room, me: Me) -> str:
    """Opens the rematch, with its bots on the last seats; who sits beside me comes along."""
    session, table = room.session, room.table
    await editions.know(session, table.slug, table.edition)
    again = lobby.new_table(
        me, slug=table.slug, seats=table.seat_count, options=table.options, public=False, edition=table.edition
    )
    again.password_hash, again.auto_start = table.password_hash, table.auto_start
    again.pace, again.talk = table.pace, table.talk
    session.add(again)
    await session.flush()
    bots = [each.bot for each in room.seats if each.bot and played(each) is None]
    mine = _seats_of(room, me)
    for seat in range(table.seat_count):
        from_end = table.seat_count - seat
        bot = bots[-from_end] if from_end <= len(bots) else ""
        session.add(Seat(table_id=again.id, seat=seat, user_id=me.id if seat < len(mine) else None, bot=bot))
    await session.flush()
    for seat, before in enumerate(mine):
        if before.seat in room.beside:
            await shared_seats.share(session, again.id, seat, user_id=me.id, name=room.beside[before.seat])
    others = {user_id for each in room.seats if (user_id := played(each)) is not None} - {me.id}
    for user_id in await invitations.list_present(session, others):
        session.add(Invitation(table_id=again.id, user_id=user_id, by_id=me.id))
    if len(bots) + len(mine) == table.seat_count:
        set_up(again)
        await session.flush()
        await queries.keep_quiet(session, again.id)
    table.rematch_id = again.id
    room.also.append((again.id, 0, again.changed))
    await session.flush()
    return again.key


def _seats_of(room: Room, me: Me) -> list[Seat]:
    """The seats of somebody, or the one they gave up on."""
    return room.seats_of(me) or [seat for seat in room.seats if played(seat) == me.id][:1]
