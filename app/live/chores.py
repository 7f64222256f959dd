"""What is done every minute by one process or another, whichever comes first."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from app.db.lost import LOST, Outage
from app.services.server import Server

EVERY = 60.0
Chore = Callable[[Server], Awaitable[Any]]
logger = logging.getLogger(__name__)


class Chores:
    """Does each chore now and then, for as long as it is started. Every process has its own; a chore itself sees to
    it that no two do it at once."""

    def __init__(self, server: Server, chores: Sequence[Chore]) -> None:
        self._server = server
        self._chores = chores
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Ends."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        outage = Outage(logger, "the chores")
        while True:
            for chore in self._chores:
                try:
                    await chore(self._server)
                    outage.over()
                except LOST as fault:
                    outage.begun(fault)
                except Exception:
                    logger.exception("a chore failed")
            await asyncio.sleep(EVERY)
