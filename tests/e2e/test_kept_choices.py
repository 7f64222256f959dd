"""What somebody chose or opened on a board stays so while the board moves on; what the board chooses, it shows."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import expect_live, open_table, turn, version

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
SLOW = 15_000
CHECKED = """(name) => {
  const all = [...document.querySelectorAll(`input[name=${name}]`)];
  const [on] = all.filter((each) => each.checked);
  const preset = all.find((each) => each.defaultChecked);
  return { there: all.map((each) => each.id), on: on?.id ?? "", preset: preset?.id ?? "" };
}"""


async def act(page: Page, pattern: str) -> None:
    """Chooses the first action that begins so, else none of its kind, and waits until it is my turn again."""
    before = await version(page)
    buttons = page.locator(f'#zone-choices button[value^="{pattern}"]')
    button = (
        buttons.first
        if await buttons.count()
        else page.locator('#zone-choices button[value="pass"], #zone-choices button[value="end"]').first
    )
    await button.evaluate("button => button.click()")
    await expect(page.locator("#zone-status")).not_to_have_attribute("data-version", str(before), timeout=SLOW)
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=SLOW)


async def next_card(page: Page) -> None:
    """Comes to the choice of a garden card, buying and completing nothing."""
    while not await page.locator('#zone-choices button[value^="take:"]').count():
        await act(page, "pass" if await page.locator('#zone-choices button[value="pass"]').count() else "end")


async def place(page: Page, *, right: int) -> None:
    """A card of the market on level 1, that many places right of the first."""
    await next_card(page)
    await page.locator(f'#zone-choices button[value^="take:"][value$=":1:{right}"]').first.evaluate(
        "button => button.click()"
    )
    await expect(page.locator("#zone-garden ol.visually-hidden li")).to_have_count(right + 1, timeout=SLOW)
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=SLOW)


async def test_the_irrigation_card_always_lies_one_way(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=1)
    await expect_live(mika)
    if await mika.locator('#zone-choices button[value="draw"]').count():
        await act(mika, "draw")
    for right in range(4):
        await place(mika, right=right)
        state = await mika.evaluate(CHECKED, "align")
        assert len(state["there"]) == 5 - right if right < 4 else 1
        assert state["on"] == state["preset"] != ""
        await expect(mika.locator(".irrigation-card .laid:visible")).to_have_count(1)


async def test_an_alignment_chosen_by_hand_is_kept_as_long_as_it_is_there(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=1)
    await expect_live(mika)
    if await mika.locator('#zone-choices button[value="draw"]').count():
        await act(mika, "draw")
    await place(mika, right=0)

    await mika.locator("#align-2").evaluate("radio => radio.click()")
    await place(mika, right=1)
    assert (await mika.evaluate(CHECKED, "align"))["on"] == "align-2"
    await mika.locator("#align-3").evaluate("radio => radio.click()")
    await place(mika, right=2)
    state = await mika.evaluate(CHECKED, "align")
    assert "align-3" not in state["there"]
    assert state["on"] == state["preset"] != ""


async def test_what_is_folded_open_stays_open(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=1)
    await expect_live(mika)
    if await mika.locator('#zone-choices button[value="draw"]').count():
        await act(mika, "draw")
    for right in range(2):
        await place(mika, right=right)
    await next_card(mika)
    fold = mika.locator("#spent-fold")
    await fold.locator("summary").evaluate("summary => summary.click()")
    used = await fold.locator("li").count()
    await place(mika, right=2)
    await next_card(mika)
    await expect(fold.locator("li").nth(used)).to_be_attached(timeout=SLOW)  # the automaton used one card or more
    await expect(fold).to_have_attribute("open", "")


async def test_a_small_map_shows_the_half_of_the_decision(visitor: Opening) -> None:
    mika = await visitor("Mika", phone=True)
    await open_table(mika, seats=2, bots=True, game="amyitis")
    await expect_live(mika)
    for number in range(12):
        await expect(mika.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=SLOW)
        state = await mika.evaluate(CHECKED, "half")
        assert state["on"] == state["preset"] != ""
        if number % 3 == 0:
            await mika.locator("#zone-half .to-players").evaluate("radio => radio.click()")
            assert "players" in (await mika.evaluate(CHECKED, "half"))["on"]
        buttons = mika.locator("#zone-choices button[name=action]")
        before = await version(mika)
        await buttons.nth(number % await buttons.count()).evaluate("button => button.click()")
        await expect(mika.locator("#zone-status")).not_to_have_attribute("data-version", str(before), timeout=SLOW)
    assert await turn(mika) != "over"
