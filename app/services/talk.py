"""Talk at a table: two rooms, who hears what in them, and saying something.

The seats have a room and those who watch have theirs. Which one a person speaks in follows from who they are and is
never asked of the page; who sits there, or left a seat they may come back to, is not given the watchers' room before
the game is over. Why: ``docs/decisions/0014-who-hears-whom.md``.
"""

import unicodedata
from collections.abc import Collection
from datetime import timedelta

import regex
from sqlalchemy import ColumnElement, and_

from app.db import talk as queries
from app.db.accounts import has_gone
from app.db.models import Remark
from app.db.talk import Said
from app.services import clock
from app.services.accounts import Me, check_not_muted
from app.services.errors import (
    BadRemark,
    BadTable,
    LeftSeat,
    NoGuestTalk,
    NotHost,
    OtherRoom,
    SignedOut,
    TalkOff,
)
from app.services.facts import TableFacts
from app.services.held import Held
from app.services.rooms import changing
from app.services.server import Server

SEATS, WATCHERS = "seats", "watchers"
OPEN, CLOSED, OFF = "open", "seats", "off"
TALKS = (OPEN, CLOSED, OFF)
"""Who hears the seats talk: everybody who sees the table, they alone, or there is no talk."""
LONGEST = 500
MOST_CHARACTERS = LONGEST * 8
"""Of a grapheme cluster most are one or two; towers of marks are not."""
MOST_IN_ONE_ROOM = 1_000
"""Older remarks of a room are forgotten."""
PAGE = 100
SEEN = regex.compile(r"(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{S}\p{P}]")


def clean_words(written: str) -> str:
    """What is said as it is kept: NFC, no control characters, at most one empty line at a time, 1-500 grapheme
    clusters. Characters that change the direction stay; pages isolate each remark. Raises :class:`BadRemark`.
    """
    if len(written) > MOST_CHARACTERS * 4:
        raise BadRemark(reason="long", most=LONGEST)
    text = unicodedata.normalize("NFC", written.replace("\r\n", "\n").replace("\r", "\n"))
    text = text.replace("\t", " ").replace("\u2028", "\n").replace("\u2029", "\n")
    text = "".join(each for each in text if each == "\n" or unicodedata.category(each) not in {"Cc", "Cs"})
    text = "\n".join(line.strip(" ") for line in text.split("\n"))
    text = regex.sub(r"\n{3,}", "\n\n", text).strip()
    if not SEEN.search(text):
        raise BadRemark(reason="empty")
    if len(text) > MOST_CHARACTERS or len(regex.findall(r"\X", text)) > LONGEST:
        raise BadRemark(reason="long", most=LONGEST)
    return text


def room_of(*, status: str, talk: str, seated: bool, left: bool) -> str | None:
    """The room somebody speaks in; ``None``: who left a seat and may come back knows a hand, and speaks in neither.

    Before the start nothing is hidden: whoever is there may speak with the seats, if the seats are heard by all.
    """
    if seated:
        return SEATS
    if left and status == "playing":
        return None
    return SEATS if status == "waiting" and talk == OPEN else WATCHERS


def own_room(facts: TableFacts, user_id: int | None) -> str | None:
    """The room that a person speaks in at this moment."""
    return room_of(
        status=facts.status,
        talk=facts.talk,
        seated=facts.seat_of(user_id) is not None,
        left=facts.seat_left_by(user_id) is not None,
    )


def rooms_heard(facts: TableFacts, user_id: int | None) -> frozenset[str]:
    """The rooms that a person hears. Nobody hears the watchers before the game is over who sits there, might come
    back, or has not said who they are."""
    if facts.status == "over":
        return frozenset({SEATS, WATCHERS})
    plays = facts.seat_of(user_id) is not None or facts.seat_left_by(user_id) is not None
    return frozenset({SEATS}) if user_id is None or plays else frozenset({SEATS, WATCHERS})


def hears(facts: TableFacts, said: Said, user_id: int | None, *, muted: Collection[int]) -> bool:
    """Whether a person hears a remark."""
    if said.room not in rooms_heard(facts, user_id) or said.user_id in muted:
        return False
    return not said.private or facts.seat_of(user_id) is not None


def heard_in(facts: TableFacts, user_id: int | None, *, muted: Collection[int]) -> ColumnElement[bool]:
    """The same as a condition on what is stored."""
    heard = and_(Remark.room.in_(rooms_heard(facts, user_id)), Remark.user_id.not_in(muted))
    return heard if facts.seat_of(user_id) is not None else and_(heard, ~Remark.private)


def muted_by(facts: TableFacts, user_id: int | None) -> frozenset[int]:
    """Whom of the latest speakers a person does not want to hear."""
    return frozenset(whom for who, whom in facts.mutes if who == user_id)


def latest_heard(facts: TableFacts, user_id: int | None, *, most: int) -> tuple[tuple[Said, ...], bool]:
    """The latest remarks that a person hears, the newest last; and whether there were more."""
    muted = muted_by(facts, user_id)
    heard = [each for each in facts.remarks if hears(facts, each, user_id, muted=muted)]
    full = [each.room for each in facts.remarks if hears(facts, each, user_id, muted=())]
    more = any(full.count(room) > most for room in (SEATS, WATCHERS))  # behind those of whom one mutes may be others
    return tuple(heard[-most:]), len(heard) > most or more


async def list_heard(
    server: Server, held: Held, user_id: int | None, *, before: int | None, most: int = PAGE
) -> tuple[tuple[Said, ...], bool]:
    """The remarks before one that a person hears, the newest last; and whether there are more."""
    async with server.sessions() as session:
        muted = {row[0] for row in await queries.list_muted(session, user_id)} if user_id is not None else set()
        heard = heard_in(held.facts, user_id, muted=muted)
        found = await queries.list_before(session, held.facts.id, before=before, heard=heard, most=most + 1)
    return found[-most:], len(found) > most


async def say(server: Server, me: Me, table_id: int, *, words: str, room: str = "", once: str = "") -> None:
    """Says something in one's own room. ``room``: in which the page said that it would be heard; ``once``: the same
    words under the same name are said once.

    Raises :class:`BadRemark`, :class:`NoGuestTalk`, ``Muted``, ``NoSuchTable``, :class:`TalkOff`, :class:`LeftSeat`,
    :class:`OtherRoom`, :class:`SignedOut`.
    """
    kept = clean_words(words)
    once = "".join(each for each in once[:60] if each.isascii() and each.isprintable())
    if me.guest and not (await server.club.get()).guests_talk:
        raise NoGuestTalk
    async with changing(server, table_id) as here:
        await check_not_muted(here.session, me)
        if here.table.talk == OFF:
            raise TalkOff
        seat = here.seat_of(me)
        own = room_of(
            status=here.table.status,
            talk=here.table.talk,
            seated=seat is not None,
            left=any(each.left_id == me.id for each in here.seats),
        )
        if own is None:
            raise LeftSeat
        if room and room != own:
            raise OtherRoom
        before = await queries.find_once(here.session, me.id, once) if once else None
        if before is not None and (before.table_id, before.words) == (table_id, kept):
            here.idle = True
            return
        remark = Said(
            id=0,
            room=own,
            user_id=me.id,
            name=me.name,
            seat=seat.seat if seat else None,
            words=kept,
            private=own == SEATS and here.table.talk == CLOSED,
            removed=False,
            at=clock.now(),
        )
        # which waits for a deletion of the person that is under way
        await queries.add(here.session, table_id, remark, once="" if before else once)
        if await has_gone(here.session, me.id):
            raise SignedOut


async def set_talk(server: Server, me: Me, table_id: int, *, talk: str) -> None:
    """Says who hears the seats talk from now on, or ends all talk at the table; at any time.

    Raises ``NoSuchTable``, :class:`NotHost`, :class:`BadTable`.
    """
    if talk not in TALKS:
        raise BadTable(field="talk")
    async with changing(server, table_id) as here:
        if here.table.host_id != me.id:
            raise NotHost
        here.idle = here.table.talk == talk
        here.table.talk = talk


async def forget_old(server: Server) -> int:
    """Lets go of what was said at tables that ended long ago, and of more than a room keeps; how many they were."""
    quiet_since = clock.now() - timedelta(days=server.settings.talk_days)
    async with server.sessions.begin() as session:
        return await queries.forget_old(session, quiet_since=quiet_since, most=MOST_IN_ONE_ROOM)
