"""A table that fits what is known of it: the covered tiles and the tokens laid down anew (14.1)."""

from collections.abc import Iterator

from app.engine.rng import Rng
from app.games.babylon import tokens
from app.games.babylon.components import Box
from app.games.babylon.state import Open, State, View

COMMON = Open.__struct_fields__


def imagine(box: Box, view: View, rng: Rng) -> State:
    """One of the tables that look like this, each equally likely; what is open stays as it is."""
    seen = set(seen_tiles(view))
    quarry: list[list[str]] = [[] for _ in view.quarry]
    for level, layer in enumerate(box.layers, start=1):
        unknown, rng = rng.shuffled([tile for tile in layer if tile not in seen])
        covered = iter(unknown)
        for stack, pile in zip(view.quarry, quarry, strict=True):
            if stack.height > level:
                pile.append(next(covered))
            elif stack.height == level:
                pile.append(stack.tile)
    down = [kind for kind, count in tokens.unseen(box, view.shown) for _ in range(count)]
    order, _ = rng.shuffled(down)
    return State(
        quarry=tuple([tuple(pile) for pile in quarry]),
        tokens=order[: view.tokens],
        **{name: getattr(view, name) for name in COMMON},
    )


def seen_tiles(view: View) -> Iterator[str]:
    """Every tile that has come to light, wherever it is now."""
    yield from view.removed
    yield from view.discarded
    yield from (stack.tile for stack in view.quarry if stack.tile)
    yield view.mined
    if view.laying:
        yield view.laying.tile
    for player in view.players:
        yield player.stored
        yield from (terrace.id for terrace in player.garden.terraces)
