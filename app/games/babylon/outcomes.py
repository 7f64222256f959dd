"""What a tile or a decoration would change: what goes out of sight, and which parts of the score move."""

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
    found = []
    for terrace in before.terraces:
        if not after.shows_terrace(terrace) and before.shows_terrace(terrace):
            found.append(terrace.piece)
        if not after.shows_belvedere(terrace) and before.shows_belvedere(terrace):
            found.append(terrace.belvedere)
    found += [
        decoration.piece
        for decoration in before.decorations
        if not after.shows_decoration(decoration) and before.shows_decoration(decoration)
    ]
    return tuple(found)
