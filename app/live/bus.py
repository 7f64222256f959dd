"""Says and hears "table 7 is now at 42": at once in this process, through Postgres between processes.

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

CHANNEL = "semiramis"
MOST_IN_ONE = 300
RETRY = 1.0

Notice = tuple[int, int, int]
Hearing = Callable[[int, int, int], None]
logger = logging.getLogger(__name__)


class Bus:
    """One listening and one speaking connection, outside the pool; both come back by themselves."""

    def __init__(self, url: str) -> None:
        self._url = plain_url(url)
        self._pending: dict[int, tuple[int, int]] = {}
        self._some = asyncio.Event()
        self._hear: list[Hearing] = []
        self._restored: list[Callable[[], None]] = []
        self._tasks: list[asyncio.Task[None]] = []

    def on_notice(self, hearing: Hearing) -> None:
        """Calls with table, version and changes whenever another process says so (or this one)."""
        self._hear.append(hearing)

    def on_restored(self, restored: Callable[[], None]) -> None:
        """Calls when the listening connection is there again: notices may have been missed."""
        self._restored.append(restored)

    def say(self, table_id: int, version: int, changed: int) -> None:
        """Tells the other processes, soon."""
        known = self._pending.get(table_id, (0, 0))
        self._pending[table_id] = (max(version, known[0]), max(changed, known[1]))
        self._some.set()

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
                    payload = " ".join(f"{table}:{version}:{changed}" for table, (version, changed) in batch)
                    await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, payload)
                except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
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
        connection: asyncpg.Connection[Any] | None = None
        try:
            while True:
                lost = asyncio.Event()
                try:
                    connection = await asyncpg.connect(self._url)
                    connection.add_termination_listener(lambda _, lost=lost: lost.set())
                    await connection.add_listener(CHANNEL, self._heard)
                except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                    await asyncio.sleep(RETRY)
                    continue
                for restored in self._restored:
                    restored()
                await lost.wait()
                logger.warning("the listening connection was lost")
        finally:
            if connection is not None:
                connection.terminate()

    def _heard(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        for word in str(payload).split():
            table, version, changed = (int(number) for number in word.split(":"))
            for hearing in self._hear:
                hearing(table, version, changed)
