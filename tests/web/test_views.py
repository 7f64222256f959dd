"""What a page was asked to show: words of its address, for this page alone; the same for whoever asks the same."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import msgspec

from app.web.views import asked_in, query_of
from tests.conftest import Site
from tests.web.talking import Talk

GAME = "babylon"
TURNED = "scene side-{}"


async def opened(site: Site, host: httpx.AsyncClient, other: httpx.AsyncClient) -> str:
    """A table of two that has begun. Its key."""
    answer = await host.post("/tables", data={"game": GAME, "seats": "2", "do": "open"})
    assert answer.status_code == 200, answer.text
    key = answer.url.path.rsplit("/", 1)[1]
    assert (await other.post(f"/tables/{key}/join")).status_code == 200
    assert (await host.post(f"/tables/{key}/start")).status_code == 200
    return key


def test_only_what_the_board_offers_can_be_asked_for() -> None:
    assert asked_in(GAME, "side=2&garden=1") == (("side", "2"), ("garden", "1"))
    assert asked_in(GAME, "garden=1&x=%3Cscript%3E&side=9&side=3") == (("side", "3"), ("garden", "1"))
    assert asked_in("hanging_gardens", "side=2") == ()
    assert asked_in(GAME, "side=2" + "&y=" * 500) == (("side", "2"),)


def test_what_is_shown_anyway_is_not_asked_for() -> None:
    assert asked_in(GAME, "side=0&garden=mine") == ()
    assert asked_in(GAME, query_of((("side", "2"),))) == (("side", "2"),)


async def test_a_page_without_script_shows_what_its_address_asks_for(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    for side in range(4):
        page = (await bob.get(f"/tables/{key}?side={side}")).text
        assert TURNED.format(side) in page
        assert f'href="?side={(side + 1) % 4}"' in page or side == 3
    assert TURNED.format(0) in (await bob.get(f"/tables/{key}?side=nonsense")).text


async def test_a_page_asks_up_its_socket_and_is_sent_what_differs(site: Site, eventually: Callable[..., Any]) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    held = await site.server.states.newest(await site.server.states.find_id(key))
    asking = await Talk.open(site, key, alice, version=held.version, changed=held.facts.changed)
    other = await Talk.open(site, key, bob, version=held.version, changed=held.facts.changed)
    await asyncio.sleep(0.2)
    await asking.socket.send(msgspec.json.encode({"asked": "side=2"}).decode())
    await eventually(lambda: "garden" in asking.zones)
    assert TURNED.format(2) in asking.zones["garden"]
    assert asking.versions == [(held.version, held.facts.changed)]
    assert set(asking.zones) <= {"garden", "marks", "round", "players", "other1", "result"}
    assert other.frames == []
    for html in asking.zones.values():
        assert html in (await alice.get(f"/tables/{key}?side=2")).text
    for talk in (asking, other):
        await talk.close()


async def test_a_socket_that_comes_back_goes_on_where_its_page_is(site: Site, eventually: Callable[..., Any]) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice, asked="side=3")
    await eventually(lambda: talk.versions)
    assert TURNED.format(3) in talk.zones["garden"]
    await talk.close()


async def test_an_earlier_moment_may_be_turned_too(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    clients = [alice, bob]
    for _ in range(2):
        await remove_clay(site, key, clients)
    page = (await bob.get(f"/tables/{key}?at=1&side=1")).text
    assert TURNED.format(1) in page
    assert 'href="?at=1&amp;side=2"' in page
    assert f'rel="prev" href="/tables/{key}?at=0&amp;side=1" hx-get="/tables/{key}?at=0&amp;side=1"' in page
    assert f'href="/tables/{key}?side=1"' in page


async def remove_clay(site: Site, key: str, clients: list[httpx.AsyncClient], **headers: str) -> httpx.Response:
    """Whoever must choose removes some clay, by form."""
    held = await site.server.states.newest(await site.server.states.find_id(key))
    assert held.position is not None
    seat = min(held.position.waiting)
    action = next(iter(held.game.actions(held.position.state, seat)))
    form = {
        "action": f"remove:{action.x}:{action.y}",
        "seat": str(seat),
        "since": str(held.position.waiting[seat]),
    }
    return await clients[seat].post(f"/tables/{key}/act", data=form, headers=headers)


async def test_acting_by_form_leads_back_to_the_same_view(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    answer = await remove_clay(site, key, [alice, bob], Referer=f"{site.url}/tables/{key}?side=2")
    assert str(answer.url).endswith(f"/tables/{key}?side=2")
    htmx = {"HX-Request": "true", "HX-Current-URL": f"{site.url}/tables/{key}?side=3"}
    answer = await remove_clay(site, key, [alice, bob], **htmx)
    assert TURNED.format(3) in answer.text


async def test_asking_without_end_is_met_like_any_haste(site: Site, eventually: Callable[..., Any]) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice)
    for side in range(200):
        await talk.socket.send(msgspec.json.encode({"asked": f"side={side % 4}"}).decode())
    await talk.socket.send(msgspec.json.encode({"asked": "side=2"}).decode())
    await eventually(lambda: TURNED.format(2) in talk.zones.get("garden", ""))
    await talk.close()
