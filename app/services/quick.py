"""A seat at once: the first free one at a table that fits, or the first at a new table."""

from app import games
from app.db import tables as queries
from app.services import listing, lobby
from app.services.accounts import Me
from app.services.errors import BadTable
from app.services.listing import Sought
from app.services.rooms import Notice, begin_if_ready, lock
from app.services.server import Server


async def quick(server: Server, me: Me, sought: Sought) -> str:
    """Sits down at the first table that fits, or opens one that waits for others; its address.

    Two who look at the same moment find each other; who sits down is ready, so a word of the others begins the game.
    Raises :class:`BadTable`, ``TooManyTables``, ``NoGuests``.
    """
    rules = games.games()
    slug = sought.game or next(iter(rules))
    club = await server.club.get()
    if not sought.game:
        slug = next((each for each in rules if club.offers(each)), slug)
    if slug not in rules:
        raise BadTable(field="game")
    several = [count for count in rules[slug].seats if count > 1]
    wish = lobby.Wish(slug=slug, seats=sought.seats if sought.seats in several else several[0])
    agreed = await lobby.agree(server, me, wish)
    async with server.sessions.begin() as session:
        await queries.hold_quick(session)
        mine = await listing.read(server, session, await queries.list_tables_of(session, me.id, open_only=True))
        key = next((table.key for table in mine if sought.fits(table)), "")
        notices: list[Notice] = []
        if not key:
            for listed in await listing.list_best(server, session, me, sought):
                room = await lock(session, listed.id)
                if room.table.status == "waiting" and room.free:
                    room.seats[await lobby.take(room, me)].ready = True  # who wants to play at once is ready
                    await begin_if_ready(room)
                    key, notices = listed.key, room.close()
                    break
        if not key:
            table = await lobby.add_table(session, me, agreed, most=club.tables_per_person)
            await session.flush()
            key, notices = table.key, [(table.id, 0, table.changed)]
    for notice in notices:
        server.ring(*notice)
    return key
