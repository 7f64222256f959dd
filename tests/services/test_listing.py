"""The lists of the lobby: whose turn first and since when, what is sought, and who may know of which table."""

import asyncio

import pytest
from sqlalchemy import text

from app.services import hosting, listing, lobby
from app.services.accounts import Me
from app.services.listing import Sought
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person
from tests.services.test_lobby import GAME, opened
from tests.services.test_tables import opened as begun
from tests.services.test_tables import play


async def age(server: Server, table_id: int, hours: float) -> None:
    """Lets a table's entries be older."""
    async with server.engine.begin() as connection:
        for query in (
            "ALTER TABLE entries DISABLE TRIGGER ALL",
            f"UPDATE entries SET at = at - interval '{hours} hours' WHERE table_id = {table_id}",
            f"UPDATE tables SET moved_at = moved_at - interval '{hours} hours', "
            f"started_at = started_at - interval '{hours} hours' WHERE id = {table_id}",
        ):
            await connection.execute(text(query))


async def test_tables_that_wait_for_me_come_first_the_longest_wait_first(server: Server, alice: Me, bob: Me) -> None:
    ids = [await begun(server, *people) for people in ((alice, bob), (bob, alice), (alice, bob), (alice,))]
    for table_id, hours in zip(ids, (2, 50, 30, 1), strict=True):
        await age(server, table_id, hours)
    waiting, _ = await opened(server, alice)
    mine = await listing.list_mine(server, alice)
    assert [table.id for table in mine[:3]] == [ids[2], ids[0], ids[3]]
    assert [table.seat_of(alice.id) in table.since for table in mine] == [True, True, True, False, False]
    assert mine[3].key == waiting


async def test_since_when_it_is_my_turn_is_since_my_decision_opened(server: Server, alice: Me, bob: Me) -> None:
    """Not since the game began, nor since the table last moved."""
    table_id = await begun(server, alice, bob)
    held = await play(server, table_id, [alice, bob], moves=5)
    await age(server, table_id, 3)
    assert held.position is not None
    seat, since = next(iter(held.position.waiting.items()))
    me = (alice, bob)[seat]
    mine = (await listing.list_mine(server, me))[0]
    moment = mine.since[seat]
    async with server.engine.connect() as connection:
        query = text(f"SELECT at FROM entries WHERE table_id = {table_id} AND seq = {since}")
        assert moment == (await connection.execute(query)).scalar_one()


async def test_a_table_by_link_is_known_to_those_who_sit_are_asked_or_left(
    server: Server, alice: Me, bob: Me, eve: Me
) -> None:
    from app.services import invitations

    _, table_id = await opened(server, alice, seats=2, public=False)
    await invitations.invite(server, alice, table_id, name="Bob")
    assert await listing.list_open(server) == ()
    assert await listing.list_mine(server, eve) == await listing.list_invitations(server, eve) == ()
    asked = await listing.list_invitations(server, bob)
    assert [(table.id, table.by) for table in asked] == [(table_id, "Alice")]
    await lobby.sit(server, bob, table_id)
    assert await listing.list_invitations(server, bob) == ()
    await lobby.start(server, alice, table_id)
    await lobby.leave(server, bob, table_id)
    mine = await listing.list_mine(server, bob)
    assert [(table.id, table.seat_of(bob.id)) for table in mine] == [(table_id, None)]
    assert await listing.list_mine(server, eve) == ()


async def test_a_hidden_table_is_not_in_the_lobby(server: Server, alice: Me) -> None:
    _, table_id = await opened(server, alice)
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE tables SET hidden = true"))
    assert await listing.list_open(server) == ()
    assert [table.id for table in await listing.list_mine(server, alice)] == [table_id]


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        (Sought(), {"two", "three", "bots"}),
        (Sought(game=GAME), {"two", "three", "bots"}),
        (Sought(game="chess"), set()),
        (Sought(seats=3), {"three", "bots"}),
        (Sought(bots="with"), {"bots"}),
        (Sought(bots="without"), {"two", "three"}),
        (Sought(bots="without", seats=3), {"three"}),
        (Sought(language="ja"), {"three"}),
        (Sought(language="en"), {"two", "bots"}),
    ],
)
async def test_what_is_sought_is_found(server: Server, alice: Me, sought: Sought, found: set[str]) -> None:
    hana = await person(server, "Hana")
    async with server.engine.begin() as connection:
        await connection.execute(text(f"UPDATE users SET language = 'ja' WHERE id = {hana.id}"))
    names = {
        (await opened(server, alice, seats=2))[0]: "two",
        (await opened(server, hana, seats=3))[0]: "three",
        (await opened(server, alice, seats=3))[0]: "bots",
    }
    with_bots = next(key for key, name in names.items() if name == "bots")
    await hosting.seat_bot(server, alice, await server.states.find_id(with_bots), seat=1, bot="random")
    tables = await listing.list_open(server)
    assert {names[table.key] for table in tables if sought.fits(table)} == found


async def test_the_lists_cost_the_same_however_many_tables_there_are(server: Server, alice: Me) -> None:
    """No query a table."""
    counts = []
    for _ in range(2):
        for _ in range(5):
            await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
        counts.append(await queries_of(server, alice))
    assert counts[0] == counts[1]


async def queries_of(server: Server, me: Me) -> int:
    from sqlalchemy import event

    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1

    event.listen(server.engine.sync_engine, "before_cursor_execute", counted)
    await asyncio.gather(listing.list_mine(server, me), listing.list_open(server))
    event.remove(server.engine.sync_engine, "before_cursor_execute", counted)
    return count


def test_a_query_says_only_what_matters() -> None:
    assert Sought().query == ""
    assert Sought(game="babylon", seats=3).query == "game=babylon&seats=3"
