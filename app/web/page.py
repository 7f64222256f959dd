"""A page of a table that lies open in this process: what it was asked to show, what it was sent, in which frames."""

import asyncio
from collections.abc import Callable

import msgspec
from starlette.websockets import WebSocket

from app.engine.look import Asked
from app.services.facts import TableFacts
from app.services.held import Held
from app.web import timing
from app.web.render import Renderer, Shown, partials


class Message(msgspec.Struct, omit_defaults=True):
    """One frame to a page. ``content`` is partials only, so ``swap`` goes with it as ``none``; ``go``: elsewhere."""

    version: int
    changed: int
    content: str = ""
    swap: str = ""
    reload: bool = False
    ack: str = ""
    refused: bool = False
    go: str = ""


def encoded(message: Message) -> str:
    """A frame as text."""
    return msgspec.json.encode(message).decode()


class Page:
    """One open page of a table: who looks, what it was asked to show, and what it has been sent. ``looks``: it says
    that it lies open before somebody; ``awake``: the version it showed when they last touched it."""

    def __init__(
        self,
        socket: WebSocket,
        table_id: int,
        *,
        kind: str,
        user_id: int | None,
        login: int | None,
        language: str,
        link: str,
        zone: str = "",
    ) -> None:
        self.socket = socket
        self.table_id = table_id
        self.kind = kind
        self.user_id = user_id
        self.login = login
        self.language = language
        self.link = link
        self.zone = zone
        self.may_enter: Callable[[TableFacts], bool] = lambda _: True
        self.asked: Asked = ()
        self.sent: dict[str, int] = {}
        self.dirty = asyncio.Event()
        self.ended = self.acting = self.called = False
        self.awaited: float | None = None
        self.looks = False
        self.awake = -1

    def drawn(self, renderer: Renderer, held: Held) -> Shown:
        """The table as this page shows it."""
        return renderer.shown(held, self.user_id, self.language, link=self.link, asked=self.asked, zone=self.zone)

    def has(self, shown: Shown) -> None:
        """The page already shows this."""
        self.sent = dict(shown.hashes)

    def hear(self, began: float | None) -> None:
        """Something is new; ``began``: when the click came that led to it."""
        self.awaited = self.awaited or began
        self.dirty.set()

    async def send(self, shown: Shown, *, ack: str = "") -> None:
        """Sends the zones that differ from what was sent before, in one frame; ``ack`` names what it answers."""
        began, self.awaited = self.awaited, None
        if shown.kind != self.kind:
            await self.socket.send_text(encoded(Message(shown.version, shown.changed, reload=True)))
            return
        news = {name: html for name, html in shown.zones.items() if self.sent.get(name) != shown.hashes[name]}
        if news or ack:
            self.sent = shown.hashes
            message = Message(shown.version, shown.changed, content=partials(news), swap="none", ack=ack)
            await self.socket.send_text(encoded(message))
            if began is not None:
                timing.clicks.note(began)
