"""Round tokens (12): what they pay, what they alter, and which may still come."""

from collections import Counter

from app.games.babylon.components import Box
from app.games.babylon.supply import PieceName

PAYS: dict[str, PieceName] = {"single_pillar": "single_pillar", "double_pillar": "double_pillar"}
"""The effects that pay a pillar at the start of every turn of the round (6.4.1)."""


def unseen(box: Box, shown: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """How many of each kind nobody has seen: they lie face down, or left the game unseen (5.4, 14.1)."""
    seen = Counter(shown)
    return tuple((token.id, token.count - seen[token.id]) for token in box.tokens)
