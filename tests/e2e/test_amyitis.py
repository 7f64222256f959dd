"""Amyitis in browsers: whole games by the page's buttons, turns by clicks on the board, in the hand, by keyboard."""

from itertools import combinations
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import expect_live, open_table, play_all, turn, version
from tests.e2e.test_colours import SILHOUETTES, difference

pytestmark = [pytest.mark.e2e, pytest.mark.shared]

SPOTS = "#map [data-pick].legal, #beside [data-pick].legal"
CONTRASTS = (Path(__file__).parent / "contrasts.js").read_text(encoding="utf-8")


async def my_turn(page: Page) -> None:
    """Waits until the viewer must choose."""
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=20_000)


async def test_two_people_play_to_the_end_while_somebody_watches(visitor: Opening) -> None:
    mika, nabu, eve = await visitor("Mika"), await visitor("ナブ", language="ja"), await visitor()
    address = await open_table(mika, seats=2, game="amyitis", profile="rulebook")
    await expect(mika.locator("#zone-options")).to_contain_text("printed rules")
    await nabu.goto(address)
    await expect(nabu.locator("#zone-options")).to_contain_text("印刷版準拠")
    await nabu.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    await mika.locator('form[action$="/start"] button').click()
    await expect(nabu.locator("#board")).to_be_visible()
    await eve.goto(address)
    for page in (mika, nabu, eve):
        await expect_live(page)
    await play_all([mika, nabu], moves=3000)
    for page in (mika, nabu, eve):
        await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "over")
        await expect(page.locator("#zone-result .wreath")).to_be_visible()
    totals = [await page.locator("#zone-result .sum").inner_text() for page in (mika, eve)]
    assert totals[0] == totals[1]
    assert await eve.locator("[data-pick]").count() == 0
    await mika.locator("[data-opens=log]").click()
    await expect(mika.locator("#log")).to_contain_text("printed rules")


async def test_four_seats_with_bots_come_to_an_end(visitor: Opening) -> None:
    mika = await visitor("Mika", language="ja")
    await open_table(mika, seats=4, bots=True, game="amyitis")
    await play_all([mika], moves=3000)
    await expect(mika.locator("#zone-result")).to_be_visible()


async def test_turns_are_taken_by_clicks_on_the_board(visitor: Opening) -> None:
    mika = await visitor("Mika", motion=True)
    await open_table(mika, seats=2, bots=True, game="amyitis")
    kinds = set()
    for step in range(14):
        await my_turn(mika)
        spots = mika.locator(SPOTS)
        spot = spots.nth(step % await spots.count())
        pattern = await spot.get_attribute("data-pick") or ""
        kinds.add(pattern.partition(":")[0])
        before = await version(mika)
        await spot.hover()
        await spot.click()
        if pattern.startswith("swap"):
            await mika.locator("[data-pick-second].legal").first.click()
        await expect(mika.locator("#zone-status")).not_to_have_attribute("data-version", str(before))
    assert len(kinds) > 2


async def test_what_would_come_of_it_is_seen_before_the_click(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=3, bots=True, game="amyitis")
    await my_turn(mika)
    await mika.locator('#pieces [data-pick^="recruit"]').first.hover()
    await expect(mika.locator("#consequence .told-before")).to_be_visible()
    await mika.locator("#squares li").first.hover()
    await expect(mika.locator("#squares li").first.locator(".about")).to_be_visible()
    await mika.locator("#squares li").nth(5).focus()
    await expect(mika.locator("#squares li").nth(5).locator(".about")).to_be_visible()


async def test_in_the_hand_the_first_tap_shows_and_the_second_does(visitor: Opening) -> None:
    mika = await visitor("Mika", phone=True)
    await open_table(mika, seats=2, bots=True, game="amyitis")
    await my_turn(mika)
    before = await version(mika)
    card = mika.locator('#pieces [data-pick^="recruit"]').first
    await card.tap()
    await expect(mika.locator("#consequence .told-before")).to_be_visible()
    assert await version(mika) == before
    await card.tap()
    await expect(mika.locator("#zone-status")).not_to_have_attribute("data-version", str(before))
    for half, there in (("players", ".mat.m1"), ("court", "#zone-court"), ("garden", "#map"), ("cities", "#map")):
        await mika.locator(f"label[for^=half-{half}]").tap()
        await expect(mika.locator(there)).to_be_visible()
    assert await mika.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_board_is_played_by_keyboard(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, game="amyitis")
    await my_turn(mika)
    before = await version(mika)
    card = mika.locator('#pieces [data-pick^="recruit"]').first
    await card.focus()
    await expect(card).to_have_attribute("role", "button")
    assert (await card.get_attribute("aria-label") or "").strip()
    await mika.keyboard.press("ArrowRight")
    await mika.keyboard.press("Enter")
    await expect(mika.locator("#zone-status")).not_to_have_attribute("data-version", str(before))


async def test_goods_people_and_signs_are_told_apart_without_colour(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=4, bots=True, game="amyitis")
    for family in (
        [f"am-{kind}" for kind in ("barley", "dates", "salt", "palm", "wine", "talent", "camel")],
        [f"am-{kind}" for kind in ("caravaneer", "banker", "palace", "gardener", "court-choice")],
        [f"am-cube-{number}" for number in range(5)],
        [f"am-{craft}" for craft in ("peasant", "priest", "engineer", "merchant")],
    ):
        masks = await mika.evaluate(SILHOUETTES, family)
        for one, other in combinations(family, 2):
            assert difference(masks[one], masks[other]) > 0.06, (one, other)


@pytest.mark.parametrize("dark", [False, True])
async def test_text_can_be_read_in_light_and_dark(visitor: Opening, dark: bool) -> None:
    mika = await visitor("Mika", dark=dark)
    await open_table(mika, seats=4, bots=True, game="amyitis")
    await my_turn(mika)
    poor = {"table": await mika.evaluate(CONTRASTS)}
    await play_all([mika], moves=12)
    if await turn(mika) == "mine":
        poor["later"] = await mika.evaluate(CONTRASTS)
    await mika.goto("/rules/amyitis")
    poor["rules"] = await mika.evaluate(CONTRASTS)
    assert {place: found for place, found in poor.items() if found} == {}
