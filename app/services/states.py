"""The newest state of a table: replayed once, then remembered and caught up."""

import asyncio
import itertools
import re
from collections import OrderedDict
from datetime import datetime
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app import games
from app.db import tables as queries
from app.db.base import Sessions
from app.db.models import Table
from app.db.shared_seats import SharedSeat, list_shared
from app.engine import codec, log
from app.engine.contract import AnyGame
from app.services.errors import LogParted, NoSuchTable

KEPT = 1_000
KEY = re.compile(r"[a-z2-9]{12}")
"""What a table's address looks like; whatever else is asked for is nowhere, and the database is not asked."""


class SeatFacts(msgspec.Struct, frozen=True):
    """A seat: a person, a bot (its kind), or nobody. ``shared``: ``name`` is that of somebody who plays it on the
    person's device; ``opened``: what the seat knows may be seen there now."""

    user_id: int | None
    name: str
    bot: str
    shared: bool = False
    opened: bool = False

    @property
    def free(self) -> bool:
        """Whether anybody may sit here."""
        return self.user_id is None and not self.bot


class TableFacts(msgspec.Struct, frozen=True):
    """What is stored of a table besides its log."""

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

    def seat_of(self, user_id: int | None) -> int | None:
        """Where a person sits."""
        if user_id is None:
            return None
        return next((index for index, seat in enumerate(self.seats) if seat.user_id == user_id), None)


class Line(msgspec.Struct, frozen=True):
    """A stored entry with its time."""

    seq: int
    seat: int | None
    text: str
    at: datetime


class Held:
    """A table as this process knows it. ``position`` is there from the start of the game on.

    Whoever moves the table holds ``lock``, so that one process never races itself.
    """

    def __init__(self, facts: TableFacts) -> None:
        self.facts = facts
        self.game: AnyGame = games.load(facts.slug, facts.edition)
        self.position: log.Position[Any] | None = None
        self.lines: list[Line] = []
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
        entries = (log.Entry(line.seat, line.text) for line in self.lines[:version])
        return log.replay(self.game, self.begin(), entries)

    def take(self, position: log.Position[Any], line: Line, facts: TableFacts) -> None:
        """Takes over an entry that was stored."""
        self.position = position
        self.lines.append(line)
        self.facts = facts


class States:
    """The tables this process remembers, the least used forgotten first."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._held: OrderedDict[int, Held] = OrderedDict()
        self._ids: dict[str, int] = {}
        self._clock = itertools.count(1)
        self._looking: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

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
            facts = await read_facts(session, table_id)
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
        except LogParted:
            self.forget(table_id)  # or it would be taken for sound the next time
            raise
        return current

    def known(self, table_id: int) -> Held | None:
        """The table as remembered, if it is."""
        return self._held.get(table_id)

    def forget(self, table_id: int) -> None:
        """Reads the table anew next time."""
        self._held.pop(table_id, None)


def _catch_up(held: Held, facts: TableFacts, entries: list[Any]) -> None:
    """Appends the entries that are new, and checks that they led where they did when they were written."""
    if facts.changed >= held.facts.changed and facts.version >= held.facts.version:
        held.facts = facts
    if facts.status in {"waiting", "cancelled"} and not facts.version:
        return
    position = held.position or held.begin()
    for entry in entries:
        if entry.seq != position.version + 1:
            continue
        try:
            position = log.append(held.game, position, log.Entry(entry.seat, entry.text), trusted=True)
        except (log.Refused, ValueError) as fault:
            raise LogParted(seq=entry.seq) from fault
        held.lines.append(Line(entry.seq, entry.seat, entry.text, entry.at))
        held.position = position
        if entry is entries[-1] and codec.digest(position.state) != entry.digest:
            raise LogParted(seq=entry.seq)
    held.position = position


async def read_facts(session: AsyncSession, table_id: int) -> TableFacts:
    """The table without its log. Raises :class:`NoSuchTable`."""
    table = await queries.find_table(session, table_id)
    if table is None:
        raise NoSuchTable
    return await facts_of(session, table)


async def facts_of(session: AsyncSession, table: Table) -> TableFacts:
    """The facts of a stored table."""
    seats = await queries.list_seats(session, [table.id])
    shared = {each.seat: each for each in await list_shared(session, [table.id])}
    rematch = await queries.find_key(session, table.rematch_id) if table.rematch_id else None
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
        seats=tuple(
            beside(SeatFacts(seat.user_id, name or "", seat.bot), shared.get(seat.seat)) for seat, name in seats
        ),
        rematch=rematch,
        created_at=table.created_at,
        moved_at=table.moved_at,
    )


def beside(seat: SeatFacts, shared: SharedSeat | None) -> SeatFacts:
    """The seat as it is when somebody plays it on the device of who holds it."""
    if shared is None or seat.user_id != shared.user_id:
        return seat
    return msgspec.structs.replace(seat, name=shared.name, shared=True, opened=shared.opened)
