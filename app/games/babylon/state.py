"""The table, what is chosen at it, what happens at it, and what each seat knows of it."""

from typing import Literal

import msgspec

from app.engine.contract import Action
from app.games.babylon.garden import Garden
from app.games.babylon.supply import Supply

NONE = "none"

Phase = Literal["remove", "mine", "build", "lay", "decorate", "over"]
"""What is to be chosen: clay to remove (5.6), a tile to mine (8), a place or the first decoration (9), how the
tile lies there (9.4), a further decoration (10); and when the game is over."""


class Player(msgspec.Struct, frozen=True):
    """What one seat has. ``stored`` is the tile in its slot, empty when there is none (11.3)."""

    flower: str
    garden: Garden
    singles: int
    stored: str


class Laying(msgspec.Struct, frozen=True):
    """A tile on its way: where and at which level it will lie."""

    tile: str
    x: int
    y: int
    level: int


class Open(msgspec.Struct, frozen=True, kw_only=True):
    """All that everybody sees of the table.

    ``turn`` counts every turn and every removal of clay; ``round`` is 0 until the clay is removed. ``seat`` is
    whose turn it is, ``first`` who begins every round (5.5). ``shown`` are the tokens turned over so far, the
    last one is in force (6.2). ``mined`` is the tile in hand, empty when there is none; ``doubles`` are the
    double pillars of the token (12.1). ``removed`` and ``discarded`` tiles have left the game.
    """

    phase: Phase
    turn: int
    round: int
    first: int
    seat: int
    shown: tuple[str, ...]
    supply: Supply
    players: tuple[Player, ...]
    mined: str
    doubles: int
    laying: Laying | None
    removed: tuple[str, ...]
    discarded: tuple[str, ...]

    @property
    def effect(self) -> str:
        """The kind of the token in force, ``none`` in round 1 (6.2)."""
        return self.shown[-1] if self.shown else NONE

    @property
    def hand(self) -> tuple[str, ...]:
        """The tiles that may still be placed in this turn: the mined one, the stored one (9.1)."""
        return tuple(tile for tile in (self.mined, self.players[self.seat].stored) if tile)


class State(Open, frozen=True, kw_only=True):
    """The whole table. ``quarry``: the stacks row by row from the north-west, each from the bottom up.

    ``tokens``: the face-down stack, next one first; the end token under it is not listed (5.4).
    """

    quarry: tuple[tuple[str, ...], ...]
    tokens: tuple[str, ...]

    @property
    def heights(self) -> tuple[int, ...]:
        """How high each stack is (8.2)."""
        return tuple([len(stack) for stack in self.quarry])

    @property
    def tops(self) -> tuple[str, ...]:
        """The uncovered tile of each stack, empty at the quarry bottom."""
        return tuple([stack[-1] if stack else "" for stack in self.quarry])


class Stack(msgspec.Struct, frozen=True):
    """A stack as everybody sees it: its height and its uncovered tile, empty at the quarry bottom."""

    height: int
    tile: str


class View(Open, frozen=True, kw_only=True):
    """What a seat knows: all but the covered tiles and the order of the tokens (14.1).

    ``viewer`` is the seat that looks, ``None`` for a spectator; ``tokens`` counts the face-down ones.
    """

    viewer: int | None
    quarry: tuple[Stack, ...]
    tokens: int

    @property
    def heights(self) -> tuple[int, ...]:
        """How high each stack is (8.2)."""
        return tuple([stack.height for stack in self.quarry])

    @property
    def tops(self) -> tuple[str, ...]:
        """The uncovered tile of each stack, empty at the quarry bottom."""
        return tuple([stack.tile for stack in self.quarry])


class Remove(Action, frozen=True, tag="remove"):
    """Removes the clay tile of the stack at ``(x, y)`` before the game (5.6)."""

    x: int
    y: int


class Mine(Action, frozen=True, tag="mine"):
    """Takes the uncovered tile of the stack at ``(x, y)`` (8)."""

    x: int
    y: int


class Place(Action, frozen=True, tag="place"):
    """Puts a tile of the hand on a place at a level; how it lies there is chosen next (9)."""

    tile: str
    x: int
    y: int
    level: int


class Lay(Action, frozen=True, tag="lay"):
    """Lays the tile: ``turned`` quarter turns clockwise, ``open`` the corner without support or ``none`` (9.5)."""

    turned: int
    open: str


class Statue(Action, frozen=True, tag="statue"):
    """Sets a statue (10.5). ``altered``: ``first`` when the effect alters the space, else ``none`` (12.2)."""

    x: int
    y: int
    altered: str


class Fountain(Action, frozen=True, tag="fountain"):
    """Sets a fountain (10.2); the first space is the western or northern one."""

    x: int
    y: int
    x2: int
    y2: int
    altered: str


class Bridge(Action, frozen=True, tag="bridge"):
    """Sets a bridge (10.4); the first end is the western or northern one."""

    x: int
    y: int
    x2: int
    y2: int
    altered: str


class Stairs(Action, frozen=True, tag="stairs"):
    """Sets stairs, foot first (10.3)."""

    x: int
    y: int
    x2: int
    y2: int
    altered: str


class End(Action, frozen=True, tag="end"):
    """Ends the turn and keeps this tile, or ``none`` (11)."""

    keep: str


Decorate = Statue | Fountain | Bridge | Stairs
Choice = Remove | Mine | Place | Lay | Statue | Fountain | Bridge | Stairs | End
DECORATE = (Statue, Fountain, Bridge, Stairs)
