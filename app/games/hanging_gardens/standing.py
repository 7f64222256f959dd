"""How a garden stands, as a board shows it: its points part by part, and what each card of it earns."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from app.games.hanging_gardens import scoring
from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.garden import LEVELS, Place, left_end, level_one
from app.games.hanging_gardens.scoring import Alignment, Part, Worth
from app.games.hanging_gardens.state import Player
from app.games.hanging_gardens.tally import liked, tally

EARNS: Mapping[str, str] = {"irrigation": "w", "flowers": "f", "trees": "t", "animals": "a", "visitors": "v"}
"""One letter for each part that cards earn, as the board marks them."""


class Standing(msgspec.Struct, frozen=True):
    """A player's points by part, and by place what the card there earns and what stands on it is worth."""

    parts: tuple[Part, ...]
    total: int
    earns: dict[Place, str]
    worth: dict[Place, Worth]
    alignments: tuple[Alignment, ...]
    best: int


@lru_cache(maxsize=2048)
def standing(box: Box, player: Player, *, seats: int) -> Standing:
    """How a player stands; worked out once for a garden and shared by all who look at it."""
    parts = scoring.parts(box, player, seats=seats)
    earns: dict[Place, str] = {}
    for part in parts:
        for spot in part.spots:
            place = (spot.level, spot.x)
            earns[place] = earns.get(place, "") + EARNS[part.name]
    alignments = scoring.alignments(box, player)
    best = scoring.best(alignments).shift
    return Standing(parts, sum(part.points for part in parts), earns, _worth(box, player), alignments, best)


def _worth(box: Box, player: Player) -> dict[Place, Worth]:
    """What every animal, tree and visitor of a garden is worth now."""
    count = tally(box, player.garden)
    found: dict[Place, Worth] = {}
    for group in scoring.tree_groups(box, player.garden):
        for spot in group.spots:
            found[spot.level, spot.x] = Worth(group.points, len(group.spots))
    for spot in player.garden:
        face = box.face(spot.card, spot.tile)
        if face.slot == "animal":
            found[spot.level, spot.x] = Worth(box.animals[face.kind][spot.level - 1], spot.level)
        elif face.slot == "visitor":
            number = liked(face.kind, count, len(player.objectives))
            found[spot.level, spot.x] = Worth(box.likes[face.kind] * number, number)
    return found


class Ground(msgspec.Struct, frozen=True):
    """Where a garden's places lie on the board.

    Counted in half cards from the left end of a full level 1; while level 1 is short the garden stands in
    the middle, with room for half a card at both ends.
    """

    left: int
    run: int

    def half(self, level: int, x: int) -> int:
        """How many half cards to the right the place ``(level, x)`` begins."""
        return LEVELS[0] - self.run + 2 * (x - self.left) + level - 1


def ground(player: Player) -> Ground:
    """The ground that a player's garden stands on."""
    return Ground(left_end(player.garden), max(1, level_one(player.garden)))
