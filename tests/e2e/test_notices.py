"""Who is away is told, once, and who looks is not: by two server processes, with a mail server and a push service."""

import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from playwright.async_api import Page, expect

from app.i18n import LANGUAGES
from tests.e2e.conftest import Opening, Running
from tests.e2e.playing import CHOOSE, expect_live, open_table, turn
from tests.push_service import Gadget, PushService, push_service
from tests.sink import Sink, body_of, sinking

pytestmark = pytest.mark.e2e
every_language = pytest.mark.parametrize("language", LANGUAGES)
WORDS = {
    "en": {"turn": "Your turn: The Hanging Gardens", "since": "Since you left:", "muted": "You hear nothing"},
    "ja": {
        "turn": "あなたの手番です:ハンギング・ガーデン",
        "since": "前回からの出来事:",
        "muted": "お知らせは届きません",
    },
}
MINE = re.compile("^● ")
HIDE = """(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SUBSCRIBE = (
    "(told) => fetch('/me/push', { method: 'POST', body: new URLSearchParams(told) }).then((answer) => answer.status)"
)


@pytest.fixture
async def sink() -> AsyncIterator[Sink]:
    async with sinking() as made:
        yield made


@pytest.fixture
async def services() -> AsyncIterator[PushService]:
    async with push_service() as made:
        yield made


@pytest.fixture
def settings(sink: Sink) -> dict[str, str]:
    return {
        "SEMIRAMIS_ADDRESS": "{url}",
        "SEMIRAMIS_SMTP_HOST": "127.0.0.1",
        "SEMIRAMIS_SMTP_PORT": str(sink.port),
        "SEMIRAMIS_SMTP_SECURITY": "none",
        "SEMIRAMIS_NOTICE_DELAY": "0.05",
        "SEMIRAMIS_PUSH_ANYWHERE": "true",
    }


@pytest.fixture
async def running(database: str, tmp_path: Path, settings: dict[str, str]) -> AsyncIterator[Running]:
    """Two processes on one database."""
    made = Running(database, tmp_path, workers=2, settings=settings)
    await made.start()
    yield made
    made.stop()
    assert "Traceback" not in made.log, made.log


async def start(host: Page, guest: Page) -> str:
    """A table of these two that has begun, the host's turn; its address."""
    address = await open_table(host, seats=2, first="1")
    await guest.goto(address)
    await guest.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    await host.locator('form[action$="/start"] button:enabled').click()
    for page in (host, guest):
        await expect_live(page)
    return address


async def act(page: Page) -> None:
    """Makes all of a turn."""
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine")
    while await turn(page) == "mine":
        await page.evaluate(CHOOSE, 3)
        await page.wait_for_timeout(100)


async def reachable(page: Page, database: str, services: PushService, language: str) -> Gadget:
    """Mika has an address that is hers, wants letters at once, and has a browser that shows notices."""
    gadget = services.gadget()
    assert await page.evaluate(SUBSCRIBE, gadget.told) == 204
    connection = await asyncpg.connect(database)
    await connection.execute(
        "UPDATE users SET email = 'mika@example.org', email_confirmed_at = now(), language = $1,"
        " preferences = preferences || $2::jsonb WHERE name = 'Mika'",
        language,
        json.dumps({"letters": "now"}),
    )
    await connection.close()
    return gadget


@every_language
async def test_who_is_away_is_told_once_and_who_looks_is_not(
    visitor: Opening,
    database: str,
    sink: Sink,
    services: PushService,
    language: str,
    eventually: Callable[..., Any],
) -> None:
    words = WORDS[language]
    mika, nabu = await visitor("Mika", language=language), await visitor("Nabu")
    await reachable(mika, database, services, language)
    address = await start(nabu, mika)
    await mika.mouse.move(300, 300)
    for _ in range(2):
        await act(nabu)
        await expect(mika.locator("#zone-status")).to_have_attribute("data-turn", "mine")
        await expect(mika).to_have_title(MINE)
        assert "icon-turn" in (await mika.locator("#icon").get_attribute("href") or "")
        await mika.mouse.move(310, 320)
        await mika.wait_for_timeout(9_000)
        await act(mika)
        await expect(mika).not_to_have_title(MINE)
    assert not sink.letters and not services.read, "she looked all the time"

    await mika.evaluate(HIDE, "hidden")
    await mika.wait_for_timeout(1_500)
    await act(nabu)
    await eventually(lambda: sink.letters and services.read, 90)
    await mika.wait_for_timeout(9_000)
    assert [letter["Subject"] for letter in sink.letters] == [words["turn"]]
    assert words["since"] in body_of(sink.letters[0])
    assert address in body_of(sink.letters[0])
    [(_, told)] = services.read
    assert told["title"] == words["turn"]
    assert address.endswith(told["url"])
    assert (await mika.title()).startswith("● ")

    await mika.evaluate(HIDE, "visible")
    await mika.locator(".to-log").first.click()
    await mika.locator("#mute button").click()
    await expect(mika.locator("#mute")).to_contain_text(words["muted"])
    await mika.keyboard.press("Escape")
    await act(mika)
    await mika.goto("/")
    await act(nabu)
    await expect(mika).to_have_title(MINE)
    assert "icon-turn" in (await mika.locator("#icon").get_attribute("href") or "")
    await mika.wait_for_timeout(9_000)
    assert len(sink.letters) == len(services.read) == 1, "the table is muted"

    stranger = await visitor(language=language)
    link = next(path for path in sink.links() if path.startswith("/unsubscribe"))
    await stranger.goto(link)
    await stranger.locator("main button.main").click()
    await expect(stranger.locator("main [role=status]")).to_be_visible()
    await mika.goto("/me/preferences")
    await expect(mika.locator("#notices input[name=letters][value=never]")).to_be_checked()


@every_language
async def test_the_preferences_say_how_it_is_with_this_browser(visitor: Opening, language: str) -> None:
    page = await visitor("Mika", language=language)
    await page.goto("/me/preferences")
    await expect(page.locator("#push")).not_to_have_attribute("data-push", "unknown")
    state = await page.locator("#push").get_attribute("data-push")
    assert state in {"off", "denied", "unsupported"}
    await expect(page.locator(f"#push .if-{state}").first).to_be_visible()
    shown = page.locator('#push [class*="if-"]:visible')
    for index in range(await shown.count()):
        assert f"if-{state}" in (await shown.nth(index).get_attribute("class") or "")
    worker = await page.evaluate(
        "navigator.serviceWorker.register('/static/js/worker.js', { scope: '/' })"
        ".then(() => navigator.serviceWorker.ready).then((ready) => new URL(ready.scope).pathname)"
    )
    assert worker == "/"
    quiet = await visitor("Nabu", language=language, script=False)
    await quiet.goto("/me/preferences")
    await expect(quiet.locator("#push .if-unknown")).to_be_visible()
    await quiet.locator("#notices label:has(input[name=delay][value='60'])").click()
    await quiet.locator("#notices .save button").click()
    await expect(quiet.locator("#notices input[name=delay][value='60']")).to_be_checked()
