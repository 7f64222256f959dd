"""Nobody misses a turn, nobody is bothered: who is told what, once, by which way.

Nothing is noted when a turn begins. Each round looks at the tables as they stand (so a restart loses and repeats
nothing), waits out everybody's delay, leaves alone who looks at the table, and claims by one row: whichever process
writes it tells. All that a person is to be told in a round is told together. See ``docs/notices.md``.
"""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts, pushes
from app.db import notices as queries
from app.db.lost import LOST
from app.db.models import Letter, User
from app.db.notices import Found
from app.engine import log
from app.services import clock, hotseat, letters, news, wishes
from app.services.accounts import Me
from app.services.errors import NotYourSeat
from app.services.held import Held
from app.services.news import Item
from app.services.server import Server

LETTER = "notices"
GRACE = timedelta(seconds=20)
"""After a start pages are given time to come back and to say that they lie open."""
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
RECENT = timedelta(days=1)
ALL = timedelta(minutes=10)
"""How often tables are looked at that have not moved for long."""
AGAIN = timedelta(minutes=10)
"""A turn that another took back, and that came again no sooner, is told once more."""
MOST_ITEMS = 200
KEPT = timedelta(days=7)
logger = logging.getLogger(__name__)


class Teller:
    """Tells for one process. Several may tell on one database."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._ready = clock.now() + GRACE
        self._all_at: datetime | None = None

    async def tell_due(self) -> int:
        """Tells whatever is due; how many people."""
        now = clock.now()
        if now < self._ready:
            return 0
        everything = self._all_at is None or now - self._all_at >= ALL
        async with self._server.sessions() as session:
            due = await queries.list_due(
                session,
                now=now,
                delay=self._server.settings.notice_delay,
                moved_since=LONG_AGO if everything else now - RECENT,
            )
        told = 0
        for user_id, found in due.items():
            try:
                told += await self._tell(user_id, found, now)
            except LOST:
                raise
            except Exception:  # whatever is wrong with one person's tables, the others are told of theirs
                logger.exception("person %s could not be told", user_id)
        if everything:
            self._all_at = now
        return told

    async def _tell(self, user_id: int, found: Sequence[Found], now: datetime) -> bool:
        """Tells one person, all at once; whether there was anything to tell."""
        async with self._server.sessions() as session:
            user = await accounts.find_user(session, user_id)
        if user is None or wishes.rests_until(user, now) is not None:
            return False
        looked = [each for each in [await self._look(each) for each in found] if each is not None]
        async with self._server.sessions.begin() as session:
            user = await accounts.find_user(session, user_id, lock=True)
            if user is None:
                return False
            items = []
            for each, known, held in looked:
                knows = known or await self._touched(session, each)
                again = not knows and await _comes_again(session, each, held)
                first = await queries.claim(session, each, told=not knows, at=now)
                if (first or again) and not knows:
                    items.append(Item(each.kind, each.table_id, each.number, each.seat))
            items = _once(items)
            if items:
                await hand_over(self._server, session, user, items, now=now)
        return bool(items)

    async def _look(self, found: Found) -> tuple[Found, bool, Held] | None:
        """What was found, with the number of its turn, whether the person is known to know it, and the table; nothing
        when it is so no more."""
        held = await news.hold(self._server, found.table_id)
        if held is None:
            return None
        mine = hotseat.seats_of(held.facts, found.user_id)
        if found.kind == queries.TURN:
            turn = news.turn_of(held, found.seat)
            if turn is None or held.position is None or held.position.waiting.get(found.seat) != found.since:
                return None  # it was made meanwhile
            return found._replace(number=turn), _is_in_it(held, mine, found, turn), held
        if found.kind == queries.TIME_UP:
            if not news.is_late(held, found.seat):
                return None  # it was before the table was set back
            return found, news.turn_of(held, found.seat) != found.number, held
        if found.kind == queries.OVER:
            return found, _has_ended_it(held, mine, found.user_id), held
        if found.kind == queries.STARTED:
            ours = held.position is not None and any(seat in held.position.waiting for seat in mine)
            return (
                found,
                ours or any(line.seat in mine for line in held.lines),
                held,
            )  # of a turn they are told as such
        return found, False, held

    async def _touched(self, session: AsyncSession, found: Found) -> bool:
        """Whether the person has touched a page that showed it."""
        if found.kind not in {queries.TURN, queries.STARTED}:
            return False
        awake = await queries.find_awake(session, found.user_id, found.table_id)
        return awake >= 0 and awake >= found.since


def _is_in_it(held: Held, mine: Sequence[int], found: Found, turn: int) -> bool:
    """Whether a person has begun this turn, or has acted since it opened, at whichever of their seats."""
    assert held.position is not None
    begun = any(item.seat == found.seat and item.turn == turn for item in held.position.played)
    return begun or any(line.seat in mine for line in held.lines[found.since :])


def _has_ended_it(held: Held, mine: Sequence[int], user_id: int) -> bool:
    """Whether a game ended by what a person did last: a move, giving up, or agreeing that it be called off."""
    facts = held.facts
    if not facts.ended:
        return bool(held.lines) and held.lines[-1].seat in mine
    last = facts.marks[-1] if facts.marks else None
    if last is None or last.seat is None or last.kind != facts.ended:
        return False
    return user_id in {facts.seats[last.seat].user_id, facts.seats[last.seat].conceded_id}


async def _comes_again(session: AsyncSession, found: Found, held: Held) -> bool:
    """Whether a turn was another's again since its person was told of it, because that other took something back, and
    came to them anew only long after."""
    before = await queries.find_claim(session, found) if found.kind == queries.TURN else None
    if before is None:
        return False
    mine = hotseat.seats_of(held.facts, found.user_id)
    between = held.lines[before : found.since]
    taken = next((line.at for line in between if line.text.startswith(log.UNDO) and line.seat not in mine), None)
    return taken is not None and found.at - taken >= AGAIN


def _once(items: Sequence[Item]) -> list[Item]:
    """Of several seats that one person holds at a table, one is told of."""
    first: dict[tuple[str, int], Item] = {}
    for item in items:
        first.setdefault((item.kind, item.table), item)
    return list(first.values())


async def hand_over(
    server: Server, session: AsyncSession, user: User, items: Sequence[Item], *, now: datetime
) -> None:
    """Gives all of it to the ways a person has chosen; what waits there already goes along with it."""
    stored: list[Any] = [msgspec.to_builtins(item) for item in items]
    browsers = await pushes.list_subscriptions(session, user.id)
    for subscription_id in browsers:
        await pushes.add(session, subscription_id, stored, at=now)
    wish = wishes.read(user.preferences, browsers=len(browsers), delay=server.settings.notice_delay)
    if wish.letters == wishes.NEVER or not user.email or not user.email_confirmed_at:
        return
    last = await queries.find_last_letter(session, user.id, kind=LETTER)
    due = max(now, last + wishes.GAPS[wish.letters]) if last else now
    taken = await queries.take_waiting_letter(session, user.id, kind=LETTER)
    if taken is not None:
        stored, due = (taken[0] + stored)[-MOST_ITEMS:], max(now, min(taken[1], due))
    due = wishes.rests_until(user, due) or due
    await letters.post(session, user, kind=LETTER, due_at=due, items=stored, address=server.settings.address)


def prepare(server: Server) -> letters.Prepare:
    """What a letter needs to know: what of it is still so; nothing: nobody needs it any more."""

    async def look(session: AsyncSession, letter: Letter, user: User) -> dict[str, Any] | None:
        if (
            not user.email_confirmed_at
            or user.email != letter.email
            or user.preferences.get("letters") == wishes.NEVER
            or await wishes.is_banned(session, user)
        ):
            return None
        rest = wishes.rests_until(user, clock.now())
        if rest is not None:
            raise letters.NotYet(rest)
        found = await news.still(server, session, user, letter.facts["items"])
        return {"news": found, "person": user.id, "zone": user.time_zone} if found else None

    return look


async def mute(server: Server, me: Me, table_id: int, *, muted: bool) -> None:
    """Tells me nothing of a table from now on, or does again. Raises ``NoSuchTable``, :class:`NotYourSeat`."""
    held = await server.states.newest(table_id)
    if held.facts.seat_of(me.id) is None:
        raise NotYourSeat
    async with server.sessions.begin() as session:
        await queries.mute(session, me.id, table_id, muted=muted)


async def is_muted(server: Server, me: Me, table_id: int) -> bool:
    """Whether I am told nothing of a table."""
    async with server.sessions() as session:
        return await queries.is_muted(session, me.id, table_id)


async def forget(server: Server) -> None:
    """Forgets what was told of games that ended days ago."""
    async with server.sessions.begin() as session:
        await queries.forget(session, before=clock.now() - KEPT)
