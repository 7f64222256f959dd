"""Two server processes on one database just work."""

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import expect_live, open_table, play_all

pytestmark = [pytest.mark.e2e, pytest.mark.shared]


async def test_a_game_over_two_processes(visitor: Opening) -> None:
    pages = [await visitor(name, motion=True) for name in ("Mika", "Nabu", "Eve")]
    mika, nabu, eve = pages
    address = await open_table(mika, seats=3)
    for page in (nabu, eve):
        await page.goto(address)
        await page.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    await mika.locator('form[action$="/start"] button:enabled').click()
    for page in pages:
        await expect(page.locator("#board")).to_be_visible()
        await expect_live(page)
    await play_all(pages)
    for page in pages:
        await expect(page.locator("#zone-result")).to_be_visible()
