"""Accounts in real browsers, letters and all: from guest to account, from browser to browser, and gone."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from playwright.async_api import Page, expect

from app.config import Settings
from app.i18n import LANGUAGES
from tests.conftest import account, server_on
from tests.e2e.conftest import Fresh, Opening
from tests.e2e.playing import CHOOSE, expect_live, open_table, version
from tests.services.endings import ended
from tests.sink import Sink, sinking

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
every_language = pytest.mark.parametrize("language", LANGUAGES)
OLD, NEW = "three odd words", "four other odd words"
WORDS = {
    "en": {
        "lost": "Your move was not made",
        "out": "This browser was signed out.",
        "taken": "has an account of this name",
        "confirm": "Is this your address?",
        "today": "today",
    },
    "ja": {
        "lost": "手は反映されていません",
        "out": "このブラウザはサインアウトされました",
        "taken": "この名前のアカウント",
        "confirm": "あなたのメールアドレスですか",
        "today": "今日",
    },
}


@pytest.fixture
async def sink() -> AsyncIterator[Sink]:
    async with sinking() as made:
        yield made


@pytest.fixture
def settings(sink: Sink) -> dict[str, str]:
    return {
        "SEMIRAMIS_ADDRESS": "{url}",
        "SEMIRAMIS_SMTP_HOST": "127.0.0.1",
        "SEMIRAMIS_SMTP_PORT": str(sink.port),
        "SEMIRAMIS_SMTP_SECURITY": "none",
    }


async def sign_in(page: Page, name: str, password: str) -> None:
    """By the form of the page that is open."""
    await page.fill("#sign-in [name=name]", name)
    await page.fill("#sign-in [name=password]", password)
    await page.locator("#sign-in button").click()
    await page.wait_for_url(lambda url: "/sign-in" not in url)


async def act(page: Page) -> None:
    await expect_live(page)
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine")
    assert await page.evaluate(CHOOSE, 3) == "acted"


async def sign_up(page: Page, name: str, *, email: str = "") -> None:
    """By the form of the page that is open."""
    await page.fill("#sign-up [name=name]", name)
    await page.fill("#sign-up [name=password]", OLD)
    await page.fill("#sign-up [name=email]", email)
    await page.locator("#sign-up button").click()


async def start(host: Page, guest: Page) -> str:
    """A table of these two that has begun, the host's turn; its address."""
    address = await open_table(host, seats=2, first="1")
    await guest.goto(address)
    await guest.locator("#zone-start button[form=sit], #zone-seats button[value=sit]").first.click()
    await host.locator('form[action$="/start"] button:enabled').click()
    await expect_live(host)
    return address


@pytest.mark.own_server
@every_language
async def test_a_guest_becomes_an_account_and_plays_on_in_any_browser(
    visitor: Opening, sink: Sink, language: str, eventually: Callable[..., Any]
) -> None:
    words = WORDS[language]
    desk, nabu = await visitor("美香", language=language), await visitor("Nabu")
    address = await start(desk, nabu)
    await act(desk)
    await expect(desk.locator("#zone-status")).to_have_attribute("data-version", "1")

    await desk.goto("/me")
    await desk.locator("#person .main").click()
    await sign_up(desk, "美香", email="mika@example.org")
    await desk.wait_for_url("**/me")
    await expect(desk.locator("h1")).to_have_text("美香")
    await eventually(lambda: sink.letters, 60)
    assert words["confirm"] in sink.letters[0]["Subject"]
    await desk.goto(sink.links()[0])
    await desk.locator("main button.main").click()
    await expect(desk.locator("main [role=status]")).to_contain_text("mika@example.org")

    phone = await visitor(language=language, phone=True, dark=True)
    await phone.goto("/sign-in?next=/")
    await sign_up(phone, "美香")
    await expect(phone.locator("#new-name-error")).to_contain_text(words["taken"])
    await sign_in(phone, "美香", OLD)
    await phone.goto(address)
    await expect(phone.locator("#zone-status")).to_have_attribute("data-version", "1")

    stranger = await visitor(language=language)
    await stranger.goto("/forgotten")
    await stranger.fill("#who", "美香")
    await stranger.locator("main button.main").click()
    await eventually(lambda: len(sink.letters) == 2, 60)
    await stranger.goto(sink.links()[1])
    await stranger.fill("#password", NEW)
    await stranger.locator("main button.main").click()
    await stranger.wait_for_url("**/me/preferences**")
    await expect(stranger.locator("#name")).to_have_value("美香")
    await expect(phone.locator("#signed-out")).to_contain_text(words["out"])


@every_language
async def test_a_browser_that_is_signed_out_says_that_the_move_was_not_made_and_leads_back(
    visitor: Opening, database: str, language: str, fresh: Fresh
) -> None:
    words = WORDS[language]
    name = fresh("Mika")
    desk, nabu = await visitor(language=language), await visitor("Nabu")
    await desk.goto("/sign-in?next=/")
    await sign_up(desk, name)
    await desk.wait_for_url(lambda url: "/sign" not in url)
    address = await start(desk, nabu)
    phone = await visitor(language=language, phone=True)
    await phone.goto("/sign-in?next=/me/preferences")
    await sign_in(phone, name, OLD)
    await phone.locator("#browsers button[value=others]").click()
    await phone.wait_for_url("**saved=sessions**")
    await expect(desk.locator("#signed-out")).to_contain_text(words["out"])
    await desk.locator("#signed-out a").click()
    await sign_in(desk, name, OLD)
    await desk.wait_for_url(address)
    await expect_live(desk)
    await expect(desk.locator("#zone-status")).to_have_attribute("data-turn", "mine")

    connection = await asyncpg.connect(database)
    await connection.execute("DELETE FROM logins USING users WHERE users.id = user_id AND users.name = $1", name)
    await connection.close()
    await desk.evaluate(CHOOSE, 3)
    await expect(desk.locator(".why-here, #signed-out")).to_contain_text(words["out"])
    if "/sign-in" in desk.url:  # otherwise the sweep was quicker than the click
        await expect(desk.locator(".why-here")).to_contain_text(words["lost"])
    else:
        await desk.locator("#signed-out a").click()
    await sign_in(desk, name, OLD)
    await desk.wait_for_url(address)
    assert await version(desk) == 0
    await act(desk)
    await expect(desk.locator("#zone-status")).to_have_attribute("data-version", "1")


@every_language
async def test_look_language_and_sound_follow_a_person_and_the_data_can_be_taken_along(
    visitor: Opening, language: str, tmp_path: Path, fresh: Fresh
) -> None:
    name = fresh("Nabu")
    other = next(each for each in LANGUAGES if each != language)
    page = await visitor(language=language)
    await page.goto("/sign-in?next=/me/preferences")
    await sign_up(page, name)
    await page.wait_for_url("**/me/preferences")
    await page.locator(f"#look input[value={other}]").check(force=True)
    await page.locator("#look input[value=dark]").check(force=True)
    await page.locator("#look input[name=sound]").check(force=True)
    await page.select_option("#time-zone", "Asia/Tokyo")
    await page.locator("#look button.main").click()
    await page.wait_for_url("**saved=preferences")
    elsewhere = await visitor(language=language, phone=True)
    await elsewhere.goto("/sign-in?next=/")
    await sign_in(elsewhere, name.lower(), OLD)
    await expect(elsewhere.locator("html")).to_have_attribute("lang", other)
    await expect(elsewhere.locator("html")).to_have_attribute("data-theme", "dark")
    await open_table(elsewhere, seats=2)
    sound = elsewhere.locator("[data-toggles=sound]:visible").first
    await expect(sound).to_have_attribute("aria-pressed", "true")
    async with elsewhere.expect_response("**/me/sound"):
        await sound.click()
    await page.goto("/me/preferences")
    await expect(page.locator("#look input[name=sound]")).not_to_be_checked()
    await expect(page.locator("#time-zone")).to_have_value("Asia/Tokyo")

    async with page.expect_download() as waiting:
        await page.locator("#data a[download]").click()
    file = tmp_path / "mine.json"
    await (await waiting.value).save_as(file)
    assert json.loads(file.read_text())["person"]["name"] == name
    await page.locator("#data a.danger").click()
    await page.fill("#password", "wrong password")
    await page.locator("main button.danger").click()
    await expect(page.locator("#password-error")).to_be_visible()
    await page.fill("#password", OLD)
    await page.locator("main button.danger").click()
    await expect(page.locator("main [role=status]")).to_be_visible()
    await elsewhere.goto("/me")
    await expect(elsewhere.locator(".why-here")).to_be_visible()


@every_language
async def test_a_profile_shows_games_and_results_and_nothing_private(
    visitor: Opening, database: str, language: str, tmp_path: Path, fresh: Fresh
) -> None:
    name, other = fresh("Mika"), fresh("Nabu 🦁")
    async with server_on(Settings(database_url=database, var=tmp_path)) as server:
        mika, nabu = await account(server, name), await account(server, other)
        for ranks in ([1, 2], [2, 1], [1, 2]):
            await ended(server, [mika, nabu], ranks)
        await ended(server, [mika, nabu], [1, 2], slug="amyitis")
        await ended(server, [mika, nabu], [1, 2], public=False)
    page = await visitor(language=language)
    await page.goto(f"/@{name.lower()}")
    await expect(page.locator("h1")).to_have_text(name)
    await expect(page.locator("#games tbody tr")).to_have_count(4)
    await expect(page.locator("#ratings .rating")).to_have_count(2)
    await expect(page.locator("#games time").first).to_have_text(WORDS[language]["today"])
    await page.locator("#games nav a").last.click()
    await expect(page.locator("#games tbody tr")).to_have_count(3)
    await page.locator("#games .with a").first.click()
    await expect(page.locator("h1")).to_have_text(other)
    await expect(page.locator("#games tbody tr")).to_have_count(4)
    await page.goto("/sign-in?next=/me")
    await sign_in(page, name, OLD)
    await expect(page.locator("#games tbody tr")).to_have_count(5)
