"""A turn from phase to phase, and from turn to turn and round to round (5.2, 5.3, 7).

Each function returns the table after it and appends to ``events`` what happened.
"""

from collections.abc import Iterable

import msgspec

from app.engine.contract import Event
from app.games.hanging_gardens import automaton
from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.choices import purchases, turns_in_round
from app.games.hanging_gardens.components import Bonus
from app.games.hanging_gardens.gardening import richer, with_card, with_player, with_tile
from app.games.hanging_gardens.market import without
from app.games.hanging_gardens.objectives import completions, outlook
from app.games.hanging_gardens.state import (
    AUTOMATON,
    Bought,
    Buy,
    CardDrawn,
    Complete,
    Completed,
    Declined,
    Gained,
    GameOver,
    MarkerMoved,
    Refilled,
    RoundBegan,
    State,
    Take,
    TileRevealed,
    Took,
    TurnBegan,
    active,
)

replace = msgspec.structs.replace


def take(box: Box, state: State, seat: int, action: Take, events: list[Event]) -> State:
    """Phases A, A′ and B: pay, place, resolve the bonus, refill (6.1-6.4); then on to phase C."""
    column, row = action.column - 1, action.row - 1
    card, paid = state.market[column][row], box.tool_cost[row]
    events.append(Took(seat, card, action.column, action.row, paid, action.level, action.x))
    player = with_card(box, state.players[seat], card, paid=paid, level=action.level, x=action.x)
    holder = _bonus(state, seat, box.cards[card].bonus, card, action.level, events)
    ledges = (*state.ledges[:column], (*state.ledges[column], seat), *state.ledges[column + 1 :])
    state = replace(state, players=with_player(state.players, seat, player), holder=holder, ledges=ledges)
    state, refilled = without(state, column=column, rows=(row,), height=box.rows)
    events += refilled
    if purchases(box, state, player):
        return replace(state, phase="enhance")
    return _to_objective(box, state, seat, events)


def buy(box: Box, state: State, seat: int, action: Buy, events: list[Event]) -> State:
    """Phase C: pay, lay the top tile on the card, resolve its bonus (6.5); then on to phase D."""
    index = box.costs.index(action.cost)
    pile = state.piles[index]
    tile = pile[0]
    player = with_tile(box, state.players[seat], tile, level=action.level, x=action.x)
    card = next(spot.card for spot in player.garden if spot.tile == tile)
    events.append(Bought(seat, tile, action.cost, card, action.level, action.x))
    holder = _bonus(state, seat, box.tiles[tile].bonus, tile, action.level, events)
    events.append(TileRevealed(action.cost, pile[1] if len(pile) > 1 else ""))
    piles = (*state.piles[:index], pile[1:], *state.piles[index + 1 :])
    state = replace(state, players=with_player(state.players, seat, player), holder=holder, piles=piles)
    return _to_objective(box, state, seat, events)


def buy_nothing(box: Box, state: State, seat: int, events: list[Event]) -> State:
    """Phase C declined; on to phase D."""
    events.append(Declined(seat, "enhancement"))
    return _to_objective(box, state, seat, events)


def complete(box: Box, state: State, seat: int, action: Complete, events: list[Event]) -> State:
    """Phase D: a marker on the space, and what the space gives (6.6); the turn is over."""
    player = state.players[seat]
    index = state.objectives.index(action.tile)
    seen = outlook(box, state, seat)[index]
    space = box.spaces(len(state.players))[action.tile][action.space - 1]
    events.append(
        Completed(
            seat=seat,
            tile=action.tile,
            space=action.space,
            points=space.vp,
            gift=space.gift,
            level=seen.level,
            reduced=seen.reduced and seen.have == seen.need,
        )
    )
    if space.gift != "none":
        events.append(Gained(seat, space.gift, 1, action.tile))
    player = replace(player, objectives=(*player.objectives, (action.tile, action.space)))
    row = state.spaces[index]
    row = (*row[: action.space - 1], seat, *row[action.space :])
    state = replace(
        state,
        players=with_player(state.players, seat, richer(player, space.gift, 1)),
        spaces=(*state.spaces[:index], row, *state.spaces[index + 1 :]),
    )
    return _end_turn(box, state, events)


def complete_nothing(box: Box, state: State, seat: int, events: list[Event]) -> State:
    """Phase D declined; the turn is over."""
    events.append(Declined(seat, "objective"))
    return _end_turn(box, state, events)


def automaton_begins(box: Box, state: State, events: list[Event]) -> State:
    """The automaton's turn when it is the first of the game (9.1)."""
    return _end_turn(box, _automaton_turn(box, state, events), events)


def reveals(events: Iterable[Event]) -> bool:
    """Whether a card or a tile that nobody knew came to light."""
    return any(
        isinstance(event, Refilled | CardDrawn) or (isinstance(event, TileRevealed) and event.tile != "")
        for event in events
    )


def _bonus(state: State, seat: int, bonus: Bonus, source: str, level: int, events: list[Event]) -> int:
    """Tells what a bonus brought, and who holds the marker now (6.3)."""
    if bonus == "none":
        return state.holder
    events.append(Gained(seat, bonus, 0 if bonus == "crown" else level, source))
    if bonus != "crown":
        return state.holder
    if state.holder != seat:
        events.append(MarkerMoved(state.holder, seat))
    return seat


def _to_objective(box: Box, state: State, seat: int, events: list[Event]) -> State:
    """Phase D, unless nothing can be completed (5.3)."""
    if completions(box, state, seat):
        return replace(state, phase="objective")
    return _end_turn(box, state, events)


def _end_turn(box: Box, state: State, events: list[Event]) -> State:
    """On to the next turn that somebody at the table takes; the automaton takes its own (9.2)."""
    while True:
        state = _next_turn(box, state, events)
        if state.phase == "over" or state.automaton is None or active(state) != AUTOMATON:
            return state
        state = _automaton_turn(box, state, events)


def _next_turn(box: Box, state: State, events: list[Event]) -> State:
    turn = state.turn + 1
    if turn < turns_in_round(box, state):
        state = replace(state, turn=turn, phase="card")
    elif state.round == box.contents.setup.rounds:
        events.append(GameOver())
        return replace(state, turn=turn, phase="over")
    else:
        state = _next_round(box, state)
        events.append(RoundBegan(state.round, state.starter))
    events.append(TurnBegan(active(state), state.round, state.turn + 1))
    return state


def _next_round(box: Box, state: State) -> State:
    """Gardeners go home, columns reopen, and the holder of the marker starts (7, R-10)."""
    gardeners = box.contents.setup.gardeners
    opponent = state.automaton
    return replace(
        state,
        players=tuple([replace(player, gardeners=gardeners) for player in state.players]),
        automaton=None if opponent is None else replace(opponent, gardeners=box.contents.solo.gardeners),
        ledges=((), (), ()),
        round=state.round + 1,
        starter=state.holder,
        turn=0,
        phase="card",
    )


def _automaton_turn(box: Box, state: State, events: list[Event]) -> State:
    assert state.automaton is not None, "only the solo game has one"
    state, done = automaton.resolve(box, state, state.automaton)
    events += done
    return state
