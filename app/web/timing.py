"""How long the zones of the boards take to draw in this process, and how long people wait for them."""

import time
from collections import Counter, defaultdict, deque

from app import metrics

KEPT = 400


class Timings:
    """The latest drawings of every zone: seconds and bytes of each."""

    def __init__(self) -> None:
        self._latest: defaultdict[str, deque[tuple[float, int]]] = defaultdict(lambda: deque(maxlen=KEPT))
        self._drawn: defaultdict[str, int] = defaultdict(int)

    def note(self, template: str, *, seconds: float, size: int) -> None:
        """A zone was drawn; ``template``: ``games/<game>/<zone>.html``."""
        if template.startswith("games/"):
            zone = template.removeprefix("games/").removesuffix(".html")
            self._drawn[zone] += 1
            if self._drawn[zone] > 1:  # the first time the template itself is read
                self._latest[zone].append((seconds, size))

    def told(self) -> dict[str, tuple[int, float, float, int]]:
        """By zone: how often it was drawn, milliseconds in the middle and at worst but one in twenty, and bytes."""
        found = {}
        for zone, latest in self._latest.items():
            times = sorted(seconds * 1000 for seconds, _ in latest)
            middle, slow = times[len(times) // 2], times[len(times) * 19 // 20]
            size = max(size for _, size in latest)
            found[zone] = (self._drawn[zone], round(middle, 2), round(slow, 2), size)
        return found


class Clicks:
    """How long the latest clicks took, from their arrival until a page was sent what came of them."""

    def __init__(self) -> None:
        self._latest: deque[float] = deque(maxlen=KEPT)

    def note(self, began: float) -> None:
        """Zones are sent of a click that came then, by the clock of day, here or in another process."""
        seconds = max(0.0, time.time() - began)
        self._latest.append(seconds)
        metrics.CLICK_SECONDS.observe(seconds)

    def told(self) -> list[tuple[float, int]]:
        """How many took how many milliseconds, to two digits: so that those of all processes can be put together."""
        return sorted(Counter(float(f"{seconds * 1000:.2g}") for seconds in self._latest).items())


zones = Timings()
clicks = Clicks()
"""Those of this process."""
