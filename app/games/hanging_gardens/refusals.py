"""Which rule an illegal action breaks, and by what facts."""

from app.engine.contract import Broken
from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.garden import LEVELS, Place, level_one, touches
from app.games.hanging_gardens.objectives import outlook
from app.games.hanging_gardens.state import (
    Buy,
    Choice,
    Complete,
    Draw,
    End,
    Pass,
    Player,
    State,
    Take,
    active,
)

PHASES = {Take: "card", Buy: "enhance", Pass: "enhance", Complete: "objective", End: "objective", Draw: "automaton"}


def complaint(box: Box, state: State, seat: int, action: Choice) -> Broken:
    """Why an action that is not legal is not."""
    if state.phase == "over":
        return Broken("game_over", "7.3")
    asked = 0 if state.phase == "automaton" else active(state)
    if seat != asked:
        return Broken("not_your_turn", "5.2.1", (("seat", asked),))
    if state.phase != PHASES[type(action)]:
        return _out_of_order(state, action)
    player = state.players[seat]
    match action:
        case Take():
            return _cannot_take(box, state, player, action)
        case Buy():
            return _cannot_buy(box, state, player, action)
        case Complete():
            return _cannot_complete(box, state, seat, action)
        case _:
            return Broken("not_legal")


def _out_of_order(state: State, action: Choice) -> Broken:
    """The phases come in the order A, C, D, and none is opened again (5.3)."""
    if isinstance(action, Draw):
        return Broken("automaton_acts_by_itself", "9.2.1")
    if state.phase == "automaton":
        return Broken("automaton_begins", "9.2.1")
    if state.phase == "card":
        return Broken("card_comes_first", "5.3.1")
    if isinstance(action, Take):
        return Broken("card_already_taken", "5.3.1")
    if state.phase == "enhance":
        return Broken("enhancement_comes_first", "5.3.2")
    return Broken("buying_is_over", "5.3.2")


def _cannot_take(box: Box, state: State, player: Player, action: Take) -> Broken:
    if not 1 <= action.column <= len(state.market):
        return Broken("no_such_column", "3.9.1", (("column", action.column),))
    if not 1 <= action.row <= box.rows:
        return Broken("no_such_row", "3.9.1", (("row", action.row),))
    spaces = box.capacity(len(state.players))[action.column - 1]
    if len(state.ledges[action.column - 1]) >= spaces:
        return Broken("column_closed", "6.1.1", (("column", action.column), ("spaces", spaces)))
    if action.row > len(state.market[action.column - 1]):
        return Broken("row_empty", "6.4.2", (("column", action.column), ("row", action.row)))
    cost = box.tool_cost[action.row - 1]
    if cost > player.tools:
        return Broken("row_too_dear", "6.1.2", (("cost", cost), ("have", player.tools)))
    return _cannot_place(player, (action.level, action.x))


def _cannot_place(player: Player, place: Place) -> Broken:
    """The three conditions of 6.2, in their order."""
    level, x = place
    facts = (("level", level), ("x", x))
    cards = {(spot.level, spot.x) for spot in player.garden}
    if not 1 <= level <= len(LEVELS):
        return Broken("no_such_level", "6.2.3", facts)
    if not cards:
        return Broken("first_card_at_the_start", "6.2.1", facts)
    if place in cards:
        return Broken("place_taken", "6.2.4", facts)
    if level > 1 and not {(level - 1, x), (level - 1, x + 1)} <= cards:
        return Broken("needs_both_supports", "6.2.2", facts)
    if not any(touches(place, card) for card in cards):
        return Broken("touches_no_card", "6.2.1", facts)
    return Broken("level_complete", "6.2.3", (("level", level), ("cards", level_one(player.garden))))


def _cannot_buy(box: Box, state: State, player: Player, action: Buy) -> Broken:
    if action.cost not in box.costs:
        return Broken("no_such_pile", "3.3.1", (("cost", action.cost),))
    if not state.piles[box.costs.index(action.cost)]:
        return Broken("pile_empty", "6.5.2", (("cost", action.cost),))
    if action.cost > player.coins:
        return Broken("tile_too_dear", "6.5.2", (("cost", action.cost), ("have", player.coins)))
    place = (action.level, action.x)
    spot = next((spot for spot in player.garden if (spot.level, spot.x) == place), None)
    if spot is None:
        return Broken("no_card_there", "6.5.2", (("level", action.level), ("x", action.x)))
    if spot.tile:
        return Broken("card_has_a_tile", "6.5.4", (("card", spot.card), ("tile", spot.tile)))
    return Broken("card_not_empty", "6.5.3", (("card", spot.card), ("slot", box.cards[spot.card].slot)))


def _cannot_complete(box: Box, state: State, seat: int, action: Complete) -> Broken:
    tile = (("tile", action.tile),)
    seen = next((seen for seen in outlook(box, state, seat) if seen.tile == action.tile), None)
    if seen is None:
        return Broken("objective_not_in_play", "3.4.1", tile)
    spaces = len(state.spaces[state.objectives.index(action.tile)])
    if not 1 <= action.space <= spaces:
        return Broken("no_such_space", "3.4.2", (("space", action.space), ("spaces", spaces)))
    if seen.space:
        return Broken("objective_already_completed", "6.6.5", tile)
    if not seen.free:
        return Broken("objective_closed", "6.6.4", tile)
    if action.space not in seen.free:
        return Broken("space_taken", "6.6.3", (*tile, ("space", action.space)))
    return Broken(
        "too_few_items",
        "6.6.1",
        (("item", box.objectives[action.tile].item), ("need", seen.need), ("have", seen.have)),
    )
