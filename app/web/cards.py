"""The facts that the pages around the tables show: lobby cards, a waiting room, forms. No sentences here."""

from typing import Literal

import msgspec

from app.engine.contract import Option

Errors = tuple[tuple[str, str], ...]
"""What is wrong with a form: ``(field, complaint)``; ``_complaints.html`` has a sentence for every complaint."""


class SeatCard(msgspec.Struct, frozen=True):
    """One seat of a table, as everybody may know it."""

    index: int
    """0…n-1; shown as its letter, shape and colour."""
    name: str = ""
    """Who sits here; empty with a bot (its kind is its name) and on a free seat."""
    bot: str = ""
    """The kind of bot that sits here (``random``, ``greedy``, a game's own); empty: none."""
    me: bool = False
    """Whether it is this viewer's."""
    host: bool = False
    """Whether the host of the table sits here."""
    now: bool = False
    """Whether this seat must choose now."""
    away: bool = False
    """Whether a person sits here who has no page of this table open. Never set for bots."""

    @property
    def free(self) -> bool:
        """Whether nobody sits here."""
        return not self.name and not self.bot


class TableCard(msgspec.Struct, frozen=True):
    """A table in a list of the lobby."""

    key: str
    """Its address: ``/tables/<key>``."""
    slug: str
    """Which game."""
    seats: tuple[SeatCard, ...]
    status: Literal["waiting", "playing", "over"] = "waiting"
    since: int = 0
    """Seconds: how long the turn has lasted, how long the table has been open, or how long the game has been over."""
    options: tuple[tuple[str, str], ...] = ()
    """What was chosen when the table was opened: ``(option, choice)``; the game's ``_words.html`` names both."""
    joinable: bool = False
    """Whether this viewer may sit down here now."""

    @property
    def my_turn(self) -> bool:
        """Whether this viewer must choose."""
        return any(seat.now and seat.me for seat in self.seats)

    @property
    def missing(self) -> int:
        """How many seats are free."""
        return sum(seat.free for seat in self.seats)


class Choosing(msgspec.Struct, frozen=True):
    """An option with all it offers at any number of seats; an empty tuple of seats means at all of them."""

    name: str
    default: str
    seats: tuple[int, ...]
    offered: tuple[tuple[str, tuple[int, ...]], ...]
    """Each choice with the numbers of seats at which it may be made."""


class GameCard(msgspec.Struct, frozen=True):
    """An installed game, as the form for a new table needs it."""

    slug: str
    seats: tuple[int, ...]
    """The numbers of seats it can be played with, rising; 1: alone."""
    options: tuple[Option, ...] = ()
    bots: tuple[str, ...] = ("random", "greedy")
    """The kinds of bots, weakest first."""

    @property
    def choices(self) -> tuple[Choosing, ...]:
        """The options, those of one name together: what one may choose can depend on the number of seats."""
        return tuple(
            _together([option for option in self.options if option.name == name])
            for name in dict.fromkeys(option.name for option in self.options)
        )


def _together(options: list[Option]) -> Choosing:
    seats: dict[str, tuple[int, ...]] = {}
    for option in options:
        for choice in option.choices:
            seats[choice] = (*seats.get(choice, ()), *option.seats)
    everywhere = tuple(sorted({number for option in options for number in option.seats}))
    return Choosing(
        name=options[0].name,
        default=options[0].default,
        seats=everywhere,
        offered=tuple((choice, () if at == everywhere else at) for choice, at in seats.items()),
    )


class NewTable(msgspec.Struct, frozen=True):
    """The form for a new table as it stands: what was chosen, and what was wrong with it."""

    game: str
    seats: int = 3
    bot: str = "greedy"
    visibility: Literal["public", "link"] = "public"
    options: tuple[tuple[str, str], ...] = ()
    """Chosen so far; an option that is missing stands at its default."""
    errors: Errors = ()
    """By field: ``game``, ``seats``, ``bot``, ``visibility``, ``option.<name>``; ``""`` for the whole form."""


class Room(msgspec.Struct, frozen=True):
    """A table before the start, as one viewer sees it."""

    key: str
    """The table's address: ``/tables/<key>``."""
    link: str
    """The whole address of this page, to be sent to friends."""
    slug: str
    seats: tuple[SeatCard, ...]
    host: str
    """The host's name."""
    options: tuple[tuple[str, str], ...] = ()
    public: bool = True
    """Whether the lobby shows it to everybody."""
    edition: str = "house"
    """The edition's name."""
    bots: tuple[str, ...] = ("random", "greedy")
    """The kinds of bots that may be seated, weakest first."""
    am_host: bool = False
    may_start: bool = False
    """Whether this viewer may start the game now."""
    seal: str = ""
    """The SHA-256 of the seed, when it is drawn already; empty: not shown."""

    @property
    def my_seat(self) -> int | None:
        """The viewer's seat."""
        return next((seat.index for seat in self.seats if seat.me), None)

    @property
    def missing(self) -> int:
        """How many seats are free."""
        return sum(seat.free for seat in self.seats)


class NameForm(msgspec.Struct, frozen=True):
    """The one field of a first visit, and where its giver wanted to go."""

    name: str = ""
    next: str = "/"
    """A path of ours, checked by the route."""
    complaint: str = ""


class Trouble(msgspec.Struct, frozen=True):
    """An answer that is not the page asked for."""

    status: int
    complaint: str = ""
    """A refusal by name (``TableFull`` as ``table_full``), when there is one to tell."""
    retry: int = 0
    """Seconds after which it is worth another try; 0: not known."""
    back: str = ""
    """Where the way goes on, beside the lobby: the table's page, for a refusal at a table."""
