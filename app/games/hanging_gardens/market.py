"""The market and the deck: what leaves a column, what slides down, what comes new (6.4)."""

from collections.abc import Collection

import msgspec

from app.games.hanging_gardens.state import Refilled, State


def without(state: State, *, column: int, rows: Collection[int], height: int) -> tuple[State, tuple[Refilled, ...]]:
    """The cards of these rows are gone, the rest slid down, and new cards came, lowest vacant row first.

    ``column`` and ``rows`` count from 0. With an empty deck the upper rows stay empty (6.4).
    """
    kept = [card for row, card in enumerate(state.market[column]) if row not in rows]
    new = state.deck[: height - len(kept)]
    events = tuple([Refilled(column + 1, row, card) for row, card in enumerate(new, start=len(kept) + 1)])
    refilled = replaced(state.market, column, (*kept, *new))
    return msgspec.structs.replace(state, market=refilled, deck=state.deck[len(new) :]), events


def replaced(row: tuple[tuple[str, ...], ...], index: int, value: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The tuple with one of its members exchanged."""
    return (*row[:index], value, *row[index + 1 :])
