"""Life at the table in browsers: fair shuffles, log, replay, analysis, coming back, statistics, a shared device."""

import re

import asyncpg
import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Opening
from tests.e2e.playing import CHOOSE, expect_live, open_table, play_all, version

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
SLOW = 15_000


async def step(page: Page) -> None:
    """One choice by the page's buttons, seen on the page."""
    before = await page.locator("#zone-status").get_attribute("data-version")
    assert await page.evaluate(CHOOSE, 3) == "acted"
    await expect(page.locator("#zone-status")).not_to_have_attribute("data-version", before or "", timeout=SLOW)


@pytest.mark.parametrize(("language", "fair"), [("en", "The shuffle was fair"), ("ja", "シャッフルは公正でした")])
async def test_a_browser_checks_the_shuffle_tells_the_points_and_replays(
    visitor: Opening, language: str, fair: str
) -> None:
    mika = await visitor("Mika", language=language)
    address = await open_table(mika, seats=2, bots=True)
    await expect_live(mika)
    seal = await mika.locator("#zone-drawer [data-seal]").get_attribute("data-seal")
    assert await mika.locator("#zone-drawer [data-seal]").get_attribute("data-seed") == ""
    await play_all([mika])

    await mika.locator("[data-opens=log]").click()
    checked = mika.locator("#zone-drawer [data-seal]")
    await expect(checked).to_have_attribute("data-checked", "fits", timeout=SLOW)
    await expect(checked).to_contain_text(fair)
    assert await checked.get_attribute("data-seal") == seal
    await expect(mika.locator("#log-entries .gains").first).to_be_visible(timeout=SLOW)
    await mika.locator("#log-filter [name=what]").select_option("took")
    await expect(mika.locator("#log-entries .log-entry").first).to_be_visible(timeout=SLOW)
    await mika.locator("[data-closes=log]").click()

    await mika.locator("#zone-after .to-statistics").click()
    await expect(mika.locator(".chart").first).to_be_visible()
    await mika.locator(".as-table summary").first.click()
    await expect(mika.locator(".as-table table").first).to_be_visible()

    await mika.goto(f"{address}?at=0")
    await expect(mika.locator("#replay [data-seal]")).to_have_attribute("data-checked", "fits", timeout=SLOW)
    await mika.locator("#speed").select_option("4")
    await mika.locator("#play").click()
    await expect(mika.locator("#moment")).to_have_attribute("data-at", re.compile("[3-9]"), timeout=SLOW)
    await mika.locator("#play").click()
    await mika.locator("#track a").nth(5).click()
    at = await mika.locator("#track a").nth(5).get_attribute("data-at")
    await expect(mika.locator("#moment")).to_have_attribute("data-at", at or "", timeout=SLOW)
    assert f"at={at}" in mika.url
    await mika.locator(".places [name=as]").select_option("1")
    await expect(mika.locator("#zone-player-0 #player-2")).to_be_visible(timeout=SLOW)
    assert "as=1" in mika.url


async def test_a_seal_that_does_not_fit_is_told(visitor: Opening) -> None:
    mika = await visitor("Mika")
    address = await open_table(mika, seats=1)
    await play_all([mika])
    await mika.goto(f"{address}/shuffle")
    verdict = mika.locator("main [data-seal]")
    await expect(verdict).to_have_attribute("data-checked", "fits", timeout=SLOW)
    await mika.evaluate("document.querySelector('main [data-seal]').dataset.seed += '0'")
    await mika.evaluate("document.dispatchEvent(new CustomEvent('htmx:after:swap'))")
    await expect(verdict).to_have_attribute("data-checked", "differs", timeout=SLOW)
    await expect(verdict.locator(".if-differs")).to_be_visible()
    await mika.evaluate(
        "localStorage.setItem(`seal:${document.querySelector('main [data-seal]').dataset.table}`, 'x')"
    )
    await mika.reload()
    await expect(verdict).to_have_attribute("data-checked", "changed", timeout=SLOW)


@pytest.mark.parametrize(("language", "marked"), [("en", "Analysis"), ("ja", "検討")])
async def test_an_analysis_lies_beside_the_table_and_never_in_it(
    visitor: Opening, language: str, marked: str
) -> None:
    mika, nabu = await visitor("Mika", language=language), await visitor("Nabu")
    address = await open_table(mika, seats=2, first="1")
    await nabu.goto(address)
    await nabu.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    start = mika.locator('form[action$="/start"] button')
    await expect(start).to_be_enabled(timeout=SLOW)
    await start.click()
    await expect(mika.locator("#board")).to_be_visible(timeout=SLOW)
    await expect(nabu.locator("#board")).to_be_visible(timeout=SLOW)
    beside = await mika.context.new_page()
    await beside.goto(f"{address}/analysis")
    await expect(beside.locator(".chip")).to_contain_text(marked)
    for _ in range(3):
        await step(beside)
    assert beside.url.count("~") == 2
    await expect_live(mika)
    assert await version(mika) == await version(nabu) == 0
    await step(mika)
    line = beside.url
    await expect(nabu.locator("#zone-status")).to_have_attribute("data-version", "1", timeout=SLOW)
    assert beside.url == line
    await beside.locator("#zone-action button[value=undo]").click()
    await expect(beside.locator("#zone-status")).to_have_attribute("data-version", "2", timeout=SLOW)
    assert beside.url.count("~") == 1
    await beside.goto(beside.url)
    await expect(beside.locator("#zone-status")).to_have_attribute("data-version", "2")


@pytest.mark.parametrize(("language", "words"), [("en", "Since you left"), ("ja", "離れていた間")])
async def test_who_comes_back_sees_on_the_board_what_happened(
    visitor: Opening, database: str, language: str, words: str
) -> None:
    mika = await visitor("Mika", language=language, phone=language == "ja")
    address = await open_table(mika, seats=3, bots=True, first="1")
    await expect_live(mika)
    await play_all([mika], moves=6)
    await expect(mika.locator("#zone-status")).to_have_attribute("data-turn", "mine", timeout=SLOW)
    await mika.goto("/about")
    connection = await asyncpg.connect(database)
    await connection.execute("UPDATE visits SET version = 2, at = now() - interval '1 hour'")
    await connection.close()
    await mika.goto(address)
    await expect(mika.locator("#recap")).to_contain_text(words)
    lines = mika.locator("#recap .moves a")
    first = await lines.first.get_attribute("data-at")
    await expect(mika.locator("#moment")).to_have_attribute("data-at", first or "", timeout=SLOW)
    await expect(lines.first).to_have_attribute("aria-current", "")
    await mika.locator("#moment .main").click()
    await expect_live(mika)
    await expect(mika.locator("#recap")).to_have_count(0)


@pytest.mark.parametrize(("language", "share"), [("en", "Sits beside me"), ("ja", "隣に座る")])
async def test_two_people_play_a_whole_game_at_one_device(visitor: Opening, language: str, share: str) -> None:
    mika, eve = await visitor("Mika", language=language), await visitor("Eve")
    address = await open_table(mika, seats=2, first="1")
    await mika.locator("#zone-shared summary").click()
    await mika.fill("#beside-name", "ナブ")
    await mika.get_by_role("button", name=share).click()
    await expect(mika.locator("#zone-seats")).to_contain_text("ナブ", timeout=SLOW)
    start = mika.locator('form[action$="/start"] button')
    await expect(start).to_be_enabled(timeout=SLOW)
    await start.click()
    await expect_live(mika)
    await eve.goto(address)
    await play_all([mika])
    await expect(mika.locator("#zone-result")).to_be_visible(timeout=SLOW)
    await expect(eve.locator("#zone-result")).to_be_visible(timeout=SLOW)
    await expect(mika.locator("#zone-result")).to_contain_text("ナブ")
