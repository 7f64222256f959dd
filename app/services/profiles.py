"""A person as others may know them: games, results, ratings, and what they are good at."""

from collections import Counter, defaultdict
from datetime import datetime

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts
from app.db import profiles as queries
from app.db.models import User
from app.services.accounts import Me
from app.services.errors import NoSuchPerson
from app.services.merging import GONE
from app.services.names import sought_key
from app.services.ratings import newcomer
from app.services.records import Group, Record, means, record, summary
from app.services.server import Server
from app.services.states import KEY

START = 1500
WORTH = 40
"""Ratings are shown as people are used to them: this one at first, and so much for one unit of the mean."""
UNSURE = 5.0
"""While the uncertainty is larger than this, the rating is still finding its place."""
HISTORY = 30
PAGE = 20
SHEETS = 1000


class Progress(msgspec.Struct, frozen=True):
    """How well somebody plays a game: now, at best, after each of the last games, and what the latest one changed."""

    slug: str
    rating: int
    unsure: bool
    games: int
    best: int
    change: int
    history: tuple[int, ...]


class Other(msgspec.Struct, frozen=True):
    """Somebody else at a table; ``account``: there is a profile. A bot has no name."""

    name: str
    bot: str
    account: bool
    total: int


class Ended(msgspec.Struct, frozen=True):
    """A game that ended. ``change``: of the rating; nothing when it was not rated. Alone there is a ``verdict``."""

    key: str
    slug: str
    others: tuple[Other, ...]
    total: int
    rank: int
    change: int | None
    verdict: str
    at: datetime
    secret: bool


class Source(msgspec.Struct, frozen=True):
    """A part of the score: how much it brings on average, to this person and to everybody."""

    part: str
    mine: float
    everybody: float


class Profile(msgspec.Struct, frozen=True):
    """Everything the page shows."""

    id: int
    name: str
    guest: bool
    since: datetime
    own: bool
    games: int
    won: int
    together: int
    playing: int
    progress: tuple[Progress, ...]
    places: tuple[int, ...]
    slug: str
    slugs: tuple[str, ...]
    summary: tuple[Group, ...]
    """Every game in one line; ``record``: all of the one that was asked for."""
    record: Record | None
    sources: tuple[Source, ...]
    counted: int
    ended: tuple[Ended, ...]
    earlier: str
    """Where the list goes on, for :func:`show`; empty when this is all."""


def shown(mu: float) -> int:
    """A rating as people are used to it."""
    return round(START + WORTH * (mu - newcomer()[0]))


async def show(server: Server, viewer: Me | None, *, name: str = "", slug: str = "", before: str = "") -> Profile:
    """The profile of an account, or my own without a ``name``; the games of one game, from a place of the list on.

    Raises :class:`NoSuchPerson`.
    """
    async with server.sessions() as session:
        if name:
            user = await accounts.find_account(session, sought_key(name))
        else:
            user = await accounts.find_user(session, viewer.id) if viewer else None
        if user is None or user.deleted_at is not None:
            raise NoSuchPerson
        return await _profile(session, user, viewer.id if viewer else None, slug=slug, before=before)


async def _profile(session: AsyncSession, user: User, viewer_id: int | None, *, slug: str, before: str) -> Profile:
    places = await queries.list_places(session, user.id, viewer_id=viewer_id)
    often: Counter[str] = Counter()
    for each, _, _, count in places:
        often[each] += count
    with_others = Counter[int]()
    for _, rank, together, count in places:
        if together:
            with_others[rank] += count
    last = max(with_others, default=0)
    slug = slug if slug in often else ""
    favourite = slug or next((each for each, _ in often.most_common(1)), "")
    known = await record(session, favourite, user.id, viewer_id) if favourite else None
    sources, counted = await _sources(session, known)
    ended, earlier = await _ended(session, user.id, viewer_id, slug=slug, before=before)
    return Profile(
        id=user.id,
        name=user.name,
        guest=user.guest,
        since=user.created_at,
        own=user.id == viewer_id,
        games=often.total(),
        won=with_others[1],
        together=with_others.total(),
        playing=await queries.count_playing(session, user.id, viewer_id=viewer_id),
        progress=await _progress(session, user.id, viewer_id),
        places=tuple(with_others[rank] for rank in range(1, last + 1)),
        slug=favourite,
        slugs=tuple(sorted(often)),
        summary=await summary(session, user.id, viewer_id),
        record=known if slug else None,
        sources=sources,
        counted=counted,
        ended=ended,
        earlier=earlier,
    )


async def _progress(session: AsyncSession, user_id: int, viewer_id: int | None) -> tuple[Progress, ...]:
    """As far as the viewer knows of the games: a rating says nothing of a later game at a private table."""
    steps: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for slug, mu, sigma, before in await queries.list_steps(session, user_id, viewer_id=viewer_id):
        steps[slug].append((mu, sigma, newcomer()[0] if before is None else before))
    return tuple(
        Progress(
            slug=slug,
            rating=shown(seen[-1][0]),
            unsure=seen[-1][1] > UNSURE,
            games=len(seen),
            best=max(shown(mu) for mu, _, _ in seen),
            change=shown(seen[-1][0]) - shown(seen[-1][2]),
            history=tuple(shown(mu) for mu, _, _ in seen[-HISTORY:]),
        )
        for slug, seen in sorted(steps.items())
    )


async def _sources(session: AsyncSession, mine: Record | None) -> tuple[tuple[Source, ...], int]:
    if mine is None:
        return (), 0
    usual = means(await queries.list_parts(session, mine.slug, most=SHEETS)) or dict(mine.means)
    return tuple(Source(part, value, usual.get(part, 0.0)) for part, value in mine.means), mine.all.games


async def _ended(
    session: AsyncSession, user_id: int, viewer_id: int | None, *, slug: str, before: str
) -> tuple[tuple[Ended, ...], str]:
    known = before if KEY.fullmatch(before) else ""
    rows = await queries.list_games(session, user_id, viewer_id=viewer_id, slug=slug, before=known, most=PAGE + 1)
    players: defaultdict[int, list[tuple[int, Other]]] = defaultdict(list)
    for table_id, seat, _, bot, total, name, guest in await queries.list_players(
        session, [row[0].id for row in rows]
    ):
        called = name or ("" if bot else GONE)
        players[table_id].append((seat, Other(name=called, bot=bot, account=guest is False, total=total)))
    found = []
    for table, seat, rank, total, rated, mu, earlier in rows[:PAGE]:
        others = tuple(other for at, other in players[table.id] if at != seat)
        score = next(score for score in table.scores if score["seat"] == seat)
        change = shown(mu) - shown(newcomer()[0] if earlier is None else earlier) if rated else None
        found.append(
            Ended(
                key=table.key,
                slug=table.slug,
                others=others,
                total=total,
                rank=rank,
                change=change,
                verdict=score["verdict"] if not others else "",
                at=table.moved_at,
                secret=not table.public or table.hidden or table.password_hash is not None,
            )
        )
    return tuple(found), found[-1].key if len(rows) > PAGE else ""
