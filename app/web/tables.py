"""A table's page, acting, and looking back."""

from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Form, Request
from starlette.responses import PlainTextResponse, Response

from app import games
from app.engine import notation
from app.engine.look import Asked
from app.services import clock, invitations, tables
from app.services.errors import NeedsPassword, NotStarted
from app.services.states import Held
from app.web import doors
from app.web.cards import RoomErrors
from app.web.clocks import exact
from app.web.deps import Visit, Visiting
from app.web.drawing import build, draw, draw_zone
from app.web.log import log_lines
from app.web.render import BOARD, GONE, ROOM, kind_of, partials, seat_cards
from app.web.views import asked_from, asked_in, query_of

router = APIRouter()
MOST_CONSEQUENCES = 120


class Sent(msgspec.Struct):
    """What a page sends up its socket."""

    action: str
    seat: int
    since: int = 0
    latest: int = 0
    id: str = ""


async def newest(visit: Visit, key: str) -> Held:
    """The table as stored now, for who may see it. Raises ``NeedsPassword``."""
    return doors.check(visit, await visit.server.states.newest(await visit.server.states.find_id(key)))


def link_of(visit: Visit, key: str) -> str:
    """The whole address of a table's page, to be sent to friends."""
    return str(visit.connection.url.replace(path=f"/tables/{key}", query="", fragment=""))


@router.get("/tables/{key}")
async def show(visit: Visiting, key: str, at: int | None = None) -> Response:
    """The waiting room, the board, or the board at an earlier moment (``?at=12``: after 12 entries)."""
    try:
        held = await newest(visit, key)
    except NeedsPassword:
        return await doors.ask(visit, await visit.server.states.newest(await visit.server.states.find_id(key)))
    facts = held.facts
    user_id = visit.me.id if visit.me else None
    kind, link = kind_of(held), link_of(visit, key)
    if kind == ROOM:
        return await show_room(visit, held)
    seat = facts.seat_of(user_id)
    asked = asked_in(facts.slug, visit.connection.url.query)
    past = at is not None and 0 <= at < held.version + (kind == GONE) and held.position is not None
    if kind == GONE and not past:
        moves = held.version if held.position is not None else 0
        return await visit.page("tables/cancelled.html", 410, key=key, ended=facts.ended, moves=moves)
    if past:
        zones = visit.edge.renderer.board_zones(
            held, seat, visit.language, at=at, user_id=user_id, link=link, asked=asked
        )
        if visit.by_htmx:
            return visit.part(moment(visit, held, zones, at, asked))
    else:
        zones = visit.edge.renderer.shown(held, user_id, visit.language, link=link, asked=asked).zones
    return await visit.page(
        "tables/table.html",
        key=key,
        slug=facts.slug,
        box=games.part(facts.slug, "board").box(held.game),
        zones=zones,
        seats=seat_cards(held, user_id),
        seat=seat,
        version=held.version,
        now=exact(clock.now()),
        changed=facts.changed,
        at=at if past else None,
        asked=query_of(asked),
        live=live_url(held, BOARD, asked),
    )


async def show_room(
    visit: Visit, held: Held, status: int = 200, *, errors: RoomErrors = (), typed: str = ""
) -> Response:
    """The waiting room; ``errors``: what was wrong with one of its forms."""
    me, link = visit.me, link_of(visit, held.facts.key)
    room = visit.edge.renderer.room(held, me.id if me else None, link=link, errors=errors, typed=typed)
    zones = visit.edge.renderer.draw_room(room, visit.language)
    sitting, asked = (each.user_id for each in held.facts.seats), (each.user_id for each in held.facts.asked)
    known = frozenset(number for number in (*sitting, *asked) if number is not None)
    companions = await invitations.list_companions(visit.server, me, but=known) if me and room.me else ()
    return await visit.page(
        "tables/waiting.html", status, room=room, zones=zones, companions=companions, live=live_url(held, ROOM)
    )


def moment(visit: Visit, held: Held, zones: dict[str, str], at: int | None, asked: Asked) -> str:
    """A page at an earlier moment goes on to another: its zones, and the bar that tells what happened."""
    bar = draw(
        visit.language,
        "tables/moment.html",
        key=held.facts.key,
        at=at,
        version=held.version,
        asked=query_of(asked),
        sentence=zones["action"],
    )
    rest = {name: html for name, html in zones.items() if name not in {"action", "after"}}
    return partials(rest) + f'<hx-partial hx-target="#moment" hx-swap="outerMorph">{bar}</hx-partial>'


def live_url(held: Held, kind: str, asked: Asked = ()) -> str:
    """Where the page's socket goes, what the page already shows, and which version of us drew it."""
    facts = held.facts
    url = f"/tables/{facts.key}/live?page={kind}&version={held.version}&changed={facts.changed}&build={build()}"
    return f"{url}&asked={quote(query_of(asked))}" if asked else url


async def zones_now(visit: Visit, key: str) -> Response:
    """All zones as they stand, for the answer to a POST."""
    held = await newest(visit, key)
    return zones_of(visit, held)


def zones_of(visit: Visit, held: Held) -> Response:
    """All zones of a table for a viewer, as htmx puts them in place."""
    user_id = visit.me.id if visit.me else None
    asked = asked_from(held.facts.slug, visit.connection)
    link = link_of(visit, held.facts.key)
    shown = visit.edge.renderer.shown(held, user_id, visit.language, link=link, asked=asked)
    response = visit.part(partials(shown.zones))
    response.headers["Semiramis-Version"] = f"{shown.version} {shown.changed}"
    return response


async def perform(visit: Visit, table_id: int, sent: Sent) -> Held:
    """An action or an undo, by whichever road it came."""
    me = visit.known()
    visit.edge.limits.check("move", visit.who)
    if sent.action in {tables.UNDO, tables.UNDO_TURN}:
        whole = sent.action == tables.UNDO_TURN
        return await tables.undo(visit.server, table_id, seat=sent.seat, latest=sent.latest, whole_turn=whole, me=me)
    return await tables.act(visit.server, table_id, seat=sent.seat, text=sent.action, since=sent.since, me=me)


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
    query = query_of(asked_from(held.facts.slug, visit.connection))
    return visit.go(f"/tables/{key}?{query}" if query else f"/tables/{key}")


@router.get("/tables/{key}/consequence")
async def consequence(visit: Visiting, key: str, action: str) -> Response:
    """What would come of every legal action that fits a pattern (``take:1:2:*:*``)."""
    visit.edge.limits.check("consequence", visit.who)
    held = doors.check(visit, await visit.server.states.get(await visit.server.states.find_id(key)))
    seat = held.facts.seat_of(visit.me.id if visit.me else None)
    look = tables.look(held, seat)
    board: Any = games.part(held.facts.slug, "board")
    template = f"games/{held.facts.slug}/consequence.html"
    drawn = []
    for legal in look.actions:
        text = notation.write(legal)
        if fits(action, text):
            model = board.consequence(held.game, look, legal)
            html = draw_zone(visit.language, template, model)
            drawn.append(f'<template data-action="{text}">{html}</template>')
        if len(drawn) >= MOST_CONSEQUENCES:
            break
    return visit.part("".join(drawn))


def fits(pattern: str, text: str) -> bool:
    """Whether an action's words are those of a pattern, ``*`` standing for any."""
    wanted, words = pattern.split(":"), text.split(":")
    return len(wanted) == len(words) and all(want in {"*", word} for want, word in zip(wanted, words, strict=True))


@router.get("/tables/{key}/log")
async def show_log(visit: Visiting, key: str, before: int | None = None) -> Response:
    """The log in the reader's language: a part for the drawer, a page of its own without script."""
    held = await newest(visit, key)
    if held.position is None:
        raise NotStarted
    seat = held.facts.seat_of(visit.me.id if visit.me else None)
    context = {
        "key": key,
        "slug": held.facts.slug,
        "box": games.part(held.facts.slug, "board").box(held.game),
        "version": held.version,
        "over": held.facts.status == "over",
        "seats": seat_cards(held, visit.me.id if visit.me else None),
        **log_lines(held, seat, before=before),
    }
    if visit.by_htmx:
        return visit.part(draw(visit.language, "tables/log_entries.html", **context))
    return await visit.page("tables/log.html", **context)


@router.get("/tables/{key}/game")
async def download(visit: Visiting, key: str) -> Response:
    """The game as a file, once it is over; admins may have it at any time."""
    held = await newest(visit, key)
    text = tables.written(held, me=visit.me)
    name = f"{held.facts.slug}-{key}.game"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})
