"""The craft market: characters in rows, dearer with every one that was hired (7.1, 7.2)."""

from collections.abc import Sequence

import msgspec

from app.games.amyitis.components import Box
from app.games.amyitis.state import NOBODY, Realm, Row


def laid_out(box: Box, deck: Sequence[str], *, seats: int) -> tuple[Row, ...]:
    """The rows that the first cards of the deck make, all face up (7.1)."""
    width = len(box.craft.prices)
    return tuple(
        Row(tuple(deck[start : start + width]), (NOBODY,) * width)
        for start in range(0, box.craft.rows.at(seats) * width, width)
    )


def price(box: Box, row: Row) -> int:
    """The talents that the next character of this row costs; the dearest price when all are taken (7.2)."""
    taken = len(row.takers) - row.takers.count(NOBODY)
    return box.craft.prices[min(taken, len(box.craft.prices) - 1)]


def taken(realm: Realm, seat: int, row: int, card: int) -> Realm:
    """The realm with that card (both counted from 0) face down."""
    before = realm.market[row]
    takers = (*before.takers[:card], seat, *before.takers[card + 1 :])
    after = msgspec.structs.replace(before, takers=takers)
    return msgspec.structs.replace(realm, market=(*realm.market[:row], after, *realm.market[row + 1 :]))
