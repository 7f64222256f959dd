"""The things of the box by their ids, and what a card shows together with the tile on it."""

from collections.abc import Mapping

import msgspec

from app.games.hanging_gardens.components import (
    COLOURS,
    ITEMS,
    Contents,
    Enhancement,
    GardenCard,
    Gift,
    Slot,
    Verdict,
)

ITEM: Mapping[str, int] = {item: index for index, item in enumerate(ITEMS)}
"""The place of each item among the ``counts`` of a :class:`Face`."""


class Space(msgspec.Struct, frozen=True):
    """A space of one objective: VP at the end, and what it gives at once."""

    vp: int
    gift: Gift


class Face(msgspec.Struct, frozen=True):
    """All that a card shows, together with the tile on it (6.5, R-04).

    ``counts`` is in the order of :data:`ITEMS`; an irrigated card counts once (R-13), icons and flowers
    count each (R-14, R-15). ``flowers``: the colour of each flower, by its place in :data:`COLOURS`.
    ``empty``: an enhancement may go on it.
    """

    slot: Slot
    kind: str
    irrigated: bool
    counts: tuple[int, ...]
    flowers: tuple[int, ...]
    empty: bool


class Box:
    """The things of the box by their ids; made once for an edition and shared. Never changed."""

    def __init__(self, contents: Contents) -> None:
        self.contents = contents
        self.cards = {card.id: card for card in contents.garden_card}
        self.tiles = {tile.id: tile for tile in contents.enhancement}
        self.objectives = {tile.id: tile for tile in contents.objective}
        self.irrigation = {card.id: card for card in contents.irrigation_card}
        self.automaton_cards = {card.id: card for card in contents.automaton_card}
        self.difficulties = {difficulty.id: difficulty for difficulty in contents.solo_difficulty}
        self.likes: dict[str, int] = {visitor.kind: visitor.vp for visitor in contents.visitor}
        self.animals = {kind: values.vp for kind, values in contents.scoring.animals.items()}
        self.trees = {kind: values.vp for kind, values in contents.scoring.trees.items()}
        self.irrigation_vp = contents.scoring.irrigation.vp
        self.marked = {card.id: card.places for card in contents.irrigation_card}
        self.tool_cost = contents.board.tool_cost
        self.rows = len(contents.board.tool_cost)
        self.costs = tuple(sorted({tile.cost for tile in contents.enhancement}))
        self._faces: dict[tuple[str, str], Face] = {}
        self._spaces = {seats: self._spaces_for(seats) for seats in range(1, 6)}

    def capacity(self, seats: int) -> tuple[int, ...]:
        """Places for gardeners under each column (3.9)."""
        return self.contents.mini_board.spaces[str(seats if seats > 1 else self.contents.solo.players)]

    def spaces(self, seats: int) -> Mapping[str, tuple[Space, ...]]:
        """The spaces of every objective, left to right (3.4)."""
        return self._spaces[seats]

    def _spaces_for(self, seats: int) -> dict[str, tuple[Space, ...]]:
        layout = next(layout for layout in self.contents.objective_spaces.values() if seats in layout.players)
        return {
            tile.id: tuple(
                Space(face.vp, tile.small_gift if face.gift == "tile" else face.gift) for face in layout.spaces
            )
            for tile in self.contents.objective
        }

    def face(self, card: str, tile: str = "") -> Face:
        """What a card shows, with the tile on it. Raises ``KeyError`` for an unknown id."""
        key = (card, tile)
        face = self._faces.get(key)
        if face is None:
            face = self._faces[key] = _face(self.cards[card], self.tiles[tile] if tile else None)
        return face

    def verdict(self, points: int) -> Verdict:
        """What so many VP are worth in a solo game (9.3)."""
        return next(verdict for verdict in reversed(self.contents.solo_verdict) if points >= verdict.least)


def _face(card: GardenCard, tile: Enhancement | None) -> Face:
    slot: Slot = card.slot
    kind = card.kind
    if tile is not None and tile.slot != "none":
        slot, kind = tile.slot, tile.kind
    irrigated = card.irrigated or (tile is not None and tile.irrigated)
    flowers = card.flowers + (tile.flowers if tile is not None else ())
    bonuses = (card.bonus, tile.bonus if tile is not None else "none")
    counts = (
        slot == "animal",
        slot == "tree",
        slot == "visitor",
        irrigated,
        bonuses.count("crown"),
        bonuses.count("coin"),
        bonuses.count("tool"),
        *(flowers.count(colour) for colour in COLOURS),
    )
    return Face(
        slot=slot,
        kind=kind,
        irrigated=irrigated,
        counts=tuple(int(count) for count in counts),
        flowers=tuple(COLOURS.index(flower) for flower in flowers),
        empty=card.slot == "empty" and tile is None,
    )
