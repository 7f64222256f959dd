"""What a tile or a decoration would change: what goes out of sight, and which parts of the score move."""

from collections.abc import Iterator

import msgspec

from app.games.babylon import scoring
from app.games.babylon.components import Scoring
from app.games.babylon.garden import Garden


class Outcome(msgspec.Struct, frozen=True):
    """The difference between two gardens: points by part where they change, and the pieces no longer seen."""

    points: int
    parts: tuple[tuple[str, int], ...]
    hides: tuple[str, ...]


def outcome(before: Garden, after: Garden, values: Scoring) -> Outcome:
    """What leads from one garden to the other, as far as it scores."""
    old = dict(scoring.points(before, values))
    parts = tuple((name, new - old[name]) for name, new in scoring.points(after, values) if new != old[name])
    return Outcome(sum(points for _, points in parts), parts, hidden(before, after))


def hidden(before: Garden, after: Garden) -> tuple[str, ...]:
    """The pieces that were seen before and are not after: tiles, belvederes and decorations (7)."""
    seen = set(visible(after))
    return tuple(piece for piece in visible(before) if piece not in seen)


def visible(garden: Garden) -> Iterator[str]:
    """The names of all pieces that can be seen from above (7.3)."""
    for terrace in garden.terraces:
        if garden.shows_terrace(terrace):
            yield terrace.piece
        if garden.shows_belvedere(terrace):
            yield terrace.belvedere
    for decoration in garden.decorations:
        if garden.shows_decoration(decoration):
            yield decoration.piece
