"""Who has the most cubes (5, 8.3)."""

from app.games.amyitis.state import NOBODY


def leader(counts: tuple[int, ...]) -> int:
    """The only seat with the most cubes, given each seat's; :data:`NOBODY` on a tie or without cubes (5, 8.3)."""
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else NOBODY
