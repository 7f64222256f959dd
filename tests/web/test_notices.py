"""Notices at the edge: what a page says of itself, choices by form, muting, and no more letters by one click."""

import json
from collections.abc import Callable
from typing import Any

import httpx
from sqlalchemy import text

from app.services.server import Server
from app.web.unsubscribing import address_of
from tests.conftest import Site, person
from tests.push_service import Gadget
from tests.web.playing import move, opened
from tests.web.talking import Talk

PUSH = "https://push.example/abc"


async def rows(server: Server, query: str) -> list[tuple[Any, ...]]:
    async with server.sessions() as session:
        return [tuple(row) for row in await session.execute(text(query))]


async def test_a_page_says_that_it_lies_open_and_what_was_touched(site: Site, eventually: Callable[..., Any]) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob])
    talk = await Talk.open(site, key, alice)

    async def stored(*wanted: tuple[bool, int]) -> None:
        async def claim() -> bool:
            return await rows(site.server, "SELECT visible, awake FROM looks") == list(wanted)

        await eventually(claim, 20)

    await talk.socket.send(json.dumps({"looks": True}))
    await stored((True, -1))
    await talk.socket.send(json.dumps({"looks": True, "awake": 99}))
    await stored((True, 1))
    await talk.socket.send(json.dumps({"looks": False, "awake": 1}))
    await stored((False, 1))
    await talk.socket.send(json.dumps({"looks": True, "awake": 0}))
    await stored((True, 1))
    await talk.close()
    await stored((False, 1))


async def test_choices_are_kept_and_nonsense_is_refused_in_words(site: Site) -> None:
    alice = await site.guest("Alice")
    page = (await alice.get("/me/preferences")).text
    assert 'name="letters" value="hourly" checked' in page
    assert 'name="delay" value="2" checked' in page
    answer = await alice.post("/me/notices", data={"letters": "daily", "delay": "60"})
    assert "Saved." in answer.text
    assert 'name="letters" value="daily" checked' in answer.text
    assert 'name="delay" value="60" checked' in answer.text
    for wrong in ({"letters": "often", "delay": "2"}, {"letters": "now", "delay": "-1"}, {}):
        answer = await alice.post("/me/notices", data=wrong)
        assert answer.status_code == 422
        assert 'id="telling-error"' in answer.text
    assert 'value="daily" checked' in (await alice.get("/me/preferences")).text


async def test_a_browser_is_known_after_it_has_told_and_only_to_its_person(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    told = Gadget(PUSH).told
    assert (await alice.post("/me/push", data=told)).status_code == 204
    assert (await alice.post("/me/push/known", data={"endpoint": PUSH})).status_code == 204
    assert (await bob.post("/me/push/known", data={"endpoint": PUSH})).status_code == 404
    assert (await bob.post("/me/push/off", data={"endpoint": PUSH})).status_code == 204
    assert (await alice.post("/me/push/known", data={"endpoint": PUSH})).status_code == 204
    for wrong in ("http://push.example/abc", "https://169.254.169.254/latest", "https://localhost/x"):
        answer = await alice.post("/me/push", data={**told, "endpoint": wrong})
        assert answer.status_code == 422
        assert "Notices cannot be sent to this browser." in answer.text
    stranger = site.client(headers={"Origin": site.url})
    assert (await stranger.post("/me/push", data=told)).status_code in {200, 401, 403}
    assert len(await rows(site.server, "SELECT id FROM subscriptions")) == 1
    data = (await alice.get("/me/export")).json()
    assert len(data["notices"]["browsers"]) == 1
    assert PUSH not in json.dumps(data)


async def test_the_worker_may_show_notices_for_the_whole_site(site: Site) -> None:
    client = site.client()
    answer = await client.get("/static/js/worker.js")
    assert answer.headers["Service-Worker-Allowed"] == "/"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Service-Worker-Allowed" not in (await client.get("/static/js/push.js")).headers


async def test_a_table_is_muted_from_its_page_with_and_without_script(site: Site) -> None:
    alice, bob, eve = [await site.guest(name) for name in ("Alice", "Bob", "Eve")]
    key = await opened(alice, bob)
    assert "you are told of your turns here" in (await alice.get(f"/tables/{key}")).text
    assert 'id="mute"' not in (await eve.get(f"/tables/{key}")).text
    page = await alice.post(f"/tables/{key}/mute", data={"muted": "on"})
    assert page.url.path == f"/tables/{key}"
    assert "You hear nothing of this table" in page.text
    assert "you are told of your turns here" in (await bob.get(f"/tables/{key}")).text
    part = await alice.post(f"/tables/{key}/mute", data={"muted": ""}, headers={"HX-Request": "true"})
    assert part.text.lstrip().startswith('<form id="mute"')
    assert (await eve.post(f"/tables/{key}/mute", data={"muted": "on"})).status_code == 403
    assert await rows(site.server, "SELECT user_id FROM hushes") == []


async def test_one_click_of_a_mail_program_is_enough_and_only_with_a_link_of_ours(site: Site) -> None:
    me = await person(site.server, "Alice")
    link = address_of(site.config, site="", user_id=me.id)
    program = httpx.AsyncClient(base_url=site.url, timeout=30)
    site.clients.append(program)
    assert "No more letters about your tables?" in (await program.get(link)).text
    query = f"SELECT preferences->>'letters' FROM users WHERE id = {me.id}"
    assert await rows(site.server, query) == [(None,)], "programs open links, too"
    answer = await program.post(link, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "Nobody writes to you about your tables any more." in answer.text
    assert await rows(site.server, query) == [("never",)]
    assert (await program.post(link)).status_code == 200
    await site.server.club.get()
    async with site.server.engine.begin() as connection:
        await connection.execute(text("INSERT INTO bans (addresses) VALUES ('127.0.0.0/8')"))
    site.server.club.forget()
    assert (await program.get("/")).status_code == 403
    for answer in (await program.get(link), await program.post(link)):
        assert answer.status_code == 200, "also for who may not come in"
    for wrong in ("/unsubscribe", "/unsubscribe?token=x", link[:-2], link.replace("token=", "token=9")):
        assert (await program.get(wrong)).status_code == 410
        assert (await program.post(wrong)).status_code == 410
    assert (await program.post(address_of(site.config, site="", user_id=10_000))).status_code == 410
