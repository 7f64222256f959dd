"""Keeping order, as a story in both languages: the first owner looks, pauses, sets back, ends, announces and bans."""

import asyncio
import os
import re
import sys

import pytest
from playwright.async_api import Page, expect

from app.i18n import sentence
from tests.e2e.conftest import ROOT, Opening, Running

pytestmark = pytest.mark.e2e
PASSWORD = "three odd words"
SLOWLY = 60_000


async def make_owner(database: str, name: str) -> None:
    """As the README says."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "app", "make-admin", name, cwd=ROOT, env={**os.environ, "DATABASE_URL": database}
    )
    assert await process.wait() == 0


async def owner(visitor: Opening, database: str, language: str, *, phone: bool = False) -> Page:
    """Olga, who has an account and owns the server; her browser runs no scripts."""
    page: Page = await visitor(language=language, script=False, phone=phone)
    page.set_default_timeout(SLOWLY)
    await page.goto("/sign-in")
    await page.fill("#new-name", "Olga")
    await page.fill("#new-password", PASSWORD)
    await page.click("#sign-up button")
    assert await page.locator("a.to-admin").count() == 0
    await make_owner(database, "Olga")
    await page.reload()
    return page


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_owner_keeps_order_at_a_table(
    running: Running, visitor: Opening, database: str, language: str
) -> None:
    def told(text: str) -> str:
        return sentence(language, text)

    olga = await owner(visitor, database, language, phone=language == "ja")
    mika = await visitor("Mika", language=language)
    mika.set_default_timeout(SLOWLY)
    await mika.context.request.post(
        "/tables",
        form={"game": "hanging_gardens", "seats": "2", "do": "bots", "bot": "random", "option.first": "1"},
        headers={"Origin": running.url},
    )
    await mika.goto("/")
    await mika.locator("a[href^='/tables/']").first.click()
    await expect(mika.locator("#zone-status[data-turn=mine]")).to_be_attached(timeout=SLOWLY)

    await olga.click("a.to-admin")
    await expect(olga.locator("h1")).to_have_text(told("The server at a glance"))
    await olga.click("#parts a[href='/admin/tables']")
    await olga.locator("table a.link").first.click()
    await expect(olga.locator(".verdict h1")).to_have_text(told("Table %(number)s") % {"number": 1})

    await olga.select_option("select[name=seat] >> nth=0", "1")
    await olga.click("button[value=see]")
    await expect(olga.locator("#board")).to_be_visible()
    await olga.click(".tools a[href='/admin/tables/1']")

    await olga.click("button[value=pause]")
    await expect(olga.get_by_role("alert")).to_contain_text(
        told("Please write down why: it stands in the record, and on the table.")
    )
    await olga.fill("#why", "Checking a report")
    await olga.click("button[value=pause]")
    await expect(olga.locator("main").get_by_role("status").first).to_contain_text(told("pause"))
    await expect(mika.locator("#zone-fate")).to_contain_text("Checking a report", timeout=SLOWLY)
    await olga.click("button[value=resume]")
    await expect(mika.locator("#zone-fate")).not_to_contain_text("Checking a report", timeout=SLOWLY)

    await olga.fill("#why", "It is late")
    await olga.click("button[value=end]")
    await expect(olga.locator(".verdict")).to_contain_text(told("ended by an admin"))
    await expect(mika.locator("#zone-status[data-turn=over]")).to_be_attached(timeout=SLOWLY)
    key = re.sub(r".*/tables/", "", mika.url)
    await mika.goto(f"/tables/{key}/log")
    for act in ("paused the table", "let the table go on", "ended the game, unrated"):
        await expect(mika.locator(".by-admin").filter(has_text=told(act))).to_be_visible()
    await expect(mika.locator(".by-admin")).to_have_count(4)

    await olga.click("#parts a[href='/admin/audit']")
    await expect(olga.locator("tbody tr")).to_have_count(5)
    await expect(olga.locator("tbody")).to_contain_text("It is late")


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_owner_runs_the_house(running: Running, visitor: Opening, database: str, language: str) -> None:
    olga = await owner(visitor, database, language)
    mika = await visitor("Mika", language=language)
    mika.set_default_timeout(SLOWLY)

    await olga.goto("/admin/settings")
    await olga.fill(f"textarea[name='announcement.{language}']", "Tournament · 大会")
    await olga.fill("input[name=tables_per_person]", "0")
    await olga.locator("form.grid-form").evaluate("form => form.noValidate = true")
    await olga.click("form.grid-form button.main")
    await expect(olga.get_by_role("alert")).to_be_visible()
    await olga.fill("input[name=tables_per_person]", "5")
    await olga.click("form.grid-form button.main")
    await expect(olga.locator("#announced")).to_have_text("Tournament · 大会")
    await asyncio.sleep(2.5)
    await mika.goto("/")
    await expect(mika.locator("#announced")).to_have_text("Tournament · 大会")

    box = (ROOT / "app/games/hanging_gardens/editions/house.toml").read_text(encoding="utf-8")
    file = {
        "name": "club.toml",
        "mimeType": "application/toml",
        "buffer": box.replace("coins = 2", "coins = 5").encode(),
    }
    await olga.goto("/admin/settings")
    await olga.select_option(".upload select[name=game]", "hanging_gardens")
    await olga.fill(".upload input[name=name]", "rich")
    await olga.set_input_files(".upload input[type=file]", file)  # type: ignore[arg-type]  # a FilePayload
    await olga.click(".upload button")
    await expect(olga.locator("h1")).to_contain_text("rich")
    await olga.locator("a[href$='/rich/board']").click()
    await expect(olga.locator("#board")).to_be_visible()

    await olga.goto("/admin/people?q=Mika")
    await olga.locator("table a.link").first.click()
    await olga.fill("#why", "insults · 侮辱")
    await olga.click("button[value=ban]")
    await expect(olga.locator("dd.bad")).to_contain_text("insults · 侮辱")
    await asyncio.sleep(2.5)
    await mika.goto("/me")
    await mika.wait_for_url(lambda url: "/sign-in" in url or "/name" in url)
