"""How the server as a whole is doing."""

from datetime import timedelta

import msgspec

from app.db import gauges as queries
from app.services.server import Server

LATELY = timedelta(minutes=1)
HERE = timedelta(minutes=5)


class Vitals(msgspec.Struct, frozen=True):
    """Facts of the database, the same whichever process is asked."""

    tables: dict[str, int]
    moving: int
    people: int
    bot_wait: float


async def look(server: Server) -> Vitals:
    """As it is now."""
    async with server.sessions() as session:
        return Vitals(
            tables=await queries.count_by_status(session),
            moving=await queries.count_moving(session, LATELY),
            people=await queries.count_here(session, HERE),
            bot_wait=await queries.find_longest_bot_wait(session),
        )
