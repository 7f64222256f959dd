"""A server of its own for a measurement, with people and tables made directly in its database."""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import httpx
import psutil
from itsdangerous import Signer
from sqlalchemy import text

from app.config import Settings
from app.db.base import make_engine
from app.db.embedded import Cluster
from app.db.migrate import upgrade
from app.services import accounts, lobby
from app.services.accounts import Me
from app.services.lobby import Wish
from app.services.server import Server, make_server
from app.web.deps import COOKIE

ROOT = Path(__file__).parent.parent
SECRET = "bench"
TOKEN = "a token for measuring, of nobody's server"


@dataclass
class Person:
    """Somebody with a browser."""

    me: Me
    cookie: str


@dataclass
class Trial:
    """The servers under test, and our own way into their database."""

    urls: list[str]
    server: Server
    process: psutil.Process
    people: list[Person]
    start: Any
    stop: Any
    processes: list[psutil.Process]

    @property
    def url(self) -> str:
        """Where the first server listens."""
        return self.urls[0]

    def at(self, key: str) -> str:
        """Where a table is played: always on the same server, as the proxy of a deployment sees to it."""
        return self.urls[crc32(key.encode()) % len(self.urls)]

    def busy(self) -> float:
        """Processor time of all servers since they were last asked, in percent of a core."""
        return sum(each.cpu_percent() for each in self.processes)

    async def add_people(self, count: int) -> list[Person]:
        """So many new guests."""
        signer = Signer(SECRET)
        for _ in range(count):
            me, token = await accounts.welcome(self.server, name=f"P{len(self.people)}", language="en")
            self.people.append(Person(me, f"{COOKIE}={signer.sign(token).decode()}"))
        return self.people[-count:]

    async def add_table(self, people: list[Person], *, slug: str, bot: str = "") -> str:
        """A table that has begun, with these people (and bots on two seats in all, when one is named)."""
        wish = Wish(slug=slug, seats=max(2, len(people)), bot=bot)
        key = await lobby.open_table(self.server, people[0].me, wish)
        table_id = await self.server.states.find_id(key)
        for person in people[1:]:
            await lobby.sit(self.server, person.me, table_id)
        if not bot:
            await lobby.start(self.server, people[0].me, table_id)
        return key

    def memory(self) -> int:
        """Bytes the server process holds (not Postgres, not us)."""
        return int(self.process.memory_info().rss)

    async def settle(self) -> None:
        """Lets Postgres tidy up what the preparation left."""
        async with self.server.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await connection.execute(text("VACUUM ANALYZE"))
            await connection.execute(text("CHECKPOINT"))


def reachable_cluster(folder: str) -> Cluster:
    """A cluster that its own system user can get at, in a folder that is ours."""
    Path(folder).chmod(0o755)
    return Cluster(Path(folder) / "postgres")


def free_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def trial(*, servers: int = 1, bots: bool = False) -> AsyncIterator[Trial]:
    """Servers on one embedded Postgres in a temporary folder; ``bots``: with bots, as people have it."""
    with tempfile.TemporaryDirectory(prefix="semiramis-bench-", ignore_cleanup_errors=True) as folder:
        cluster = await asyncio.to_thread(reachable_cluster, folder)
        url = await asyncio.to_thread(cluster.ensure_database)
        await asyncio.to_thread(upgrade, url)
        ports = [free_port() for _ in range(servers)]
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "SEMIRAMIS_VAR": folder,
            "SEMIRAMIS_SECRET": SECRET,
            "SEMIRAMIS_MOVES_PER_SECOND": "100000",
            "SEMIRAMIS_LOG_LEVEL": "WARNING",
            "SEMIRAMIS_METRICS_TOKEN": TOKEN,
        }
        addresses = [f"http://127.0.0.1:{port}" for port in ports]
        running: list[subprocess.Popen[bytes]] = []

        async def start(number: int = 0) -> psutil.Process:
            command = [sys.executable, "-m", "app", "serve", "--port", str(ports[number])]
            command += [] if bots else ["--no-bots"]
            spawned = await asyncio.to_thread(
                subprocess.Popen, command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
            )
            running.append(spawned)
            async with httpx.AsyncClient() as client:
                while True:
                    with suppress(httpx.TransportError):
                        if (await client.get(addresses[number] + "/about")).status_code == 200:
                            return psutil.Process(spawned.pid)
                    await asyncio.sleep(0.05)

        def stop(*, hard: bool = False) -> None:
            while running:
                spawned = running.pop()
                if hard:
                    spawned.kill()
                else:
                    spawned.terminate()
                spawned.wait()

        settings = Settings(database_url=url, var=Path(folder), tables_per_person=100_000)
        server = make_server(settings, make_engine(url))
        try:
            processes = [await start(number) for number in range(servers)]
            yield Trial(addresses, server, processes[0], [], start, stop, processes)
        finally:
            stop()
            await server.engine.dispose()
            await asyncio.to_thread(cluster.stop)
