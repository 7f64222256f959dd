"""The pages of those who keep order: for nobody else, by role, in both languages, no secret without a line."""

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from app import games
from app.engine.editions import find_edition
from tests.conftest import Site
from tests.web.admin.people import acts, member, number_of
from tests.web.test_tables import held_of, move, opened

PAGES = (
    "/admin", "/admin/find?q=Alice", "/admin/tables", "/admin/tables/1", "/admin/people", "/admin/people/1",
    "/admin/audit", "/admin/audit.csv", "/admin/reports",
)  # fmt: skip
FOR_ADMINS = (
    "/admin/bans", "/admin/settings", "/admin/editions/hanging_gardens/house",
    "/admin/editions/hanging_gardens/house/board", "/admin/editions/hanging_gardens/house/file",
)  # fmt: skip
POSTS = {
    "/admin/tables": {"do": "pause", "table": "1", "reason": "why"},
    "/admin/tables/1": {"do": "pause", "reason": "why"},
    "/admin/people/1": {"do": "mute", "hours": "1", "reason": "why"},
    "/admin/reports/1": {"do": "dismiss"},
    "/admin/bans": {"addresses": "203.0.113.0/24", "reason": "why"},
    "/admin/settings": {"registration": "closed"},
    "/admin/settings/invitation": {},
    "/admin/settings/editions": {"game": "hanging_gardens", "name": "mine"},
    "/admin/settings/editions/offer": {"edition": "hanging_gardens/house"},
}
HOUSE = find_edition("app.games.hanging_gardens", "house").text


@pytest.fixture
async def alice(site: Site) -> httpx.AsyncClient:
    return await site.guest("Alice")


@pytest.fixture
async def key(site: Site, alice: httpx.AsyncClient) -> str:
    """Table 1, begun by Alice against Bob."""
    return await opened(site, alice, await site.guest("Bob"))


async def test_strangers_guests_and_members_find_nothing_here(site: Site, alice: httpx.AsyncClient, key: str) -> None:
    eve = await member(site, "Eve")
    for client in (site.client(headers={"Origin": site.url}), alice, eve):
        for page in (*PAGES, *FOR_ADMINS, "/admin/tables/1/as?line=1", "/admin/nowhere"):
            assert (await client.get(page)).status_code == 404, page
        for page, data in POSTS.items():
            assert (await client.post(page, data=data)).status_code == 404, page
        assert "/admin" not in (await client.get("/")).text
    assert await acts(site) == []


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_every_page_is_there_for_the_owner(site: Site, key: str, language: str) -> None:
    olga = await member(site, "Olga", "owner", language)
    for page in (*PAGES, *FOR_ADMINS):
        answer = await olga.get(page)
        assert answer.status_code == 200, page
        if "csv" not in page and not page.endswith("file"):
            assert f'<html lang="{language}"' in answer.text
    assert 'href="/admin"' in (await olga.get("/")).text
    assert (await olga.get("/admin/tables/999")).status_code == 404
    assert (await olga.get("/admin/people/999")).status_code == 404
    assert (await olga.get("/admin/tables/nonsense")).status_code == 422


async def test_a_moderator_is_refused_what_only_admins_may(site: Site, key: str) -> None:
    mo = await member(site, "Mo", "moderator")
    for page in PAGES:
        assert (await mo.get(page)).status_code == 200, page
    for page in FOR_ADMINS:
        assert (await mo.get(page)).status_code == 403, page
    alice_id = await number_of(site, "Alice")
    for do in ("end", "cancel", "rewind", "accept", "replace", "host", "export"):
        data = {"do": do, "reason": "why", "to": "0", "seat": "0", "by": "greedy"}
        assert (await mo.post("/admin/tables/1", data=data)).status_code == 403, do
    for do in ("ban", "lift", "link", "merge", "role"):
        data = {"do": do, "reason": "why", "hours": "1", "role": "moderator", "into": "Mo", "ban": "1"}
        assert (await mo.post(f"/admin/people/{alice_id}", data=data)).status_code == 403, do
    for page in ("/admin/bans", "/admin/settings", "/admin/settings/invitation", "/admin/settings/editions"):
        assert (await mo.post(page, data=POSTS[page])).status_code == 403, page
    page = (await mo.get("/admin/tables/1")).text
    assert 'value="pause"' in page and 'value="end"' not in page and 'value="rewind"' not in page
    assert await acts(site) == []


async def test_nothing_hidden_is_seen_without_a_line_in_the_record(
    site: Site, key: str, alice: httpx.AsyncClient
) -> None:
    """The deck, the choices and the state: in no page of ours before they were asked for on record."""
    await move(site, key, [alice, (await site.guest("Again"))], 1)
    mo = await member(site, "Mo", "moderator")
    held = await held_of(site, key)
    assert held.position is not None
    deck = held.position.state.deck
    secrets = (held.facts.seed, ",".join(f'"{card}"' for card in deck[:4]), held.lines[0].text)
    seen = [await mo.get(page) for page in (*PAGES, "/admin/tables/1?line=1", "/admin/tables/1?line=1&entry=1")]
    seen += [await mo.get(f"/admin/tables/1/as?line={line}") for line in ("0", "1", "99")]
    seen += [await mo.get(f"/tables/{key}/game"), await mo.get(f"/tables/{key}/log")]
    for answer in seen:
        assert not any(secret in answer.text for secret in secrets), answer.url
    assert [answer.status_code for answer in seen[-5:-2]] == [403, 403, 403]
    looked = await mo.post("/admin/tables/1", data={"do": "inspect", "reason": "a report"})
    assert looked.status_code == 200 and secrets[2] in looked.text and await acts(site) == ["inspect"]
    assert held.facts.seed not in looked.text
    line = looked.url.params["line"]
    other = await member(site, "Ada", "admin")
    assert (await other.get(f"/admin/tables/1?line={line}")).status_code == 403
    seen_as = await mo.post("/admin/tables/1", data={"do": "see", "seat": "0"})
    assert seen_as.status_code == 200 and 'id="board"' in seen_as.text and await acts(site) == ["inspect", "see"]
    log = (await alice.get(f"/tables/{key}/log")).text
    assert "looked at the table as seat A sees it" in log and "a report" in log


async def test_the_table_tells_its_people_what_was_done(
    site: Site, key: str, alice: httpx.AsyncClient, eventually: Callable[..., Any]
) -> None:
    ada = await member(site, "Ada", "admin")
    data = {"do": "pause", "reason": "Checking a report <b>now</b>"}
    assert (await ada.post("/admin/tables/1", data=data)).status_code == 200
    page = (await alice.get(f"/tables/{key}")).text
    assert "Checking a report &lt;b&gt;now&lt;/b&gt;" in page
    answer = await alice.post(f"/tables/{key}/act", data={"action": "take:1:1:1:0", "seat": "0", "since": "0"})
    assert answer.status_code == 409 and "paused" in answer.text
    assert (await ada.post("/admin/tables/1", data={"do": "resume"})).status_code == 200
    assert "Checking a report" not in (await alice.get(f"/tables/{key}")).text
    assert (await ada.post("/admin/tables/1", data={"do": "end", "reason": "late"})).status_code == 200
    page = (await alice.get(f"/tables/{key}")).text
    assert f"/tables/{key}/rematch" in page
    log = (await alice.get(f"/tables/{key}/log")).text
    assert log.index("ended the game") < log.index("let the table go on") < log.index("paused the table")


async def test_what_was_written_wrong_is_told_and_kept(site: Site, key: str) -> None:
    ada = await member(site, "Ada", "admin")
    eve_id = await number_of(site, "Alice")
    answer = await ada.post("/admin/tables/1", data={"do": "rewind", "to": "77", "reason": "Agreed & <fine>"})
    assert answer.status_code == 422 and "Agreed &amp; &lt;fine&gt;" in answer.text
    assert (await ada.post("/admin/tables/1", data={"do": "pause"})).status_code == 422
    for nonsense in (
        {},
        {"do": "explode"},
        {"do": "replace", "seat": "x", "reason": "y"},
        {"do": "rewind", "to": "-1"},
    ):
        assert (await ada.post("/admin/tables/1", data=nonsense)).status_code in {403, 409, 422}
        assert (await ada.post(f"/admin/people/{eve_id}", data=nonsense)).status_code in {403, 409, 422}
    answer = await ada.post(f"/admin/people/{eve_id}", data={"do": "ban", "hours": "many", "reason": "rude"})
    assert answer.status_code == 422 and 'value="many"' in answer.text and 'value="rude"' in answer.text
    answer = await ada.post("/admin/bans", data={"addresses": "everybody", "reason": "why"})
    assert answer.status_code == 422 and 'value="everybody"' in answer.text
    for odd in ("?before=x", "?q=%00&state=odd&game=odd", "?stuck=1&before=1e400_1"):
        assert (await ada.get(f"/admin/tables{odd}")).status_code == 200, odd
    for odd in ("?q=%00", "?day=2026-99-99&actor=x&before=y&act=odd", "?q=99999999999999999999"):
        assert (await ada.get(f"/admin/audit{odd}")).status_code == 200, odd
    assert (await ada.get("/admin/people?q=%00&kind=odd")).status_code == 200
    assert (await ada.get("/admin/find?q=%00")).status_code == 200
    assert await acts(site) == []


async def test_several_tables_at_once_are_acts_of_their_own(site: Site, key: str, alice: httpx.AsyncClient) -> None:
    await opened(site, alice, await site.guest("Carol"))
    mo = await member(site, "Mo", "moderator")
    answer = await mo.post(
        "/admin/tables", data={"do": "pause", "table": ["1", "2", "x"], "reason": "the hall burns"}
    )
    assert answer.status_code == 200 and await acts(site) == ["pause", "pause"]
    answer = await mo.post("/admin/tables", data={"do": "end", "table": ["1"], "reason": "why"})
    assert answer.status_code == 403 and await acts(site) == ["pause", "pause"]


async def test_who_is_banned_is_told_why_and_sees_nothing(site: Site, key: str) -> None:
    ada = await member(site, "Ada", "admin")
    eris = await member(site, "Eris")
    eris_id = await number_of(site, "Eris")
    data = {"do": "ban", "hours": "", "reason": "insults"}
    assert (await ada.post(f"/admin/people/{eris_id}", data=data)).status_code == 200
    answer = await eris.post("/sign-in", data={"name": "Eris", "password": "three odd words"})
    assert answer.status_code == 403 and "insults" in answer.text
    assert (
        await ada.post("/admin/bans", data={"addresses": "127.0.0.1", "hours": "1", "reason": "a flood"})
    ).status_code == 200
    stranger = site.client(headers={"Origin": site.url})
    for page in ("/", "/about", "/sign-in", f"/tables/{key}"):
        answer = await stranger.get(page)
        assert answer.status_code == 403 and "a flood" in answer.text, page
    assert (await stranger.get("/health/live")).status_code == 200
    assert (await ada.get("/admin/bans")).status_code == 200
    (found,) = set(re.findall(r'name="ban" value="(\d+)"', (await ada.get("/admin/bans")).text)) - {"1"}
    assert (await ada.post("/admin/bans", data={"do": "lift", "ban": found})).status_code == 200
    assert (await stranger.get("/")).status_code == 200


async def test_a_password_link_is_shown_once_and_works(site: Site) -> None:
    ada = await member(site, "Ada", "admin")
    await member(site, "Eris")
    eris_id = await number_of(site, "Eris")
    page = await ada.post(f"/admin/people/{eris_id}", data={"do": "link"})
    (link,) = re.findall(r'value="(http[^"]+/password\?token=[^"]+)"', page.text)
    assert link not in (await ada.get(f"/admin/people/{eris_id}")).text
    fresh = site.client(headers={"Origin": site.url})
    assert "Eris" in (await fresh.get(link)).text
    token = link.partition("token=")[2]
    answer = await fresh.post("/password", data={"token": token, "password": "another odd word"})
    assert answer.status_code == 200 and answer.url.path == "/me/preferences"


async def test_the_house_is_run_as_the_form_says(site: Site, alice: httpx.AsyncClient) -> None:
    ada = await member(site, "Ada", "admin")
    form: dict[str, Any] = {
        "registration": "invitation",
        "tables_per_person": "3",
        "waiting_hours": "24",
        "idle_days": "10",
        "talk": "seats",
        "offered": ["hanging_gardens"],
        "default.hanging_gardens.first": "2",
        "announcement.en": "Tournament on <Saturday>",
        "announcement.ja": "土曜に大会",
    }
    wrong = await ada.post("/admin/settings", data={**form, "tables_per_person": "many"})
    assert (
        wrong.status_code == 422 and 'value="many"' in wrong.text and "Tournament on &lt;Saturday&gt;" in wrong.text
    )
    assert (await ada.post("/admin/settings", data={**form, "offered": []})).status_code == 422
    assert await acts(site) == []
    assert (await ada.post("/admin/settings", data=form)).status_code == 200
    assert sorted(await acts(site)) == ["announce"] * 2 + ["setting"] * 9
    stranger = site.client(headers={"Origin": site.url})
    lobby = (await stranger.get("/")).text
    assert "Tournament on &lt;Saturday&gt;" in lobby and "土曜に大会" in (await site.client().get("/?lang=ja")).text
    assert "amyitis" not in re.findall(r'name="game" value="(\w+)"', lobby)
    assert (
        await alice.post("/tables", data={"game": "hanging_gardens", "seats": "2", "do": "open"})
    ).status_code == 403
    assert (await stranger.post("/name", data={"name": "Passer-by"})).status_code == 403
    answer = await stranger.post("/sign-up", data={"name": "Eris", "password": "three odd words"})
    assert answer.status_code == 403 and "invitation" in answer.text
    page = await ada.post("/admin/settings/invitation")
    (link,) = re.findall(r'value="(http[^"]+/sign-in\?invitation=[^"]+)"', page.text)
    door = (await stranger.get(link)).text
    (token,) = re.findall(r'name="invitation" value="([^"]+)"', door)
    data = {"name": "Eris", "password": "three odd words", "invitation": token}
    assert (await stranger.post("/sign-up", data=data)).status_code == 200
    table = await stranger.post("/tables", data={"game": "hanging_gardens", "seats": "2", "do": "open"})
    held = await held_of(site, table.url.path.rsplit("/", 1)[1])
    assert held.facts.options["first"] == "2"
    assert (await stranger.post("/tables", data={"game": "amyitis", "seats": "2", "do": "open"})).status_code == 422


async def test_an_edition_is_checked_kept_previewed_and_pinned(site: Site) -> None:
    ada = await member(site, "Ada", "admin")

    async def upload(contents: str | bytes, name: str = "club-print") -> httpx.Response:
        file = contents.encode() if isinstance(contents, str) else contents
        data = {"game": "hanging_gardens", "name": name}
        return await ada.post("/admin/settings/editions", data=data, files={"file": ("my box.toml", file)})

    for contents, told in (
        ("[counts]\ngarden_cards = = 75", "my-box.toml:2"),
        (HOUSE.replace("rounds = 4", 'rounds = "four"'), "setup.rounds"),
        (b"\xff\xfe", "not UTF-8"),
        ("", "(file)"),
    ):
        answer = await upload(contents)
        assert answer.status_code == 422 and told in answer.text and 'value="club-print"' in answer.text, told
    line = HOUSE[: HOUSE.index("rounds = 4")].count("\n") + 1
    assert f"my-box.toml:{line}" in (await upload(HOUSE.replace("rounds = 4", 'rounds = "four"'))).text
    for name in ("house", "Club Print", "", "../x"):
        assert (await upload(HOUSE, name)).status_code in {409, 422}, name
    assert await acts(site) == []
    changed = HOUSE.replace("coins = 2", "coins = 3")
    answer = await upload(changed)
    assert answer.status_code == 200 and answer.url.path == "/admin/editions/hanging_gardens/club-print"
    assert (await upload(HOUSE)).status_code == 409
    assert (await ada.get(f"{answer.url.path}/board?seats=3&moves=30")).status_code == 200
    assert (await ada.get(f"{answer.url.path}/file")).text == changed
    table = await ada.post(
        "/tables",
        data={"game": "hanging_gardens", "seats": "2", "do": "bots", "bot": "random", "edition": "club-print"},
    )
    held = await held_of(site, table.url.path.rsplit("/", 1)[1])
    assert held.facts.edition == "club-print" and held.game.edition.text == changed
    assert held.begin().state.players[0].coins == 3
    async with site.server.engine.connect() as connection:
        pinned = (await connection.execute(text("SELECT edition_digest FROM tables"))).scalar_one()
    assert pinned == held.game.edition.digest != games.load("hanging_gardens").edition.digest
    data = {"edition": "hanging_gardens/club-print", "do": "withhold"}
    assert (await ada.post("/admin/settings/editions/offer", data=data)).status_code == 200
    data = {"game": "hanging_gardens", "seats": "2", "do": "open", "edition": "club-print"}
    assert (await ada.post("/tables", data=data)).status_code == 422
    assert await acts(site) == ["edition", "withhold"]


@pytest.mark.parametrize("slug", sorted(games.games()))
@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_box_of_every_game_is_drawn(site: Site, slug: str, language: str) -> None:
    olga = await member(site, "Olga", "owner", language)
    page = await olga.get(f"/admin/editions/{slug}/house")
    assert page.status_code == 200 and 'class="boxes"' in page.text
    for moves in (0, 400):
        page = await olga.get(f"/admin/editions/{slug}/house/board?moves={moves}")
        assert page.status_code == 200 and 'id="board"' in page.text


async def test_markup_in_names_and_reasons_is_text(site: Site, key: str) -> None:
    name = "<img src=x onerror=1>"
    await site.guest(name)
    ada = await member(site, "Ada", "admin")
    data = {"do": "mute", "hours": "1", "reason": '"><svg onload=1>{{7*7}}'}
    assert (await ada.post(f"/admin/people/{await number_of(site, name)}", data=data)).status_code == 200
    for page in ("/admin/people", "/admin/audit", "/admin/find?q=img", "/admin/people?q=%3Cimg"):
        text_of = (await ada.get(page)).text
        assert (
            "<img src=x" not in text_of
            and "<svg onload" not in text_of
            and "49" not in re.findall(r"\{\{.*", text_of)
        )
    assert "&lt;img src=x onerror=1&gt;" in (await ada.get("/admin/people")).text
    assert "=1" not in (await ada.get("/admin/audit.csv")).text.split("\n")[0]


async def test_a_table_is_found_by_the_address_of_its_page(site: Site, key: str) -> None:
    mo = await member(site, "Mo", "moderator")
    for written in (key, f"{site.url}/tables/{key}", f"{site.url}/tables/{key}/log?before=3", "1"):
        answer = await mo.get("/admin/find", params={"q": written})
        assert answer.url.path == "/admin/tables/1", written


async def test_an_error_is_found_by_the_id_that_whoever_met_it_was_told(site: Site, alice: httpx.AsyncClient) -> None:
    ada = await member(site, "Ada", "admin")
    async with site.server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET preferences = '[]' WHERE name = 'Alice'"))
    answer = await alice.get("/about")
    assert answer.status_code == 500
    fault = answer.headers["X-Request-ID"]
    await site.app.state.heart.beat()
    assert fault in (await ada.get("/admin")).text
    found = (await ada.get(f"/admin/find?q={fault}")).text
    assert "AttributeError" in found and "app/services/accounts.py" in found and "Alice" not in found


async def test_a_guest_who_was_given_a_role_once_is_seen_and_loses_it(site: Site, alice: httpx.AsyncClient) -> None:
    """Only accounts get one now; an older server gave it to guests."""
    olga = await member(site, "Olga", "owner")
    alice_id = await number_of(site, "Alice")
    async with site.server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET role = 'owner' WHERE id = :id"), {"id": alice_id})
    assert "guest, owner" in (await olga.get("/admin/people?kind=admins")).text
    page = (await olga.get(f"/admin/people/{alice_id}")).text
    assert "guest, owner" in page and 'value="role"' in page
    assert (await olga.post(f"/admin/people/{alice_id}", data={"do": "role", "role": ""})).status_code == 200
    page = (await olga.get(f"/admin/people/{alice_id}")).text
    assert "guest, owner" not in page and 'value="role"' not in page
    assert (await alice.get("/admin")).status_code == 404
