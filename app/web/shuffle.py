"""Whether the shuffle of a table was fair: its seal from the first moment, what was sealed at the end."""

from fastapi import APIRouter
from starlette.responses import Response

from app.web.deps import Visiting
from app.web.render import seal
from app.web.tables import newest

router = APIRouter()


@router.get("/tables/{key}/shuffle")
async def show_shuffle(visit: Visiting, key: str) -> Response:
    """The seal, and how to check it in the browser, by hand and by command."""
    held = await newest(visit, key)
    facts = held.facts
    seed = facts.seed if facts.status == "over" else ""
    return await visit.page("tables/shuffle.html", key=key, slug=facts.slug, seal=seal(held), seed=seed)
