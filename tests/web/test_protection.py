"""What every answer carries, what is refused before it reaches a route, and that nothing is a bare 500."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from app.web.deps import own_path
from tests.conftest import Site
from tests.web.talking import Talk


@pytest.mark.parametrize("path", ["/", "/about", "/name", "/nowhere", "/tables/nowhere", "/static/js/live.js"])
async def test_every_answer_has_the_headers(site: Site, path: str) -> None:
    answer = await site.client().get(path)
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "x-request-id" in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Referer": "https://evil.example/page"},
    ],
)
async def test_another_site_may_not_post(site: Site, headers: dict[str, str]) -> None:
    for path in ("/name", "/tables", "/language", "/tables/x/act", "/tables/x/seat"):
        answer = await site.client().post(path, data={"name": "Mika"}, headers=headers)
        assert answer.status_code == 403
    assert await count(site, "users") == 0


@pytest.mark.parametrize(("language", "said"), [("en", "Another site sent this"), ("ja", "ほかのサイト")])
async def test_who_is_refused_at_the_door_reads_why_in_their_language(site: Site, language: str, said: str) -> None:
    foreign = {"Origin": "https://evil.example", "Accept-Language": language}
    page = await site.client().post("/name", data={"name": "Mika"}, headers=foreign)
    assert f'lang="{language}"' in page.text
    assert said in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    part = await site.client().post("/name", data={"name": "Mika"}, headers={**foreign, "HX-Request": "true"})
    assert part.status_code == 403
    assert part.text.startswith('<hx-partial hx-target="#zone-refusal"')
    assert said in part.text


async def test_our_own_pages_may_post(site: Site) -> None:
    answer = await site.client().post("/name", data={"name": "Mika", "next": "/about"}, headers={"Origin": site.url})
    assert answer.status_code == 200
    assert answer.url.path == "/about"
    assert await count(site, "users") == 1


async def test_what_is_too_large_is_refused(site: Site) -> None:
    answer = await site.client().post("/name", data={"name": "x" * 70_000}, headers={"Origin": site.url})
    assert answer.status_code == 413
    assert "More was sent than any page here sends" in answer.text

    async def endless() -> object:
        for _ in range(200):
            yield b"x" * 1000

    answer = await site.client().post(
        "/name",
        content=endless(),  # type: ignore[arg-type]  # an async iterator of bytes is what httpx wants
        headers={"Origin": site.url, "Content-Type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 413
    assert answer.text.count("More was sent than any page here sends") == 1
    assert answer.text.count("<h1>") == 1
    assert await count(site, "users") == 0


async def test_the_cookie_cannot_be_read_by_scripts_nor_forged(site: Site) -> None:
    client = site.client(headers={"Origin": site.url})
    answer = await client.post("/name", data={"name": "Mika", "next": "/about"})
    cookie = answer.history[0].headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    token = client.cookies["semiramis"]
    forged = site.client(cookies={"semiramis": token[:-2] + ("aa" if token[-2:] != "aa" else "bb")})
    assert "Mika" in (await client.get("/")).text
    assert "Mika" not in (await forged.get("/")).text


async def test_two_cookies_of_one_name_lock_nobody_out(site: Site) -> None:
    client = await site.guest("Mika")
    token = client.cookies["semiramis"]
    for header in (f"semiramis=old.junk; semiramis={token}", f"semiramis={token}; semiramis=old.junk"):
        answer = await site.client(headers={"Cookie": header}).get("/")
        assert "Mika" in answer.text


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("/tables/abc?at=3", "/tables/abc?at=3"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("javascript:alert(1)", "/"),
        ("", "/"),
        ("/a\nb", "/"),
    ],
)
def test_one_is_sent_on_to_our_own_pages_only(asked: str, kept: str) -> None:
    assert own_path(asked) == kept


async def test_a_fault_is_a_page_with_a_way_on(site: Site) -> None:
    answer = await site.client(headers={"Accept-Language": "ja"}).get("/nowhere")
    assert answer.status_code == 404
    assert 'lang="ja"' in answer.text
    assert 'href="/"' in answer.text


async def test_a_database_that_is_gone_is_told_and_comes_back(site: Site) -> None:
    client = site.client()
    async with site.server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE tables RENAME TO tables_gone"))
    answer = await client.get("/")
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert "Traceback" not in answer.text
    async with site.server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE tables_gone RENAME TO tables"))
    assert (await client.get("/")).status_code == 200


async def test_idle_sockets_hold_no_database_session(site: Site, eventually: Callable[..., Any]) -> None:
    client = await site.guest("Alice")
    answer = await client.post("/tables", data={"game": "hanging_gardens", "seats": "2", "do": "bots"})
    key = answer.url.path.rsplit("/", 1)[1]
    talks = await asyncio.gather(*(Talk.open(site, key, client) for _ in range(60)))
    ours = "datname = current_database() AND pid <> pg_backend_pid()"

    async def none_is_idle_in_a_transaction() -> bool:
        async with site.server.engine.connect() as connection:
            query = f"SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND {ours}"
            return bool((await connection.execute(text(query))).scalar_one() == 0)

    await eventually(none_is_idle_in_a_transaction)
    async with site.server.engine.connect() as connection:
        count = (await connection.execute(text(f"SELECT count(*) FROM pg_stat_activity WHERE {ours}"))).scalar_one()
    assert count <= site.config.pool_size * 2 + 2
    assert (await client.get("/")).elapsed.total_seconds() < 1
    for talk in talks:
        await talk.close()


async def count(site: Site, table: str) -> int:
    async with site.server.engine.connect() as connection:
        return int((await connection.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one())


async def test_names_are_limited_by_address(site: Site) -> None:
    statuses = []
    for number in range(40):
        client = site.client(headers={"Origin": site.url})
        answer: httpx.Response = await client.post("/name", data={"name": f"G{number}", "next": "/about"})
        statuses.append(answer.status_code)
    assert statuses.count(429) == 10


def test_sockets_are_pinged_more_often_than_proxies_cut() -> None:
    """A22: proxies cut silent sockets after 60 seconds by default."""
    from app.commands.serving import PING

    assert PING <= 30
