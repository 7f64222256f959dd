"""Time on the pages: agreed by form, shown to all, acted on by the server; giving up and calling off."""

import re
from collections.abc import Iterable
from typing import Any

import pytest

from app.i18n import LANGUAGES
from app.services import timekeeping
from app.services.pace import DAYS, HOURS, LIVE, UPS, chosen
from app.web import moments
from tests.conftest import Site
from tests.services.test_timekeeping import Passing, live_through

GAME = "hanging_gardens"
FORM = {"game": GAME, "seats": "2", "option.first": "1", "do": "open"}
LIVE_FORM = {**FORM, "pace": "live", "live": "600-10", "hours": "8", "days": "3", "up": "bot"}


def key_of(answer: Any) -> str:
    return str(answer.url).rsplit("/", 1)[1]


async def table(site: Site, form: dict[str, str]) -> tuple[Any, Any, str]:
    """Two people at a table that has begun."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = key_of(await alice.post("/tables", data=form))
    await bob.post(f"/tables/{key}/join")
    await alice.post(f"/tables/{key}/start")
    return alice, bob, key


async def test_what_is_agreed_stands_in_the_lobby_and_in_the_waiting_room(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("ボブ", language="ja")
    key = key_of(await alice.post("/tables", data=LIVE_FORM))
    assert "10 min + 10 s" in (await alice.get("/")).text or "10 min + 10 s" in (await bob.get("/?lang=en")).text
    assert "At one sitting" in (await alice.get(f"/tables/{key}")).text
    there = (await bob.get(f"/tables/{key}?lang=ja")).text
    assert "10分" in there and "ボットが打ちます" in there


@pytest.mark.parametrize(
    "wrong", [{"live": "1-1"}, {"pace": "weeks"}, {"up": "explode"}, {"pace": "days", "days": "x"}]
)
async def test_what_is_not_offered_is_refused_and_nothing_is_lost(site: Site, wrong: dict[str, str]) -> None:
    alice = await site.guest("Alice")
    answer = await alice.post("/tables", data={**LIVE_FORM, "seats": "3", **wrong})
    assert answer.status_code == 422
    assert re.search(r'name="seats" value="3" checked', answer.text)


def test_every_pace_that_the_form_offers_is_one() -> None:
    offers: list[tuple[str, Iterable[str]]] = [("live", LIVE), ("hours", HOURS), ("days", DAYS)]
    assert all(chosen(kind, amount, up) for kind, amounts in offers for amount in amounts for up in UPS)


async def test_a_page_has_the_deadline_and_the_servers_time(passing: Passing, site: Site) -> None:
    alice, _, key = await table(site, LIVE_FORM)
    page = (await alice.get(f"/tables/{key}")).text
    assert re.search(r'data-now="[\d-]+T[\d:.]+Z"', page)
    assert re.search(r'class="clock is-running is-mine".*?data-deadline="[\d-]+T[\d:.]+Z"', page, re.DOTALL)
    server = site.server
    table_id = await server.states.find_id(key)
    await live_through(server, passing, 700)
    assert await timekeeping.Keeper(server).sweep() == 1
    assert "a bot plays" in (await alice.get(f"/tables/{key}")).text
    held = await server.states.newest(table_id)
    assert held.position is not None
    refused = await alice.post(f"/tables/{key}/act", data={"action": "take:1:1", "seat": "0", "since": "0"})
    assert refused.status_code == 409
    assert "Your time for this turn is up" in refused.text
    assert "had no time left" in (await alice.get(f"/tables/{key}/log")).text


async def test_a_seat_is_offered_by_a_link_that_only_the_table_sees(passing: Passing, site: Site) -> None:
    alice, bob, key = await table(site, {**LIVE_FORM, "up": "substitute"})
    eve = await site.guest("Eve")
    await live_through(site.server, passing, 700)
    await timekeeping.Keeper(site.server).sweep()
    assert "/offers/" not in (await eve.get(f"/tables/{key}")).text
    offer = re.search(r"/offers/\w+", (await bob.get(f"/tables/{key}")).text)
    assert offer is not None
    assert "Alice" in (await eve.get(offer[0])).text
    refused = await site.client(headers={"Origin": site.url}).post(offer[0], data={"name": "a\u202eb"})
    assert refused.status_code == 422 and 'id="name-error"' in refused.text and "Alice" in refused.text
    assert (await eve.post(offer[0])).status_code == 200
    assert (await site.server.states.newest(await site.server.states.find_id(key))).facts.seats[0].name == "Eve"
    assert alice.headers["Origin"]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_giving_up_ends_the_game_for_all_to_see(site: Site, language: str) -> None:
    alice, bob, key = await table(site, FORM)
    assert (await alice.post(f"/tables/{key}/concede")).status_code == 200
    won = {"en": "nobody else is left", "ja": "ほかの人は残っていません"}[language]
    gave = {"en": "Alice gave up", "ja": "Aliceが投了しました"}[language]
    for who in (alice, bob):
        page = (await who.get(f"/tables/{key}?lang={language}")).text
        words = re.sub("<[^>]*>", "", page)
        assert won in words and gave in words
        assert 'data-turn="over"' in page
    assert (await bob.get(f"/tables/{key}/game")).status_code == 200
    assert (await bob.get(f"/tables/{key}?at=0")).status_code == 200


async def test_calling_off_is_asked_answered_and_agreed(site: Site) -> None:
    alice, bob, key = await table(site, FORM)
    await alice.post(f"/tables/{key}/cancel", data={"do": "wish"})
    assert "would like to call the game off" in (await bob.get(f"/tables/{key}")).text
    await bob.post(f"/tables/{key}/cancel", data={"do": "unwish"})
    assert "/cancel" in (page := (await bob.get(f"/tables/{key}")).text)
    assert 'class="wish"' not in page
    for who in (alice, bob):
        await who.post(f"/tables/{key}/cancel", data={"do": "wish"})
    answer = await bob.get(f"/tables/{key}")
    assert answer.status_code == 410
    assert "agreed to call the game off" in answer.text
    assert (await alice.post(f"/tables/{key}/cancel", data={"do": "wish"})).status_code == 404


async def test_nonsense_is_no_fault_of_ours(site: Site) -> None:
    alice, _, key = await table(site, FORM)
    for form in ({}, {"do": "explode"}):
        assert 400 <= (await alice.post(f"/tables/{key}/cancel", data=form)).status_code < 500
    eve = await site.guest("Eve")
    assert (await eve.post(f"/tables/{key}/concede")).status_code in {403, 409}


async def test_quiet_hours_are_chosen_and_too_many_are_not(site: Site) -> None:
    alice = await site.guest("Alice")
    form = {"language": "en", "theme": "", "time_zone": "Asia/Tokyo"}
    page = await alice.post("/me/preferences", data={**form, "quiet_from": "22", "quiet_to": "7"})
    assert 'value="22" selected' in page.text and 'value="7" selected' in page.text
    for wrong in ({"quiet_from": "7", "quiet_to": "22"}, {"quiet_from": "x", "quiet_to": "3"}, {"quiet_from": "3"}):
        assert (await alice.post("/me/preferences", data={**form, **wrong})).status_code == 422


async def test_a_table_for_one_has_no_clocks(site: Site) -> None:
    alice = await site.guest("Alice")
    key = key_of(await alice.post("/tables", data={**LIVE_FORM, "seats": "1", "option.first": "", "do": "bots"}))
    held = await site.server.states.newest(await site.server.states.find_id(key))
    assert not held.facts.pace


async def test_who_wants_to_play_at_once_is_not_sat_down_for_days(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    slow = key_of(await alice.post("/tables", data={**LIVE_FORM, "pace": "days"}))
    found = key_of(await bob.post("/quick", data={"game": GAME, "do": "people"}))
    assert found != slow


async def test_a_table_of_days_says_until_when_and_whose_hours_are_quiet(site: Site) -> None:
    alice = await site.guest("Alice")
    form = {"language": "en", "time_zone": "Asia/Tokyo", "quiet_from": "22", "quiet_to": "7"}
    await alice.post("/me/preferences", data=form)
    bob = await site.guest("Bob")
    key = key_of(await alice.post("/tables", data={**LIVE_FORM, "pace": "days", "days": "2", "up": "remind"}))
    await bob.post(f"/tables/{key}/join")
    await alice.post(f"/tables/{key}/start")
    page = (await bob.get(f"/tables/{key}")).text
    clocks = page.partition('id="zone-clocks"')[2].partition("</ol>")[0]
    assert clocks.count("<li") == 1  # of those who must choose
    assert "quiet 22–7 (UTC+9)" in clocks, "whoever reads it lives elsewhere"


@pytest.mark.parametrize(
    ("zone", "said"),
    [("", "UTC"), ("Asia/Tokyo", "UTC+9"), ("Asia/Kolkata", "UTC+5:30"), ("Pacific/Marquesas", "UTC-9:30")],
)
def test_how_far_a_zone_is_from_the_clocks_of_the_world(zone: str, said: str) -> None:
    assert moments.offset(zone) == said
