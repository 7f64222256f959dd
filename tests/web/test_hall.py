"""The lobby's socket: what is pushed is what the page would be, to whom it concerns, from whichever process."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
import websockets
from sqlalchemy import text

from app.config import Settings
from tests.conftest import PASSWORD, Site, site_on
from tests.web.talking import Talk
from tests.web.test_tables import opened

ZONES = ("welcome", "invited", "mine", "open")


async def shown(client: httpx.AsyncClient) -> str:
    """By what the page says that it shows all, as its socket's address has it."""
    found = re.search(r'hx-ws:connect="/lobby/live\?shown=(\w+)', (await client.get("/")).text)
    assert found
    return found[1]


async def test_what_is_pushed_is_what_the_page_would_be(site: Site, eventually: Callable[..., Any]) -> None:
    alice, bob, eve = await site.guest("Alice"), await site.guest("Bob", "ja"), site.client()
    talks = [(client, await Talk.lobby(site, client)) for client in (alice, bob, eve)]
    await eventually(lambda: all(set(ZONES) == set(talk.zones) for _, talk in talks))
    key = await opened(site, alice, seats="3")
    await bob.post(f"/tables/{key}/join")
    await alice.post(f"/tables/{key}/seat", data={"do": "bot", "seat": "2", "bot": "greedy"})
    again = await opened(site, bob, seats="2")

    async def equal() -> bool:
        for client, talk in talks:
            page = (await client.get("/")).text
            if not all(html in page for html in talk.zones.values()):
                return False
        return key in talks[0][1].zones["mine"] and again in talks[2][1].zones["open"]

    await eventually(equal, seconds=20)
    for _, talk in talks:
        await talk.close()


async def test_a_page_that_shows_all_already_is_sent_nothing_and_then_only_what_changed(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    await opened(site, alice, seats="3")
    talk = await Talk.lobby(site, bob, f"shown={await shown(bob)}")
    await eventually(lambda: all(guest.sent for guest in site.app.state.edge.hall._guests))
    assert talk.frames == []
    key = await opened(site, alice, seats="2")
    await eventually(lambda: key in talk.zones.get("open", ""))
    assert "mine" not in talk.zones
    assert "invited" not in talk.zones
    await talk.close()


async def test_what_is_sought_is_said_by_the_address_and_then_by_the_socket(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    two, three = await opened(site, alice, seats="2"), await opened(site, alice, seats="3")
    talk = await Talk.lobby(site, bob, "seats=2")
    await eventually(lambda: two in talk.zones.get("open", ""))
    assert three not in talk.zones["open"]
    for nonsense in ("", "{}", '{"sought": 5}', "x" * 3000, '{"sought": "seats=%00&game=../..&bots=maybe"}'):
        await talk.socket.send(nonsense)
    await talk.socket.send('{"sought": "seats=3&game=hanging_gardens"}')
    await eventually(lambda: three in talk.zones["open"] and two not in talk.zones["open"], seconds=20)
    page = (await bob.get("/?seats=3&language=ja")).text
    assert f'id="open-{three}"' not in page
    assert 'class="none-fits panel"' in page
    await talk.close()


async def test_another_site_may_not_open_the_socket(site: Site) -> None:
    alice = await site.guest("Alice")
    cookies = "; ".join(f"{name}={value}" for name, value in alice.cookies.items())
    with pytest.raises(websockets.InvalidStatus):
        await websockets.connect(
            site.url.replace("http", "ws") + "/lobby/live",
            additional_headers={"Cookie": cookies},
            origin=websockets.Origin("https://evil.example"),
        )


async def test_the_lobby_is_one_over_two_processes(config: Settings, eventually: Callable[..., Any]) -> None:
    shared = config.model_copy(update={"secret": "the same for both"})
    async with site_on(shared) as one, site_on(shared) as two:
        alice, bob = await one.guest("Alice"), await two.guest("Bob")
        talk = await Talk.lobby(two, bob)
        key = await opened(one, alice, seats="2")
        await eventually(lambda: key in talk.zones.get("open", ""), seconds=20)
        await alice.post(f"/tables/{key}/leave")
        await eventually(lambda: key not in talk.zones["open"], seconds=20)
        await talk.close()


@pytest.mark.parametrize("way", ["here", "elsewhere"])
async def test_a_browser_that_is_signed_out_sees_what_a_stranger_sees(
    site: Site, way: str, eventually: Callable[..., Any]
) -> None:
    alice = await site.guest("Alice")
    await alice.post("/sign-up", data={"name": "Alice", "password": PASSWORD})
    key = await opened(site, alice, seats="2", visibility="link")
    talk = await Talk.lobby(site, alice)
    await eventually(lambda: key in talk.zones.get("mine", ""))
    if way == "here":
        await alice.post("/sign-out")
    else:
        async with site.server.engine.begin() as connection:
            await connection.execute(text("DELETE FROM logins"))
        await site.app.state.edge.hall.call_roll()
    await eventually(lambda: key not in talk.zones["mine"], seconds=20)
    await talk.close()
