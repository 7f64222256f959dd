"""Time at a table in real browsers: agreed, counted down, up; then one gives up."""

import re

import pytest
from playwright.async_api import Page, expect

from app.i18n import LANGUAGES
from tests.e2e.conftest import Opening
from tests.e2e.playing import CHOOSE, choose, expect_live

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
SLOW = 60_000
WORDS = {
    "en": {
        "agreed": "At one sitting",
        "wish": "would like to call the game off",
        "won": "You win",
        "gave": "gave up",
    },
    "ja": {"agreed": "その場で", "wish": "中止を希望しています", "won": "あなたの勝ち", "gave": "投了しました"},
}


async def seconds(page: Page) -> int:
    """What my clock shows."""
    shown = page.locator(".clock.is-mine time, .clock.is-mine > span:not([class])")
    minutes, _, rest = (await shown.inner_text()).partition(":")
    return int(minutes) * 60 + int(rest)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_two_play_by_the_clock_until_one_gives_up(visitor: Opening, language: str) -> None:
    words = WORDS[language]
    mika, nabu = await visitor("Mika", language=language), await visitor("Nabu", language=language, phone=True)
    for page in (mika, nabu):
        page.set_default_timeout(SLOW)
    await mika.goto("/")
    form = mika.locator('#new-table details:has(input[name="game"][value="hanging_gardens"])')
    await choose(form, "seats", "2")
    await choose(form, "option.first", "1")
    await choose(form, "pace", "live")
    await expect(form.locator("select[name=hours]")).to_be_hidden()
    await form.locator("select[name=live]").select_option("600-10")
    await form.locator("select[name=up]").select_option("bot")
    await form.locator("button[name=do][value=open]:visible").click()
    await mika.wait_for_url("**/tables/*")
    await expect(mika.locator("#zone-options")).to_contain_text(words["agreed"])
    await nabu.goto(mika.url)
    await nabu.locator("#zone-start .now").click()
    await mika.locator('form[action$="/start"] button:enabled').click()
    for page in (mika, nabu):
        await expect(page.locator("#board")).to_be_visible(timeout=SLOW)
        await expect_live(page)

    # Mika's clock runs, as the server says; Nabu's stands.
    await expect(mika.locator(".clock.is-running.is-mine time")).to_have_text(re.compile(r"^\d+:\d\d$"), timeout=SLOW)
    before = await seconds(mika)
    await mika.wait_for_timeout(2500)
    assert 1 <= before - await seconds(mika) <= 30
    assert await seconds(nabu) == 600
    for pick in range(200):
        if await mika.evaluate(CHOOSE, pick) == "other":
            break
        await mika.wait_for_timeout(100)
    await expect(nabu.locator(".clock.is-running.is-mine")).to_be_visible(timeout=SLOW)

    # Nabu asks to call it off; Mika plays on, and Nabu gives up.
    await nabu.locator(".to-log").click()
    ending = nabu.locator(".ending")
    await ending.first.locator("summary").click()
    await ending.first.locator("button").click()
    await expect(mika.locator("#zone-fate")).to_contain_text(words["wish"], timeout=SLOW)
    await mika.locator("#zone-fate [value=unwish]").click()
    await expect(nabu.locator("#zone-fate form.wish")).to_have_count(0, timeout=SLOW)
    await expect_live(nabu)
    await nabu.locator(".to-log").click()
    await ending.last.locator("summary").click()
    await ending.last.locator("button").click()
    await expect(mika.locator("#zone-action")).to_contain_text(words["won"], timeout=SLOW)
    await mika.locator(".to-log").click()
    await expect(mika.locator("#log-entries")).to_contain_text(words["gave"], timeout=SLOW)
