"""A25: nothing is told by colour alone; text can be read."""

from itertools import combinations
from pathlib import Path

import pytest

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
