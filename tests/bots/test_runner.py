"""Bots play on, whatever happens to the database, to one table or to a move of theirs."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from sqlalchemy import text

from app.bots import runner as module
from app.bots.runner import Runner
from app.config import Settings
from app.engine.rng import Rng
from app.live.bus import Bus
from app.services import lobby, tables
from app.services.accounts import Me
from app.services.held import Held
from app.services.lobby import Wish
from app.services.server import Server
from tests.services.test_tables import GAME, legal


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SWEEP", 0.2)


@asynccontextmanager
async def playing(server: Server, config: Settings, *, pause: float = 0.0) -> AsyncIterator[Runner]:
    """The bots' process, without a process of its own."""
    bus = Bus(config.database_url)
    made = Runner(server, bus, pause=pause)
    bus.start()
    task = asyncio.create_task(made.run())
    yield made
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await bus.stop()


async def against_bots(server: Server, me: Me, *, first: str = "2") -> int:
    key = await lobby.open_table(server, me, Wish(slug=GAME, seats=2, options={"first": first}, bot="random"))
    return await server.states.find_id(key)


async def waits_for_me(server: Server, table_id: int) -> bool:
    held = await server.states.newest(table_id)
    assert held.position is not None
    return 0 in held.position.waiting


async def test_bots_play_when_it_is_their_turn(
    server: Server, other_server: Server, config: Settings, alice: Me, eventually: Callable[..., Any]
) -> None:
    table_id = await against_bots(server, alice)
    async with playing(other_server, config):
        await eventually(lambda: waits_for_me(server, table_id))
    assert (await server.states.newest(table_id)).version > 0


async def test_a_table_that_parts_ways_is_named_once_and_costs_the_others_nothing(
    server: Server,
    other_server: Server,
    config: Settings,
    alice: Me,
    eventually: Callable[..., Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    parted = await against_bots(server, alice, first="1")
    while await waits_for_me(server, parted):
        await my_move(server, parted, alice)
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
        await connection.execute(text("UPDATE entries SET digest = 'other'"))
    caplog.set_level(logging.INFO, logger="app")
    async with playing(other_server, config):
        table_id = await against_bots(server, alice)
        await eventually(lambda: waits_for_me(server, table_id))
        await asyncio.sleep(1)
    assert sum("LogParted" in record.getMessage() for record in caplog.records) == 1


async def test_a_lost_database_is_said_once_and_survived(
    server: Server,
    other_server: Server,
    config: Settings,
    alice: Me,
    eventually: Callable[..., Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    async with playing(other_server, config):
        async with server.engine.begin() as connection:
            await connection.execute(text("ALTER TABLE seats RENAME TO seats_gone"))
        await asyncio.sleep(1.2)
        async with server.engine.begin() as connection:
            await connection.execute(text("ALTER TABLE seats_gone RENAME TO seats"))
        table_id = await against_bots(server, alice)
        await eventually(lambda: waits_for_me(server, table_id))
    said = [record.getMessage() for record in caplog.records if record.name == "app.bots.runner"]
    assert len(said) == 2
    assert "does not answer" in said[0]
    assert "answers again" in said[1]


async def test_a_fault_in_one_table_does_not_end_the_runner(
    server: Server,
    other_server: Server,
    config: Settings,
    alice: Me,
    eventually: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Something nobody thought of: said once, tried again with every sweep."""
    table_id = await against_bots(server, alice)
    sound = other_server.states.newest
    wrong = True

    async def newest(number: int) -> Any:
        if wrong:
            raise KeyError("nobody thought of this")
        return await sound(number)

    monkeypatch.setattr(other_server.states, "newest", newest)
    async with playing(other_server, config):
        await asyncio.sleep(1)
        wrong = False
        await eventually(lambda: waits_for_me(server, table_id))
    assert sum("a bot at table" in record.getMessage() for record in caplog.records) == 1


async def test_a_move_taken_back_while_a_bot_thinks_costs_no_time(
    server: Server,
    other_server: Server,
    config: Settings,
    alice: Me,
    eventually: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The bot's late move is refused; what was done meanwhile is not forgotten until the next sweep."""
    monkeypatch.setattr(module, "SWEEP", 60.0)
    table_id = await against_bots(server, alice, first="1")
    bus = Bus(config.database_url)
    bus.start()
    server.bells.append(bus.say)
    async with playing(other_server, config, pause=0.3):
        await asyncio.sleep(0.3)
        undone = False
        while not undone:
            held = await my_move(server, table_id, alice)
            assert held.position is not None
            last = held.position.played[-1]
            if 0 in held.position.waiting:
                continue
            if not last.reveals:
                await asyncio.sleep(0.1)
                await tables.undo(server, table_id, seat=0, latest=last.seq, whole_turn=False, me=alice)
                await asyncio.sleep(0.25)  # the bot acts now, in vain, and waits a moment
                await my_move(server, table_id, alice)
                undone = True
            await eventually(lambda: waits_for_me(server, table_id), seconds=8)
    await bus.stop()


async def my_move(server: Server, table_id: int, me: Me) -> Held:
    held = await server.states.newest(table_id)
    assert held.position is not None
    since = held.position.waiting[0]
    return await tables.act(server, table_id, seat=0, text=legal(held, 0)[-1], since=since, me=me)


async def test_what_a_bot_will_do_does_not_follow_from_what_everybody_knows(
    server: Server, other_server: Server, config: Settings, alice: Me, eventually: Callable[..., Any]
) -> None:
    """Two tables of one address, one seed apart: the bot of one says nothing about that of the other."""
    drawn: list[str] = []

    class Watched(Rng, frozen=True):
        def choice(self, items: Any) -> Any:
            drawn.append(self.seed)
            return super().choice(items)

    table_id = await against_bots(server, alice)
    held = await server.states.newest(table_id)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Rng", Watched)
        async with playing(other_server, config):
            await eventually(lambda: waits_for_me(server, table_id))
    assert drawn
    assert held.facts.key not in " ".join(drawn)
    assert held.facts.seed not in " ".join(drawn)
