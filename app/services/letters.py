"""Letters to people: written down in the transaction they belong to, sent later, by whichever road there is.

A letter is tried again, later and later, as long as it certainly did not arrive, and never once it may have: before
it is handed over, the row says ``unknown``, and only an answer changes that.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts
from app.db import letters as queries
from app.db.lost import LOST
from app.db.models import Letter, User
from app.services import clock
from app.services.server import Server

BACK_OFF = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 240, 720, 1440))
"""How long after each try that failed the next one comes; after the last one it is given up."""
LEASE = timedelta(minutes=2)
"""How long one process has a letter to itself; delivering takes less, or fails."""
AT_ONCE = 20
KEPT = timedelta(days=30)
UNKNOWN, REFUSED, NEEDLESS, GIVEN_UP = "unknown", "refused", "needless", "given up"
"""Why a letter is not tried again: it may have arrived, it is not wanted there, nobody needs it any more, or it
could not be brought for too long."""
logger = logging.getLogger(__name__)


class Facts(msgspec.Struct, frozen=True):
    """What a letter is made from when it is sent."""

    id: int
    kind: str
    to: str
    name: str
    language: str
    facts: Mapping[str, Any]


class Sheet(msgspec.Struct, frozen=True):
    """A letter in words; ``unsubscribe``: the address at which one says that no more like it shall come."""

    id: int
    kind: str
    to: str
    subject: str
    text: str
    unsubscribe: str = ""


class Unreachable(Exception):
    """It certainly did not arrive; later it may."""


class Unwanted(Exception):
    """It certainly did not arrive, and never will."""


class Uncertain(Exception):
    """Nobody knows whether it arrived."""


class NotYet(Exception):
    """It is not to be sent before that moment."""

    def __init__(self, until: datetime) -> None:
        self.until = until
        super().__init__(until)


class NotOurs(Exception):
    """Another process has taken the letter meanwhile."""


Compose = Callable[[Facts], Sheet]
Prepare = Callable[[AsyncSession, Letter, User], Awaitable[dict[str, Any] | None]]
"""The facts of a letter of one kind when it is about to be sent; ``None``: nobody needs it any more. Raises
:class:`NotYet`."""


class Road(Protocol):
    """A way to bring a letter. Calls ``handing_over`` before it does what cannot be taken back.

    Raises :class:`Unreachable`, :class:`Unwanted`, :class:`Uncertain`.
    """

    async def bring(self, sheet: Sheet, handing_over: Callable[[], Awaitable[None]]) -> None:
        """Brings it."""


async def post(
    session: AsyncSession, user: User, *, kind: str, email: str = "", due_at: datetime | None = None, **facts: Any
) -> None:
    """Puts a letter to somebody into the outbox; ``due_at``: not to be sent before."""
    to = email or user.email or ""
    due_at = due_at or clock.now()
    session.add(Letter(user_id=user.id, email=to, language=user.language, kind=kind, facts=facts, due_at=due_at))


class Outbox:
    """Sends what is due. Several may work on one database: each letter is brought by one of them."""

    def __init__(self, server: Server, road: Road, compose: Compose, kinds: Mapping[str, Prepare]) -> None:
        self._server = server
        self._road = road
        self._compose = compose
        self._kinds = kinds

    async def send_due(self) -> int:
        """Tries every letter that is due; how many were sent."""
        now = clock.now()
        async with self._server.sessions.begin() as session:
            claimed = await queries.claim(session, now=now, until=now + LEASE, most=AT_ONCE)
        return sum([await self._try(letter_id, tries) for letter_id, tries in claimed])

    async def _try(self, letter_id: int, tries: int) -> bool:
        try:
            sheet = await self._sheet(letter_id, tries)
            if sheet is None:
                return False

            async def handing_over() -> None:
                await self._note(letter_id, tries, dropped=UNKNOWN)

            await self._road.bring(sheet, handing_over)
        except NotOurs:
            return False
        except Unwanted as fault:
            logger.warning("letter %s was refused: %s", letter_id, fault)
            await self._note(letter_id, tries, dropped=REFUSED)
            return False
        except Unreachable as fault:
            logger.warning("letter %s could not be brought (try %s): %s", letter_id, tries, fault)
            await self._later(letter_id, tries)
            return False
        except Uncertain as fault:
            logger.warning("letter %s may have arrived or not: %s", letter_id, fault)
            return False
        except LOST:
            raise
        except Exception:
            logger.exception("letter %s", letter_id)
            async with self._server.sessions.begin() as session:
                handed_over = await queries.is_dropped(session, letter_id)
            if not handed_over:
                await self._later(letter_id, tries)
            return False
        await self._note(letter_id, tries, dropped="", sent=True)
        return True

    async def _sheet(self, letter_id: int, tries: int) -> Sheet | None:
        """The letter in words, or nothing when nobody needs it any more, or not yet."""
        async with self._server.sessions.begin() as session:
            letter = await queries.find_letter(session, letter_id)
            user = await accounts.find_user(session, letter.user_id) if letter else None
            if letter is None or user is None or letter.tries != tries:
                raise NotOurs
            try:
                facts = await self._kinds[letter.kind](session, letter, user) if user.deleted_at is None else None
            except NotYet as fault:
                letter.due_at, letter.tries = fault.until, tries - 1  # it was no try
                return None
            if facts is None:
                letter.dropped = NEEDLESS
                return None
            made = Facts(letter.id, letter.kind, letter.email, user.name, letter.language, letter.facts | facts)
        return self._compose(made)

    async def _later(self, letter_id: int, tries: int) -> None:
        if tries > len(BACK_OFF):
            await self._note(letter_id, tries, dropped=GIVEN_UP)
        else:
            await self._note(letter_id, tries, dropped="", wait=BACK_OFF[tries - 1])

    async def _note(
        self, letter_id: int, tries: int, *, dropped: str, sent: bool = False, wait: timedelta | None = None
    ) -> None:
        """Writes down what came of a try. Raises :class:`NotOurs`."""
        now = clock.now()
        async with self._server.sessions.begin() as session:
            noted = await queries.note(
                session,
                letter_id,
                tries=tries,
                dropped=dropped,
                sent_at=now if sent else None,
                due_at=now + wait if wait else None,
            )
        if not noted:
            raise NotOurs


async def clear(server: Server) -> None:
    """Forgets letters that were sent or given up long ago: they hold addresses."""
    async with server.sessions.begin() as session:
        await queries.drop_old(session, before=clock.now() - KEPT)
