"""What a board is drawn from: a view, whose eyes it is for, and what they may do now. No HTML here."""

from typing import Generic, TypeVar

import msgspec

from app.engine.contract import Action, Broken, Decision, Event, Score

Asked = tuple[tuple[str, str], ...]
"""What a page was asked to show: words of its address with their values."""

OTHERS = ("turns", "seats")
"""In which order a page may be asked to show the others: in turn order after mine, or always by their letters."""

V = TypeVar("V", bound=msgspec.Struct)
A = TypeVar("A", bound=Action)


class Sitter(msgspec.Struct, frozen=True):
    """Who sits on a seat, as everybody may know: a person's name, or a bot's with its kind."""

    name: str
    bot: str = ""


class Look(msgspec.Struct, Generic[V, A], frozen=True):
    """One viewer's look at one version of a table.

    ``actions`` are empty unless ``seat`` must choose now and may do so on this page (an earlier moment shows none).
    ``latest`` are the events of the newest entry as this viewer may know them, ``actor`` the seat that caused them,
    and ``earlier`` the events of the three entries before it. ``undo`` says why nothing can be taken back;
    ``None`` when it can, and ``undo_more`` when all of the turn is more than the latest action. ``scores`` are
    there when the game is over; ``gave_up``: whose do not count. ``asked`` is what the page's address asks the
    board to show.
    """

    view: V
    seat: int | None
    actions: tuple[A, ...]
    decisions: tuple[Decision, ...]
    sitters: tuple[Sitter, ...]
    latest: tuple[Event, ...] = ()
    earlier: tuple[Event, ...] = ()
    actor: int | None = None
    undo: Broken | None = Broken("nothing_to_undo")
    undo_more: bool = False
    scores: tuple[Score, ...] = ()
    gave_up: frozenset[int] = frozenset()
    live: bool = True
    asked: Asked = ()

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return not self.decisions

    @property
    def lead(self) -> int | None:
        """By how many points the winners lead before all others who did not give up; ``None``: nobody is left."""
        others = [score.total for score in self.scores if score.rank > 1 and score.seat not in self.gave_up]
        return next(score.total for score in self.scores if score.rank == 1) - max(others) if others else None

    @property
    def my_turn(self) -> bool:
        """Whether this viewer must choose."""
        return self.seat is not None and any(decision.seat == self.seat for decision in self.decisions)

    @property
    def undoing(self) -> str:
        """What can be taken back: the latest action (``able``), all of the turn as well (``all``), or why nothing."""
        return self.undo.complaint if self.undo is not None else "all" if self.undo_more else "able"

    def shown(self, name: str, default: str) -> str:
        """What the page was asked to show under this word."""
        return next((value for word, value in self.asked if word == name), default)

    def others(self, me: int, seats: int) -> tuple[int, ...]:
        """The seats besides mine, in the order that the page was asked for (:data:`OTHERS`)."""
        around = [(me + step) % seats for step in range(1, seats)]
        return tuple(sorted(around) if self.shown("others", OTHERS[0]) == "seats" else around)

    def address(self, **changes: str) -> str:
        """Where the same page is with other words, an empty one left out: ``?side=2``."""
        words = {**dict(self.asked), **changes}
        return "?" + "&".join(f"{name}={value}" for name, value in words.items() if value)
