"""The log of a table, whole or filtered: a part for the drawer, a page of its own without script."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from app import games
from app.services import hotseat
from app.services.errors import NotStarted
from app.web.deps import Visiting
from app.web.drawing import draw
from app.web.lines import kinds_of, log_lines, parts_of, wanted
from app.web.render import seat_cards
from app.web.tables import newest

router = APIRouter()


@router.get("/tables/{key}/log")
async def show_log(
    visit: Visiting,
    key: str,
    before: int | None = None,
    who: Annotated[str, Query(max_length=9)] = "",
    what: Annotated[str, Query(max_length=80)] = "",
) -> Response:
    """The log in the reader's language: a part for the drawer, a page of its own without script."""
    held = await newest(visit, key)
    if held.position is None:
        raise NotStarted
    user_id = visit.me.id if visit.me else None
    seat = hotseat.viewer_seat(held, user_id)
    context = {
        "key": key,
        "slug": held.facts.slug,
        "box": games.part(held.facts.slug, "board").box(held.game),
        "version": held.version,
        "over": held.facts.status == "over",
        "seats": seat_cards(held, user_id),
        "seat": seat,
        "kinds": kinds_of(held),
        "parts": parts_of(held),
        **log_lines(held, seat, before=before, want=wanted(held, who, what)),
    }
    if visit.by_htmx:
        return visit.part(draw(visit.language, "tables/log_entries.html", **context))
    return await visit.page("tables/log.html", **context)
