"""What is in the box: the types of an edition's file (see :mod:`box` for the things by their ids)."""

from typing import Literal

import msgspec

from app.games.hanging_gardens.garden import bit

Colour = Literal["red", "yellow", "blue"]
Slot = Literal["empty", "animal", "tree", "visitor"]
Bonus = Literal["none", "crown", "coin", "tool"]
Gift = Literal["none", "coin", "tool"]
Column = Literal["left", "middle", "right"]
Status = Literal["stated", "published", "inferred", "proposed", "mixed"]
Item = Literal[
    "animals",
    "trees",
    "visitors",
    "irrigation",
    "crowns",
    "coins",
    "tools",
    "red_flowers",
    "yellow_flowers",
    "blue_flowers",
]
Liked = Item | Literal["objectives", "enhancements", "flower_set", "trio_set"]

COLOURS: tuple[Colour, ...] = ("red", "yellow", "blue")
COLUMNS: tuple[Column, ...] = ("left", "middle", "right")
ITEMS: tuple[Item, ...] = (
    "animals",
    "trees",
    "visitors",
    "irrigation",
    "crowns",
    "coins",
    "tools",
    "red_flowers",
    "yellow_flowers",
    "blue_flowers",
)
"""What objectives and visitors count (2); a ``Face`` counts them in this order."""


class Stated(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the edition's file, with where its values come from (12).

    ``proposed_fields`` names what is ours in a mixed table; ``known`` says so value by value.
    """

    status: Status
    proposed_fields: tuple[str, ...] = ()
    known: tuple[bool, ...] = ()
    source: str = ""


class Counts(Stated, frozen=True):
    """How many of everything are in the box (3.1)."""

    garden_cards: int
    irrigation_cards: int
    automaton_cards: int
    objective_tiles: int
    enhancement_tiles: int
    mini_boards: int
    gardeners: int
    objective_markers: int
    gold_coins: int
    tools: int


class Setup(Stated, frozen=True):
    """Rounds, and what each player begins with (4). ``objectives``: tiles in play, and markers of each player."""

    rounds: int
    gardeners: int
    coins: int
    tools: int
    last_player_extra_tools: int
    objectives: int


class Board(Stated, frozen=True):
    """Tools to pay for each row of the market, bottom row first (3.9)."""

    tool_cost: tuple[int, ...]


class MiniBoard(Stated, frozen=True):
    """Places for gardeners under the three columns, by number of players (3.9)."""

    spaces: dict[str, tuple[int, ...]]


class Values(Stated, frozen=True):
    """A row of VP: by matches (irrigation), by level (animals) or by size of the group (trees)."""

    vp: tuple[int, ...]


class FlowerValue(Stated, frozen=True):
    """VP for each flower of the largest group (8)."""

    vp: int


class ScoringTables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of 3.5, 3.6 and 3.7."""

    irrigation: Values
    flowers: FlowerValue
    animals: dict[str, Values]
    trees: dict[str, Values]


class Visitor(Stated, frozen=True):
    """A kind of visitor: VP for each of what it likes (3.8)."""

    kind: Liked
    vp: int


class Objective(Stated, frozen=True):
    """A royal objective: so many of one item on one level (3.4)."""

    id: str
    item: Item
    count: int
    small_gift: Gift


class SpaceFace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A space as the file has it; the gift ``tile`` is the objective's own."""

    vp: int
    gift: Literal["none", "coin", "tool", "tile"]


class SpaceLayout(Stated, frozen=True):
    """The spaces of every objective, left to right, at these numbers of players (3.4)."""

    players: tuple[int, ...]
    spaces: tuple[SpaceFace, ...]


class IrrigationCard(Stated, frozen=True):
    """The marked places of levels 1, 2 and 3, counted from the left, from 1 (3.5)."""

    id: str
    marks: tuple[tuple[int, ...], ...]

    @property
    def places(self) -> int:
        """The marked places as a set (see :mod:`garden`)."""
        return sum(1 << bit(level, mark - 1) for level, row in enumerate(self.marks, start=1) for mark in row)


class GardenCard(Stated, frozen=True, cache_hash=True):
    """A garden card (3.2); ``kind`` is what its main slot holds, or empty."""

    id: str
    slot: Slot
    kind: str
    flowers: tuple[Colour, ...]
    irrigated: bool
    bonus: Bonus


class Enhancement(Stated, frozen=True, cache_hash=True):
    """An enhancement tile (3.3); with slot ``none`` it fills the main slot with nothing countable."""

    id: str
    cost: int
    slot: Literal["none", "animal", "tree"]
    kind: str
    flowers: tuple[Colour, ...]
    irrigated: bool
    bonus: Bonus


class Solo(Stated, frozen=True):
    """Whose boards the solo game uses, and how many gardeners the automaton has (9.1)."""

    players: int
    gardeners: int


class Difficulty(Stated, frozen=True):
    """What a solo player begins with, and who has the marker (9.1)."""

    id: str
    coins: int
    tools: int
    marker: Literal["human", "automaton"]


class Verdict(Stated, frozen=True):
    """What a solo score from so many VP on is worth (9.3)."""

    id: str
    least: int = msgspec.field(name="from")
    win: bool


class AutomatonCard(Stated, frozen=True):
    """An automaton card (3.10).

    ``rule`` ``item``: the lowest card with ``target``, else that at position ``fallback``, from 1, from the
    bottom. ``flower``: every card with a flower of colour ``target``. ``cost``: the pile that the bonus
    ``enhancement`` takes from.
    """

    id: str
    columns: tuple[Column, ...]
    rule: Literal["item", "flower"]
    target: Literal["animal", "tree", "visitor", "red", "yellow", "blue"]
    bonus: Literal["marker", "objective", "enhancement"]
    fallback: int = 0
    cost: int = 0


class Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    counts: Counts
    setup: Setup
    board: Board
    mini_board: MiniBoard
    scoring: ScoringTables
    visitor: tuple[Visitor, ...]
    objective: tuple[Objective, ...]
    objective_spaces: dict[str, SpaceLayout]
    irrigation_card: tuple[IrrigationCard, ...]
    garden_card: tuple[GardenCard, ...]
    enhancement: tuple[Enhancement, ...]
    solo: Solo
    solo_difficulty: tuple[Difficulty, ...]
    solo_verdict: tuple[Verdict, ...]
    automaton_card: tuple[AutomatonCard, ...]
