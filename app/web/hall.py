"""The lobby's pages open in this process; each is sent its lists when something in them changed."""

import asyncio
import logging
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from app.db import tables as queries
from app.db.lost import LOST, Outage
from app.services import accounts, listing
from app.services.accounts import Me
from app.services.listing import Listed, Sought
from app.services.server import Server
from app.web.hub import RESTART, RETRY
from app.web.lists import hashes_of, lists_for, tag_of, zones_of
from app.web.page import Message, encoded
from app.web.render import partials

GATHER = 0.2
"""Seconds in which news gather before they are looked at; and a page is left in peace after it was sent some."""
REFRESH = 30.0
"""Seconds after which every page is drawn anew: time passes, people come and go, and a notice may have been lost."""
logger = logging.getLogger(__name__)


class Guest:
    """One open page of the lobby: who looks, for what, and what it has been sent."""

    def __init__(self, socket: WebSocket, me: Me | None, *, language: str, sought: Sought, shown: str) -> None:
        self.socket = socket
        self.me = me
        self.language = language
        self.sought = sought
        self.shown = shown
        self.sent: dict[str, bytes] = {}
        self.tables: set[int] = set()
        self.dirty = asyncio.Event()
        self.dirty.set()

    async def send(self, zones: dict[str, str]) -> None:
        """Sends the zones that differ from what the page shows."""
        hashes = hashes_of(zones)
        if self.shown == tag_of(zones):  # as the page came
            self.sent = hashes
        self.shown = ""
        news = {name: html for name, html in zones.items() if self.sent.get(name) != hashes[name]}
        if news:
            self.sent = hashes
            await self.socket.send_text(encoded(Message(0, 0, content=partials(news), swap="none")))


class Hall:
    """Knows the open pages of the lobby, and which of them a change concerns.

    A table by link concerns those who sit there, left a seat there or are asked there, and nobody else.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._guests: set[Guest] = set()
        self._news: set[int] = set()
        self._some = asyncio.Event()
        self._open: tuple[Listed, ...] | None = None
        self._changes = 0
        self._listed: set[int] = set()
        self._here = 0
        self._reading = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def count(self) -> int:
        """How many pages are open."""
        return len(self._guests)

    @property
    def connected(self) -> list[tuple[int, int]]:
        """Who is in the lobby, once for every page, as if it were table 0; 0 is nobody we know."""
        return [(guest.me.id if guest.me else 0, 0) for guest in self._guests]

    def start(self) -> None:
        """Begins to listen."""
        self._tasks = [asyncio.create_task(self._spread()), asyncio.create_task(self._refresh())]

    async def stop(self) -> None:
        """Ends listening and closes every page's socket: the server restarts, come back."""
        for task in self._tasks:
            task.cancel()
        for guest in list(self._guests):
            with suppress(RuntimeError, WebSocketDisconnect):
                await guest.socket.close(RESTART)

    def hear(self, table_id: int, version: int, changed: int) -> None:
        """Something happened at a table; whom it concerns is found out soon."""
        if self._guests:
            self._news.add(table_id)
            self._some.set()

    def hear_all(self) -> None:
        """Anything may have happened."""
        self._forget()
        for guest in self._guests:
            guest.dirty.set()

    def open(self, guest: Guest) -> None:
        """A page is here."""
        if not self._guests:
            self._forget()  # nobody listened meanwhile
        self._guests.add(guest)

    def dismiss(self, logins: set[int]) -> None:
        """These browsers are signed out: their pages see what a stranger sees."""
        for guest in self._guests:
            if guest.me is not None and guest.me.login in logins:
                guest.me = None
                guest.dirty.set()

    def close(self, guest: Guest) -> None:
        """A page is gone."""
        self._guests.discard(guest)

    async def feed(self, guest: Guest) -> None:
        """Sends a page whatever is new, for as long as it is open."""
        while True:
            await guest.dirty.wait()
            guest.dirty.clear()
            try:
                zones = await self._zones(guest)
            except LOST as fault:
                logger.debug("the lobby could not be read: %s", fault)  # the refresh says it for all
                await asyncio.sleep(RETRY)
                guest.dirty.set()
                continue
            await guest.send(zones)
            await asyncio.sleep(GATHER)

    async def _zones(self, guest: Guest) -> dict[str, str]:
        me = guest.me
        mine = await listing.list_mine(self._server, me) if me else ()
        invited = await listing.list_invitations(self._server, me) if me else ()
        opened = await self._tables()
        guest.tables = {table.id for table in (*mine, *invited)}
        user_id = me.id if me else None
        lists = lists_for(user_id, mine=mine, invited=invited, opened=opened, sought=guest.sought)
        return zones_of(guest.language, lists, me=me, here=self._here)

    async def _tables(self) -> tuple[Listed, ...]:
        """The open tables, read once for all pages after each change."""
        async with self._reading:
            if self._open is not None:
                return self._open
            reading = self._changes
            found = await listing.list_open(self._server)
            self._here = await accounts.count_present(self._server)
            self._listed |= {table.id for table in found}
            if reading == self._changes:  # else something changed meanwhile: the next one reads again
                self._open = found
            return found

    def _forget(self) -> None:
        self._open = None
        self._changes += 1

    async def _spread(self) -> None:
        """Finds out whom the news concern."""
        outage = Outage(logger, "the lobby")
        while True:
            await self._some.wait()
            self._some.clear()
            await asyncio.sleep(GATHER)
            news, self._news = self._news, set()
            if not news:
                continue
            try:
                async with self._server.sessions() as session:
                    audience = await queries.list_audience(session, list(news))
                outage.over()
            except LOST as fault:
                outage.begun(fault)
                self._news |= news
                self._some.set()
                await asyncio.sleep(RETRY)
                continue
            except Exception:
                logger.exception("news of the lobby were lost")
                self.hear_all()
                continue
            listed = {table_id for table_id, (is_open, _) in audience.items() if is_open}
            everybody = bool(listed or news & self._listed)
            if everybody:
                self._listed = self._listed - news | listed
                self._forget()
            people = set().union(*(people for _, people in audience.values()))
            for guest in self._guests:
                if everybody or guest.tables & news or (guest.me is not None and guest.me.id in people):
                    guest.dirty.set()

    async def call_roll(self) -> None:
        """Notes who is here, and who was signed out by another process."""
        here = [guest.me for guest in self._guests if guest.me is not None]
        logins = {me.login for me in here if me.login is not None}
        self.dismiss(logins - await accounts.list_signed_in(self._server, logins))
        await accounts.touch(self._server, {me.id for me in here})

    async def _refresh(self) -> None:
        """Draws all anew now and then."""
        while True:
            await asyncio.sleep(REFRESH)
            try:
                await self.call_roll()
            except LOST as fault:
                logger.debug("presence could not be noted: %s", fault)
            except Exception:
                logger.exception("presence could not be noted")
            self.hear_all()
