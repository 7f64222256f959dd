"""The garden at the centre of the page: its ground, and the irrigation card that is laid over it."""

from functools import lru_cache

import msgspec

from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.components import Enhancement, GardenCard
from app.games.hanging_gardens.faces import cell
from app.games.hanging_gardens.garden import Place
from app.games.hanging_gardens.glance import Glance
from app.games.hanging_gardens.scoring import Alignment
from app.games.hanging_gardens.standing import standing
from app.games.hanging_gardens.state import Player


class Cell(msgspec.Struct, frozen=True):
    """A place of the pattern with a card on it: ``met``, ``dry`` or, not being marked, ``built``."""

    x: int
    y: int
    state: str


class Laid(msgspec.Struct, frozen=True):
    """The irrigation card laid over the garden in one of the ways still open; ``met``: which rung of the ladder."""

    shift: int
    met: int
    cells: tuple[Cell, ...]


class Told(msgspec.Struct, frozen=True):
    """A card of the garden for those who do not see it."""

    level: int
    card: GardenCard
    tile: Enhancement | None


class Garden(msgspec.Struct, frozen=True):
    """The ground of the garden at the centre of the page; ``owner`` is empty when it is the viewer's.

    ``cards``: level by level and from left to right; ``marks``: what the ``pattern`` marks of each level.
    """

    owner: str
    cards: tuple[Told, ...]
    pattern: str
    marks: tuple[tuple[int, ...], ...]
    ladder: tuple[int, ...]
    laid: tuple[Laid, ...]
    best: int


def garden(glance: Glance) -> Garden:
    """The ground and the irrigation card of the garden at the centre."""
    owner = "" if glance.mine else glance.names[glance.me]
    return _garden(glance.box, glance.view.players[glance.me], glance.seats, owner)


@lru_cache(maxsize=2048)
def _garden(box: Box, player: Player, seats: int, owner: str) -> Garden:
    """A garden at the centre; worked out once for as long as nobody builds there."""
    look = standing(box, player, seats=seats)
    built = [(spot.level, spot.x) for spot in player.garden]
    return Garden(
        owner=owner,
        cards=tuple(
            [
                Told(spot.level, box.cards[spot.card], box.tiles[spot.tile] if spot.tile else None)
                for spot in sorted(player.garden, key=lambda spot: (spot.level, spot.x))
            ]
        ),
        pattern=player.irrigation,
        marks=box.irrigation[player.irrigation].marks,
        ladder=box.irrigation_vp,
        laid=tuple([_laid(alignment, built) for alignment in look.alignments]),
        best=look.best,
    )


def _laid(alignment: Alignment, built: list[Place]) -> Laid:
    left = min((x for level, x in built if level == 1), default=0) - alignment.shift
    cells = []
    for level, x in sorted(built):
        state = "met" if (level, x) in alignment.met else "dry" if (level, x) in alignment.dry else "built"
        cells.append(Cell(*cell(level, x - left), state))
    return Laid(alignment.shift, len(alignment.met), tuple(cells))
