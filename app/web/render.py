"""The zones of a table, drawn for one viewer."""

from collections import OrderedDict
from datetime import UTC, datetime
from hashlib import blake2b, sha256
from html import escape
from typing import Any

import msgspec

from app import games
from app.config import Settings
from app.engine.look import Asked
from app.services import clock, tables
from app.services.listing import expiry
from app.services.pace import NONE, Pace
from app.services.presence import is_away
from app.services.states import Held
from app.web.cards import AskedCard, Ending, Fate, Room, RoomErrors, SeatCard
from app.web.clocks import clocks_of
from app.web.drawing import draw_zone, draw_zones

KEPT = 4_000
GONE = "gone"
ROOM = "room"
BOARD = "board"
ROOM_ZONES = ("seats", "invite", "options", "start")


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
    offered: tuple[SeatCard, ...] = ()
    """The seats that others left, with the addresses for substitutes; told only to those who sit here."""


class Shown(msgspec.Struct, frozen=True):
    """All zones of a page as they stand at one version; ``kind``: waiting room or board."""

    kind: str
    version: int
    changed: int
    zones: dict[str, str]
    hashes: dict[str, bytes]


class Renderer:
    """Draws tables, remembering what it drew for all who see the same."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._shown: OrderedDict[tuple[Any, ...], Shown] = OrderedDict()

    def shown(self, held: Held, user_id: int | None, language: str, *, link: str = "", asked: Asked = ()) -> Shown:
        """The newest page of a table for a person, showing what it was asked to."""
        facts = held.facts
        seat = facts.seat_of(user_id)
        kind = kind_of(held)
        room = kind == ROOM
        viewer: object = (seat, facts.seat_left_by(user_id), link if any(each.offer for each in facts.seats) else "")
        if room:
            now = clock.now()
            viewer = (user_id, link, tuple(is_away(each, now) for each in facts.seats))
        key = (facts.id, held.version, facts.changed, facts.status, viewer, language, asked)
        found = self._shown.get(key)
        if found is None:
            zones = (
                {}
                if kind == GONE
                else self.room_zones(held, user_id, language, link=link)
                if room
                else self.board_zones(held, seat, language, user_id=user_id, link=link, asked=asked)
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
        user_id: int | None = None,
        link: str = "",
        asked: Asked = (),
    ) -> dict[str, str]:
        """The zones of the board, now or after ``at`` entries."""
        look = tables.look(held, seat, at=at, asked=asked)
        models = games.part(held.facts.slug, "board").zones(held.game, look)
        drawn = draw_zones(language, held.facts.slug, models)
        assert held.position is not None
        waiting = held.position.waiting
        facts = held.facts
        ended = facts.ended == "conceded" and not held.position.over
        turn = "over" if look.over or ended else "mine" if look.live and seat in waiting else "other"
        status = Status(
            seat=seat,
            since=waiting.get(seat, 0) if seat is not None else 0,
            latest=tables.latest_of(held.position, seat),
            turn=turn,
            version=held.version,
        )
        drawn["status"] = draw_zone(language, "tables/status.html", status)
        over = (look.over or (ended and at is None)) and look.live
        seated = seat is not None
        rematch = facts.rematch if seated or facts.rematch_public else None
        after = After(facts.key if over else "", over, seated, rematch)
        cards = seat_cards(held, user_id, link=link)
        offered = tuple(card for card in cards if card.offer) if seated else ()
        if ended and at is None:
            drawn["action"] = draw_zone(language, "tables/conceded.html", ending_of(held, cards))
        drawer = Drawer(
            key=facts.key,
            slug=facts.slug,
            options=tuple(facts.options.items()),
            pace=facts.pace,
            over=over,
            seated=seated,
            seal=seal(held),
            seed=facts.seed if over else "",
            offered=offered,
        )
        left = facts.seat_left_by(user_id) if facts.status == "playing" and not seated else None
        playing = facts.status == "playing"
        wishes = tuple(card for card in cards if playing and facts.seats[card.index].cancels)
        fate = Fate(facts.key, moment(expiry(self._settings, facts)), left, wishes, seated)
        drawn["clocks"] = draw_zone(language, "tables/clocks.html", clocks_of(held, cards))
        drawn["fate"] = draw_zone(language, "tables/fate.html", fate)
        drawn["drawer"] = draw_zone(language, "tables/drawer.html", drawer)
        drawn["after"] = draw_zone(language, "tables/after.html", after)
        return drawn

    def room_zones(self, held: Held, user_id: int | None, language: str, *, link: str) -> dict[str, str]:
        """The zones of the waiting room."""
        return self.draw_room(self.room(held, user_id, link=link), language)

    def room(self, held: Held, user_id: int | None, *, link: str, errors: RoomErrors = (), typed: str = "") -> Room:
        """A table before the start, as one viewer sees it."""
        expires_at = moment(expiry(self._settings, held.facts))
        return msgspec.structs.replace(
            room_of(held, user_id, link=link), expires_at=expires_at, errors=errors, typed=typed
        )

    def draw_room(self, room: Room, language: str) -> dict[str, str]:
        """Its zones."""
        return {name: draw_zone(language, f"tables/waiting/{name}.html", room) for name in ROOM_ZONES}


def kind_of(held: Held) -> str:
    """Whether a table's page is its waiting room, its board, or the sentence that it was closed."""
    if held.facts.status == "cancelled":
        return GONE
    return BOARD if held.position is not None and held.facts.status != "waiting" else ROOM


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
            bot=seat.bot,
            me=user_id is not None and seat.user_id == user_id,
            host=seat.user_id == facts.host_id,
            now=index in waiting and facts.status == "playing",
            away=is_away(seat, now),
            ready=seat.ready,
            left=seat.left if seat.bot else "",
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
    )


def moment(at: datetime | None) -> str:
    """A moment as a page's script understands it; to the minute."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ") if at else ""


def seal(held: Held) -> str:
    """The SHA-256 of the seed: shown from the first moment, so that nobody can stack the deck unseen."""
    return sha256(held.facts.seed.encode()).hexdigest()


def partials(zones: dict[str, str]) -> str:
    """Zones as one answer that htmx morphs into the page."""
    return "".join(
        f'<hx-partial hx-target="#zone-{escape(name)}" hx-swap="outerMorph">{html}</hx-partial>'
        for name, html in zones.items()
    )
