"""The zones of a table, drawn for one viewer."""

from collections import OrderedDict
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from html import escape
from typing import Any

import msgspec

from app import games, metrics
from app.config import Settings
from app.engine.look import Asked
from app.services import clock, hotseat, tables
from app.services.club import Memory
from app.services.held import Held
from app.services.listing import Lasting, expiry
from app.services.pace import NONE, Pace
from app.services.presence import is_away
from app.web.cards import AskedCard, Ending, Fate, Room, RoomErrors, SeatCard
from app.web.clocks import clocks_of
from app.web.drawing import draw_zone, draw_zones
from app.web.remarks import Voices
from app.web.went import Went, went

KEPT = 1_500
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
    pace: Pace = NONE
    shared: bool = False
    """Whether somebody plays beside the viewer, on the same device."""
    offered: tuple[SeatCard, ...] = ()
    """The seats that others left, with the addresses for substitutes; told only to those who sit here."""


class Shown(msgspec.Struct, frozen=True):
    """All zones of a page as they stand at one version; ``kind``: waiting room or board."""

    kind: str
    version: int
    changed: int
    zones: dict[str, str]
    hashes: dict[str, int]
    """By which this process knows what it has sent; Python's own, kept with the text."""


class Renderer:
    """Draws tables, remembering what it drew for all who see the same."""

    def __init__(self, club: Memory | None = None) -> None:
        self._club = club
        self._settings = Settings(_env_file=None)  # type: ignore[call-arg]  # what is usual
        self._shown: OrderedDict[tuple[Any, ...], Shown] = OrderedDict()
        self._voices = Voices()

    @property
    def _lasting(self) -> Lasting:
        """How long tables last."""
        return self._club.latest if self._club else self._settings

    def shown(
        self, held: Held, user_id: int | None, language: str, *, link: str = "", asked: Asked = (), zone: str = ""
    ) -> Shown:
        """The newest page of a table for a person, showing what it was asked to; ``zone``: of their times."""
        shown = self._board(held, user_id, language, link=link, asked=asked)
        if shown.kind not in {ROOM, BOARD}:
            return shown
        html, digest = self._voices.zone(held.facts, user_id, language, zone=zone)
        return msgspec.structs.replace(
            shown, zones={**shown.zones, "talk": html}, hashes={**shown.hashes, "talk": digest}
        )

    def talk(self, held: Held, user_id: int | None, language: str, *, zone: str) -> str:
        """What is said there, as far as this person hears it."""
        return self._voices.zone(held.facts, user_id, language, zone=zone)[0]

    def _board(self, held: Held, user_id: int | None, language: str, *, link: str, asked: Asked) -> Shown:
        """All but the talk."""
        facts = held.facts
        seat = hotseat.viewer_seat(held, user_id)
        kind = kind_of(held, user_id)
        room = kind == ROOM
        undoer = hotseat.undoer(held, user_id, seat)
        offers = link if any(each.offer for each in facts.seats) else ""
        viewer: object = (seat, undoer, facts.seat_left_by(user_id), offers)
        if room:
            now = clock.now()
            viewer = (user_id, link, tuple(is_away(each, now) for each in facts.seats))
        elif kind == GATE:
            viewer = (user_id, kind)
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
                else self.board_zones(held, seat, language, user_id=user_id, undoer=undoer, link=link, asked=asked)
            )
            found = Shown(
                kind=kind,
                version=held.version,
                changed=facts.changed,
                zones=zones,
                hashes={name: hash(html) for name, html in zones.items()},
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
        user_id: int | None = None,
        undoer: int | None = None,
        link: str = "",
        asked: Asked = (),
    ) -> dict[str, str]:
        """The zones of the board, now or after ``at`` entries; ``undoer``: whose action may be taken back, if that is
        another seat."""
        with metrics.DRAW_SECONDS.labels(held.facts.slug).time():
            look = tables.look(held, seat, at=at, undoer=undoer, asked=asked)
            models = games.part(held.facts.slug, "board").zones(held.game, look)
            drawn = draw_zones(language, held.facts.slug, models)
        assert held.position is not None
        waiting = held.position.waiting
        facts = held.facts
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
        seated = facts.seat_of(user_id) is not None
        played = seated or facts.gave_up(user_id)
        rematch = facts.rematch if played or facts.rematch_public else None
        after = After(facts.key if over else "", over, played, rematch)
        cards = seat_cards(held, user_id, link=link)
        offered = tuple(card for card in cards if card.offer) if seated else ()
        ended = facts.status == "over"
        if facts.ended == "conceded" and over:
            drawn["action"] = draw_zone(language, "tables/conceded.html", ending_of(held, cards))
        drawer = Drawer(
            key=facts.key,
            slug=facts.slug,
            options=tuple(facts.options.items()),
            pace=facts.pace,
            over=ended,
            seated=seated,
            shared=len(hotseat.seats_of(facts, user_id)) > 1,
            seal=seal(held),
            seed=facts.seed if ended else "",
            offered=offered,
        )
        left = facts.seat_left_by(user_id) if facts.status == "playing" and not seated else None
        playing = facts.status == "playing"
        paused = facts.paused and look.live
        why = next((act.reason for act in reversed(facts.acts) if act.act == "pause"), "") if paused else ""
        wishes = tuple(card for card in cards if playing and facts.seats[card.index].cancels)
        fate = Fate(facts.key, moment(expiry(self._lasting, facts)), left, paused, why, wishes, seated)
        drawn["clocks"] = draw_zone(language, "tables/clocks.html", clocks_of(held, cards))
        drawn["fate"] = draw_zone(language, "tables/fate.html", fate)
        drawn["drawer"] = draw_zone(language, "tables/drawer.html", drawer)
        drawn["after"] = draw_zone(language, "tables/after.html", after)
        told = went(held, seal=seal(held)) if ended and over else Went()
        drawn["went"] = draw_zone(language, "tables/went.html", told)
        return drawn

    def room_zones(self, held: Held, user_id: int | None, language: str, *, link: str) -> dict[str, str]:
        """The zones of the waiting room."""
        return self.draw_room(self.room(held, user_id, link=link), language)

    def room(self, held: Held, user_id: int | None, *, link: str, errors: RoomErrors = (), typed: str = "") -> Room:
        """A table before the start, as one viewer sees it."""
        expires_at = moment(expiry(self._lasting, held.facts))
        return msgspec.structs.replace(
            room_of(held, user_id, link=link), expires_at=expires_at, errors=errors, typed=typed
        )

    def draw_room(self, room: Room, language: str) -> dict[str, str]:
        """Its zones."""
        return {name: draw_zone(language, f"tables/waiting/{name}.html", room) for name in ROOM_ZONES}


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
        undo=latest if tables.undo_fault(held.position, last) is None and not held.played_for(last) else 0,
    )


def seat_cards(held: Held, user_id: int | None, *, link: str = "") -> tuple[SeatCard, ...]:
    """The seats of a table as a viewer sees them; ``link``: the whole address of the table's page."""
    facts = held.facts
    waiting = held.position.waiting if held.position else {}
    seated = facts.seat_of(user_id) is not None
    origin = link.partition("/tables/")[0]
    up = {index for index, each in enumerate(held.clocks()) if each.up and each.until}
    now = clock.now()
    return tuple(
        SeatCard(
            index=index,
            name=seat.name,
            person=seat.user_id or 0,
            bot=seat.bot,
            me=user_id is not None and seat.user_id == user_id,
            host=index == facts.seat_of(facts.host_id),
            now=index in waiting and facts.status == "playing",
            away=is_away(seat, now),
            ready=seat.ready,
            left=seat.left if seat.bot else "",
            beside=seat.beside,
            offer=f"{origin}/offers/{seat.offer}"
            if seated and seat.offer and facts.status == "playing" and (seat.bot or index in up)
            else "",
        )
        for index, seat in enumerate(facts.seats)
    )


def ending_of(held: Held, cards: tuple[SeatCard, ...]) -> Ending:
    """How a game ended in which people gave up."""
    gone = tuple(card for card in cards if held.facts.seats[card.index].conceded_id is not None)
    left = [card for card in cards if card not in gone]
    me = next((card.index for card in cards if card.me), None)
    return Ending(gone, left[0] if len(left) == 1 else None, me)


def room_of(held: Held, user_id: int | None, *, link: str) -> Room:
    """A table before the start, as one viewer sees it."""
    facts = held.facts
    seats = seat_cards(held, user_id)
    am_host = user_id is not None and user_id == facts.host_id
    seated = {seat.user_id for seat in facts.seats}
    asked = tuple(
        AskedCard(each.user_id, each.name, each.declined) for each in facts.asked if each.user_id not in seated
    )
    return Room(
        key=facts.key,
        link=link,
        slug=facts.slug,
        seats=seats,
        host=next((seat.name for seat in seats if seat.host), ""),
        options=tuple(facts.options.items()),
        public=facts.public,
        pace=facts.pace,
        edition=facts.edition,
        bots=tuple(games.bots(facts.slug)),
        am_host=am_host,
        may_start=am_host and not any(seat.free for seat in seats),
        seal=seal(held),
        locked=facts.lock is not None,
        auto_start=facts.auto_start,
        asked=asked if user_id in seated else (),
        am_asked=any(each.user_id == user_id and not each.declined for each in asked),
        numbers=tuple(games.games()[facts.slug].seats),
        acts=tuple(reversed(facts.acts)),
    )


def moment(at: datetime | None) -> str:
    """A moment as a page's script understands it; to the minute."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ") if at else ""


def seal(held: Held) -> str:
    """The SHA-256 of the seed: shown from the first moment, so that nobody can stack the deck unseen."""
    return _sealed(held.facts.seed)


@lru_cache(KEPT)
def _sealed(seed: str) -> str:
    return sha256(seed.encode()).hexdigest()


def partials(zones: dict[str, str]) -> str:
    """Zones as one answer that htmx morphs into the page."""
    return "".join(
        f'<hx-partial hx-target="#zone-{escape(name)}" hx-swap="outerMorph">{html}</hx-partial>'
        for name, html in zones.items()
    )
