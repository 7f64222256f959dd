"""The lobby: its page, its lists (by socket, by asking, by plain links), and how one comes to a table from here."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response
from starlette.websockets import WebSocket

from app import games
from app.db.lost import LOST
from app.services import accounts, listing, lobby, pace, quick
from app.services.club import Club
from app.services.errors import BadTable, Refusal, TooManyTables
from app.services.lobby import Wish
from app.web.accounts import named
from app.web.cards import GameCard, NewTable, QuickForm
from app.web.deps import Visit, Visiting, let_in, make_visit
from app.web.errors import word
from app.web.forms import Field
from app.web.hall import Guest
from app.web.lists import Lists, lists_for, numbers, sought_in, tag_of, zones_of
from app.web.protection import from_our_own_origin
from app.web.render import partials
from app.web.sockets import AGAIN, BUSY, GONE, SLOWER, heard

router = APIRouter()
LONGEST = 400
PACES = tuple(
    (kind, tuple(found.items())) for kind, found in (("live", pace.LIVE), ("hours", pace.HOURS), ("days", pace.DAYS))
)


class Seeking(msgspec.Struct):
    """A frame that says what the page looks for from now on: ``game=babylon&seats=3``, as in its address."""

    sought: str


_seeking = msgspec.json.Decoder(Seeking)


def game_cards(club: Club) -> tuple[GameCard, ...]:
    """The games that may be played here."""
    return tuple(game_card(slug, club) for slug in games.games() if club.offers(slug))


def game_card(slug: str, club: Club) -> GameCard:
    """A game as it may be played here."""
    rules = games.games()[slug]
    return GameCard(
        slug=slug,
        seats=tuple(rules.seats),
        options=rules.options,
        bots=tuple(games.bots(slug)),
        editions=club.editions_of(slug),
        defaults=tuple(club.defaults.get(slug, {}).items()),
    )


async def lists(visit: Visit, words: Mapping[str, Any]) -> Lists:
    """What the lobby lists for who asks."""
    me, server = visit.me, visit.server
    return lists_for(
        me.id if me else None,
        mine=await listing.list_mine(server, me) if me else (),
        invited=await listing.list_invitations(server, me) if me else (),
        opened=await listing.list_open(server),
        sought=sought_in(words),
    )


async def page(
    visit: Visit, new: NewTable | None = None, status: int = 200, *, quick: QuickForm | None = None
) -> Response:
    """The whole page."""
    club = await visit.server.club.get()
    cards = game_cards(club)
    found = await lists(visit, visit.connection.query_params)
    here = await accounts.count_present(visit.server)
    zones = zones_of(visit.language, found, me=visit.me, here=here)
    query = found.sought.query
    return await visit.page(
        "lobby/lobby.html",
        status,
        path=visit.path if status == 200 else "/",
        **found.context,
        zones=zones,
        live=f"/lobby/live?shown={tag_of(zones)}{'&' if query else ''}{query}",
        games=cards,
        numbers=numbers(),
        new=new or fresh(cards, talk=club.talk),
        quick=quick or QuickForm(),
        paces=PACES,
    )


@router.get("/")
async def show_lobby(visit: Visiting) -> Response:
    """My tables, open tables, a new table."""
    return await page(visit)


@router.get("/lobby/lists")
async def show_lists(visit: Visiting) -> Response:
    """The lists anew; nothing when they are what the page shows already."""
    found = await lists(visit, visit.connection.query_params)
    here = await accounts.count_present(visit.server)
    zones = zones_of(visit.language, found, me=visit.me, here=here)
    tag = f'"{tag_of(zones)}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if visit.connection.headers.get("if-none-match", "").removeprefix("W/") == tag:
        return Response(status_code=304, headers=headers)
    response = visit.part(partials(zones))
    response.headers.update(headers)
    return response


@router.websocket("/lobby/live")
async def live(socket: WebSocket, shown: str = "") -> None:
    """The lists, whenever something in them changes."""
    edge = socket.app.state.edge
    if not from_our_own_origin(socket.headers, edge.server.settings.origins):
        await socket.close(1008)
        return
    try:
        visit = await let_in(await make_visit(socket))
    except Refusal:
        await socket.close(1008)
        return
    except LOST:
        await socket.close(BUSY)
        return
    await socket.accept()
    sought = sought_in(socket.query_params)
    guest = Guest(socket, visit.me, language=visit.language, sought=sought, shown=shown)
    edge.hall.open(guest)
    tasks = [asyncio.create_task(edge.hall.feed(guest)), asyncio.create_task(listen(guest))]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        faults = [task.exception() for task in done]
    finally:
        edge.hall.close(guest)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for fault in faults:
        if fault is not None and not isinstance(fault, GONE):
            raise fault
    with suppress(*GONE):
        await socket.close(AGAIN)


async def listen(guest: Guest) -> None:
    """Takes what the page looks for until it is gone."""
    while True:
        text = await heard(guest.socket)
        with suppress(msgspec.DecodeError, ValueError):
            guest.sought = sought_in(dict(parse_qsl(_seeking.decode(text).sought[:LONGEST])))
            guest.dirty.set()
        await asyncio.sleep(SLOWER)


def fresh(cards: tuple[GameCard, ...], *, talk: str = "open") -> NewTable:
    """The form with sensible defaults."""
    first = next((card for card in cards if card.slug == "hanging_gardens"), cards[0])
    return NewTable(game=first.slug, seats=2 if 2 in first.seats else first.seats[0], talk=talk)


@router.post("/tables")
async def open_table(visit: Visiting, request: Request) -> Response:
    """Opens a table; with ``do=bots`` the other seats are filled and the game begins."""
    form = await request.form()
    new = written(form)
    naming = await named_in(visit, form)
    if naming.complaint:
        return await again(visit, msgspec.structs.replace(new, name=naming.written), "name", naming.complaint)
    me = visit.known()
    agreed = pace.chosen(new.pace, new.amount, new.up) if new.seats != 1 else pace.NONE
    if agreed is None:
        return await again(visit, new, "pace", word(BadTable))
    wish = Wish(
        slug=new.game,
        seats=new.seats,
        options=dict(new.options),
        public=new.visibility == "public",
        bot=new.bot if form.get("do") == "bots" and new.seats > 1 else "",
        password=new.password,
        edition=new.edition,
        pace=agreed,
        talk=new.talk,
    )
    try:
        return visit.go(f"/tables/{await lobby.open_table(visit.server, me, wish)}")
    except BadTable as fault:
        return await again(visit, new, str(fault.facts["field"]), word(BadTable))
    except TooManyTables:
        return await again(visit, new, "", word(TooManyTables))


@router.post("/quick")
async def play_now(visit: Visiting, request: Request) -> Response:
    """To a table at once: ``do=people`` takes the first free seat that fits or opens a table that waits for others,
    ``do=bots`` begins against bots."""
    form = await request.form()
    sought = sought_in(form)
    naming = await named_in(visit, form)
    if naming.complaint:
        return await page(visit, status=422, quick=QuickForm(sought.game, naming))
    me = visit.known()
    slug = sought.game or fresh(game_cards(await visit.server.club.get())).game
    if form.get("do") != "bots":
        return visit.go(f"/tables/{await quick.quick(visit.server, me, sought)}")
    rules = games.games()[slug]
    seats = sought.seats if sought.seats in rules.seats else next(count for count in rules.seats if count > 1)
    wish = Wish(slug=slug, seats=seats, public=False, bot=lobby.STAND_IN)
    return visit.go(f"/tables/{await lobby.open_table(visit.server, me, wish)}")


async def named_in(visit: Visit, form: FormData) -> Field:
    """Who asks and has no name yet may give it in the same form: that field."""
    visit.edge.limits.check("post", visit.who)
    return await named(visit, str(form.get("name", "")))


async def again(visit: Visit, new: NewTable, field: str, complaint: str) -> Response:
    """The lobby with what was chosen, and what was wrong with it."""
    return await page(visit, msgspec.structs.replace(new, errors=((field, complaint),)), 422)


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
        edition=str(form.get("edition", ""))[:60],
        talk=str(form.get("talk", ""))[:20],
        bot=str(form.get("bot", "greedy"))[:20],
        visibility="link" if form.get("visibility") == "link" else "public",
        password=str(form.get("password", ""))[:1000],
        pace=str(form.get("pace", ""))[:20],
        amount=str(form.get(str(form.get("pace", "")), ""))[:20],
        up=str(form.get("up", "bot"))[:20],
        options=options,
    )
