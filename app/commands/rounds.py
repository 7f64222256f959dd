"""What is done again and again beside the bots: letters, the ends of tables, warnings, forgetting."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from app.db import accounts as queries
from app.db.lost import LOST, Outage
from app.services import (
    clock,
    emails,
    expiry,
    letters,
    notices,
    pulse,
    ratings,
    recovery,
    talk,
    timekeeping,
)
from app.services.letters import Outbox, Prepare
from app.services.notices import Teller
from app.services.push import Sender
from app.services.roads import road_of
from app.services.server import Server
from app.web.digest import pushed
from app.web.letters import composer

KINDS: dict[str, Prepare] = {
    emails.CONFIRM: emails.prepare_confirm,
    emails.MOVED: emails.prepare_plain,
    recovery.PASSWORD: recovery.prepare_password,
    recovery.CHANGED: emails.prepare_plain,
}
"""Every kind of letter but notices, and what it needs to know when it is sent."""
TOKENS_KEPT = timedelta(days=30)
logger = logging.getLogger("app.commands")


class Round(NamedTuple):
    """Something to be done every so many seconds."""

    name: str
    seconds: float
    work: Callable[[], Awaitable[object]]


def kinds(server: Server) -> dict[str, Prepare]:
    """Every kind of letter."""
    return {**KINDS, notices.LETTER: notices.prepare(server)}


def rounds(server: Server) -> tuple[Round, ...]:
    """All of them. Several processes may go round on one database."""
    outbox = Outbox(server, road_of(server.settings), composer(server.settings), kinds(server))
    sender = Sender(server, pushed)
    teller = Teller(server)
    keeper = timekeeping.Keeper(server)
    return (
        Round("the clocks", 1, keeper.sweep),
        Round("the notices", 3, teller.tell_due),
        Round("the browsers", 2, sender.send_due),
        Round("the letters", 2, outbox.send_due),
        Round("the ends of tables", 5, lambda: ratings.settle_all(server)),
        Round("the tables nobody cares for", 60, lambda: expiry.sweep(server)),
        Round("forgetting", 3600, lambda: forget(server)),
    )


async def forget(server: Server) -> None:
    """Lets go of what nobody needs any more: old letters, dead links, browsers that never came back, what was said
    at tables long over, how the processes did and what went wrong days ago."""
    now = clock.now()
    await letters.clear(server)
    await pulse.forget(server)
    await talk.forget_old(server)
    await notices.forget(server)
    async with server.sessions.begin() as session:
        await queries.drop_old_tokens(session, expired_before=now - TOKENS_KEPT)
        days = timedelta(days=server.settings.session_days)
        await queries.end_old_logins(session, unseen_since=now - days)


async def go_round(all_rounds: Sequence[Round]) -> None:
    """Goes round until cancelled."""
    await asyncio.gather(*(_again_and_again(each) for each in all_rounds))


async def _again_and_again(each: Round) -> None:
    outage = Outage(logger, each.name)
    while True:
        try:
            await each.work()
            outage.over()
        except LOST as fault:
            outage.begun(fault)
        except Exception:
            logger.exception("%s", each.name)
        await asyncio.sleep(each.seconds)
