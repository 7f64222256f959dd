"""Queries about the settings of the lobby and the announcement."""

from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Announcement, Setting


async def list_settings(session: AsyncSession) -> dict[str, Any]:
    """Every setting that was ever changed, by its name."""
    return {row.name: row.value for row in (await session.execute(select(Setting))).scalars()}


async def keep(session: AsyncSession, name: str, value: Any) -> None:
    """Writes a setting."""
    statement = insert(Setting).values(name=name, value=value)
    await session.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


async def list_announcements(session: AsyncSession) -> dict[str, str]:
    """What is announced, by language."""
    return {row.language: row.words for row in (await session.execute(select(Announcement))).scalars()}


async def announce(session: AsyncSession, language: str, words: str) -> None:
    """Writes what is announced in a language; nothing when it is empty."""
    if not words:
        await session.execute(delete(Announcement).where(Announcement.language == language))
        return
    statement = insert(Announcement).values(language=language, words=words)
    await session.execute(statement.on_conflict_do_update(index_elements=["language"], set_={"words": words}))
