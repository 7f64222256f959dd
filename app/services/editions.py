"""The editions of a game's box that admins uploaded: read from the database once, then known to this process."""

from sqlalchemy.ext.asyncio import AsyncSession

from app import games
from app.db import editions as queries
from app.engine.contract import Edition
from app.engine.editions import make_edition


async def know(session: AsyncSession, slug: str, name: str) -> None:
    """Makes sure that ``games.load`` finds the edition, when there is one of that name."""
    if slug not in games.games() or games.knows(slug, name):
        return
    found = await queries.find(session, slug, name)
    if found is not None:
        games.add_edition(slug, edition_of(found.name, found.contents))


def edition_of(name: str, contents: str) -> Edition:
    """An uploaded text as an edition."""
    return make_edition(name, f"{name}.toml", contents)
