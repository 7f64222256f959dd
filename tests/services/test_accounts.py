"""People: nicknames that can be read, and browsers that are known again."""

import pytest

from app.services import accounts
from app.services.errors import BadName, NameTaken, NeedsAccount, NoSuchPerson
from app.services.names import clean_name
from app.services.server import Server
from tests.conftest import account


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Mika ", "Mika"),
        ("a  b", "a b"),
        ("空中庭園の鷺", "空中庭園の鷺"),
        ("José", "José"),
        ("👩‍👩‍👧‍👦 family", "👩‍👩‍👧‍👦 family"),
        (
            "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
            "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        ),
        ("x" * 24, "x" * 24),
        ("👨‍👩‍👧" * 8, "👨‍👩‍👧" * 8),
        ("<img src=x onerror=1>", "<img src=x onerror=1>"),
    ],
)
def test_a_name_is_kept_as_people_write_it(written: str, kept: str) -> None:
    assert clean_name(written) == kept


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "empty"),
        (" \t\n ", "empty"),
        ("\u3000", "empty"),
        ("x" * 25, "long"),
        ("a\u202eb", "characters"),
        ("a\u200bb", "characters"),
        ("\u200d", "characters"),
        ("a\u0000b", "characters"),
        ("a" + "\u0301" * 300, "long"),
    ],
)
def test_a_name_that_nobody_could_read_is_refused(written: str, reason: str) -> None:
    with pytest.raises(BadName) as fault:
        clean_name(written)
    assert fault.value.facts["reason"] == reason


async def test_a_browser_is_known_by_its_token_alone(server: Server) -> None:
    alice, token = await accounts.welcome(server, name="Alice", language="ja")
    assert await accounts.recognise(server, token) == alice
    assert await accounts.recognise(server, token[:-1]) is None
    assert await accounts.recognise(server, "") is None
    assert alice.language == "ja"
    assert not alice.admin


async def test_the_token_itself_is_not_stored(server: Server) -> None:
    from sqlalchemy import text

    _, token = await accounts.welcome(server, name="Alice", language="en")
    async with server.engine.connect() as connection:
        rows = (await connection.execute(text("SELECT logins::text, users::text FROM logins, users"))).all()
    assert rows
    assert token not in str(rows)


async def test_an_owner_is_made_by_name(server: Server) -> None:
    await account(server, "Alice")
    assert (await accounts.make_admin(server, name=" alice ")).admin
    with pytest.raises(NoSuchPerson):
        await accounts.make_admin(server, name="Nobody")
    for odd in ("", "a\x00", "\udcff"):
        with pytest.raises(NoSuchPerson):
            await accounts.make_admin(server, name=odd)


async def test_no_guest_becomes_an_owner_by_being_called_like_one(server: Server) -> None:
    alice, token = await accounts.welcome(server, name="Alice", language="en")
    with pytest.raises(NeedsAccount):
        await accounts.make_admin(server, name="Alice")
    _, other = await accounts.welcome(server, name="Alice", language="en")
    with pytest.raises(NeedsAccount):
        await accounts.make_admin(server, name="Alice")
    for each in (token, other):
        again = await accounts.recognise(server, each)
        assert again is not None and not again.role
    await account(server, "Alice", guest=alice)
    assert (await accounts.make_admin(server, name="Alice")).id == alice.id
    again = await accounts.recognise(server, other)
    assert again is not None and (again.name, again.role) == ("Alice 2", "")
    with pytest.raises(NameTaken):
        await accounts.welcome(server, name="Alice", language="en")


async def test_people_who_are_here_are_counted(server: Server) -> None:
    assert await accounts.count_present(server) == 0
    await accounts.welcome(server, name="Alice", language="en")
    assert await accounts.count_present(server) == 1
