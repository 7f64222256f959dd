"""Chance as a value: the same seed draws the same numbers on every machine, in every version of Python."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

import msgspec

T = TypeVar("T")

WIDTH = 2**64


class Rng(msgspec.Struct, frozen=True):
    """A source of numbers: SHA-256 of the seed and how many were drawn.

    It lives inside a state, so undoing and repeating an action cannot re-roll. It is never part of a view.
    """

    seed: str
    drawn: int = 0

    def below(self, n: int) -> tuple[int, "Rng"]:
        """A number in ``0 … n-1``, each equally likely (by rejection), and the source after it."""
        limit = WIDTH - WIDTH % n
        drawn = self.drawn
        while True:
            number = int.from_bytes(sha256(f"{self.seed}:{drawn}".encode()).digest()[:8])
            drawn += 1
            if number < limit:
                return number % n, Rng(self.seed, drawn)

    def shuffled(self, items: Sequence[T]) -> tuple[tuple[T, ...], "Rng"]:
        """The items in random order (Fisher and Yates), and the source after it."""
        order = list(items)
        rng = self
        for last in range(len(order) - 1, 0, -1):
            other, rng = rng.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order), rng

    def choice(self, items: Sequence[T]) -> tuple[T, "Rng"]:
        """One of the items, and the source after it."""
        index, rng = self.below(len(items))
        return items[index], rng


class DealRefused(ValueError):
    """A written deal that does not fit the box: which pile, which item, and why."""

    def __init__(self, pile: str, item: str, reason: str) -> None:
        self.pile, self.item, self.reason = pile, item, reason
        super().__init__(f"deal.{pile}: {item}: {reason}")


class Chance:
    """The shuffles of a setup: drawn from a seed, or, where a deal is written down, as it says.

    A written pile may be a beginning only ("the cards seen so far"); the rest is shuffled behind it. So a
    game that was dealt on a real table can be entered and continued.
    """

    def __init__(self, rng: Rng, deal: Mapping[str, Sequence[str]] | None = None) -> None:
        self.rng = rng
        self._deal = dict(deal or {})

    def shuffled(self, pile: str, items: Sequence[str]) -> tuple[str, ...]:
        """The items of the pile of that name in their order. Raises :class:`DealRefused`."""
        first = tuple(self._deal.pop(pile, ()))
        rest = list(items)
        for item in first:
            if item not in rest:
                known = item in items
                raise DealRefused(
                    pile, item, "named more often than it is in the box" if known else "not in this pile"
                )
            rest.remove(item)
        order, self.rng = self.rng.shuffled(rest)
        return first + order

    def done(self) -> None:
        """Raises :class:`DealRefused` when the deal names a pile that this setup has not."""
        for pile, items in self._deal.items():
            raise DealRefused(pile, " ".join(items), "this game has no such pile")
