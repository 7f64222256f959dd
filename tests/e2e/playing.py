"""Playing in a browser: by the buttons of the page, fast."""

from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Locator, Page, expect


async def open_table(
    page: Page, *, seats: int, bots: bool = False, first: str = "", game: str = "hanging_gardens", **options: str
) -> str:
    """Opens a table from the lobby; its address."""
    if urlsplit(page.url).path != "/":
        await page.goto("/")
    form = page.locator(f'#new-table details:has(input[name="game"][value="{game}"])')
    if await form.get_attribute("open") is None:
        await form.locator("> summary").click()
    await choose(form, "seats", str(seats))
    if first:
        options["first"] = first
    for name, value in options.items():
        await choose(form, f"option.{name}", value)
    await form.locator(f"button[name=do][value={'bots' if bots or seats == 1 else 'open'}]:visible").first.click()
    await page.wait_for_url("**/tables/*")
    return page.url


async def choose(form: Locator, name: str, value: str) -> None:
    """Chooses one of a few, by its label."""
    await form.locator(f'input[name="{name}"][value="{value}"]').locator("xpath=ancestor::label").click()


async def version(page: Page) -> int:
    """How many entries the page knows."""
    return int(await page.locator("#zone-status").get_attribute("data-version") or -1)


async def turn(page: Page) -> str:
    """Whose turn the page says it is: ``mine``, ``other`` or ``over``."""
    return await page.locator("#zone-status").get_attribute("data-turn") or ""


CHOOSE = """(pick) => {
  const status = document.getElementById("zone-status");
  const turn = status.dataset.turn;
  if (turn !== "mine" || "sending" in document.documentElement.dataset) return turn;
  const buttons = [...document.querySelectorAll('#zone-choices button[form=act][name=action]')];
  if (!buttons.length) return turn;
  buttons[pick % buttons.length].click();
  return "acted";
}"""


async def play_all(pages: list[Page], *, moves: int = 400) -> None:
    """Each page acts by one of its buttons when it is its turn, until the game is over or so many moves are made."""
    acted = 0
    for step in range(4000):
        turns: list[Any] = []
        for page in pages:
            said = await page.evaluate(CHOOSE, step * 7 + 3)
            acted += said == "acted"
            turns.append(said)
        if all(said == "over" for said in turns) or acted >= moves:
            return
        await pages[0].wait_for_timeout(15)
    raise AssertionError(f"the game did not end: {turns}")


async def expect_live(page: Page) -> None:
    """The page says that its line is open."""
    await expect(page.locator("html")).to_have_attribute("data-connection", "open", timeout=12_000)


async def expect_same(page: Page, other: Page, *, seconds: float = 15) -> None:
    """Both pages come to know equally many entries, while bots may go on playing."""
    for _ in range(int(seconds * 10)):
        if await version(page) == await version(other) >= 0:
            return
        await page.wait_for_timeout(100)
    raise AssertionError(f"{await version(page)} entries here, {await version(other)} there")
