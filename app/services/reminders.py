"""A letter to somebody whose time was up, as long as it is still their turn when it is sent."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as people
from app.db import tables as queries
from app.db.models import Letter, Table, User
from app.services import letters
from app.services.server import Server

TIME_UP = "time_up"


async def remind(server: Server, session: AsyncSession, table: Table, user_id: int, *, seat: int) -> None:
    """Writes to who has a confirmed address; to anybody else the table's page says it."""
    user = await people.find_user(session, user_id)
    if user is not None and user.email and user.email_confirmed_at:
        facts: dict[str, Any] = {"table": table.id, "seat": seat, "since": table.waiting.get(str(seat))}
        await letters.post(session, user, kind=TIME_UP, **facts | {"address": server.settings.address})


async def prepare(session: AsyncSession, letter: Letter, user: User) -> dict[str, Any] | None:
    """Where it is; ``None``: the turn was made meanwhile, or somebody else sits there."""
    facts = letter.facts
    table = await queries.find_table(session, facts["table"])
    if table is None or table.status != "playing" or table.waiting.get(str(facts["seat"])) != facts["since"]:
        return None
    sits = [row.seat.user_id for row in await queries.list_seats(session, [table.id])][facts["seat"]] == user.id
    return {"key": table.key, "slug": table.slug} if sits else None
