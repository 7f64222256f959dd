"""Whether a page lies open before somebody: pages say so, and this process tells all the others."""

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress

from app.db import notices as queries
from app.db.lost import LOST
from app.services import clock
from app.services.server import Server

REFRESH = 10.0
GATHER = 0.2
Open = Callable[[], Mapping[tuple[int, int], int]]
"""Of the pages that lie open: person and table, and the version they showed when they were last touched."""
logger = logging.getLogger(__name__)


class Looks:
    """Tells for one process. What it last told counts for half a minute, should it end without a word."""

    def __init__(self, server: Server, now_open: Open) -> None:
        self._server = server
        self._now_open = now_open
        self._process = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"[:80]
        self._told: set[tuple[int, int]] = set()
        self._some = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Nobody looks at pages of ours any more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        with suppress(*LOST):
            await self.tell({})

    def note(self) -> None:
        """Something changed."""
        self._some.set()

    async def tell(self, now_open: Mapping[tuple[int, int], int]) -> None:
        """Writes down which pages lie open, and which do no more."""
        gone = self._told - set(now_open)
        if not now_open and not gone:
            return
        async with self._server.sessions.begin() as session:
            await queries.note_looks(session, self._process, now_open, gone, at=clock.now())
        self._told = set(now_open)

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._some.wait(), REFRESH)
            self._some.clear()
            await asyncio.sleep(GATHER)
            try:
                await self.tell(self._now_open())
            except LOST as fault:
                logger.debug("what people look at could not be noted: %s", fault)
                await asyncio.sleep(1)
            except Exception:
                logger.exception("what people look at could not be noted")
