"""A server that is asked to end: what was begun is finished, every page is told to come back, nothing is lost."""

import asyncio
import os
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from app.config import ROOT, Settings
from app.db.writer import Move, Unwritten
from tests.conftest import Site, site_on
from tests.web.talking import Talk
from tests.web.test_tables import held_of, legal, opened


@pytest.fixture
def slowly(site: Site, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Writing a move takes a while; the event tells that it began."""
    writer = site.server.writer
    sound = writer._write
    began = asyncio.Event()

    async def write(moves: list[Move]) -> dict[int, datetime]:
        began.set()
        await asyncio.sleep(0.6)
        return await sound(moves)

    monkeypatch.setattr(writer, "_write", write)
    return began


async def test_a_server_that_hangs_while_it_ends_has_a_deadline(config: Settings) -> None:
    """In a process of its own, for it takes the process along."""
    lines = """
import asyncio
from app.main import make_app
from app.services.pulse import Heart

async def hang(self):
    await asyncio.sleep(60)

async def end():
    app = make_app()
    app.state.deadline = 0.5
    Heart.stop = hang
    async with app.router.lifespan_context(app):
        pass

asyncio.run(end())
"""
    environment = {**os.environ, "DATABASE_URL": config.database_url, "SEMIRAMIS_VAR": str(config.var)}
    ended = await asyncio.create_subprocess_exec(
        sys.executable, "-c", lines, env=environment, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    _, said = await asyncio.wait_for(ended.communicate(), 40)
    assert ended.returncode == 1
    assert b"Timeout" in said
    assert b"lifespan" in said or b"select" in said or b"run_forever" in said


async def test_every_page_is_told_that_we_start_again(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talks = [await Talk.open(site, key, client) for client in (alice, alice, bob)]
    site.serving.should_exit = True
    for talk in talks:
        await asyncio.wait_for(talk.socket.wait_closed(), 5)
        assert talk.socket.close_code == 1012


async def test_a_move_under_way_is_stored_and_answered(site: Site, slowly: asyncio.Event) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    seat, since, action = legal(await held_of(site, key))
    form = {"seat": str(seat), "since": str(since), "action": action}
    mover = (alice, bob)[seat]
    moving = asyncio.create_task(mover.post(f"/tables/{key}/act", data=form, headers={"HX-Request": "true"}))
    await slowly.wait()
    site.serving.should_exit = True
    answer = await moving
    assert answer.status_code == 200
    assert answer.headers["semiramis-version"].startswith("1 ")


async def test_a_move_up_the_socket_is_stored_though_the_socket_is_closed(
    site: Site, slowly: asyncio.Event, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    seat, since, action = legal(await held_of(site, key))
    talk = await Talk.open(site, key, (alice, bob)[seat])
    moving = asyncio.create_task(talk.act(action, seat=seat, since=since))
    await slowly.wait()
    site.serving.should_exit = True
    await asyncio.wait_for(talk.socket.wait_closed(), 5)
    moving.cancel()
    async with site_on(site.config) as again:
        await eventually(lambda: _version(again, key))


async def _version(site: Site, key: str) -> int:
    return (await held_of(site, key)).version


async def test_a_writer_that_ends_writes_what_it_took_and_takes_no_more(site: Site, slowly: asyncio.Event) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    held = await held_of(site, key)
    move = Move(held.facts.id, 0, held.facts.changed, 0, None, "pass", "digest", {0: 1}, "playing")
    writing = asyncio.create_task(site.server.writer.append(move))
    await slowly.wait()
    await site.server.writer.finish()
    assert writing.done()
    assert await writing
    with pytest.raises(Unwritten):
        await site.server.writer.append(move)
