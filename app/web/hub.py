"""The pages open in this process; each is sent what changed, drawn from what that viewer may see."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from starlette.websockets import WebSocketDisconnect

from app.db import tables as queries
from app.db.lost import LOST, Outage
from app.live.arrivals import arrived
from app.services import accounts
from app.services.errors import LogParted, NeedsPassword, NoSuchTable, Refusal
from app.services.held import Held
from app.services.server import Server
from app.web.looks import Looks
from app.web.page import Message, Page, encoded
from app.web.render import ROOM, Renderer, Shown

SWEEP = 2.0
TOUCH = 60.0
RETRY = 1.0
RESTART = 1012
PATIENCE = 5.0
"""Seconds that a server which ends waits for what was begun."""
T = TypeVar("T")
logger = logging.getLogger(__name__)


class Hub:
    """Knows the open pages by table, and what was last heard of each table."""

    def __init__(self, server: Server, renderer: Renderer) -> None:
        self._server = server
        self._renderer = renderer
        self._pages: defaultdict[int, set[Page]] = defaultdict(set)
        self._heard: dict[int, tuple[int, int]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._begun: set[asyncio.Future[Any]] = set()
        self._watching = asyncio.Lock()
        self.looks = Looks(server, self._open)

    @property
    def count(self) -> int:
        """How many pages are open."""
        return sum(len(pages) for pages in self._pages.values())

    @property
    def connected(self) -> list[tuple[int, int]]:
        """Who looks at which table, once for every page; 0 is nobody we know."""
        return [(page.user_id or 0, table_id) for table_id, pages in self._pages.items() for page in pages]

    def _open(self) -> dict[tuple[int, int], int]:
        """Of the pages that lie open before people we know, what was touched."""
        found: dict[tuple[int, int], int] = {}
        for table_id, pages in self._pages.items():
            for page in pages:
                if page.looks and page.user_id is not None:
                    key = (page.user_id, table_id)
                    found[key] = max(page.awake, found.get(key, -1))
        return found

    def start(self) -> None:
        """Begins to sweep."""
        self.looks.start()
        self._tasks = [asyncio.create_task(self._sweep()), asyncio.create_task(self._touch())]

    async def stop(self) -> None:
        """Lets what pages have begun come to its end, and closes every page's socket: we start again, come back."""
        if self._begun:
            await asyncio.wait(self._begun, timeout=PATIENCE)
        for task in self._tasks:
            task.cancel()
        await self.looks.stop()
        for pages in list(self._pages.values()):
            for page in list(pages):
                with suppress(RuntimeError, WebSocketDisconnect):
                    await page.socket.close(RESTART)

    def finish(self, work: Coroutine[Any, Any, T]) -> asyncio.Future[T]:
        """What was begun is finished, told and rung for, also when its page goes away or the server ends; when nobody
        waits for it any more, nobody is told that it was refused."""
        task = asyncio.ensure_future(work)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return asyncio.shield(task)

    def hear(self, table_id: int, version: int, changed: int) -> None:
        """A table is now at that version: its pages want to know."""
        pages = self._pages.get(table_id)
        if not pages:
            return
        known = self._heard.get(table_id, (0, 0))
        if version > known[0] or changed > known[1]:
            self._heard[table_id] = (max(version, known[0]), max(changed, known[1]))
            for page in pages:
                page.hear(arrived.get())

    def hear_all(self) -> None:
        """Notices may have been missed: every page looks again."""
        for table_id, pages in self._pages.items():
            self._server.states.forget(table_id)
            for page in pages:
                page.dirty.set()

    def call(self, user_id: int) -> None:
        """What this person alone sees has changed: their pages look again."""
        for pages in self._pages.values():
            for page in pages:
                if page.user_id == user_id:
                    page.called = True
                    page.dirty.set()

    def open(self, page: Page) -> None:
        """A page is here."""
        self._pages[page.table_id].add(page)

    def dismiss(self, logins: set[int]) -> None:
        """These browsers are signed out: their pages see no more than a stranger, and load themselves again."""
        for pages in self._pages.values():
            for page in pages:
                if page.login in logins:
                    page.user_id = page.login = None
                    page.ended = True
                    page.dirty.set()

    def close(self, page: Page) -> None:
        """A page is gone."""
        pages = self._pages.get(page.table_id)
        if page.looks:
            self.looks.note()
        if pages is not None:
            pages.discard(page)
            if not pages:
                del self._pages[page.table_id]
                self._heard.pop(page.table_id, None)
                self._server.states.put_away(page.table_id)

    async def feed(self, page: Page) -> None:
        """Sends a page whatever is new, the newest only, for as long as it is open."""
        while True:
            await page.dirty.wait()
            page.dirty.clear()
            version, changed = self._heard.get(page.table_id, (0, 0))
            if page.ended and page.acting:
                continue  # what comes of the action is told first
            if page.ended:
                await page.socket.send_text(encoded(Message(version, changed, reload=True)))
                return
            called, page.called = page.called, False
            try:
                held = await self._read(page, version, changed, anew=called)
                if not page.may_enter(held.facts):  # it has a password now
                    raise NeedsPassword
                shown = await self._drawn(page, held)
            except (NoSuchTable, LogParted, NeedsPassword):
                await page.socket.send_text(encoded(Message(version, changed, reload=True)))
                return
            except LOST as fault:
                logger.debug("table %s could not be read: %s", page.table_id, fault)  # the sweep says it for all
                await asyncio.sleep(RETRY)
                page.called = page.called or called
                page.dirty.set()
                continue
            await page.send(shown)

    async def _read(self, page: Page, version: int, changed: int, *, anew: bool) -> Held:
        """The table, at least as it was last heard of; ``anew``: as it is stored."""
        if anew:
            return await self._server.states.newest(page.table_id)
        return await self._server.states.get(page.table_id, version=version, changed=changed)

    async def _drawn(self, page: Page, held: Held) -> Shown:
        """The table for a page. Whoever plays is drawn at once; those who only watch one after the other, and between
        two of them all that has come meanwhile from those who play: under load it is the watching that is late."""
        if held.facts.seat_of(page.user_id) is not None:
            return page.drawn(self._renderer, held)
        async with self._watching:
            await asyncio.sleep(0)
            return page.drawn(self._renderer, self._server.states.known(page.table_id) or held)

    async def _sweep(self) -> None:
        """Finds the tables that moved without our hearing of it; whatever happens, it goes on."""
        outage = Outage(logger, "the sweep")
        while True:
            await asyncio.sleep(SWEEP)
            try:
                async with self._server.sessions() as session:
                    for table_id, version, changed in await queries.list_versions(session, list(self._pages)):
                        self.hear(table_id, version, changed)
                here = {page.login for pages in self._pages.values() for page in pages if page.login is not None}
                self.dismiss(here - await accounts.list_signed_in(self._server, here))
                outage.over()
            except LOST as fault:
                outage.begun(fault)
            except Exception:
                logger.exception("the sweep failed")

    async def _look_round(self) -> None:
        rooms = [table_id for table_id, pages in self._pages.items() if any(page.kind == ROOM for page in pages)]
        for table_id in rooms:
            with suppress(Refusal):
                await self._server.states.newest(table_id)
            for page in self._pages.get(table_id, ()):
                page.dirty.set()

    async def _touch(self) -> None:
        """Notes who is here, and lets waiting rooms say who is away."""
        while True:
            await asyncio.sleep(TOUCH)
            here = {page.user_id for pages in self._pages.values() for page in pages if page.user_id is not None}
            try:
                await accounts.touch(self._server, here)
                await self._look_round()
            except LOST as fault:
                logger.debug("presence could not be noted: %s", fault)
            except Exception:
                logger.exception("presence could not be noted")
