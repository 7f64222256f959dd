"""What somebody made of a game so far: how often, how well, with whom, and where the points came from.

Counted from what is written down at the end of every game (``results``); ``recount`` writes it again from the tables.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import profiles as queries
from app.db import results
from app.services.server import Server

COMPANIES = ("people", "mixed", "bots", "beside", "alone")
"""With whom one played: other people, people and bots, bots, others at one's own device, nobody."""


class Group(msgspec.Struct, frozen=True):
    """Games that have something in common (``key``): how many, how many won, the mean and the best of the points."""

    key: str
    games: int
    won: int
    mean: float
    best: int


class Step(msgspec.Struct, frozen=True):
    """A value after so many games, and when that was."""

    number: int
    at: datetime
    value: int


class Record(msgspec.Struct, frozen=True):
    """All of one game. ``places``: how often first, second … in games with others; ``means``: points by source;
    ``ratings``: what was believed after each rated game, as a mean; ``points``: game by game."""

    slug: str
    all: Group
    places: tuple[int, ...]
    by_seats: tuple[Group, ...]
    by_company: tuple[Group, ...]
    means: tuple[tuple[str, float], ...]
    ratings: tuple[tuple[datetime, float], ...]
    points: tuple[Step, ...]


def company(seats: int, people: int, bots: int) -> str:
    """With whom somebody played, one of :data:`COMPANIES`."""
    if seats < 2:
        return "alone"
    if people > 1:
        return "mixed" if bots else "people"
    return "bots" if bots else "beside"


async def record(session: AsyncSession, slug: str, user_id: int, viewer_id: int | None) -> Record | None:
    """What somebody made of a game, as far as the viewer may know of the tables; nothing without any."""
    rows = await queries.list_record(session, slug, user_id=user_id, viewer_id=viewer_id)
    if not rows:
        return None
    with_others = Counter(row.rank for row in rows if row.seats > 1)
    by_seats: defaultdict[int, list[Any]] = defaultdict(list)
    by_company: defaultdict[str, list[Any]] = defaultdict(list)
    for row in rows:
        by_seats[row.seats].append(row)
        by_company[company(row.seats, row.people, row.bots)].append(row)
    return Record(
        slug=slug,
        all=_group("", rows),
        places=tuple(with_others[rank] for rank in range(1, max(with_others, default=0) + 1)),
        by_seats=tuple(_group(str(seats), by_seats[seats]) for seats in sorted(by_seats)),
        by_company=tuple(_group(key, by_company[key]) for key in COMPANIES if key in by_company),
        means=tuple(means(row.parts for row in rows).items()),
        ratings=tuple((row.at, row.mu) for row in rows if row.rated and row.mu is not None),
        points=tuple(Step(number, row.at, row.total) for number, row in enumerate(rows, start=1)),
    )


async def summary(session: AsyncSession, user_id: int, viewer_id: int | None) -> tuple[Group, ...]:
    """The games of somebody, each in one line; ``key`` is the game."""
    rows = await queries.list_totals(session, user_id, viewer_id=viewer_id)
    return tuple(Group(slug, games, won, float(mean), best) for slug, games, won, mean, best in rows)


def _group(key: str, rows: Sequence[Any]) -> Group:
    totals = [row.total for row in rows]
    won = sum(row.rank == 1 and row.seats > 1 for row in rows)
    return Group(key, len(rows), won, sum(totals) / len(totals), max(totals))


def means(sheets: Iterable[Sequence[Sequence[Any]]]) -> dict[str, float]:
    """What each part of a score brings on average, in the order of the sheet."""
    sums: dict[str, float] = {}
    number = 0
    for parts in sheets:
        number += 1
        for part, points in parts:
            sums[part] = sums.get(part, 0.0) + points
    return {part: total / number for part, total in sums.items()}


async def recount(server: Server, *, write: bool) -> tuple[int, ...]:
    """The tables whose results do not say what their score sheets and seats do; ``write``: puts them right."""
    async with server.sessions() as session:
        slugs = await results.list_slugs(session)
    found: set[int] = set()
    for slug in slugs:
        async with server.sessions.begin() as session:
            await results.hold_ratings(session, slug)
            rows = await results.list_with_sheets(session, slug)
            tables: defaultdict[int, list[Any]] = defaultdict(list)
            for result, scores in rows:
                tables[result.table_id].append((result, scores))
            for table_id, seats in tables.items():
                people = sum(result.user_id is not None for result, _ in seats)
                bots = sum(bool(result.bot) for result, _ in seats)
                for result, scores in seats:
                    sheet = next(score for score in scores if score["seat"] == result.seat)
                    said = (result.seats, result.people, result.bots, result.parts, result.total, result.rank)
                    counted = (len(seats), people, bots, sheet["parts"], sheet["total"], sheet["rank"])
                    if said == counted:
                        continue
                    found.add(table_id)
                    if write:
                        result.seats, result.people, result.bots, result.parts, result.total, result.rank = counted
    return tuple(sorted(found))
