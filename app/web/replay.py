"""Earlier moments of a table: one by one, turn by turn, and, once the game is over, from anybody's place."""

from typing import Any

import msgspec
from starlette.responses import Response

from app.services import hotseat
from app.services.held import Held
from app.services.visits import Missed
from app.web.boards import board_page
from app.web.deps import Visit
from app.web.drawing import draw
from app.web.recap import story
from app.web.render import partials, seal
from app.web.views import asked_in, query_of

NOBODY = "none"
"""How an address asks for the place of somebody who sits nowhere."""


class Mark(msgspec.Struct, frozen=True):
    """A turn on the track: the moment after it, and whose it was."""

    at: int
    seat: int


class Moment(msgspec.Struct, frozen=True):
    """The bar of an earlier moment; ``query``: what its links ask for besides the moment."""

    key: str
    at: int
    version: int
    over: bool
    query: str
    link: str
    present: str
    """Where the table is as it stands."""
    mine: bool
    """Whether it is the viewer's turn now."""


def track(held: Held) -> tuple[Mark, ...]:
    """One mark a turn that stands, in order."""
    assert held.position is not None
    marks: list[Mark] = []
    last: tuple[int, int] | None = None
    for item in held.position.played:
        turn = (item.turn, item.seat)
        if turn == last:
            marks[-1] = Mark(item.seq, item.seat)
        else:
            marks.append(Mark(item.seq, item.seat))
        last = turn
    return tuple(marks)


def place_of(held: Held, user_id: int | None, wish: str) -> tuple[int | None, str]:
    """From which seat a moment is seen, and how an address asks for that: one's own, or, when the game is over
    and nothing is hidden any more, any."""
    own = hotseat.viewer_seat(held, user_id)
    if held.facts.status != "over" or not wish:
        return own, ""
    if wish == NOBODY:
        return None, NOBODY
    if wish in {str(seat) for seat in range(len(held.facts.seats))}:
        return int(wish), wish
    return own, ""


def is_moment(held: Held, at: int | None, wish: str) -> bool:
    """Whether an address asks for a moment that is not simply how the table stands."""
    if at is None or at < 0 or held.position is None:
        return False
    last = held.facts.status == "cancelled" or (held.facts.status == "over" and wish != "")
    return at < held.version or (at == held.version and last)


async def show_moment(visit: Visit, held: Held, at: int, wish: str, *, missed: Missed | None = None) -> Response:
    """The board as it stood after ``at`` entries; for htmx only what differs. With what somebody ``missed`` it plays
    from there by itself, and lists what happened."""
    user_id = visit.me.id if visit.me else None
    seat, asked = place_of(held, user_id, wish)
    shown = asked_in(held.facts.slug, visit.connection.url.query, visit.me)
    path = f"/tables/{held.facts.key}"
    place = (("as", asked),) if asked else ()
    words = (("at", str(at)), *place, *shown)
    link = str(visit.connection.url.replace(path=path, query="", fragment=""))
    zones = visit.edge.renderer.board_zones(
        held, seat, visit.language, at=at, user_id=user_id, link=link, asked=words
    )
    query = "".join(f"&{name}={value}" for name, value in (*place, *shown))
    present = f"{path}?{query_of(shown)}" if shown else path
    mine = held.facts.status == "playing" and held.position is not None and seat in held.position.waiting
    link = f"{link}?at={at}{query}"
    moment = Moment(held.facts.key, at, held.version, held.facts.status == "over", query, link, present, mine)
    context: dict[str, Any] = {"moment": moment, "sentence": zones["action"]}
    if visit.by_htmx:
        bar = draw(visit.language, "tables/moment.html", **context)
        rest = {name: html for name, html in zones.items() if name not in {"fate", "action", "after", "clocks"}}
        return visit.part(partials(rest) + f'<hx-partial hx-target="#moment" hx-swap="outerMorph">{bar}</hx-partial>')
    if missed is not None:
        context |= {"missed": missed, "story": story(held, seat, missed.since)}
    return await visit.page(
        "tables/recap.html" if missed is not None else "tables/replay.html",
        **board_page(held, user_id),
        **context,
        zones=zones,
        seat=seat,
        shown=shown,
        track=track(held),
        seal=seal(held),
        seed=held.facts.seed if held.facts.status == "over" else "",
    )
