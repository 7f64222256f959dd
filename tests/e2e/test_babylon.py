"""Babylon in browsers: whole games by the page's buttons, turns by clicks on the board, gardens from all sides."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import expect_live, open_table, play_all, turn, version
from tests.e2e.test_colours import SILHOUETTES, difference

pytestmark = [pytest.mark.e2e, pytest.mark.shared]

PLACE = "#spots [data-pick^=place].legal"
CONTRASTS = (Path(__file__).parent / "contrasts.js").read_text(encoding="utf-8")


async def my_turn(page: Page) -> None:
    """Waits until the viewer must choose."""
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=40_000)


async def acted(page: Page, before: int) -> None:
    """Waits until the page knows more than it did."""
    await expect(page.locator("#zone-status")).not_to_have_attribute("data-version", str(before))


async def click(page: Page, spot: Locator) -> None:
    """Clicks what does an action, and waits for it."""
    before = await version(page)
    await spot.click()
    await acted(page, before)


async def mining(page: Page) -> None:
    """Thins the clay by clicks on the quarry, until the viewer is to mine."""
    await my_turn(page)
    while await page.locator("#pieces [data-pick^=remove]").count():
        await click(page, page.locator("#pieces [data-pick^=remove]").first)
        await my_turn(page)


async def building(page: Page) -> None:
    """Mines the tile that brings the most pillars, by a click on it."""
    await mining(page)
    tiles = page.locator("#pieces [data-pick^=mine]")
    gains = [await tile.locator(".gain").get_attribute("href") or "" for tile in await tiles.all()]
    await click(page, tiles.nth(gains.index(max(gains))))


async def laying(page: Page, spot: int = 20) -> None:
    """Places that tile on a spot of the plan."""
    await building(page)
    await click(page, page.locator(PLACE).nth(spot))


async def side(page: Page) -> str:
    """From which side the garden is seen."""
    return await page.locator("#zone-garden .scene").get_attribute("class") or ""


async def test_two_people_play_to_the_end_while_somebody_watches(visitor: Opening) -> None:
    mika, nabu, eve = await visitor("Mika"), await visitor("ナブ", language="ja"), await visitor()
    address = await open_table(mika, seats=2, game="babylon")
    await nabu.goto(address)
    await nabu.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    await mika.locator('form[action$="/start"] button').click()
    await expect(nabu.locator("#board")).to_be_visible()
    await eve.goto(address)
    for page in (mika, nabu, eve):
        await expect_live(page)
    await play_all([mika, nabu], moves=3000)
    for page in (mika, nabu, eve):
        await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "over")
        await expect(page.locator("#zone-result .wreath").first).to_be_visible()
    totals = [await page.locator("#zone-result .sum td").all_inner_texts() for page in (mika, nabu, eve)]
    assert totals[0] == totals[1] == totals[2]
    assert await eve.locator("[data-pick]").count() == 0


async def test_four_seats_with_bots_come_to_an_end(visitor: Opening) -> None:
    mika = await visitor("Mika", language="ja")
    await open_table(mika, seats=4, bots=True, game="babylon")
    await play_all([mika], moves=3000)
    await expect(mika.locator("#zone-result .wreath").first).to_be_visible()


async def test_a_whole_turn_is_taken_by_clicks_on_the_board(visitor: Opening) -> None:
    mika = await visitor("Mika", motion=True)
    await open_table(mika, seats=2, bots=True, game="babylon")
    await building(mika)
    hands = mika.locator("#pieces .in-hand[data-pick]")
    await expect(hands).to_have_count(2)
    await expect(hands.first).to_have_class(re.compile(r"\bchosen\b"))
    await hands.last.click()
    await expect(hands.last).to_have_class(re.compile(r"\bchosen\b"))
    kept = await hands.last.get_attribute("id")
    await click(mika, mika.locator(PLACE).nth(24))
    await expect(mika.locator("#pieces .laying")).to_have_id(kept or "")
    await click(mika, mika.locator("#spots .corner.se"))
    offers = mika.locator("#spots .offer.legal")
    await expect(offers.first).to_be_visible()
    places = len(await offers.all())
    await click(mika, offers.first)
    await expect(mika.locator("#pieces .deco")).to_have_count(1)
    assert await offers.count() < places
    await expect(mika.locator(PLACE)).to_have_count(0)
    end = mika.locator("#zone-action .buttons button[value^=end]").first
    await click(mika, end)
    await expect(mika.locator("#pieces .in-plan")).to_have_count(2)


async def test_the_picture_is_clicked_as_the_plan_is(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, game="babylon")
    await building(mika)
    mark = mika.locator("#zone-marks [data-pick^=place]").nth(30)
    wanted = await mark.get_attribute("data-pick") or ""
    await mark.hover()
    await expect(mika.locator("#consequence .sum")).to_be_visible()
    await expect(mika.locator("#ghost > g")).to_have_count(1)
    await click(mika, mark)
    _, _, x, y, _ = wanted.split(":")
    await expect(mika.locator("#pieces .laying")).to_have_class(re.compile(rf"\bx{x} y{y}\b"))


async def test_a_tile_is_turned_by_button_key_and_itself(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, game="babylon")
    await laying(mika)
    turns = mika.locator("[data-ring] [data-pick]")
    chosen = re.compile(r"\bchosen\b")
    await expect(turns.nth(0)).to_have_class(chosen)
    await mika.keyboard.press("r")
    await expect(turns.nth(1)).to_have_class(chosen)
    await mika.locator("[data-step='1']").click()
    await expect(turns.nth(2)).to_have_class(chosen)
    await mika.keyboard.press("Shift+R")
    await expect(turns.nth(1)).to_have_class(chosen)
    await turns.nth(3).click()
    await expect(turns.nth(3)).to_have_class(chosen)
    await mika.locator("#spots .corner.whole").hover()
    await expect(mika.locator("#consequence .sum")).to_be_visible()
    await click(mika, mika.locator("#spots .corner.whole"))
    await expect(mika.locator("#pieces .tile.in-plan.t3")).to_have_count(1)
    await mika.keyboard.press("u")
    await expect(mika.locator("#pieces .laying")).to_have_count(1)


async def test_enter_sets_a_tile_that_was_turned_by_a_click(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, game="babylon")
    await laying(mika)
    await mika.locator("[data-ring] [data-pick]").nth(2).click()
    before = await version(mika)
    await mika.keyboard.press("Enter")
    await acted(mika, before)
    await expect(mika.locator("#pieces .tile.in-plan.t2")).to_have_count(1)


async def test_pointing_at_a_tile_of_the_quarry_shows_the_sides_that_earn(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, game="babylon")
    await mining(mika)
    tile = mika.locator("#pieces [data-pick^=mine]").nth(5)
    await expect(tile.locator(".sides")).to_be_hidden()
    await tile.hover()
    await expect(tile.locator(".sides")).to_be_visible()


async def test_the_garden_is_taken_apart_down_to_any_level_that_it_has(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, game="babylon")
    await my_turn(mika)
    await expect(mika.locator("#peel")).to_be_hidden()
    await play_all([mika], moves=3000)
    await mika.locator("#zone-other1 a").click()
    await expect(mika.locator("#zone-garden h2")).to_contain_text("The garden of")
    levels = [n for n in range(1, 9) if await mika.locator(f'#zone-garden .l{n} > [href^="#bab-slab"]').count()]
    offered = [int(await each.inner_text()) for each in await mika.locator("#peel span[class]:visible").all()]
    assert offered == levels[:-1]
    await mika.locator(f"label:has(#peel-{offered[-1]})").click()
    top = mika.locator(f'#zone-garden .l{levels[-1]} > [href^="#bab-slab"]').first
    await expect(top).to_have_css("opacity", "0.07")


async def test_the_garden_is_seen_from_all_sides_without_a_new_page(visitor: Opening) -> None:
    mika = await visitor("Mika")
    address = await open_table(mika, seats=3, bots=True, game="babylon")
    await building(mika)
    await mika.evaluate("document.body.dataset.same = '1'")
    right = mika.locator("#zone-garden .turners a").last
    for number in (1, 2, 3, 0):
        await right.click()
        await expect(mika.locator("#zone-garden .scene")).to_have_class(re.compile(rf"\bside-{number}\b"))
    await mika.keyboard.press("[")
    await expect(mika.locator("#zone-garden .scene")).to_have_class(re.compile(r"\bside-3\b"))
    assert mika.url == f"{address}?side=3"
    await expect(mika.locator("#zone-marks [data-pick].legal").first).to_be_attached()
    await mika.locator("#zone-other1 a").click()
    await expect(mika.locator("#zone-garden h2")).to_contain_text("The garden of")
    await expect(mika.locator("#zone-garden .scene")).to_have_class(re.compile(r"\bside-3\b"))
    await mika.locator("#zone-garden .home").click()
    await expect(mika.locator("#zone-garden h2")).to_have_text("Your garden")
    assert await mika.evaluate("document.body.dataset.same") == "1"
    await mika.reload()
    assert "side-3" in await side(mika)


async def test_without_script_the_garden_is_turned_by_links_and_the_game_goes_on_by_forms(visitor: Opening) -> None:
    mika = await visitor("Mika", script=False)
    address = await open_table(mika, seats=2, bots=True, game="babylon")
    for _ in range(40):
        await mika.goto(f"{address}?side=1")
        if await turn(mika) == "mine":
            break
        await mika.wait_for_timeout(250)
    assert "side-1" in await side(mika)
    await mika.locator("#zone-garden .turners a").last.click()
    await mika.wait_for_url("**side=2")
    assert "side-2" in await side(mika)
    before = await version(mika)
    await mika.locator("#choices-panel summary").click()
    await mika.locator("#zone-choices button[name=action]").first.click()
    await mika.wait_for_load_state()
    assert await version(mika) > before
    assert "side-2" in await side(mika)


async def test_in_the_hand_a_turn_is_taken_by_taps(visitor: Opening) -> None:
    mika = await visitor("Mika", phone=True)
    await open_table(mika, seats=2, bots=True, game="babylon")
    await mining(mika)
    before = await version(mika)
    tiles = mika.locator("#pieces [data-pick^=mine]")
    gains = [await tile.locator(".gain").get_attribute("href") or "" for tile in await tiles.all()]
    tile = tiles.nth(gains.index(max(gains)))
    await tile.tap()
    await expect(mika.locator("#consequence .sum")).to_be_visible()
    assert await version(mika) == before
    await tile.tap()
    await acted(mika, before)
    spot = mika.locator(PLACE).nth(20)
    before = await version(mika)
    await spot.tap()
    await expect(mika.locator("#ghost > g")).to_have_count(1)
    assert await version(mika) == before
    await spot.tap()
    await acted(mika, before)
    await mika.locator("[data-step='1']").tap()
    await expect(mika.locator("[data-ring] [data-pick]").nth(1)).to_have_class(re.compile(r"\bchosen\b"))
    before = await version(mika)
    await mika.locator("#zone-action [data-pick]").tap()
    if await version(mika) == before:
        await mika.locator("#zone-action [data-pick]").tap()
    await acted(mika, before)
    await expect(mika.locator("#zone-garden .scene")).to_be_hidden()
    await mika.locator("label:has(#as-picture)").tap()
    await expect(mika.locator("#zone-garden .scene")).to_be_visible()
    await mika.locator("#zone-garden .turners a").first.tap()
    await expect(mika.locator("#zone-garden .scene")).to_have_class(re.compile(r"\bside-3\b"))
    assert await mika.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_board_is_played_by_keyboard(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, game="babylon")
    await mining(mika)
    before = await version(mika)
    tile = mika.locator("#pieces [data-pick^=mine]").first
    await tile.focus()
    await expect(tile).to_have_attribute("role", "button")
    assert (await tile.get_attribute("aria-label") or "").strip()
    await mika.keyboard.press("ArrowRight")
    await mika.keyboard.press("Enter")
    await acted(mika, before)


async def test_a_tile_that_is_placed_glides_and_is_not_drawn_anew(visitor: Opening) -> None:
    mika = await visitor("Mika", motion=True)
    await open_table(mika, seats=2, bots=True, game="babylon")
    await building(mika)
    tile = mika.locator("#pieces .in-hand.n1")
    name = await tile.get_attribute("id") or ""
    await tile.evaluate("piece => { piece.same = true; }")
    await click(mika, mika.locator(PLACE).nth(10))
    await expect(mika.locator(f"#{name}")).to_have_class(re.compile(r"\blaying\b"))
    assert await mika.locator(f"#{name}").evaluate("piece => piece.same === true")


async def test_symbols_flowers_and_pieces_are_told_apart_without_colour(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=4, bots=True, game="babylon")
    for family in (
        [f"bab-{kind}" for kind in ("statue", "fountain", "bridge", "stairs", "belvedere")],
        [f"bab-flower-{kind}" for kind in ("white", "pink", "purple", "yellow")],
        [f"bab-{kind}" for kind in ("single", "double")],
    ):
        masks = await mika.evaluate(SILHOUETTES, family)
        for one, other in combinations(family, 2):
            assert difference(masks[one], masks[other]) > 0.06, (one, other)


@pytest.mark.parametrize("dark", [False, True])
async def test_text_can_be_read_in_light_and_dark(visitor: Opening, dark: bool) -> None:
    mika = await visitor("Mika", dark=dark)
    await open_table(mika, seats=4, bots=True, game="babylon")
    await my_turn(mika)
    poor = {"table": await mika.evaluate(CONTRASTS)}
    await play_all([mika], moves=12)
    if await turn(mika) == "mine":
        poor["later"] = await mika.evaluate(CONTRASTS)
    await mika.goto("/rules/babylon")
    poor["rules"] = await mika.evaluate(CONTRASTS)
    assert {place: found for place, found in poor.items() if found} == {}
