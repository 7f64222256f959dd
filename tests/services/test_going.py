"""Taking one's data along, and going for good: everything of mine, nothing of others, and no table is wedged."""

import asyncio

import msgspec
import pytest
from sqlalchemy import text

from app.engine import codec
from app.services import (
    accounts,
    deletion,
    emails,
    exports,
    hosting,
    listing,
    lobby,
    profiles,
    ratings,
    sessions,
    tables,
)
from app.services.accounts import NO_BROWSER, Me
from app.services.errors import NoSuchPerson, WrongPassword
from app.services.server import Server
from tests.conftest import PASSWORD, account
from tests.services.endings import ended, rating_of
from tests.services.test_tables import legal, opened, play

SECRETS = ("hash", "token", "argon2", "seed")


async def test_the_export_has_everything_of_mine(server: Server, bob: Me) -> None:
    me = await account(server, "Alice", email="alice@example.org")
    playing = await opened(server, me, bob)
    await play(server, playing, [me, bob], moves=6)
    await ended(server, [me, bob], [1, 2])
    found = await exports.export(server, me)
    assert found["person"]["name"] == "Alice"
    assert found["person"]["email"] == "alice@example.org"
    assert len(found["browsers"]) == 1
    assert [each["status"] for each in found["tables"]] == ["over", "playing"]
    assert found["tables"][0]["result"] == {
        "points": 99,
        "place": 1,
        "rated": True,
        "points_by_source": {"flowers": 99},
    }
    held = await server.states.newest(playing)
    mine = [line.text for line in held.lines if line.seat == 0]
    assert [each["entry"] for each in found["tables"][1]["moves"]] == mine
    assert [each["game"] for each in found["ratings"]] == ["hanging_gardens"]
    assert [each["kind"] for each in found["letters"]] == [emails.CONFIRM]


async def test_the_export_has_no_secrets_and_nothing_of_others(server: Server, bob: Me) -> None:
    me = await account(server, "Alice", email="alice@example.org")
    await account(server, "Carol", email="carol@example.org")
    playing = await opened(server, me, bob)
    await play(server, playing, [me, bob], moves=6)
    written = msgspec.json.encode(await exports.export(server, me)).decode()
    assert not any(word in written for word in (*SECRETS, "Carol", "carol@", "Bob"))
    held = await server.states.newest(playing)
    assert held.facts.seed not in written


async def test_who_goes_leaves_nothing_that_tells_who_it_was(server: Server, bob: Me) -> None:
    me, token = await accounts.welcome(server, name="Guest", language="ja")
    me = await account(server, "Mardukapaliddina", email="marduk@example.org", guest=me)
    playing = await opened(server, me, bob)
    await play(server, playing, [me, bob], moves=4)
    await ended(server, [me, bob], [1, 2])
    with pytest.raises(WrongPassword):
        await deletion.delete_me(server, me, password="guess")
    await deletion.delete_me(server, me, password=PASSWORD)
    assert await accounts.recognise(server, token) is None
    async with server.engine.connect() as connection:
        names = text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for name in (await connection.execute(names)).scalars().all():
            rows = str((await connection.execute(text(f'SELECT "{name}"::text FROM "{name}"'))).all()).lower()
            assert "marduk" not in rows, name
            assert "127.0.0.1" not in rows, name
    with pytest.raises(NoSuchPerson):
        await profiles.show(server, None, name="Mardukapaliddina")
    with pytest.raises(WrongPassword):
        await sessions.sign_in(server, None, name="Mardukapaliddina", password=PASSWORD, browser=NO_BROWSER)
    assert (await account(server, "Mardukapaliddina")).id != me.id, "the name is free again"


async def test_games_and_ratings_of_the_others_stay_as_they_were(server: Server, bob: Me) -> None:
    me = await account(server, "Alice")
    await ended(server, [me, bob], [1, 2])
    before = await rating_of(server, bob)
    playing = await opened(server, me, bob)
    await play(server, playing, [me, bob], moves=5)
    log_before = (await server.states.newest(playing)).lines
    await deletion.delete_me(server, me, password=PASSWORD)
    assert await rating_of(server, bob) == before
    assert not await ratings.recompute(server, write=False)
    assert (await server.states.newest(playing)).lines == log_before
    profile = await profiles.show(server, bob)
    assert [[(other.name, other.account) for other in each.others] for each in profile.ended] == [[("—", False)]]


async def test_a_bot_plays_on_for_who_goes(server: Server, bob: Me) -> None:
    me = await account(server, "Alice")
    playing = await opened(server, me, bob)
    await deletion.delete_me(server, me, password=PASSWORD)
    held = await server.states.newest(playing)
    assert held.facts.seats[0].bot
    assert held.facts.seats[0].user_id is None
    held = await tables.act(server, playing, seat=0, text=legal(held, 0)[0], since=0, me=None, bot=True)
    assert held.position is not None
    assert codec.digest(held.position.state)


async def test_a_host_who_goes_passes_the_table_on(server: Server, bob: Me) -> None:
    me = await account(server, "Alice")
    wish = lobby.Wish(slug="hanging_gardens", seats=3)
    table_id = await server.states.find_id(await lobby.open_table(server, me, wish))
    alone = await lobby.open_table(server, me, wish)
    await lobby.sit(server, bob, table_id)
    assert await deletion.count_unfinished(server, me) == 2
    await deletion.delete_me(server, me, password=PASSWORD)
    held = await server.states.newest(table_id)
    assert [seat.user_id for seat in held.facts.seats] == [None, bob.id, None]
    await hosting.clear_seat(server, bob, table_id, seat=0)
    assert [each.key for each in await listing.list_open(server)] == [held.facts.key]
    assert alone not in str(await listing.list_open(server))


async def test_a_window_that_sits_down_at_the_same_time_keeps_no_seat(
    server: Server, other_server: Server, bob: Me
) -> None:
    me = await account(server, "Alice")
    keys = [await lobby.open_table(server, bob, lobby.Wish(slug="hanging_gardens", seats=2)) for _ in range(4)]
    tables_of_bob = [await server.states.find_id(key) for key in keys]
    await asyncio.gather(
        deletion.delete_me(server, me, password=PASSWORD),
        *(lobby.sit(other_server, me, table_id) for table_id in tables_of_bob),
        return_exceptions=True,
    )
    assert await deletion.count_unfinished(server, me) == 0


async def test_a_guest_goes_without_a_password(server: Server, alice: Me) -> None:
    await deletion.delete_me(server, alice, password="")
    async with server.sessions() as session:
        assert (await session.execute(text("SELECT count(*) FROM logins"))).scalar_one() == 0
    await deletion.delete_me(server, alice, password="")  # a second click does no harm
