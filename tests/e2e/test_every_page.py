"""Every page by axe: what a screen reader or weak eyes would miss fails, in light and dark, on desk and phone.

A run of everything looks at each page on one of the two, by turns; ``make stories`` on both.
"""

import asyncio
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize

from app.games import games
from app.i18n import LANGUAGES
from app.services import hotseat
from app.web.deps import LANGUAGE
from app.web.drawing import TEMPLATES
from app.web.templates import Templates
from tests.conftest import Site
from tests.e2e.furnished import AWAY, LONG, Furnished, furnish

pytestmark = pytest.mark.e2e
VENDOR = Path(__file__).parent.parent / "vendor"
AXE = next(VENDOR.glob("axe-*.min.js"))
NO_PAGES = {
    "/lobby/lists", "/tables/{key}/consequence", "/tables/{key}/analysis/consequence", "/tables/{key}/game",
    "/me/export", "/admin/audit.csv", "/admin/editions/{slug}/{name}/file",
    "/health/live", "/health/ready", "/metrics",
}  # fmt: skip
"""Parts of pages, files, and what only programs read."""
BOTH = os.environ.get("SEMIRAMIS_STORIES") == "all"
AT_ONCE = 2
"""So many pages are looked at at the same time."""
DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


@dataclass(frozen=True)
class Look:
    """A page as somebody comes to it. ``{word}`` stands for a place of the furnished club; ``form``: what they send
    there; ``state``: of the line to the server, as the page's script says it."""

    path: str
    who: str = "Alice"
    form: tuple[tuple[str, str], ...] = ()
    state: str = ""


def form(**fields: str) -> tuple[tuple[str, str], ...]:
    return tuple(fields.items())


PAGES: dict[str, tuple[Look, ...]] = {
    "/": (Look("/"), Look("/", "Eve"), Look("/?game=amyitis&seats=4", "Carol"), Look("/", "Dan", state="lost")),
    "/offers/{offer}": (Look("{offer}", "Eve"), Look("{offer}", "Carol")),
    "/tables/{key}": (
        *(Look(f"{{{slug}}}", who) for slug in games() for who in ("Alice", "Bob")),
        *(Look(f"{{{word}}}", "Alice") for word in ("over", "left", "room", "gate", "paused", "warned")),
        *(Look(f"{{{word}}}", "Eve") for word in ("room", "link", "door", "gone", "parted")),
        Look("{over}?at=7", "Eve"),
        Look("{missed}", "Dan"),
        Look("{left}", "Dan"),
        Look("{link}", "Bob"),
        Look("{link}", LONG),
        Look("{room}", "Carol"),
        Look("{expiring}", "Carol"),
        Look("{expired}", "Carol"),
        Look("{hanging_gardens}", "Bob", state="lost"),
        Look("/tables/aaaaaaaaaaaa", "Eve"),
    ),
    "/tables/{key}/log": tuple(Look(f"{{{word}}}/log", "Eve") for word in (*games(), "over", "paused")),
    "/tables/{key}/talk": (
        Look("{hanging_gardens}/talk", "Bob"),
        Look("{hanging_gardens}/talk", "Eve"),
        Look("{hanging_gardens}/talk", "Bob", form(words=" ")),
        Look("{hanging_gardens}/talk/about", "Dan", form(report="1")),
    ),
    "/unsubscribe": (Look("{unsubscribe}", "Eve"), Look("/unsubscribe?token=x", "Eve")),
    "/tables/{key}/shuffle": (Look("{over}/shuffle"), Look("{amyitis}/shuffle")),
    "/tables/{key}/analysis": (
        Look("{over}/analysis?at=9"),
        Look("{babylon}/analysis", "Eve"),
        Look("{amyitis}/analysis", "Bob"),
    ),
    "/tables/{key}/statistics": (Look("{over}/statistics"), Look("{amyitis}/statistics", "Eve")),
    "/admin": (Look("/admin", "Olga"), Look("/admin", "Mo"), Look("/admin", "Eve")),
    "/admin/find": (Look("/admin/find?q=a", "Olga"), Look("/admin/find?q=7f3a19c277d1", "Olga")),
    "/admin/tables": (
        Look("/admin/tables?state=all", "Olga"),
        Look("/admin/tables", "Olga", form(do="pause", table="1")),
    ),
    "/admin/tables/{table_id}": (
        *(Look(f"{{admin {word}}}", "Olga") for word in ("over", "paused", "parted", "room", "hanging_gardens")),
        Look("{inside}", "Olga"),
        Look("{admin room}", "Mo"),
        Look("{admin room}", "Olga", form(do="end")),
    ),
    "/admin/tables/{table_id}/as": (Look("{as over}", "Olga"), Look("{as room}", "Olga")),
    "/admin/people": (Look("/admin/people", "Olga"), Look("/admin/people?q=nobody", "Mo")),
    "/admin/people/{user_id}": (
        *(Look(f"{{admin {name}}}", "Olga") for name in ("Alice", "Carol")),
        Look("{admin Alice}", "Olga", form(do="link", reason="They asked.")),
    ),
    "/admin/reports": (Look("/admin/reports", "Mo"), Look("/admin/reports", "Olga")),
    "/admin/bans": (Look("/admin/bans", "Olga"), Look("/admin/bans", "Mo")),
    "/admin/settings": (
        Look("/admin/settings", "Olga"),
        Look("/admin/settings", "Olga", form(registration="open", tables_per_person="0")),
        Look("/admin/settings/invitation", "Olga", form(do="invite")),
    ),
    "/admin/editions/{slug}/{name}": tuple(Look(f"/admin/editions/{slug}/house", "Olga") for slug in games()),
    "/admin/editions/{slug}/{name}/board": (
        *(Look(f"/admin/editions/{slug}/house/board", "Olga") for slug in games()),
        Look("{undrawn}/board", "Olga"),
    ),
    "/admin/audit": (Look("/admin/audit", "Olga"),),
    "/name": (Look("/name", "Eve"), Look("/name", "Bob"), Look("/name", "Eve", form(name=""))),
    "/sign-in": (
        Look("/sign-in", "Eve"),
        Look("/sign-in?lost=move", "Bob"),
        Look("/sign-in", "Eve", form(name="Alice", password="wrong")),
        Look("/sign-up", "Eve", form(name="Alice", password="x", email="nonsense")),
    ),
    "/forgotten": (Look("/forgotten", "Eve"), Look("/forgotten", "Eve", form(who="nobody"))),
    "/password": (Look("{password}", "Eve"), Look("/password?token=x", "Eve")),
    "/confirm": (Look("{confirm}"), Look("/confirm?token=x", "Eve")),
    "/me/preferences": (Look("/me/preferences"), Look("/me/preferences", "Bob")),
    "/me/delete": (Look("/me/delete"), Look("/me/delete", form=form(password="wrong"))),
    "/me": (Look("/me"), Look("/me", "Carol")),
    "/@{name}": (Look("/@Alice", "Eve"), Look("/@Nobody", "Eve")),
    "/letters": (Look("/letters", "Olga"),),
    "/rules": (Look("/rules", "Eve"),),
    "/rules/{name}": tuple(Look(f"/rules/{slug.replace('_', '-')}", "Eve") for slug in games()),
    "/about": (Look("/about", "Eve"), Look("/about", "banned")),
}
LAST = (
    Look("{door}/door", "Eve", form(password="wrong")),
    Look("{room}/invitations", form=form(name="Nobody at all")),
    Look("{hanging_gardens}/act", form=form(action="nonsense", seat="0", since="0")),
    Look("{hanging_gardens}/act", form=form(action="take:99", seat="0", since="0")),
    Look("{alone}/act", LONG, form(action="{last}", seat="0", since="{since}")),
    Look("{alone}/act", LONG, form(action="take:1:2:0:0", seat="0", since="{since}")),
    Look("/tables", form=form(game="hanging_gardens", seats="9", do="open")),
    Look("/nowhere", "Carol"),
    Look("/me/delete", "Goes", form(password="")),
)
"""What comes of forms and of addresses that lead nowhere."""


def test_every_page_is_looked_at(routes: set[str]) -> None:
    assert routes == PAGES.keys() | NO_PAGES


@pytest.fixture
def routes(site: Site) -> set[str]:
    """The addresses that answer."""
    return {path for path, ways in site.app.openapi()["paths"].items() if "get" in ways}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The templates that were drawn."""
    seen: set[str] = set()
    get_template = Templates.get_template

    def noted(self: Templates, name: Any, *others: Any, **more: Any) -> Any:
        seen.add(str(name))
        return get_template(self, name, *others, **more)

    monkeypatch.setattr(Templates, "get_template", noted)
    return seen


SEND = """([path, fields]) => {
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action: path });
  for (const [name, value] of fields) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value });
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}"""
OPEN = """() => { for (const each of document.querySelectorAll("details")) each.open = true; }"""
RUN = """async (only) => {
  const wish = only.length ? { runOnly: only } : {};
  const found = await axe.run(document, { resultTypes: ["violations"], preload: false, ...wish });
  const told = ({ target, any, all }) => `${target.join(" ")}: ${(any[0] ?? all[0])?.message ?? ""}`;
  return found.violations.map(({ id, impact, nodes }) => [id, impact, nodes.map(told)]);
}"""


class Walk:
    """The way through all pages: each on the desk and on the phone, in light and dark, in one of the languages."""

    def __init__(self, club: Furnished, browser: Browser) -> None:
        self.club, self.browser = club, browser
        self.found: defaultdict[str, list[str]] = defaultdict(list)
        self._free = asyncio.Semaphore(AT_ONCE)

    async def all(self, looks: Iterable[Look]) -> None:
        """Everybody goes their ways, some at a time; one page is in English, the next in Japanese."""
        by_person: defaultdict[str, list[tuple[Look, str]]] = defaultdict(list)
        for look, language in zip(looks, cycle(LANGUAGES), strict=False):
            by_person[look.who].append((look, language))
        longest_first = sorted(by_person.items(), key=lambda each: -len(each[1]))
        await asyncio.gather(*(self._walk(who, theirs) for who, theirs in longest_first))

    async def _walk(self, who: str, looks: list[tuple[Look, str]]) -> None:
        async with self._free:
            context = await self.browser.new_context(
                base_url=self.club.site.url,
                reduced_motion="reduce",
                extra_http_headers={"X-Forwarded-For": AWAY} if who == "banned" else {},
            )
            try:
                context.set_default_timeout(60_000)
                await context.add_init_script(path=AXE)
                client = self.club.people.get(who)
                await self._carry(context, client.cookies if client else {})
                page = await context.new_page()
                for number, (look, language) in enumerate(looks):
                    await self._look(page, look, language, dark_on_phone=number % 2 == 1)
            finally:
                await context.close()

    async def _carry(self, context: BrowserContext, cookies: Mapping[str, str]) -> None:
        url = self.club.site.url
        await context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])

    async def _look(self, page: Page, look: Look, language: str, *, dark_on_phone: bool) -> None:
        path = look.path.format(**self.club.places)
        name = f"{look.who} at {path}" + (" sends" if look.form else "") + f" in {language}"
        await self._carry(page.context, {LANGUAGE: language})
        await page.set_viewport_size(DESK)
        await page.emulate_media(color_scheme="light")
        if look.form:
            await page.goto(f"/about?lang={language}")
            async with page.expect_navigation():
                fields = [(name, value.format(**self.club.places)) for name, value in look.form]
                await page.evaluate(SEND, [path, fields])
        else:
            await page.goto(f"{path}{'&' if '?' in path else '?'}lang={language}")
        assert await page.locator("html").get_attribute("lang") == language, name
        if look.state:
            await page.evaluate("(state) => { document.documentElement.dataset.connection = state; }", look.state)
        if BOTH or not dark_on_phone:
            await self._run(page, name)
        if not dark_on_phone:
            await self._run_in_the_dark(page, name)
        if not BOTH and not dark_on_phone:
            return
        await page.set_viewport_size(PHONE)
        await page.evaluate(OPEN)
        await self._run(page, f"{name} on the phone")
        if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            self.found["serious: wider than the phone"].append(name)
        if dark_on_phone:
            await self._run_in_the_dark(page, f"{name} on the phone")

    async def _run_in_the_dark(self, page: Page, name: str) -> None:
        await page.emulate_media(color_scheme="dark")
        await self._run(page, f"{name} in the dark", "color-contrast")
        await page.emulate_media(color_scheme="light")

    async def _run(self, page: Page, name: str, *rules: str) -> None:
        for rule, impact, nodes in await page.evaluate(RUN, list(rules)):
            self.found[f"{impact}: {rule}"] += [f"{name}: {node}" for node in nodes]


@pytest.fixture
async def club(site: Site, monkeypatch: pytest.MonkeyPatch) -> Furnished:
    monkeypatch.setattr(hotseat, "hides", lambda held, seat: True)  # whatever the games: a gate is shut
    return await furnish(site)


@pytest.mark.timeout(1200)
async def test_no_page_has_a_fault_that_axe_finds(club: Furnished, browser: Browser, drawn: set[str]) -> None:
    walk = Walk(club, browser)
    await walk.all([*(look for some in PAGES.values() for look in some), *LAST])
    told = "\n".join(f"{fault}\n  " + "\n  ".join(where) for fault, where in sorted(walk.found.items()))
    assert not told, told
    assert whole_pages() - drawn == set()


def whole_pages() -> set[str]:
    """The templates that are pages."""

    def names() -> Iterator[str]:
        for path in TEMPLATES.rglob("*.html"):
            if "{% extends" in path.read_text(encoding="utf-8"):
                yield path.relative_to(TEMPLATES).as_posix()

    return set(names()) - {"admin/frame.html"}
