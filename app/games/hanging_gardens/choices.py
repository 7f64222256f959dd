"""What may be chosen in phases A and C: every legal action, each once, in a fixed order (6.1, 6.2, 6.5)."""

from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.garden import legal_places
from app.games.hanging_gardens.state import Buy, Player, State, Take, View


def turns_in_round(box: Box, table: State | View) -> int:
    """How many turns a round has: one for each gardener of each side (5.2)."""
    return box.contents.setup.gardeners * (2 if table.automaton is not None else len(table.players))


def open_columns(box: Box, table: State | View) -> tuple[int, ...]:
    """The columns, from 1, that have a free space for a gardener (6.1)."""
    capacity = box.capacity(len(table.players))
    return tuple([column for column in (1, 2, 3) if len(table.ledges[column - 1]) < capacity[column - 1]])


def takes(box: Box, state: State, player: Player) -> list[Take]:
    """Every card that can be paid for, of every open column, on every legal place (6.1, 6.2)."""
    places = legal_places(player.garden)
    tools = player.tools
    return [
        Take(column, row, level, x)
        for column in open_columns(box, state)
        for row, cost in enumerate(box.tool_cost[: len(state.market[column - 1])], start=1)
        if cost <= tools
        for level, x in places
    ]


def purchases(box: Box, state: State, player: Player) -> list[Buy]:
    """Every pile that can be paid for, for every empty card of the garden (6.5)."""
    costs = [cost for cost, pile in zip(box.costs, state.piles, strict=True) if pile and cost <= player.coins]
    if not costs:
        return []
    places = sorted([(spot.level, spot.x) for spot in player.garden if box.face(spot.card, spot.tile).empty])
    return [Buy(cost, level, x) for cost in costs for level, x in places]
