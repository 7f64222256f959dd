"""The rules of each game in our own words, and the page about us."""

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app import games
from app.web.deps import Visiting
from app.web.drawing import template_exists

router = APIRouter()


@router.get("/rules")
async def any_rules(visit: Visiting) -> Response:
    """On to the rules of the first game; their page leads to the others."""
    slug = next(slug for slug in games.games() if template_exists(f"games/{slug}/rules.html"))
    return visit.go(f"/rules/{slug.replace('_', '-')}")


@router.get("/rules/{name}")
async def rules(visit: Visiting, name: str) -> Response:
    """The rules of a game; its address has dashes."""
    slug = name.replace("-", "_")
    if slug not in games.games() or "_" in name or not template_exists(f"games/{slug}/rules.html"):
        raise HTTPException(404)
    game = games.load(slug)
    with_rules = tuple(each for each in games.games() if template_exists(f"games/{each}/rules.html"))
    board = games.part(slug, "board")
    return await visit.page(
        "rules/page.html", slug=slug, games=with_rules, box=game.box, faces=board.box(game), edition=game.edition
    )


@router.get("/about")
async def about(visit: Visiting) -> Response:
    """Who made the games, and what this is."""
    return await visit.page("pages/about.html", games=tuple(games.games()))
