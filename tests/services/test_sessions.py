"""Accounts: a guest stays the same person, a password lets in, and a browser that is signed out does nothing more."""

import asyncio
from collections.abc import Callable

import pytest
from sqlalchemy import text

from app.services import accounts, listing, lobby, passwords, sessions, tables, talk
from app.services.accounts import NO_BROWSER, Browser, Me
from app.services.admin import order
from app.services.errors import (
    BadEmail,
    BadName,
    BadPassword,
    HasAccount,
    Muted,
    NameTaken,
    SignedOut,
    WrongPassword,
)
from app.services.passwords import HASHER, check_password, fits, hashed_password
from app.services.server import Server
from app.services.sessions import Wish
from tests.conftest import ADDRESS, PASSWORD, account, person
from tests.services.admin.acting import official
from tests.services.test_tables import legal, opened


async def sign_in(server: Server, name: str, password: str = PASSWORD, *, me: Me | None = None) -> tuple[Me, str]:
    return await sessions.sign_in(server, me, name=name, password=password, browser=NO_BROWSER)


async def test_a_guest_who_makes_an_account_stays_the_same_person(server: Server, bob: Me) -> None:
    guest, old = await accounts.welcome(server, name="Alice", language="ja")
    table_id = await opened(server, guest, bob)
    wish = Wish("Ａlice", PASSWORD)
    me, token = await sessions.sign_up(server, guest, wish, language="en", browser=NO_BROWSER, address=ADDRESS)
    assert me.id == guest.id
    assert (me.name, me.guest, me.language) == ("Ａlice", False, "ja")
    assert await accounts.recognise(server, token) == me
    assert await accounts.recognise(server, old) is None, "the guest's cookie has done its work"
    held = await server.states.newest(table_id)
    assert [seat.name for seat in held.facts.seats] == ["Ａlice", "Bob"]
    held = await tables.act(server, table_id, seat=0, text=legal(held, 0)[0], since=0, me=me)
    assert held.version == 1


async def test_who_may_say_nothing_finds_neither_a_voice_nor_a_new_name_by_an_account(
    server: Server, bob: Me, later: Callable[..., None]
) -> None:
    guest = await person(server, "Alice")
    table_id = await opened(server, guest, bob)
    mo = await official(server, "Mo", "moderator")
    await order.mute(server, mo, guest.id, hours=24, reason="rude")
    with pytest.raises(Muted):
        await account(server, "Innocent", guest=guest)
    assert (await server.states.newest(table_id)).facts.seats[0].name == "Alice"
    me = await account(server, "Alice", guest=guest)
    with pytest.raises(Muted):
        await talk.say(server, me, table_id, words="me again")
    later(hours=25)
    await talk.say(server, me, table_id, words="sorry")


async def test_an_account_is_made_without_being_a_guest_first(server: Server) -> None:
    me = await account(server, "Alice")
    found, _ = await sign_in(server, "ALICE")
    assert found.id == me.id
    assert found.login != me.login


async def test_who_has_an_account_makes_no_second_one(server: Server) -> None:
    me = await account(server, "Alice")
    with pytest.raises(HasAccount):
        await account(server, "Other", guest=me)


@pytest.mark.parametrize("name", ["Alice", "alice", "Ａｌｉｃｅ", "ALICE", "Al\ufe00ice", "Ali\u034fce"])
async def test_no_account_looks_like_another(server: Server, name: str) -> None:
    await account(server, "Alice")
    with pytest.raises(NameTaken):
        await account(server, name)
    with pytest.raises(NameTaken):
        await accounts.welcome(server, name=name, language="en")
    other = await person(server, "Other")
    with pytest.raises(NameTaken):
        await accounts.rename(server, other, name=name)


@pytest.mark.parametrize(
    "name", ["Al\u200bice", "\u202eecilA", "Alice\u2066", "Ali\u00adce", "Alice\ufeff", "\u2800"]
)
async def test_invisible_and_turned_characters_make_no_name(server: Server, name: str) -> None:
    with pytest.raises(BadName):
        await account(server, name)


async def test_guests_of_that_name_get_a_number_when_it_becomes_an_account(server: Server, bob: Me) -> None:
    alices = [await person(server, "Alice") for _ in range(3)]
    table_id = await opened(server, alices[0], bob)
    await account(server, "Alice 3")
    me = await account(server, "Alice", guest=alices[1])
    held = await server.states.newest(table_id)
    assert held.facts.seats[0].name == "Alice 2"
    async with server.sessions() as session:
        rows = await session.execute(text("SELECT id, name FROM users WHERE name LIKE 'Alice%' ORDER BY id"))
        names = {row[0]: row[1] for row in rows}
    assert names[alices[0].id] == "Alice 2"
    assert names[me.id] == "Alice"
    assert names[alices[2].id] == "Alice 4", "somebody has the account Alice 3"


async def test_of_many_who_want_one_name_at_once_one_gets_it(server: Server, other_server: Server) -> None:
    wishes = [account(each, name) for each in (server, other_server) for name in ("Alice", "ALICE", "alice")]
    answers = await asyncio.gather(*wishes, return_exceptions=True)
    assert sum(isinstance(answer, Me) for answer in answers) == 1
    assert all(isinstance(answer, Me | NameTaken) for answer in answers), answers


async def test_only_the_password_lets_in(server: Server) -> None:
    await account(server, "Alice")
    await person(server, "Bob")
    for name, password in (
        ("Alice", "wrong password"),
        ("Alice", PASSWORD.upper()),
        ("Alice", ""),
        ("Bob", PASSWORD),
        ("Nobody", PASSWORD),
        ("", PASSWORD),
        ("a\x00" * 200, "\ud800" * 2),
        ("Alice", "x" * 100_000),
    ):
        with pytest.raises(WrongPassword):
            await sign_in(server, name, password)
    full_width, _ = await sign_in(server, "Alice", "ｔｈｒｅｅ odd words")
    assert full_width.name == "Alice"


@pytest.mark.parametrize(
    ("password", "flaw"),
    [
        ("short", "short"),
        ("", "short"),
        ("x" * 201, "long"),
        ("\ufdfa" * 200, "long"),
        ("alice of babylon", "name"),
        ("ababababab", "simple"),
        ("aaaaaaaaaaaa", "simple"),
    ],
)
def test_passwords_that_anybody_guesses_are_refused(password: str, flaw: str) -> None:
    with pytest.raises(BadPassword) as fault:
        check_password(password, name="Alice of Babylon")
    assert fault.value.facts["flaw"] == flaw


async def test_a_password_is_kept_as_argon2_and_leaves_no_trace(server: Server) -> None:
    await account(server, "Alice", email="alice@example.org")
    async with server.engine.connect() as connection:
        rows = str((await connection.execute(text("SELECT users::text FROM users"))).all())
        letters = str((await connection.execute(text("SELECT letters::text FROM letters"))).all())
    assert "$argon2id$" in rows
    assert PASSWORD not in rows + letters


async def test_a_hash_of_lower_cost_is_renewed_at_the_next_sign_in(server: Server) -> None:
    from argon2 import PasswordHasher

    await account(server, "Alice")
    cheap = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1).hash(PASSWORD)
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET password_hash = :cheap"), {"cheap": cheap})
    await sign_in(server, "Alice")
    async with server.engine.connect() as connection:
        stored = (await connection.execute(text("SELECT password_hash FROM users"))).scalar_one()
    assert stored != cheap
    assert not passwords.is_outdated(stored)


async def test_it_takes_as_long_to_refuse_nobody_as_somebody() -> None:
    """Both compute one hash: how long it takes tells nothing of who is here."""
    calls = 0
    stored = await hashed_password(PASSWORD)

    class Counting:
        def verify(self, *words: str) -> bool:
            nonlocal calls
            calls += 1
            return bool(HASHER.verify(*words))

        def hash(self, password: str) -> str:
            nonlocal calls
            calls += 1
            return password

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "HASHER", Counting())
        assert not await fits(PASSWORD, None)
    assert calls == 1
    assert await fits(PASSWORD, stored)


async def test_a_bad_wish_changes_nothing(server: Server) -> None:
    guest = await person(server, "Alice")
    for wish, fault in (
        (Wish("", PASSWORD), BadName),
        (Wish("Alice", "short"), BadPassword),
        (Wish("Alice", PASSWORD, "no address"), BadEmail),
    ):
        with pytest.raises(fault):
            await sessions.sign_up(server, guest, wish, language="en", browser=NO_BROWSER, address=ADDRESS)
    async with server.sessions() as session:
        rows = (await session.execute(text("SELECT guest, password_hash, email FROM users"))).all()
    assert [tuple(row) for row in rows] == [(True, None, None)]


async def test_browsers_are_listed_and_signed_out_one_by_one(server: Server, other_server: Server) -> None:
    await account(server, "Alice")
    here = Browser("Firefox · Linux", "192.0.2.1")
    me, token = await sessions.sign_in(server, None, name="Alice", password=PASSWORD, browser=here)
    _, elsewhere = await sign_in(server, "Alice")
    listed = await sessions.list_signed_in(server, me)
    assert len(listed) == 3
    assert (listed[0].browser, listed[0].address, listed[0].here) == ("Firefox · Linux", "192.0.2.1", True)
    assert [each.here for each in listed[1:]] == [False, False]
    await sessions.end(server, me, login_id=listed[1].id)
    assert await accounts.recognise(other_server, elsewhere) is None
    await sessions.end_others(server, me)
    assert [each.here for each in await sessions.list_signed_in(server, me)] == [True]
    await sessions.sign_out(server, me)
    assert await accounts.recognise(server, token) is None


async def test_nobody_signs_out_another(server: Server) -> None:
    alice, eve = await account(server, "Alice"), await account(server, "Eve")
    assert alice.login is not None
    await sessions.end(server, eve, login_id=alice.login)
    assert len(await sessions.list_signed_in(server, alice)) == 1


async def test_a_browser_that_was_not_used_for_long_is_signed_out(server: Server, later: Callable[..., None]) -> None:
    _, token = await accounts.welcome(server, name="Alice", language="en")
    later(days=server.settings.session_days - 1)
    assert await accounts.recognise(server, token) is not None
    later(days=2)
    assert await accounts.recognise(server, token) is not None, "it was used the day before yesterday"
    later(days=server.settings.session_days + 1)
    assert await accounts.recognise(server, token) is None


async def test_a_move_of_a_browser_that_is_signed_out_is_not_stored(
    server: Server, other_server: Server, bob: Me
) -> None:
    """The process that takes the move has not heard yet: the database says no."""
    alice = await account(server, "Alice")
    table_id = await opened(server, alice, bob)
    held = await other_server.states.newest(table_id)
    await sessions.sign_out(server, alice)
    with pytest.raises(SignedOut):
        await tables.act(other_server, table_id, seat=0, text=legal(held, 0)[0], since=0, me=alice)
    assert (await server.states.newest(table_id)).version == 0
    again, _ = await sign_in(server, "Alice")
    held = await tables.act(other_server, table_id, seat=0, text=legal(held, 0)[0], since=0, me=again)
    assert held.version == 1


async def test_signing_in_elsewhere_signs_nobody_out(server: Server) -> None:
    me = await account(server, "Alice")
    await asyncio.gather(*(sign_in(server, "Alice") for _ in range(5)))
    assert len(await sessions.list_signed_in(server, me)) == 6


async def test_signing_in_as_another_ends_the_first_in_this_browser(server: Server) -> None:
    alice, bob = await account(server, "Alice"), await account(server, "Bob")
    await lobby.open_table(server, alice, lobby.Wish(slug="hanging_gardens", seats=2))
    found, _ = await sign_in(server, "Bob", me=alice)
    assert found.id == bob.id
    assert await sessions.list_signed_in(server, alice) == ()
    assert len(await listing.list_mine(server, alice)) == 1, "nothing of an account goes over to another"
