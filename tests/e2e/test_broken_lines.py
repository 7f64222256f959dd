"""When the line, the server or the reader's patience breaks: nothing is lost, and the page says how things are."""

import asyncio

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.conftest import Opening, Running
from tests.e2e.playing import CHOOSE, expect_live, open_table, play_all, play_out, turn, version

pytestmark = [pytest.mark.e2e, pytest.mark.shared]


async def two_at_a_table(visitor: Opening, *, first: str = "1") -> tuple[Page, Page, str]:
    """Mika and Nabu at a table that has begun, Mika's turn."""
    mika, nabu = await visitor("Mika"), await visitor("Nabu")
    address = await open_table(mika, seats=2, first=first)
    await nabu.goto(address)
    await nabu.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    await mika.locator('form[action$="/start"] button:enabled').click()
    for page in (mika, nabu):
        await expect(page.locator("#board")).to_be_visible()
        await expect_live(page)
    return mika, nabu, address


async def act(page: Page) -> None:
    """Clicks one of the page's actions."""
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine")
    assert await page.evaluate(CHOOSE, 5) == "acted"


async def shows(page: Page, number: int) -> None:
    await expect(page.locator("#zone-status")).to_have_attribute("data-version", str(number), timeout=10_000)


async def test_a_move_made_offline_is_shown_as_not_sent_and_can_be_sent_again(visitor: Opening) -> None:
    """A1: no phantom piece, and the player knows."""
    mika, nabu, _ = await two_at_a_table(visitor)
    pieces = await mika.locator("#zone-pieces").inner_html()
    await mika.context.set_offline(True)
    await expect(mika.locator("html")).not_to_have_attribute("data-connection", "open")
    assert await mika.evaluate(CHOOSE, 5) == "acted"
    await expect(mika.locator("#unsent")).to_be_visible()
    assert await version(mika) == 0
    assert await mika.locator("#zone-pieces").inner_html() == pieces
    await mika.context.set_offline(False)
    await expect_live(mika)
    assert await version(mika) == 0
    await shows(nabu, 0)
    await act(mika)
    await shows(nabu, 1)
    await shows(mika, 1)


@pytest.mark.own_server
async def test_send_again_sends_the_same_choice_once(visitor: Opening, running: Running) -> None:
    mika, nabu, _ = await two_at_a_table(visitor)
    running.kill()
    await expect(mika.locator("html")).not_to_have_attribute("data-connection", "open")
    assert await mika.evaluate(CHOOSE, 5) == "acted"
    await expect(mika.locator("#unsent")).to_be_visible(timeout=10_000)
    await running.start()
    await expect_live(mika)
    await mika.locator("[data-resend]").click()
    await shows(mika, 1)
    await shows(nabu, 1)
    await expect(mika.locator("#unsent")).to_be_hidden()


@pytest.mark.own_server
async def test_killing_and_restarting_the_server_costs_nobody_anything(
    visitor: Opening, running: Running, database: str
) -> None:
    """A2: the untouched page shows the move made after the restart, and the gap was visible."""
    mika, nabu, address = await two_at_a_table(visitor)
    await play_all([mika, nabu], moves=7)
    before = 7
    for page in (mika, nabu):
        await shows(page, before)
    running.kill()
    for page in (mika, nabu):
        await expect(page.locator("html")).not_to_have_attribute("data-connection", "open")
        await expect(page.locator("#connection")).to_be_visible()
        mine = await turn(page) == "mine"
        await expect(page.locator("html")).to_have_attribute("data-cut", "mine" if mine else "other")
        await expect(page.locator(".when-cut")).to_be_visible(visible=mine)
        gold = "stage => getComputedStyle(stage).getPropertyValue('--gold-500')"
        assert await page.locator("#stage").evaluate(gold) == "transparent"
        under = await page.locator("#connection").evaluate("notice => notice.getBoundingClientRect().bottom")
        assert under <= await page.locator("#stage").evaluate("stage => stage.getBoundingClientRect().top")
    await running.start()
    mover = mika if await turn(mika) == "mine" else nabu
    other = nabu if mover is mika else mika
    form = await mover.evaluate(
        """() => Object.fromEntries(new FormData(document.getElementById("act"),
             document.querySelector("#zone-choices button[form=act]")))"""
    )
    answer = await mover.request.post(f"{address}/act", form=form, headers={"Origin": running.url})
    assert answer.ok
    await shows(other, before + 1)
    for page in (mika, nabu):
        await expect_live(page)
        await expect(page.locator("#connection")).to_be_hidden()
    await play_all([mika, nabu], moves=20)
    await play_out([mika, nabu], database)
    for page in (mika, nabu):
        await expect(page.locator("#zone-result")).to_be_visible()


async def test_a_double_click_is_one_move_and_no_complaint(visitor: Opening) -> None:
    """A4."""
    mika, nabu, _ = await two_at_a_table(visitor)
    await mika.evaluate(
        """() => {
          const one = document.querySelector("#zone-choices button[form=act]");
          one.click();
          one.click();
        }"""
    )
    await shows(nabu, 1)
    await mika.wait_for_timeout(300)
    assert await version(mika) == 1
    await expect(mika.locator("#zone-refusal")).to_be_hidden()


@pytest.mark.own_server
async def test_two_tabs_of_one_person_stay_equal(visitor: Opening, running: Running) -> None:
    """A12: moves from either tab, alternately; after an outage both come back by themselves."""
    mika, nabu, address = await two_at_a_table(visitor)
    second = await mika.context.new_page()
    await second.goto(address)
    await expect_live(second)
    tabs = [mika, second]
    made = 0
    for number in range(60):
        if made >= 6:
            break
        page = tabs[number % 2] if await turn(mika) == "mine" else nabu
        before = await version(page)
        if await page.evaluate(CHOOSE, number) != "acted":
            await page.wait_for_timeout(50)
            continue
        made += page is not nabu
        for each in (*tabs, nabu):
            await shows(each, before + 1)
    running.kill()
    await asyncio.sleep(2)
    await running.start()
    for page in tabs:
        await expect_live(page)
    assert await mika.locator("#zone-pieces").inner_html() == await second.locator("#zone-pieces").inner_html()


async def test_back_shows_the_table_as_it_is_and_the_first_click_works(visitor: Opening) -> None:
    """A21."""
    mika, nabu, _ = await two_at_a_table(visitor)
    await mika.goto("/about")
    await act_by_request(mika, nabu)
    await mika.go_back()
    await expect_live(mika)
    number = await version(nabu)
    await shows(mika, number)
    mover = mika if await turn(mika) == "mine" else nabu
    await act(mover)
    await shows(mika, number + 1)


async def act_by_request(mika: Page, nabu: Page) -> None:
    """Mika moves by form while her page is elsewhere; so Nabu's page moves on."""
    address = nabu.url
    await mika.goto(address)
    await act(mika)
    await shows(nabu, 1)
    await mika.go_back()
    await mika.wait_for_url("**/about")
    if await turn(nabu) == "mine":
        await act(nabu)


async def test_a_stale_page_gets_a_sentence_and_the_fresh_board(visitor: Opening) -> None:
    """A5: the socket of an old page is cut off from news; its click is refused kindly."""
    mika, nabu, address = await two_at_a_table(visitor)
    second = await mika.context.new_page()
    await second.goto(address)
    await expect_live(second)
    stale = await second.evaluate(
        """() => Object.fromEntries(new FormData(document.getElementById("act"),
             document.querySelector("#zone-choices button[form=act]")))"""
    )
    await act(mika)
    await shows(second, 1)
    await second.evaluate(
        """(form) => {
          for (const [name, value] of Object.entries(form)) {
            const field = document.createElement("input");
            field.type = "hidden"; field.name = name; field.value = value;
            document.getElementById("act").append(field);
          }
          document.querySelectorAll("#zone-status input").forEach((field) => field.remove());
          document.getElementById("act").requestSubmit();
        }""",
        stale,
    )
    await expect(second.locator("#zone-refusal")).to_be_visible()
    await shows(second, 1)
    await play_all([mika, nabu], moves=3)


async def test_a_hidden_page_stays_connected_and_says_that_it_is_my_turn(visitor: Opening) -> None:
    mika, nabu, _ = await two_at_a_table(visitor)
    assert (await mika.title()).startswith("●")
    assert not (await nabu.title()).startswith("●")
    for number in range(6):
        if await turn(nabu) == "mine":
            break
        await act(mika)
        await shows(nabu, number + 1)
    await expect(nabu.locator("#zone-status")).to_have_attribute("data-turn", "mine")
    await nabu.wait_for_function("document.title.startsWith('●')")
    await mika.wait_for_function("!document.title.startsWith('●')")


@pytest.mark.parametrize("late", ["htmx-4", "hx-ws", "live.js", "pick.js", "page.js"])
async def test_a_page_is_live_whichever_script_comes_late(visitor: Opening, late: str) -> None:
    """Over a slow line, or when some are kept by the browser and others are not."""
    mika = await visitor("Mika")

    async def wait(route: Route) -> None:
        await asyncio.sleep(1)
        await route.continue_()

    await mika.route(f"**/*{late}*", wait)
    await open_table(mika, seats=1)
    await expect_live(mika)
    await act(mika)
    await shows(mika, 1)
