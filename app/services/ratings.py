"""How well people play, computed from results alone: whoever computes it again comes to the same numbers.

The end of a table is written down once (``settle``), game by game in a fixed order, which is that of ``Result.at``.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby

from openskill.models import PlackettLuce
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import results as queries
from app.db import tables
from app.db.lost import LOST, reason
from app.db.models import Result, Seat, Table
from app.services import clock
from app.services.server import Server

logger = logging.getLogger(__name__)
Standing = tuple[float, float]
"""A mean and its uncertainty."""


@cache
def model() -> PlackettLuce:
    """How a result changes what we believe."""
    return PlackettLuce()


def newcomer() -> Standing:
    """What we believe of somebody of whom we have seen nothing."""
    rating = model().rating()
    return rating.mu, rating.sigma


def rated_anew(standings: Sequence[Standing], ranks: Sequence[int]) -> list[Standing]:
    """What we believe after a game that ended with these ranks."""
    teams = [[model().create_rating([mu, sigma])] for mu, sigma in standings]
    after = model().rate(teams, ranks=[float(rank) for rank in ranks])
    return [(team[0].mu, team[0].sigma) for team in after]


def played(seat: Seat) -> int | None:
    """Whose result a seat's is: theirs who sit there, or who gave up and let a bot finish."""
    return seat.conceded_id if seat.user_id is None else seat.user_id


def credited(seats: Sequence[Seat], beside: Collection[int]) -> dict[int, int]:
    """Whose result each seat's is, where it is anybody's: a person has one at a table, that of where they sit rather
    than where they gave up; who plays ``beside`` somebody has none."""
    whose: dict[int, int] = {}
    for seat in sorted(seats, key=lambda seat: (seat.user_id is None, seat.seat)):
        user_id = None if seat.seat in beside else played(seat)
        if user_id is not None and user_id not in whose.values():
            whose[seat.seat] = user_id
    return whose


def counts(table: Table, seats: Sequence[Seat]) -> bool:
    """Whether a table is rated: anybody may know of it, different people sit there, each at a device of their own,
    none of them a bot, and nothing has happened that speaks against it."""
    people = [played(seat) for seat in seats]
    private = not table.public or table.password_hash is not None
    return table.rated and not private and len(people) > 1 and None not in people and len(set(people)) == len(people)


async def settle(server: Server, table_id: int) -> bool:
    """Writes down how a table ended, and what that says about its people. Whether there was anything to write:
    a table that is settled, or not over, is left alone."""
    async with server.sessions.begin() as session:
        table = await tables.find_table(session, table_id)
        if table is None or table.status != "over" or not table.scores:
            return False
        await queries.hold_ratings(session, table.slug)
        if await queries.has_results(session, table_id):
            return False
        await _settle(session, table)
        return True


async def settle_soon(server: Server, table_id: int) -> None:
    """Settles a table that has just ended. When that fails now, it is done when somebody looks for such tables."""
    try:
        await settle(server, table_id)
    except LOST as fault:
        logger.warning("the end of table %s will be written down later: %s", table_id, reason(fault))


async def _settle(session: AsyncSession, table: Table) -> None:
    rows = await tables.list_seats(session, [table.id])
    seats, beside = [row.seat for row in rows], {row.seat.seat for row in rows if row.beside}
    scores = {score["seat"]: score for score in table.scores or ()}
    rated = counts(table, seats)
    after: dict[int, Standing] = {}
    if rated:
        people = [user_id for seat in seats if (user_id := played(seat)) is not None]
        known = {row.user_id: row for row in await queries.list_ratings(session, table.slug, people)}
        before = [(known[each].mu, known[each].sigma) if each in known else newcomer() for each in people]
        ranks = [scores[seat.seat]["rank"] for seat in seats]
        after = dict(zip(people, rated_anew(before, ranks), strict=True))
        await queries.store_ratings(
            session,
            [
                {
                    "user_id": user_id,
                    "slug": table.slug,
                    "mu": mu,
                    "sigma": sigma,
                    "games": (known[user_id].games if user_id in known else 0) + 1,
                }
                for user_id, (mu, sigma) in after.items()
            ],
        )
    last = await queries.find_last_moment(session, table.slug)
    whose = credited(seats, beside)
    bots = {seat.seat: "" if seat.conceded_id else seat.bot for seat in seats}
    at = clock.now() if last is None else max(clock.now(), last + timedelta(microseconds=1))
    for seat in seats:
        score = scores[seat.seat]
        mu, sigma = after.get(played(seat) or 0, (None, None))
        session.add(
            Result(
                table_id=table.id,
                seat=seat.seat,
                user_id=whose.get(seat.seat),
                bot=bots[seat.seat],
                slug=table.slug,
                total=score["total"],
                rank=score["rank"],
                rated=rated,
                mu=mu,
                sigma=sigma,
                at=at,
                seats=len(seats),
                people=len(whose),
                bots=sum(bool(bot) for bot in bots.values()),
                parts=score["parts"],
            )
        )


async def settle_all(server: Server) -> int:
    """Settles every table whose end nobody wrote down; how many."""
    async with server.sessions() as session:
        waiting = await queries.list_unsettled(session)
    return sum([await settle(server, table_id) for table_id in waiting])


async def count_unsettled(server: Server) -> int:
    """How many tables have ended whose end nobody wrote down."""
    async with server.sessions() as session:
        return len(await queries.list_unsettled(session))


@dataclass
class Differences:
    """Where what is stored is not what comes of the results: results and ratings, as ``(number, game)``."""

    results: list[tuple[int, str]] = field(default_factory=list)
    ratings: list[tuple[int, str]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.results or self.ratings)


async def recompute(server: Server, *, write: bool) -> Differences:
    """Computes every rating again from the results, and compares; ``write``: puts right what differs."""
    found = Differences()
    async with server.sessions() as session:
        slugs = await queries.list_slugs(session)
    for slug in slugs:
        async with server.sessions.begin() as session:
            await queries.hold_ratings(session, slug)
            some = await retell(session, slug, write=write)
            found.results += some.results
            found.ratings += some.ratings
    return found


async def retell(
    session: AsyncSession, slug: str, *, since: datetime | None = None, write: bool = True
) -> Differences:
    """Goes through the results of a game again, in their order (from a moment on). ``hold_ratings`` comes first."""
    known: dict[int, tuple[Standing, int]] = {}
    if since is not None:
        for user_id, mu, sigma, games in await queries.list_standings(session, slug, before=since):
            if user_id is not None and mu is not None and sigma is not None:
                known[user_id] = (mu, sigma), games
    found = Differences()
    for table_id, group in groupby(await queries.list_rated(session, slug, since=since), lambda row: row.table_id):
        rows = list(group)
        people = [row.user_id or 0 for row in rows]
        before = [known[each][0] if each in known else newcomer() for each in people]
        after = rated_anew(before, [row.rank for row in rows])
        for row, user_id, standing in zip(rows, people, after, strict=True):
            known[user_id] = standing, (known[user_id][1] if user_id in known else 0) + 1
            if (row.mu, row.sigma) != standing:
                found.results.append((table_id, slug))
                if write:
                    row.mu, row.sigma = standing
    stored = {row.user_id: ((row.mu, row.sigma), row.games) for row in await queries.list_ratings(session, slug)}
    found.ratings = [(each, slug) for each in sorted(known | stored) if known.get(each) != stored.get(each)]
    if write and found.ratings:
        rows_to_store = [
            {
                "user_id": each,
                "slug": slug,
                "mu": known[each][0][0],
                "sigma": known[each][0][1],
                "games": known[each][1],
            }
            for each, _ in found.ratings
            if each in known
        ]
        await queries.store_ratings(session, rows_to_store)
        await queries.drop_ratings(session, slug, [each for each, _ in found.ratings if each not in known])
    return found
