"""What a table of The Hanging Gardens holds, what may be chosen there, and what can happen.

Columns, rows, levels and objective spaces count from 1 in actions and events (1: left, bottom); inside
the tuples of a state they count from 0 as everywhere. Places are ``(level, x)``: the first card lies on
``(1, 0)``, ``x`` grows to the right and may be negative (6.2).
"""

from typing import Literal

import msgspec

from app.engine.contract import Action, Event

Phase = Literal["automaton", "card", "enhance", "objective", "over"]
"""``automaton``: the one seat of a hard solo game turns the automaton's very first card (9.2)."""

AUTOMATON = 1
"""The seat number under which the automaton stands on ledges and objective spaces (9.1)."""


class Spot(msgspec.Struct, frozen=True, cache_hash=True):
    """A place of a garden with the card on it, and the tile on that card (empty: none)."""

    level: int
    x: int
    card: str
    tile: str = ""


class Player(msgspec.Struct, frozen=True, cache_hash=True):
    """What lies before one player; everything of it is public (5.1).

    ``garden`` is in the order in which cards were placed; ``gardeners`` are those still unused this
    round; ``objectives`` are the tiles completed, each with the number of its space from the left, from 1.
    """

    irrigation: str
    garden: tuple[Spot, ...]
    coins: int
    tools: int
    gardeners: int
    objectives: tuple[tuple[str, int], ...] = ()


class Automaton(msgspec.Struct, frozen=True):
    """The solo opponent: its cards to come (top first) and those used, gardeners left, objectives (9.1)."""

    deck: tuple[str, ...]
    used: tuple[str, ...]
    gardeners: int
    objectives: tuple[tuple[str, int], ...] = ()


class State(msgspec.Struct, frozen=True):
    """The whole table.

    ``market``: three columns of card ids, bottom first. ``ledges``: the seats whose gardeners stand under
    each column, in order of arrival. ``deck``: top first. ``piles``: the enhancements by rising cost, top
    first. ``objectives``: the tiles in play, left to right; ``spaces``: the seat on each of their spaces.
    ``holder``: who has the first-player marker. ``starter``: who began this round; ``turn``: turns already
    over in it. ``discards`` and ``discarded_tiles``: what the automaton took out of the game, in order.
    ``difficulty`` is empty unless solo.
    """

    players: tuple[Player, ...]
    market: tuple[tuple[str, ...], ...]
    ledges: tuple[tuple[int, ...], ...]
    deck: tuple[str, ...]
    piles: tuple[tuple[str, ...], ...]
    objectives: tuple[str, ...]
    spaces: tuple[tuple[int | None, ...], ...]
    holder: int
    round: int
    starter: int
    turn: int
    phase: Phase
    automaton: Automaton | None = None
    difficulty: str = ""
    discards: tuple[str, ...] = ()
    discarded_tiles: tuple[str, ...] = ()


class Pile(msgspec.Struct, frozen=True):
    """A pile of enhancements as everybody sees it: its top tile (empty: none is left) and how many are left."""

    cost: int
    top: str
    left: int


class AutomatonView(msgspec.Struct, frozen=True):
    """The automaton as everybody sees it; ``deck`` is the number of cards to come."""

    deck: int
    used: tuple[str, ...]
    gardeners: int
    objectives: tuple[tuple[str, int], ...]


class View(msgspec.Struct, frozen=True):
    """What every seat and every spectator knows (5.1): all but the order of deck, piles and automaton cards.

    The fields mean what those of :class:`State` mean; ``deck`` is a number, ``piles`` show their tops.
    """

    seat: int | None
    players: tuple[Player, ...]
    market: tuple[tuple[str, ...], ...]
    ledges: tuple[tuple[int, ...], ...]
    deck: int
    piles: tuple[Pile, ...]
    objectives: tuple[str, ...]
    spaces: tuple[tuple[int | None, ...], ...]
    holder: int
    round: int
    starter: int
    turn: int
    phase: Phase
    automaton: AutomatonView | None
    difficulty: str
    discards: tuple[str, ...]
    discarded_tiles: tuple[str, ...]


def active(table: State | View) -> int:
    """The seat whose turn it is (5.2); :data:`AUTOMATON` in the automaton's own turn. Meaningless when over."""
    sides = 2 if table.automaton is not None else len(table.players)
    return (table.starter + table.turn) % sides


# Actions


class Take(Action, frozen=True, tag="take"):
    """Takes the card of a column and row of the market and places it: phase A as one choice (5.3, 6.1, 6.2)."""

    column: int
    row: int
    level: int
    x: int


class Buy(Action, frozen=True, tag="buy"):
    """Buys the top tile of the pile of that cost for the empty card on that place (6.5)."""

    cost: int
    level: int
    x: int


class Pass(Action, frozen=True, tag="pass"):
    """Buys no enhancement this turn, though one could be bought (5.3)."""


class Complete(Action, frozen=True, tag="complete"):
    """Completes a royal objective on that free space (6.6); the turn is over."""

    tile: str
    space: int


class End(Action, frozen=True, tag="end"):
    """Completes no objective this turn, though one could be completed (5.3); the turn is over."""


class Draw(Action, frozen=True, tag="draw"):
    """Turns the automaton's first card when it begins the whole game (9.1, hard); afterwards it acts by itself."""


Choice = Take | Buy | Pass | Complete | End | Draw


# Events. ``seat`` is AUTOMATON in the solo game where the automaton did it.


class Took(Event, frozen=True, tag="took"):
    """A card went from the market into a garden; ``paid``: tools."""

    seat: int
    card: str
    column: int
    row: int
    paid: int
    level: int
    x: int


class Gained(Event, frozen=True, tag="gained"):
    """A bonus was resolved. ``bonus``: ``coin``, ``tool`` or ``crown``; ``source``: the card, tile or objective.

    ``amount`` is in coins or tools; a crown has 0 and is followed by :class:`MarkerMoved` if that changed hands.
    """

    seat: int
    bonus: str
    amount: int
    source: str


class MarkerMoved(Event, frozen=True, tag="marker"):
    """The first-player marker changed hands (6.7)."""

    giver: int
    taker: int


class Refilled(Event, frozen=True, tag="refilled"):
    """A new card came from the deck into the market."""

    column: int
    row: int
    card: str


class Bought(Event, frozen=True, tag="bought"):
    """A tile was bought and laid on a card; ``paid``: coins."""

    seat: int
    tile: str
    paid: int
    card: str
    level: int
    x: int


class TileRevealed(Event, frozen=True, tag="tile"):
    """The next tile of a pile is seen, or, when ``tile`` is empty, the pile has run out."""

    cost: int
    tile: str


class Completed(Event, frozen=True, tag="completed"):
    """An objective was completed. ``level``: on which (0: the automaton needs none); ``reduced``: by the marker.

    ``points`` and ``gift`` are what the space gives: VP at the end, and ``coin``, ``tool`` or ``none`` at once
    (the automaton gains neither).
    """

    seat: int
    tile: str
    space: int
    points: int
    gift: str
    level: int
    reduced: bool


class Declined(Event, frozen=True, tag="declined"):
    """A seat let an ``enhancement`` or an ``objective`` be that it could have had."""

    seat: int
    what: str


class TurnBegan(Event, frozen=True, tag="turn"):
    """It is a seat's turn. ``turn`` counts from 1 within the round."""

    seat: int
    round: int
    turn: int


class RoundBegan(Event, frozen=True, tag="round"):
    """All gardeners are back and the holder of the marker starts (7)."""

    round: int
    starter: int


class CardDrawn(Event, frozen=True, tag="drawn"):
    """The automaton turned over a card (9.2)."""

    card: str


class GardenerPlaced(Event, frozen=True, tag="placed"):
    """The automaton put a gardener under a column; ``choice``: 1 for its first choice, 2, 3 (9.2)."""

    column: int
    choice: int


class Discarded(Event, frozen=True, tag="discarded"):
    """Cards left a column and the game, from these rows (before anything slid down).

    ``why``: ``item`` (the lowest with it), ``position`` (there was none), ``flower`` (all of that colour;
    ``cards`` may be empty).
    """

    column: int
    cards: tuple[str, ...]
    rows: tuple[int, ...]
    why: str


class TileDiscarded(Event, frozen=True, tag="scrapped"):
    """The automaton threw away the top tile of a pile (9.2)."""

    cost: int
    tile: str


class NothingHappened(Event, frozen=True, tag="nothing"):
    """The automaton's bonus had no effect: ``marker``, ``objective`` or ``enhancement`` (9.2)."""

    bonus: str


class GameOver(Event, frozen=True, tag="over"):
    """The last turn is over; gardens are scored (8)."""
