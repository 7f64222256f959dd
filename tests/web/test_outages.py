"""Postgres goes away and comes back: everybody is told so, nothing false is claimed, and all goes on by itself."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Any

import asyncpg
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from app.db.embedded import Cluster
from app.web import hub
from tests.conftest import Site
from tests.web.talking import Talk, zones_in
from tests.web.test_tables import held_of, legal, move, opened

Outage = Callable[[], AbstractAsyncContextManager[None]]


@pytest.fixture
def outage(cluster: Cluster, database: str) -> Outage:
    """The database takes no connections, and those it had are cut."""
    name = database.split("?", maxsplit=1)[0].rsplit("/", 1)[1]

    @asynccontextmanager
    async def lost() -> AsyncIterator[None]:
        admin = await asyncpg.connect(cluster.url_of("postgres"))
        await admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        await admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
        try:
            yield
        finally:
            await admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
            await admin.close()

    return lost


async def test_an_action_is_answered_while_the_database_is_lost(
    site: Site, outage: Outage, eventually: Callable[..., Any]
) -> None:
    """Twice: the second time nothing is remembered of the table. The page stays connected and is told the truth."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice)
    await eventually(lambda: talk.versions)
    seat, since, action = legal(await held_of(site, key))
    async with outage():
        for _ in range(3):
            answer = await talk.act(action, seat=seat, since=since)
            assert answer["refused"]
            assert "could not keep this" in zones_in(answer["content"])["refusal"]
    assert (await held_of(site, key)).version == 0
    assert not (await talk.act(action, seat=seat, since=since)).get("refused")
    assert (await held_of(site, key)).version == 1
    await talk.close()


async def test_every_page_says_that_the_database_is_lost(site: Site, outage: Outage) -> None:
    alice, bob = await site.guest("Alice", "ja"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    form = {"action": "pass", "seat": "0", "since": "0"}
    async with outage():
        for path in ("/", "/about", "/nowhere", f"/tables/{key}", "/tables/abcdefghjkmn", "/health/ready"):
            assert (await alice.get(path)).status_code == 503, path
        assert (await alice.get("/health/live")).status_code == 200
        assert (await alice.get("/static/js/live.js")).status_code == 200
        for path, data in ((f"/tables/{key}/act", form), ("/language", {"language": "xx"}), ("/tables", {})):
            assert (await alice.post(path, data=data)).status_code == 503, path
        part = await alice.post(f"/tables/{key}/act", data=form, headers={"HX-Request": "true"})
        assert part.status_code == 503
        assert re.search("[ぁ-ん]", zones_in(part.text)["refusal"])
        assert part.text.startswith("<hx-partial")
        lists = await alice.get("/lobby/lists", headers={"HX-Request": "true"})
        assert "<html" not in lists.text
    assert (await alice.get("/")).status_code == 200


async def test_pages_come_back_by_themselves_and_the_log_stays_short(
    site: Site,
    outage: Outage,
    eventually: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(hub, "SWEEP", 0.2)
    monkeypatch.setattr(hub, "RETRY", 0.1)
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talks = [await Talk.open(site, key, client) for client in (alice, bob, bob)]
    await eventually(lambda: all(talk.versions for talk in talks))
    address = site.url.replace("http", "ws") + f"/tables/{key}/live"
    caplog.set_level(logging.INFO)
    caplog.clear()
    async with outage():
        site.app.state.edge.hub.hear_all()
        for _ in range(5):
            with pytest.raises(InvalidStatus):
                async with connect(address, additional_headers={"Cookie": f"semiramis={alice.cookies['semiramis']}"}):
                    pass
        await asyncio.sleep(2)
    ours = [record for record in caplog.records if record.name.startswith("app") and record.levelno >= logging.INFO]
    assert len(ours) <= 3, [record.getMessage() for record in ours]
    assert not any(record.exc_info for record in caplog.records)
    await move(site, key, [alice, bob])
    await eventually(lambda: all(talk.versions[-1][0] == 1 for talk in talks))
    for talk in talks:
        await talk.close()


async def test_the_sweep_survives_what_nobody_thought_of(
    site: Site, eventually: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notice is lost after a fault in the sweep: it is found all the same."""
    from app.db import tables as queries

    monkeypatch.setattr(hub, "SWEEP", 0.1)
    sound, faults = queries.list_versions, 0

    async def list_versions(*words: Any) -> Any:
        nonlocal faults
        faults += 1
        if faults < 4:
            raise KeyError("nobody thought of this")
        return await sound(*words)

    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice)
    await eventually(lambda: talk.versions)
    monkeypatch.setattr(queries, "list_versions", list_versions)
    site.server.bells.clear()
    await eventually(lambda: faults > 4)
    await move(site, key, [alice, bob])
    await eventually(lambda: talk.versions[-1][0] == 1)
    await talk.close()


async def test_a_move_whose_page_goes_away_is_told_to_the_others_at_once(
    site: Site, eventually: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was sent and is stored; that its sender is gone by then changes nothing for the others."""
    monkeypatch.setattr(hub, "SWEEP", 600.0)
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    mine, others = await Talk.open(site, key, alice), await Talk.open(site, key, bob)
    await eventually(lambda: mine.versions and others.versions)
    seat, since, action = legal(await held_of(site, key))
    sound = site.server.writer.append

    async def append(given: Any) -> datetime | None:
        mine.socket.transport.abort()
        await asyncio.sleep(0.3)
        return await sound(given)

    monkeypatch.setattr(site.server.writer, "append", append)
    await mine.socket.send(f'{{"action": "{action}", "seat": {seat}, "since": {since}, "id": "1"}}')
    await eventually(lambda: others.versions[-1][0] == 1)
    await others.close()


async def test_a_page_of_a_table_that_parted_ways_is_sent_to_the_sentence_about_it(
    site: Site, eventually: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    """After an upgrade: the page of before connects again, is told to load anew, and reads why, once."""
    from sqlalchemy import text

    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    await move(site, key, [alice, bob], 3)
    async with site.server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
        await connection.execute(text("UPDATE entries SET digest = 'other'"))
    site.server.states.forget(await held_of_id(site, key))
    caplog.set_level(logging.WARNING)
    talk = await Talk.open(site, key, alice, version=3)
    await eventually(lambda: talk.reloads)
    for _ in range(3):
        page = await alice.get(f"/tables/{key}")
        assert page.status_code == 409
        assert "rules have changed" in page.text
    assert caplog.records == []
    await talk.close()


async def held_of_id(site: Site, key: str) -> int:
    return await site.server.states.find_id(key)
