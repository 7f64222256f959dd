"""The lobby and the waiting room by form: opening, joining by link without a name yet, refusals at their place."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.db import club
from tests.conftest import Site, account
from tests.web.talking import Talk

GAME = "hanging_gardens"


def key_of(url: Any) -> str:
    return str(url).rsplit("/", 1)[1]


async def test_opening_a_table_needs_a_name_and_can_give_one_at_once(site: Site) -> None:
    client = site.client(headers={"Origin": site.url})
    form = {"game": GAME, "seats": "2", "do": "open"}
    answer = await client.post("/tables", data=form)
    assert answer.url.path == "/name"
    answer = await client.post("/tables", data={**form, "name": "Mika"})
    assert answer.url.path.startswith("/tables/")
    assert "Mika" in answer.text


async def test_somebody_with_the_link_sits_down_by_giving_a_name(site: Site) -> None:
    alice = await site.guest("Alice")
    key = key_of((await alice.post("/tables", data={"game": GAME, "seats": "2", "do": "open"})).url)
    stranger = site.client(headers={"Origin": site.url})
    page = await stranger.get(f"/tables/{key}")
    assert page.status_code == 200
    answer = await stranger.post(f"/tables/{key}/seat", data={"do": "sit", "seat": "1", "name": "Nabu"})
    assert "Nabu" in answer.text
    assert "Nabu" in (await alice.get(f"/tables/{key}")).text


async def test_what_is_wrong_with_a_new_table_is_said_at_its_field_and_nothing_is_lost(site: Site) -> None:
    alice = await site.guest("Alice")
    answer = await alice.post("/tables", data={"game": GAME, "seats": "3", "option.first": "9", "visibility": "link"})
    assert answer.status_code == 422
    assert 'value="link" checked' in answer.text
    for form in ({}, {"game": "chess"}, {"game": GAME, "seats": "x"}, {"game": GAME, "seats": "99999999999"}):
        answer = await alice.post("/tables", data=form)
        assert answer.status_code == 422
        assert "<html" in answer.text


async def test_the_waiting_room_changes_by_itself_and_the_board_appears(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = key_of((await alice.post("/tables", data={"game": GAME, "seats": "2", "do": "open"})).url)
    talk = await Talk.open(site, key, alice, kind="room")
    await eventually(lambda: talk.versions)
    await bob.post(f"/tables/{key}/join")
    await eventually(lambda: "Bob" in talk.zones.get("seats", ""))
    await alice.post(f"/tables/{key}/start")
    await eventually(lambda: talk.reloads)
    assert 'id="board"' in (await alice.get(f"/tables/{key}")).text
    await talk.close()


async def test_the_lists_are_sent_again_only_when_they_changed(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    first = await bob.get("/lobby/lists")
    assert first.status_code == 200
    again = await bob.get("/lobby/lists", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304
    await alice.post("/tables", data={"game": GAME, "seats": "2", "do": "open"})
    changed = await bob.get("/lobby/lists", headers={"If-None-Match": first.headers["etag"]})
    assert changed.status_code == 200
    assert "Alice" in changed.text


async def test_a_table_by_link_appears_nowhere_to_strangers(site: Site) -> None:
    alice, eve = await site.guest("Alice"), await site.guest("Eve")
    form = {"game": GAME, "seats": "2", "do": "open", "visibility": "link"}
    key = key_of((await alice.post("/tables", data=form)).url)
    for path in ("/", "/lobby/lists"):
        assert key not in (await eve.get(path)).text
        assert key in (await alice.get(path)).text


async def test_only_the_host_may_and_everybody_else_is_told(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = key_of((await alice.post("/tables", data={"game": GAME, "seats": "3", "do": "open"})).url)
    await bob.post(f"/tables/{key}/join")
    for path, form in (
        ("seat", {"do": "bot", "seat": "2", "bot": "greedy"}),
        ("seat", {"do": "remove", "seat": "0"}),
        ("visibility", {"visibility": "link"}),
        ("start", {}),
    ):
        answer = await bob.post(f"/tables/{key}/{path}", data=form)
        assert answer.status_code == 403
        assert "host" in answer.text
    assert (await alice.post(f"/tables/{key}/seat", data={"do": "dance", "seat": "0"})).status_code == 422
    answer = await alice.post(f"/tables/{key}/start")
    assert answer.status_code == 409


@pytest.mark.parametrize("path", ["join", "start", "leave", "rematch"])
async def test_what_is_done_fifty_times_at_once_is_done_once(site: Site, path: str) -> None:
    """A4: joining, starting, leaving and asking for a rematch twice never break anything."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = key_of((await alice.post("/tables", data={"game": GAME, "seats": "2", "do": "open"})).url)
    if path != "join":
        await bob.post(f"/tables/{key}/join")
    client = alice if path == "start" else bob
    answers = await asyncio.gather(*(client.post(f"/tables/{key}/{path}") for _ in range(50)))
    assert {answer.status_code for answer in answers} <= {200, 403, 409}
    held = await site.server.states.newest(await site.server.states.find_id(key))
    names = [seat.name for seat in held.facts.seats]
    assert names == (["Alice", ""] if path == "leave" else ["Alice", "Bob"])
    assert held.facts.changed <= 4


async def test_a_language_is_chosen_by_link_and_kept(site: Site) -> None:
    client = site.client()
    assert 'lang="en"' in (await client.get("/")).text[:200]
    assert 'lang="ja"' in (await client.get("/?lang=ja")).text[:200]
    assert 'lang="ja"' in (await client.get("/about")).text[:200]
    assert 'lang="ja"' in (await client.get("/?lang=xx")).text[:200]
    assert 'lang="en"' in (await client.get("/?lang=en")).text[:200]


async def test_the_form_for_a_language_works_without_script(site: Site) -> None:
    alice = await site.guest("Alice")
    answer = await alice.post("/language", data={"language": "ja", "next": "/about"})
    assert answer.url.path == "/about"
    assert 'lang="ja"' in answer.text[:200]


async def test_health(site: Site) -> None:
    client = site.client()
    assert (await client.get("/health/live")).text == "alive"
    assert (await client.get("/health/ready")).text == "ready"


async def test_somebody_who_said_who_they_are_is_known_whatever_comes_of_the_rest(site: Site) -> None:
    alice = await site.guest("Alice")
    answer = await alice.post("/tables", data={"game": "hanging_gardens", "seats": "1", "do": "bots"})
    taken = answer.url.path
    for path, form, status in (
        ("/tables", {"game": "chess", "seats": "2"}, 422),
        ("/tables", {"game": "hanging_gardens", "seats": "9"}, 422),
        (f"{taken}/join", {}, 409),
        ("/tables/nowhere/join", {}, 404),
    ):
        client = site.client(headers={"Origin": site.url})
        answer = await client.post(path, data={**form, "name": "Mika"})
        assert answer.status_code == status
        assert "Mika" in (await client.get("/about")).text, path


async def test_a_name_that_cannot_be_is_told_beside_it_wherever_a_guest_comes_in(site: Site) -> None:
    await account(site.server, "Anna")
    host = await site.guest("Alice")
    key = key_of((await host.post("/tables", data={"game": GAME, "seats": "2", "do": "open"})).url)
    anna = site.client(headers={"Origin": site.url})
    new = {"game": "amyitis", "seats": "4", "visibility": "link", "pace": "days", "days": "3", "password": "figs"}
    for path, form, field in (
        ("/quick", {"game": "babylon", "do": "bots"}, "quick-name"),
        ("/tables", {**new, "do": "open"}, "name-amyitis"),
        (f"/tables/{key}/seat", {"do": "sit", "seat": "1"}, "sit-name"),
        (f"/tables/{key}/join", {}, "sit-name"),
    ):
        for name, said in (("Anna", "Choose another one."), ("a\u202eb", "nobody could see"), (" ", "one character")):
            page = await anna.post(path, data={**form, "name": name})
            assert page.status_code == 422, path
            assert page.text.count(f'id="{field}-error"') == 1 and said in page.text
            assert (
                f'<input id="{field}" value="{name}" aria-invalid="true" aria-describedby="{field}-error"'
                in page.text
            )
            assert ("/sign-in?next=" in page.text.split(f'id="{field}-error"')[1][:300]) is (name == "Anna")
            assert f"{path}?lang=" not in page.text  # the language is changed where the page can be asked for
        if path == "/quick":
            assert 'value="babylon" selected' in page.text
        if path == "/tables":
            for kept in ('value="4" checked', 'value="link" checked', 'value="days" checked', 'value="figs"'):
                assert kept in page.text
    held = await site.server.states.newest(await site.server.states.find_id(key))
    assert [seat.name for seat in held.facts.seats] == ["Alice", ""]
    await anna.post(f"/tables/{key}/join", data={"name": "Anna B"})
    held = await site.server.states.newest(await site.server.states.find_id(key))
    assert [seat.name for seat in held.facts.seats] == ["Alice", "Anna B"]


async def test_what_was_sought_stays_sought_when_a_form_is_refused(site: Site) -> None:
    anna = site.client(headers={"Origin": site.url})
    shown = (await anna.get("/?seats=4&bots=without")).text
    for form, fields in (("/quick", {"do": "bots"}), ("/tables", {"game": GAME, "seats": "2", "do": "open"})):
        assert f'action="{form}?seats=4&amp;bots=without"' in shown
        page = await anna.post(f"{form}?seats=4&bots=without", data={**fields, "name": " "})
        assert page.status_code == 422
        for kept in ('<option value="4" selected', '<option value="without" selected', "?seats=4&amp;bots=without"):
            assert kept in page.text, kept


async def test_where_no_guests_play_the_way_to_an_account_stands_beside_the_name(site: Site) -> None:
    async with site.server.sessions.begin() as session:
        await club.keep(session, "guests", False)
    site.server.club.forget()
    page = await site.client(headers={"Origin": site.url}).post("/quick", data={"do": "bots", "name": "Mika"})
    assert page.status_code == 422 and "Only people with an account play here." in page.text
    assert 'href="/sign-in?next=/"' in page.text.split('id="quick-name-error"')[1]


async def test_the_headline_says_what_my_tables_wait_for(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")

    async def headline(client: httpx.AsyncClient) -> str:
        found = re.search(r"<h1>\s*(.*?)\s*</h1>", (await client.get("/")).text)
        assert found is not None
        return found[1]

    assert await headline(alice) == "The gardens are quiet. Open a table."
    key = key_of((await alice.post("/tables", data={"game": GAME, "seats": "2", "do": "open"})).url)
    assert await headline(alice) == "Your table waits for others."
    await bob.post(f"/tables/{key}/join")
    assert [await headline(client) for client in (alice, bob)] == ["All are here: your game may begin."] * 2
    assert "say that you are ready" in (await bob.get("/")).text
    await alice.post(f"/tables/{key}/start")
    assert sorted([await headline(client) for client in (alice, bob)]) == [
        "One table waits for you.",
        "The others are thinking.",
    ]


async def test_a_table_whose_people_have_gone_says_so_and_comes_last(site: Site, later: Callable[..., None]) -> None:
    alice, bob, eve = await site.guest("Alice"), await site.guest("Bob"), await site.guest("Eve")
    form = {"game": GAME, "seats": "2", "do": "open"}
    living = key_of((await bob.post("/tables", data=form)).url)
    left = key_of((await alice.post("/tables", data=form)).url)
    page = (await eve.get("/")).text
    assert page.index(f"open-{left}") < page.index(f"open-{living}") and "nobody is at this table now" not in page
    later(minutes=37)
    await bob.get("/")
    page = (await eve.get("/")).text
    assert page.index(f"open-{living}") < page.index(f"open-{left}")
    assert "nobody is at this table now" in page.split(f"open-{left}")[1]
    assert page.count("nobody is at this table now") == 1


async def test_somebody_has_the_same_figure_on_every_page(site: Site) -> None:
    """Wherever they sit: the figure goes with the person, and the colour with the seat."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")

    def figures(page: str) -> list[str]:
        arches = re.findall(r'<svg class="arch".*?</svg>', page, re.DOTALL)
        return re.findall(r'href="#(hg-visitor[a-z-]*)"', "".join(arches))

    ((hers,), (his,)) = [figures((await client.get("/me")).text) for client in (alice, bob)]
    assert hers != his
    key = key_of((await alice.post("/tables", data={"game": GAME, "seats": "2", "do": "open"})).url)
    await bob.post(f"/tables/{key}/join")
    assert figures((await bob.get(f"/tables/{key}")).text) == [hers, his]
    await alice.post(f"/tables/{key}/seat", data={"do": "right", "seat": "0"})
    assert figures((await bob.get(f"/tables/{key}")).text) == [his, hers]
    for page in ("/sign-in", "/name"):
        assert figures((await alice.get(page)).text) == [hers]
