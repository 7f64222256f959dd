"""Hints for a first game: they cover nothing that is needed, on any screen, and are put away by one click."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import open_table, play_all

pytestmark = [pytest.mark.e2e, pytest.mark.shared]

COVERED = """(selectors) => {
  const hint = document.getElementById("zone-hint").getBoundingClientRect();
  return [...document.querySelectorAll(selectors)].filter((each) => each.checkVisibility()).filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && box.height && box.left < hint.right - 1 && box.right > hint.left + 1
      && box.top < hint.bottom - 1 && box.bottom > hint.top + 1;
  }).map((each) => each.id || each.className);
}"""

NEEDED = {
    "amyitis": "#map, .mat, #zone-court, #zone-half",
    "hanging_gardens": "#zone-market, .objective, .stack, #pieces > g, #places > g, .irrigation-card, .player",
    "babylon": "#zone-tokens, #zone-quarry, #zone-supply, #zone-garden, #zone-hand, #plan, #zone-players, #others a",
}


IN_HAND = {**NEEDED, "hanging_gardens": ".legal, .objective, .stack, .irrigation-card, .player"}
"""Its board fills the screen in the hand: there a hint lies over what is not asked for, until it is read."""


async def check(page: Page, needed: str) -> None:
    """The hint is there and covers nothing of this."""
    await expect(page.locator("#zone-hint")).to_be_visible()
    assert await page.evaluate(COVERED, needed) == []


@pytest.mark.parametrize("game", ["amyitis", "babylon", "hanging_gardens"])
@pytest.mark.parametrize("language", ["en", "ja"])
async def test_hints_cover_nothing_on_a_desktop_and_in_the_hand(visitor: Opening, game: str, language: str) -> None:
    mika = await visitor("Mika", language=language)
    address = await open_table(mika, seats=4, bots=True, game=game)
    await check(mika, NEEDED[game])
    for _ in range(3):
        await play_all([mika], moves=4)
        await check(mika, NEEDED[game])
    await mika.set_viewport_size({"width": 390, "height": 844})
    await mika.goto(address)
    await check(mika, IN_HAND[game])
    await mika.locator("#zone-hint [data-toggles=hints]").click()
    await expect(mika.locator("#zone-hint")).to_be_hidden()
    top = await mika.locator("#board").evaluate("board => board.getBoundingClientRect().top")
    assert top == await mika.locator("#stage").evaluate("stage => stage.getBoundingClientRect().top")
