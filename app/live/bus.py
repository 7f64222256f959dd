"""Says and hears "table 7 is now at 42", and "person 3 sees something else now" (as ``-3``): at once in this process,
through Postgres between processes.

A notice is a doorbell only: whoever hears it reads the table. It is rung after the commit, on a connection of
its own, gathering what is pending; whoever loses a notice finds out by sweeping.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import asyncpg

from app.db.base import plain_url
from app.db.lost import LOST
from app.live.arrivals import arrived

CHANNEL = "semiramis"
MOST_IN_ONE = 300
RETRY = 1.0
PULSE = 15.0
"""Seconds after which a silent connection is asked whether it is still there, and may think about it."""

Notice = tuple[int, int, int]
Hearing = Callable[[int, int, int], None]
logger = logging.getLogger(__name__)


class Bus:
    """One listening and one speaking connection, outside the pool; both come back by themselves."""

    def __init__(self, url: str) -> None:
        self._url = plain_url(url)
        self._pending: dict[int, tuple[int, int, float]] = {}
        self._some = asyncio.Event()
        self._hear: list[Hearing] = []
        self._called: list[Callable[[int], None]] = []
        self._restored: list[Callable[[], None]] = []
        self._tasks: list[asyncio.Task[None]] = []

    def on_notice(self, hearing: Hearing) -> None:
        """Calls with table, version and changes whenever another process says so (or this one)."""
        self._hear.append(hearing)

    def on_call(self, called: Callable[[int], None]) -> None:
        """Calls with a person's number when what they alone see has changed."""
        self._called.append(called)

    def on_restored(self, restored: Callable[[], None]) -> None:
        """Calls when the listening connection is there again: notices may have been missed."""
        self._restored.append(restored)

    def say(self, table_id: int, version: int, changed: int) -> None:
        """Tells the other processes, soon; and when the first click came of those that it tells of."""
        known = self._pending.get(table_id, (0, 0, 0.0))
        self._pending[table_id] = (max(version, known[0]), max(changed, known[1]), known[2] or arrived.get() or 0.0)
        self._some.set()

    def call(self, user_id: int) -> None:
        """Tells the other processes, soon, that a person's pages show something else now."""
        self.say(-user_id, 0, 0)

    def start(self) -> None:
        """Begins to speak and listen."""
        self._tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]

    async def stop(self) -> None:
        """Ends both."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task

    async def _speak(self) -> None:
        connection: asyncpg.Connection[Any] | None = None
        try:
            while True:
                await self._some.wait()
                batch = list(self._pending.items())[:MOST_IN_ONE]
                try:
                    if connection is None or connection.is_closed():
                        connection = await asyncpg.connect(self._url)
                    payload = " ".join(f"{table}:{':'.join(map(str, said))}" for table, said in batch)
                    await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, payload, timeout=PULSE)
                except LOST:
                    if connection is not None:
                        connection.terminate()
                    await asyncio.sleep(RETRY)
                    continue
                for table, said in batch:
                    if self._pending.get(table) == said:
                        del self._pending[table]
                if not self._pending:
                    self._some.clear()
        finally:
            if connection is not None:
                connection.terminate()

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except LOST as fault:
                logger.debug("not listening: %s", fault)
            await asyncio.sleep(RETRY)

    async def _listen_once(self) -> None:
        """Listens until the connection is lost, also when nobody says that it is."""
        lost = asyncio.Event()
        connection: asyncpg.Connection[Any] = await asyncpg.connect(self._url)
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await connection.add_listener(CHANNEL, self._heard)
            for restored in self._restored:
                restored()
            while not lost.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(lost.wait(), PULSE)
                    break
                await connection.execute("SELECT 1", timeout=PULSE)
            logger.warning("the listening connection was lost")
        finally:
            connection.terminate()

    def _heard(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        for word in str(payload).split():
            table, version, changed, began = word.split(":")
            if int(table) < 0:
                for called in self._called:
                    called(-int(table))
                continue
            before = arrived.set(float(began) or None)
            for hearing in self._hear:
                hearing(int(table), int(version), int(changed))
            arrived.reset(before)
