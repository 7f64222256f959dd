"""The lobby and the waiting room in real browsers: doors, invitations, hosts, quick starts, leavers and the clock."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from app.config import Settings
from app.i18n import LANGUAGES
from app.services import expiry
from tests.conftest import server_on
from tests.e2e.conftest import Fresh, Opening, Running
from tests.e2e.playing import CHOOSE, choose, expect_live, open_table

pytestmark = [pytest.mark.e2e, pytest.mark.shared]
every_language = pytest.mark.parametrize("language", LANGUAGES)
SLOW = 30_000
WORDS = {
    "en": {
        "wrong": "That is not the password of this table.",
        "asks": "asks you to come",
        "nobody": "Nobody here is called that.",
        "ready": "ready",
        "turn": "Your turn",
        "none": "This is none of what you look for",
        "left": "You left; a bot plays for you",
        "offered": "A seat is waiting for you",
        "warned": "this table will be closed",
        "closed": "This table was closed",
    },
    "ja": {
        "wrong": "この卓のパスワードではありません",
        "asks": "招待されています",
        "nobody": "その名前の人はここにいません",
        "ready": "準備完了",
        "turn": "あなたの手番",
        "none": "探している卓はありません",
        "left": "退席中",
        "offered": "席があなたを待っています",
        "warned": "この卓は閉じられます",
        "closed": "この卓は閉じられました",
    },
}


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Passwords take a while: everything here is waited for longer."""
    expect.set_options(timeout=SLOW)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def visitor(visitor: Opening) -> Opening:
    """The same for whatever is clicked and filled in."""

    async def opened(name: str = "", **options: Any) -> Page:
        page: Page = await visitor(name, **options)
        page.set_default_timeout(SLOW)
        return page

    return opened


def bay(page: Page, seat: int) -> Locator:
    """A seat of the waiting room."""
    return page.locator(f"#bay-{seat}")


async def sit(page: Page, seat: int) -> None:
    await bay(page, seat).locator("button.now").click()
    await expect(bay(page, seat).locator("[value=ready], [value=unready]")).to_be_visible()


async def act(page: Page) -> None:
    """Makes a move as soon as it may."""
    await expect(page.locator("#zone-status")).to_have_attribute("data-turn", "mine")
    await expect_live(page)
    assert await page.evaluate(CHOOSE, 3) == "acted"


async def open_in_secret(page: Page, password: str) -> str:
    """Opens a table of four seats by link, with a password; its address."""
    await page.goto("/")
    form = page.locator('#new-table details:has(> form input[name="game"][value="hanging_gardens"])')
    if await form.get_attribute("open") is None:
        await form.locator("> summary").click()
    await choose(form, "seats", "4")
    await choose(form, "visibility", "link")
    await form.locator(".more summary").click()
    await form.locator("[name=password]").fill(password)
    await form.locator("button[value=open]").click()
    await page.wait_for_url("**/tables/*")
    return page.url


async def arrange(host: Page, other: Page, *, moved: str) -> None:
    """Another order, a bot on the free seat and off again, and that seat taken away; the other sees all of it."""
    await bay(host, 1).locator("[value=right]").click()
    await expect(bay(host, 2)).to_contain_text(moved)
    await expect(bay(other, 1)).to_contain_text("ナブ")
    await bay(host, 3).locator("[value=bot]").click()
    await expect(bay(other, 3)).to_have_class("bay seat-4 is-taken")
    await bay(host, 3).locator("[value=remove]").click()
    await expect(bay(other, 3)).to_have_class("bay seat-4 is-free")
    await bay(host, 3).locator("[value=close]").click()
    await expect(bay(other, 3)).to_have_count(0)


@every_language
async def test_a_table_behind_a_password_is_filled_by_link_and_by_name_and_begins_by_itself(
    visitor: Opening, language: str, fresh: Fresh
) -> None:
    words = WORDS[language]
    mika, nabu = await visitor("Mika", language=language), await visitor(language=language, phone=True, dark=True)
    guest, friend = fresh("Omar"), fresh("Eve")
    omar, eve = await visitor(guest, language=language), await visitor(friend, language=language)
    address = await open_in_secret(mika, "lapis lazuli")

    # By the link, with the password, and a name given on the way.
    await nabu.goto(address)
    await nabu.fill("#password", "lapis")
    await nabu.locator("main button").click()
    await expect(nabu.locator("#fault")).to_contain_text(words["wrong"])
    await nabu.fill("#password", "lapis lazuli")
    await nabu.locator("main button").click()
    await nabu.fill("#sit [name=name]", "ナブ")
    await sit(nabu, 2)
    await expect(bay(mika, 2)).to_contain_text("ナブ")

    # By name: nobody of that name; then one who says no, and one who comes without the password.
    await mika.fill("#invite-name", "Nobody at all")
    await mika.keyboard.press("Enter")
    await expect(mika.locator("#name-fault")).to_contain_text(words["nobody"])
    await expect(mika.locator("#invite-name")).to_have_value("Nobody at all")
    await omar.goto("/")
    await expect_live(omar)
    await eve.goto("/")
    for name in (friend, guest):
        await mika.fill("#invite-name", name)
        await mika.keyboard.press("Enter")
        await expect(mika.locator(".asked")).to_contain_text(name)
    await expect(omar.locator("#zone-invited")).to_contain_text(words["asks"])
    await eve.locator("#zone-invited .quiet").click()
    await expect(mika.locator(".has-declined")).to_contain_text(friend)
    await omar.locator("#zone-invited .main").click()
    await sit(omar, 1)

    await expect(bay(mika, 1)).to_contain_text(guest)
    await arrange(mika, nabu, moved=guest)

    # All say that they are ready, and it begins by itself.
    await bay(omar, 2).locator("[value=ready]").click()
    await expect(bay(mika, 2)).to_contain_text(words["ready"])
    await nabu.locator("#zone-start [value=ready]").click()
    await bay(mika, 0).locator("[value=ready]").click()
    for page in (mika, nabu, omar):
        await expect(page.locator("#board")).to_be_visible()
    await eve.goto(address)
    await expect(eve.locator("#board")).to_be_visible()  # who was asked by name may look, having said no

    stranger = await visitor(language=language)
    await stranger.goto("/")
    assert address.rsplit("/", 1)[1] not in await stranger.content()


@pytest.mark.own_server
@every_language
async def test_two_find_each_other_by_one_click_and_the_lobby_is_live(visitor: Opening, language: str) -> None:
    words = WORDS[language]
    mika, nabu = await visitor("Mika", language=language), await visitor("Nabu", language=language, phone=True)
    await nabu.goto("/?seats=2")
    await expect_live(nabu)
    await mika.goto("/")
    await mika.select_option("#quick-game", "hanging_gardens")
    await mika.locator("#quick [value=people]").click()
    await mika.wait_for_url("**/tables/*")
    key = mika.url.rsplit("/", 1)[1]
    await expect(nabu.locator(f"#open-{key}")).to_be_visible()

    await nabu.select_option("#filters [name=bots]", "with")
    await expect(nabu.locator("#zone-open")).to_contain_text(words["none"])
    assert "bots=with" in nabu.url
    await nabu.locator(".none-fits .button").click()
    await expect(nabu.locator(f"#open-{key}")).to_be_visible()

    await nabu.select_option("#quick-game", "hanging_gardens")
    await nabu.locator("#quick [value=people]").click()
    await nabu.wait_for_url(mika.url)
    await expect(bay(mika, 1)).to_contain_text("Nabu")
    await mika.locator("#zone-start .now").click()
    for page in (mika, nabu):
        await expect(page.locator("#board")).to_be_visible()

    # My tables: my turn first, and it changes while one looks on.
    turns = [await page.locator("#zone-status").get_attribute("data-turn") for page in (mika, nabu)]
    first, second = (mika, nabu) if turns[0] == "mine" else (nabu, mika)
    await second.goto("/")
    await expect(second.locator(".my-table")).not_to_contain_text(words["turn"])
    await act(first)
    for _ in range(12):
        if "mine" not in (await first.locator("#zone-status").get_attribute("data-turn") or ""):
            break
        await first.evaluate(CHOOSE, 3)
        await first.wait_for_timeout(300)
    await expect(second.locator(".my-turn")).to_contain_text(words["turn"])
    await expect(second).to_have_title("● Semiramis")
    await first.goto("/")
    await first.locator("#quick [value=bots]").click()
    await expect(first.locator("#board")).to_be_visible()


@every_language
async def test_who_leaves_may_come_back_and_else_somebody_takes_over(visitor: Opening, language: str) -> None:
    words = WORDS[language]
    mika, nabu = await visitor("Mika", language=language), await visitor("Nabu", language=language, phone=True)
    address = await open_table(mika, seats=2, first="1")
    await nabu.goto(address)
    await sit(nabu, 1)
    await mika.locator('form[action$="/start"] button:enabled').click()
    for page in (mika, nabu):
        await expect(page.locator("#board")).to_be_visible()

    async def leave(page: Page) -> None:
        await page.locator(".to-log").click()
        await page.locator(".leave summary").click()
        await page.locator(".leave button").click()
        await page.wait_for_url(lambda url: "/tables/" not in url)

    await leave(mika)
    await expect(mika.locator(".my-table")).to_contain_text(words["left"])
    await mika.locator(".my-table").click()
    await mika.locator("#zone-fate button").click()
    await expect(mika.locator("#zone-fate button")).to_have_count(0)
    await expect(mika.locator(".leave")).to_have_count(1)

    await leave(nabu)
    await mika.locator(".to-log").click()
    offer = await mika.locator(".offered input").input_value()
    hana = await visitor(language=language)
    await hana.goto(offer)
    await expect(hana.locator("h1")).to_have_text(words["offered"])
    await hana.fill("#name", "花")
    await hana.locator(".now").click()
    await hana.wait_for_url(address)
    await expect(hana.locator("#board")).to_be_visible()
    await expect(mika.locator(".offered")).to_have_count(0)
    await nabu.goto(address)
    await expect(nabu.locator("#zone-fate button")).to_have_count(0)
    await act(mika)


@every_language
async def test_a_table_nobody_cares_for_says_so_is_kept_or_closed(
    visitor: Opening, running: Running, database: str, tmp_path: Path, language: str
) -> None:
    words = WORDS[language]
    mika = await visitor("Mika", language=language)
    address = await open_table(mika, seats=3)
    key = address.rsplit("/", 1)[1]
    await expect_live(mika)
    connection = await asyncpg.connect(database)

    async def let_pass(*, hours: int) -> None:
        """Time passes, and another process than that of the pages looks at the tables."""
        back = f"- interval '{hours} hours'"
        await connection.execute(
            f"UPDATE tables SET moved_at = moved_at {back}, warned_at = warned_at {back} WHERE key = $1", key
        )
        async with server_on(Settings(database_url=database, var=tmp_path)) as server:
            await expiry.sweep(server)

    await let_pass(hours=50)
    await expect(mika.locator("#zone-start .expires")).to_contain_text(words["warned"])
    await expect(mika.locator("#zone-start time")).not_to_contain_text("UTC")  # in the reader's own zone
    await mika.locator("[value=keep]").click()
    await expect(mika.locator("#zone-start .expires")).to_have_count(0)
    await let_pass(hours=50)
    await expect(mika.locator("#zone-start .expires")).to_be_visible()
    await let_pass(hours=25)
    await expect(mika.locator("h1", has_text=words["closed"])).to_be_visible()
    await connection.close()


@every_language
async def test_everything_before_the_start_works_by_plain_forms(visitor: Opening, language: str) -> None:
    words = WORDS[language]
    mika = await visitor("Mika", language=language, script=False)
    nabu = await visitor("Nabu", language=language, script=False, phone=True)
    address = await open_table(mika, seats=4)
    await nabu.goto("/?game=hanging_gardens&seats=4")
    await nabu.locator(f"#open-{address.rsplit('/', 1)[1]} .last button").click()
    await nabu.wait_for_url(address)
    await mika.reload()
    await mika.fill("#invite-name", "Nobody at all")
    await mika.locator("form.ask button").click()
    await expect(mika.locator("#name-fault")).to_contain_text(words["nobody"])
    await expect(mika.locator("#invite-name")).to_have_value("Nobody at all")
    await mika.goto(address)
    await mika.fill("#table-password", "lapis lazuli")
    await mika.locator("#zone-invite .with-button", has=mika.locator("#table-password")).locator("button").click()
    await expect(mika.locator("#zone-invite .kept")).to_be_visible()
    await bay(mika, 1).locator("[value=right]").click()
    await expect(bay(mika, 2)).to_contain_text("Nabu")
    await bay(mika, 2).locator("[value=host]").click()
    await expect(bay(mika, 2).locator("[value=host]")).to_have_count(0)
    await nabu.reload()
    await bay(nabu, 1).locator("[value=close]").click()
    await nabu.locator("#zone-start [value=fill]").click()
    await bay(nabu, 1).locator("[value=ready]").click()
    await mika.reload()
    await bay(mika, 0).locator("[value=ready]").click()
    await expect(mika.locator("#board")).to_be_visible()
    await nabu.reload()
    await expect(nabu.locator("#board")).to_be_visible()


@pytest.fixture
async def two(database: str, tmp_path: Path) -> AsyncIterator[tuple[Running, Running]]:
    """Two servers on one database, each with an address of its own."""
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append(Running(database, tmp_path / name, settings={"SEMIRAMIS_SECRET": "the same for both"}))
    for each in made:
        await each.start()
    yield made[0], made[1]
    for each in made:
        each.stop()


async def test_the_lobby_and_the_waiting_room_are_one_over_two_processes(
    browser: Browser, two: tuple[Running, Running]
) -> None:
    pages = []
    for name, running in zip(("Mika", "Nabu"), two, strict=True):
        context = await browser.new_context(base_url=running.url)
        context.set_default_timeout(SLOW)
        page = await context.new_page()
        await page.goto("/name?next=/")
        await page.fill("input[name=name]", name)
        await page.locator("main form button").first.click()
        await page.wait_for_url(lambda url: "/name" not in url)
        await expect_live(page)
        pages.append(page)
    mika, nabu = pages
    address = await open_table(mika, seats=2)
    key = address.rsplit("/", 1)[1]
    await nabu.locator(f"#open-{key} button").click()
    await nabu.wait_for_url(f"**/{key}")
    await expect(bay(mika, 1)).to_contain_text("Nabu")
    await bay(mika, 1).locator("[value=remove]").click()
    await expect(bay(nabu, 1).locator("button.now")).to_be_visible()
    await sit(nabu, 1)
    await nabu.locator("#zone-start [value=ready]").click()
    await bay(mika, 0).locator("[value=ready]").click()
    for page in pages:
        await expect(page.locator("#board")).to_be_visible()
        await page.context.close()
