"""A form whose answer takes a while shows that it is under way, whether htmx sends it or it leads to another page."""

import asyncio

import pytest
from playwright.async_api import Route, expect

from app.i18n import sentence
from tests.e2e.conftest import Fresh, Opening, Running

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
NOTED = """new MutationObserver(() => {
  const said = document.getElementById("busy")?.textContent;
  const button = document.querySelector("button[aria-busy=true]");
  if (said && button) sessionStorage.setItem("said", `${said} ${button.value}`);
}).observe(document, { subtree: true, childList: true, attributes: true });"""


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_a_slow_answer_is_seen_to_be_under_way(
    running: Running, visitor: Opening, fresh: Fresh, language: str
) -> None:
    words = sentence(language, "One moment, please.")
    page = await visitor(fresh("Mika"), language=language)
    await page.add_init_script(NOTED)
    await page.goto("/")

    async def slowly(route: Route) -> None:
        await asyncio.sleep(2)
        await route.continue_()

    async def said() -> str:
        told = await page.evaluate("sessionStorage.getItem('said')")
        await page.evaluate("sessionStorage.clear()")
        return str(told)

    await page.route("**/tables", slowly)
    await page.click("#new-table details[open] button[value=open]")
    await page.wait_for_url("**/tables/*", timeout=60_000)
    assert await said() == f"{words} open"
    await page.route("**/seat", slowly)
    await page.click(".bay button[value=ready]")
    await expect(page.locator("html[data-busy]")).to_be_attached()
    await expect(page.locator(".bay button[value=unready]")).to_be_visible(timeout=60_000)
    await expect(page.locator("html[data-busy]")).to_have_count(0)
    assert await said() == f"{words} ready"
    await page.unroute_all()
