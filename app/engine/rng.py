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
        super().__init__(f"deal.{pile[:60]}: {item[:60]}: {reason}")


UNSEEN = "?"
"""Stands in a written pile for an item that nobody has seen yet."""


class Chance:
    """The shuffles of a setup: drawn from a seed, or, where a deal is written down, as it says.

    A written pile may be a beginning only ("the cards seen so far"), and ``?`` stands where something has not been
    seen; chance fills in the rest. So a game that was dealt on a real table can be entered and continued. ``steady``:
    what is written down moves nothing else, neither another pile nor a later shuffle, so that it may be added to as
    the game goes on; otherwise only what is left is shuffled, as a record with both a seed and a deal is read.
    """

    def __init__(self, rng: Rng, deal: Mapping[str, Sequence[str]] | None = None, *, steady: bool = False) -> None:
        self.rng = rng
        self._deal = dict(deal or {})
        self._steady = steady

    def shuffled(self, pile: str, items: Sequence[str]) -> tuple[str, ...]:
        """The items of the pile of that name in their order. Raises :class:`DealRefused`."""
        written = tuple(self._deal.pop(pile, ()))
        rest = left_over(pile, written, items)
        if self._steady:
            order, self.rng = self.rng.shuffled(items)
            return led(order, written)
        order, self.rng = self.rng.shuffled(rest)
        unseen = iter(order)
        return (*(next(unseen) if item == UNSEEN else item for item in written), *unseen)

    def later(self, pile: str, items: Sequence[str], *, first: int) -> tuple[tuple[str, ...], ...]:
        """What is written down of a pile that is shuffled anew in later rounds (``craft-2``, ``craft-3`` …, from
        round ``first`` on without a gap); the game shuffles from :attr:`rng` then, and puts these first.

        Raises :class:`DealRefused`.
        """
        rounds: list[tuple[str, ...]] = []
        while (name := f"{pile}-{first + len(rounds)}") in self._deal:
            written = tuple(self._deal.pop(name))
            left_over(name, written, items)
            rounds.append(written)
        return tuple(rounds)

    def done(self) -> None:
        """Raises :class:`DealRefused` when the deal names a pile that this setup has not."""
        for pile, items in self._deal.items():
            raise DealRefused(pile, " ".join(items), "this game has no such pile")


def left_over(pile: str, written: Sequence[str], items: Sequence[str]) -> list[str]:
    """The items of a pile that are not written down. Raises :class:`DealRefused`."""
    rest = list(items)
    for item in written:
        if item == UNSEEN:
            continue
        if item not in rest:
            known = item in items
            raise DealRefused(pile, item, "named more often than it is in the box" if known else "not in this pile")
        rest.remove(item)
    if len(written) > len(items):
        raise DealRefused(pile, UNSEEN, f"there are only {len(items)} in this pile")
    return rest


def led(order: Sequence[str], written: Sequence[str]) -> tuple[str, ...]:
    """The order with each written item in its place; it changes places with what lay there, and all else stays."""
    lying = list(order)
    placed: set[int] = set()
    for place, item in enumerate(written):
        if item == UNSEEN:
            continue
        if lying[place] != item:
            other = next(at for at, each in enumerate(lying) if each == item and at not in placed)
            lying[place], lying[other] = lying[other], lying[place]
        placed.add(place)
    return tuple(lying)
