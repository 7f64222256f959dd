"""Requests and frames that no page of ours sends: each gets a sentence, and nothing is logged as a fault of ours."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.config import Settings
from app.web.deps import own_path
from tests.conftest import Site, site_on
from tests.web.talking import Talk
from tests.web.test_tables import held_of, legal, opened

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing worth a warning is logged meanwhile."""
    caplog.set_level(logging.WARNING)
    yield
    assert [record.getMessage() for record in caplog.get_records("call")] == []


@pytest.mark.parametrize("path", ["//[", "//[::1", "/a//[", "//evil.example", "///evil.example", "http://["])
def test_a_path_that_is_no_path_leads_to_the_lobby(path: str) -> None:
    assert own_path(path) == "/" or own_path(path).startswith("/a")


async def test_addresses_that_cannot_be_read_are_refused_kindly(site: Site, quiet: None) -> None:
    client = site.client()
    assert (await client.get("/name", params={"next": "//["})).status_code == 200
    for headers in ({"Origin": "http://["}, {"Referer": "http://["}, {"Origin": "http://[", "Host": "["}):
        assert (await client.post("/name", data={"name": "Mika"}, headers=headers)).status_code == 403
    headers = {"Sec-Fetch-Site": "same-origin", "Referer": "http://["}
    assert (await client.post("/tables/nowhere/start", headers=headers)).status_code == 200


@pytest.mark.parametrize("key", ["a%00b", "%00", "x" * 3000, "..%2f..%2fetc", "%ED%A0%80", "tables", "７q4k2mxv9dab"])
async def test_a_key_that_cannot_be_is_no_table(site: Site, quiet: None, key: str) -> None:
    client = await site.guest("Mika")
    for path in ("", "/log", "/game", "/consequence?action=x"):
        assert (await client.get(f"/tables/{key}{path}")).status_code == 404
    for path in ("/act", "/join", "/leave", "/start", "/rematch"):
        answer = await client.post(f"/tables/{key}{path}", data={"action": "pass", "seat": "0"})
        assert answer.status_code == 404, path


async def test_an_address_that_cannot_be_is_no_offer_and_no_browser(site: Site, quiet: None) -> None:
    client = await site.guest("Mika")
    for path in ("/offers/%00", "/offers/a%00b", "/offers/%ED%A0%80"):
        assert (await client.get(path)).status_code == 404
        assert (await client.post(path)).status_code == 404
    for endpoint in ("\x00", "https://push.example/\x00"):
        assert (await client.post("/me/push/off", data={"endpoint": endpoint})).status_code == 204
        assert (await client.post("/me/push/known", data={"endpoint": endpoint})).status_code == 404


async def test_no_page_of_ours_links_to_another_site_because_it_was_asked_so(site: Site) -> None:
    page = (await site.client().get(f"{site.url}//evil.example/x")).text
    assert '"//evil.example' not in page


async def test_a_path_in_any_script_is_gone_on_to(site: Site) -> None:
    client = site.client(headers={"Origin": site.url, "HX-Request": "true"})
    answer = await client.post("/name", data={"name": "Mika", "next": "/庭?at=1&x=%41"})
    assert answer.status_code == 204
    assert answer.headers["hx-redirect"] == "/%E5%BA%AD?at=1&x=%41"


async def test_the_log_has_pages_whatever_is_asked(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    from tests.web.test_tables import move

    await move(site, key, [alice, bob], 5)
    for before, lines in ((-7, 0), (0, 0), (1, 0), (3, 2), (99, 5), (10**30, 5)):
        page = (await alice.get(f"/tables/{key}/log?before={before}")).text
        assert page.count('class="log-entry') == lines, before


async def test_a_spectators_action_is_answered(site: Site, quiet: None) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, site.client())
    seat, since, action = legal(await held_of(site, key))
    answer = await talk.act(action, seat=seat, since=since)
    assert answer["refused"]
    assert (await held_of(site, key)).version == 0
    await talk.close()


async def test_bytes_on_the_socket_are_ignored(site: Site, quiet: None) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice)
    await talk.socket.send(b"\x00\xff")
    seat, since, action = legal(await held_of(site, key))
    assert not (await talk.act(action, seat=seat, since=since)).get("refused")
    await talk.close()


async def test_what_cannot_be_read_is_answered_when_it_says_to_whom(
    site: Site, quiet: None, eventually: Callable[..., Any]
) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice)
    await talk.socket.send('{"action": "pass", "since": 0, "id": "no seat"}')
    await eventually(lambda: any(answer["ack"] == "no seat" and answer["refused"] for answer in talk.answers))
    await talk.close()


@pytest.mark.parametrize(
    "query", ["version=x", "version=9999999999999999999999", "page=nonsense", "version=-5&changed=-5"]
)
async def test_a_socket_with_an_odd_address_costs_nothing(site: Site, quiet: None, query: str) -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    address = site.url.replace("http", "ws") + f"/tables/{key}/live?{query}"
    try:
        async with connect(address, compression=None) as socket, asyncio.timeout(5):
            assert '"content"' in str(await socket.recv())
    except InvalidStatus as fault:
        assert fault.response.status_code == 403


async def test_a_socket_of_a_page_from_nowhere_is_refused(site: Site, quiet: None) -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus
    from websockets.typing import Origin

    address = site.url.replace("http", "ws")
    for key, origin in (("a%00b", site.url), ("nowhere", site.url), ("nowhere", "http://[")):
        with pytest.raises(InvalidStatus):
            async with connect(f"{address}/tables/{key}/live", origin=Origin(origin)):
                pass


async def test_whoever_acts_too_fast_is_slowed_down(config: Settings) -> None:
    """A flood of frames must not keep the others waiting: its sender is read more slowly."""
    async with site_on(config.model_copy(update={"moves_per_second": 2})) as site:
        alice, bob = await site.guest("Alice"), await site.guest("Bob")
        key = await opened(site, alice, bob)
        talk = await Talk.open(site, key, alice)
        frame = '{{"action": "pass", "seat": 0, "since": 77, "id": "{}"}}'
        for number in range(400):
            await talk.socket.send(frame.format(number))
        await asyncio.sleep(1)
        assert 8 < len(talk.answers) < 40
        talk.socket.transport.abort()


@pytest.mark.parametrize(
    "name",
    [
        "\u3164",
        "\u2800\u2800",
        "\u115f\u1160",
        "\uffa0",
        "\ufe0f",
        "\u034f",
        "a\u202eb",
        "a\u2066b",
        "a\u200bb",
        "\u00ad",
    ],
)
async def test_a_name_that_cannot_be_seen_is_refused(site: Site, name: str) -> None:
    client = site.client(headers={"Origin": site.url})
    assert (await client.post("/name", data={"name": name})).status_code == 422


@pytest.mark.parametrize("name", ["葛\U000e0100城", "O’Brien", "नमस्ते", "👩‍🚀", "❤️", "한글", "אבא"])
async def test_a_name_in_any_script_is_taken(site: Site, name: str) -> None:
    client = site.client(headers={"Origin": site.url})
    assert (
        await client.post("/name", data={"name": name, "next": "/about"}, follow_redirects=True)
    ).status_code == 200


async def test_nobody_acts_without_limit_by_any_form(site: Site) -> None:
    """Each way to make the database work counts: renaming, languages, and the buttons of the waiting room."""
    mika = await site.guest("Mika")
    answer = await mika.post("/tables", data={"game": "hanging_gardens", "seats": "2", "do": "open"})
    key = answer.url.path.rsplit("/", 1)[1]
    forms: tuple[tuple[str, dict[str, str]], ...] = (
        ("/name", {"name": "Mika", "next": "/about"}),
        ("/language", {"language": "en", "next": "/about"}),
        (f"/tables/{key}/visibility", {"visibility": "public"}),
        (f"/tables/{key}/start", {}),
    )
    for path, form in forms:
        statuses = {(await mika.post(path, data=form, follow_redirects=False)).status_code for _ in range(125)}
        assert 429 in statuses, path
