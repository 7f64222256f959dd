"""Several people at one device: sharing seats before the start, and passing the device on in play."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services import hotseat
from app.web.deps import Visiting

router = APIRouter()


@router.post("/tables/{key}/share")
async def share(visit: Visiting, key: str, name: Annotated[str, Form(max_length=400)] = "") -> Response:
    """Somebody beside me plays the first free seat."""
    visit.edge.limits.check("post", visit.who)
    await hotseat.share(visit.server, visit.known(), await visit.server.states.find_id(key), name=name)
    return visit.go(f"/tables/{key}")


@router.post("/tables/{key}/unshare")
async def unshare(visit: Visiting, key: str, seat: Annotated[int, Form()]) -> Response:
    """Somebody beside me does not play after all."""
    visit.edge.limits.check("post", visit.who)
    await hotseat.unshare(visit.server, visit.known(), await visit.server.states.find_id(key), seat=seat)
    return visit.go(f"/tables/{key}")


@router.post("/tables/{key}/here")
async def here(visit: Visiting, key: str, seat: Annotated[int, Form()]) -> Response:
    """Whoever plays this seat has the device now."""
    visit.edge.limits.check("post", visit.who)
    await hotseat.open_gate(visit.server, visit.known(), await visit.server.states.find_id(key), seat=seat)
    return visit.go(f"/tables/{key}")
