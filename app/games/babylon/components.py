"""What is in the box of Babylon, read from an edition file and checked against itself."""

from functools import cached_property
from typing import Annotated, Literal

import msgspec

from app.engine.contract import Edition
from app.engine.editions import check, check_unique, read_box

SEATS = range(2, 5)
BOARD = 8
"""Columns and rows of a player board (4.1)."""

FLOWERS = 4
"""Kinds of flowers: one for each player board, one of each in a flower set (3, 13.1)."""

Status = Literal["rules", "published", "ruling", "proposed"]
Symbol = Literal["stairs", "fountain", "bridge", "statue", "none"]
Face = tuple[Symbol, Symbol, Symbol, Symbol]
"""The symbols of a tile clockwise from its north-west space."""

Effect = Literal[
    "single_pillar", "double_pillar", "change_symbol", "add_symbol", "flower_bonus", "minus_single", "blank"
]
EFFECTS: tuple[Effect, ...] = (
    "single_pillar",
    "double_pillar",
    "change_symbol",
    "add_symbol",
    "flower_bonus",
    "minus_single",
    "blank",
)

Count = Annotated[int, msgspec.Meta(ge=1)]
Points = Annotated[int, msgspec.Meta(ge=0)]
Word = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9_-]*$")]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file: what it says, and where that comes from."""

    status: Status


class SeatCount(Part, frozen=True):
    """What depends on the number of seats (5)."""

    round_tokens: Count
    clay_removed_each: Annotated[int, msgspec.Meta(ge=0)]

    @property
    def rounds(self) -> int:
        """One round before the first token is turned over, and one under each (6.3)."""
        return self.round_tokens + 1


class Grid(Part, frozen=True):
    """Columns and rows."""

    width: Count
    height: Count


class Storage(Part, frozen=True):
    """What may be kept from turn to turn, besides one tile (11)."""

    single_pillars: Annotated[int, msgspec.Meta(ge=0)]


class Piece(Part, frozen=True):
    """How many of a piece there are (3, 3.5), and the other count that circulates (3.1)."""

    count: Count
    sources: tuple[str, ...] = ()
    box_count: Count | None = None
    box_count_status: Status | None = None


class Pieces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The supply, piece by piece."""

    single_pillar: Piece
    double_pillar: Piece
    belvedere: Piece
    stairs: Piece
    fountain: Piece
    bridge: Piece
    statue: Piece


class Mining(Part, frozen=True):
    """Single pillars for mining a tile (8)."""

    per_side: Points
    flower: Points
    flower_with_bonus: Points
    minus_single: Points


class Scoring(Part, frozen=True):
    """Victory points (13.1). ``stairs_per_level`` counts for both levels that the stairs join."""

    statue_per_level: Points
    fountain_per_level: Points
    bridge_per_level: Points
    stairs_per_level: Points
    decoration_set: Points
    flower_set: Points
    belvedere: Points
    height_per_level: Points


class Flower(Part, frozen=True):
    """One of the four kinds (3.4)."""

    id: Word


class Material(Part, frozen=True):
    """A layer of the quarry; the first of the file is level 1, at the bottom (5)."""

    id: Word
    tiles: Count
    symbols: Annotated[int, msgspec.Meta(ge=0, le=4)]


class Token(Part, frozen=True):
    """A kind of round token and how many of them there are (12.1)."""

    id: Effect
    count: Annotated[int, msgspec.Meta(ge=0)]


class Tile(Part, frozen=True):
    """A terrace tile; the starting tiles have no material (3.3)."""

    id: Word
    flower: str
    symbols: Face
    material: str = ""

    def face(self, turned: int) -> Face:
        """The symbols as they lie after ``turned`` quarter turns clockwise (4.3)."""
        a, b, c, d = self.symbols
        return ((a, b, c, d), (d, a, b, c), (c, d, a, b), (b, c, d, a))[turned % 4]


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All that an edition file says."""

    schema: Literal[1]
    game: Literal["babylon"]
    edition: str
    title: dict[str, str]
    seats: dict[str, SeatCount]
    quarry: Grid
    board: Grid
    storage: Storage
    supply: Pieces
    mining: Mining
    scoring: Scoring
    flowers: tuple[Flower, ...]
    materials: tuple[Material, ...]
    tokens: tuple[Token, ...]
    start_tiles: tuple[Tile, ...]
    tiles: tuple[Tile, ...]
    sources: dict[str, str]

    @cached_property
    def tile_by_id(self) -> dict[str, Tile]:
        """Every tile, the starting tiles among them."""
        return {tile.id: tile for tile in (*self.start_tiles, *self.tiles)}

    @cached_property
    def start_tile(self) -> dict[str, str]:
        """The id of the starting tile of each flower."""
        return {tile.flower: tile.id for tile in self.start_tiles}

    @cached_property
    def layers(self) -> tuple[tuple[str, ...], ...]:
        """The ids of the tiles of each material, the bottom layer first."""
        return tuple(
            tuple(tile.id for tile in self.tiles if tile.material == material.id) for material in self.materials
        )

    @cached_property
    def token_ids(self) -> tuple[Effect, ...]:
        """The round tokens, each as the word of its kind."""
        return tuple(token.id for token in self.tokens for _ in range(token.count))

    def for_seats(self, seats: int) -> SeatCount:
        """What holds for this number of seats."""
        return self.seats[str(seats)]


def open_box(edition: Edition) -> Box:
    """The box of an edition. Raises ``EditionRefused`` with the file, the key and the reason."""
    box = read_box(edition, Box)
    _check_layout(edition, box)
    _check_ids(edition, box)
    _check_tiles(edition, box)
    _check_seats(edition, box)
    return box


def _check_layout(edition: Edition, box: Box) -> None:
    spaces = box.board.width, box.board.height
    check(edition, "board", spaces == (BOARD, BOARD), f"these rules know a board of {BOARD} by {BOARD} holes only")
    check(edition, "quarry", box.quarry.width * box.quarry.height <= 64, "more than 64 stacks")
    check(edition, "flowers", len(box.flowers) == FLOWERS, f"{len(box.flowers)} flowers, but a set has {FLOWERS}")
    check(edition, "materials", bool(box.materials), "no material, so no quarry")
    for name in Pieces.__struct_fields__:
        piece: Piece = getattr(box.supply, name)
        for source in piece.sources:
            check(edition, f"supply.{name}.sources", source in box.sources, f"{source} is not among the sources")


def _check_ids(edition: Edition, box: Box) -> None:
    check_unique(edition, "flowers", [flower.id for flower in box.flowers])
    check_unique(edition, "materials", [material.id for material in box.materials])
    check_unique(edition, "tokens", [token.id for token in box.tokens])
    check_unique(edition, "start_tiles", [tile.id for tile in box.start_tiles])
    check_unique(edition, "tiles", [tile.id for tile in box.tiles])
    starting = {tile.id for tile in box.start_tiles}
    for index, tile in enumerate(box.tiles):
        check(edition, f"tiles[{index}].id", tile.id not in starting, f"{tile.id} is a starting tile already")
    for key, tiles in (("start_tiles", box.start_tiles), ("tiles", box.tiles)):
        for index, tile in enumerate(tiles):
            check(edition, f"{key}[{index}].id", tile.id != "none", "none is the word for no tile")


def _check_tiles(edition: Edition, box: Box) -> None:
    flowers = {flower.id for flower in box.flowers}
    materials = {material.id: material for material in box.materials}
    for index, tile in enumerate(box.start_tiles):
        check(edition, f"start_tiles[{index}].flower", tile.flower in flowers, f"no flower {tile.flower}")
        check(edition, f"start_tiles[{index}].material", not tile.material, "a starting tile has no material side")
    owners = sorted(tile.flower for tile in box.start_tiles)
    check(edition, "start_tiles", owners == sorted(flowers), "one starting tile for each flower, no more, no less")
    for index, tile in enumerate(box.tiles):
        key = f"tiles[{index}]"
        check(edition, f"{key}.flower", tile.flower in flowers, f"no flower {tile.flower}")
        check(edition, f"{key}.material", tile.material in materials, f"no material {tile.material or '(none)'}")
        shown = sum(symbol != "none" for symbol in tile.symbols)
        wanted = materials[tile.material].symbols
        check(edition, f"{key}.symbols", shown == wanted, f"{shown} symbols, but {tile.material} has {wanted}")
    stacks = box.quarry.width * box.quarry.height
    for index, material in enumerate(box.materials):
        key = f"materials[{index}].tiles"
        there = len(box.layers[index])
        check(edition, key, material.tiles == there, f"{material.tiles} announced, {there} listed")
        check(edition, key, there == stacks, f"{there} tiles for {stacks} stacks")


def _check_seats(edition: Edition, box: Box) -> None:
    wanted = [str(seats) for seats in SEATS]
    check(edition, "seats", sorted(box.seats) == wanted, f"one table each for {', '.join(wanted)}")
    stacks = box.quarry.width * box.quarry.height
    for seats in SEATS:
        key = f"seats.{seats}"
        facts = box.for_seats(seats)
        tokens = len(box.token_ids)
        check(edition, f"{key}.round_tokens", facts.round_tokens <= tokens, f"there are only {tokens} round tokens")
        removed = seats * facts.clay_removed_each
        check(edition, f"{key}.clay_removed_each", removed <= stacks, f"{removed} tiles of {stacks} to be removed")
        left, mined = len(box.tiles) - removed, seats * facts.rounds
        check(edition, f"{key}.round_tokens", mined <= left, f"{mined} tiles would be mined, the quarry holds {left}")
