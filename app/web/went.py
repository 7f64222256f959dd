"""How a game went, in short: what stands below its score sheet."""

import msgspec

from app.services import statistics
from app.services.held import Held
from app.web.charts import Chart, chart

SIZE = (388, 116)


class Went(msgspec.Struct, frozen=True):
    """Turns, how long they took, the points after each of them, and the shuffle; nothing until the game is over."""

    key: str = ""
    turns: int = 0
    minutes: int = 0
    chart: Chart | None = None
    seal: str = ""
    seed: str = ""


def went(held: Held, *, seal: str) -> Went:
    """A game that is over. Raises :class:`NotOver`."""
    gone = statistics.turns(held)
    lines = [statistics.series(gone, seat) for seat in range(len(held.facts.seats))]
    width, height = SIZE
    time = held.lines[-1].at - held.lines[0].at if held.lines else None
    return Went(
        key=held.facts.key,
        turns=len(gone) - 1,
        minutes=max(1, int(time.total_seconds() // 60)) if time else 0,
        chart=chart("", lines, [(turn.at, turn.seat) for turn in gone], width=width, height=height),
        seal=seal,
        seed=held.facts.seed,
    )
