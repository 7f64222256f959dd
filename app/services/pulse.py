"""How this process is doing, told to the database now and then, so that admins see all processes on one page."""

import asyncio
import logging
import os
import re
import secrets
import socket
import traceback
from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import psutil

from app import logs
from app.db import pulses as queries
from app.db.lost import LOST, Outage
from app.services import clock
from app.services.server import Server

EVERY = 10.0
KEPT = timedelta(days=2)
ALIVE = timedelta(seconds=90)
"""A process that has said nothing for so long is not there."""
MOST_FAULTS = 200
logger = logging.getLogger(__name__)


class Faults(logging.Handler):
    """Remembers what was logged as an error until it is written down: the id that whoever met it was told, the kind
    of error, and the place in our code. What was said about it may name somebody, and is left to the log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.addFilter(logs.Numbers())
        self._noted: deque[dict[str, Any]] = deque(maxlen=MOST_FAULTS)

    def emit(self, record: logging.LogRecord) -> None:
        """Remembers one."""
        told = logs.facts_of(record).get("request")
        fault = record.exc_info[1] if record.exc_info else None
        what = type(fault).__name__ if fault else re.sub(r"%\S*", "…", str(record.msg))
        self._noted.append(
            {
                "id": told or secrets.token_hex(6),
                "at": clock.now(),
                "what": what[:120],
                "place": place_of(fault) or f"{record.name}:{record.lineno}",
            }
        )

    def take(self) -> list[dict[str, Any]]:
        """What was noted since the last time."""
        noted = list(self._noted)
        self._noted.clear()
        return noted

    def put_back(self, noted: list[dict[str, Any]]) -> None:
        """It could not be written down yet."""
        self._noted.extendleft(reversed(noted))


def place_of(fault: BaseException | None) -> str:
    """Where in our code an error came from: the last line of it that is ours."""
    frames = traceback.extract_tb(fault.__traceback__) if fault else []
    ours = [frame for frame in frames if "/app/" in frame.filename and "site-packages" not in frame.filename]
    return f"app/{ours[-1].filename.rpartition('/app/')[2]}:{ours[-1].lineno}" if ours else ""


class Heart:
    """Beats for one process. ``measure``: what else is to be told, among it ``sockets``."""

    def __init__(self, server: Server, kind: str, measure: Callable[[], dict[str, Any]] = dict) -> None:
        self._server = server
        self._kind = kind
        self._measure = measure
        self._process = psutil.Process()
        self.name = f"{socket.gethostname()}-{os.getpid()}"[:60]
        self._since = clock.now()
        self._minute = self._since.replace(second=0, microsecond=0)
        self._before = server.writer.stored
        self.faults = Faults()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins."""
        logging.getLogger("app").addHandler(self.faults)
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Ends."""
        logging.getLogger("app").removeHandler(self.faults)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        outage = Outage(logger, "the pulse")
        loop = asyncio.get_running_loop()
        late = 0.0
        while True:
            try:
                await self.beat(late=late)
                outage.over()
            except LOST as fault:
                outage.begun(fault)
            due = loop.time() + EVERY
            await asyncio.sleep(EVERY)
            late = max(0.0, loop.time() - due)

    async def beat(self, *, late: float = 0.0) -> None:
        """Tells once."""
        now = clock.now()
        minute = now.replace(second=0, microsecond=0)
        stored = self._server.writer.stored
        new_minute = minute != self._minute
        if new_minute:
            self._minute, self._before = minute, stored
        told = self._measure()
        facts = {
            "remembered": self._server.states.count,
            "parted": {str(table_id): seq for table_id, seq in self._server.states.parted.items()},
            "late": round(late * 1000, 1),
            "memory": self._process.memory_info().rss // 2**20,
            "cpu": self._process.cpu_percent(),
            "stored_in": self._server.writer.slowness,
            **{name: value for name, value in told.items() if name != "sockets"},
        }
        noted = self.faults.take()
        try:
            async with self._server.sessions.begin() as session:
                if new_minute:
                    await queries.forget_connected(session, before=now - ALIVE)
                await queries.note_faults(session, [{**each, "process": self.name} for each in noted])
                await queries.beat(
                    session,
                    {
                        "process": self.name,
                        "minute": minute,
                        "kind": self._kind,
                        "since": self._since,
                        "seen_at": now,
                        "sockets": told.get("sockets", 0),
                        "moves": stored - self._before,
                        "facts": facts,
                    },
                )
        except LOST:
            self.faults.put_back(noted)
            raise


async def forget(server: Server) -> None:
    """Forgets how the processes did, and what went wrong, days ago."""
    async with server.sessions.begin() as session:
        await queries.forget(session, before=clock.now() - KEPT)
