"""Addresses and passwords: links are good once and for a while, and tell a stranger nothing."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

from app.services import accounts, emails, recovery, sessions
from app.services.accounts import NO_BROWSER, Me
from app.services.emails import clean_email, new_token
from app.services.errors import (
    BadEmail,
    BadLink,
    BadPassword,
    EmailTaken,
    NeedsAccount,
    TooManyLetters,
    WrongPassword,
)
from app.services.server import Server
from tests.conftest import ADDRESS, PASSWORD, account
from tests.services.endings import ended, rating_of

NEW = "four other odd words"


async def link(server: Server, me: Me, kind: str = emails.CONFIRM) -> str:
    """The secret in the letter that is about to be sent."""
    from app.db import accounts as queries

    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id)
        assert user is not None
        valid = {emails.CONFIRM: emails.VALID, recovery.PASSWORD: recovery.VALID}[kind]
        return await new_token(session, user, kind=kind, email=user.email or "", lasting=valid)


async def confirmed(server: Server, name: str, email: str) -> Me:
    me = await account(server, name, email=email)
    await emails.confirm(server, await link(server, me))
    return me


async def letters_to(server: Server, me: Me) -> list[str]:
    async with server.sessions() as session:
        query = text("SELECT kind FROM letters WHERE user_id = :id ORDER BY id")
        return list((await session.execute(query, {"id": me.id})).scalars())


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (" Alice@Example.ORG ", "alice@example.org"),
        ("a.b+club@mail.example.co.jp", "a.b+club@mail.example.co.jp"),
        ("mika@例え.jp", "mika@xn--r8jz45g.jp"),
        ("o'hara@example.org", "o'hara@example.org"),
    ],
)
def test_an_address_is_kept_as_letters_reach_it(written: str, kept: str) -> None:
    assert clean_email(written) == kept


@pytest.mark.parametrize(
    "written",
    [
        "",
        "alice",
        "@example.org",
        "alice@",
        "alice@localhost",
        "a b@example.org",
        "a..b@example.org",
        ".a@example.org",
        "a@-example.org",
        "a@example..org",
        "a@example.org\nBcc: eve@example.org",
        "a\r\n@example.org",
        "a@exa\x00mple.org",
        "<script>@example.org",
        "a@[127.0.0.1]",
        "x" * 65 + "@example.org",
        "a@" + "x." * 120 + "org",
        "美香@example.org",
        "\ud800@example.org",
        "a@\ud800.org",
    ],
)
def test_what_is_no_address_is_refused(written: str) -> None:
    with pytest.raises(BadEmail):
        clean_email(written)


async def test_an_address_counts_once_it_is_confirmed(server: Server) -> None:
    me = await account(server, "Alice", email="alice@example.org")
    assert await emails.contact(server, me) == emails.Contact("alice@example.org", False)
    token = await link(server, me)
    assert await emails.look_at_confirmation(server, token) == ("Alice", "alice@example.org")
    assert not (await emails.contact(server, me)).confirmed, "looking at a link changes nothing"
    await emails.confirm(server, token)
    assert (await emails.contact(server, me)).confirmed
    with pytest.raises(BadLink):
        await emails.confirm(server, token)


async def test_links_are_good_for_a_while(server: Server, later: Callable[..., None]) -> None:
    me = await account(server, "Alice", email="alice@example.org")
    token = await link(server, me)
    later(seconds=emails.VALID.total_seconds() + 1)
    for use in (emails.confirm, emails.look_at_confirmation):
        with pytest.raises(BadLink):
            await use(server, token)
    for nonsense in ("", "x", token[:-1], "\x00", "\ud800", "x" * 10_000):
        with pytest.raises(BadLink):
            await emails.confirm(server, nonsense)


async def test_a_link_of_one_kind_is_no_link_of_another(server: Server) -> None:
    me = await account(server, "Alice", email="alice@example.org")
    token = await link(server, me)
    with pytest.raises(BadLink):
        await recovery.look_at_link(server, token)


async def test_an_address_belongs_to_who_confirms_it(server: Server) -> None:
    """Anybody may write down an address; that keeps nobody from it."""
    eve = await account(server, "Eve", email="alice@example.org")
    await confirmed(server, "Alice", "alice@example.org")
    with pytest.raises(EmailTaken):
        await emails.confirm(server, await link(server, eve))


async def test_another_address_needs_the_password_and_is_told_to_the_old_one(server: Server) -> None:
    me = await confirmed(server, "Alice", "old@example.org")
    old_link = await link(server, me)
    with pytest.raises(WrongPassword):
        await emails.set_email(server, me, email="new@example.org", password="guess", address=ADDRESS)
    await emails.set_email(server, me, email="new@example.org", password=PASSWORD, address=ADDRESS)
    assert await emails.contact(server, me) == emails.Contact("new@example.org", False)
    assert await letters_to(server, me) == [emails.MOVED, emails.CONFIRM]
    with pytest.raises(BadLink):
        await emails.confirm(server, old_link)
    await emails.set_email(server, me, email="", password=PASSWORD, address=ADDRESS)
    assert (await emails.contact(server, me)).email == ""


async def test_a_guest_has_no_address(server: Server, bob: Me) -> None:
    with pytest.raises(NeedsAccount):
        await emails.set_email(server, bob, email="bob@example.org", password="", address=ADDRESS)
    with pytest.raises(NeedsAccount):
        await recovery.change(server, bob, old="", new=NEW, address=ADDRESS)
    with pytest.raises(NeedsAccount):
        await recovery.new_link(server, bob.id)


async def test_nobody_floods_an_address_with_letters(server: Server, later: Callable[..., None]) -> None:
    me = await account(server, "Alice", email="alice@example.org")
    await sent(server)
    with pytest.raises(TooManyLetters):
        for _ in range(emails.MOST_AN_HOUR + 1):
            await emails.ask_again(server, me, address=ADDRESS)
            await sent(server)
    assert len(await letters_to(server, me)) == emails.MOST_AN_HOUR
    later(hours=1, minutes=1)
    await emails.ask_again(server, me, address=ADDRESS)


async def sent(server: Server) -> None:
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE letters SET sent_at = now() WHERE sent_at IS NULL"))


async def test_a_lost_password_is_replaced_by_a_link(server: Server) -> None:
    me = await confirmed(server, "Alice", "alice@example.org")
    for who in ("ALICE", "Alice@example.org"):
        await recovery.forgotten(server, who=who, address=ADDRESS)
    assert await letters_to(server, me) == [emails.CONFIRM, recovery.PASSWORD, recovery.PASSWORD]
    token = await link(server, me, recovery.PASSWORD)
    assert await recovery.look_at_link(server, token) == "Alice"
    with pytest.raises(BadPassword):
        await recovery.choose(server, None, token=token, password="short", browser=NO_BROWSER, address=ADDRESS)
    found, fresh = await recovery.choose(server, None, token=token, password=NEW, browser=NO_BROWSER, address=ADDRESS)
    assert found.id == me.id
    assert [each.here for each in await sessions.list_signed_in(server, found)] == [True], "all others are ended"
    assert await accounts.recognise(server, fresh) == found
    with pytest.raises(BadLink):
        await recovery.choose(server, None, token=token, password=NEW, browser=NO_BROWSER, address=ADDRESS)
    with pytest.raises(WrongPassword):
        await sessions.sign_in(server, None, name="Alice", password=PASSWORD, browser=NO_BROWSER)
    await sessions.sign_in(server, None, name="Alice", password=NEW, browser=NO_BROWSER)


async def test_a_newer_link_makes_the_older_one_worthless(server: Server, later: Callable[..., None]) -> None:
    me = await confirmed(server, "Alice", "alice@example.org")
    first, second = [await link(server, me, recovery.PASSWORD) for _ in range(2)]
    with pytest.raises(BadLink):
        await recovery.look_at_link(server, first)
    assert await recovery.look_at_link(server, second) == "Alice"
    later(seconds=recovery.VALID.total_seconds() + 1)
    with pytest.raises(BadLink):
        await recovery.look_at_link(server, second)


async def test_asking_for_a_link_tells_nobody_who_is_here(server: Server) -> None:
    unconfirmed = await account(server, "Alice", email="alice@example.org")
    without = await account(server, "Bob")
    for who in ("Alice", "alice@example.org", "Bob", "Nobody", "nobody@example.org", "", "\x00", "\ud800", "x" * 999):
        await recovery.forgotten(server, who=who, address=ADDRESS)
    assert await letters_to(server, unconfirmed) == [emails.CONFIRM]
    assert await letters_to(server, without) == []


async def test_few_links_an_hour_are_sent_whoever_asks(server: Server) -> None:
    me = await confirmed(server, "Alice", "alice@example.org")
    for _ in range(emails.MOST_AN_HOUR + 5):
        await recovery.forgotten(server, who="Alice", address=ADDRESS)
    assert (await letters_to(server, me)).count(recovery.PASSWORD) == emails.MOST_AN_HOUR


async def test_an_admin_hands_on_a_link_without_any_letter(server: Server) -> None:
    me = await account(server, "Alice")
    token = await recovery.new_link(server, me.id)
    found, _ = await recovery.choose(server, None, token=token, password=NEW, browser=NO_BROWSER, address=ADDRESS)
    assert found.id == me.id


async def test_a_guest_who_comes_by_a_link_takes_everything_along(server: Server, bob: Me) -> None:
    me = await account(server, "Alice")
    guest, _ = await accounts.welcome(server, name="Mika", language="en")
    await ended(server, [guest, bob], [1, 2])
    token = await recovery.new_link(server, me.id)
    found, _ = await recovery.choose(server, guest, token=token, password=NEW, browser=NO_BROWSER, address=ADDRESS)
    assert found.id == me.id
    assert await rating_of(server, found) is not None


async def test_a_new_password_signs_the_other_browsers_out_and_is_told(server: Server) -> None:
    me = await confirmed(server, "Alice", "alice@example.org")
    _, elsewhere = await sessions.sign_in(server, None, name="Alice", password=PASSWORD, browser=NO_BROWSER)
    with pytest.raises(WrongPassword):
        await recovery.change(server, me, old="guess", new=NEW, address=ADDRESS)
    with pytest.raises(BadPassword):
        await recovery.change(server, me, old=PASSWORD, new="Alice     ", address=ADDRESS)
    assert await accounts.recognise(server, elsewhere) is not None
    await recovery.change(server, me, old=PASSWORD, new=NEW, address=ADDRESS)
    assert await accounts.recognise(server, elsewhere) is None
    assert [each.here for each in await sessions.list_signed_in(server, me)] == [True]
    assert recovery.CHANGED in await letters_to(server, me)
