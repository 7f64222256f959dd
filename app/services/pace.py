"""How much time there is at a table, and what happens when it is up: agreed when the table is opened."""

from typing import Any

import msgspec

LIVE = {"300-5": (300, 5), "600-10": (600, 10), "1200-15": (1200, 15), "2400-30": (2400, 30)}
"""Clocks for one sitting: seconds at the beginning, and seconds added for every turn."""
HOURS = {"4": 4 * 3600, "8": 8 * 3600, "12": 12 * 3600}
DAYS = {"1": 86_400, "2": 2 * 86_400, "3": 3 * 86_400, "7": 7 * 86_400}
UPS = ("remind", "bot", "substitute")
LIVE_OFFER = 300
DAY = 86_400


class Pace(msgspec.Struct, frozen=True):
    """``live``: a clock for every seat, ``bank`` seconds and ``gain`` more for each turn; ``turn``: ``bank`` seconds
    for every turn, quiet hours not counted; empty: all the time in the world.

    ``up``: what happens when time is up: ``remind``, a ``bot`` plays this turn, or a ``substitute`` may come.
    """

    kind: str = ""
    bank: int = 0
    gain: int = 0
    up: str = "remind"

    def __bool__(self) -> bool:
        return bool(self.kind)

    @property
    def live(self) -> bool:
        """Whether it is played at one sitting."""
        return self.kind == "live"

    @property
    def offer(self) -> int:
        """For how many seconds a seat whose time is up is offered to a substitute."""
        return LIVE_OFFER if self.live else min(self.bank, DAY)

    @property
    def stored(self) -> dict[str, Any]:
        """As the table keeps it."""
        return {name: getattr(self, name) for name in self.__struct_fields__} if self else {}


NONE = Pace()


def read(stored: dict[str, Any]) -> Pace:
    """What a table keeps."""
    return msgspec.convert(stored, Pace) if stored else NONE


def chosen(kind: str, amount: str, up: str) -> Pace | None:
    """The pace that a form asks for: ``live``, ``hours``, ``days`` or nothing; ``None``: it is not offered."""
    if not kind:
        return NONE
    if up not in UPS:
        return None
    if kind == "live":
        return Pace("live", *LIVE[amount], up=up) if amount in LIVE else None
    lengths = {"hours": HOURS, "days": DAYS}.get(kind, {})
    return Pace("turn", lengths[amount], up=up) if amount in lengths else None
