"""How somebody likes to play, in real browsers and two processes; and what they made of their games."""

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.async_api import Page, expect
from sqlalchemy import text

from app.config import Settings
from app.engine import log, notation
from app.games import load
from app.i18n import LANGUAGES
from tests.conftest import account, server_on
from tests.e2e.conftest import Fresh, Opening
from tests.e2e.playing import expect_live, open_table, play_all, turn, version
from tests.services.endings import ended
from tests.web.playing import finish

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
every_language = pytest.mark.parametrize("language", LANGUAGES)
WORDS = {
    "en": {"ends": "This ends your turn.", "yes": "Yes, do it", "saved": "Saved."},
    "ja": {"ends": "これで手番が終わります。", "yes": "はい、進める", "saved": "保存しました"},
}
PAINT = """(seat) => getComputedStyle(document.documentElement).getPropertyValue(`--seat-${seat}`).trim()"""
ACTIONS = """() => [...document.querySelectorAll("#zone-choices button[name=action]")].map((each) => each.value)"""


async def choose(page: Page, *, on: tuple[str, ...] = (), **radios: str) -> None:
    """Fills in how one likes to play, and saves it."""
    await page.goto("/me/preferences#playing")
    form = page.locator("#playing")
    for name in on:
        await form.locator(f"input[name={name}]").check(force=True)
    for name, value in radios.items():
        await form.locator(f'input[name={name}][value="{value}"]').check(force=True)
    await form.locator(".save button").click()
    await expect(form.locator("[role=status]")).to_be_visible()


async def until_mine(page: Page) -> None:
    """Bots play until it is this page's turn."""
    for _ in range(600):
        if await turn(page) == "mine" and await page.evaluate(ACTIONS):
            return
        await page.wait_for_timeout(50)
    raise AssertionError("the turn never came")


async def do(page: Page, value: str) -> None:
    """Clicks the button of an action, in the list of all choices."""
    await page.evaluate(
        """(value) => document.querySelector(`#zone-choices button[name=action][value="${value}"]`).click()""", value
    )


async def take_steps(page: Page, *, steps: int = 60) -> None:
    """Makes steps that do not end a turn of several, until the page asks whether this one shall."""
    for _ in range(steps):
        await until_mine(page)
        values = await page.evaluate(ACTIONS)
        before = await version(page)
        await do(page, values[-1])
        question = page.locator("#zone-refusal.is-question")
        for _ in range(100):
            if await question.is_visible():
                return
            if await version(page) > before:
                break
            await page.wait_for_timeout(50)
    raise AssertionError("nothing was asked")


@every_language
async def test_the_end_of_a_turn_is_asked_once_more_with_undo_instead(visitor: Opening, language: str) -> None:
    mika = await visitor("Mika", language=language)
    await choose(mika, on=("confirm",))
    await open_table(mika, seats=2, bots=True, game="babylon")
    await expect_live(mika)
    await take_steps(mika)
    question = mika.locator("#zone-refusal.is-question")
    await expect(question).to_have_attribute("role", "alertdialog")
    before = await version(mika)
    await mika.keyboard.press("Escape")
    assert await version(mika) == before
    await take_steps(mika)
    await expect(question).to_contain_text(WORDS[language]["ends"])
    await expect(question.get_by_role("button", name=WORDS[language]["yes"])).to_be_visible()
    back = question.locator("button[value=undo]")
    if await back.count():
        await back.click()
        await expect(mika.locator("#zone-status")).to_have_attribute("data-version", str(before + 1))
        await expect(question).to_be_hidden()
        await take_steps(mika)
    before = await version(mika)
    await question.locator("button.main").click()
    await expect(question).to_be_hidden()
    for _ in range(200):
        if await version(mika) > before:
            break
        await mika.wait_for_timeout(50)
    assert await version(mika) > before


@every_language
async def test_without_script_the_question_is_a_second_form(visitor: Opening, language: str) -> None:
    mika = await visitor("Mika", language=language, script=False)
    await mika.goto("/me/preferences#playing")
    await mika.locator("#playing input[name=confirm]").check(force=True)
    await mika.locator("#playing .save button").click()
    await open_table(mika, seats=1, game="hanging_gardens")
    for _ in range(30):
        buttons = mika.locator("#zone-choices button[name=action]")
        if not await buttons.count():
            await mika.reload()
            continue
        panel = mika.locator("#choices-panel")
        if await panel.get_attribute("open") is None:
            await panel.locator("summary").click()
        await buttons.last.click()
        if await mika.locator("main .is-question").count():
            break
    form = mika.locator("main .is-question")
    await expect(form.get_by_role("button", name=WORDS[language]["yes"])).to_be_visible()
    await form.locator("button.main").click()
    await expect(mika.locator("#zone-status")).to_have_count(1)


SEED = "a forced choice"


def until_forced() -> tuple[int, int, str]:
    """In the game of that seed, played on as :func:`finish` does: after how many entries an action leads to a
    forced choice that shows nothing, whose it is, and the action."""
    game = load("babylon")
    position = log.begin(game, seats=2, options=game.options_for(2), seed=SEED)
    while True:
        seat = min(position.waiting)
        legal = game.actions(position.state, seat)
        action = legal[position.version % len(legal)]
        after = log.act(game, position, seat, action)
        then = min(after.waiting)
        offered = game.actions(after.state, then)
        if len(offered) == 1 and len(after.waiting) == 1 and not game.apply(after.state, then, offered[0]).reveals:
            return position.version, seat, notation.write(action)
        position = after


@every_language
async def test_what_is_forced_is_done_by_itself_and_stands_in_the_log(
    visitor: Opening, database: str, tmp_path: Path, language: str
) -> None:
    pages = [await visitor(name, language=language) for name in ("Mika", "Nabu")]
    address = await open_table(pages[0], seats=2, game="babylon")
    key = address.rpartition("/")[2]
    await pages[1].goto(address)
    await pages[1].locator("#zone-start .now").click()
    await expect(pages[0].locator('form[action$="/start"] button:enabled')).to_be_visible()
    played, seat, action = until_forced()
    async with server_on(Settings(database_url=database, var=tmp_path)) as server:
        async with server.engine.begin() as connection:
            change = text("UPDATE tables SET seed = :seed, changed = changed + 1 WHERE key = :key")
            await connection.execute(change, {"seed": SEED, "key": key})
        await pages[0].locator('form[action$="/start"] button:enabled').click()
        await expect(pages[0].locator("#board")).to_be_visible()
        await finish(server, key, most=played)
    for page in pages:
        await choose(page, on=("auto_pass",))
        await page.goto(address)
        await expect_live(page)
        assert await version(page) == played
    await until_mine(pages[seat])
    await do(pages[seat], action)
    for _ in range(200):
        if await version(pages[0]) >= played + 2:
            break
        await pages[0].wait_for_timeout(50)
    await pages[0].goto(f"{address}/log")
    entry = pages[0].locator(f"#entry-{played + 2}")
    await expect(entry).to_be_visible()
    assert await pages[0].locator(".log-entry").count() >= 2, "one was made by hand, one by the server"


@every_language
async def test_my_colour_the_palette_and_the_speed_are_mine_everywhere(visitor: Opening, language: str) -> None:
    mika = await visitor("Mika", language=language)
    other = await visitor("Nabu", language=language)
    address = await open_table(other, seats=2, game="amyitis")
    await mika.goto(address)
    await mika.locator("#sit button, button[form=sit], #zone-start button").first.click()
    await choose(mika, colour="5", palette="safe", speed="quick")
    await mika.goto(address)
    html = mika.locator("html")
    await expect(html).to_have_attribute("data-palette", "safe")
    await expect(html).to_have_attribute("data-speed", "quick")
    paint = "() => getComputedStyle(document.documentElement).getPropertyValue('--paint-5').trim()"
    assert await mika.evaluate(PAINT, 2) == await mika.evaluate(paint)
    assert await other.evaluate(PAINT, 2) != await mika.evaluate(PAINT, 2)
    await mika.emulate_media(reduced_motion="reduce")
    glide = await mika.evaluate("() => getComputedStyle(document.documentElement).getPropertyValue('--glide').trim()")
    assert glide.startswith("1ms")


@every_language
async def test_a_preferred_side_holds_in_live_frames_and_can_still_be_turned(visitor: Opening, language: str) -> None:
    mika = await visitor("Mika", language=language)
    await mika.goto("/me/preferences#playing")
    await mika.locator("#babylon-side").select_option("2")
    await mika.locator("#playing .save button").click()
    await open_table(mika, seats=2, bots=True, game="babylon")
    await expect_live(mika)
    await expect(mika.locator("#zone-garden .scene")).to_have_class("scene side-2")
    await until_mine(mika)
    await do(mika, (await mika.evaluate(ACTIONS))[0])
    await until_mine(mika)
    await expect(mika.locator("#zone-garden .scene")).to_have_class("scene side-2")
    for side in (3, 0, 1):
        await mika.locator(f'a[data-view][href*="side={side}"]').first.click()
        await expect(mika.locator("#zone-garden .scene")).to_have_class(f"scene side-{side}")


@every_language
async def test_a_part_of_a_score_leads_to_the_moves_that_made_it(visitor: Opening, language: str) -> None:
    mika = await visitor("Mika", language=language)
    await open_table(mika, seats=2, bots=True, game="hanging_gardens")
    await expect_live(mika)
    await play_all([mika], moves=200)
    part = mika.locator("#zone-result tbody td[data-explains]").first
    await part.click()
    await expect(mika.locator("#log")).to_be_visible()
    chosen = await mika.locator("#log-filter select[name=what]").input_value()
    assert chosen == "points:" + (await part.get_attribute("data-explains") or "").split(":")[1]
    await expect(mika.locator("#log-entries .gains, #log-entries .nothing").first).to_be_visible()
    row = mika.locator("#zone-result tbody tr[data-explains]").first
    await mika.locator("#log [data-closes]").click()
    await row.focus()
    await expect(row).to_have_attribute("aria-describedby", "explains")
    await mika.keyboard.press("Enter")
    await expect(mika.locator("#log")).to_be_visible()


@every_language
@pytest.mark.parametrize("phone", [False, True])
async def test_a_profile_tells_what_somebody_made_of_a_game(
    visitor: Opening, database: str, tmp_path: Path, fresh: Fresh, language: str, phone: bool
) -> None:
    name = fresh("Carol")
    async with server_on(Settings(database_url=database, var=tmp_path)) as server:
        carol, bob = await account(server, name), await account(server, fresh("Bob"))
        for number in range(6):
            await ended(server, [carol, bob], [1, 2] if number % 3 else [2, 1])
        await ended(server, [carol, bob], [1, 2], public=False)
        await ended(server, [carol, None], [1, 2])
    page = await visitor(language=language, phone=phone)
    await page.goto(f"/@{quote(name)}")
    await page.locator("#by-game a").first.click()
    record = page.locator("#record")
    await expect(record.locator(".chart")).to_have_count(2)
    await expect(record.locator("#by-company tbody tr")).to_have_count(2)
    await expect(record.locator(".figures b").first).to_have_text("7")
    await record.locator(".as-table summary").first.click()
    await expect(record.locator(".as-table tbody tr").first).to_be_visible()
    wide = await page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
