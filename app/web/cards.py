"""The facts that the pages around the tables show: lobby cards, a waiting room, forms. No sentences here."""

from typing import Literal

import msgspec

from app.db.audit import Act
from app.engine.contract import Option
from app.services.pace import NONE, Pace
from app.web.forms import Field

Errors = tuple[tuple[str, str], ...]
"""What is wrong with a form: ``(field, complaint)``; ``_complaints.html`` has a sentence for every complaint."""

RoomErrors = tuple[tuple[str, str, tuple[tuple[str, str | int], ...]], ...]
"""The same with the facts of the complaint: ``(field, complaint, facts)``."""


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
    """Whether a person sits here who is not on our pages. Never set for bots."""
    ready: bool = False
    """Whether the person here would like to begin. Bots always would, and have no such mark."""
    left: str = ""
    """Who left this seat to the bot that sits here."""
    beside: bool = False
    """Whether somebody plays this seat on another's device."""
    offer: str = ""
    """The whole address under which a substitute may take this seat; told only to those who sit at the table."""
    person: int = 0
    """The number of who sits here, by which their figure is chosen."""

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
    locked: bool = False
    """Whether it lets in only who knows its password."""
    languages: tuple[str, ...] = ()
    """What the people read who sit here, in the order of our languages."""
    expires: int | None = None
    """Seconds until it will be closed, because nothing happens at it; ``None``: it will not."""
    left: bool = False
    """Whether this viewer left it to a bot and may come back."""
    by: str = ""
    """Who asks this viewer to come."""
    pace: Pace = NONE
    """How much time there is."""

    @property
    def my_turn(self) -> bool:
        """Whether this viewer must choose."""
        return any(seat.now and seat.me for seat in self.seats)

    @property
    def missing(self) -> int:
        """How many seats are free."""
        return sum(seat.free for seat in self.seats)

    @property
    def deserted(self) -> bool:
        """Whether none of the people who sit there is here."""
        return all(seat.away for seat in self.seats if seat.name)


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
    editions: tuple[str, ...] = ()
    """The editions that may be chosen, the usual one first."""
    defaults: tuple[tuple[str, str], ...] = ()
    """What this house begins with where the game would begin with something else."""

    @property
    def choices(self) -> tuple[Choosing, ...]:
        """The options, those of one name together: what one may choose can depend on the number of seats."""
        return tuple(
            _together([option for option in self.options if option.name == name], dict(self.defaults).get(name))
            for name in dict.fromkeys(option.name for option in self.options)
        )


def _together(options: list[Option], usual: str | None) -> Choosing:
    seats: dict[str, tuple[int, ...]] = {}
    for option in options:
        for choice in option.choices:
            seats[choice] = (*seats.get(choice, ()), *option.seats)
    everywhere = tuple(sorted({number for option in options for number in option.seats}))
    return Choosing(
        name=options[0].name,
        default=usual or options[0].default,
        seats=everywhere,
        offered=tuple((choice, () if at == everywhere else at) for choice, at in seats.items()),
    )


class NewTable(msgspec.Struct, frozen=True):
    """The form for a new table as it stands: what was chosen, and what was wrong with it."""

    game: str
    seats: int = 3
    bot: str = "greedy"
    visibility: Literal["public", "link"] = "public"
    password: str = ""
    edition: str = ""
    """Empty: the usual one."""
    pace: str = ""
    """``live``, ``hours``, ``days``, or nothing: no limit."""
    amount: str = ""
    """How much of it, as :mod:`app.services.pace` names it."""
    up: str = "bot"
    """What happens when time is up."""
    talk: str = "open"
    """Who hears the seats talk: ``open`` (everybody), ``seats``, or ``off``."""
    options: tuple[tuple[str, str], ...] = ()
    """Chosen so far; an option that is missing stands at its default."""
    name: str = ""
    """What somebody without a name would like to be called."""
    errors: Errors = ()
    """By field: ``game``, ``seats``, ``bot``, ``visibility``, ``talk``, ``password``, ``pace``, ``name``,
    ``option.<name>``; ``""``: the form."""

    @property
    def naming(self) -> Field:
        """The field for that name."""
        return Field(self.name, dict(self.errors).get("name", ""))


class QuickForm(msgspec.Struct, frozen=True):
    """The form for a game at once as it stands; ``game``: empty when none was chosen."""

    game: str = ""
    naming: Field = Field()


class AskedCard(msgspec.Struct, frozen=True):
    """Somebody who is asked to a table and does not sit there."""

    user_id: int
    name: str
    declined: bool = False


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
    pace: Pace = NONE
    """How much time there is."""
    edition: str = "house"
    """The edition's name."""
    bots: tuple[str, ...] = ("random", "greedy")
    """The kinds of bots that may be seated, weakest first."""
    am_host: bool = False
    may_start: bool = False
    """Whether this viewer may start the game now."""
    seal: str = ""
    """The SHA-256 of the seed, when it is drawn already; empty: not shown."""
    locked: bool = False
    """Whether it lets in only who knows its password."""
    auto_start: bool = False
    """Whether it begins by itself when all are ready."""
    asked: tuple[AskedCard, ...] = ()
    """Who is asked by name and does not sit here."""
    am_asked: bool = False
    """Whether this viewer is asked and has not said no."""
    errors: RoomErrors = ()
    """What was wrong with a form of this page; by field ``name`` (of somebody to invite), ``password`` or
    ``nickname`` (of who would sit down)."""
    typed: str = ""
    """What stood in the field ``name`` or ``nickname``."""
    numbers: tuple[int, ...] = ()
    """The numbers of seats the game can be played with."""
    expires_at: str = ""
    """When the table will be closed, because nothing happens at it (``2026-12-01T14:00Z``); empty: it will not."""
    acts: tuple[Act, ...] = ()
    """What admins did to it, the latest first."""

    @property
    def me(self) -> SeatCard | None:
        """The viewer's seat."""
        return min((seat for seat in self.seats if seat.me), key=lambda seat: seat.beside, default=None)

    @property
    def my_seat(self) -> int | None:
        """Its number."""
        return self.me.index if self.me else None

    @property
    def missing(self) -> int:
        """How many seats are free."""
        return sum(seat.free for seat in self.seats)

    @property
    def fewer(self) -> int:
        """With how many the host may start although seats are free; 0: not at all."""
        count = len(self.seats) - self.missing
        return count if self.am_host and self.missing and count > 1 and count in self.numbers else 0

    @property
    def unready(self) -> int:
        """How many people have not said yet that they are ready."""
        return sum(bool(seat.name) and not seat.ready and not seat.beside for seat in self.seats)

    @property
    def naming(self) -> Field:
        """The field for the name of who would sit down."""
        found = self.fault("nickname")
        return Field(self.typed, found[0]) if found else Field()

    def fault(self, field: str) -> tuple[str, dict[str, str | int]] | None:
        """What is wrong with a field: complaint and facts."""
        return next(((word, dict(facts)) for name, word, facts in self.errors if name == field), None)

    @property
    def hostless(self) -> bool:
        """Whether the host is away, so that another may take over."""
        return any(seat.host and seat.away for seat in self.seats)


class Fate(msgspec.Struct, frozen=True):
    """What a game's page says beside the game: that it will be closed or is paused, and to one who left it, that the
    seat is still theirs."""

    key: str
    expires_at: str = ""
    """As in :class:`Room`."""
    left: int | None = None
    """The seat that this viewer left and may take back."""
    paused: bool = False
    """Whether an admin has paused the game."""
    reason: str = ""
    """Why."""
    wishes: tuple[SeatCard, ...] = ()
    """Who would like to call the game off."""
    seated: bool = False

    @property
    def may_agree(self) -> bool:
        """Whether this viewer plays and has not agreed."""
        return self.seated and not any(seat.me for seat in self.wishes)


class Ending(msgspec.Struct, frozen=True):
    """How a game ended in which people gave up. ``me``: this viewer's seat; ``won``: it is the one that is left."""

    gone: tuple[SeatCard, ...]
    winner: SeatCard | None = None
    me: int | None = None

    @property
    def won(self) -> bool:
        """Whether this viewer is the one who is left."""
        return self.winner is not None and self.winner.me


class Offer(msgspec.Struct, frozen=True):
    """A seat that somebody left, offered to whoever opens this page."""

    key: str
    """Its address: ``/offers/<key>``."""
    slug: str
    seats: tuple[SeatCard, ...]
    seat: int
    """Which one is offered."""
    moves: int
    """How far the game is."""
    naming: Field = Field()
    """The field for the name of who would take it."""


class Door(msgspec.Struct, frozen=True):
    """A table that asks for its password. ``written``: what somebody wanted to say there."""

    key: str
    slug: str
    complaint: str = ""
    written: str = ""


class NameForm(msgspec.Struct, frozen=True):
    """The one field of a first visit, and where its giver wanted to go. ``person``: the number of who has a name."""

    name: str = ""
    next: str = "/"
    """A path of ours, checked by the route."""
    complaint: str = ""
    person: int = 0


class Trouble(msgspec.Struct, frozen=True):
    """An answer that is not the page asked for."""

    status: int
    complaint: str = ""
    """A refusal by name (``TableFull`` as ``table_full``), when there is one to tell."""
    retry: int = 0
    """Seconds after which it is worth another try; 0: not known."""
    back: str = ""
    """Where the way goes on, beside the lobby: the table's page, for a refusal at a table."""
    facts: tuple[tuple[str, str | int], ...] = ()
    """What the refusal tells besides."""
    id: str = ""
    """By which those who keep order find what went wrong."""
