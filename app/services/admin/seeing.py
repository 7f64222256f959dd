"""Looking where others may not: only with a line in the record, and never by who sits at the table.

What is looked at is shown to who holds the number of such a line, for a while.
"""

from datetime import timedelta

from app.db import audit as queries
from app.services import clock
from app.services.accounts import Me
from app.services.admin import rights
from app.services.admin.tables import Acting, acting
from app.services.errors import BadTable, NotAllowed, NotImpartial
from app.services.facts import TableFacts
from app.services.server import Server

SEE, INSPECT = "see", "inspect"
LASTS = timedelta(minutes=30)


async def see(server: Server, me: Me, table_id: int, *, seat: int | None, reason: str = "") -> int:
    """Asks to see a table as a seat would (``None``: as a spectator); the number of the line in the record.

    Raises as ``acting``, :class:`BadTable`, :class:`NotImpartial`.
    """
    async with acting(server, me, table_id, SEE, reason=reason, needed=False) as doing:
        if seat is not None and not 0 <= seat < len(doing.seats):
            raise BadTable(field="seat")
        _check_impartial(doing)
        doing.facts = {} if seat is None else {"seat": seat}
    return doing.line


async def inspect(server: Server, me: Me, table_id: int, *, reason: str = "") -> int:
    """Asks to look into the whole state of a table; the number of the line in the record. Raises as :func:`see`."""
    async with acting(server, me, table_id, "doctor", act=INSPECT, reason=reason, needed=False) as doing:
        _check_impartial(doing)
    return doing.line


def _check_impartial(doing: Acting) -> None:
    mine = any(each.user_id == doing.actor.id for each in doing.seats)
    if mine and doing.table.status in {"waiting", "playing"}:
        raise NotImpartial


def check_impartial(facts: TableFacts, me: Me) -> None:
    """Raises :class:`NotImpartial` for who sits at a table that goes on."""
    if facts.status in {"waiting", "playing"} and facts.seat_of(me.id) is not None:
        raise NotImpartial


async def check_noted(server: Server, me: Me, table_id: int, *, line: int, act: str) -> int | None:
    """As which seat somebody may look who has that line in the record. Raises :class:`NotAllowed` for anybody else,
    and when it was too long ago."""
    rights.check(me, SEE if act == SEE else "doctor")
    async with server.sessions() as session:
        found = await queries.find(session, line)
    fits = found is not None and (found.actor_id, found.table_id, found.act) == (me.id, table_id, act)
    if found is None or not fits or found.at < clock.now() - LASTS:
        raise NotAllowed
    seat = found.facts.get("seat")
    return None if seat is None else int(seat)
