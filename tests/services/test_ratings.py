"""Ratings: people only, in one order, and whoever computes them again comes to the same numbers."""

import asyncio
import random

import pytest
from sqlalchemy import text

from app.services import lobby, ratings, rematches
from app.services.accounts import Me
from app.services.ratings import newcomer
from app.services.server import Server
from tests.conftest import person
from tests.services.endings import GAME, ended, rating_of
from tests.services.test_tables import opened, play


async def test_a_game_that_was_played_to_its_end_is_rated_at_once(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    held = await play(server, table_id, [alice, bob])
    assert held.facts.status == "over"
    assert held.position is not None
    scores = held.game.scores(held.position.state)
    async with server.sessions() as session:
        query = text("SELECT seat, user_id, total, rank, rated FROM results ORDER BY seat")
        rows = [tuple(row) for row in await session.execute(query)]
    assert rows == [
        (seat, me.id, scores[seat].total, scores[seat].rank, True) for seat, me in enumerate((alice, bob))
    ]
    for seat, me in enumerate((alice, bob)):
        found = await rating_of(server, me)
        assert found is not None
        assert found[2] == 1
        assert (found[0] > newcomer()[0]) == (scores[seat].rank == 1)


async def test_tables_with_bots_are_unrated(server: Server, alice: Me, bob: Me) -> None:
    await ended(server, [alice, bob, None], [1, 2, 3])
    assert await rating_of(server, alice) is None
    async with server.sessions() as session:
        assert (await session.execute(text("SELECT count(*) FROM results WHERE NOT rated"))).scalar_one() == 3


async def test_a_leaver_leaves_the_table_unrated(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    await lobby.leave(server, bob, table_id)
    async with server.sessions() as session:
        assert (await session.execute(text("SELECT bot FROM seats WHERE seat = 1"))).scalar_one()
    await ended(server, [alice, None], [2, 1])
    assert await rating_of(server, alice) is None


async def test_it_may_be_agreed_not_to_rate(server: Server, alice: Me, bob: Me) -> None:
    await ended(server, [alice, bob], [1, 2], rated=False)
    assert await rating_of(server, alice) is None


@pytest.mark.parametrize("way", ["by link", "with a password"])
async def test_a_private_game_moves_no_number_that_others_see(server: Server, alice: Me, bob: Me, way: str) -> None:
    """Docs: decision 13."""
    await ended(server, [alice, bob], [1, 2])
    before = await rating_of(server, alice), await rating_of(server, bob)
    private = await ended(server, [alice, bob], [1, 2], public=way != "by link", settled=False)
    if way == "with a password":
        async with server.engine.begin() as connection:
            statement = text("UPDATE tables SET password_hash = 'x' WHERE id = :id")
            await connection.execute(statement, {"id": private})
    assert await ratings.settle(server, private)
    assert (await rating_of(server, alice), await rating_of(server, bob)) == before
    async with server.sessions() as session:
        query = text("SELECT rank, rated, mu FROM results WHERE table_id = :id ORDER BY seat")
        assert (await session.execute(query, {"id": private})).all() == [(1, False, None), (2, False, None)]
    assert not await ratings.recompute(server, write=False)


async def test_what_was_rated_before_private_games_were_not_stays_so(server: Server, alice: Me, bob: Me) -> None:
    old = await ended(server, [alice, bob], [2, 1])
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE tables SET public = false WHERE id = :id"), {"id": old})
    await ended(server, [alice, bob], [1, 2])
    stored = await rating_of(server, alice)
    assert stored is not None and stored[2] == 2
    async with server.engine.begin() as connection:
        await connection.execute(text("DELETE FROM ratings"))
    await ratings.recompute(server, write=True)
    assert await rating_of(server, alice) == stored
    assert not await ratings.recompute(server, write=False)


async def test_a_rematch_of_a_public_game_is_rated(server: Server, alice: Me, bob: Me) -> None:
    first = await opened(server, alice, bob)
    await play(server, first, [alice, bob])
    again = await server.states.find_id(await rematches.rematch(server, bob, first))
    await lobby.sit(server, alice, again)
    await lobby.start(server, bob, again)
    await play(server, again, [bob, alice] if await seat_of(server, again, bob) == 0 else [alice, bob])
    found = await rating_of(server, alice)
    assert found is not None and found[2] == 2


async def seat_of(server: Server, table_id: int, me: Me) -> int | None:
    return (await server.states.newest(table_id)).facts.seat_of(me.id)


async def test_who_plays_alone_is_not_rated(server: Server, alice: Me) -> None:
    await ended(server, [alice], [1])
    assert await rating_of(server, alice) is None


async def test_every_game_has_a_rating_of_its_own(server: Server, alice: Me, bob: Me) -> None:
    await ended(server, [alice, bob], [1, 2])
    await ended(server, [alice, bob], [2, 1], slug="amyitis")
    gardens, other = await rating_of(server, alice), await rating_of(server, alice, "amyitis")
    assert gardens is not None
    assert other is not None
    assert gardens[0] > newcomer()[0] > other[0]


async def test_a_tie_of_equals_changes_no_mean(server: Server, alice: Me, bob: Me) -> None:
    await ended(server, [alice, bob], [1, 1])
    one, other = await rating_of(server, alice), await rating_of(server, bob)
    assert one is not None
    assert other is not None
    assert one[0] == pytest.approx(other[0])


async def test_a_table_is_settled_once_whoever_does_it(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    table_id = await ended(server, [alice, bob], [1, 2], settled=False)
    done = await asyncio.gather(*(ratings.settle(each, table_id) for each in (server, other_server) * 5))
    assert sum(done) == 1
    found = await rating_of(server, alice)
    assert found is not None
    assert found[2] == 1


async def test_what_was_not_written_down_is_settled_later(server: Server, alice: Me, bob: Me) -> None:
    """The process ended between the last move and the rating."""
    for ranks in ([1, 2], [2, 1], [1, 2]):
        await ended(server, [alice, bob], ranks, settled=False)
    assert await ratings.count_unsettled(server) == 3
    assert await ratings.settle_all(server) == 3
    assert await ratings.settle_all(server) == 0
    assert not await ratings.recompute(server, write=False)


async def test_computed_again_from_the_results_everything_is_equal(
    server: Server, other_server: Server, alice: Me, bob: Me
) -> None:
    """Forty tables of two to four, settled by two processes at once."""
    chance = random.Random(4)
    people = [alice, bob, *[await person(server, f"Guest {number}") for number in range(4)]]
    tables = []
    for _ in range(40):
        sitting: list[Me | None] = list(chance.sample(people, chance.randint(2, 4)))
        ranks = [chance.randint(1, len(sitting)) for _ in sitting]
        tables.append(await ended(server, sitting, ranks, settled=False))
    servers = (server, other_server)
    await asyncio.gather(*(ratings.settle(servers[at % 2], table_id) for at, table_id in enumerate(tables)))
    assert not await ratings.recompute(server, write=False)
    before = [await rating_of(server, each) for each in people]
    async with server.engine.begin() as connection:
        await connection.execute(text("DELETE FROM ratings"))
        await connection.execute(text("UPDATE results SET mu = 1, sigma = 1 WHERE rated"))
    found = await ratings.recompute(server, write=False)
    assert len(found.ratings) == len(people)
    assert found.results
    await ratings.recompute(server, write=True)
    assert [await rating_of(server, each) for each in people] == before
    assert not await ratings.recompute(other_server, write=False)


async def test_what_nobody_played_for_is_taken_away(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    await ended(server, [alice, bob], [1, 2])
    async with server.engine.begin() as connection:
        statement = text("INSERT INTO ratings VALUES (:id, :slug, 99, 1, 7)")
        await connection.execute(statement, {"id": eve.id, "slug": GAME})
    found = await ratings.recompute(server, write=True)
    assert found.ratings == [(eve.id, GAME)]
    assert await rating_of(server, eve) is None
    assert not await ratings.recompute(server, write=False)
