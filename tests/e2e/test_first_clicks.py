"""The first clicks of somebody who does not know the game: nothing happens before it was told what would."""

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import expect_live, open_table, version

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
SLOW = 15_000


@pytest.mark.parametrize(
    ("language", "place_it", "stands", "why"),
    [
        ("en", "then its place", "cannot be taken back", "This stands"),
        ("ja", "置く場所", "取り消せません", "取り消せません"),
    ],
)
async def test_the_first_card_is_chosen_then_placed_and_an_undo_that_cannot_says_why(
    visitor: Opening, language: str, place_it: str, stands: str, why: str
) -> None:
    mika = await visitor("Mika", language=language)
    await open_table(mika, seats=2, bots=True, first="1")
    await expect_live(mika)
    told, card, place = (
        mika.locator("#consequence"),
        mika.locator("#pieces .in-market.r1.c1"),
        mika.locator("#places [data-pick]"),
    )
    await card.hover(force=True)
    await expect(told).to_contain_text(place_it, timeout=SLOW)

    await card.click(force=True)
    await expect(card).to_have_class("card in-market c1 r1 legal chosen", timeout=SLOW)
    assert await version(mika) == 0
    await place.hover(force=True)
    await expect(told).to_contain_text(stands, timeout=SLOW)

    await place.click(force=True)
    await expect(mika.locator("#zone-status")).not_to_have_attribute("data-version", "0", timeout=SLOW)
    await expect(mika.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=SLOW)
    await mika.locator("#zone-action .cannot").click()
    await expect(mika.locator("#zone-refusal")).to_contain_text(why, timeout=SLOW)


async def test_where_a_place_has_two_levels_the_bar_asks_for_one(visitor: Opening) -> None:
    mika = await visitor("Mika")
    await open_table(mika, seats=2, bots=True, game="babylon")
    await expect_live(mika)
    asked, first = mika.locator("#zone-action .if-level"), mika.locator("#zone-action .if-place")
    await mika.evaluate(
        """() => document.getElementById("zone-action").querySelector(".lead").innerHTML =
           '<span class="if-place">place</span><span class="if-level">level</span>'"""
    )
    for picked, level in (("", False), ("place:T01:*:*:*", False), ("place:T01:2:3:*", True)):
        await mika.evaluate("(picked) => { document.body.dataset.picked = picked; }", picked)
        await expect(asked).to_be_visible(visible=level)
        await expect(first).to_be_visible(visible=not level)
