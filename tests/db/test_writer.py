"""The writer: many moves in one statement, each stored where its table still stands, every waiter answered."""

import asyncio

import pytest
from sqlalchemy import text

from app.db.writer import Move, Unwritten, Writer
from app.services import lobby
from app.services.accounts import Me
from app.services.lobby import Wish
from app.services.server import Server


def move(table_id: int, expected: int, word: str = "x") -> Move:
    return Move(
        table_id=table_id,
        expected=expected,
        changed=1,
        seat=0,
        user_id=None,
        text=word,
        digest="d",
        waiting={1: expected + 1},
        status="playing",
    )


async def tables(server: Server, me: Me, count: int) -> list[int]:
    server.settings.tables_per_person = count
    server.club.forget()
    keys = [
        await lobby.open_table(server, me, Wish(slug="hanging_gardens", seats=2, bot="random")) for _ in range(count)
    ]
    return [await server.states.find_id(key) for key in keys]


async def test_moves_that_wait_together_are_all_stored(server: Server, alice: Me) -> None:
    ids = await tables(server, alice, 30)
    answers = await asyncio.gather(*(server.writer.append(move(each, 0)) for each in ids))
    assert all(answers)
    async with server.engine.connect() as connection:
        rows = (await connection.execute(text("SELECT version, waiting FROM tables"))).all()
        entries = (await connection.execute(text("SELECT count(*) FROM entries"))).scalar_one()
    assert {row.version for row in rows} == {1}
    assert rows[0].waiting == {"1": 1}
    assert entries == 30


async def test_of_many_moves_decided_on_the_same_version_one_is_stored(server: Server, alice: Me) -> None:
    (table_id,) = await tables(server, alice, 1)
    answers = await asyncio.gather(*(server.writer.append(move(table_id, 0, f"w{n}")) for n in range(20)))
    assert sum(answer is not None for answer in answers) == 1


async def test_two_processes_write_the_same_tables_without_deadlock_or_loss(
    server: Server, other_server: Server, alice: Me
) -> None:
    ids = await tables(server, alice, 12)

    async def rush(each: Server, order: list[int]) -> int:
        won = 0
        for version in range(15):
            stored = await asyncio.gather(*(each.writer.append(move(table, version)) for table in order))
            won += sum(answer is not None for answer in stored)
        return won

    await asyncio.gather(rush(server, ids), rush(other_server, ids[::-1]))
    async with server.engine.connect() as connection:
        rows = (
            await connection.execute(
                text("SELECT version, (SELECT count(*) FROM entries WHERE table_id = id) AS stored FROM tables")
            )
        ).all()
    assert all(row.version == row.stored == 15 for row in rows)


async def test_a_finished_table_takes_no_more_moves(server: Server, alice: Me) -> None:
    (table_id,) = await tables(server, alice, 1)
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE tables SET status = 'over'"))
    assert await server.writer.append(move(table_id, 0)) is None


async def test_every_waiter_is_answered_when_the_writer_ends(server: Server) -> None:
    writer = Writer(server.engine)
    waiting = asyncio.create_task(writer.append(move(1, 0)))
    await asyncio.sleep(0)
    running = asyncio.create_task(writer.run())
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises((Unwritten, asyncio.CancelledError)):
        await waiting
    with pytest.raises(Unwritten):
        await writer.append(move(1, 0))
