"""A seat at once: the one that soonest begins to play, and never two tables where one would do."""

import asyncio

import pytest
from sqlalchemy import text

from app import games
from app.services import listing, lobby, quick
from app.services.accounts import Me
from app.services.errors import BadTable, TooManyTables
from app.services.listing import Sought
from app.services.server import Server
from tests.conftest import person
from tests.services.test_lobby import GAME, opened


async def test_the_first_free_seat_is_at_the_table_that_lacks_least(server: Server, alice: Me, bob: Me) -> None:
    await opened(server, alice, seats=4)
    nearly, table_id = await opened(server, alice, seats=3)
    await opened(server, alice, seats=2, public=False)
    await lobby.sit(server, await person(server, "Dan"), table_id)
    assert await quick.quick(server, bob, Sought()) == nearly
    assert (await server.states.newest(table_id)).facts.seat_of(bob.id) == 2


async def test_who_wants_to_play_at_once_is_ready_and_a_word_of_the_other_begins(
    server: Server, alice: Me, bob: Me
) -> None:
    waits, first = await opened(server, alice, seats=2)
    assert await quick.quick(server, bob, Sought()) == waits
    assert [seat.ready for seat in (await server.states.newest(first)).facts.seats] == [False, True]
    await lobby.set_ready(server, alice, first, ready=True)
    assert (await server.states.newest(first)).facts.status == "playing"
    _, second = await opened(server, alice, seats=2)
    await lobby.set_ready(server, alice, second, ready=True)
    await quick.quick(server, bob, Sought())
    assert (await server.states.newest(second)).facts.status == "playing"


async def test_where_nobody_is_any_more_one_does_not_wait(server: Server, alice: Me, bob: Me) -> None:
    dan = await person(server, "Dan")
    await opened(server, dan, seats=2)
    here, _ = await opened(server, alice, seats=3)
    async with server.engine.begin() as connection:
        await connection.execute(text(f"UPDATE users SET seen_at = now() - interval '1 hour' WHERE id = {dan.id}"))
    assert await quick.quick(server, bob, Sought()) == here


async def test_only_a_table_that_fits_is_taken(server: Server, alice: Me, bob: Me) -> None:
    key, _ = await opened(server, alice, seats=3)
    new = await quick.quick(server, bob, Sought(game=GAME, seats=4))
    assert new != key
    held = await server.states.newest(await server.states.find_id(new))
    assert (held.facts.slug, len(held.facts.seats), held.facts.public) == (GAME, 4, True)


async def test_where_there_is_none_one_is_opened_and_asked_for_again_it_is_the_same(server: Server, bob: Me) -> None:
    first = await quick.quick(server, bob, Sought())
    assert await quick.quick(server, bob, Sought()) == first
    assert [table.key for table in await listing.list_open(server)] == [first]


async def test_two_who_look_at_the_same_moment_find_each_other(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    wish = Sought(game=GAME, seats=2)
    keys = await asyncio.gather(quick.quick(server, alice, wish), quick.quick(other_server, bob, wish))
    assert keys[0] == keys[1]
    assert await listing.list_open(server) == ()


async def test_many_at_once_fill_tables_without_a_gap(server: Server, other_server: Server) -> None:
    people = [await person(server, f"Guest {number}") for number in range(9)]
    wish = Sought(game=GAME, seats=3)
    keys = await asyncio.gather(
        *(quick.quick((server, other_server)[number % 2], me, wish) for number, me in enumerate(people))
    )
    assert sorted(keys.count(key) for key in set(keys)) == [3, 3, 3]


async def test_what_is_no_game_is_refused_and_nobody_opens_without_end(server: Server, alice: Me) -> None:
    with pytest.raises(BadTable):
        await quick.quick(server, alice, Sought(game="chess"))
    for _ in range(server.settings.tables_per_person):
        await opened(server, alice, public=False)
    with pytest.raises(TooManyTables):
        await quick.quick(server, alice, Sought())


@pytest.mark.parametrize("slug", sorted(games.games()))
async def test_every_game_can_be_had_at_once(server: Server, alice: Me, slug: str) -> None:
    key = await quick.quick(server, alice, Sought(game=slug))
    held = await server.states.newest(await server.states.find_id(key))
    assert held.facts.slug == slug and len(held.facts.seats) > 1
