"""What is done by itself beside the bots: letters, the ends of tables, forgetting; and ratings computed again."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.commands.rounds import Round, forget, go_round, rounds
from app.services import accounts, lobby
from app.services.accounts import Me
from app.services.lobby import Wish
from app.services.roads import letters_in
from app.services.server import Server
from tests.commands.test_serving import command
from tests.conftest import account
from tests.services.endings import GAME, ended, rating_of


async def test_the_rounds_bring_letters_and_settle_tables(
    server: Server, alice: Me, bob: Me, tmp_path: Path, eventually: Callable[..., Any]
) -> None:
    await account(server, "Carol", email="carol@example.org")
    await ended(server, [alice, bob], [1, 2], settled=False)
    going = asyncio.create_task(go_round(rounds(server)))
    await eventually(lambda: letters_in(tmp_path), 20)

    async def rated() -> bool:
        return await rating_of(server, alice) is not None

    await eventually(rated, 20)
    going.cancel()


async def test_tables_nobody_cares_for_are_closed_in_rounds(
    server: Server, alice: Me, eventually: Callable[..., Any]
) -> None:
    table_id = await server.states.find_id(await lobby.open_table(server, alice, Wish(slug=GAME, seats=2)))
    async with server.engine.begin() as connection:
        ages = "moved_at = now() - interval '9 days', warned_at = now() - interval '8 days'"
        await connection.execute(text(f"UPDATE tables SET {ages}"))
    going = asyncio.create_task(go_round(rounds(server)))

    async def closed() -> bool:
        return (await server.states.newest(table_id)).facts.status == "cancelled"

    await eventually(closed, 20)
    going.cancel()


async def test_a_fault_in_one_round_stops_none(caplog: pytest.LogCaptureFixture) -> None:
    done = asyncio.Event()
    tries = 0

    async def bad() -> None:
        nonlocal tries
        tries += 1
        raise ValueError("nonsense")

    async def good() -> None:
        if tries > 2:
            done.set()

    going = asyncio.create_task(go_round((Round("bad", 0.01, bad), Round("good", 0.01, good))))
    await asyncio.wait_for(done.wait(), 10)
    going.cancel()
    assert "nonsense" in caplog.text


async def test_browsers_that_never_came_back_and_dead_links_are_forgotten(
    server: Server, later: Callable[..., None]
) -> None:
    _, token = await accounts.welcome(server, name="Alice", language="en")
    await account(server, "Carol", email="carol@example.org")
    async with server.engine.begin() as connection:
        columns = "INSERT INTO tokens (user_id, kind, token_hash, expires_at)"
        await connection.execute(text(f"{columns} SELECT id, 'confirm', 'x', now() FROM users LIMIT 1"))
    await forget(server)
    assert await counted(server) == (2, 1)
    later(days=server.settings.session_days + 1)
    await forget(server)
    assert await counted(server) == (0, 0)
    assert await accounts.recognise(server, token) is None


async def counted(server: Server) -> tuple[int, int]:
    """How many browsers and links there are."""
    async with server.sessions() as session:
        row = (
            await session.execute(text("SELECT (SELECT count(*) FROM logins), (SELECT count(*) FROM tokens)"))
        ).one()
    return row[0], row[1]


async def test_ratings_are_compared_and_put_right_by_a_command(
    server: Server, database: str, alice: Me, bob: Me, tmp_path: Path
) -> None:
    for ranks in ([1, 2], [2, 1]):
        await ended(server, [alice, bob], ranks)
    right = await rating_of(server, alice)
    done = command(database, tmp_path, "ratings", "--check")
    assert done.returncode == 0, done.stderr
    await ended(server, [alice, bob], [1, 1], settled=False)
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE ratings SET mu = 1"))
    done = command(database, tmp_path, "ratings", "--check")
    assert done.returncode == 1
    assert "1 tables whose end is not written down yet" in done.stdout
    assert "0 results and 2 ratings differ" in done.stdout
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE tables SET scores = NULL WHERE id = (SELECT max(id) FROM tables)"))
    done = command(database, tmp_path, "ratings")
    assert done.returncode == 0
    assert await rating_of(server, alice) == right
    assert command(database, tmp_path, "ratings", "--check").returncode == 0
