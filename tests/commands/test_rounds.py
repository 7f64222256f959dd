"""What is done by itself is done again and again, whatever one part of it does."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import text

from app.commands.rounds import Round, go_round, rounds
from app.services import lobby
from app.services.accounts import Me
from app.services.lobby import Wish
from app.services.server import Server


async def test_a_round_that_fails_stops_neither_itself_nor_the_others(
    eventually: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    tried = done = 0

    async def fails() -> None:
        nonlocal tried
        tried += 1
        raise KeyError("nobody thought of this")

    async def counts() -> None:
        nonlocal done
        done += 1

    going = asyncio.create_task(go_round([Round("the impossible", 0.01, fails), Round("the possible", 0.01, counts)]))
    await eventually(lambda: done > 3 and tried > 3)
    going.cancel()
    with suppress(asyncio.CancelledError):
        await going
    assert "the impossible" in caplog.text


async def test_tables_nobody_cares_for_are_closed_in_rounds(
    server: Server, alice: Me, eventually: Callable[..., Any]
) -> None:
    key = await lobby.open_table(server, alice, Wish(slug="hanging_gardens", seats=2))
    table_id = await server.states.find_id(key)
    async with server.engine.begin() as connection:
        await connection.execute(
            text("UPDATE tables SET moved_at = now() - interval '9 days', warned_at = now() - interval '8 days'")
        )
    going = asyncio.create_task(go_round([each._replace(seconds=0.05) for each in rounds(server)]))

    async def closed() -> bool:
        return (await server.states.newest(table_id)).facts.status == "cancelled"

    await eventually(closed)
    going.cancel()
    with suppress(asyncio.CancelledError):
        await going
