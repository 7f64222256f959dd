"""The zones of a table, drawn for one viewer."""

from collections import OrderedDict
from hashlib import blake2b, sha256
from html import escape
from typing import Any

import msgspec

from app import games
from app.engine.look import Asked
from app.services import hotseat, tables
from app.services.states import Held
from app.web.cards import Room, SeatCard
from app.web.drawing import draw_zone, draw_zones

KEPT = 4_000
GONE = "gone"
ROOM = "room"
BOARD = "board"
GATE = "gate"
ROOM_ZONES = ("seats", "invite", "options", "shared", "start")


class Status(msgspec.Struct, frozen=True):
    """What the page's script and form need to know: ``turn`` is ``mine``, ``other`` or ``over``."""

    seat: int | None
    since: int
    latest: int
    turn: str
    version: int


class After(msgspec.Struct, frozen=True):
    """What may be done when the game is over; ``rematch``: the next table's address, once somebody opened it."""

    key: str
    over: bool
    seated: bool
    rematch: str | None


class Gate(msgspec.Struct, frozen=True):
    """Where a shared device is passed on: to whom, who had it ``before`` (empty: nobody), and what they may still
    take back (0: nothing)."""

    key: str
    seat: int
    name: str
    before: str
    undo: int


class Drawer(msgspec.Struct, frozen=True):
    """What stands under the log: what was agreed, the seal of the shuffle, and what one may do with the table."""

    key: str
    slug: str
    options: tuple[tuple[str, str], ...]
    over: bool
    seated: bool
    seal: str
    seed: str
    """What was sealed; empty until the game is over."""


class Shown(msgspec.Struct, frozen=True):
    """All zones of a page as they stand at one version; ``kind``: waiting room or board."""

    kind: str
    version: int
    changed: int
    zones: dict[str, str]
    hashes: dict[str, bytes]


class Renderer:
    """Draws tables, remembering what it drew for all who see the same."""

    def __init__(self) -> None:
        self._shown: OrderedDict[tuple[Any, ...], Shown] = OrderedDict()

    def shown(self, held: Held, user_id: int | None, language: str, *, link: str = "", asked: Asked = ()) -> Shown:
        """The newest page of a table for a person, showing what it was asked to."""
        facts = held.facts
        seat = hotseat.viewer_seat(held, user_id)
        kind = kind_of(held, user_id)
        room = kind == ROOM
        undoer = hotseat.undoer(held, user_id, seat)
        viewer: object = (user_id, link) if room else (user_id, kind) if kind == GATE else (seat, undoer)
        key = (facts.id, held.version, facts.changed, facts.status, viewer, language, asked)
        found = self._shown.get(key)
        if found is None:
            zones = (
                {}
                if kind == GONE
                else self.room_zones(held, user_id, language, link=link)
                if room
                else {"gate": draw_zone(language, "tables/gate_zone.html", gate_of(held, user_id))}
                if kind == GATE
                else self.board_zones(held, seat, language, undoer=undoer, asked=asked)
            )
            found = Shown(
                kind=kind,
                version=held.version,
                changed=facts.changed,
                zones=zones,
                hashes={name: blake2b(html.encode(), digest_size=8).digest() for name, html in zones.items()},
            )
            self._shown[key] = found
            if len(self._shown) > KEPT:
                self._shown.popitem(last=False)
        else:
            self._shown.move_to_end(key)
        return found

    def board_zones(
        self,
        held: Held,
        seat: int | None,
        language: str,
        *,
        at: int | None = None,
        undoer: int | None = None,
        asked: Asked = (),
    ) -> dict[str, str]:
        """The zones of the board, now or after ``at`` entries; ``undoer``: whose action may be taken back, if that is
        another seat."""
        look = tables.look(held, seat, at=at, undoer=undoer, asked=asked)
        models = games.part(held.facts.slug, "board").zones(held.game, look)
        drawn = draw_zones(language, held.facts.slug, models)
        assert held.position is not None
        waiting = held.position.waiting
        turn = "over" if look.over else "mine" if look.live and seat in waiting else "other"
        status = Status(
            seat=seat,
            since=waiting.get(seat, 0) if seat is not None else 0,
            latest=tables.latest_of(held.position, seat if undoer is None else undoer),
            turn=turn,
            version=held.version,
        )
        drawn["status"] = draw_zone(language, "tables/status.html", status)
        over = look.over and look.live
        after = After(held.facts.key if over else "", over, seat is not None, held.facts.rematch)
        ended = held.facts.status == "over"
        drawer = Drawer(
            key=held.facts.key,
            slug=held.facts.slug,
            options=tuple(held.facts.options.items()),
            over=ended,
            seated=seat is not None,
            seal=seal(held),
            seed=held.facts.seed if ended else "",
        )
        drawn["drawer"] = draw_zone(language, "tables/drawer.html", drawer)
        drawn["after"] = draw_zone(language, "tables/after.html", after)
        return drawn

    def room_zones(self, held: Held, user_id: int | None, language: str, *, link: str) -> dict[str, str]:
        """The zones of the waiting room."""
        model = room_of(held, user_id, link=link)
        return {name: draw_zone(language, f"tables/waiting/{name}.html", model) for name in ROOM_ZONES}


def kind_of(held: Held, user_id: int | None = None) -> str:
    """Whether a table's page is its waiting room, its board, the gate where a shared device is passed on, or the
    sentence that it was closed."""
    if held.facts.status == "cancelled":
        return GONE
    if held.position is None or held.facts.status == "waiting":
        return ROOM
    return BOARD if hotseat.gate(held, user_id) is None else GATE


def gate_of(held: Held, user_id: int | None) -> Gate:
    """The gate before what only one of those at a shared device may see."""
    seat = hotseat.gate(held, user_id)
    assert seat is not None, "there is no gate"
    assert held.position is not None
    last = hotseat.undoer(held, user_id, None)
    latest = tables.latest_of(held.position, last)
    return Gate(
        key=held.facts.key,
        seat=seat,
        name=held.facts.seats[seat].name,
        before=held.facts.seats[last].name if last is not None and last != seat else "",
        undo=latest if tables.undo_fault(held.position, last) is None else 0,
    )


def seat_cards(held: Held, user_id: int | None) -> tuple[SeatCard, ...]:
    """The seats of a table as a viewer sees them."""
    facts = held.facts
    waiting = held.position.waiting if held.position else {}
    return tuple(
        SeatCard(
            index=index,
            name=seat.name,
            bot=seat.bot,
            me=user_id is not None and seat.user_id == user_id,
            host=index == facts.seat_of(facts.host_id),
            now=index in waiting and facts.status == "playing",
        )
        for index, seat in enumerate(facts.seats)
    )


def room_of(held: Held, user_id: int | None, *, link: str) -> Room:
    """A table before the start, as one viewer sees it."""
    facts = held.facts
    seats = seat_cards(held, user_id)
    am_host = user_id is not None and user_id == facts.host_id
    return Room(
        key=facts.key,
        link=link,
        slug=facts.slug,
        seats=seats,
        host=next((seat.name for seat in seats if seat.host), ""),
        options=tuple(facts.options.items()),
        public=facts.public,
        edition=facts.edition,
        bots=tuple(games.bots(facts.slug)),
        am_host=am_host,
        may_start=am_host and not any(seat.free for seat in seats),
        seal=seal(held),
    )


def seal(held: Held) -> str:
    """The SHA-256 of the seed: shown from the first moment, so that nobody can stack the deck unseen."""
    return sha256(held.facts.seed.encode()).hexdigest()


def partials(zones: dict[str, str]) -> str:
    """Zones as one answer that htmx morphs into the page."""
    return "".join(
        f'<hx-partial hx-target="#zone-{escape(name)}" hx-swap="outerMorph">{html}</hx-partial>'
        for name, html in zones.items()
    )
