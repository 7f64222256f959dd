"""Queries about the editions that admins uploaded."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import BoxEdition, Table


async def find(session: AsyncSession, slug: str, name: str) -> BoxEdition | None:
    """The edition of a game of that name."""
    query = select(BoxEdition).where(BoxEdition.slug == slug, BoxEdition.name == name)
    return (await session.execute(query)).scalar_one_or_none()


async def find_by_id(session: AsyncSession, edition_id: int, *, lock: bool = False) -> BoxEdition | None:
    """An edition by its number."""
    query = select(BoxEdition).where(BoxEdition.id == edition_id)
    return (await session.execute(query.with_for_update() if lock else query)).scalar_one_or_none()


async def list_all(session: AsyncSession) -> Sequence[BoxEdition]:
    """All of them, by game, in the order in which they came."""
    return (await session.execute(select(BoxEdition).order_by(BoxEdition.slug, BoxEdition.id))).scalars().all()


async def count_tables(session: AsyncSession) -> dict[tuple[str, str], int]:
    """How many tables are played with which edition of which game."""
    query = select(Table.slug, Table.edition, func.count()).group_by(Table.slug, Table.edition)
    return {(row[0], row[1]): row[2] for row in await session.execute(query)}
