"""What is shown is to be seen whole: on full headers, in full panels, in the hand, beside a first hint."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import open_table

pytestmark = [pytest.mark.e2e, pytest.mark.shared]

HAND = {"width": 390, "height": 844}

CUT = """() => {
  const top = document.getElementById("top");
  const seen = [...top.querySelectorAll("h1, .brand, .round-words, .round-turns, .tools > *")].filter(
    (each) => each.checkVisibility() && getComputedStyle(each).position !== "absolute");
  const wide = seen.filter((each) => each.getBoundingClientRect().right > innerWidth - 4);
  const short = seen.filter((each) => each.matches("h1") && each.scrollWidth > each.clientWidth);
  const names = (those) => those.map((each) => each.className || each.tagName);
  return { parts: seen.length, wide: names(wide), short: names(short), over: top.scrollWidth - top.clientWidth };
}"""

COLLIDING = """() => {
  const apart = (a, b) => a.right <= b.left + .5 || b.right <= a.left + .5 || a.bottom <= b.top + .5
    || b.bottom <= a.top + .5;
  const box = (each) => each.getBoundingClientRect();
  const told = [];
  for (const panel of document.querySelectorAll(".player:not(.o0)")) {
    const number = /o\\d/.exec(panel.className)[0];
    for (const part of panel.querySelectorAll(".parts li")) {
      part.lastChild.textContent = "28";
      const words = document.createRange();
      words.selectNodeContents(part);
      if (words.getBoundingClientRect().right > box(panel).right - 2) told.push(`${number}: a part leaves the panel`);
      if (words.getBoundingClientRect().right > box(part).right + .5) told.push(`${number}: parts collide`);
    }
    for (const aside of panel.querySelectorAll(".dots, .purse, .parts")) {
      for (const card of document.querySelectorAll(`#pieces > .in-mini.${number}`)) {
        if (!apart(box(aside), box(card))) told.push(`${number}: a card on ${aside.classList[0]}`);
      }
    }
  }
  return told;
}"""

BAR = """() => {
  const box = (each) => each.getBoundingClientRect();
  const lead = [...document.querySelectorAll("#zone-action .lead")].find((each) => each.checkVisibility());
  const say = box(lead.parentElement);
  return { height: box(document.getElementById("action-bar")).height,
    whole: box(lead).top >= say.top - 1 && box(lead).bottom <= say.bottom + 1,
    scrolls: document.getElementById("stage").scrollHeight - document.getElementById("stage").clientHeight };
}"""


async def box_of(page: Page, selector: str) -> dict[str, float]:
    """Where the first element of this kind is."""
    found: dict[str, float] = await page.locator(selector).first.evaluate(
        "each => each.getBoundingClientRect().toJSON()"
    )
    return found


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_nothing_of_a_full_header_or_of_full_panels_is_cut(visitor: Opening, language: str) -> None:
    mika = await visitor("Mika", language=language)
    await open_table(mika, seats=5, bots=True)
    await expect(mika.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=20_000)
    for width, height in ((1280, 800), (1024, 768)):
        await mika.set_viewport_size({"width": width, "height": height})
        found = await mika.evaluate(CUT)
        assert found["parts"] > 6
        assert (found["wide"], found["short"], found["over"]) == ([], [], 0)
        assert await mika.locator(".to-log span").first.is_visible()
    assert await mika.evaluate(COLLIDING) == []
    await mika.set_viewport_size(HAND)
    await expect(mika.locator(".round-pips")).to_be_visible()
    assert await mika.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("seats", [1, 2])
async def test_the_first_move_is_seen_beside_the_first_hint_and_moves_nothing(
    visitor: Opening, language: str, seats: int
) -> None:
    mika = await visitor("Mika", language=language)
    await mika.set_viewport_size(HAND)
    await open_table(mika, seats=seats, bots=True, first="1" if seats > 1 else "")
    await expect(mika.locator("#zone-hint")).to_be_visible()
    first = await mika.evaluate(BAR)
    board = await box_of(mika, "#board")
    for card in await mika.locator("#pieces > .in-market.legal").all():
        await card.dispatch_event("click")
        await expect(mika.locator("#places > .legal").first).to_be_visible()
        place, bar = await box_of(mika, "#places > .legal"), await box_of(mika, "#action-bar")
        assert place["top"] > board["top"]
        assert place["bottom"] < bar["top"]
        await expect(mika.locator("#zone-hint")).to_be_hidden()
        assert await mika.evaluate(BAR) == {"height": first["height"], "whole": True, "scrolls": 0}
        await mika.locator("[data-pick-reset]").click()
    await expect(mika.locator("#zone-hint")).to_be_visible()
    await mika.locator("[data-hint-reads]").click()
    await expect(mika.locator("#zone-hint")).to_be_hidden()
    assert await box_of(mika, "#board") == board
    await mika.locator("#top [data-toggles=hints]").click()
    await expect(mika.locator("#zone-hint")).to_be_visible()


async def test_another_s_garden_in_the_hand_hides_nothing_of_the_market_and_shows_the_irrigation_card(
    visitor: Opening,
) -> None:
    mika = await visitor("Mika")
    await mika.set_viewport_size(HAND)
    await open_table(mika, seats=2, bots=True, first="1")
    await mika.locator(".seat-tabs a").nth(1).click()
    await expect(mika.locator("#player-2 .parts")).to_be_visible()
    dots, parts = await box_of(mika, "#player-2 .dots"), await box_of(mika, "#player-2 .parts")
    garden, market = await box_of(mika, "#zone-garden"), await box_of(mika, "#zone-market")
    assert dots["width"] > 40
    for each in (dots, parts):
        assert each["top"] > market["bottom"]
        assert garden["left"] < each["left"] < each["right"] <= garden["right"]


BUBBLE = """() => {
  const bubble = document.getElementById("consequence");
  if (bubble.hidden) return "";
  const box = bubble.getBoundingClientRect();
  const beside = document.getElementById("beside").getBoundingClientRect();
  const far = beside.width && innerWidth > 820 ? beside.left : innerWidth;
  const inside = box.left >= 0 && box.top >= 44 && box.right <= far + .5 && box.bottom <= innerHeight;
  return inside ? "inside" : `${bubble.className} ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`;
}"""


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_what_would_come_of_a_choice_is_said_beside_it_and_on_the_screen(
    visitor: Opening, language: str
) -> None:
    mika = await visitor("Mika", language=language)
    await open_table(mika, seats=2, bots=True, first="1")
    for width, height in ((390, 844), (1280, 800)):
        await mika.set_viewport_size({"width": width, "height": height})
        for card in await mika.locator("#pieces > .in-market.legal").all():
            await card.evaluate("card => card.focus()")
            await expect(mika.locator("#consequence")).to_be_visible()
            assert await mika.evaluate(BUBBLE) == "inside"
        await mika.locator("#pieces > .in-market.legal").first.dispatch_event("click")
        await mika.locator("#places > .legal").first.evaluate("place => place.focus()")
        await expect(mika.locator("#consequence")).to_be_visible()
        assert await mika.evaluate(BUBBLE) == "inside"
        await mika.locator("[data-pick-reset]").click()
