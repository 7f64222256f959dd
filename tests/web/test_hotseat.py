"""A shared device is passed on by a gate: until it opens nothing that anybody alone may see is in any byte."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.services import hotseat
from tests.conftest import Site
from tests.web.playing import held_of
from tests.web.talking import Talk


async def shared(host: httpx.AsyncClient, *, game: str = "amyitis") -> str:
    """A table for two at one device, begun; its key."""
    answer = await host.post("/tables", data={"game": game, "seats": "2", "do": "open"})
    key = answer.url.path.rsplit("/", 1)[1]
    assert (await host.post(f"/tables/{key}/share", data={"name": "Nabu"})).status_code == 200
    assert (await host.post(f"/tables/{key}/start")).status_code == 200
    return key


async def act(site: Site, key: str, client: httpx.AsyncClient) -> httpx.Response:
    """Whoever must choose does the first thing there is."""
    from app.engine import notation

    held = await held_of(site, key)
    assert held.position is not None
    seat = min(held.position.waiting)
    action = notation.write(held.game.actions(held.position.state, seat)[0])
    form = {"action": action, "seat": str(seat), "since": str(held.position.waiting[seat])}
    return await client.post(f"/tables/{key}/act", data=form)


@pytest.fixture
def secrets_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every seat has something to hide, in any game."""
    monkeypatch.setattr(hotseat, "hides", lambda held, seat: True)


async def waiting_seat(site: Site, key: str) -> int:
    """Who must choose."""
    held = await held_of(site, key)
    assert held.position is not None
    return min(held.position.waiting)


@pytest.mark.usefixtures("secrets_everywhere")
@pytest.mark.parametrize(("language", "words"), [("en", "Pass the device to"), ("ja", "端末を渡してください")])
async def test_the_gate_is_shut_until_it_is_opened_and_nothing_is_behind_it(
    site: Site, language: str, words: str
) -> None:
    alice = await site.guest("Alice", language)
    key = await shared(alice)
    seat = await waiting_seat(site, key)
    page = (await alice.get(f"/tables/{key}")).text
    assert words in page
    assert 'id="board"' not in page
    assert f'action="/tables/{key}/here"' in page
    eve = site.client()
    for path in ("/log", "/analysis"):
        seen, public = (await alice.get(f"/tables/{key}{path}")).text, (await eve.get(f"/tables/{key}{path}")).text
        for zone in ("pieces", "tray", "player-0"):
            drawn = re.findall(rf'id="zone-{zone}".*?</(?:svg|section|div)>', seen, re.S)
            if language == "en":
                assert drawn == re.findall(rf'id="zone-{zone}".*?</(?:svg|section|div)>', public, re.S)
    opened = await alice.post(f"/tables/{key}/here", data={"seat": str(seat)})
    assert 'id="board"' in opened.text
    assert f'name="seat" value="{seat}"' in opened.text


@pytest.mark.usefixtures("secrets_everywhere")
async def test_open_pages_are_sent_to_the_gate_when_the_device_passes_on(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice = await site.guest("Alice")
    key = await shared(alice, game="hanging_gardens")
    first = await waiting_seat(site, key)
    await alice.post(f"/tables/{key}/here", data={"seat": str(first)})
    held = await held_of(site, key)
    talk = await Talk.open(site, key, alice, version=held.version, changed=held.facts.changed)
    page = ""
    for _ in range(20):
        page = (await act(site, key, alice)).text
        if await waiting_seat(site, key) != first:
            break
    assert 'id="zone-gate"' in page
    assert 'id="board"' not in page
    await eventually(lambda: talk.reloads)
    await talk.close()
    other = 1 - first
    refused = await alice.post(f"/tables/{key}/here", data={"seat": str(first)})
    assert refused.status_code == 409
    page = (await alice.post(f"/tables/{key}/here", data={"seat": str(other)})).text
    assert f'name="seat" value="{other}"' in page


async def test_who_sits_beside_me_is_named_and_can_be_removed_again(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = (await alice.post("/tables", data={"game": "hanging_gardens", "seats": "3", "do": "open"})).url.path[8:]
    page = (await alice.post(f"/tables/{key}/share", data={"name": "<b>Nabu"})).text
    assert "&lt;b&gt;Nabu" in page
    assert (await alice.post(f"/tables/{key}/share", data={"name": "\u200b"})).status_code == 422
    assert (await bob.post(f"/tables/{key}/share", data={"name": "Eve"})).status_code == 403
    page = (await alice.post(f"/tables/{key}/unshare", data={"seat": "1"})).text
    assert "Nabu" not in page


async def test_a_shared_device_plays_a_whole_open_game_without_any_gate(site: Site) -> None:
    alice = await site.guest("Alice")
    key = await shared(alice, game="hanging_gardens")
    for _ in range(200):
        if (await held_of(site, key)).facts.status == "over":
            break
        answer = await act(site, key, alice)
        assert 'id="board"' in answer.text
    assert (await held_of(site, key)).facts.status == "over"
