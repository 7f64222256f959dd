"""What is known of the backups that were made."""

from datetime import datetime
from typing import Any

import asyncpg
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.base import plain_url
from app.db.models import Backup

UNKNOWN = (asyncpg.PostgresError, OSError)
"""Why a backup cannot be noted: a database that is older, or may only be read, or has gone meanwhile."""


async def note(url: str, *, at: datetime, rows: dict[str, int]) -> None:
    """Writes down that a backup was made, which holds that moment. Raises one of :data:`UNKNOWN`."""
    connection: asyncpg.Connection[Any] = await asyncpg.connect(plain_url(url))
    try:
        statement = "INSERT INTO backups (at, tables, entries) VALUES ($1, $2, $3)"
        await connection.execute(statement, at, rows.get("tables", 0), rows.get("entries", 0))
    finally:
        await connection.close()


async def find_last(session: AsyncSession) -> Backup | None:
    """The newest backup."""
    return (await session.execute(select(Backup).order_by(Backup.at.desc()).limit(1))).scalar_one_or_none()
