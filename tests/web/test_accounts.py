"""Signing up, in and out by form: what is wrong is said at its field, nothing is lost, nobody guesses for long."""

import httpx
import pytest
from sqlalchemy import text

from tests.conftest import PASSWORD, Site, account
from tests.web.talking import Talk
from tests.web.test_tables import held_of, move, opened


async def visitor(site: Site, language: str = "en") -> httpx.AsyncClient:
    return site.client(headers={"Origin": site.url, "Accept-Language": language})


async def test_a_guest_makes_an_account_and_is_back_at_the_table(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    await move(site, key, [alice, bob], 3)
    guests_cookie = alice.cookies["semiramis"]
    form = {"name": "Alice", "password": PASSWORD, "email": "", "next": f"/tables/{key}"}
    answer = await alice.post("/sign-up", data=form)
    assert answer.url.path == f"/tables/{key}"
    assert alice.cookies["semiramis"] != guests_cookie
    await move(site, key, [alice, bob], 3)
    assert (await held_of(site, key)).version == 6
    fresh = await visitor(site)
    answer = await fresh.post("/sign-in", data={"name": "alice", "password": PASSWORD, "next": f"/tables/{key}"})
    assert answer.url.path == f"/tables/{key}"
    await move(site, key, [fresh, bob], 2)


async def test_the_page_of_a_guest_stays_live_while_an_account_is_made(site: Site) -> None:
    """The socket knew the guest's cookie: the page loads itself again, and is the same seat."""
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(site, alice, bob)
    talk = await Talk.open(site, key, alice)
    await alice.post("/sign-up", data={"name": "Alice", "password": PASSWORD})
    await talk.socket.wait_closed()
    assert talk.reloads == 1
    again = await Talk.open(site, key, alice)
    seat, since, action = 0, 0, next(iter(await legal_of(site, key)))
    assert not (await again.act(action, seat=seat, since=since)).get("refused")
    await again.close()


async def legal_of(site: Site, key: str) -> list[str]:
    from tests.services.test_tables import legal

    return legal(await held_of(site, key), 0)


async def test_who_may_say_nothing_is_told_that_a_new_name_must_wait(site: Site) -> None:
    alice = await site.guest("Alice")
    async with site.server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET muted_until = now() + interval '1 day'"))
    answer = await alice.post("/sign-up", data={"name": "Innocent", "password": PASSWORD, "email": "a@example.org"})
    assert answer.status_code == 403
    assert "no new name" in answer.text.split('id="new-name-error"')[1].split("</p>")[0]
    assert 'value="a@example.org"' in answer.text
    answer = await alice.post("/sign-up", data={"name": "Alice", "password": PASSWORD, "next": "/about"})
    assert answer.url.path == "/about"


@pytest.mark.parametrize(
    ("field", "form", "words"),
    [
        ("new-name", {"name": ""}, "at least one character"),
        ("new-name", {"name": "x" * 25}, "at most 24"),
        ("new-name", {"name": "a\u202eb"}, "nobody could see"),
        ("new-name", {"name": "BOB"}, "has an account of this name"),
        ("new-password", {"password": "short"}, "at least 10"),
        ("new-password", {"password": "x" * 201}, "at most 200"),
        ("new-password", {"password": "aaaaaaaaaaaaa"}, "could guess"),
        ("email", {"email": "nonsense"}, "no e-mail address"),
    ],
)
async def test_what_is_wrong_is_said_at_its_field(site: Site, field: str, form: dict[str, str], words: str) -> None:
    await account(site.server, "Bob")
    client = await visitor(site)
    whole = {"name": "Mika", "password": PASSWORD, "email": "mika@example.org", "next": "/about", **form}
    answer = await client.post("/sign-up", data=whole)
    assert answer.status_code == 422
    said = answer.text.split(f'id="{field}-error"')[1].split("</p>")[0]
    assert words in said
    for kept in ({"name", "email"} & set(whole)) - set(form):
        assert f'value="{whole[kept]}"' in answer.text, "nothing that was typed is lost"
    assert PASSWORD not in answer.text
    assert 'name="next" value="/about"' in answer.text


async def test_a_wrong_password_is_told_without_saying_which_was_wrong(site: Site) -> None:
    await account(site.server, "Alice")
    client = await visitor(site)
    answers = [
        await client.post("/sign-in", data={"name": name, "password": "some wrong words", "next": "/about"})
        for name in ("Alice", "Nobody")
    ]
    assert {answer.status_code for answer in answers} == {422}
    assert answers[0].text.replace("Alice", "Nobody") == answers[1].text
    assert "do not fit together" in answers[0].text
    assert "4 more tries" in answers[0].text


async def test_after_some_wrong_passwords_there_is_a_rest(site: Site) -> None:
    await account(site.server, "Alice")
    client = await visitor(site)
    for _ in range(5):
        answer = await client.post("/sign-in", data={"name": "Ａlice", "password": "some wrong words"})
        assert answer.status_code == 422
    for password in ("some wrong words", PASSWORD):
        answer = await client.post("/sign-in", data={"name": "alice", "password": password})
        assert answer.status_code == 429
        assert "ten minutes" in answer.text
    await account(site.server, "Bob")
    answer = await client.post("/sign-in", data={"name": "Bob", "password": PASSWORD})
    assert answer.status_code == 200, "others at this address are let in"


async def test_who_is_signed_in_is_sent_on(site: Site) -> None:
    client = await visitor(site)
    await client.post("/sign-up", data={"name": "Alice", "password": PASSWORD})
    assert (await client.get("/sign-in?next=/about")).url.path == "/about"
    answer = await client.post("/sign-up", data={"name": "Other", "password": PASSWORD, "next": "/about"})
    assert answer.url.path == "/about"
    async with site.server.sessions() as session:
        assert (await session.execute(text("SELECT count(*) FROM users"))).scalar_one() == 1
    guest = await site.guest("Bob")
    assert (await guest.get("/sign-in?next=/about")).url.path == "/sign-in", "a guest may still choose"


@pytest.mark.parametrize("where", ["https://evil.example/", "//evil.example", "/\\evil.example"])
async def test_nobody_is_sent_to_another_site_after_signing_in(site: Site, where: str) -> None:
    client = await visitor(site)
    await account(site.server, "Alice")
    answer = await client.post("/sign-in", data={"name": "Alice", "password": PASSWORD, "next": where})
    assert str(answer.url).startswith(site.url)


async def test_signing_out_forgets_the_cookie_everywhere(site: Site) -> None:
    client = await visitor(site)
    await client.post("/sign-up", data={"name": "Alice", "password": PASSWORD})
    cookie = client.cookies["semiramis"]
    await client.post("/sign-out")
    assert "semiramis" not in client.cookies
    stolen = site.client(cookies={"semiramis": cookie})
    page = await stolen.get("/me")
    assert page.url.path == "/sign-in"


async def test_two_cookies_of_one_name_lock_nobody_out_of_an_account(site: Site) -> None:
    """An old cookie of another path comes first, as browsers send them; who signs in anew is let in."""
    old = await site.guest("Old")
    stale = old.cookies["semiramis"]
    await old.post("/sign-out")
    await account(site.server, "Alice")
    fresh = await visitor(site)
    await fresh.post("/sign-in", data={"name": "Alice", "password": PASSWORD})
    good = fresh.cookies["semiramis"]
    for header in (f"semiramis={stale}; semiramis={good}", f"semiramis={good}; semiramis={stale}"):
        both = site.client(headers={"Cookie": header, "Origin": site.url})
        assert (await both.get("/me")).url.path == "/me"
        assert "signed out" not in (await both.get("/")).text
    guest = (await site.guest("Mika")).cookies["semiramis"]
    for header in (f"semiramis={guest}; semiramis={good}", f"semiramis={good}; semiramis={guest}"):
        both = site.client(headers={"Cookie": header})
        assert "Alice" in (await both.get("/me")).text, "an account goes before a guest"
    stuck = site.client(headers={"Cookie": f"semiramis={stale}; semiramis=junk.junk", "Origin": site.url})
    answer = await stuck.post("/sign-in", data={"name": "Alice", "password": PASSWORD, "next": "/about"})
    assert answer.history[0].status_code == 303
    assert "semiramis=" in answer.history[0].headers["set-cookie"]


async def test_another_site_signs_nobody_in_up_or_out(site: Site) -> None:
    client = site.client(headers={"Origin": "https://evil.example"})
    for path in ("/sign-in", "/sign-up", "/sign-out", "/me/delete", "/me/password", "/password", "/confirm"):
        assert (await client.post(path, data={"name": "Alice", "password": PASSWORD})).status_code == 403


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_pages_speak_the_language_of_the_reader(site: Site, language: str) -> None:
    client = await visitor(site, language)
    for path in ("/sign-in", "/sign-in?lost=move", "/forgotten", "/password?token=x", "/confirm?token=x", "/@nobody"):
        answer = await client.get(path)
        assert f'lang="{language}"' in answer.text, path
    answer = await client.post("/sign-in", data={"name": "Nobody", "password": "some wrong words"})
    assert ("合いません" in answer.text or "一致しません" in answer.text) == (language == "ja")


@pytest.mark.parametrize("name", ["a\x00b", "\ud800", "x" * 5000, "%00", "' OR 1=1 --"])
async def test_nonsense_is_refused_in_words(site: Site, name: str) -> None:
    client = await visitor(site)
    written = name.encode(errors="surrogatepass")
    for path, status in (("/sign-in", {422}), ("/sign-up", {422, 200}), ("/forgotten", {200})):
        body = httpx.QueryParams({"password": PASSWORD}).__str__().encode() + b"&name=" + quoted(written)
        answer = await client.post(
            path,
            content=body + b"&who=" + quoted(written),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )
        assert answer.status_code in status, path
        client.cookies.clear()


def quoted(written: bytes) -> bytes:
    return b"".join(b"%%%02X" % byte for byte in written)
