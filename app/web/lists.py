"""What the lobby lists, as zones: who asks me to come, my tables, and those that wait for anybody."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import blake2b
from typing import Any

import msgspec

from app import games
from app.i18n import LANGUAGES
from app.services import clock
from app.services.listing import Listed, Sought
from app.services.presence import is_away
from app.web.cards import SeatCard, TableCard
from app.web.drawing import draw

ZONES = ("welcome", "invited", "mine", "open")
MOST = 60
"""How many open tables one page shows."""


class Lists(msgspec.Struct, frozen=True):
    """The lists of one viewer at one moment. ``elsewhere``: how many open tables are not what is sought."""

    mine: tuple[TableCard, ...] = ()
    invited: tuple[TableCard, ...] = ()
    open: tuple[TableCard, ...] = ()
    elsewhere: int = 0
    sought: Sought = Sought()

    @property
    def context(self) -> dict[str, Any]:
        """As the templates know it."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def lists_for(
    user_id: int | None,
    *,
    mine: tuple[Listed, ...],
    invited: tuple[Listed, ...],
    opened: tuple[Listed, ...],
    sought: Sought,
) -> Lists:
    """The lists as cards; ``opened`` are all open tables, whoever sits there. Those come first at which somebody is
    here."""
    now = clock.now()
    there = tuple(table for table in opened if user_id is None or table.seat_of(user_id) is None)
    fitting = tuple(table for table in there if sought.fits(table))
    cards = [table_card(table, user_id, now) for table in fitting[:MOST]]
    return Lists(
        mine=tuple(table_card(table, user_id, now) for table in mine),
        invited=tuple(table_card(table, user_id, now) for table in invited),
        open=tuple(sorted(cards, key=lambda card: card.deserted)),
        elsewhere=len(there) - len(fitting),
        sought=sought,
    )


def table_card(table: Listed, user_id: int | None, now: datetime) -> TableCard:
    """A table as the lobby shows it."""
    mine = table.seat_of(user_id)
    began = table.turn_of(user_id) if user_id is not None else None
    since = began or min(table.since.values(), default=table.created_at)
    seats = tuple(
        SeatCard(
            index=index,
            name=seat.name,
            bot=seat.bot,
            me=mine is not None and seat.user_id == user_id,
            now=index in table.since,
            host=bool(seat.name) and seat.name == table.host,
            ready=seat.ready,
            away=is_away(seat, now),
        )
        for index, seat in enumerate(table.seats)
    )
    return TableCard(
        key=table.key,
        slug=table.slug,
        seats=seats,
        status="playing" if table.status == "playing" else "waiting",
        since=seconds(now, since),
        options=tuple(table.options.items()),
        joinable=table.status == "waiting" and table.missing > 0 and mine is None,
        locked=table.locked,
        languages=tuple(language for language in LANGUAGES if language in table.languages),
        expires=None if table.expires_at is None else seconds(table.expires_at, now),
        left=user_id is not None and mine is None and any(seat.left_id == user_id for seat in table.seats),
        by=table.by,
        pace=table.pace,
    )


def seconds(later: datetime, earlier: datetime) -> int:
    """How many seconds lie between."""
    return max(0, int((later - earlier).total_seconds()))


def zones_of(language: str, lists: Lists, *, me: object, here: int) -> dict[str, str]:
    """The zones as HTML, by name."""
    return {name: draw(language, f"lobby/{name}.html", me=me, here=here, **lists.context) for name in ZONES}


def hashes_of(zones: Mapping[str, str]) -> dict[str, bytes]:
    """By what it is known that a zone is shown already."""
    return {name: blake2b(html.encode(), digest_size=8).digest() for name, html in zones.items()}


def tag_of(zones: Mapping[str, str]) -> str:
    """By what it is known that all of them are."""
    return blake2b(b"".join(hashes_of(zones).values()), digest_size=10).hexdigest()


def sought_in(words: Mapping[str, Any]) -> Sought:
    """What a query string or a form seeks; what makes no sense does not matter."""
    game, seats, bots, language = (str(words.get(name, "")) for name in ("game", "seats", "bots", "language"))
    return Sought(
        game=game if game in games.games() else "",
        seats=int(seats) if seats in {str(number) for number in numbers()} else 0,
        bots=bots if bots in {"with", "without"} else "",
        language=language if language in LANGUAGES else "",
    )


def numbers() -> tuple[int, ...]:
    """The numbers of seats that several people can play with."""
    return tuple(sorted({count for rules in games.games().values() for count in rules.seats if count > 1}))
