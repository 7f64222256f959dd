"""How Alembic reaches the database: the application's own engine, one transaction for all steps."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from app.db import models, shared_seats, visits
from app.db.base import Base

ONE_AT_A_TIME = 7_403_118  # two processes that start together migrate one after the other
assert all(each.metadata is Base.metadata for each in (models.Table, shared_seats.SharedSeat, visits.Visit))


def run(connection: Connection) -> None:
    connection.execute(text(f"SELECT pg_advisory_xact_lock({ONE_AT_A_TIME})"))
    context.configure(connection=connection, target_metadata=Base.metadata, compare_type=True)
    context.run_migrations()


async def connect() -> None:
    url = context.config.get_main_option("sqlalchemy.url")
    assert url
    engine = create_async_engine(url, poolclass=NullPool)
    async with engine.begin() as connection:
        await connection.run_sync(run)
    await engine.dispose()


with ThreadPoolExecutor(1) as pool:
    pool.submit(asyncio.run, connect()).result()
