"""The server is asked to end and is started again, as an upgrade does it."""

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Opening, Running
from tests.e2e.playing import expect_live, play_all, play_out, version
from tests.e2e.test_broken_lines import shows, two_at_a_table

pytestmark = pytest.mark.e2e

LISTEN = """() => {
  window.closedWith = [];
  document.addEventListener("htmx:ws:close", (event) => window.closedWith.push(event.detail.code));
}"""


async def test_pages_are_told_that_we_start_again_and_are_back_by_themselves(
    visitor: Opening, running: Running, database: str
) -> None:
    mika, nabu, _ = await two_at_a_table(visitor)
    await play_all([mika, nabu], moves=7)
    for page in (mika, nabu):
        await shows(page, 7)
        await page.evaluate(LISTEN)
    running.restart()
    for page in (mika, nabu):
        await page.wait_for_function("() => window.closedWith.length", timeout=15_000)
        assert (await page.evaluate("() => window.closedWith"))[0] == 1012
    await running.start()
    for page in (mika, nabu):
        await expect_live(page)
        await expect(page.locator("#connection")).to_be_hidden()
        assert await version(page) == 7
    await play_all([mika, nabu], moves=20)
    await play_out([mika, nabu], database)
    for page in (mika, nabu):
        await expect(page.locator("#zone-result")).to_be_visible()
