"""The database goes up and down, and the models say what is there."""

import asyncio

import asyncpg
import pytest
from alembic import command
from alembic.util.exc import CommandError
from sqlalchemy import text

from app.db.base import make_engine
from app.db.embedded import Cluster
from app.db.migrate import alembic_config, downgrade, upgrade


def test_migrations_go_up_down_and_up_again_and_agree_with_the_models(cluster: Cluster) -> None:
    url = cluster.ensure_database("migrations")
    upgrade(url)
    command.check(alembic_config(url))
    downgrade(url, "base")
    left = asyncio.run(tables(url))
    assert left == {"alembic_version"}
    with pytest.raises(CommandError):
        command.check(alembic_config(url))
    upgrade(url)
    assert {"users", "logins", "tables", "seats", "entries"} <= asyncio.run(tables(url))


async def tables(url: str) -> set[str]:
    connection = await asyncpg.connect(url)
    try:
        rows = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    finally:
        await connection.close()
    return {row["tablename"] for row in rows}


async def test_the_log_can_only_grow(database: str) -> None:
    engine = make_engine(database)
    async with engine.begin() as connection:
        await connection.execute(text("INSERT INTO users (name) VALUES ('Alice')"))
        await connection.execute(
            text("""
            INSERT INTO tables
              (key, slug, revision, edition, edition_digest, seat_count, options, seed, public, host_id)
            VALUES ('k', 'g', 1, 'house', '', 2, '{}', 's', true, 1)
            """)
        )
        await connection.execute(text("INSERT INTO entries (table_id, seq, text, digest) VALUES (1, 1, 'a', 'd')"))
    for forbidden in ("UPDATE entries SET text = 'b'", "DELETE FROM entries"):
        with pytest.raises(Exception, match="append-only"):
            async with engine.begin() as connection:
                await connection.execute(text(forbidden))
    await engine.dispose()
