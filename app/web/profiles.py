"""A person's page: games, results, ratings."""

from urllib.parse import quote

from fastapi import APIRouter
from msgspec.structs import replace
from starlette.responses import Response

from app import games
from app.services import profiles
from app.services.errors import NoSuchPerson
from app.web.deps import Visit, Visiting

router = APIRouter()


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
        slugs=tuple(slug for slug in profile.slugs if slug in installed),
        sources=profile.sources if profile.slug in installed else (),
    )
    return await visit.page(
        "accounts/profile.html",
        profile=known,
        games=installed,
        chosen=chosen,
        here_path=profile_path(name) if name else "/me",
        profile_path=profile_path,
    )
