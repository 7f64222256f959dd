"""Royal objectives: what a level holds, what is needed, which spaces are free (3.4, 6.6)."""

from collections.abc import Sequence

import msgspec

from app.games.hanging_gardens.box import ITEM, Box
from app.games.hanging_gardens.components import ITEMS
from app.games.hanging_gardens.state import Complete, Player, Spot, State, View


class Outlook(msgspec.Struct, frozen=True):
    """How a player stands with one objective.

    ``level``: the lowest level that holds most of the item, ``have`` of them; ``need``: how many it takes
    now, ``reduced`` by the marker or not; ``missing``: how many more (0: enough). ``space``: where the
    player's marker stands, from 1 (0: not completed). ``free``: the free spaces, from 1.
    """

    tile: str
    level: int
    have: int
    need: int
    reduced: bool
    missing: int
    space: int
    free: tuple[int, ...]

    @property
    def possible(self) -> bool:
        """Whether the player may complete it in phase D (6.6)."""
        return not self.space and not self.missing and bool(self.free)


def counts_by_level(box: Box, garden: Sequence[Spot]) -> tuple[tuple[int, ...], ...]:
    """For each level how much of each of ``ITEMS`` it holds."""
    rows: list[list[tuple[int, ...]]] = [[], [], []]
    for spot in garden:
        rows[spot.level - 1].append(box.face(spot.card, spot.tile).counts)
    return tuple([tuple(map(sum, zip(*row, strict=True))) if row else (0,) * len(ITEMS) for row in rows])


def most(box: Box, garden: Sequence[Spot], item: int) -> int:
    """The most that one level holds of an item, given by its place in ``ITEMS``."""
    levels = [0, 0, 0]
    for spot in garden:
        levels[spot.level - 1] += box.face(spot.card, spot.tile).counts[item]
    return max(levels)


def needed(box: Box, tile: str, *, marker: bool) -> int:
    """How many items an objective takes, with or without the first-player marker (R-23)."""
    return box.objectives[tile].count - marker


def outlook(box: Box, table: State | View, seat: int) -> tuple[Outlook, ...]:
    """How a seat stands with the objectives in play, from left to right."""
    return outlook_of(box, table.players[seat], table.objectives, table.spaces, marker=table.holder == seat)


def outlook_of(
    box: Box, player: Player, tiles: Sequence[str], spaces: Sequence[Sequence[int | None]], *, marker: bool
) -> tuple[Outlook, ...]:
    """How a player stands with these objectives, on whose spaces stand these seats' markers."""
    levels = counts_by_level(box, player.garden)
    completed = dict(player.objectives)
    found = []
    for tile, row in zip(tiles, spaces, strict=True):
        item = ITEM[box.objectives[tile].item]
        held = [level[item] for level in levels]
        have, need = max(held), needed(box, tile, marker=marker)
        found.append(
            Outlook(
                tile=tile,
                level=held.index(have) + 1,
                have=have,
                need=need,
                reduced=marker,
                missing=max(0, need - have),
                space=completed.get(tile, 0),
                free=free_spaces(row),
            )
        )
    return tuple(found)


def free_spaces(row: Sequence[int | None]) -> tuple[int, ...]:
    """The spaces without a marker, from 1 (R-22)."""
    return tuple([number for number, owner in enumerate(row, start=1) if owner is None])


def completions(box: Box, state: State, seat: int) -> list[Complete]:
    """Every way in which a seat may complete an objective now (6.6)."""
    player = state.players[seat]
    marker = state.holder == seat
    done = {tile for tile, _ in player.objectives}
    found = []
    for tile, row in zip(state.objectives, state.spaces, strict=True):
        if tile in done or None not in row:
            continue
        item = ITEM[box.objectives[tile].item]
        need = needed(box, tile, marker=marker)
        if most(box, player.garden, item) >= need:
            found += [Complete(tile, space) for space in free_spaces(row)]
    return found
