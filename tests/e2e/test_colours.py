"""A25: nothing is told by colour alone; text can be read."""

from itertools import combinations
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import open_table

pytestmark = [pytest.mark.e2e, pytest.mark.shared]

SILHOUETTES = (Path(__file__).parent / "silhouettes.js").read_text(encoding="utf-8")


def difference(one: list[bool], other: list[bool]) -> float:
    """The share of the two shapes together that only one of them covers."""
    both = sum(a or b for a, b in zip(one, other, strict=True))
    return sum(a != b for a, b in zip(one, other, strict=True)) / max(1, both)


async def test_seats_and_flowers_are_told_apart_without_colour(visitor: Opening) -> None:
    page = await visitor("Mika")
    await open_table(page, seats=5, bots=True)
    for family in (
        [f"seat-{number}" for number in range(1, 6)],
        [f"hg-flower-{colour}" for colour in ("red", "yellow", "blue")],
        ["hg-lion", "hg-monkey", "hg-peacock"],
        ["hg-socotra", "hg-cedar", "hg-palm"],
        ["hg-coin", "hg-tool", "hg-crown", "hg-water"],
    ):
        masks = await page.evaluate(SILHOUETTES, family)
        for one, other in combinations(family, 2):
            assert difference(masks[one], masks[other]) > 0.06, (one, other)
    letters = await page.evaluate(
        """() => [1, 2, 3, 4, 5].map((number) => document.querySelector(`#seat-${number} text`).textContent.trim())"""
    )
    assert letters == ["A", "B", "C", "D", "E"]


PAINT = """(selector) => getComputedStyle(document.querySelector(selector)).backgroundColor"""


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize(("game", "head"), [("hanging_gardens", ".head"), ("amyitis", "header")])
async def test_the_seat_whose_turn_it_is_and_the_garden_that_is_shown_are_marked(
    visitor: Opening, game: str, head: str, script: bool
) -> None:
    """Said on the body by a script, asked by the style where none runs: both show the same."""
    mika, nabu = await visitor("Mika", script=script), await visitor("Nabu")
    address = await open_table(mika, seats=2, game=game)
    await nabu.goto(address)
    await nabu.locator("#zone-start .now").click()
    await mika.goto(address)
    await mika.locator('form[action$="/start"] button').click()
    board = mika.locator("#board")
    await expect(board).to_be_visible()
    kind = ".player" if game == "hanging_gardens" else ".mat"
    if script:
        await expect(mika.locator("body[data-turns]")).to_have_count(1)
    heads = [await mika.evaluate(PAINT, f"#board {kind}.seat-{seat} {head}") for seat in (1, 2)]
    turns = [f"turn-{seat}" in (await mika.locator("#zone-action").get_attribute("class") or "") for seat in (1, 2)]
    assert sorted(turns) == [False, True]
    clear = "rgba(0, 0, 0, 0)"
    assert [paint != clear for paint in heads] == turns


@pytest.mark.parametrize("script", [True, False])
async def test_in_the_hand_the_tab_of_the_garden_that_is_shown_is_marked(visitor: Opening, script: bool) -> None:
    page = await visitor("Mika", phone=True, script=script)
    await open_table(page, seats=3, bots=True)
    tabs = [f'.seat-tabs [href="#player-{seat}"]' for seat in (1, 2, 3)]
    before = [await page.evaluate(PAINT, tab) for tab in tabs]
    await page.locator(tabs[1]).click()
    after = [await page.evaluate(PAINT, tab) for tab in tabs]
    assert before[0] == after[1] != before[1]
    assert after[0] == after[2] == before[2]


CONTRASTS = (Path(__file__).parent / "contrasts.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("dark", [False, True])
async def test_text_can_be_read_in_light_and_dark(visitor: Opening, dark: bool) -> None:
    page = await visitor("Mika", dark=dark)
    address = await open_table(page, seats=3)
    poor = {"waiting room": await page.evaluate(CONTRASTS)}
    await page.goto("/")
    poor["lobby"] = await page.evaluate(CONTRASTS)
    for path in ("/about", "/rules/hanging-gardens", "/name", "/nowhere"):
        await page.goto(path)
        poor[path] = await page.evaluate(CONTRASTS)
    await open_table(page, seats=3, bots=True)
    poor["table"] = await page.evaluate(CONTRASTS)
    assert address
    assert {place: found for place, found in poor.items() if found} == {}
