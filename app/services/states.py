"""The newest state of a table: replayed once, then remembered and caught up."""

import asyncio
import itertools
import re
from collections import OrderedDict
from weakref import WeakValueDictionary

from app import logs
from app.db import tables as queries
from app.db.base import Sessions
from app.services.errors import LogParted, NoSuchTable
from app.services.facts import read_facts
from app.services.held import Held, catch_up

KEPT = 500
KEY = re.compile(r"[a-z2-9]{12}")
"""What a table's address looks like; whatever else is asked for is nowhere, and the database is not asked."""


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
            catch_up(current, facts, entries)
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
