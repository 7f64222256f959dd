"""The solo opponent's turn: a gardener, a discard, a bonus, all as its card says (9.2)."""

import msgspec

from app.engine.contract import Event
from app.games.hanging_gardens.box import ITEM, Box
from app.games.hanging_gardens.components import COLUMNS, AutomatonCard
from app.games.hanging_gardens.market import without
from app.games.hanging_gardens.objectives import free_spaces
from app.games.hanging_gardens.state import (
    AUTOMATON,
    Automaton,
    CardDrawn,
    Completed,
    Discarded,
    GardenerPlaced,
    MarkerMoved,
    NothingHappened,
    State,
    TileDiscarded,
    TileRevealed,
)

replace = msgspec.structs.replace

Done = tuple[State, tuple[Event, ...]]


def resolve(box: Box, state: State, automaton: Automaton) -> Done:
    """The table after the automaton's card was turned and resolved from bottom to top (9.2)."""
    card = box.automaton_cards[automaton.deck[0]]
    automaton = replace(
        automaton,
        deck=automaton.deck[1:],
        used=(*automaton.used, card.id),
        gardeners=automaton.gardeners - 1,
    )
    state = replace(state, automaton=automaton)
    state, column, placed = _place_gardener(box, state, card)
    state, discarded = _discard(box, state, card, column)
    state, bonus = _bonus(box, state, automaton, card)
    return state, (CardDrawn(card.id), placed, *discarded, *bonus)


def _place_gardener(box: Box, state: State, card: AutomatonCard) -> tuple[State, int, GardenerPlaced]:
    """Under the column of its first choice that is not full; it pays nothing."""
    capacity = box.capacity(1)
    for choice, name in enumerate(card.columns, start=1):
        column = COLUMNS.index(name)
        ledge = state.ledges[column]
        if len(ledge) < capacity[column]:
            ledges = (*state.ledges[:column], (*ledge, AUTOMATON), *state.ledges[column + 1 :])
            return replace(state, ledges=ledges), column, GardenerPlaced(column + 1, choice)
    raise AssertionError("the box has a place for every gardener (3.9)")


def _discard(box: Box, state: State, card: AutomatonCard, column: int) -> Done:
    rows, why = rows_to_discard(box, state.market[column], card)
    cards = tuple(state.market[column][row] for row in rows)
    discarded = Discarded(column + 1, cards, tuple(row + 1 for row in rows), why)
    state, refilled = without(state, column=column, rows=rows, height=box.rows)
    return replace(state, discards=state.discards + cards), (discarded, *refilled)


def rows_to_discard(box: Box, column: tuple[str, ...], card: AutomatonCard) -> tuple[tuple[int, ...], str]:
    """Which rows of a column (from 0) a card of the automaton empties, and why: see ``Discarded.why``."""
    if card.rule == "flower":
        wanted = ITEM[f"{card.target}_flowers"]
        return tuple(row for row, each in enumerate(column) if box.face(each).counts[wanted]), "flower"
    for row, each in enumerate(column):
        if box.face(each).slot == card.target:
            return (row,), "item"
    return tuple(range(len(column)))[card.fallback - 1 : card.fallback], "position"


def _bonus(box: Box, state: State, automaton: Automaton, card: AutomatonCard) -> Done:
    if card.bonus == "marker":
        if state.holder == AUTOMATON:
            return state, (NothingHappened("marker"),)
        return replace(state, holder=AUTOMATON), (MarkerMoved(state.holder, AUTOMATON),)
    if card.bonus == "objective":
        return _complete(box, state, automaton)
    index = box.costs.index(card.cost)
    pile = state.piles[index]
    if not pile:
        return state, (NothingHappened("enhancement"),)
    piles = (*state.piles[:index], pile[1:], *state.piles[index + 1 :])
    state = replace(state, piles=piles, discarded_tiles=(*state.discarded_tiles, pile[0]))
    return state, (TileDiscarded(card.cost, pile[0]), TileRevealed(card.cost, pile[1] if len(pile) > 1 else ""))


def _complete(box: Box, state: State, automaton: Automaton) -> Done:
    """The leftmost objective that it has not completed, on its leftmost free space; no item is needed (R-25)."""
    done = {tile for tile, _ in automaton.objectives}
    for index, tile in enumerate(state.objectives):
        free = free_spaces(state.spaces[index])
        if tile in done or not free:
            continue
        row = state.spaces[index]
        taken = (*row[: free[0] - 1], AUTOMATON, *row[free[0] :])
        state = replace(
            state,
            spaces=(*state.spaces[:index], taken, *state.spaces[index + 1 :]),
            automaton=replace(automaton, objectives=(*automaton.objectives, (tile, free[0]))),
        )
        space = box.spaces(1)[tile][free[0] - 1]
        return state, (Completed(AUTOMATON, tile, free[0], space.vp, "none", 0, False),)
    return state, (NothingHappened("objective"),)
