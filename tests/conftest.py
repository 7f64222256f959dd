"""One Postgres for the whole run, a fresh database for every test that wants one, and the server on it."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
import uvicorn
from argon2 import PasswordHasher

from app.config import Settings
from app.db.base import make_engine
from app.db.embedded import Cluster
from app.db.migrate import upgrade
from app.main import make_app
from app.services import accounts, clock, passwords, sessions
from app.services.accounts import NO_BROWSER, Me
from app.services.server import Server, make_server
from app.services.sessions import Wish
from tests.databases import Databases

TEMPLATE = "template_semiramis"
PASSWORD = "three odd words"
ADDRESS = "https://club.example"


@pytest.fixture(scope="session", autouse=True)
def hasty_passwords() -> Iterator[None]:
    """Hundreds of passwords are made here, and none of them is worth a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "HASHER", PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
        yield


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets time pass: ``later(days=3)``."""
    passed = timedelta()

    def move(**span: float) -> None:
        nonlocal passed
        passed += timedelta(**span)

    monkeypatch.setattr(clock, "now", lambda: datetime.now(UTC) + passed)
    return move


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A private Postgres in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="semiramis-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        made = Cluster(Path(folder) / "postgres")
        asyncio.run(hasten(made.url_of("postgres")))
        made.ensure_database(TEMPLATE)
        upgrade(made.url_of(TEMPLATE))
        yield made
        made.stop()


async def hasten(url: str) -> None:
    """What is thrown away need not survive a power cut."""
    connection = await asyncpg.connect(url)
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        await connection.execute(f"ALTER SYSTEM SET {setting} = off")
    await connection.execute("SELECT pg_reload_conf()")
    await connection.close()


@pytest.fixture(scope="session")
def databases(cluster: Cluster) -> Databases:
    """Those that tests borrow."""
    return Databases(cluster, TEMPLATE)


@pytest.fixture
async def database(databases: Databases) -> AsyncIterator[str]:
    """The address of a database with all tables and nothing in them."""
    async with databases.lent() as url:
        yield url


@pytest.fixture
def config(database: str, tmp_path: Path) -> Settings:
    """Settings for that database, with hasty bots."""
    return Settings(database_url=database, var=tmp_path, bot_pause=0.0, moves_per_second=1000, log_level="WARNING")


@pytest.fixture
async def passing(database: str) -> AsyncIterator[Callable[..., Awaitable[None]]]:
    """Lets time pass in the database, for every connection made from now on: ``await passing(hours=3)``."""
    connection = await asyncpg.connect(database)
    name = await connection.fetchval("SELECT current_database()")
    await connection.execute(f"""
        CREATE SCHEMA moved;
        CREATE TABLE moved.passed AS SELECT interval '0' AS time;
        CREATE FUNCTION moved.now() RETURNS timestamptz LANGUAGE sql STABLE
          AS 'SELECT pg_catalog.now() + time FROM moved.passed';
        ALTER DATABASE "{name}" SET search_path = moved, pg_catalog, public;
    """)

    async def move(**span: float) -> None:
        await connection.execute("UPDATE moved.passed SET time = time + $1", timedelta(**span))

    yield move
    await connection.close()


@asynccontextmanager
async def server_on(config: Settings) -> AsyncIterator[Server]:
    """A process's worth of services."""
    made = make_server(config, make_engine(config.database_url, pool_size=config.pool_size))
    writing = asyncio.create_task(made.writer.run())
    try:
        yield made
    finally:
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing
        await made.engine.dispose()


@pytest.fixture
async def server(config: Settings) -> AsyncIterator[Server]:
    """The services on a fresh database."""
    async with server_on(config) as made:
        yield made


@pytest.fixture
async def other_server(config: Settings) -> AsyncIterator[Server]:
    """A second process on the same database."""
    async with server_on(config) as made:
        yield made


async def person(server: Server, name: str) -> Me:
    """Somebody new."""
    me, _ = await accounts.welcome(server, name=name, language="en")
    return me


async def account(server: Server, name: str, *, email: str = "", guest: Me | None = None) -> Me:
    """Somebody with an account."""
    wish = Wish(name, PASSWORD, email)
    me, _ = await sessions.sign_up(server, guest, wish, language="en", browser=NO_BROWSER, address=ADDRESS)
    return me


@pytest.fixture
async def alice(server: Server) -> Me:
    return await person(server, "Alice")


@pytest.fixture
async def bob(server: Server) -> Me:
    return await person(server, "Bob")


@pytest.fixture
async def eve(server: Server) -> Me:
    """Eve watches, and has no rights."""
    return await person(server, "Eve")


@dataclass
class Site:
    """A running server, and clients for it."""

    url: str
    app: Any
    config: Settings
    clients: list[httpx.AsyncClient]
    serving: uvicorn.Server

    def client(self, **options: Any) -> httpx.AsyncClient:
        """A browser without a screen."""
        made = httpx.AsyncClient(base_url=self.url, follow_redirects=True, timeout=30, **options)
        self.clients.append(made)
        return made

    async def guest(self, name: str, language: str = "en") -> httpx.AsyncClient:
        """A browser whose person has given a nickname."""
        made = self.client(headers={"Accept-Language": language})
        answer = await made.post("/name", data={"name": name, "next": "/about"}, headers={"Origin": self.url})
        assert answer.status_code == 200, answer.text
        made.headers["Origin"] = self.url
        return made

    @property
    def server(self) -> Server:
        """The services inside."""
        found: Server = self.app.state.edge.server
        return found


@asynccontextmanager
async def site_on(config: Settings, **options: Any) -> AsyncIterator[Site]:
    """The whole server on a port of its own."""
    app = make_app(config)
    serving = uvicorn.Server(
        uvicorn.Config(
            app,
            host="127.0.0.1",
            port=0,
            log_level="warning",
            ws_max_size=4096,
            lifespan="on",
            timeout_graceful_shutdown=1,
            **options,
        )
    )
    serving.install_signal_handlers = lambda: None  # type: ignore[attr-defined]  # this is not the main program
    task = asyncio.create_task(serving.serve())
    while not serving.started:
        await asyncio.sleep(0.01)
        if task.done():
            task.result()
    port = serving.servers[0].sockets[0].getsockname()[1]
    made = Site(f"http://127.0.0.1:{port}", app, config, [], serving)
    try:
        yield made
    finally:
        for client in made.clients:
            await client.aclose()
        serving.should_exit = True
        await task


@pytest.fixture
async def site(config: Settings) -> AsyncIterator[Site]:
    """The whole server on a fresh database."""
    async with site_on(config) as made:
        yield made


@pytest.fixture
def eventually() -> Callable[..., Any]:
    """Waits until a claim holds, or fails after some seconds."""

    async def wait(claim: Callable[[], Any], seconds: float = 5.0) -> None:
        ends = asyncio.get_running_loop().time() + seconds
        while True:
            found = claim()
            if asyncio.iscoroutine(found):
                found = await found
            if found:
                return
            assert asyncio.get_running_loop().time() < ends, "it never happened"
            await asyncio.sleep(0.02)

    return wait
