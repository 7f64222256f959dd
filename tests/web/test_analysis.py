"""An analysis is an address: private, marked, beside the real table and never in it."""

import re

import httpx
import pytest
from sqlalchemy import text

from tests.conftest import Site
from tests.web.playing import held_of, move, opened, play_out
from tests.web.talking import Talk, zones_in

HTMX = {"HX-Request": "true"}


async def rows(site: Site) -> list[int]:
    """How much is stored of everything that an analysis might have written."""
    async with site.server.sessions() as session:
        return [
            (await session.execute(text(f"SELECT count(*) FROM {name}"))).scalar_one()
            for name in ("tables", "seats", "entries")
        ]


def fields(page: str) -> dict[str, str]:
    """What the form of the page sends."""
    return dict(re.findall(r'<input type="hidden" form="act" name="(\w+)" value="([^"]*)"', page))


def actions(page: str) -> list[str]:
    """The actions that the page offers."""
    found = re.findall(r'<button[^>]*form="act"[^>]*name="action"[^>]*value="([^"]+)"', page)
    return [value for value in found if not value.startswith("undo")]


async def play(client: httpx.AsyncClient, key: str, page: str, moves: int) -> str:
    """Plays on by the page's own form; the last page."""
    for step in range(moves):
        data = {**fields(page), "action": actions(page)[step % len(actions(page))]}
        answer = await client.post(f"/tables/{key}/analysis/act", data=data)
        assert answer.status_code == 200, answer.text
        page = answer.text
    return page


async def test_an_analysis_is_played_by_forms_alone_and_leaves_no_trace(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob], 5)
    talk = await Talk.open(site, key, bob, version=5, changed=(await held_of(site, key)).facts.changed)
    before, lobby = await rows(site), (await bob.get("/lobby/lists")).text
    for client in (alice, site.client(headers={"Origin": site.url})):
        page = (await client.get(f"/tables/{key}/analysis?at=3")).text
        assert 'class="table-page analysis"' in page
        assert "hx-ws:connect" not in page
        assert "Nothing here counts" in page
        page = await play(client, key, page, 8)
        assert page.count("~") >= 7
    assert await rows(site) == before
    assert (await held_of(site, key)).version == 5
    assert talk.frames == []
    assert (await bob.get("/lobby/lists")).text == lobby
    await talk.close()


async def test_an_analysis_goes_on_by_htmx_with_its_new_address(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    page = (await alice.get(f"/tables/{key}/analysis?at=0")).text
    data = {**fields(page), "action": actions(page)[0]}
    answer = await alice.post(f"/tables/{key}/analysis/act", data=data, headers=HTMX)
    assert {"pieces", "action", "choices", "status"} <= set(zones_in(answer.text))
    address = re.search(r'data-address="([^"]+)"', answer.text)
    assert address
    again = (await alice.get(address[1].replace("&amp;", "&"))).text
    assert zones_in(answer.text)["choices"] in again
    undone = {**fields(again), "action": "undo"}
    back = await alice.post(f"/tables/{key}/analysis/act", data=undone, headers=HTMX)
    assert zones_in(back.text)["choices"] in page


async def test_what_would_come_is_told_in_an_analysis_too(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    page = await play(alice, key, (await alice.get(f"/tables/{key}/analysis?at=0")).text, 3)
    words = {**fields(page), "action": actions(page)[0]}
    told = await alice.get(f"/tables/{key}/analysis/consequence", params=words)
    assert f'<template data-action="{actions(page)[0]}">' in told.text


async def test_a_refusal_in_an_analysis_names_the_rule(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    data = {"action": "take:1:1:3:0", "at": "0"}
    answer = await alice.post(f"/tables/{key}/analysis/act", data=data, headers=HTMX)
    assert answer.status_code == 422
    assert "/rules/hanging-gardens#r6" in zones_in(answer.text)["refusal"]


async def test_nothing_hidden_comes_to_light_in_an_analysis_of_a_running_game(site: Site) -> None:
    """Nobody finds out by trying which card comes next, and the seed is nowhere."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob], 4)
    held = await held_of(site, key)
    assert held.position is not None
    page = await play(alice, key, (await alice.get(f"/tables/{key}/analysis")).text, 10)
    assert held.facts.seed not in page
    come = set(re.findall(r'id="card-(\w+)"', page))
    deck = list(held.position.state.deck)
    drawn = come & set(deck)
    assert drawn
    assert drawn != set(deck[: len(drawn)])


@pytest.mark.parametrize(("language", "words"), [("en", "I play all"), ("ja", "全員を自分で")])
async def test_when_the_game_is_over_bots_may_answer(site: Site, language: str, words: str) -> None:
    alice, bob = await site.guest("Alice", language), await site.guest("Bob")
    key = await opened(alice, bob)
    running = (await alice.get(f"/tables/{key}/analysis")).text
    assert words not in running
    assert (await alice.get(f"/tables/{key}/analysis?others=greedy")).status_code == 422
    await play_out(site, key)
    page = (await alice.get(f"/tables/{key}/analysis?at=6")).text
    assert words in page
    page = (await alice.get(f"/tables/{key}/analysis?at=6&others=greedy&me=1")).text
    page = await play(alice, key, page, 3)
    assert fields(page)["others"] == "greedy"
    assert len(fields(page)["line"].split("~")) > 3


@pytest.mark.parametrize("query", ["line=nonsense", "others=x", "me=99", "line=" + "~" * 50])
async def test_nonsense_is_refused_with_a_page(site: Site, query: str) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    answer = await alice.get(f"/tables/{key}/analysis?{query}")
    assert answer.status_code in {422, 200}
    assert "<html" in answer.text
    assert (await alice.get("/tables/aaaaaaaaaaaa/analysis")).status_code == 404
