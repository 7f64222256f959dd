"""A table's page without a screen: its socket, its zones, and what was said."""

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.conftest import Site

PARTIAL = re.compile(r'<hx-partial hx-target="#zone-([a-z-]+)" hx-swap="outerMorph">(.*?)</hx-partial>', re.DOTALL)


def zones_in(content: str) -> dict[str, str]:
    """The zones in an answer, by name."""
    return dict(PARTIAL.findall(content))


@dataclass
class Talk:
    """An open page."""

    socket: ClientConnection
    zones: dict[str, str] = field(default_factory=dict)
    versions: list[tuple[int, int]] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    reloads: int = 0
    _task: asyncio.Task[None] | None = None
    _count: int = 0

    @classmethod
    async def open(
        cls, site: Site, key: str, client: httpx.AsyncClient, *, kind: str = "board", **query: int | str
    ) -> "Talk":
        """Opens the socket of a table's page with the cookies of a browser."""
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = site.url.replace("http", "ws") + f"/tables/{key}/live?page={kind}"
        address += "".join(f"&{name}={value}" for name, value in query.items())
        headers = {"Cookie": cookies, "Accept-Language": client.headers.get("Accept-Language", "en")}
        socket = await connect(
            address, additional_headers=headers, origin=websockets.Origin(site.url), compression=None
        )
        talk = cls(socket)
        talk._task = asyncio.create_task(talk._read())
        return talk

    async def _read(self) -> None:
        with suppress(websockets.ConnectionClosed):
            async for frame in self.socket:
                text = frame if isinstance(frame, str) else frame.decode()
                self.frames.append(text)
                news = msgspec.json.decode(text)
                if news.get("reload"):
                    self.reloads += 1
                if news.get("ack"):
                    self.answers.append(news)
                if news.get("content"):
                    self.zones.update(zones_in(news["content"]))
                    if not news.get("refused"):
                        self.versions.append((news["version"], news["changed"]))

    async def act(self, action: str, *, seat: int, since: int, latest: int = 0) -> dict[str, Any]:
        """Sends an action and waits for its answer."""
        self._count += 1
        name = str(self._count)
        await self.socket.send(
            msgspec.json.encode(
                {"action": action, "seat": str(seat), "since": str(since), "latest": str(latest), "id": name}
            ).decode()
        )
        async with asyncio.timeout(10):
            while True:
                for answer in self.answers:
                    if answer["ack"] == name:
                        return answer
                await asyncio.sleep(0.005)

    async def close(self) -> None:
        """Goes away politely."""
        await self.socket.close()
        if self._task:
            await self._task
