"""An answer is late, lost, or comes from somebody else: the page never says what is not so, and never acts twice."""

from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.conftest import Opening, Running
from tests.e2e.playing import CHOOSE, expect_live, open_table, turn, version
from tests.e2e.test_broken_lines import shows, two_at_a_table

pytestmark = [pytest.mark.e2e, pytest.mark.shared]

FORM = """() => Object.fromEntries(new FormData(document.getElementById("act"),
    document.querySelector("#zone-choices button[form=act]")))"""
DEAF = "() => { WebSocket.prototype.send = () => {}; }"
SHUT = "() => { Object.defineProperty(WebSocket.prototype, 'readyState', { get: () => 3 }); }"


async def click_first(page: Page) -> Any:
    """Clicks the page's first choice."""
    assert await page.evaluate(CHOOSE, 0) == "acted"


@pytest.mark.own_server
async def test_an_answer_that_comes_late_takes_back_that_nothing_was_sent(visitor: Opening, running: Running) -> None:
    mika, _, _ = await two_at_a_table(visitor)
    with running.asleep():
        await click_first(mika)
        await expect(mika.locator("#unsent")).to_be_visible(timeout=10_000)
    await shows(mika, 1)
    await expect(mika.locator("#unsent")).to_be_hidden()


async def test_a_choice_that_arrived_though_its_answer_did_not_is_not_offered_again(
    visitor: Opening, running: Running
) -> None:
    """Alone the next decision is one's own again: "send again" would make a second move."""
    mika = await visitor("Mika")
    address = await open_table(mika, seats=1)
    await expect_live(mika)
    form = await mika.evaluate(FORM)
    await mika.evaluate(DEAF)
    await click_first(mika)
    answer = await mika.request.post(f"{address}/act", form=form, headers={"Origin": running.url})
    assert answer.ok
    await shows(mika, 1)
    await mika.wait_for_timeout(5500)
    await expect(mika.locator("#unsent")).to_be_hidden()
    await expect(mika.locator("html")).not_to_have_attribute("data-sending", "")


async def test_a_choice_that_a_proxy_answered_is_said_to_be_not_sent(visitor: Opening) -> None:
    mika, _, _ = await two_at_a_table(visitor)

    async def busy(route: Route) -> None:
        await route.fulfill(status=502, content_type="text/html", body="<html><body>bad gateway</body></html>")

    await mika.route("**/act", busy)
    await mika.evaluate(SHUT)
    await click_first(mika)
    await expect(mika.locator("#unsent")).to_be_visible()
    await expect(mika.locator("body")).not_to_contain_text("bad gateway")
    await mika.unroute("**/act")
    await mika.locator("[data-resend]").click()
    await shows(mika, 1)
    await expect(mika.locator("#unsent")).to_be_hidden()


async def test_a_lobby_that_gets_no_lists_keeps_those_it_has(visitor: Opening) -> None:
    """Its line cannot be opened either, so that it asks."""
    mika = await visitor("Mika")
    await open_table(mika, seats=2)
    await mika.route_web_socket("**/lobby/live*", lambda line: line.close())
    await mika.goto("/")
    before = await mika.locator("#lists").inner_html()

    async def busy(route: Route) -> None:
        await route.fulfill(status=503, content_type="text/html", body="<html><body>busy</body></html>")

    await mika.route("**/lobby/lists*", busy)
    async with mika.expect_response("**/lobby/lists*"):
        pass
    await mika.wait_for_timeout(300)
    assert await mika.locator("#lists").inner_html() == before


async def test_a_storm_of_clicks_on_everything_is_one_choice_after_the_other(visitor: Opening) -> None:
    """Every button and spot at once, again and again, while frames arrive: nothing is doubled, nothing hangs."""
    mika = await visitor("Mika", motion=True)
    address = await open_table(mika, seats=2, bots=True, first="1")
    await expect_live(mika)
    storm = """(k) => {
      const spots = [...document.querySelectorAll(
        "#zone-choices button[name=action], [data-pick].legal, #zone-action button:not([disabled])")];
      for (let i = 0; i < 8; i += 1)
        spots[(k * 7 + i * 5) % spots.length]?.dispatchEvent(
          new MouseEvent("click", { bubbles: true, cancelable: true }));
    }"""
    for number in range(80):
        await mika.evaluate(storm, number)
        await mika.wait_for_timeout(20)
    await mika.wait_for_timeout(5500)
    await expect(mika.locator("#unsent")).to_be_hidden()
    await expect(mika.locator("html")).not_to_have_attribute("data-sending", "")
    again = await mika.context.new_page()
    await again.goto(address)
    await expect_live(again)
    assert await version(again) == await version(mika) > 1
    assert await turn(again) == await turn(mika)
    pieces = "() => [...document.querySelectorAll('#pieces > g')].map((piece) => piece.id).sort().join(' ')"
    assert await again.evaluate(pieces) == await mika.evaluate(pieces)


async def test_a_table_is_opened_once_however_fast_one_clicks(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await mika.goto("/")
    await mika.evaluate(
        """() => {
          const button = document.querySelector("#new-table details[open] button[name=do][value=bots]");
          button.click();
          button.click();
          button.click();
        }"""
    )
    await mika.wait_for_url("**/tables/*")
    await mika.goto("/")
    assert await mika.locator(".my-table").count() == 1


async def test_a_waiting_room_that_is_closed_says_so(visitor: Opening) -> None:
    mika, nabu = await visitor("Mika"), await visitor("Nabu")
    address = await open_table(mika, seats=2)
    await nabu.goto(address)
    await expect_live(nabu)
    await mika.locator('form[action$="/leave"] button').click()
    await expect(nabu.locator("h1")).to_have_text("This table was closed")


@pytest.mark.own_server
async def test_a_page_of_an_older_version_loads_anew_once_when_the_server_was_restarted(
    visitor: Opening, running: Running
) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=1)
    await expect_live(mika)
    await mika.evaluate(
        """() => {
          window.drawnBefore = true;
          const connection = document.getElementById("live")._htmx.ws.connection;
          connection.url = connection.url.replace(/build=\\w+/, "build=older");
        }"""
    )
    running.kill()
    await expect(mika.locator("html")).not_to_have_attribute("data-connection", "open")
    async with mika.expect_navigation(timeout=60_000):
        await running.start()
    await expect_live(mika)
    await mika.evaluate("window.drawnBefore = true")
    running.kill()
    await expect(mika.locator("html")).not_to_have_attribute("data-connection", "open")
    await running.start()
    await expect_live(mika)
    assert await mika.evaluate("window.drawnBefore")
