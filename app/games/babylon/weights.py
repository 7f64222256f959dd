"""What bots think things are worth that score nothing yet."""

import msgspec


class Weights(msgspec.Struct, frozen=True):
    """What is worth how many points, apart from the points themselves; all of it fades towards the end.

    ``pillar``: a single pillar kept. ``half``: by level, a free symbol whose partner is still to be found; ``ways``
    multiplies it where there is only one direction to find it in. ``floor``: by level, a free space for pillars;
    ``hole``: a bare one. ``statue``: the part of a floor's worth that is left under a statue. ``rise``: a level that
    makes the next one possible. ``lacking``: the part of a set that counts for each further piece it lacks.
    ``kept`` and ``symbol``: a tile in the slot, and each symbol on it.
    """

    pillar: float = 0.0
    half: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ways: float = 1.0
    floor: tuple[float, float, float] = (0.0, 0.0, 0.0)
    hole: float = 0.0
    statue: float = 0.0
    rise: float = 0.0
    lacking: float = 0.0
    kept: float = 0.0
    symbol: float = 0.0


POINTS_ONLY = Weights(pillar=0.1)
"""Nothing but the points of this turn; of equals the one that leaves more pillars."""

FORESIGHT = Weights(
    pillar=0.8,
    half=(0.7, 1.3, 0.5),
    ways=1.3,
    floor=(0.2, 0.8, 1.3),
    hole=0.1,
    statue=1.0,
    rise=0.9,
    lacking=0.46,
    kept=0.3,
    symbol=0.3,
)
"""Found by letting bots play each other."""
