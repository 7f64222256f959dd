"""The waiting room's forms: sitting down and getting up, who may come, and what the host may do."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services import expiry, hosting, invitations, lobby, rematches
from app.services.accounts import Me
from app.services.errors import (
    AlreadyStarted,
    BadTable,
    HasDeclined,
    HasSeat,
    NeedsPassword,
    NoSuchPerson,
    Refusal,
    SeveralPeople,
    TooManyInvitations,
)
from app.web import doors
from app.web.accounts import named
from app.web.deps import Visit, Visiting
from app.web.errors import word
from app.web.render import ROOM, kind_of, partials
from app.web.tables import link_of, newest, show_room, zones_of

router = APIRouter()
Text = Annotated[str, Form()]
Number = Annotated[int, Form()]
ABOUT_THE_NAME = (HasDeclined, HasSeat, NoSuchPerson, SeveralPeople, TooManyInvitations)


async def _known_at(visit: Visit, key: str) -> tuple[Me, int]:
    """Who asks, and the number of the table."""
    visit.edge.limits.check("post", visit.who)
    return visit.known(), await visit.server.states.find_id(key)


async def answered(visit: Visit, key: str) -> Response:
    """The table after a change: its zones for htmx, the page for a plain form."""
    return zones_of(visit, await newest(visit, key)) if visit.by_htmx else visit.go(f"/tables/{key}")


async def refused(visit: Visit, key: str, *, field: str, fault: Refusal, typed: str) -> Response:
    """The waiting room with what was wrong with one of its forms."""
    held = await newest(visit, key)
    if kind_of(held) != ROOM:
        raise fault
    errors = ((field, word(type(fault)), tuple(fault.facts.items())),)
    if not visit.by_htmx:
        return await show_room(visit, held, 422, errors=errors, typed=typed)
    me = visit.known()
    room = visit.edge.renderer.room(held, me.id, link=link_of(visit, key), errors=errors, typed=typed)
    return visit.part(partials({"invite": visit.edge.renderer.draw_room(room, visit.language)["invite"]}), 422)


async def _sit(visit: Visit, key: str, *, seat: int | None, name: str) -> Response:
    visit.edge.limits.check("post", visit.who)
    naming = await named(visit, name)
    if naming.complaint:
        held = await newest(visit, key)
        if kind_of(held) != ROOM:
            raise AlreadyStarted
        return await show_room(visit, held, 422, errors=(("nickname", naming.complaint, ()),), typed=naming.written)
    me = visit.known()
    table_id = await visit.server.states.find_id(key)
    facts = (await visit.server.states.get(table_id)).facts
    try:
        await lobby.sit(visit.server, me, table_id, seat=seat, proof=doors.shown(visit, facts))
    except NeedsPassword:  # which may be another one by now than the one remembered
        facts = (await visit.server.states.newest(table_id)).facts
        await lobby.sit(visit.server, me, table_id, seat=seat, proof=doors.shown(visit, facts))
    return visit.go(f"/tables/{key}")


@router.post("/tables/{key}/join")
async def join(visit: Visiting, key: str, name: Text = "") -> Response:
    """Sits down on the first free seat."""
    return await _sit(visit, key, seat=None, name=name)


@router.post("/tables/{key}/seat")
async def seat(
    visit: Visiting, key: str, do: Text, seat: Number = -1, bot: Text = lobby.STAND_IN, name: Text = ""
) -> Response:
    """Whatever can be done with one seat before the start. Anybody: ``sit``, ``leave``, ``ready``, ``unready``;
    the host: ``bot``, ``remove``, ``left`` and ``right`` (change places), ``host`` (hand over), ``close``."""
    if do == "sit":
        return await _sit(visit, key, seat=seat if seat >= 0 else None, name=name)
    if do == "leave":
        return await leave(visit, key)
    me, table_id = await _known_at(visit, key)
    if do in {"ready", "unready"}:
        await lobby.set_ready(visit.server, me, table_id, ready=do == "ready")
    elif do == "bot":
        await hosting.seat_bot(visit.server, me, table_id, seat=seat, bot=bot)
    elif do == "remove":
        await hosting.clear_seat(visit.server, me, table_id, seat=seat)
    elif do in {"left", "right"}:
        await hosting.swap(visit.server, me, table_id, seat=seat, other=seat + (1 if do == "right" else -1))
    elif do == "host":
        await hosting.hand_over(visit.server, me, table_id, seat=seat)
    elif do == "close":
        await hosting.close_seat(visit.server, me, table_id, seat=seat)
    else:
        raise BadTable(field="do")
    return await answered(visit, key)


@router.post("/tables/{key}/table")
async def table(visit: Visiting, key: str, do: Text, bot: Text = lobby.STAND_IN) -> Response:
    """What is done with the table as a whole before the start. The host: ``fill`` (bots on all free seats),
    ``add`` (one more seat), ``auto`` and ``manual`` (start by itself or not); who sits there: ``keep`` (open),
    ``succeed`` (a host who is away)."""
    me, table_id = await _known_at(visit, key)
    if do == "fill":
        await hosting.fill(visit.server, me, table_id, bot=bot)
    elif do == "add":
        await hosting.add_seat(visit.server, me, table_id)
    elif do in {"auto", "manual"}:
        await hosting.set_auto_start(visit.server, me, table_id, auto_start=do == "auto")
    elif do == "keep":
        await expiry.keep(visit.server, me, table_id)
    elif do == "succeed":
        await hosting.succeed(visit.server, me, table_id)
    else:
        raise BadTable(field="do")
    return await answered(visit, key)


@router.post("/tables/{key}/leave")
async def leave(visit: Visiting, key: str) -> Response:
    """Gets up; in play a bot takes over."""
    me, table_id = await _known_at(visit, key)
    await lobby.leave(visit.server, me, table_id)
    return visit.go("/")


@router.post("/tables/{key}/visibility")
async def visibility(visit: Visiting, key: str, visibility: Text) -> Response:
    """Shows the table in the lobby, or not."""
    me, table_id = await _known_at(visit, key)
    await hosting.set_public(visit.server, me, table_id, public=visibility == "public")
    return await answered(visit, key)


@router.post("/tables/{key}/password")
async def password(visit: Visiting, key: str, password: Text = "") -> Response:
    """Lets in only who knows a word, or (empty) everybody."""
    me, table_id = await _known_at(visit, key)
    try:
        await hosting.set_password(visit.server, me, table_id, password=password)
    except BadTable as fault:
        return await refused(visit, key, field="password", fault=fault, typed="")
    return await answered(visit, key)


@router.post("/tables/{key}/invitations")
async def invite(visit: Visiting, key: str, name: Text = "", withdraw: Number = 0) -> Response:
    """Asks somebody by name, or asks somebody no more."""
    me, table_id = await _known_at(visit, key)
    try:
        if withdraw:
            await invitations.withdraw(visit.server, me, table_id, user_id=withdraw)
        else:
            await invitations.invite(visit.server, me, table_id, name=name)
    except ABOUT_THE_NAME as fault:
        return await refused(visit, key, field="name", fault=fault, typed=name[:100])
    return await answered(visit, key)


@router.post("/tables/{key}/decline")
async def decline(visit: Visiting, key: str) -> Response:
    """Says no to an invitation."""
    me, table_id = await _known_at(visit, key)
    await invitations.decline(visit.server, me, table_id)
    return visit.go("/")


@router.post("/tables/{key}/start")
async def start(visit: Visiting, key: str, seats: Number = 0) -> Response:
    """Begins the game; ``seats``: with so many, who are all who are here."""
    me, table_id = await _known_at(visit, key)
    if seats:
        await hosting.start_with(visit.server, me, table_id, seats=seats)
    else:
        await lobby.start(visit.server, me, table_id)
    return visit.go(f"/tables/{key}")


@router.post("/tables/{key}/rematch")
async def rematch(visit: Visiting, key: str) -> Response:
    """On to the next table with the same people."""
    me, table_id = await _known_at(visit, key)
    return visit.go(f"/tables/{await rematches.rematch(visit.server, me, table_id)}")
