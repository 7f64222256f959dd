"""A person's page: games, results, ratings, and what they made of each game."""

from collections.abc import Sequence
from urllib.parse import quote

from fastapi import APIRouter
from msgspec import Struct
from msgspec.structs import replace
from starlette.responses import Response

from app import games
from app.services import profiles
from app.services.errors import NoSuchPerson
from app.services.records import Record, Step
from app.web.charts import Chart, chart
from app.web.deps import Visit, Visiting

router = APIRouter()
SIZE = (420, 150)
MOST = 60
"""So many points of a line are drawn and listed; of a longer one, as many at even distances."""


class Line(Struct, frozen=True):
    """A value over time, drawn and listed."""

    chart: Chart
    steps: tuple[Step, ...]


def line(steps: Sequence[Step]) -> Line | None:
    """A value over time; nothing to draw before there are two."""
    if len(steps) < 2:
        return None
    last = len(steps) - 1
    some = [steps[round(last * index / (MOST - 1))] for index in range(MOST)] if last >= MOST else list(steps)
    width, height = SIZE
    moments = [(step.number, None) for step in some]
    values = [[step.value for step in some]]
    return Line(chart("", values, moments, width=width, height=height, from_zero=False), tuple(some))


def lines_of(record: Record | None) -> dict[str, Line | None]:
    """The lines of a record: ratings and points."""
    if record is None:
        return {}
    ratings = [Step(number, at, profiles.shown(mu)) for number, (at, mu) in enumerate(record.ratings, start=1)]
    return {"ratings": line(ratings), "points": line(record.points)}


def profile_path(name: str) -> str:
    """Where the profile of an account is."""
    return f"/@{quote(name, safe='')}"


@router.get("/me")
async def mine(visit: Visiting, game: str = "", before: str = "") -> Response:
    """My own."""
    visit.known()
    return await shown(visit, name="", game=game, before=before)


@router.get("/@{name:path}")
async def theirs(visit: Visiting, name: str, game: str = "", before: str = "") -> Response:
    """Somebody's."""
    if not name:
        raise NoSuchPerson
    return await shown(visit, name=name, game=game, before=before)


async def shown(visit: Visit, *, name: str, game: str, before: str) -> Response:
    """The page; a game that is not installed any more is left out."""
    installed = tuple(games.games())
    chosen = game if game in installed else ""
    profile = await profiles.show(visit.server, visit.me, name=name, slug=chosen, before=before)
    known = replace(
        profile,
        progress=tuple(each for each in profile.progress if each.slug in installed),
        ended=tuple(each for each in profile.ended if each.slug in installed),
        summary=tuple(each for each in profile.summary if each.key in installed),
        slugs=tuple(slug for slug in profile.slugs if slug in installed),
        sources=profile.sources if profile.slug in installed else (),
    )
    return await visit.page(
        "accounts/profile.html",
        profile=known,
        games=installed,
        chosen=chosen,
        lines=lines_of(known.record),
        here_path=profile_path(name) if name else "/me",
        profile_path=profile_path,
    )
