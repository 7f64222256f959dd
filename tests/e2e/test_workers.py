"""Two server processes on one database just work."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.conftest import Running
from tests.e2e.playing import expect_live, open_table, play_all

pytestmark = pytest.mark.e2e


@pytest.fixture
async def two_workers(database: str, tmp_path: Path) -> AsyncIterator[Running]:
    made = Running(database, tmp_path, workers=2)
    await made.start()
    yield made
    made.stop()


async def test_a_game_over_two_processes(browser: Browser, two_workers: Running) -> None:
    pages = []
    for name in ("Mika", "Nabu", "Eve"):
        context = await browser.new_context(base_url=two_workers.url)
        page = await context.new_page()
        await page.goto("/name?next=/")
        await page.fill("input[name=name]", name)
        await page.locator("main form button").first.click()
        await page.wait_for_url(lambda url: "/name" not in url)
        pages.append(page)
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
        await page.context.close()
