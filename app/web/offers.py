"""Seats that somebody left: taking one's own back, or somebody else's over."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services import substitutes
from app.services.errors import GameOver, NotStarted
from app.web.accounts import named
from app.web.cards import Offer
from app.web.deps import Visit, Visiting
from app.web.forms import Field
from app.web.render import BOARD, kind_of, seat_cards

router = APIRouter()


@router.post("/tables/{key}/reclaim")
async def reclaim(visit: Visiting, key: str) -> Response:
    """Takes the seat back that one left."""
    visit.edge.limits.check("post", visit.who)
    await substitutes.reclaim(visit.server, visit.known(), await visit.server.states.find_id(key))
    return visit.go(f"/tables/{key}")


@router.get("/offers/{offer}")
async def show(visit: Visiting, offer: str) -> Response:
    """What is offered: the game, who plays, and how far they are."""
    return await page(visit, offer)


async def page(visit: Visit, offer: str, status: int = 200, *, naming: Field | None = None) -> Response:
    """The page of an offer; ``naming``: the name that was given there."""
    table_id, seat = await substitutes.find_offer(visit.server, offer)
    held = await visit.server.states.newest(table_id)
    if held.facts.status != "playing" or kind_of(held) != BOARD or held.position is None:
        raise GameOver if held.facts.status != "waiting" else NotStarted
    if held.facts.seat_of(visit.me.id if visit.me else None) is not None:
        return visit.go(f"/tables/{held.facts.key}")
    cards = seat_cards(held, visit.me.id if visit.me else None)
    moves = len(held.position.played)
    shown = Offer(key=offer, slug=held.facts.slug, seats=cards, seat=seat, moves=moves, naming=naming or Field())
    return await visit.page("tables/offer.html", status, offer=shown)


@router.post("/offers/{offer}")
async def take(visit: Visiting, offer: str, name: Annotated[str, Form()] = "") -> Response:
    """Takes over."""
    visit.edge.limits.check("post", visit.who)
    naming = await named(visit, name)
    if naming.complaint:
        return await page(visit, offer, 422, naming=naming)
    table_id = await substitutes.substitute(visit.server, visit.known(), offer)
    held = await visit.server.states.newest(table_id)
    return visit.go(f"/tables/{held.facts.key}")
