"""Talk in browsers, on a server of two processes: two players and one who watches, in both languages."""

import asyncpg
import pytest
from playwright.async_api import Page, expect

from tests.e2e.conftest import Fresh, Opening, Running
from tests.e2e.playing import expect_live, open_table

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
SLOW = 20_000


async def begun(mika: Page, nabu: Page) -> str:
    """A table at which both sit; its address."""
    address = await open_table(mika, seats=2, first="1")
    await nabu.goto(address)
    await nabu.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    start = mika.locator('form[action$="/start"] button')
    await expect(start).to_be_enabled(timeout=SLOW)
    await start.click()
    for page in (mika, nabu):
        await expect(page.locator("#board")).to_be_visible(timeout=SLOW)
        await expect_live(page)
    return address


async def open_talk(page: Page) -> None:
    """Opens the drawer, if it is shut."""
    if await page.locator("aside#talk").is_hidden():
        await page.locator("[data-opens=talk]").click()
    await expect(page.locator("aside#talk")).to_be_visible()


async def say(page: Page, words: str) -> None:
    """Writes and sends by Enter, and sees it said."""
    await page.fill("#words", words)
    await page.press("#words", "Enter")
    await expect(page.locator("#zone-talk .words", has_text=words).last).to_be_visible(timeout=SLOW)
    await expect(page.locator("#words")).to_have_value("")


@pytest.mark.parametrize(
    ("language", "hello", "whisper", "watching"),
    [
        ("en", "that palm was mine", "bob holds the lion", "Only those who watch"),
        ("ja", "その椰子、狙ってたのに", "獅子を持っている", "観戦者だけ"),
    ],
)
async def test_two_players_and_one_who_watches_talk_and_one_is_not_heard_any_more(
    visitor: Opening, language: str, hello: str, whisper: str, watching: str
) -> None:
    mika, nabu = await visitor("Mika", language=language), await visitor("Nabu", language=language, phone=True)
    eve = await visitor("Eve", language=language)
    address = await begun(mika, nabu)
    await eve.goto(address)
    await expect_live(eve)

    await open_talk(mika)
    await say(mika, hello)
    badge = nabu.locator("[data-opens=talk] .unread")
    await expect(badge).to_be_visible(timeout=SLOW)
    await expect(badge.locator("b")).to_have_text("1")
    await expect(nabu.locator("#talk-news")).to_contain_text(f"Mika: {hello}", timeout=SLOW)
    await open_talk(nabu)
    await expect(badge).to_be_hidden()
    await expect(nabu.locator("#zone-talk .words")).to_have_text([hello])

    await open_talk(eve)
    await expect(eve.locator("#zone-talk .words")).to_have_text([hello])
    await expect(eve.locator("#to-whom")).to_contain_text(watching)
    await say(eve, whisper)
    await say(nabu, "hm…")
    await expect(mika.locator("#zone-talk .words")).to_have_text([hello, "hm…"], timeout=SLOW)
    await expect(eve.locator("#zone-talk .words")).to_have_text([hello, whisper, "hm…"], timeout=SLOW)
    for seat in (mika, nabu):
        assert whisper not in await seat.content()

    about = mika.locator("#zone-talk .on-remark")
    await about.locator("summary").click()
    await about.locator("button[name=mute]").click()
    await expect(mika.locator("#zone-talk .words")).to_have_text([hello], timeout=SLOW)
    await say(nabu, "!?")
    await expect(eve.locator("#zone-talk .words")).to_have_count(4, timeout=SLOW)
    await expect(mika.locator("#zone-talk .words")).to_have_text([hello])
    beside = await mika.context.new_page()
    await beside.goto("/me/preferences#muted")
    await beside.locator("#muted button[name=who]").click()
    await expect(beside.locator("#muted bdi")).to_have_count(0)
    await expect(mika.locator("#zone-talk .words")).to_have_text([hello, "hm…", "!?"], timeout=SLOW)


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_enter_that_ends_a_conversion_sends_nothing(visitor: Opening, language: str) -> None:
    """A24, with Chromium's own composition, and with the two ways in which browsers tell of that Enter."""
    mika = await visitor("Mika", language=language)
    await open_table(mika, seats=1)
    await expect_live(mika)
    await open_talk(mika)
    field = mika.locator("#words")
    await field.focus()
    browser = await mika.context.new_cdp_session(mika)
    await browser.send("Input.imeSetComposition", {"text": "にわ", "selectionStart": 2, "selectionEnd": 2})
    await expect(field).to_have_value("にわ")
    enter = """(field, more) => field.dispatchEvent(
        new KeyboardEvent("keydown", {key: "Enter", code: "Enter", bubbles: true, cancelable: true, ...more}))"""
    for more in ({"isComposing": True, "keyCode": 229}, {"isComposing": True}, {"keyCode": 229}):
        assert await field.evaluate(enter, more), "the browser's own doing is not prevented"
    await browser.send("Input.insertText", {"text": "庭"})
    await expect(field).to_have_value("庭")
    await mika.wait_for_timeout(600)
    await expect(mika.locator("#zone-talk .words")).to_have_count(0)
    await mika.keyboard.press("Shift+Enter")
    await mika.keyboard.type("2")
    await expect(field).to_have_value("庭\n2")
    await mika.keyboard.press("Enter")
    await expect(mika.locator("#zone-talk .words")).to_have_text(["庭\n2"], timeout=SLOW)
    await expect(field).to_have_value("")
    await mika.wait_for_timeout(600)
    await expect(mika.locator("#zone-talk .words")).to_have_count(1)


async def test_what_is_being_written_survives_news_refusals_lost_lines_and_reloading(
    visitor: Opening, running: Running
) -> None:
    mika, nabu = await visitor("Mika"), await visitor("Nabu")
    await begun(mika, nabu)
    await open_talk(mika)
    await open_talk(nabu)
    await mika.fill("#words", "half a sent")
    await mika.evaluate("document.getElementById('words').setSelectionRange(4, 4)")
    await say(nabu, "come on")
    await expect(mika.locator("#zone-talk .words")).to_have_text(["come on"], timeout=SLOW)
    await expect(mika.locator("#words")).to_have_value("half a sent")
    assert await mika.evaluate("document.getElementById('words').selectionStart") == 4

    await mika.fill("#words", "あ" * 501)
    await mika.press("#words", "Enter")
    await expect(mika.locator("#zone-talk-said")).to_contain_text("At most 500 characters", timeout=SLOW)
    await expect(mika.locator("#words")).to_have_value("あ" * 501)

    await mika.fill("#words", "is anybody there")
    await mika.context.set_offline(True)
    await mika.press("#words", "Enter")
    await expect(mika.locator("#zone-talk-said")).to_contain_text("still here", timeout=SLOW)
    await expect(mika.locator("#words")).to_have_value("is anybody there")
    await mika.context.set_offline(False)
    await expect_live(mika)
    await open_talk(mika)
    await expect(mika.locator("#words")).to_have_value("is anybody there")
    await mika.reload()
    await open_talk(mika)
    await expect(mika.locator("#words")).to_have_value("is anybody there")
    await mika.press("#words", "Enter")
    await expect(nabu.locator("#zone-talk .words")).to_have_text(["come on", "is anybody there"], timeout=SLOW)
    await expect(mika.locator("#words")).to_have_value("")
    await mika.reload()
    await expect(mika.locator("#words")).to_have_value("")


@pytest.mark.parametrize(
    ("language", "taken", "silent"),
    [
        ("en", "Taken away by those who keep order.", "but not speak"),
        ("ja", "管理者が削除しました。", "発言はできません"),
    ],
)
async def test_a_report_is_settled_by_a_moderator(
    visitor: Opening, database: str, fresh: Fresh, language: str, taken: str, silent: str
) -> None:
    name = fresh("Mo")
    mika, nabu, mo = [await visitor(each, language=language) for each in ("Mika", "Nabu", name)]
    await begun(mika, nabu)
    for page in (mika, nabu):
        await open_talk(page)
    await say(nabu, "you fool")
    about = mika.locator("#zone-talk .on-remark")
    await expect(about).to_be_visible(timeout=SLOW)
    await about.locator("summary").click()
    await about.locator("button[name=report]").click()
    await expect(mika.locator("#zone-talk-said")).to_be_visible(timeout=SLOW)

    connection = await asyncpg.connect(database)
    await connection.execute("UPDATE users SET role = 'moderator' WHERE name = $1", name)
    await connection.close()
    await mo.goto("/admin")
    await mo.locator("#parts a[href='/admin/reports']").click()
    report = mo.locator(".reported")
    await expect(report.locator(".is-reported .words")).to_have_text("you fool")
    await report.locator("input[name=reason]").fill("rude")
    await report.locator("button[value=both]").click()
    await expect(mo.locator(".reported")).to_have_count(0)
    for page in (mika, nabu):
        await expect(page.locator("#zone-talk .words")).to_have_text([taken], timeout=SLOW)
    await nabu.fill("#words", "but")
    await nabu.press("#words", "Enter")
    await expect(nabu.locator("#zone-talk-said")).to_contain_text(silent, timeout=SLOW)
    await expect(nabu.locator("#words")).to_have_value("but")


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_without_script_one_talks_by_plain_forms(visitor: Opening, language: str) -> None:
    mika, nabu = await visitor("Mika", language=language), await visitor("Nabu", language=language, script=False)
    address = await begun_without_script(mika, nabu)
    await nabu.goto(address)
    await nabu.locator(".to-talk").click()
    await nabu.fill("#words", "hello by hand")
    await nabu.locator("#say button").click()
    await expect(nabu.locator(".talk-page .words")).to_have_text(["hello by hand"])
    await open_talk(mika)
    await say(mika, "hello")
    await nabu.reload()
    await expect(nabu.locator(".talk-page .words")).to_have_text(["hello by hand", "hello"])
    await nabu.fill("#words", "x" * 501)
    await nabu.locator("#say button").click()
    await expect(nabu.locator("#zone-talk-said")).to_be_visible()
    await expect(nabu.locator("#words")).to_have_value("x" * 501)
    await nabu.locator(".talk-page .on-remark summary").click()
    await nabu.locator(".talk-page .on-remark button[name=mute]").click()
    await expect(nabu.locator(".talk-page .words")).to_have_text(["hello by hand"])


async def begun_without_script(mika: Page, nabu: Page) -> str:
    """A table at which both sit, the second without script."""
    address = await open_table(mika, seats=2, first="1")
    await nabu.goto(address)
    await nabu.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    start = mika.locator('form[action$="/start"] button')
    await expect(start).to_be_enabled(timeout=SLOW)
    await start.click()
    await expect(mika.locator("#board")).to_be_visible(timeout=SLOW)
    await expect_live(mika)
    return address


async def test_in_the_waiting_room_those_who_are_there_talk(visitor: Opening) -> None:
    mika, nabu = await visitor("Mika"), await visitor("Nabu", phone=True)
    address = await open_table(mika, seats=2, first="1")
    await nabu.goto(address)
    for page in (mika, nabu):
        await expect_live(page)
    await say(nabu, "is this seat free?")
    await expect(mika.locator("#zone-talk .words")).to_have_text(["is this seat free?"], timeout=SLOW)
    await say(mika, "do sit down")
    await expect(nabu.locator("#zone-talk .words")).to_have_count(2, timeout=SLOW)
    await mika.locator("#who-hears summary").click()
    await mika.locator("#who-hears button[value=off]").click()
    await expect(nabu.locator("#to-whom")).to_contain_text("ended the talk", timeout=SLOW)
    await expect(nabu.locator("#say")).to_be_hidden()
