"""Real servers in processes of their own, and real browsers.

A test gets a server and a database of its own (``running``, ``database``; ``settings`` says what is special).
Starting one takes seconds, so whoever can plays on one that lasts for the whole run, and that consists of two
processes: ``pytest.mark.shared`` on a test, or on all of a file; ``pytest.mark.own_server`` excepts a test of such a
file. Both have the same fixtures.

A test that shares finds what others left: tables in the lobby, guests of every name, accounts. So it takes
``fresh("Mika")`` wherever a name must be the only one, looks for its own table and not for the first, and does not
stop, starve or configure the server, write announcements, or count what everybody adds to. One test at a time plays
on a server: nothing changes there meanwhile but what the test does.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright

from tests.databases import Databases
from tests.e2e.composed import Composed, composed
from tests.find_chromium import found

ROOT = Path(__file__).parent.parent.parent
COMPILED = TemporaryDirectory()
OF_THE_LINE = ("Failed to load resource", "WebSocket", "htmx:ws:error", "htmx:error")
"""What a browser says of a line that is down; tests say themselves what must come of it."""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Running:
    """``python -m app serve`` on a port of its own; it can be killed and started again."""

    def __init__(
        self,
        database: str,
        var: Path,
        *,
        pause: float = 0.05,
        workers: int = 1,
        settings: dict[str, str] | None = None,
    ) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._workers = workers
        self._log = var / "server.log"
        with suppress(FileExistsError):
            (var / "templates").symlink_to(COMPILED.name)  # compiled once for all servers of a run
        self._environment = {
            **os.environ,
            "DATABASE_URL": database,
            "SEMIRAMIS_VAR": str(var),
            "SEMIRAMIS_BOT_PAUSE": str(pause),
            "SEMIRAMIS_MOVES_PER_SECOND": "200",
            **{name: value.replace("{url}", self.url) for name, value in (settings or {}).items()},
        }
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Starts, if it does not run, and waits until pages come."""
        self._process = process = self._process or self._spawn()
        async with httpx.AsyncClient() as client:
            for _ in range(600):
                assert process.poll() is None, self._log.read_text()
                with suppress(httpx.TransportError):
                    if (await client.get(self.url + "/about")).status_code == 200:
                        return
                await asyncio.sleep(0.05)
        raise AssertionError(self._log.read_text())

    def _spawn(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "app", "serve", "--port", str(self.port), "--workers", str(self._workers)]
        with self._log.open("ab") as log:
            return subprocess.Popen(
                command, cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )

    def restart(self) -> None:
        """Asks it to end, and starts it again."""
        self.stop()
        self._process = self._spawn()

    def kill(self) -> None:
        """Ends it without a word: the server, its workers and its bots."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """It does nothing meanwhile: neither answers nor refuses."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def stop(self) -> None:
        """Ends it politely."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(40)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process = None

    @property
    def log(self) -> str:
        """What it has logged."""
        return self._log.read_text(encoding="utf-8", errors="replace")


@pytest.fixture
def settings() -> dict[str, str]:
    """What a server of one's own has to know besides; a file of tests may say more."""
    return {}


def shares(request: pytest.FixtureRequest) -> bool:
    """Whether the test plays where others play too. All do on a server that was brought up with ``docker compose``,
    each looking at what it logged meanwhile."""
    marked = request.node.get_closest_marker
    return marked("shared") is not None and marked("own_server") is None and composed() is None


@pytest.fixture(scope="session")
async def shared_database(databases: Databases) -> AsyncIterator[str]:
    async with databases.lent() as url:
        yield url


@pytest.fixture
async def own_database(databases: Databases) -> AsyncIterator[str]:
    async with databases.lent() as url:
        yield url


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """The database of the server that the test plays on."""
    found: str = request.getfixturevalue("shared_database" if shares(request) else "own_database")
    return found


@pytest.fixture(scope="session")
async def shared_server(shared_database: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    made = Running(shared_database, tmp_path_factory.mktemp("shared"), workers=2)
    yield made
    made.stop()
    assert "Traceback" not in made.log, made.log


@pytest.fixture
def own_server(database: str, tmp_path: Path, settings: dict[str, str]) -> Iterator[Running | Composed]:
    made = composed() or Running(database, tmp_path, settings=settings)
    yield made
    made.stop()
    assert "Traceback" not in made.log, made.log


@pytest.fixture
async def running(place: Running | Composed) -> AsyncIterator[Running | Composed]:
    """A server with bots: one of our own, the shared one, or the one that was brought up with ``docker compose``."""
    await place.start()
    before = place.log
    yield place
    said = place.log.removeprefix(before)
    assert "Traceback" not in said, said


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Running | Composed:
    found: Running | Composed = request.getfixturevalue("shared_server" if shares(request) else "own_server")
    return found


Fresh = Callable[[str], str]


@pytest.fixture
def fresh() -> Fresh:
    """A name that nobody has: ``fresh("Mika")``."""
    return lambda name: f"{name} {token_hex(3)}"


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for the run."""
    path = found()
    assert path, "run python tests/find_chromium.py first"
    async with async_playwright() as playwright:
        made = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield made
        await made.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A run of everything tells each story in one of the languages, by turns; ``SEMIRAMIS_STORIES=all`` (``make
    stories``), or asking for a file or a story by its name, tells it in both."""
    if os.environ.get("SEMIRAMIS_STORIES") == "all" or len({item.path for item in items}) < 3:
        return
    told = [
        item for item in items if item.path.parent == Path(__file__).parent and item.name.endswith(("[en]", "[ja]"))
    ]
    stories = sorted({(str(item.path), item.name[:-4]) for item in told})
    other = [
        item
        for item in told
        if item.name.endswith("[ja]" if stories.index((str(item.path), item.name[:-4])) % 2 else "[en]")
    ]
    config.hook.pytest_deselected(items=other)
    items[:] = [item for item in items if item not in other]


Opening = Callable[..., Any]


@pytest.fixture
async def visitor(browser: Browser, running: Running) -> AsyncIterator[Opening]:
    """Opens a browser of somebody's own: ``page = await visitor("Mika", language="ja", phone=True)``.

    Its person likes no motion, for boards that glide and shine keep a processor busy that has nothing else to draw
    with; ``motion=True`` where that matters. Any error in a page's console fails the test, except those a test
    expects.
    """
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(word in message.text for word in OF_THE_LINE):
            faults.append(message.text)

    async def opened(
        name: str = "",
        *,
        language: str = "en",
        phone: bool = False,
        dark: bool = False,
        script: bool = True,
        motion: bool = False,
    ) -> Page:
        context = await browser.new_context(
            base_url=running.url,
            locale=language,
            viewport={"width": 390, "height": 844} if phone else {"width": 1280, "height": 800},
            has_touch=phone,
            color_scheme="dark" if dark else "light",
            reduced_motion="no-preference" if motion else "reduce",
            java_script_enabled=script,
            ignore_https_errors=True,
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda fault: faults.append(str(fault)))
        page.on("console", heard)
        if name:
            headers = {"Origin": running.url, "Accept-Language": language}
            said = await context.request.post("/name", form={"name": name, "next": "/about"}, headers=headers)
            assert said.ok, await said.text()
            await page.goto("/")
        return page

    yield opened
    for context in contexts:
        await context.close()
    assert faults == []
