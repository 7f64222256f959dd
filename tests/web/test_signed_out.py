"""A browser that was signed out: no move is stored, it says so, and the way leads through the sign-in back again."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from sqlalchemy import text

from app.db.writer import Writer
from app.web import hub
from tests.conftest import PASSWORD, Site, site_on
from tests.web.talking import Talk, zones_in
from tests.web.test_tables import held_of, legal, move, opened


async def playing(site: Site) -> tuple[httpx.AsyncClient, httpx.AsyncClient, str]:
    """Alice, who has an account and is to move; Bob; their table."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    await alice.post("/sign-up", data={"name": "Alice", "password": PASSWORD})
    return alice, bob, await opened(site, alice, bob)


async def end_all(site: Site) -> None:
    """Every browser was signed out, and no process has been told."""
    async with site.server.engine.begin() as connection:
        await connection.execute(text("DELETE FROM logins"))


async def test_a_move_by_form_leads_to_the_sign_in_and_back_to_the_table(site: Site) -> None:
    alice, _, key = await playing(site)
    await end_all(site)
    seat, since, action = legal(await held_of(site, key))
    form = {"action": action, "seat": str(seat), "since": str(since)}
    answer = await alice.post(f"/tables/{key}/act", data=form)
    assert answer.url.path == "/sign-in"
    assert "Your move was not made" in answer.text
    assert f'name="next" value="/tables/{key}"' in answer.text
    assert (await held_of(site, key)).version == 0
    answer = await alice.post("/sign-in", data={"name": "Alice", "password": PASSWORD, "next": f"/tables/{key}"})
    assert answer.url.path == f"/tables/{key}"
    assert (await alice.post(f"/tables/{key}/act", data=form)).status_code == 200
    assert (await held_of(site, key)).version == 1


async def test_a_move_by_htmx_is_sent_there_too(site: Site) -> None:
    alice, _, key = await playing(site)
    await end_all(site)
    seat, since, action = legal(await held_of(site, key))
    form = {"action": action, "seat": str(seat), "since": str(since)}
    answer = await alice.post(f"/tables/{key}/act", data=form, headers={"HX-Request": "true"})
    assert answer.status_code == 204
    assert unquote(answer.headers["hx-redirect"]) == f"/sign-in?next=/tables/{key}&lost=move"
    assert (await held_of(site, key)).version == 0


async def test_a_move_by_socket_is_refused_in_words_and_sent_there(site: Site) -> None:
    """No process has heard yet that the browser was signed out: the database says so when the move arrives."""
    alice, _, key = await playing(site)
    talk = await Talk.open(site, key, alice)
    seat, since, action = legal(await held_of(site, key))
    await end_all(site)
    answer = await talk.act(action, seat=seat, since=since)
    assert answer["refused"]
    assert "signed out" in zones_in(answer["content"])["refusal"]
    assert unquote(answer["go"]) == f"/sign-in?next=/tables/{key}&lost=move"
    assert (await held_of(site, key)).version == 0
    await talk.close()


async def test_a_sweep_that_comes_while_a_move_is_on_its_way_does_not_hide_what_became_of_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, _, key = await playing(site)
    talk = await Talk.open(site, key, alice)
    seat, since, action = legal(await held_of(site, key))
    hub_of_site = site.app.state.edge.hub
    sound = Writer.append

    async def append(writer: Writer, move: Any) -> datetime | None:
        await end_all(site)
        hub_of_site.dismiss({move.login})
        await asyncio.sleep(0.1)
        return await sound(writer, move)

    monkeypatch.setattr(Writer, "append", append)
    answer = await talk.act(action, seat=seat, since=since)
    assert unquote(answer["go"]) == f"/sign-in?next=/tables/{key}&lost=move"
    await talk.socket.wait_closed()
    assert talk.reloads == 0
    assert (await held_of(site, key)).version == 0


@pytest.mark.parametrize("way", ["here", "elsewhere"])
async def test_an_open_page_of_a_browser_that_is_signed_out_shows_no_more_secrets(
    site: Site, way: str, eventually: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By this process at once, by another one when the sweep looks."""
    monkeypatch.setattr(hub, "SWEEP", 0.2)
    async with site_on(site.config) as other:
        alice, bob, key = await playing(site)
        talk = await Talk.open(site, key, alice)
        await eventually(lambda: talk.versions)
        frames = len(talk.frames)
        phone = (site if way == "here" else other).client(headers={"Origin": (site if way == "here" else other).url})
        await phone.post("/sign-in", data={"name": "Alice", "password": PASSWORD})
        await phone.post("/me/sessions", data={"which": "others"})
        await asyncio.wait_for(talk.socket.wait_closed(), 10)
        assert talk.reloads == 1
        assert len(talk.frames) == frames + 1
        page = await alice.get(f"/tables/{key}")
        assert page.status_code == 200
        assert "This browser was signed out." in page.text
        assert "hand" not in {zone for zone in talk.zones if zone not in page.text}
        await move(other, key, [phone, bob])


async def test_other_forms_say_that_nothing_was_done(site: Site) -> None:
    alice, _, key = await playing(site)
    await end_all(site)
    for path, where in ((f"/tables/{key}/leave", f"/tables/{key}"), ("/me/name", "/about")):
        answer = await alice.post(path, data={"name": "X"}, headers={"Referer": f"{site.url}/about"})
        assert answer.url.path == "/sign-in"
        assert "Nothing was done" in answer.text
        assert f'name="next" value="{where}"' in answer.text
    answer = await alice.get("/me/preferences")
    assert answer.url.path == "/sign-in"
    assert 'name="next" value="/me/preferences"' in answer.text


async def test_a_stranger_who_was_never_here_is_asked_for_a_name_as_before(site: Site) -> None:
    _, _, key = await playing(site)
    stranger = site.client(headers={"Origin": site.url})
    assert (await stranger.get("/me")).url.path == "/name"
    assert "signed out" not in (await stranger.get(f"/tables/{key}")).text
    junk = site.client(headers={"Origin": site.url}, cookies={"semiramis": "junk"})
    assert "signed out" not in (await junk.get(f"/tables/{key}")).text
