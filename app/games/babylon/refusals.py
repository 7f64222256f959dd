"""Why an action is not legal: the complaint, the rule it breaks, and the facts (14.5)."""

from app.engine.contract import Broken
from app.games.babylon import decorating, placing
from app.games.babylon.choices import KIND_OF, TURNINGS, garden, purse, site_of
from app.games.babylon.components import Box
from app.games.babylon.decorating import ALTERED, cells_altered
from app.games.babylon.garden import Cell
from app.games.babylon.state import (
    DECORATE,
    NONE,
    Choice,
    Decorate,
    End,
    Lay,
    Mine,
    Open,
    Place,
    Remove,
    State,
    Statue,
    View,
)

PHASES: dict[str, tuple[type[Choice], ...]] = {
    "remove": (Remove,),
    "mine": (Mine,),
    "build": (Place, *DECORATE, End),
    "lay": (Lay,),
    "decorate": (*DECORATE, End),
}
"""What may be chosen when (6.4)."""


def refusal(box: Box, table: State | View, seat: int, action: Choice) -> Broken | None:
    """Which rule the action breaks; ``None`` when it is legal."""
    if table.phase == "over":
        return Broken("game_over", "6.3")
    if seat != table.seat:
        return Broken("not_your_decision", "6.1", (("seat", table.seat),))
    if not isinstance(action, PHASES[table.phase]):
        return Broken("wrong_phase", "6.4", (("phase", table.phase),))
    if isinstance(action, Mine | Remove):
        return _stack_refusal(box, table, action)
    if isinstance(action, Place):
        if action.tile not in table.hand:
            return Broken("tile_not_held", "9.1", (("tile", action.tile),))
        return placing.site_fault(garden(table), x=action.x, y=action.y, level=action.level, purse=purse(table))
    if isinstance(action, Lay):
        return _lay_refusal(table, action)
    if isinstance(action, End):
        held = action.keep == NONE or action.keep in table.hand
        return None if held else Broken("tile_not_held", "11.3", (("tile", action.keep),))
    return _decoration_refusal(table, action)


def _stack_refusal(box: Box, table: State | View, action: Mine | Remove) -> Broken | None:
    facts = (("x", action.x), ("y", action.y))
    width = box.quarry.width
    there = 0 <= action.x < width and 0 <= action.y < box.quarry.height
    height = table.heights[action.y * width + action.x] if there else 0
    if not height:
        complaint = "empty_stack" if there else "no_such_stack"
        return Broken(complaint, "8.1", facts) if isinstance(action, Mine) else Broken(complaint, "5.6", facts)
    if isinstance(action, Remove) and height < len(box.materials):
        return Broken("only_clay", "5.6", (*facts, ("level", height)))
    return None


def _lay_refusal(table: Open, action: Lay) -> Broken | None:
    if action.turned not in TURNINGS:
        return Broken("no_such_turning", "4.3", (("turned", action.turned),))
    assert table.laying, "this phase has a tile under way"
    return placing.form_fault(garden(table), site_of(table, table.laying), action.open, purse(table))


def _decoration_refusal(table: Open, action: Decorate) -> Broken | None:
    kind = KIND_OF[type(action)]
    cells: tuple[Cell, ...] = ((action.x, action.y),)
    if not isinstance(action, Statue):
        cells += ((action.x2, action.y2),)
    if action.altered not in ALTERED or (len(cells) == 1 and action.altered not in ALTERED[:2]):
        return Broken("bad_override", "12.2", (("altered", action.altered),))
    altered = cells_altered(cells, action.altered)
    broken = decorating.fault(
        garden(table), kind=kind, cells=cells, altered=altered, effect=table.effect, supply=table.supply
    )
    if broken or kind in ("statue", "stairs"):
        return broken
    return (
        None if cells == tuple(sorted(cells)) else Broken("not_in_order", "4.7", (("x", action.x), ("y", action.y)))
    )
