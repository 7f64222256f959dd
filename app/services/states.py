"""The newest state of a table: replayed once, then remembered and caught up."""

import asyncio
import itertools
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app import games, logs
from app.db import marks as time_queries
from app.db import tables as queries
from app.db.audit import Act, list_acts
from app.db.base import Sessions
from app.db.invitations import Asked, list_asked
from app.db.models import Table
from app.db.talk import Said, list_latest, list_mutes
from app.engine import codec, log
from app.engine.contract import AnyGame
from app.services import clocks, editions, pace, quiet
from app.services.clocks import Clock, Mark, Step
from app.services.errors import LogParted, NoSuchTable
from app.services.pace import Pace
from app.services.playing import playing_of
from app.services.quiet import Span

KEPT = 500
REMARKS_KEPT = 30
"""Of each room of a table so many of the latest remarks are remembered, and one more: whether there are others."""
KEY = re.compile(r"[a-z2-9]{12}")
"""What a table's address looks like; whatever else is asked for is nowhere, and the database is not asked."""


class SeatFacts(msgspec.Struct, frozen=True):
    """A seat: a person, a bot (its kind), or nobody.

    ``left``: the name of who left it to the bot and may come back (``left_id``); ``offer``: where a substitute may
    take it over, which only those who sit at the table are told. ``beside``: ``name`` is that of somebody who plays
    it on the person's device; ``opened``: what the seat knows may be seen there now. ``confirms`` and ``passes``:
    the person wants to be asked before a turn ends, or what is forced to be done by itself.
    """

    user_id: int | None
    name: str
    bot: str
    ready: bool = False
    language: str = ""
    seen_at: datetime | None = None
    left_id: int | None = None
    left: str = ""
    offer: str = ""
    beside: bool = False
    opened: bool = False
    quiet: str = ""
    cancels: bool = False
    conceded_id: int | None = None
    conceded_at: datetime | None = None
    confirms: bool = False
    passes: bool = False

    @property
    def free(self) -> bool:
        """Whether anybody may sit here."""
        return self.user_id is None and not self.bot


def seat_facts(row: queries.Sitting) -> SeatFacts:
    """The facts of a stored seat."""
    seat = row.seat
    playing = playing_of(row.preferences)
    return SeatFacts(
        user_id=seat.user_id,
        name=row.name,
        bot=seat.bot,
        ready=seat.ready,
        language=row.language,
        seen_at=row.seen_at,
        left_id=seat.left_id,
        left=row.left,
        offer=seat.offer_key or "",
        beside=row.beside,
        opened=row.opened,
        quiet=seat.quiet,
        cancels=seat.cancels,
        conceded_id=seat.conceded_id,
        conceded_at=seat.conceded_at,
        confirms=playing.confirm,
        passes=playing.auto_pass,
    )


def own_seat(seats: Sequence[SeatFacts], user_id: int | None) -> int | None:
    """Where a person sits; of several seats the one that is not for somebody beside."""
    if user_id is None:
        return None
    mine = [index for index, seat in enumerate(seats) if seat.user_id == user_id]
    return min(mine, key=lambda index: (seats[index].beside, index), default=None)


class TableFacts(msgspec.Struct, frozen=True):
    """What is stored of a table besides its log. ``lock``: its password's hash; ``asked``: who is asked to it;
    ``ended``: how it came to be over or cancelled when not by the rules; ``acts``: what admins did to it; ``marks``:
    what befell it besides its moves; ``gaps``: when none of our servers was there; ``talk``: who hears the seats;
    ``remarks``: the latest, of both rooms (:mod:`app.services.talk` says who hears them); ``mutes``: who does not
    want to hear whom of those who said them."""

    id: int
    key: str
    slug: str
    edition: str
    options: dict[str, str]
    deal: dict[str, list[str]]
    seed: str
    status: str
    public: bool
    host_id: int
    version: int
    changed: int
    seats: tuple[SeatFacts, ...]
    rematch: str | None
    created_at: datetime
    moved_at: datetime
    ended: str = ""
    hidden: bool = False
    paused: bool = False
    acts: tuple[Act, ...] = ()
    warned_at: datetime | None = None
    auto_start: bool = False
    lock: str | None = None
    asked: tuple[Asked, ...] = ()
    rematch_public: bool = False
    pace: Pace = pace.NONE
    started_at: datetime | None = None
    marks: tuple[Mark, ...] = ()
    gaps: tuple[Span, ...] = ()
    talk: str = "open"
    remarks: tuple[Said, ...] = ()
    mutes: frozenset[tuple[int, int]] = frozenset()

    def seat_of(self, user_id: int | None) -> int | None:
        """Where a person sits: of several seats at one device their own."""
        return own_seat(self.seats, user_id)

    def seat_left_by(self, user_id: int | None) -> int | None:
        """Which seat a person left and may take back."""
        if user_id is None:
            return None
        return next((index for index, seat in enumerate(self.seats) if seat.left_id == user_id), None)


class Line(msgspec.Struct, frozen=True):
    """A stored entry with its time."""

    seq: int
    seat: int | None
    text: str
    at: datetime
    person: bool = True
    """Whether a person wrote it, not a bot."""


class Held:
    """A table as this process knows it. ``position`` is there from the start of the game on.

    Whoever moves the table holds ``lock``, so that one process never races itself.
    """

    def __init__(self, facts: TableFacts) -> None:
        self.facts = facts
        self.game: AnyGame = games.load(facts.slug, facts.edition)
        self.position: log.Position[Any] | None = None
        self.lines: list[Line] = []
        self.turns: list[Mapping[int, int]] = []
        """After each entry (and before the first): who must choose, each with its turn; where there are clocks."""
        self._clocks: tuple[tuple[int, int], tuple[Clock, ...]] | None = None
        self.lock = asyncio.Lock()
        self.read = 0
        """When a reading of it began that was shared, on a clock that only counts."""

    @property
    def version(self) -> int:
        """How many entries this process knows."""
        return self.position.version if self.position else 0

    def begin(self) -> log.Position[Any]:
        """The position before the first entry."""
        facts = self.facts
        return log.begin(
            self.game, seats=len(facts.seats), options=facts.options, seed=facts.seed, deal=facts.deal or None
        )

    def at(self, version: int) -> log.Position[Any]:
        """The position after that many entries."""
        if self.position is not None and version >= self.position.version:
            return self.position
        entries = [log.Entry(line.seat, line.text) for line in self.lines[:version]]
        try:
            return log.replay(self.game, self.begin(), entries)
        except Exception as fault:  # a moment that an admin's rewind passed over; what rules say to it is not known
            raise LogParted(seq=version) from fault

    def take(self, position: log.Position[Any], line: Line, facts: TableFacts) -> None:
        """Takes over an entry that was stored."""
        self.goes_to(position)
        self.lines.append(line)
        self.facts = facts

    def goes_to(self, position: log.Position[Any]) -> None:
        """The next position."""
        self.position = position
        self.turns += self.turns_at(position)

    def turns_at(self, position: log.Position[Any]) -> list[Mapping[int, int]]:
        """Who must choose there, each with its turn; nothing at a table without clocks."""
        if not self.facts.pace:
            return []
        return [{each.seat: each.turn for each in self.game.decisions(position.state)}]

    def clocks(self) -> tuple[Clock, ...]:
        """Every seat's clock as it stands after what is known; none at a table without."""
        facts = self.facts
        if not facts.pace or self.position is None or facts.started_at is None:
            return ()
        key = (self.version, facts.changed)
        if self._clocks is None or self._clocks[0] != key:
            read = clocks.read(
                facts.pace,
                [Step(facts.started_at, self.turns[0]), *map(_step, self.lines, self.turns[1:])],
                quiets=[quiet.read(seat.quiet) for seat in facts.seats],
                marks=facts.marks,
                gaps=facts.gaps,
            )
            self._clocks = key, read
        return self._clocks[1]

    def stand_ins(self) -> frozenset[int]:
        """The seats of people for whom a bot plays this turn, because their time is up."""
        if self.facts.pace.up != "bot" or not any(mark.kind == "up" for mark in self.facts.marks):
            return frozenset()
        return frozenset(seat for seat, clock in enumerate(self.clocks()) if clock.up)


def _step(line: Line, waiting: Mapping[int, int]) -> Step:
    rewound = int(line.text[len(log.REWIND) :]) if line.text.startswith(log.REWIND) else None
    moves = rewound is None and not line.text.startswith(log.UNDO)
    return Step(line.at, waiting, line.seat, person=line.person, moves=moves, rewound=rewound)


class States:
    """The tables this process remembers, the least used forgotten first."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._held: OrderedDict[int, Held] = OrderedDict()
        self._ids: dict[str, int] = {}
        self.parted: dict[int, int] = {}
        """The tables whose log was seen to part ways, and at which entry."""
        self._clock = itertools.count(1)
        self._looking: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @property
    def count(self) -> int:
        """How many tables are remembered."""
        return len(self._held)

    async def find_id(self, key: str) -> int:
        """The number of the table at that address. Raises :class:`NoSuchTable`."""
        if not KEY.fullmatch(key):
            raise NoSuchTable
        found = self._ids.get(key)
        if found is None:
            async with self._sessions() as session:
                found = await queries.find_table_id(session, key)
            if found is None:
                raise NoSuchTable
            if len(self._ids) > KEPT * 20:
                self._ids.clear()
            self._ids[key] = found
        logs.about(table=found)
        return found

    async def get(self, table_id: int, *, version: int = 0, changed: int = 0) -> Held:
        """The table as remembered, caught up when it is not known to stand at least there.

        Raises :class:`NoSuchTable`, :class:`LogParted`.
        """
        held = self._remembered(table_id, version, changed)
        if held is not None:
            return held
        looking = self._looking.setdefault(table_id, asyncio.Lock())
        async with looking:  # of all the pages that heard of a move one reads it, the others find it here
            return self._remembered(table_id, version, changed) or await self.newest(table_id)

    def _remembered(self, table_id: int, version: int, changed: int) -> Held | None:
        held = self._held.get(table_id)
        if held is None or held.version < version or held.facts.changed < changed:
            return None
        self._held.move_to_end(table_id)
        return held

    async def looked_up(self, table_id: int) -> Held:
        """The table as stored at this moment or later: of all who ask at once, one reads it for all.

        Raises :class:`NoSuchTable`, :class:`LogParted`.
        """
        asked = next(self._clock)
        async with self._looking.setdefault(table_id, asyncio.Lock()):
            held = self._held.get(table_id)
            if held is not None and held.read > asked:
                return held
            began = next(self._clock)
            held = await self.newest(table_id)
            held.read = began
            return held

    async def newest(self, table_id: int) -> Held:
        """The table as stored now. Raises :class:`NoSuchTable`, :class:`LogParted`."""
        held = self._held.get(table_id)
        async with self._sessions() as session:
            facts = await read_facts(session, table_id, known=held.facts if held else None)
            known = held.version if held else 0
            entries = await queries.list_entries(session, table_id, after=known) if facts.version > known else []
        current = self._held.get(table_id)
        if current is None:
            current = self._held[table_id] = held or Held(facts)
        self._held.move_to_end(table_id)
        while len(self._held) > KEPT:
            self._held.popitem(last=False)
        try:
            _catch_up(current, facts, entries)
        except LogParted as fault:
            self.forget(table_id)  # or it would be taken for sound the next time
            self.parted[table_id] = int(fault.facts["seq"])
            raise
        self.parted.pop(table_id, None)
        return current

    def known(self, table_id: int) -> Held | None:
        """The table as remembered, if it is."""
        return self._held.get(table_id)

    def forget(self, table_id: int) -> None:
        """Reads the table anew next time."""
        self._held.pop(table_id, None)

    def put_away(self, table_id: int) -> None:
        """Nobody looks any more: a table at which nothing will happen need not be remembered."""
        held = self._held.get(table_id)
        if held is not None and held.facts.status in {"over", "cancelled"}:
            self.forget(table_id)


def _catch_up(held: Held, facts: TableFacts, entries: list[Any]) -> None:
    """Appends the entries that are new, and checks that they led where they did when they were written."""
    if facts.changed >= held.facts.changed and facts.version >= held.facts.version:
        held.facts = facts
    if facts.status in {"waiting", "cancelled"} and not facts.version:
        return
    if held.position is None:
        held.goes_to(held.begin())
    assert held.position is not None
    position = held.position
    entries = [entry for entry in entries if entry.seq > position.version]
    leap = max((done for done, each in enumerate(entries, 1) if each.text.startswith(log.REWIND)), default=0)
    seq = entries[leap - 1].seq if leap else position.version
    turns: list[Mapping[int, int]] = []
    try:
        if leap:
            before = [log.Entry(each.seat, each.text) for each in entries[:leap]]
            turns += _turns_on_the_way(held, position, before)
            position = log.replay(held.game, position, before)
            turns += held.turns_at(position)
        for each in entries[leap:]:
            seq = each.seq
            position = log.append(held.game, position, log.Entry(each.seat, each.text), trusted=True)
            turns += held.turns_at(position)
    except Exception as fault:  # rules that have changed may say anything to an old action
        raise LogParted(seq=seq) from fault
    if entries and codec.digest(position.state) != entries[-1].digest:
        raise LogParted(seq=seq)
    held.lines += [Line(each.seq, each.seat, each.text, each.at, each.user_id is not None) for each in entries]
    held.turns += turns
    held.position = position


def _turns_on_the_way(
    held: Held, position: log.Position[Any], entries: Sequence[log.Entry]
) -> list[Mapping[int, int]]:
    """Who had to choose after each entry but the last, which is a rewind: nobody where the rules of today do not
    follow what it drops."""
    turns: list[Mapping[int, int]] = []
    for entry in entries[:-1] if held.facts.pace else ():
        try:
            position = log.append(held.game, position, entry, trusted=True)
            turns += held.turns_at(position)
        except Exception:  # as above: rules that have changed may say anything
            position = msgspec.structs.replace(position, version=position.version + 1)
            turns.append({})
    return turns


async def read_facts(session: AsyncSession, table_id: int, *, known: TableFacts | None = None) -> TableFacts:
    """The table without its log; ``known``: what was known of it before. Raises :class:`NoSuchTable`."""
    table = await queries.find_table(session, table_id)
    if table is None:
        raise NoSuchTable
    await editions.know(session, table.slug, table.edition)
    return await facts_of(session, table, known=known)


async def facts_of(session: AsyncSession, table: Table, *, known: TableFacts | None = None) -> TableFacts:
    """The facts of a stored table. Whatever an admin does to it, and whatever is said there, raises ``changed``."""
    same = known is not None and known.changed == table.changed
    if known is not None and same:
        acts, remarks, mutes = known.acts, known.remarks, known.mutes
    else:
        acts = await list_acts(session, table.id)
        remarks = await list_latest(session, table.id, most=REMARKS_KEPT + 1)
        mutes = await list_mutes(session, {each.user_id for each in remarks})
    seats = await queries.list_seats(session, [table.id])
    rematch = await queries.find_table(session, table.rematch_id) if table.rematch_id else None
    marks = await time_queries.list_marks(session, table.id) if table.marks else []
    gaps = await time_queries.list_outages(session, since=table.started_at) if table.pace and table.started_at else []
    asked = await list_asked(session, table.id) if table.status == "waiting" or table.password_hash else []
    return TableFacts(
        id=table.id,
        key=table.key,
        slug=table.slug,
        edition=table.edition,
        options=table.options,
        deal=table.deal,
        seed=table.seed,
        status=table.status,
        public=table.public,
        host_id=table.host_id,
        version=table.version,
        changed=table.changed,
        seats=tuple(seat_facts(row) for row in seats),
        rematch=rematch.key if rematch else None,
        created_at=table.created_at,
        moved_at=table.moved_at,
        ended=table.ended,
        hidden=table.hidden,
        paused=table.paused,
        acts=acts,
        warned_at=table.warned_at,
        auto_start=table.auto_start,
        lock=table.password_hash,
        asked=tuple(asked),
        rematch_public=rematch is not None and rematch.public,
        pace=pace.read(table.pace),
        started_at=table.started_at,
        marks=tuple(Mark(each.at, each.version, each.kind, each.seat, each.turn) for each in marks),
        gaps=tuple(gaps),
        talk=table.talk,
        remarks=remarks,
        mutes=mutes,
    )
