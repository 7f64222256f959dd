"""Playing on from a moment: a page of its own whose address is all there is of it."""

import asyncio
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from app import games
from app.engine.look import Asked
from app.services import analysis, hotseat, tables
from app.services.analysis import Trial
from app.services.held import Held
from app.web.boards import board_page
from app.web.consequences import drawn_consequences
from app.web.deps import Visit, Visiting
from app.web.drawing import draw, draw_zone, draw_zones
from app.web.render import partials
from app.web.tables import newest
from app.web.views import asked_from, asked_in

router = APIRouter()
LONGEST = 30_000
BETWEEN = "~"

At = Annotated[int | None, Query(ge=0, le=1_000_000)]
Text = Annotated[str, Query(max_length=LONGEST)]
Word = Annotated[str, Query(max_length=40)]


class State(msgspec.Struct, frozen=True):
    """What the analysis' form sends with each move; ``turn``: ``mine``, ``other`` or ``over``."""

    at: int
    line: str
    others: str
    me: int | None
    turn: str
    moves: int


def line_of(text: str) -> tuple[str, ...]:
    """The moves of a line as an address writes them."""
    return tuple(text.split(BETWEEN)) if text else ()


def words_of(tried: Trial, shown: Asked) -> Asked:
    """All that the address of this line of moves says."""
    words = [("at", str(tried.at)), *shown]
    if tried.others:
        words += [("others", tried.others), ("me", str(tried.me))]
    if tried.line:  # it may be long
        words.append(("line", BETWEEN.join(tried.line)))
    return tuple(words)


def address(key: str, tried: Trial, shown: Asked) -> str:
    """Where this line of moves is."""
    return f"/tables/{key}/analysis?{urlencode(words_of(tried, shown), safe=':~')}"


def asked_by(visit: Visit, held: Held) -> int | None:
    """Whose knowledge counts: the seat of who asks."""
    return hotseat.viewer_seat(held, visit.me.id if visit.me else None)


async def tried_of(
    visit: Visit, held: Held, *, at: int | None, line: str, others: str, me: int | None, answer: bool = True
) -> Trial:
    """The line that was asked for, with the answers of the bots."""
    seat = asked_by(visit, held)
    tried = analysis.trial(held, seat, at=at, line=line_of(line), others=others, me=me)
    return await asyncio.to_thread(analysis.answered, held, seat, tried) if answer else tried


def zones_of(held: Held, tried: Trial, language: str, shown: Asked) -> dict[str, str]:
    """The zones of the board, and what the form must send."""
    look = analysis.look(held, tried, asked=words_of(tried, shown))
    zones = draw_zones(language, held.facts.slug, games.part(held.facts.slug, "board").zones(held.game, look))
    turn = "over" if look.over else "mine" if look.actions else "other"
    state = State(tried.at, BETWEEN.join(tried.line), tried.others, tried.me, turn, len(tried.line))
    zones["status"] = draw_zone(language, "tables/analysis_status.html", state)
    return zones


def bar_of(held: Held, tried: Trial, shown: Asked) -> dict[str, Any]:
    """What the bar under the board says."""
    return {
        "key": held.facts.key,
        "slug": held.facts.slug,
        "at": tried.at,
        "version": held.version,
        "over": held.facts.status == "over",
        "address": address(held.facts.key, tried, shown),
        "shown": shown,
        "tried": tried,
        "bots": tuple(games.bots(held.facts.slug))
        if held.facts.status == "over" and len(held.facts.seats) > 1
        else (),
    }


@router.get("/tables/{key}/analysis")
async def show_analysis(
    visit: Visiting,
    key: str,
    at: At = None,
    line: Text = "",
    others: Word = "",
    me: Annotated[int | None, Query(ge=0, le=20)] = None,
) -> Response:
    """A moment, and what one makes of it."""
    visit.edge.limits.check("analysis", visit.who)
    held = await newest(visit, key)
    tried = await tried_of(visit, held, at=at, line=line, others=others, me=me)
    shown = asked_in(held.facts.slug, visit.connection.url.query, visit.me)
    return await visit.page(
        "tables/analysis.html",
        **{**board_page(held, visit.me.id if visit.me else None), **bar_of(held, tried, shown)},
        zones=zones_of(held, tried, visit.language, shown),
        seat=tried.viewer,
    )


@router.post("/tables/{key}/analysis/act")
async def act(
    visit: Visiting,
    request: Request,
    key: str,
    action: Annotated[str, Form(max_length=200)],
    at: Annotated[int, Form(ge=0, le=1_000_000)],
    line: Annotated[str, Form(max_length=LONGEST)] = "",
    others: Annotated[str, Form(max_length=40)] = "",
    me: Annotated[int | None, Form(ge=0, le=20)] = None,
) -> Response:
    """One move more, or one less."""
    visit.edge.limits.check("analysis", visit.who)
    held = await newest(visit, key)
    request.state.slug = held.facts.slug
    seat = asked_by(visit, held)
    tried = await tried_of(visit, held, at=at, line=line, others=others, me=me, answer=False)
    if action in {tables.UNDO, tables.UNDO_TURN}:
        tried = analysis.taken_back(held, seat, tried, whole_turn=action == tables.UNDO_TURN)
    else:
        tried = await asyncio.to_thread(analysis.after, held, seat, tried, action)
    shown = asked_from(held.facts.slug, visit.connection, visit.me)
    if not visit.by_htmx:
        return visit.go(address(key, tried, shown))
    zones = zones_of(held, tried, visit.language, shown)
    bar = draw(visit.language, "tables/analysis_bar.html", **bar_of(held, tried, shown))
    return visit.part(partials(zones) + f'<hx-partial hx-target="#analysis" hx-swap="outerMorph">{bar}</hx-partial>')


@router.get("/tables/{key}/analysis/consequence")
async def consequence(
    visit: Visiting,
    key: str,
    action: Annotated[str, Query(max_length=200)],
    at: At = None,
    line: Text = "",
    others: Word = "",
    me: Annotated[int | None, Query(ge=0, le=20)] = None,
) -> Response:
    """What would come of every legal action that fits a pattern."""
    visit.edge.limits.check("consequence", visit.who)
    held = await newest(visit, key)
    tried = await tried_of(visit, held, at=at, line=line, others=others, me=me, answer=False)
    return visit.part(drawn_consequences(held, analysis.look(held, tried), action, visit.language))
