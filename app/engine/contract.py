"""The rules contract: what a game must answer, and the words it answers in.

A game is a pure value: no input or output, no clock, no chance but the :class:`~app.engine.rng.Rng`
it was given. Everything else — undo, replay, bots, recorded games, the leak test — is made from
these few questions by the rest of the engine.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from app.engine.rng import Chance, Rng

Options = Mapping[str, str]


class Action(msgspec.Struct, frozen=True, tag_field="kind"):
    """What a seat chose: a kind and a few scalars (``int`` or a lower-case word), see :mod:`notation`."""


class Event(msgspec.Struct, frozen=True, tag_field="kind"):
    """What happened: a fact, never a sentence. Sentences are made where they are read."""

    def seen_by(self, seat: int | None) -> Self | None:
        """The event as ``seat`` (``None``: a spectator) may know it; ``None`` when not at all."""
        return self


class Decision(msgspec.Struct, frozen=True):
    """Somebody must choose: who, what kind of choice, and in which turn (so that undo knows its bounds)."""

    seat: int
    kind: str
    turn: int


class Broken(msgspec.Struct, frozen=True):
    """Why an action is not legal: the complaint, the rule it breaks (``6.1.2``), and the facts in it."""

    complaint: str
    rule: str = ""
    facts: tuple[tuple[str, str | int], ...] = ()


class Option(msgspec.Struct, frozen=True):
    """A choice made when a table is opened. ``seats`` names the seat counts it applies to (empty: all)."""

    name: str
    choices: tuple[str, ...]
    default: str
    seats: tuple[int, ...] = ()


class Score(msgspec.Struct, frozen=True):
    """One seat's points: the parts add up to the total; rank 1 won, and ties share a rank.

    ``tie_break`` is compared, greater first, among equal totals; ``verdict`` is a word for games
    that are played alone and judged by a table.
    """

    seat: int
    total: int
    parts: tuple[tuple[str, int], ...]
    rank: int
    tie_break: tuple[int, ...] = ()
    verdict: str = ""


S = TypeVar("S", bound=msgspec.Struct)
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=msgspec.Struct)


class Step(msgspec.Struct, Generic[S], frozen=True):
    """What an action led to. ``reveals``: something hidden came to light, so it cannot be taken back."""

    state: S
    events: tuple[Event, ...] = ()
    reveals: bool = False


class Edition(msgspec.Struct, frozen=True):
    """What is in the box, as text: the name it goes by, the file it came from, and its content hash."""

    name: str
    file: str
    text: str
    digest: str


class Game(ABC, Generic[S, A, V]):
    """The rules of one game with one edition of its box.

    Subclasses are found by :func:`app.games.games`; an instance is immutable and shared.
    """

    slug: ClassVar[str]
    seats: ClassVar[range]
    revision: ClassVar[int]
    """Raised when an old log would now play differently."""
    options: ClassVar[tuple[Option, ...]] = ()
    open_scores: ClassVar[bool] = True
    """Whether everybody may know the points as they stand; ``False``: they rest on something hidden until the end."""
    longest: ClassVar[int]
    """No game takes more actions than this; the promise that every game ends."""
    state_type: ClassVar[type[msgspec.Struct]]
    view_type: ClassVar[type[msgspec.Struct]]
    action_types: ClassVar[tuple[type[Action], ...]]
    event_types: ClassVar[tuple[type[Event], ...]]
    box: Any
    """What is in the box, as the game read it from its edition."""

    def __init__(self, edition: Edition) -> None:
        """Reads the box. Raises :class:`~app.engine.editions.EditionRefused` with file, key and reason."""
        self.edition = edition

    @abstractmethod
    def setup(self, seats: int, options: Options, chance: Chance) -> S:
        """The first state. All options are present and valid; every shuffle goes through ``chance``."""

    @abstractmethod
    def decisions(self, state: S) -> tuple[Decision, ...]:
        """Who must choose now, at most one decision a seat. Empty: the game is over."""

    @abstractmethod
    def actions(self, state: S, seat: int) -> Sequence[A]:
        """Every legal action of a seat that must choose, each once, in a fixed order; else empty."""

    @abstractmethod
    def apply(self, state: S, seat: int, action: A) -> Step[S]:
        """The state after a legal action, with everything played out that nobody chooses."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """What ``seat`` knows (``None``: a spectator). Nothing else ever leaves the rules."""

    @abstractmethod
    def scores(self, state: S) -> tuple[Score, ...]:
        """Points by seat as they stand: the final ones once :meth:`decisions` is empty."""

    @abstractmethod
    def imagine(self, view: V, seat: int | None, rng: Rng) -> S:
        """A state that fits all that ``seat`` knows: ``view(imagine(v, s, rng), s) == v``."""

    def allows(self, state: S, seat: int, action: A) -> bool:
        """Whether ``action`` is legal; override when enumerating is silly."""
        return action in self.actions(state, seat)

    def why_not(self, state: S, seat: int, action: A) -> Broken | None:
        """Which rule ``action`` breaks; ``None`` when it is legal. Override to say it precisely."""
        return None if self.allows(state, seat, action) else Broken("not_legal")

    @classmethod
    def options_for(cls, seats: int, chosen: Mapping[str, str] | None = None) -> dict[str, str]:
        """All options for ``seats``, the unchosen by default. Raises ``OptionRefused`` for a bad one."""
        chosen = dict(chosen or {})
        full: dict[str, str] = {}
        for option in cls.options:
            if option.seats and seats not in option.seats:
                continue
            value = chosen.pop(option.name, option.default)
            if value not in option.choices:
                raise OptionRefused(option.name, value, option.choices)
            full[option.name] = value
        for name, value in chosen.items():
            raise OptionRefused(name, value, ())
        return full


AnyGame = Game[Any, Any, Any]


class OptionRefused(ValueError):
    """An option this game does not have at this number of seats, or a choice that it does not offer."""

    def __init__(self, name: str, value: str, choices: Iterable[str]) -> None:
        self.name, self.value, self.choices = name, value, tuple(choices)
        offered = f"choose one of {', '.join(self.choices)}" if self.choices else "no such option here"
        super().__init__(f"option {name}={value}: {offered}")


def ranked(scores: Iterable[Score]) -> tuple[Score, ...]:
    """The same scores with their ranks set: greater total first, then greater tie-break; equals share."""
    scores = tuple(scores)
    keys = [(score.total, score.tie_break) for score in scores]
    return tuple(
        msgspec.structs.replace(score, rank=1 + sum(other > key for other in keys))
        for score, key in zip(scores, keys, strict=True)
    )
