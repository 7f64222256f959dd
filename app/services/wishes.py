"""How a person wants to be told: after which delay, by letter how often, and when not at all."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db import bans, pushes
from app.db.models import User
from app.services import clock, quiet
from app.services.accounts import Me
from app.services.errors import BadChoice
from app.services.server import Server

DELAYS = (0, 2, 10, 60)
"""Minutes that a turn waits before anybody is told of it."""
NOW, HOURLY, DAILY, NEVER = "now", "hourly", "daily", "never"
LETTERS = (NOW, HOURLY, DAILY, NEVER)
GAPS = {
    NOW: timedelta(0),
    HOURLY: timedelta(hours=1),
    DAILY: timedelta(days=1),
}
"""How long after one letter the next may come; until then it gathers what there is to tell."""


class Wish(msgspec.Struct, frozen=True):
    """``delay``: in minutes; ``letters``: how often at most; ``browsers``: how many show notices."""

    delay: float
    letters: str
    browsers: int = 0


def read(preferences: Mapping[str, Any], *, browsers: int, delay: float) -> Wish:
    """What is stored, or usual: whoever has a browser that shows notices gets no letters unless they ask for them."""
    letters = preferences.get("letters") or (NEVER if browsers else HOURLY)
    return Wish(float(preferences.get("notice_delay", delay)), letters, browsers)


async def of(server: Server, me: Me) -> Wish:
    """Mine."""
    async with server.sessions() as session:
        user = await queries.find_user(session, me.id)
        browsers = await pushes.count(session, me.id)
    return read(user.preferences if user else {}, browsers=browsers, delay=server.settings.notice_delay)


async def choose(server: Server, me: Me, *, delay: str, letters: str) -> None:
    """Remembers what somebody wants; an empty delay stays as it is. Raises :class:`BadChoice`."""
    if delay not in {"", *(str(each) for each in DELAYS)}:
        raise BadChoice(field="delay")
    if letters not in LETTERS:
        raise BadChoice(field="letters")
    waits: dict[str, str | int] = {"notice_delay": int(delay)} if delay else {}
    await _keep(server, me.id, letters=letters, **waits)


async def no_letters(server: Server, user_id: int) -> bool:
    """Nobody writes to this person of their tables any more. Whether there is such a person."""
    return await _keep(server, user_id, letters=NEVER)


async def _keep(server: Server, user_id: int, **chosen: str | int) -> bool:
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, user_id, lock=True)
        if user is None or user.deleted_at is not None:
            return False
        user.preferences = {**user.preferences, **chosen}
        return True


async def is_banned(session: AsyncSession, user: User) -> bool:
    """Whether a person may not come in, and is told nothing meanwhile."""
    return bool(await bans.list_standing(session, at=clock.now(), user_id=user.id))


def rests_until(user: User, now: datetime) -> datetime | None:
    """Until when a person has quiet hours, if it is one of them."""
    hours = quiet.read(f"{user.quiet} {user.time_zone or 'UTC'}") if user.quiet else None
    if hours is None:
        return None
    return next((end for begin, end in hours.nights(now, now + timedelta(seconds=1)) if begin <= now < end), None)
