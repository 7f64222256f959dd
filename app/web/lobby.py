"""The lobby, opening a table, and the waiting room's buttons."""

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Form, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from app import games
from app.services import hotseat, lobby
from app.services.errors import BadTable, TooManyTables
from app.services.lobby import Listed, Wish
from app.web.accounts import introduced
from app.web.cards import GameCard, NewTable, SeatCard, TableCard
from app.web.deps import Visit, Visiting
from app.web.errors import word

router = APIRouter()


def game_cards() -> tuple[GameCard, ...]:
    """The installed games."""
    return tuple(
        GameCard(slug=slug, seats=tuple(rules.seats), options=rules.options, bots=tuple(games.bots(slug)))
        for slug, rules in games.games().items()
    )


def table_card(table: Listed, user_id: int | None) -> TableCard:
    """A table as the lobby shows it."""
    seats = tuple(
        SeatCard(
            index=index,
            name=seat.name,
            bot=seat.bot,
            me=user_id is not None and seat.user_id == user_id,
            now=index in table.waiting,
        )
        for index, seat in enumerate(table.seats)
    )
    return TableCard(
        key=table.key,
        slug=table.slug,
        seats=seats,
        status="playing" if table.status == "playing" else "waiting",
        since=int((datetime.now(UTC) - table.moved_at).total_seconds()),
        options=tuple(table.options.items()),
        joinable=table.status == "waiting"
        and any(seat.free for seat in seats)
        and not any(seat.me for seat in seats),
    )


async def lists(visit: Visit) -> dict[str, Any]:
    """My tables and the open ones."""
    me = visit.me
    mine = await lobby.list_mine(visit.server, me) if me else ()
    open_ones = await lobby.list_open(visit.server, me)
    user_id = me.id if me else None
    return {
        "mine": tuple(table_card(table, user_id) for table in mine),
        "open": tuple(table_card(table, user_id) for table in open_ones),
    }


@router.get("/")
async def show_lobby(visit: Visiting) -> Response:
    """My tables, open tables, a new table."""
    cards = game_cards()
    return await visit.page("lobby/lobby.html", **await lists(visit), games=cards, new=fresh(cards))


@router.get("/lobby/lists")
async def show_lists(visit: Visiting) -> Response:
    """The two lists anew; nothing when they are what the page shows already."""
    response = await visit.page("lobby/lists.html", **await lists(visit))
    tag = f'"{sha256(bytes(response.body)).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if visit.connection.headers.get("if-none-match", "").removeprefix("W/") == tag:
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return response


def fresh(cards: tuple[GameCard, ...]) -> NewTable:
    """The form with sensible defaults."""
    first = next((card for card in cards if card.slug == "hanging_gardens"), cards[0])
    return NewTable(game=first.slug, seats=2 if 2 in first.seats else first.seats[0])


@router.post("/tables")
async def open_table(visit: Visiting, request: Request) -> Response:
    """Opens a table; with ``do=bots`` the other seats are filled and the game begins."""
    form = await request.form()
    visit.edge.limits.check("post", visit.who)
    if visit.me is None and str(form.get("name", "")).strip():
        await introduced(visit, str(form["name"]))
    me = visit.known()
    new = written(form)
    try:
        key = await lobby.open_table(
            visit.server,
            me,
            Wish(
                slug=new.game,
                seats=new.seats,
                options=dict(new.options),
                public=new.visibility == "public",
                bot=new.bot if form.get("do") == "bots" and new.seats > 1 else "",
            ),
        )
    except BadTable as fault:
        return await again(visit, new, str(fault.facts["field"]), word(BadTable))
    except TooManyTables:
        return await again(visit, new, "", word(TooManyTables))
    return visit.go(f"/tables/{key}")


async def again(visit: Visit, new: NewTable, field: str, complaint: str) -> Response:
    """The lobby with what was chosen, and what was wrong with it."""
    new = msgspec.structs.replace(new, errors=((field, complaint),))
    return await visit.page("lobby/lobby.html", 422, **await lists(visit), games=game_cards(), new=new)


def written(form: FormData | Mapping[str, object]) -> NewTable:
    """The form as it was sent; what cannot be read becomes something that is refused. Options that the
    chosen number of seats does not have are dropped: the page shows them all."""
    slug = str(form.get("game", ""))[:60]
    seats = str(form.get("seats", ""))
    count = int(seats) if seats.isdecimal() and len(seats) < 4 else 0
    rules = games.games().get(slug)
    known = {option.name for option in rules.options if not option.seats or count in option.seats} if rules else set()
    options = tuple(
        (name, str(value)[:60])
        for key, value in form.items()
        if (name := str(key).removeprefix("option.")) != key and name in known
    )
    return NewTable(
        game=slug,
        seats=count,
        bot=str(form.get("bot", "greedy"))[:20],
        visibility="link" if form.get("visibility") == "link" else "public",
        options=options,
    )


async def _sit(visit: Visit, key: str, *, seat: int | None, name: str) -> Response:
    visit.edge.limits.check("post", visit.who)
    if visit.me is None and name.strip():
        await introduced(visit, name)
    me = visit.known()
    await lobby.sit(visit.server, me, await visit.server.states.find_id(key), seat=seat)
    return visit.go(f"/tables/{key}")


@router.post("/tables/{key}/join")
async def join(visit: Visiting, key: str, name: Annotated[str, Form()] = "") -> Response:
    """Sits down on the first free seat."""
    return await _sit(visit, key, seat=None, name=name)


@router.post("/tables/{key}/seat")
async def seat(
    visit: Visiting,
    key: str,
    do: Annotated[str, Form()],
    seat: Annotated[int, Form()] = -1,
    bot: Annotated[str, Form()] = lobby.STAND_IN,
    name: Annotated[str, Form()] = "",
) -> Response:
    """Whatever can be done with one seat before the start: ``do`` is ``sit``, ``leave``, ``bot`` or ``remove``."""
    if do == "sit":
        return await _sit(visit, key, seat=seat if seat >= 0 else None, name=name)
    if do == "leave":
        return await leave(visit, key)
    visit.edge.limits.check("post", visit.who)
    me = visit.known()
    table_id = await visit.server.states.find_id(key)
    if do == "bot":
        await lobby.seat_bot(visit.server, me, table_id, seat=seat, bot=bot)
    elif do == "remove":
        await lobby.clear_seat(visit.server, me, table_id, seat=seat)
    else:
        raise BadTable(field="do")
    return await answered(visit, key)


@router.post("/tables/{key}/leave")
async def leave(visit: Visiting, key: str) -> Response:
    """Gets up; in play a bot takes over."""
    visit.edge.limits.check("post", visit.who)
    await hotseat.leave(visit.server, visit.known(), await visit.server.states.find_id(key))
    return visit.go("/")


@router.post("/tables/{key}/visibility")
async def visibility(visit: Visiting, key: str, visibility: Annotated[str, Form()]) -> Response:
    """Shows the table in the lobby, or not."""
    visit.edge.limits.check("post", visit.who)
    table_id = await visit.server.states.find_id(key)
    await lobby.set_public(visit.server, visit.known(), table_id, public=visibility == "public")
    return await answered(visit, key)


@router.post("/tables/{key}/start")
async def start(visit: Visiting, key: str) -> Response:
    """Begins the game."""
    visit.edge.limits.check("post", visit.who)
    await lobby.start(visit.server, visit.known(), await visit.server.states.find_id(key))
    return visit.go(f"/tables/{key}")


@router.post("/tables/{key}/rematch")
async def rematch(visit: Visiting, key: str) -> Response:
    """On to the next table with the same people."""
    visit.edge.limits.check("post", visit.who)
    again_key = await lobby.rematch(visit.server, visit.known(), await visit.server.states.find_id(key))
    return visit.go(f"/tables/{again_key}")


async def answered(visit: Visit, key: str) -> Response:
    """The waiting room after a change: its zones for htmx, the page for a plain form."""
    from app.web.tables import zones_now

    if visit.by_htmx:
        return await zones_now(visit, key)
    return visit.go(f"/tables/{key}")
