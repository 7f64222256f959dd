"""Browsers without a screen that play by what the page shows: buttons in, zones out."""

import asyncio
import random
import re
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from bench.server import Person

BUTTON = re.compile(r'name="action"[^>]*? value="([^"]+)"')
SINCE = re.compile(r'name="since" value="(\d+)"')
SEAT = re.compile(r'name="seat" value="(\d+)"')
TURN = re.compile(rb'data-turn=\\"(\w+)')
ZONE = re.compile(r'<hx-partial hx-target="#zone-([a-z0-9-]+)"[^>]*>(.*?)</hx-partial>', re.DOTALL)


class Frame(msgspec.Struct):
    """One message; its zones stay unread until somebody wants to see them: a browser's work is not the server's."""

    version: int = -1
    refused: bool = False
    content: msgspec.Raw = msgspec.Raw()


FRAME = msgspec.json.Decoder(Frame)


class Browser:
    """One open page; ``on_frame`` is called with the time and size of every frame that shows something."""

    def __init__(self, url: str, key: str, person: Person | None, *, page: str = "board") -> None:
        self._address = f"{url.replace('http', 'ws', 1)}/tables/{key}/live?page={page}"
        self._origin = websockets.Origin(url)
        self._headers = {"Cookie": person.cookie} if person else {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._zones: dict[str, str] = {}
        self._unread: list[msgspec.Raw] = []
        self._plays = person is not None
        self.version = -1
        self.turn = ""
        self.refused = 0
        self.received = 0
        self.frames = 0
        self.changed = asyncio.Event()
        self.on_version: Callable[[int, float], None] | None = None
        self._sent = 0

    async def open(self) -> None:
        """Opens the socket; the first frame brings all zones."""
        self._socket = await connect(
            self._address, origin=self._origin, additional_headers=self._headers, compression=None, max_queue=64
        )
        self._task = asyncio.create_task(self._read(self._socket))

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(websockets.ConnectionClosed):
            while True:
                frame = await socket.recv(decode=False)
                now = perf_counter()
                self.received += len(frame)
                self.frames += 1
                news = FRAME.decode(frame)
                if news.refused:
                    self.refused += 1
                    continue
                if bytes(news.content):
                    if self._plays:
                        self._unread.append(news.content.copy())
                        if found := TURN.search(news.content):
                            self.turn = found.group(1).decode()
                    self.version = news.version
                    if self.on_version:
                        self.on_version(self.version, now)
                    self.changed.set()

    @property
    def zones(self) -> dict[str, str]:
        """What the page of somebody who plays shows, by name of the zone."""
        for content in self._unread:
            self._zones.update(ZONE.findall(msgspec.json.decode(content, type=str)))
        self._unread.clear()
        return self._zones

    def choices(self) -> list[str]:
        """The actions that the page offers."""
        return BUTTON.findall(self.zones.get("choices", ""))

    async def act(self, chance: random.Random) -> float:
        """Clicks one of the page's buttons; when."""
        assert self._socket is not None
        status = self.zones["status"]
        since, seat = SINCE.search(status), SEAT.search(status)
        assert since and seat
        self._sent += 1
        data = {
            "action": chance.choice(self.choices()),
            "seat": seat.group(1),
            "since": since.group(1),
            "latest": "0",
            "id": str(self._sent),
        }
        now = perf_counter()
        await self._socket.send(msgspec.json.encode(data).decode())
        return now

    async def wait_for(self, version: int, seconds: float = 30) -> None:
        """Until the page shows at least that version."""
        async with asyncio.timeout(seconds):
            while self.version < version:
                self.changed.clear()
                await self.changed.wait()

    async def close(self, *, rudely: bool = False) -> None:
        """Goes away; ``rudely``: the line is cut."""
        if self._socket and rudely:
            self._socket.transport.abort()
        elif self._socket:
            await self._socket.close()
        if self._task:
            await self._task
