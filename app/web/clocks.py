"""The clocks of a table as its page shows them: deadlines from the server, counted down in the browser."""

from datetime import UTC, datetime

import msgspec

from app.services.held import Held
from app.services.quiet import read
from app.web.cards import SeatCard
from app.web.moments import offset


class ClockCard(msgspec.Struct, frozen=True):
    """One seat's clock. ``left``: seconds, as they stand still; ``deadline``: when it is up, if it runs
    (``2026-12-01T14:00:03.250Z``); ``until``: how long the seat is offered to a substitute; ``quiet``: from when to
    when it stands still every night, and on whose clocks."""

    seat: SeatCard
    left: int
    deadline: str = ""
    up: bool = False
    until: str = ""
    quiet: tuple[int, int, str] | None = None


class Clocks(msgspec.Struct, frozen=True):
    """All of them; ``live``: at one sitting."""

    cards: tuple[ClockCard, ...] = ()
    live: bool = False
    up: str = ""
    """What happens when time is up."""


def clocks_of(held: Held, seats: tuple[SeatCard, ...]) -> Clocks:
    """The clocks of a game that goes on; bots have none."""
    facts = held.facts
    if facts.status != "playing":
        return Clocks()
    cards = []
    for seat, clock in zip(seats, held.clocks(), strict=False):
        if seat.bot:
            continue
        quiet = None if facts.pace.live else read(facts.seats[seat.index].quiet)
        cards.append(
            ClockCard(
                seat=seat,
                left=int(clock.left.total_seconds()),
                deadline=exact(clock.deadline),
                up=clock.up,
                until=exact(clock.until),
                quiet=(quiet.begin, quiet.end, offset(quiet.zone)) if quiet else None,
            )
        )
    return Clocks(tuple(cards), facts.pace.live, facts.pace.up)


def exact(at: datetime | None) -> str:
    """A moment to the thousandth of a second, as a browser reads it."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z") if at else ""
