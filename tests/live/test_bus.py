"""The bus: what one process says another hears, and it comes back by itself."""

import asyncio
from collections.abc import Callable
from typing import Any

import asyncpg

from app.live.bus import Bus


async def test_what_one_process_says_another_hears_gathered(database: str, eventually: Callable[..., Any]) -> None:
    heard: list[tuple[int, int, int]] = []
    restored: list[bool] = []
    called: list[int] = []
    one, other = Bus(database), Bus(database)
    other.on_notice(lambda *notice: heard.append(notice))
    other.on_call(called.append)
    other.on_restored(lambda: restored.append(True))
    one.start()
    other.start()
    await eventually(lambda: restored)
    for version in range(1, 40):
        one.say(7, version, 1)
    one.say(8, 0, 3)
    one.call(3)
    await eventually(lambda: (7, 39, 1) in heard and (8, 0, 3) in heard and called == [3])
    assert (-3, 0, 0) not in heard
    assert len(heard) < 20
    await one.stop()
    await other.stop()


async def test_a_lost_connection_comes_back_and_says_that_notices_may_be_missing(
    database: str, eventually: Callable[..., Any]
) -> None:
    heard: list[tuple[int, int, int]] = []
    restored: list[bool] = []
    bus = Bus(database)
    bus.on_notice(lambda *notice: heard.append(notice))
    bus.on_restored(lambda: restored.append(True))
    bus.start()
    await eventually(lambda: restored)
    bus.say(1, 1, 1)
    await eventually(lambda: heard)
    admin = await asyncpg.connect(database)
    await admin.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = $1",
        database.split("?", maxsplit=1)[0].rsplit("/", 1)[1],
    )
    await admin.close()
    await eventually(lambda: len(restored) == 2)
    bus.say(2, 5, 1)
    await eventually(lambda: (2, 5, 1) in heard)
    await bus.stop()


async def test_stopping_is_quick_even_with_something_to_say(database: str) -> None:
    bus = Bus(database)
    bus.start()
    bus.say(1, 1, 1)
    async with asyncio.timeout(3):
        await bus.stop()
