"""What is said at a table: saying something, all that was said, not hearing somebody, reporting, closing the talk."""

from collections.abc import Awaitable
from typing import Annotated

from fastapi import APIRouter, Form, Query
from starlette.responses import Response

from app.services import mutes, talk
from app.services.errors import NeedsPassword, Refusal, SignedOut
from app.services.held import Held
from app.web import doors
from app.web.accounts import doors as ways_in
from app.web.deps import TooFast, Visit, Visiting
from app.web.drawing import draw
from app.web.errors import status_of, word
from app.web.forms import Doors
from app.web.remarks import card_of
from app.web.render import GONE, kind_of, partials
from app.web.tables import newest, saying, zone_of, zones_of

router = APIRouter()
Text = Annotated[str, Form()]
Number = Annotated[int, Form()]
LONGEST = 8_000
"""So much of what was written is sent back."""


@router.get("/tables/{key}/talk")
async def show(visit: Visiting, key: str, before: Annotated[int | None, Query(ge=1, lt=2**62)] = None) -> Response:
    """All that was said, as far as one hears it; without script this is where one talks."""
    try:
        held = await newest(visit, key)
    except NeedsPassword:
        return await doors.ask(visit, await visit.server.states.newest(await visit.server.states.find_id(key)))
    if kind_of(held) == GONE:
        return visit.go(f"/tables/{key}")
    return await page(visit, held, before=before)


async def page(
    visit: Visit, held: Held, status: int = 200, *, before: int | None = None, said: tuple[str, str] = ("", "")
) -> Response:
    """The page; ``said``: what was written and the complaint about it."""
    user_id = visit.me.id if visit.me else None
    heard, more = await talk.list_heard(visit.server, held, user_id, before=before)
    card = card_of(held.facts, user_id, visit.language, heard=heard, more=more, zone=zone_of(visit))
    return await visit.page(
        "tables/talk_page.html",
        status,
        m=card,
        slug=held.facts.slug,
        before=before,
        written=said[0],
        complaint=said[1],
        **saying(visit),
    )


@router.post("/tables/{key}/talk")
async def say(
    visit: Visiting, key: str, words: Text = "", room: Text = "", once: Text = "", back: Text = ""
) -> Response:
    """Says something. What is refused comes back with the reason."""
    try:
        held = await newest(visit, key)
    except NeedsPassword:
        if visit.by_htmx:
            raise
        table_id = await visit.server.states.find_id(key)
        return await doors.ask(visit, await visit.server.states.newest(table_id), written=words[:LONGEST])
    try:
        me = visit.known()
        visit.edge.limits.check("talk", visit.who)
        await talk.say(visit.server, me, held.facts.id, words=words, room=room, once=once)
    except (Refusal, TooFast) as fault:
        if isinstance(fault, SignedOut):
            if visit.by_htmx:
                raise
            return await ways_in(visit, Doors(next=f"/tables/{key}/talk", lost="post", written=words[:LONGEST]))
        if visit.by_htmx:
            return refused(visit, fault)
        return await page(visit, held, status_of(fault), said=(words[:LONGEST], complaint_of(fault)))
    return await answered(visit, key, back=back)


def complaint_of(fault: Exception) -> str:
    """The name of a complaint, with its reason where there are several."""
    reason = fault.facts.get("reason") if isinstance(fault, Refusal) else None
    return f"remark_{reason}" if word(type(fault)) == "bad_remark" and reason else word(type(fault))


def refused(visit: Visit, fault: Exception) -> Response:
    """Why nothing was said, below what was written, which stays."""
    html = draw(visit.language, "tables/talk_said.html", complaint=complaint_of(fault), done="")
    return visit.part(partials({"talk-said": html}), status_of(fault))


async def answered(visit: Visit, key: str, *, back: str, done: str = "") -> Response:
    """The table after something was said or done; ``done``: what a sentence must tell of."""
    if not visit.by_htmx:
        return visit.go(f"/tables/{key}" if back == "table" else f"/tables/{key}/talk")
    said = draw(visit.language, "tables/talk_said.html", complaint="", done=done)
    return zones_of(visit, await newest(visit, key), more=partials({"talk-said": said}))


@router.post("/tables/{key}/talk/about")
async def about(visit: Visiting, key: str, mute: Number = 0, report: Number = 0, back: Text = "") -> Response:
    """Hears no more who said that (``mute``), or asks those who keep order to look at it (``report``)."""
    visit.edge.limits.check("post", visit.who)
    held = await newest(visit, key)
    me, table_id = visit.known(), held.facts.id
    if mute:
        return await _done(visit, key, mutes.mute(visit.server, me, table_id, remark_id=mute), back, "muted")
    return await _done(visit, key, mutes.report(visit.server, me, table_id, remark_id=report), back, "reported")


async def _done(visit: Visit, key: str, work: Awaitable[None], back: str, done: str) -> Response:
    try:
        await work
    except Refusal as fault:
        if visit.by_htmx:
            return refused(visit, fault)
        raise
    if not visit.by_htmx and done == "reported":
        return await visit.page("tables/talk_reported.html", key=key)
    return await answered(visit, key, back=back, done=done)


@router.post("/tables/{key}/talk/who")
async def set_talk(visit: Visiting, key: str, talk_of: Annotated[str, Form(alias="talk")] = "") -> Response:
    """Who hears the seats talk from now on, or nobody says anything: the host's word."""
    visit.edge.limits.check("post", visit.who)
    held = await newest(visit, key)
    await talk.set_talk(visit.server, visit.known(), held.facts.id, talk=talk_of)
    return await answered(visit, key, back="table")
