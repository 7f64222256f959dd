"""A table's socket: zones down, actions up, every one of them answered."""

import asyncio
import logging
from contextlib import suppress

import msgspec
from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from app.db.lost import LOST, reason
from app.engine import log
from app.services.errors import BadAction, LogParted, NotSaved, NotSure, NotYourSeat, Refusal, SignedOut
from app.services.held import Held
from app.web import doors, drawing
from app.web.deps import NeedName, TooFast, Visit, let_in, make_visit, sign_in_page
from app.web.errors import partial_refusal
from app.web.page import Message, Page, encoded
from app.web.protection import from_our_own_origin
from app.web.render import BOARD, GATE, ROOM
from app.web.tables import Sent, link_of, perform
from app.web.views import asked_in

router = APIRouter()
AGAIN = 1011
"""Closed by a fault of ours: the page connects again."""
BUSY = 1013
"""Closed because the database does not answer: the page connects again."""
GONE = (WebSocketDisconnect, RuntimeError)
SLOWER = 0.2
"""Seconds until the next frame is read from a page that sends nonsense, or faster than a person can."""
logger = logging.getLogger("app.web")


class Named(msgspec.Struct):
    """What is left of a frame that cannot be understood: to whom the answer goes."""

    id: str = ""


class Asking(msgspec.Struct):
    """A frame that asks for another view of the table: ``side=2``, as in the page's address."""

    asked: str


class Looking(msgspec.Struct):
    """A frame that says whether the page lies open before somebody, and the version they have touched."""

    looks: bool
    awake: int = -1


_sent = msgspec.json.Decoder(Sent, strict=False)
_asking = msgspec.json.Decoder(Asking)
_looking = msgspec.json.Decoder(Looking)
_named = msgspec.json.Decoder(Named)


@router.websocket("/tables/{key}/live")
async def live(
    socket: WebSocket,
    key: str,
    page: str = BOARD,
    version: int = -1,
    changed: int = -1,
    build: str = "",
    again: bool = False,
    asked: str = "",
) -> None:
    """Zones down, actions up. A page that comes ``again`` after its line was lost may have been drawn by another
    ``build`` of us: our zones may not fit it, so it loads anew. A page that comes first does not, or two versions
    side by side would send it back and forth."""
    edge = socket.app.state.edge
    if not from_our_own_origin(socket.headers, edge.server.settings.origins):
        await socket.close(1008)
        return
    try:
        visit = await let_in(await make_visit(socket))
        table_id = await edge.server.states.find_id(key)
        doors.check(visit, await edge.server.states.looked_up(table_id))
    except LogParted:
        pass  # the page is told to load anew, and says why
    except Refusal:
        await socket.close(1008)
        return
    except LOST:
        await socket.close(BUSY)
        return
    await socket.accept()
    if again and build not in {"", drawing.build()}:
        await socket.send_text(encoded(Message(0, 0, reload=True)))
        await socket.close(AGAIN)
        return
    user_id = visit.me.id if visit.me else None
    opened = Page(
        socket,
        table_id,
        kind=page if page in {ROOM, GATE} else BOARD,
        user_id=user_id,
        login=visit.me.login if visit.me else None,
        language=visit.language,
        link=page_link(visit, key),
        zone=visit.me.time_zone if visit.me else "",
    )
    opened.may_enter = lambda facts: doors.may(visit, facts)
    edge.hub.open(opened)
    tasks = [
        asyncio.create_task(first_then_feed(visit, opened, version, changed, asked)),
        asyncio.create_task(listen(visit, opened)),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        faults = [task.exception() for task in done]
    finally:
        edge.hub.close(opened)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for fault in faults:
        if fault is not None and not isinstance(fault, GONE):
            logger.error("a page of table %s: %r", table_id, fault, exc_info=fault)
    with suppress(*GONE):
        await socket.close(AGAIN)


def page_link(visit: Visit, key: str) -> str:
    """The address of the table's page, seen from its socket."""
    scheme = {"ws": "http", "wss": "https"}[visit.connection.url.scheme]
    return link_of(visit, key).replace(visit.connection.url.scheme, scheme, 1)


def page_path(visit: Visit) -> str:
    """The page that a socket belongs to."""
    return visit.connection.url.path.removesuffix("/live")


async def first_then_feed(visit: Visit, page: Page, version: int, changed: int, asked: str) -> None:
    """A page that shows the newest already is sent nothing at first; any other gets all zones."""
    with suppress(Refusal, *LOST):  # which the hub meets too, and knows what to do
        held = await visit.server.states.looked_up(page.table_id)
        page.asked = page.asked or asked_in(held.facts.slug, asked, visit.me)
        shown = page.drawn(visit.edge.renderer, held)
        if (shown.version, shown.changed) == (version, changed) and shown.kind == page.kind:
            page.has(shown)
    page.dirty.set()
    await visit.edge.hub.feed(page)


async def listen(visit: Visit, page: Page) -> None:
    """Takes actions until the page is gone; each is answered, together with what came of it."""
    while True:
        text = await heard(page.socket)
        try:
            sent = _sent.decode(text)
        except msgspec.DecodeError:
            if await turned(visit, page, text) or await looked(visit, page, text):
                continue
            with suppress(msgspec.DecodeError):
                await refuse(visit, page, BadAction(), ack=_named.decode(text).id)
            await asyncio.sleep(SLOWER)
            continue
        page.acting = True
        try:
            held = await visit.edge.hub.finish(perform(visit, page.table_id, sent))
        except TooFast as fault:
            await refuse(visit, page, fault, ack=sent.id)
            await asyncio.sleep(SLOWER)
        except NeedName:
            await refuse(visit, page, NotYourSeat(), ack=sent.id)
            await asyncio.sleep(SLOWER)
        except SignedOut as fault:
            await refuse(visit, page, fault, ack=sent.id, go=sign_in_page(page_path(visit), lost="move"))
            return
        except (Refusal, log.Refused) as fault:
            await refuse(visit, page, fault, ack=sent.id)
            if not isinstance(fault, NotSure):  # a question only: nothing was wrong with what it shows
                page.sent = {}  # whatever it shows, it is sent the newest
                page.dirty.set()
        except LOST as fault:
            logger.warning("an action at table %s: %s", page.table_id, reason(fault))
            await refuse(visit, page, NotSaved(), ack=sent.id)
        else:
            await page.send(page.drawn(visit.edge.renderer, held), ack=sent.id)
        finally:
            page.acting = False
        if page.ended:
            page.dirty.set()


async def turned(visit: Visit, page: Page, text: str) -> bool:
    """Whether a frame asked for another view; its answer are the zones that differ."""
    try:
        asking = _asking.decode(text)
    except msgspec.DecodeError:
        return False
    held = await unhurried(visit, page)
    if held:
        page.asked = asked_in(held.facts.slug, asking.asked, visit.me)
        page.dirty.set()
    return True


async def unhurried(visit: Visit, page: Page) -> Held | None:
    """The table as it is remembered; whoever asks too often waits for it."""
    try:
        visit.edge.limits.check("move", visit.who)
    except TooFast:
        await asyncio.sleep(SLOWER)
    return visit.server.states.known(page.table_id)


async def looked(visit: Visit, page: Page, text: str) -> bool:
    """Whether a frame said that the page lies open, or does no more."""
    try:
        looking = _looking.decode(text)
    except msgspec.DecodeError:
        return False
    held = await unhurried(visit, page)
    page.looks = looking.looks
    page.awake = max(page.awake, min(looking.awake, held.version if held else -1))
    visit.edge.hub.looks.note()
    return True


async def heard(socket: WebSocket) -> str:
    """The next frame; bytes say nothing."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", AGAIN))
    return message.get("text") or ""


async def refuse(visit: Visit, page: Page, fault: Exception, *, ack: str, go: str = "") -> None:
    """Says no to an action, with the reason; ``go``: where the page must go now."""
    held = visit.server.states.known(page.table_id)
    html = partial_refusal(visit.language, fault, slug=held.facts.slug if held else "")
    await page.socket.send_text(encoded(Message(0, 0, content=html, swap="none", ack=ack, refused=True, go=go)))
