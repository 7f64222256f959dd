"""What somebody made of a game: counted from results, as a recount finds it; private tables for nobody else."""

import asyncio

import asyncpg
import pytest
from sqlalchemy import text

from app.db.migrate import downgrade, upgrade
from app.services import profiles, ratings, records
from app.services.accounts import Me
from app.services.records import company
from app.services.server import Server
from tests.conftest import account
from tests.services.endings import GAME, ended
from tests.services.test_tables import opened, play


@pytest.fixture
async def carol(server: Server) -> Me:
    return await account(server, "Carol")


async def test_a_record_counts_games_places_points_seats_and_company(
    server: Server, carol: Me, bob: Me, eve: Me
) -> None:
    for ranks in ([1, 2, 3], [2, 1, 3], [1, 3, 2]):
        await ended(server, [carol, bob, eve], ranks)
    await ended(server, [carol, None], [2, 1])
    await ended(server, [carol, bob, None], [1, 2, 3])
    await ended(server, [carol], [1])
    await ended(server, [carol, bob], [2, 1], slug="amyitis")
    found = await profiles.show(server, None, name="Carol", slug=GAME)
    record = found.record
    assert record is not None
    assert (record.all.games, record.all.won, record.all.best) == (6, 3, 99)
    assert record.all.mean == pytest.approx((99 + 98 + 99 + 98 + 99 + 99) / 6)
    assert record.places == (3, 2)
    assert [(each.key, each.games, each.won) for each in record.by_seats] == [("1", 1, 0), ("2", 1, 0), ("3", 4, 3)]
    assert [(each.key, each.games) for each in record.by_company] == [
        ("people", 3),
        ("mixed", 1),
        ("bots", 1),
        ("alone", 1),
    ]
    assert record.means == (("flowers", record.all.mean),)
    assert len(record.ratings) == 3
    assert [step.value for step in record.points] == [99, 98, 99, 98, 99, 99]
    assert profiles.shown(record.ratings[-1][1]) == next(each.rating for each in found.progress if each.slug == GAME)
    lines = (await profiles.show(server, None, name="Carol")).summary
    assert [(each.key, each.games, each.won, each.best) for each in lines] == [
        ("amyitis", 1, 0, 98),
        (GAME, 6, 3, 99),
    ]


def test_company_is_people_bots_both_or_nobody() -> None:
    assert [company(*each) for each in ((1, 1, 0), (2, 2, 0), (3, 2, 1), (2, 1, 1), (2, 1, 0))] == [
        "alone",
        "people",
        "mixed",
        "bots",
        "beside",
    ]


async def test_private_tables_count_for_those_who_sat_there_only(server: Server, carol: Me, bob: Me, eve: Me) -> None:
    await ended(server, [carol, bob], [2, 1])
    known = await profiles.show(server, None, name="Carol", slug=GAME)
    await ended(server, [carol, bob], [1, 2], public=False)
    for viewer in (None, eve):
        found = await profiles.show(server, viewer, name="Carol", slug=GAME)
        assert (found.record, found.summary, found.progress) == (known.record, known.summary, known.progress)
    for viewer in (carol, bob):
        found = await profiles.show(server, viewer, name="Carol", slug=GAME)
        assert found.record is not None
        assert found.record.all.games == 2
        assert found.progress[0].rating == known.progress[0].rating, "a private game is not rated"


async def test_a_game_that_was_played_says_where_its_points_came_from(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    held = await play(server, table_id, [alice, bob])
    assert held.position is not None
    scores = held.game.scores(held.position.state)
    found = await profiles.show(server, alice, slug=GAME)
    assert found.record is not None
    assert found.record.means == tuple((part, float(points)) for part, points in scores[0].parts)
    assert await records.recount(server, write=False) == ()


async def test_what_is_stored_is_what_a_recount_finds(server: Server, carol: Me, bob: Me) -> None:
    first = await ended(server, [carol, bob, None], [1, 2, 3])
    second = await ended(server, [carol, bob], [1, 2], slug="amyitis")
    assert await records.recount(server, write=False) == ()
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE results SET parts = '[]', seats = 9 WHERE seat = 0"))
    assert await records.recount(server, write=False) == (first, second)
    assert await records.recount(server, write=True) == (first, second)
    assert await records.recount(server, write=False) == ()
    assert not await ratings.recompute(server, write=False)


async def test_results_of_before_are_filled_in_by_the_migration(server: Server, carol: Me, bob: Me) -> None:
    await ended(server, [carol, bob, None], [1, 2, 3])
    url = server.settings.database_url
    await server.engine.dispose()
    await asyncio.to_thread(downgrade, url, "0007-1")
    connection = await asyncpg.connect(url)
    try:
        query = "SELECT count(*) FROM information_schema.columns WHERE column_name = 'parts'"
        assert await connection.fetchval(query) == 0
        await asyncio.to_thread(upgrade, url)
    finally:
        await connection.close()
    assert await records.recount(server, write=False) == ()
