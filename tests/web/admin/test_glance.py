"""At a glance over several processes: who is connected where, how long a click takes, the last backup."""

import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text

from app.config import Settings
from app.db import backups
from app.services import clock
from app.services.accounts import Me
from app.services.admin import connected, glance
from app.services.pulse import Heart
from app.services.server import Server
from app.web import timing
from app.web.timing import Clicks
from tests.conftest import Site, person, site_on
from tests.services.admin.acting import official
from tests.web.admin.people import member, number_of
from tests.web.playing import held_of, legal, opened
from tests.web.talking import Talk


@pytest.fixture
async def two(config: Settings) -> AsyncIterator[tuple[Site, Site]]:
    """Two processes on one database, which know each other's cookies."""
    shared = config.model_copy(update={"secret": "one secret for both of them, long enough"})
    async with site_on(shared) as one, site_on(shared) as other:
        other.app.state.heart.name = "the other"
        yield one, other


async def test_who_is_connected_and_how_long_a_click_takes_is_told_by_all_processes(
    two: tuple[Site, Site], eventually: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    monkeypatch.setattr(timing, "clicks", Clicks())
    alice, bob, olga = await one.guest("Alice"), await one.guest("Bob"), await member(one, "Olga", "owner")
    key = await opened(alice, bob)
    number = await one.server.states.find_id(key)
    async with AsyncExitStack() as pages:

        async def open_page(talking: Any) -> Talk:
            talk: Talk = await talking
            pages.push_async_callback(talk.close)
            return talk

        hers = await open_page(Talk.open(one, key, alice))
        his = await open_page(Talk.open(other, key, bob))
        await open_page(Talk.open(other, key, other.client()))
        await open_page(Talk.lobby(other, bob))
        await open_page(Talk.lobby(one, olga))
        await eventually(lambda: his.versions and hers.versions)
        held = await held_of(one, key)
        seat, since, action = legal(held)
        await hers.act(action, seat=seat, since=since)
        await eventually(lambda: sum(count for _, count in timing.clicks.told()) == 3)
        for site in two:
            await site.app.state.heart.beat()
        page = (await olga.get("/admin")).text
        waits = re.search(r"<b>([\d.]+) ms</b><small>of (\d+)</small>", page)
        assert waits and 0 < float(waits[1]) < 5000 and int(waits[2]) >= 3
        here = page.split('id="connected"')[1].partition("</div>")[0]
        assert "and 1 pages of strangers" in here
        lines = {re.sub(r"<[^>]+>|\s+", " ", each).strip() for each in re.findall(r"<li>(.*?)</li>", here, re.S)}
        told = {" ".join(line.replace(" , ", ", ").split()) for line in lines}
        assert told == {
            f"Alice guest table {number}", f"Bob guest lobby, table {number}", "Olga owner lobby",
        }  # fmt: skip
        assert f'href="/admin/people/{await number_of(one, "Bob")}"' in here
    await eventually(lambda: one.app.state.edge.hub.count + other.app.state.edge.hub.count == 0)
    for site in two:
        await site.app.state.heart.beat()
    assert "Nobody has a page open." in (await olga.get("/admin")).text


async def test_who_was_connected_is_kept_of_no_earlier_minute(
    server: Server, alice: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    heart = Heart(server, "pages", lambda: {"connected": [((alice.id, 7), 2)]})
    await heart.beat()
    mo = await official(server, "Mo", "moderator")
    found = (await glance.look(server, mo)).connected
    assert [(each.name, each.tables, each.lobby, each.pages) for each in found.people] == [("Alice", (7,), False, 2)]
    later = clock.now() + timedelta(minutes=5)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert (await glance.look(server, mo)).connected.people == ()
    await heart.beat()
    async with server.engine.connect() as connection:
        kept = await connection.execute(text("SELECT facts ? 'connected' FROM pulses ORDER BY minute"))
        assert list(kept.scalars()) == [False, True]


async def test_many_people_are_counted_and_those_who_went_for_good_are_not_named(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connected, "MOST", 2)
    people = [await person(server, name) for name in ("Alice", "Bob", "Carol", "Dan")]
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET deleted_at = now() WHERE name = 'Alice'"))
    await Heart(server, "pages", lambda: {"connected": [((each.id, 0), 1) for each in people]}).beat()
    found = (await glance.look(server, await official(server, "Mo", "moderator"))).connected
    assert ([each.name for each in found.people], found.more, found.strangers) == (["Bob", "Carol"], 1, 0)


async def test_one_click_in_twenty_is_slower_whichever_processes_saw_them(server: Server) -> None:
    mo = await official(server, "Mo", "moderator")
    assert (await glance.look(server, mo)).wait == connected.Wait(0, 0.0)
    for name, waits in (("one", [(10.0, 90), (250.0, 4)]), ("two", [(20.0, 4), (900.0, 2)])):
        heart = Heart(server, "pages", partial(dict, clicks=waits))
        heart.name = name
        await heart.beat()
    assert (await glance.look(server, mo)).wait == connected.Wait(100, 250.0)


def test_a_click_is_measured_to_two_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1000.0)
    clicks = Clicks()
    for began in (1000 - 0.01234, 1000 - 0.0119, 1000 - 1.2345, 1000.5):
        clicks.note(began)
    assert clicks.told() == [(0.0, 1), (12.0, 2), (1200.0, 1)]


async def test_the_last_backup_stands_there_and_one_that_is_missing_is_marked(two: tuple[Site, Site]) -> None:
    one, other = two
    olga = await member(one, "Olga", "owner")

    async def gauge() -> str:
        page = (await olga.get("/admin")).text
        return next(str(each) for each in re.findall(r"<li[^>]*>.*?</li>", page, re.S) if "last backup" in each)

    assert 'class="warn"' in await gauge() and "never" in await gauge()
    await backups.note(
        other.config.database_url, at=clock.now() - timedelta(hours=3), rows={"tables": 3, "entries": 9}
    )
    assert 'class="warn"' not in await gauge() and "<b>3 h</b>" in await gauge()
    await backups.note(other.config.database_url, at=clock.now() - timedelta(days=9), rows={})
    assert "<b>3 h</b>" in await gauge()
    async with one.server.engine.begin() as connection:
        await connection.execute(text("DELETE FROM backups WHERE tables = 3"))
    assert 'class="warn"' in await gauge() and "<b>9 d</b>" in await gauge()
