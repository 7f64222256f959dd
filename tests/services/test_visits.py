"""Coming back: what others did since somebody's last look is missed, and only by who was away and sits there."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.services import tables, visits
from app.services.accounts import Me
from app.services.held import Held
from app.services.server import Server
from tests.services.test_tables import legal, opened


async def long_ago(server: Server, minutes: int) -> None:
    """Everybody's last look was so long ago."""
    async with server.sessions.begin() as session:
        await session.execute(
            text("UPDATE visits SET at = now() - CAST(:ago AS interval)"), {"ago": timedelta(minutes=minutes)}
        )


async def move(server: Server, table_id: int, people: list[Me], count: int) -> Held:
    held = await server.states.newest(table_id)
    for _ in range(count):
        assert held.position is not None
        seat = min(held.position.waiting)
        held = await tables.act(
            server, table_id, seat=seat, text=legal(held, seat)[0], since=held.position.waiting[seat], me=people[seat]
        )
    return held


async def test_who_was_away_missed_what_others_did(server: Server, alice: Me, bob: Me, eve: Me) -> None:
    table_id = await opened(server, alice, bob)
    held = await server.states.newest(table_id)
    assert await visits.missed(server, alice, held) is None
    for me in (alice, bob, eve):
        await visits.note(server, me, held, version=0)
    held = await move(server, table_id, [alice, bob], 8)
    assert await visits.missed(server, bob, held) is None
    await long_ago(server, 90)
    missed = await visits.missed(server, bob, held)
    assert missed is not None
    assert missed.since == 0
    assert missed.seconds // 60 == 90
    assert await visits.missed(server, eve, held) is None
    await visits.note(server, bob, held, version=held.version)
    await long_ago(server, 90)
    assert await visits.missed(server, bob, held) is None


async def test_what_was_seen_stays_seen_and_nobody_sees_what_is_not_there(server: Server, alice: Me, bob: Me) -> None:
    table_id = await opened(server, alice, bob)
    held = await move(server, table_id, [alice, bob], 6)
    await visits.note(server, bob, held, version=5)
    await visits.note(server, bob, held, version=2)
    await long_ago(server, 5)
    missed = await visits.missed(server, bob, held)
    assert missed is None or missed.since == 5
    await visits.note(server, bob, held, version=999)
    await long_ago(server, 5)
    held = await move(server, table_id, [alice, bob], 6)
    missed = await visits.missed(server, bob, held)
    assert missed is not None
    assert missed.since == 6


@pytest.mark.parametrize("moves", [1, 2])
async def test_ones_own_moves_are_not_missed(server: Server, alice: Me, bob: Me, moves: int) -> None:
    """Alice moves first, in steps; until it is Bob's turn nobody else has done anything."""
    table_id = await opened(server, alice, bob)
    held = await server.states.newest(table_id)
    await visits.note(server, alice, held, version=0)
    held = await move(server, table_id, [alice, bob], moves)
    assert held.position is not None
    await long_ago(server, 60)
    others = any(item.seat == 1 for item in held.position.played)
    assert (await visits.missed(server, alice, held) is not None) == others
