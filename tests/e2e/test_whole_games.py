"""Whole games in browsers: two people, five seats with bots, alone, with a spectator, in both languages."""

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Opening, Running
from tests.e2e.playing import expect_live, expect_same, open_table, play_all, turn, version

pytestmark = [pytest.mark.e2e, pytest.mark.shared]


async def test_two_people_meet_by_link_play_to_the_end_and_want_a_rematch(visitor: Opening, running: Running) -> None:
    mika, nabu, eve = await visitor("Mika", motion=True), await visitor("ナブ", language="ja"), await visitor()
    address = await open_table(mika, seats=2)
    await nabu.goto(address)
    await nabu.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    await expect(mika.locator("#zone-seats")).to_contain_text("ナブ")
    start = mika.locator('form[action$="/start"] button')
    await expect(start).to_be_enabled()
    await start.click()
    await expect(nabu.locator("#board")).to_be_visible()
    await eve.goto(address)
    for page in (mika, nabu, eve):
        await expect_live(page)
    await play_all([mika, nabu])
    for page in (mika, nabu, eve):
        await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "over")
        await expect(page.locator("#zone-result")).to_be_visible()
    totals = [await page.locator("#zone-result").inner_text() for page in (mika, eve)]
    assert [word for word in totals[0].split() if word.isdigit()] == [
        word for word in totals[1].split() if word.isdigit()
    ]
    await expect(eve.locator('form[action$="/rematch"]')).to_have_count(0)
    await mika.locator('form[action$="/rematch"] button').click()
    await mika.wait_for_url(lambda url: url != address)
    await expect(nabu.locator('form[action$="/rematch"] button')).to_be_visible()
    await nabu.locator('form[action$="/rematch"] button').click()
    await expect(mika.locator("#zone-seats")).to_contain_text("ナブ")


async def test_five_seats_with_bots_come_to_an_end(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=5, bots=True)
    await play_all([mika])
    await expect(mika.locator("#zone-result")).to_be_visible()


@pytest.mark.parametrize("difficulty", ["easy", "hard"])
async def test_alone_against_the_automaton(visitor: Opening, difficulty: str) -> None:
    mika = await visitor("Mika", language="ja")
    await open_table(mika, seats=1, difficulty=difficulty)
    await play_all([mika])
    await expect(mika.locator("#zone-result")).to_be_visible()


async def test_without_script_the_page_plays_by_plain_forms(visitor: Opening) -> None:
    mika = await visitor("Mika", script=False)
    address = await open_table(mika, seats=2, bots=True, first="1")
    await mika.goto(address)
    before = await version(mika)
    await mika.locator("#choices-panel summary").click()
    await mika.locator("#zone-choices button[name=action]").first.click()
    await mika.wait_for_load_state()
    assert await version(mika) > before


async def test_a_spectator_follows_and_has_nothing_to_click(visitor: Opening) -> None:
    mika, eve = await visitor("Mika"), await visitor("Eve", phone=True)
    address = await open_table(mika, seats=3, bots=True)
    await eve.goto(address)
    await expect_live(eve)
    await play_all([mika], moves=4)
    await expect_same(mika, eve)
    assert await turn(eve) == "other"
    await expect(eve.locator("[form=act]:not([hidden])")).to_have_count(0)
    await expect(eve.locator("[data-pick]")).to_have_count(0)
