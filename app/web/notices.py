"""How I want to be told: my choices, this browser's notices, and tables of which I want to hear nothing."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services import notices, push, wishes
from app.services.errors import BadChoice
from app.web.accounts import complaint_of
from app.web.deps import Visiting
from app.web.drawing import draw
from app.web.forms import Field
from app.web.preferences import HERE, again

router = APIRouter()
Text = Annotated[str, Form(max_length=2_000)]


@router.post("/me/notices")
async def choose(visit: Visiting, delay: Text = "", letters: Text = "") -> Response:
    """After which delay, and how often by letter."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()
    try:
        await wishes.choose(visit.server, me, delay=delay, letters=letters)
    except BadChoice as fault:
        return await again(visit, me, telling=Field(complaint=complaint_of(fault)))
    return visit.go(f"{HERE}?saved=notices#notices")


@router.post("/me/push")
async def subscribe(visit: Visiting, endpoint: Text, public: Text, auth: Text) -> Response:
    """This browser shows notices to me."""
    visit.edge.limits.check("post", visit.who)
    await push.subscribe(visit.server, visit.known(), endpoint=endpoint, public=public, auth=auth)
    return Response(status_code=204)


@router.post("/me/push/off")
async def unsubscribe(visit: Visiting, endpoint: Text) -> Response:
    """It does no more."""
    visit.edge.limits.check("post", visit.who)
    await push.unsubscribe(visit.server, visit.known(), endpoint=endpoint)
    return Response(status_code=204)


@router.post("/me/push/known")
async def known(visit: Visiting, endpoint: Text) -> Response:
    """Whether it does: 204, or 404. Its address is a secret, so it stands in no address of ours."""
    visit.edge.limits.check("post", visit.who)
    mine = await push.is_subscribed(visit.server, visit.known(), endpoint=endpoint)
    return Response(status_code=204 if mine else 404)


@router.post("/tables/{key}/mute")
async def mute(visit: Visiting, key: str, muted: Annotated[str, Form(max_length=9)] = "") -> Response:
    """Tells me nothing of this table from now on, or does again."""
    visit.edge.limits.check("post", visit.who)
    table_id = await visit.server.states.find_id(key)
    await notices.mute(visit.server, visit.known(), table_id, muted=bool(muted))
    if visit.by_htmx:
        return visit.part(draw(visit.language, "notices/mute.html", key=key, muted=bool(muted)))
    return visit.go(f"/tables/{key}")
