"""Tables at which nothing happens are warned of, and later closed, by one process at a time."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from app.services import clock, expiry, listing, lobby, tables
from app.services.accounts import Me
from app.services.errors import AlreadyStarted, GameOver, NoSuchTable, NotYourSeat
from app.services.facts import TableFacts
from app.services.listing import expiry as expires_at
from app.services.server import Server
from tests.services.test_lobby import opened
from tests.services.test_tables import legal, play
from tests.services.test_tables import opened as begun


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets time pass: ``later(hours=3)``."""
    passed = timedelta()

    def pass_time(**words: float) -> None:
        nonlocal passed
        passed += timedelta(**words)

    monkeypatch.setattr(clock, "now", lambda: datetime.now(UTC) + passed)
    return pass_time


async def facts(server: Server, table_id: int) -> TableFacts:
    return (await server.states.newest(table_id)).facts


async def test_an_unstarted_table_is_warned_of_and_then_closed(
    server: Server, alice: Me, bob: Me, later: Callable[..., None]
) -> None:
    _, table_id = await opened(server, alice)
    later(hours=47)
    assert await expiry.sweep(server) == 0
    later(hours=2)
    assert await expiry.sweep(server) == 1
    warned = await facts(server, table_id)
    when = expires_at(server.settings, warned)
    assert when is not None and timedelta(hours=23) < when - clock.now() <= timedelta(hours=24)
    assert (await listing.list_mine(server, alice))[0].expires_at == when
    assert await expiry.sweep(server) == 0
    later(hours=25)
    assert await expiry.sweep(server) == 1
    closed = await facts(server, table_id)
    assert (closed.status, closed.ended) == ("cancelled", "expired")
    assert await listing.list_mine(server, alice) == await listing.list_open(server) == ()
    with pytest.raises(NoSuchTable):
        await lobby.sit(server, bob, table_id)


async def test_whatever_happens_at_a_table_keeps_it_open(
    server: Server, alice: Me, bob: Me, eve: Me, later: Callable[..., None]
) -> None:
    for stir in (
        lambda table: lobby.sit(server, bob, table),
        lambda table: lobby.set_ready(server, alice, table, ready=True),
        lambda table: expiry.keep(server, alice, table),
    ):
        _, table_id = await opened(server, alice)
        later(hours=60)
        assert await expiry.sweep(server) >= 1
        with pytest.raises(NotYourSeat):
            await expiry.keep(server, eve, table_id)
        await stir(table_id)
        assert expires_at(server.settings, await facts(server, table_id)) is None
        later(hours=30)
        await expiry.sweep(server)
        assert (await facts(server, table_id)).status == "waiting"


async def test_a_game_that_nobody_plays_is_warned_of_and_ends_without_a_result(
    server: Server, alice: Me, bob: Me, later: Callable[..., None]
) -> None:
    table_id = await begun(server, alice, bob)
    held = await play(server, table_id, [alice, bob], moves=4)
    later(days=28)
    assert await expiry.sweep(server) == 0
    later(days=1, hours=1)
    assert await expiry.sweep(server) == 1
    assert (await listing.list_mine(server, alice))[0].expires_at is not None
    later(hours=25)
    assert await expiry.sweep(server) == 1
    ended = await server.states.newest(table_id)
    assert (ended.facts.status, ended.facts.ended, ended.version) == ("cancelled", "expired", 4)
    assert held.position is not None
    seat, since = next(iter(held.position.waiting.items()))
    with pytest.raises(GameOver):
        await tables.act(server, table_id, seat=seat, text=legal(held, seat)[0], since=since, me=(alice, bob)[seat])
    with pytest.raises(AlreadyStarted):
        other = await begun(server, alice, bob)
        await expiry.keep(server, alice, other)


async def test_a_move_after_the_warning_saves_the_game(
    server: Server, other_server: Server, alice: Me, bob: Me, later: Callable[..., None]
) -> None:
    table_id = await begun(server, alice, bob)
    later(days=29, hours=1)
    assert await expiry.sweep(server) == 1
    async with server.engine.begin() as connection:  # the writer takes its time from Postgres
        await connection.execute(text("UPDATE tables SET warned_at = now(), moved_at = now() - interval '29 days'"))
    await asyncio.sleep(0.01)
    await play(server, table_id, [alice, bob], moves=1)
    other_server.states.forget(table_id)
    assert expires_at(server.settings, await facts(other_server, table_id)) is None
    later(hours=30)
    await expiry.sweep(server)
    assert (await facts(server, table_id)).status == "playing"


async def test_nobody_loses_a_table_unwarned_because_the_server_stood_still(
    server: Server, alice: Me, later: Callable[..., None]
) -> None:
    _, table_id = await opened(server, alice)
    later(days=400)
    await expiry.sweep(server)
    assert (await facts(server, table_id)).status == "waiting"
    later(hours=23)
    await expiry.sweep(server)
    assert (await facts(server, table_id)).status == "waiting"
    later(hours=2)
    await expiry.sweep(server)
    assert (await facts(server, table_id)).status == "cancelled"


async def test_a_short_life_is_warned_of_at_its_half(server: Server, alice: Me, later: Callable[..., None]) -> None:
    server.settings.waiting_hours = 2
    server.club.forget()
    await opened(server, alice)
    later(minutes=50)
    assert await expiry.sweep(server) == 0
    later(minutes=20)
    assert await expiry.sweep(server) == 1


async def test_a_paused_game_and_one_that_is_over_are_left_alone(
    server: Server, alice: Me, bob: Me, later: Callable[..., None]
) -> None:
    paused, over = await begun(server, alice, bob), await begun(server, alice, bob)
    await play(server, over, [alice, bob])
    async with server.engine.begin() as connection:
        await connection.execute(text(f"UPDATE tables SET paused = true WHERE id = {paused}"))
    later(days=300)
    assert await expiry.sweep(server) == 0


async def test_of_many_processes_one_sweeps_at_a_time_and_everything_once(
    server: Server, other_server: Server, alice: Me, later: Callable[..., None]
) -> None:
    ids = [(await opened(server, alice))[1] for _ in range(8)]
    later(hours=60)
    rung: list[int] = []
    for each in (server, other_server):
        each.bells.append(lambda table_id, *_: rung.append(table_id))
    swept = await asyncio.gather(*(expiry.sweep((server, other_server)[number % 2]) for number in range(10)))
    assert sum(swept) == 8
    assert sorted(rung) == sorted(ids)
    async with server.sessions.begin() as session:
        await session.execute(text("SELECT pg_advisory_xact_lock(hashtext('semiramis sweep'))"))
        later(hours=30)
        assert await expiry.sweep(other_server) == 0
    assert await expiry.sweep(other_server) == 8
