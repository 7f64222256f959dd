"""A table's page and its socket: what is pushed is what the page would be, and nobody learns more than their seat."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.engine import notation
from app.services.held import Held
from app.web.page import Page
from app.web.render import Renderer, Shown
from tests.conftest import PASSWORD, Site
from tests.web.talking import PARTIAL, Talk, zones_in

GAME = "hanging_gardens"


async def opened(site: Site, host: httpx.AsyncClient, *others: httpx.AsyncClient, **form: str) -> str:
    """A table that has begun; the host moves first. Its key."""
    data = {"game": GAME, "seats": str(1 + len(others)), "do": "open", "option.first": "1", **form}
    answer = await host.post("/tables", data=data)
    assert answer.status_code == 200, answer.text
    key = answer.url.path.rsplit("/", 1)[1]
    for other in others:
        assert (await other.post(f"/tables/{key}/join")).status_code == 200
    if others:
        assert (await host.post(f"/tables/{key}/start")).status_code == 200
    return key


async def held_of(site: Site, key: str) -> Held:
    return await site.server.states.newest(await site.server.states.find_id(key))


def legal(held: Held) -> tuple[int, int, str]:
    """Whoever must choose, since when, and a legal action."""
    assert held.position is not None
    seat = min(held.position.waiting)
    actions = held.game.actions(held.position.state, seat)
    return seat, held.position.waiting[seat], notation.write(actions[held.version % len(actions)])


async def move(site: Site, key: str, clients: list[httpx.AsyncClient], count: int = 1) -> None:
    """Makes moves by form."""
    for _ in range(count):
        seat, since, action = legal(await held_of(site, key))
        answer = await clients[seat].post(
            f"/tables/{key}/act", data={"action": action, "seat": str(seat), "since": str(since)}
        )
        assert answer.status_code == 200, answer.text


async def test_what_is_pushed_is_what_the_page_would_be(site: Site, eventually: Callable[..., Any]) -> None:
    """For every viewer: the old page with the pushed zones put in is the new page, zone for zone."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob", "ja")
    eve = site.client()
    key = await opened(site, alice, bob)
    clients = {"alice": alice, "bob": bob, "eve": eve}
    talks = {name: await Talk.open(site, key, client) for name, client in clients.items()}
    await eventually(lambda: all(talk.versions for talk in talks.values()))
    for version in range(1, 15):
        await move(site, key, [alice, bob])
        await eventually(lambda v=version: all(talk.versions[-1][0] == v for talk in talks.values()))
        for name, client in clients.items():
            page = (await client.get(f"/tables/{key}")).text
            for zone, html in talks[name].zones.items():
                if zone != "refusal":
                    assert html in page, (name, zone)
    for talk in talks.values():
        assert len(talk.versions) == len(set(talk.versions))
        assert talk.versions == sorted(talk.versions)
        await talk.close()


async def test_a_page_that_shows_the_newest_is_sent_nothing_at_first(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    held = await held_of(site, key)
    current = await Talk.open(site, key, alice, version=held.version, changed=held.facts.changed)
    behind = await Talk.open(site, key, alice, version=-1, changed=-1)
    await eventually(lambda: bool(behind.frames))
    await asyncio.sleep(0.3)
    assert current.frames == []
    assert len(behind.frames) == 1
    assert {"market", "pieces", "action", "choices", "status"} <= set(behind.zones)
    for talk in (current, behind):
        await talk.close()


async def test_a_page_that_was_away_gets_everything_when_it_returns(
    site: Site, eventually: Callable[..., Any]
) -> None:
    """A3: a reconnected page never says connected with an old position."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, bob)
    await eventually(lambda: talk.versions)
    talk.socket.transport.abort()
    await move(site, key, [alice, bob], 3)
    again = await Talk.open(site, key, bob, version=0, changed=1)
    await eventually(lambda: again.versions)
    assert again.versions[0][0] == 3
    page = (await bob.get(f"/tables/{key}")).text
    assert all(html in page for html in again.zones.values())
    await again.close()


async def test_the_socket_takes_actions_once_and_says_no_in_the_readers_language(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice", "ja"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    first, second = await Talk.open(site, key, alice), await Talk.open(site, key, alice)
    seat, since, action = legal(await held_of(site, key))
    answers = await asyncio.gather(*(talk.act(action, seat=seat, since=since) for talk in (first, second) * 10))
    assert sum(not answer.get("refused") for answer in answers) == 1
    assert (await held_of(site, key)).version == 1
    refused = next(answer for answer in answers if answer.get("refused"))
    assert re.search("[ぁ-ん]", zones_in(refused["content"])["refusal"])
    await eventually(lambda: all(talk.versions and talk.versions[-1][0] == 1 for talk in (first, second)))
    for talk in (first, second):
        await talk.close()


async def test_both_tabs_of_one_person_stay_live_and_equal(site: Site, eventually: Callable[..., Any]) -> None:
    """A12, A11: an older page of the same person is neither dead nor a spectator's."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    tabs = [await Talk.open(site, key, alice) for _ in range(2)]
    await eventually(lambda: all(tab.versions for tab in tabs))
    for turn in range(10):
        seat, since, action = legal(await held_of(site, key))
        if seat == 0:
            answer = await tabs[turn % 2].act(action, seat=0, since=since)
            assert not answer.get("refused")
        else:
            await move(site, key, [alice, bob])
        version = (await held_of(site, key)).version
        await eventually(lambda v=version: all(tab.versions[-1][0] == v for tab in tabs))
        assert tabs[0].zones["pieces"] == tabs[1].zones["pieces"]
    for tab in tabs:
        await tab.close()


async def test_those_who_play_do_not_wait_for_those_who_watch(
    site: Site, eventually: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    watching = [await Talk.open(site, key, site.client()) for _ in range(12)]
    talks = [await Talk.open(site, key, alice), *watching, await Talk.open(site, key, bob)]
    await eventually(lambda: all(talk.versions for talk in talks))
    drawn: list[int | None] = []
    draw = Page.drawn

    def noted(self: Page, renderer: Renderer, held: Held) -> Shown:
        drawn.append(held.facts.seat_of(self.user_id))
        return draw(self, renderer, held)

    monkeypatch.setattr(Page, "drawn", noted)
    for number in range(1, 7):
        drawn.clear()
        await move(site, key, [alice, bob])
        await eventually(lambda v=number: all(talk.versions[-1][0] == v for talk in talks))
        assert sorted(seat for seat in drawn if seat is not None) == [0, 1]
        assert drawn[2:] == [None] * 12
    for talk in talks:
        await talk.close()


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", '{"action": 3}', '{"action": "undo", "seat": "x"}'])
async def test_nonsense_on_the_socket_is_ignored(site: Site, text: str) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice)
    await talk.socket.send(text)
    seat, since, action = legal(await held_of(site, key))
    assert not (await talk.act(action, seat=seat, since=since)).get("refused")
    await talk.close()


async def test_another_site_may_not_open_a_socket(site: Site) -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus
    from websockets.typing import Origin

    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    address = site.url.replace("http", "ws") + f"/tables/{key}/live"
    with pytest.raises(InvalidStatus):
        async with connect(address, origin=Origin("https://evil.example")):
            pass
    with pytest.raises(InvalidStatus):
        async with connect(address.replace(key, "nowhere"), origin=Origin(site.url)):
            pass


async def test_a_stale_form_gets_a_sentence_and_the_fresh_board(site: Site) -> None:
    """A5: a late click is told so, and the table stays playable."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    seat, since, action = legal(await held_of(site, key))
    form = {"action": action, "seat": str(seat), "since": str(since)}
    await move(site, key, [alice, bob], 2)
    plain = await alice.post(f"/tables/{key}/act", data=form)
    assert plain.status_code == 409
    assert f'href="/tables/{key}"' in plain.text
    part = await alice.post(f"/tables/{key}/act", data=form, headers={"HX-Request": "true"})
    assert part.status_code == 409
    assert "moved on" in zones_in(part.text)["refusal"]
    await move(site, key, [alice, bob])


async def test_a_move_against_the_rules_is_refused_with_its_paragraph(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    form = {"action": "take:1:1:3:0", "seat": "0", "since": "0"}
    answer = await alice.post(f"/tables/{key}/act", data=form, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "/rules/hanging-gardens#r6" in zones_in(answer.text)["refusal"]
    plain = await alice.post(f"/tables/{key}/act", data=form)
    assert plain.status_code == 422
    assert "/rules/hanging-gardens#r6" in plain.text


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"action": "take:1:1:1:0"},
        {"action": "take:1:1:1:0", "seat": "x"},
        {"action": "take:1:1:1:0", "seat": "-1", "since": "0"},
        {"action": "take:1:1:1:0", "seat": "99999999999999999999", "since": "0"},
        {"action": "x" * 5000, "seat": "0", "since": "0"},
        {"action": "undo", "seat": "0", "latest": "0"},
        {"action": "undo:1", "seat": "0", "since": "0"},
        {"action": "rewind:0", "seat": "0", "since": "0"},
    ],
)
async def test_a_form_that_makes_no_sense_is_refused_and_nothing_is_lost(site: Site, form: dict[str, str]) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    answer = await alice.post(f"/tables/{key}/act", data=form)
    assert 400 <= answer.status_code < 500
    assert "<html" in answer.text
    assert (await held_of(site, key)).version == 0


async def test_a_plain_form_plays_without_any_script(site: Site) -> None:
    """The buttons and hidden fields of the page alone play a whole game against bots' seats."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    clients = [alice, bob]
    for _ in range(200):
        held = await held_of(site, key)
        if held.facts.status == "over":
            break
        assert held.position is not None
        seat = min(held.position.waiting)
        page = (await clients[seat].get(f"/tables/{key}")).text
        buttons = re.findall(r'<button[^>]*form="act"[^>]*name="action"[^>]*value="([^"]+)"', page)
        actions = [value for value in buttons if not value.startswith("undo")]
        fields = dict(re.findall(r'<input type="hidden" form="act" name="(\w+)" value="(-?\d+)"', page))
        expected = {notation.write(action) for action in held.game.actions(held.position.state, seat)}
        assert set(actions) == expected
        answer = await clients[seat].post(f"/tables/{key}/act", data={**fields, "action": actions[0]})
        assert answer.status_code == 200
    final = (await alice.get(f"/tables/{key}")).text
    assert "/rematch" in final
    assert (await alice.get(f"/tables/{key}/game")).text.startswith("game: hanging_gardens")


async def test_earlier_moments_are_pages_and_disturb_nobody(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    await move(site, key, [alice, bob], 6)
    for at in range(6):
        page = (await alice.get(f"/tables/{key}?at={at}")).text
        assert "hx-ws:connect" not in page
        assert 'name="action"' not in page
    part = (await alice.get(f"/tables/{key}?at=3", headers={"HX-Request": "true"})).text
    assert part.startswith("<hx-partial")
    assert 'hx-target="#moment"' in part
    assert 'name="action"' not in part
    assert "hx-ws:connect" in (await alice.get(f"/tables/{key}?at=6")).text
    for odd in ("7", "999", "-1", "x", "9.5", "", "9" * 30):
        for page in ("", "/analysis"):
            answer = await alice.get(f"/tables/{key}{page}?at={odd}")
            assert answer.status_code == 404
            assert "no such moment" in answer.text and f'href="/tables/{key}"' in answer.text
    assert (await held_of(site, key)).version == 6


async def test_the_game_can_be_downloaded_once_it_is_over(site: Site) -> None:
    from app.services import accounts

    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    await move(site, key, [alice, bob], 3)
    await alice.post("/sign-up", data={"name": "Alice", "password": PASSWORD})
    await accounts.make_admin(site.server, name="Alice")
    for client in (alice, bob):  # whoever keeps order takes a copy where it is noted
        for path in ("game", "statistics"):
            answer = await client.get(f"/tables/{key}/{path}")
            assert answer.status_code == 409
            assert "Not yet." in answer.text
            assert "The game is not over yet." in answer.text
            assert "moved on" not in answer.text


async def test_what_would_come_of_an_action_is_shown_to_its_seat_alone(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    mine = (await alice.get(f"/tables/{key}/consequence", params={"action": "take:1:1:*:*"})).text
    assert '<template data-action="take:1:1:1:0">' in mine
    for other in (bob, site.client()):
        assert (await other.get(f"/tables/{key}/consequence", params={"action": "take:1:1:*:*"})).text == ""
    assert (await alice.get(f"/tables/{key}/consequence", params={"action": "nonsense:*"})).text == ""


async def test_what_would_come_of_an_action_is_known_to_a_process_that_was_not_told(site: Site) -> None:
    """Of several processes only those that have a page of the table open hear of its moves."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    answer = await alice.post("/tables", data={"game": GAME, "seats": "2", "do": "open", "option.first": "1"})
    key = answer.url.path.rsplit("/", 1)[1]
    await bob.post(f"/tables/{key}/join")
    waiting = (await held_of(site, key)).facts
    await alice.post(f"/tables/{key}/start")
    ways = {"action": "take:1:1:*:*", "seat": "0", "since": "0"}
    site.server.states._held[waiting.id] = Held(waiting)
    assert "<template" in (await alice.get(f"/tables/{key}/consequence", params=ways)).text
    await move(site, key, [alice, bob], 2)
    held = await held_of(site, key)
    site.server.states._held[waiting.id] = Held(waiting)
    seat, since, action = legal(held)
    later = {"action": action, "seat": str(seat), "since": str(since)}
    assert "<template" in (await (alice, bob)[seat].get(f"/tables/{key}/consequence", params=later)).text


async def test_nothing_hidden_is_in_any_byte_that_leaves(site: Site, eventually: Callable[..., Any]) -> None:
    """A7, A9: pages, frames, log, moments and what-ifs of a game, searched for cards that are still hidden."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    eve = site.client()
    key = await opened(site, alice, bob)
    talks = [await Talk.open(site, key, client) for client in (alice, bob, eve)]
    await eventually(lambda: all(talk.versions for talk in talks))
    for _ in range(8):
        await move(site, key, [alice, bob], 2)
        held = await held_of(site, key)
        assert held.position is not None
        state = held.position.state
        hidden = [*state.deck, *(tile for pile in state.piles for tile in pile[1:])]
        await eventually(lambda v=held.version: all(talk.versions[-1][0] == v for talk in talks))
        sent: list[str] = []
        for client in (alice, bob, eve):
            paths = ("", "/log", f"?at={held.version - 1}", "/consequence?action=take:*:1:*:*")
            sent += [without_box((await client.get(f"/tables/{key}{path}")).text) for path in paths]
        sent += [frame for talk in talks for frame in talk.frames]
        for text in sent:
            assert held.facts.seed not in text
            for card in hidden:
                assert not re.search(rf"\b{card}\b", text), card
    for talk in talks:
        await talk.close()


def without_box(page: str) -> str:
    """A page without the faces of everything in the box, which every page has."""
    return re.sub(r"<defs>.*?</defs>", "", page, flags=re.DOTALL)


async def test_views_for_nobody_are_the_least_privileged(site: Site) -> None:
    """A10: without a seat one sees what a spectator sees."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    eve = await site.guest("Eve")
    key = await opened(site, alice, bob)
    pages = [(await client.get(f"/tables/{key}")).text for client in (eve, site.client())]
    for page in pages:
        assert 'form="act" name="seat"' not in page
        assert not re.search(r'<button[^>]*form="act"', page)
        assert "data-pick=" not in page


async def test_a_table_that_nobody_opened_is_a_page_that_says_so(site: Site) -> None:
    for path in ("", "/log", "/game", "/consequence?action=x"):
        answer = await site.client().get(f"/tables/nowhere{path}")
        assert answer.status_code == 404
        assert "<html" in answer.text


async def test_markup_in_names_is_text(site: Site, eventually: Callable[..., Any]) -> None:
    """A19: whatever a person is called, it is never markup."""
    evil = '"><svg onload=x>{{7*7}}'
    alice, bob = await site.guest(evil), await site.guest("<img src=x>")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, bob)
    await move(site, key, [alice, bob], 3)
    await eventually(lambda: talk.versions and talk.versions[-1][0] == 3)
    pages = [(await bob.get(path)).text for path in (f"/tables/{key}", f"/tables/{key}/log", "/")]
    for text in [*pages, *talk.frames]:
        assert "<svg onload" not in text
        assert "<img src=x" not in text
        assert "49" not in re.findall(r"&#34;&gt;&lt;svg onload=x&gt;(.{0,8})", text)
    await talk.close()


def test_partials_are_found_in_answers() -> None:
    text = '<hx-partial hx-target="#zone-a" hx-swap="outerMorph"><p id="zone-a">1</p></hx-partial>'
    assert PARTIAL.findall(text) == [("a", '<p id="zone-a">1</p>')]


async def test_a_page_drawn_by_another_version_loads_anew_when_its_line_was_lost(site: Site) -> None:
    """And only then: while two versions run side by side a page is not sent back and forth between them."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    page = (await alice.get(f"/tables/{key}")).text
    address = re.search(r'hx-ws:connect="([^"]+)"', page)
    assert address is not None
    build = re.findall(r"build=(\w+)", address[1])[0]
    held = await held_of(site, key)
    now: dict[str, Any] = {"version": held.version, "changed": held.facts.changed}
    same = await Talk.open(site, key, alice, build=build, again=1, **now)
    first = await Talk.open(site, key, alice, build="other", **now)
    after = await Talk.open(site, key, alice, build="other", again=1, **now)
    await asyncio.sleep(0.3)
    assert (same.frames, first.frames, after.reloads) == ([], [], 1)
    for talk in (same, first, after):
        await talk.close()


async def test_a_finished_game_is_remembered_as_long_as_somebody_looks(
    site: Site, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    playing, over = await opened(site, alice, bob), await opened(site, alice, bob)
    assert (await bob.post(f"/tables/{over}/concede")).is_success
    talks = {key: await Talk.open(site, key, alice) for key in (playing, over)}
    await eventually(lambda: all(talk.versions for talk in talks.values()))
    ids = {key: (await held_of(site, key)).facts.id for key in talks}
    assert all(site.server.states.known(number) is not None for number in ids.values())
    for talk in talks.values():
        await talk.close()
    await eventually(lambda: site.server.states.known(ids[over]) is None)
    assert site.server.states.known(ids[playing]) is not None
    assert (await held_of(site, over)).facts.status == "over"
