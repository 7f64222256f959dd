"""A table's page, acting, and looking back."""

import secrets
from time import time
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Form, Query, Request
from starlette.responses import PlainTextResponse, Response

from app.engine.look import Asked
from app.live.arrivals import arrived
from app.services import hotseat, invitations, notices, tables
from app.services.errors import NeedsPassword, NoSuchMoment
from app.services.held import Held
from app.web import doors
from app.web.boards import board_page
from app.web.cards import RoomErrors
from app.web.consequences import drawn_consequences
from app.web.deps import Visit, Visiting
from app.web.drawing import build
from app.web.recap import meanwhile
from app.web.render import BOARD, GATE, GONE, ROOM, kind_of, partials
from app.web.replay import is_moment, show_moment
from app.web.views import asked_from, asked_in, query_of

router = APIRouter()
SURE = "sure:"
"""Before an action: yes, once more."""


class Sent(msgspec.Struct):
    """What a page sends up its socket."""

    action: str
    seat: int
    since: int = 0
    latest: int = 0
    id: str = ""


async def newest(visit: Visit, key: str) -> Held:
    """The table as stored now, for who may see it. Raises ``NeedsPassword``."""
    return doors.check(visit, await visit.server.states.looked_up(await visit.server.states.find_id(key)))


def link_of(visit: Visit, key: str) -> str:
    """The whole address of a table's page, to be sent to friends."""
    return str(visit.connection.url.replace(path=f"/tables/{key}", query="", fragment=""))


def zone_of(visit: Visit) -> str:
    """The time zone of who asks; empty: it is not known."""
    return visit.me.time_zone if visit.me else ""


def saying(visit: Visit) -> dict[str, Any]:
    """What the form for a remark needs: whether this person may say anything in this house, and the name under which
    the next remark is said once."""
    guest = visit.me is not None and visit.me.guest
    silent = guest and visit.club is not None and not visit.club.guests_talk
    return {"may_talk": not silent, "once": secrets.token_urlsafe(9)}


@router.get("/tables/{key}")
async def show(
    visit: Visiting,
    key: str,
    at: Annotated[int | None, Query(ge=0)] = None,
    seen_by: Annotated[str, Query(alias="as", max_length=9)] = "",
) -> Response:
    """The waiting room, the board, or the board at an earlier moment (``?at=12``: after 12 entries)."""
    try:
        held = await newest(visit, key)
    except NeedsPassword:
        return await doors.ask(visit, await visit.server.states.looked_up(await visit.server.states.find_id(key)))
    facts = held.facts
    user_id = visit.me.id if visit.me else None
    kind, link = kind_of(held, user_id), link_of(visit, key)
    if kind == ROOM:
        return await show_room(visit, held)
    if kind == GATE:
        zones = visit.edge.renderer.shown(held, user_id, visit.language).zones
        return await visit.page("tables/gate.html", slug=facts.slug, key=key, zones=zones, live=live_url(held, GATE))
    if at is not None and held.position is not None and at > held.version:
        raise NoSuchMoment
    if at is not None and is_moment(held, at, seen_by):
        return await show_moment(visit, held, at, seen_by)
    if kind == GONE:
        moves = held.version if held.position is not None else 0
        return await visit.page("tables/cancelled.html", 410, key=key, ended=facts.ended, moves=moves)
    missed = await meanwhile(visit, held)
    if missed is not None and at is None:
        return await show_moment(visit, held, missed.since, "", missed=missed)
    asked = asked_in(facts.slug, visit.connection.url.query, visit.me)
    shown = visit.edge.renderer.shown(held, user_id, visit.language, link=link, asked=asked, zone=zone_of(visit))
    return await visit.page(
        "tables/table.html",
        **board_page(held, user_id),
        zones=shown.zones,
        seat=hotseat.viewer_seat(held, user_id),
        live=live_url(held, BOARD, asked),
        **saying(visit),
        muted=await muted(visit, held),
    )


async def muted(visit: Visit, held: Held) -> bool | None:
    """Whether somebody who plays here is told nothing of this table; of others it is not asked."""
    me = visit.me
    if me is None or held.facts.status != "playing" or held.facts.seat_of(me.id) is None:
        return None
    return await notices.is_muted(visit.server, me, held.facts.id)


async def show_room(
    visit: Visit, held: Held, status: int = 200, *, errors: RoomErrors = (), typed: str = ""
) -> Response:
    """The waiting room; ``errors``: what was wrong with one of its forms."""
    me, link = visit.me, link_of(visit, held.facts.key)
    room = visit.edge.renderer.room(held, me.id if me else None, link=link, errors=errors, typed=typed)
    said = visit.edge.renderer.talk(held, me.id if me else None, visit.language, zone=zone_of(visit))
    zones = {**visit.edge.renderer.draw_room(room, visit.language), "talk": said}
    sitting, asked = (each.user_id for each in held.facts.seats), (each.user_id for each in held.facts.asked)
    known = frozenset(number for number in (*sitting, *asked) if number is not None)
    companions = await invitations.list_companions(visit.server, me, but=known) if me and room.me else ()
    return await visit.page(
        "tables/waiting.html",
        status,
        path=f"/tables/{room.key}",
        room=room,
        zones=zones,
        companions=companions,
        live=live_url(held, ROOM),
        **saying(visit),
    )


def live_url(held: Held, kind: str, asked: Asked = ()) -> str:
    """Where the page's socket goes, what the page already shows, and which version of us drew it."""
    facts = held.facts
    url = f"/tables/{facts.key}/live?page={kind}&version={held.version}&changed={facts.changed}&build={build()}"
    return f"{url}&asked={quote(query_of(asked))}" if asked else url


async def zones_now(visit: Visit, key: str) -> Response:
    """All zones as they stand, for the answer to a POST."""
    held = await newest(visit, key)
    return zones_of(visit, held)


def zones_of(visit: Visit, held: Held, *, more: str = "") -> Response:
    """All zones of a table for a viewer, and what else there is to say, as htmx puts them in place."""
    user_id = visit.me.id if visit.me else None
    asked = asked_from(held.facts.slug, visit.connection, visit.me)
    link = link_of(visit, held.facts.key)
    shown = visit.edge.renderer.shown(held, user_id, visit.language, link=link, asked=asked, zone=zone_of(visit))
    response = visit.part("" if shown.kind == GATE else partials(shown.zones) + more)
    if shown.kind == GATE:
        response.headers["HX-Refresh"] = "true"
    response.headers["Semiramis-Version"] = f"{shown.version} {shown.changed}"
    return response


async def perform(visit: Visit, table_id: int, sent: Sent) -> Held:
    """An action or an undo, by whichever road it came."""
    arrived.set(time())
    me = visit.known()
    visit.edge.limits.check("move", visit.who)
    if sent.action in {tables.UNDO, tables.UNDO_TURN}:
        whole = sent.action == tables.UNDO_TURN
        seat = hotseat.undoer(await visit.server.states.newest(table_id), me.id, sent.seat)
        seat = sent.seat if seat is None else seat
        return await tables.undo(visit.server, table_id, seat=seat, latest=sent.latest, whole_turn=whole, me=me)
    text = sent.action.removeprefix(SURE)
    return await tables.act(
        visit.server, table_id, seat=sent.seat, text=text, since=sent.since, me=me, sure=text != sent.action
    )


@router.post("/tables/{key}/act")
async def act(
    visit: Visiting,
    request: Request,
    key: str,
    action: Annotated[str, Form()],
    seat: Annotated[int, Form()],
    since: Annotated[int, Form()] = 0,
    latest: Annotated[int, Form()] = 0,
) -> Response:
    """The road that always works: a form."""
    table_id = await visit.server.states.find_id(key)
    held = visit.server.states.known(table_id) or await visit.server.states.newest(table_id)
    request.state.slug = held.facts.slug
    held = await perform(visit, table_id, Sent(action, seat, since, latest))
    if visit.by_htmx:
        return zones_of(visit, held)
    query = query_of(asked_from(held.facts.slug, visit.connection, visit.me))
    return visit.go(f"/tables/{key}?{query}" if query else f"/tables/{key}")


@router.get("/tables/{key}/consequence")
async def consequence(visit: Visiting, key: str, action: str, seat: int = -1, since: int = -1) -> Response:
    """What would come of every legal action that fits a pattern (``take:1:2:*:*``), at the decision that the page
    shows: another process may serve that page, and this one have heard nothing of it."""
    visit.edge.limits.check("consequence", visit.who)
    table_id = await visit.server.states.find_id(key)
    held = await visit.server.states.get(table_id)
    if held.position is None or held.position.waiting.get(seat) != since:
        held = await visit.server.states.newest(table_id)
    doors.check(visit, held)
    mine = hotseat.viewer_seat(held, visit.me.id if visit.me else None)
    return visit.part(drawn_consequences(held, tables.look(held, mine), action, visit.language))


@router.get("/tables/{key}/game")
async def download(visit: Visiting, key: str) -> Response:
    """The game as a file, once it is over."""
    held = await newest(visit, key)
    text = tables.written(held)
    name = f"{held.facts.slug}-{key}.game"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})
