"""What a process remembers of a table: one reading serves all who ask at once, and never an older state."""

import asyncio
from typing import Any

import pytest

from app.services import states
from app.services.accounts import Me
from app.services.facts import TableFacts, read_facts
from app.services.server import Server
from tests.services.test_tables import opened, play


async def test_pages_that_come_back_at_once_share_a_reading(
    server: Server, alice: Me, bob: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first reads; those who came while it read, and cannot know how old its answer is, share the second."""
    table_id = await opened(server, alice, bob)
    server.states.forget(table_id)
    readings = 0
    sound = read_facts

    async def counted(*args: Any, **known: Any) -> TableFacts:
        nonlocal readings
        readings += 1
        return await sound(*args, **known)

    monkeypatch.setattr(states, "read_facts", counted)
    held = await asyncio.gather(*(server.states.looked_up(table_id) for _ in range(20)))
    assert len({id(one) for one in held}) == 1
    assert readings == 2
    await server.states.looked_up(table_id)
    assert readings == 3


async def test_who_looks_a_table_up_hears_of_what_another_process_stored_before(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    """Also when this process remembers the table, and another page looks it up at the same time."""
    table_id = await opened(server, alice, bob)
    await server.states.looked_up(table_id)
    for version in range(1, 4):
        asked = asyncio.create_task(server.states.looked_up(table_id))
        await asyncio.sleep(0)
        await play(other_server, table_id, [alice, bob], moves=1)
        assert (await server.states.looked_up(table_id)).version == version
        await asked
