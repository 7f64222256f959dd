"""Tables that have ended, without playing them."""

import msgspec
from sqlalchemy import text

from app.services import lobby, ratings
from app.services.accounts import Me
from app.services.lobby import Wish
from app.services.server import Server

GAME = "hanging_gardens"


async def ended(
    server: Server,
    people: list[Me | None],
    ranks: list[int],
    *,
    public: bool = True,
    rated: bool = True,
    settled: bool = True,
    slug: str = GAME,
) -> int:
    """A table at which these people (``None``: a bot) came to these places."""
    host = next(each for each in people if each is not None)
    key = await lobby.open_table(server, host, Wish(slug=GAME, seats=len(people), public=public))
    table_id = await server.states.find_id(key)
    part = {"hanging_gardens": "flowers", "amyitis": "tiles"}[slug]
    scores = [
        {"seat": seat, "total": 100 - rank, "parts": [[part, 100 - rank]], "rank": rank, "verdict": ""}
        for seat, rank in enumerate(ranks)
    ]
    async with server.engine.begin() as connection:
        for seat, who in enumerate(people):
            await connection.execute(
                text("UPDATE seats SET user_id = :who, bot = :bot WHERE table_id = :table AND seat = :seat"),
                {"who": who.id if who else None, "bot": "" if who else "greedy", "table": table_id, "seat": seat},
            )
        await connection.execute(
            text(
                "UPDATE tables SET status = 'over', scores = CAST(:scores AS jsonb), rated = :rated, slug = :slug,"
                " started_at = now(), moved_at = clock_timestamp(), changed = changed + 1 WHERE id = :table"
            ),
            {"scores": msgspec.json.encode(scores).decode(), "rated": rated, "slug": slug, "table": table_id},
        )
    if settled:
        assert await ratings.settle(server, table_id)
    return table_id


async def rating_of(server: Server, me: Me, slug: str = GAME) -> tuple[float, float, int] | None:
    """What is stored of how well somebody plays."""
    async with server.sessions() as session:
        query = text("SELECT mu, sigma, games FROM ratings WHERE user_id = :id AND slug = :slug")
        row = (await session.execute(query, {"id": me.id, "slug": slug})).one_or_none()
    return (row[0], row[1], row[2]) if row else None
