"""Giving up, and calling a game off: two forms of the drawer."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services import endings
from app.services.errors import BadAction
from app.web.deps import Visiting
from app.web.rooms import answered

router = APIRouter()


@router.post("/tables/{key}/concede")
async def concede(visit: Visiting, key: str) -> Response:
    """Gives up."""
    visit.edge.limits.check("post", visit.who)
    me, table_id = visit.known(), await visit.server.states.find_id(key)
    await endings.concede(visit.server, me, table_id)
    return await answered(visit, key)


@router.post("/tables/{key}/cancel")
async def cancel(visit: Visiting, key: str, do: Annotated[str, Form()]) -> Response:
    """Wishes that the game be called off (``wish``), or not (``unwish``)."""
    visit.edge.limits.check("post", visit.who)
    if do not in {"wish", "unwish"}:
        raise BadAction
    me, table_id = visit.known(), await visit.server.states.find_id(key)
    await endings.wish_to_cancel(visit.server, me, table_id, wish=do == "wish")
    return visit.go(f"/tables/{key}")
