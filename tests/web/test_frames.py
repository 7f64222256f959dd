"""A peer that never reads, or never comes to an end, cannot fill our memory nor keep the others waiting."""

import asyncio
import os
from base64 import b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import httpx
import psutil
import pytest

from app.config import Settings
from app.web.frames import MOST_UNREAD
from tests.conftest import Site, site_on
from tests.web.talking import Talk
from tests.web.test_tables import move, opened

MASK = b"\0\0\0\0"


def frame(opcode: int, data: bytes, *, final: bool = True) -> bytes:
    size = len(data)
    head = bytes([0x80 * final | opcode, 0x80 | min(size, 126)]) + (size.to_bytes(2) if size > 125 else b"")
    return head + MASK + data


@pytest.fixture
async def site(config: Settings) -> AsyncIterator[Site]:
    """The server as ``serve`` starts it."""
    async with site_on(config, ws="app.web.frames:Frames") as made:
        yield made


async def raw(site: Site, key: str, client: httpx.AsyncClient) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A socket that reads only when it is told to."""
    host, port = site.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1000)
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    lines = (
        f"GET /tables/{key}/live HTTP/1.1",
        f"Host: {host}:{port}",
        f"Cookie: {cookies}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}",
        "Sec-WebSocket-Version: 13",
    )
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    assert b"101" in await reader.readline()
    return reader, writer


async def rush(writer: asyncio.StreamWriter, data: bytes, times: int) -> bool:
    """Sends as fast as it goes; whether it was cut off."""
    with suppress(ConnectionError):
        for _ in range(times):
            writer.write(data)
            async with asyncio.timeout(5):
                await writer.drain()
        for _ in range(20):
            await asyncio.sleep(0.1)
            writer.write(data)
    return writer.transport.is_closing()


async def test_pings_without_end_from_a_peer_that_never_reads_are_cut_off(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    _, writer = await raw(site, key, alice)
    before = psutil.Process().memory_info().rss
    assert await rush(writer, frame(9, b"x" * 125) * 100, 2000)
    assert psutil.Process().memory_info().rss - before < 20 * MOST_UNREAD
    writer.transport.abort()


async def test_a_frame_without_end_is_cut_off(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    _, writer = await raw(site, key, alice)
    writer.write(frame(1, b"{", final=False))
    assert await rush(writer, frame(0, b"", final=False) * 100, 200)
    writer.transport.abort()


async def test_a_page_that_never_reads_keeps_nobody_waiting(site: Site, eventually: Callable[..., Any]) -> None:
    """It asks for the whole board again and again; the others get theirs at once."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    asking = b'{"action": "pass", "seat": 1, "since": 77, "id": "x"}'
    deaf = [(await raw(site, key, bob))[1] for _ in range(5)]
    for writer in deaf:
        with suppress(TimeoutError):
            await rush(writer, frame(1, asking) * 20, 100)
    talk = await Talk.open(site, key, alice)
    await eventually(lambda: talk.versions)
    before = psutil.Process().memory_info().rss
    for version in range(1, 9):
        await move(site, key, [alice, bob])
        await eventually(lambda v=version: talk.versions[-1][0] == v)
    assert psutil.Process().memory_info().rss - before < 40 * MOST_UNREAD
    await talk.close()
    for writer in deaf:
        writer.transport.abort()
