"""A refusal appears where the click was; a whole turn can be played by keyboard, and the focus is never lost."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import expect_live, open_table, play_all

pytestmark = [pytest.mark.e2e, pytest.mark.shared]

FOCUSED = "document.activeElement !== document.body && document.activeElement.matches(':focus-visible')"


async def my_turn(page: Page) -> None:
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=10_000)


@pytest.mark.parametrize("phone", [False, True])
async def test_a_click_on_what_does_not_shine_says_why_beside_it(visitor: Opening, phone: bool) -> None:
    mika = await visitor("Mika", phone=phone, motion=True)
    await open_table(mika, seats=2, bots=True, first="1")
    await expect_live(mika)
    asked = mika.locator(".stack[data-ask]").first
    box = await asked.bounding_box()
    assert box
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] - 12
    await (mika.touchscreen.tap(*middle) if phone else mika.mouse.click(*middle))
    refusal = mika.locator("#zone-refusal")
    await expect(refusal).to_be_visible()
    await expect(refusal.locator("a")).to_have_attribute("href", "/rules/hanging-gardens#r5.3.1")
    said = await refusal.bounding_box()
    assert said
    gap_x = max(box["x"] - said["x"] - said["width"], said["x"] - box["x"] - box["width"])
    gap_y = max(box["y"] - said["y"] - said["height"], said["y"] - box["y"] - box["height"])
    assert 0 < max(gap_x, gap_y) < 40
    assert said["x"] >= 0
    assert said["x"] + said["width"] <= (390 if phone else 1280)
    await mika.keyboard.press("Escape")
    await expect(refusal).to_be_hidden()


async def test_turns_are_played_by_keyboard_and_the_focus_is_never_lost(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, first="1")
    await expect_live(mika)
    await expect(mika.locator("[data-pick].legal[tabindex='0']")).to_have_count(1)
    await mika.locator("[data-pick].legal[tabindex='0']").focus()
    before = await mika.evaluate("document.activeElement.dataset.pick")
    await mika.keyboard.press("ArrowRight")
    assert await mika.evaluate("document.activeElement.dataset.pick") != before
    for _ in range(12):
        await my_turn(mika)
        await mika.keyboard.press("Enter")
        await mika.wait_for_timeout(200)
        assert await mika.evaluate(FOCUSED)
    await mika.keyboard.press("Home")
    await mika.keyboard.press("Enter")
    await mika.wait_for_timeout(100)
    await mika.keyboard.press("Escape")
    assert await mika.evaluate(FOCUSED)


async def test_the_score_sheet_can_be_read_in_the_hand_after_looking_at_gardens(visitor: Opening) -> None:
    mika = await visitor("Mika", phone=True)
    await open_table(mika, seats=2, bots=True)
    await mika.locator(".seat-tabs a").nth(1).tap()
    await expect(mika.locator(".player:target .parts")).to_be_visible()
    await play_all([mika])
    await mika.locator(".sheet-link").tap()
    await expect(mika.locator("#zone-result")).to_be_visible()
