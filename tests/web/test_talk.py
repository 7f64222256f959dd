"""Talk on the pages: pushed to all who hear it, refused in words, and the watchers' room never reaches a seat."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from app.services import talk
from tests.conftest import Site, site_on
from tests.web.talking import Talk, zones_in
from tests.web.test_private_tables import SECRETS, begun
from tests.web.test_signed_out import playing
from tests.web.test_tables import held_of, move, opened

HTMX = {"HX-Request": "true"}
WHISPER = "Bob holds the lion"


async def say(client: httpx.AsyncClient, key: str, words: str, **form: str) -> httpx.Response:
    """Says something by the plain form."""
    return await client.post(f"/tables/{key}/talk", data={"words": words, **form})


async def number_of(site: Site, key: str, words: str) -> str:
    """The number of what was said so."""
    return str(next(each.id for each in (await held_of(site, key)).facts.remarks if each.words == words))


async def test_what_is_said_comes_to_every_page_of_both_processes(site: Site, eventually: Callable[..., Any]) -> None:
    alice, bob, eve = await site.guest("Alice"), await site.guest("Bob", "ja"), await site.guest("Eve")
    key = await opened(site, alice, bob)
    async with site_on(site.config) as other:
        talks = [
            await Talk.open(site, key, alice),
            await Talk.open(other, key, bob),
            await Talk.open(other, key, eve),
        ]
        await eventually(lambda: all("talk" in each.zones for each in talks))
        assert (await say(alice, key, "that palm was mine")).status_code == 200
        await eventually(lambda: all("that palm was mine" in each.zones["talk"] for each in talks))
        assert "発言" in talks[1].zones["talk"]
        for each, client in zip(talks[:1], (alice,), strict=True):
            assert each.zones["talk"] in (await client.get(f"/tables/{key}")).text
        for each in talks:
            await each.close()


@pytest.mark.parametrize("over", [False, True], ids=["in play", "over"])
async def test_the_watchers_room_reaches_no_seat_by_any_road(
    site: Site, eventually: Callable[..., Any], over: bool
) -> None:
    """By no frame, page, answer, export, earlier moment or list; and all of it when the game is over."""
    alice, bob, eve = await site.guest("Alice"), await site.guest("Bob"), await site.guest("Eve")
    key = await opened(site, alice, bob)
    talks = [await Talk.open(site, key, client) for client in (alice, bob, site.client())]
    watching = await Talk.open(site, key, eve)
    await say(eve, key, WHISPER)
    await eventually(lambda: WHISPER in watching.zones.get("talk", ""))
    await say(alice, key, "hello")
    await move(site, key, [alice, bob], 3)
    while over and (await held_of(site, key)).facts.status == "playing":
        await move(site, key, [alice, bob])
    number = await number_of(site, key, WHISPER)
    if over:
        await eventually(lambda: all(WHISPER in each.zones["talk"] for each in talks))
    for client in (alice, bob, site.client(headers={"Origin": site.url})):
        pages = [
            await client.get(f"/tables/{key}{rest}")
            for rest in (
                "",
                "/talk",
                f"/talk?before={int(number) + 1}",
                "/log",
                "?at=1",
                "?at=1&as=none",
                "/analysis",
            )
        ]
        assert (WHISPER in pages[0].text) is over
        assert (WHISPER in pages[1].text) is over
        pages += [
            await client.get("/"),
            await client.get("/me/export"),
            await client.get("/me"),
            await client.post(f"/tables/{key}/talk", data={"words": "hm", "room": "watchers"}, headers=HTMX),
            await client.post(f"/tables/{key}/talk", data={"words": "", "room": "watchers"}),
            await client.post(f"/tables/{key}/talk/about", data={"mute": number}, headers=HTMX),
            await client.post(f"/tables/{key}/talk/about", data={"report": number}, headers=HTMX),
        ]
        for page in pages:
            if not over:
                assert WHISPER not in page.text, page.url
        if not over:
            assert (await held_of(site, key)).facts.mutes == frozenset()
    if not over:
        for each in talks:
            assert WHISPER not in "".join(each.frames)
    for each in (*talks, watching):
        await each.close()


async def test_a_page_that_watches_forgets_the_room_when_its_person_sits_down(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob, eve = await site.guest("Alice"), await site.guest("Bob"), await site.guest("Eve")
    key = await opened(site, alice, bob)
    await move(site, key, [alice, bob], 2)
    watching = await Talk.open(site, key, eve)
    await say(eve, key, WHISPER)
    await eventually(lambda: WHISPER in watching.zones.get("talk", ""))
    await bob.post(f"/tables/{key}/leave")
    offer = (await held_of(site, key)).facts.seats[1].offer
    assert (await eve.post(f"/offers/{offer}")).status_code == 200
    await eventually(lambda: 'data-room="seats"' in watching.zones["talk"])
    assert WHISPER not in watching.zones["talk"]
    assert WHISPER not in (await eve.get(f"/tables/{key}/talk")).text
    gone = len(watching.frames)
    await say(site.clients[0], key, "welcome")
    await eventually(lambda: len(watching.frames) > gone)
    assert WHISPER not in "".join(watching.frames[gone:])
    await watching.close()


async def test_a_seat_that_is_signed_out_elsewhere_is_sent_nothing_of_the_watchers(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, _, key = await playing(site)
    eve = await site.guest("Eve")
    page = await Talk.open(site, key, alice)
    await say(eve, key, WHISPER)
    await alice.post("/sign-out")
    await eventually(lambda: page.reloads, 10)
    assert WHISPER not in "".join(page.frames)
    assert WHISPER not in (await alice.get(f"/tables/{key}")).text
    await page.close()


@pytest.mark.parametrize("form", SECRETS[1:], ids=["with a password", "both"])
async def test_nobody_hears_or_speaks_at_a_table_that_they_may_not_see(site: Site, form: dict[str, str]) -> None:
    alice, _, key = await begun(site, form)
    await say(alice, key, "that palm was mine")
    eve = await site.guest("Eve")
    for client in (eve, site.client(headers={"Origin": site.url})):
        for answer in (
            await client.get(f"/tables/{key}/talk"),
            await client.get(f"/tables/{key}"),
            await say(client, key, "hello"),
            await client.post(f"/tables/{key}/talk/about", data={"report": "1"}),
            await client.post(f"/tables/{key}/talk/who", data={"talk": "off"}),
        ):
            assert answer.status_code in {401, 403}
            assert "that palm was mine" not in answer.text
    assert len((await held_of(site, key)).facts.remarks) == 1


async def test_a_refusal_is_told_and_keeps_what_was_written(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob", "ja")
    key = await opened(site, alice, bob)
    long = "あ" * 501
    plain = await say(alice, key, long)
    assert plain.status_code == 422
    assert long in plain.text
    assert "At most 500 characters" in plain.text
    part = await bob.post(f"/tables/{key}/talk", data={"words": long}, headers=HTMX)
    assert part.status_code == 422
    assert set(zones_in(part.text)) == {"talk-said"}
    assert "500文字まで" in part.text
    for words in ("", "x" * 20_000, "\0", "\u200b"):
        assert (await say(alice, key, words)).status_code == 422
    assert (await say(alice, key, "psst", room="watchers")).status_code == 409
    assert (await held_of(site, key)).facts.remarks == ()


async def test_words_of_who_was_signed_out_or_needs_a_password_come_back(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    for statement, said in (
        ("UPDATE tables SET password_hash = 'x', changed = changed + 1", "This table has a password"),
        ("DELETE FROM logins", "Nothing was done."),
    ):
        eve = await site.guest("Eve")
        async with site.server.engine.begin() as connection:
            await connection.execute(text("UPDATE tables SET password_hash = NULL, changed = changed + 1"))
            await connection.execute(text(statement))
        page = await say(eve, key, "well <played>")
        assert said in page.text
        assert "well &lt;played&gt;</textarea>" in page.text
    assert (await held_of(site, key)).facts.remarks == ()


async def test_who_talks_faster_than_a_person_is_asked_to_wait(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    answers = [await say(alice, key, f"hm {number}") for number in range(12)]
    assert [answer.status_code for answer in answers].count(200) == 8
    assert answers[-1].status_code == 429
    assert "hm 11" in answers[-1].text
    assert (await say(bob, key, "calm down")).status_code == 200


async def test_a_stranger_is_asked_who_they_are_first(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    stranger = site.client(headers={"Origin": site.url})
    assert f"/name?next=/tables/{key}" in (await stranger.get(f"/tables/{key}/talk")).text
    answer = await say(stranger, key, "hello")
    assert answer.url.path == "/name"
    assert (await held_of(site, key)).facts.remarks == ()


@pytest.mark.parametrize(
    "words",
    [
        "<img src=x onerror=alert(1)>",
        '"><svg onload=alert(1)>',
        "{{7*7}}",
        "javascript:alert(1) https://evil.example/x",
        "\u202eevil\u2066",
    ],
)
async def test_words_are_text_and_links_lead_nowhere(site: Site, words: str, eventually: Callable[..., Any]) -> None:
    """A19: markup in talk; and a direction that somebody turns stays within their remark."""
    from html import escape

    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    page = await Talk.open(site, key, bob)
    await say(alice, key, words)
    await eventually(lambda: "data-remark" in page.zones.get("talk", ""))
    for html in (page.zones["talk"], (await bob.get(f"/tables/{key}/talk")).text):
        shown = escape(words).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")
        assert f'<p class="words" dir="auto">{shown}</p>' in html
        assert "evil.example" not in "".join(re.findall(r'(?:href|src)="([^"]*)"', html))
        assert "<img" not in html
        assert "onload" not in re.sub(r">[^<]*<", "><", html)
    await page.close()


async def test_times_are_the_readers_and_days_are_told_apart(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob", "ja")
    key = await opened(site, alice, bob)
    await say(alice, key, "late in Babylon")
    await say(alice, key, "and early")
    async with site.server.engine.begin() as connection:
        for words, at in (("late in Babylon", "2026-03-01 14:30+00"), ("and early", "2026-03-01 15:30+00")):
            await connection.execute(text(f"UPDATE remarks SET at = '{at}' WHERE words = '{words}'"))
        await connection.execute(text("UPDATE tables SET changed = changed + 1"))
        await connection.execute(text("UPDATE users SET time_zone = 'Asia/Tokyo' WHERE name = 'Bob'"))
        await connection.execute(text("UPDATE users SET time_zone = '' WHERE name = 'Alice'"))
    for rest in ("", "/talk"):
        tokyo = (await bob.get(f"/tables/{key}{rest}")).text
        assert re.findall(r"<time datetime=\"2026-03[^>]*>([^<]*)<", tokyo) == ["23:30", "00:30"]
        assert re.findall(r'class="new-day"><span>([^<]*)<', tokyo) == ["3月1日", "3月2日"]
        nowhere = (await alice.get(f"/tables/{key}{rest}")).text
        assert re.findall(r"data-clock>([^<]*)<", nowhere) == ["14:30 UTC", "15:30 UTC"]


async def test_what_i_do_not_hear_goes_from_my_page_at_once_and_comes_back(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    page = await Talk.open(site, key, alice)
    await say(bob, key, "you are slow")
    await eventually(lambda: "you are slow" in page.zones.get("talk", ""))
    changed = (await held_of(site, key)).facts.changed
    number = await number_of(site, key, "you are slow")
    answer = await alice.post(f"/tables/{key}/talk/about", data={"mute": number}, headers=HTMX)
    assert "you are slow" not in answer.text
    assert "do not hear this person" in zones_in(answer.text)["talk-said"]
    await eventually(lambda: "you are slow" not in page.zones["talk"])
    preferences = (await alice.get("/me/preferences")).text
    assert "Hear Bob again" in preferences
    who = re.findall(r'name="who" value="(\d+)"', preferences)
    assert "Bob" not in (await alice.post("/me/muted", data={"who": who[0]})).text
    await eventually(lambda: "you are slow" in page.zones["talk"])
    assert (await alice.post("/me/muted", data={"who": "nonsense"})).status_code == 200
    async with site_on(site.config) as other:
        elsewhere = await Talk.open(other, key, alice)
        await eventually(lambda: "you are slow" in elsewhere.zones.get("talk", ""))
        await alice.post(f"/tables/{key}/talk/about", data={"mute": number}, headers=HTMX)
        await eventually(lambda: "you are slow" not in page.zones["talk"] + elsewhere.zones["talk"])
        await elsewhere.close()
    assert (await held_of(site, key)).facts.changed == changed, "no move of others has to be tried again"
    await page.close()


async def test_the_host_closes_the_talk_for_all(site: Site, eventually: Callable[..., Any]) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob, talk="seats")
    assert (await held_of(site, key)).facts.talk == talk.CLOSED
    page = await Talk.open(site, key, bob)
    assert (await bob.post(f"/tables/{key}/talk/who", data={"talk": "off"})).status_code == 403
    assert (await alice.post(f"/tables/{key}/talk/who", data={"talk": "nonsense"})).status_code == 422
    assert (await alice.post(f"/tables/{key}/talk/who", data={"talk": "off"})).status_code == 200
    await eventually(lambda: "The host has ended the talk" in page.zones.get("talk", ""))
    answer = await say(bob, key, "but why")
    assert answer.status_code == 403
    assert "but why" in answer.text
    await page.close()


async def test_moderators_find_reports_and_nobody_else_does(site: Site) -> None:
    alice, bob, eve = await site.guest("Alice"), await site.guest("Bob"), await site.guest("Eve")
    key = await opened(site, alice, bob)
    await say(bob, key, "you fool")
    number = await number_of(site, key, "you fool")
    answer = await alice.post(f"/tables/{key}/talk/about", data={"report": number})
    assert "Somebody who keeps order here will look at it" in answer.text
    assert (await eve.get("/admin/reports")).status_code == 404
    assert (await eve.post(f"/admin/reports/{number}", data={"do": "remove", "reason": "x"})).status_code == 404
    async with site.server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET role = 'moderator' WHERE name = 'Eve'"))
    listed = await eve.get("/admin/reports")
    assert "you fool" in listed.text
    assert "Reports (1)" in listed.text
    refused = await eve.post(f"/admin/reports/{number}", data={"do": "remove", "reason": ""})
    assert refused.status_code == 422
    done = await eve.post(f"/admin/reports/{number}", data={"do": "both", "reason": "rude", "hours": "2"})
    assert done.status_code == 200
    assert "you fool" not in done.text
    for client in (alice, bob):
        page = (await client.get(f"/tables/{key}")).text
        assert "you fool" not in page
        assert "Taken away by those who keep order." in page
    assert (await say(bob, key, "but")).status_code == 403
    assert "took away what somebody had said" in (await alice.get(f"/tables/{key}/log")).text
    assert "took away what somebody had said" in (await eve.get("/admin/audit")).text


async def test_a_late_older_page_is_had_by_a_link(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    table_id = (await held_of(site, key)).facts.id
    async with site.server.engine.begin() as connection:
        await connection.execute(
            text(f"""
            INSERT INTO remarks (table_id, room, user_id, seat, words)
            SELECT {table_id}, 'seats', (SELECT id FROM users WHERE name = 'Bob'), 1, 'remark ' || n || '.'
            FROM generate_series(1, 230) n
            """)
        )
        await connection.execute(text("UPDATE tables SET changed = changed + 1"))
    page = (await alice.get(f"/tables/{key}")).text
    seen = re.findall(r"remark (\d+)\.", page)
    assert seen == [str(number) for number in range(201, 231)]
    while link := re.search(rf'class="earlier" href="(/tables/{key}/talk[^"]*)"', page):
        page = (await alice.get(link[1])).text
        seen = re.findall(r"remark (\d+)\.", page) + seen
    assert seen == [str(number) for number in range(1, 231)]
    for nonsense in ("0", "-1", "x", str(2**70)):
        assert (await alice.get(f"/tables/{key}/talk?before={nonsense}")).status_code == 422
