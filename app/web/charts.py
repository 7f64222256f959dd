"""Line charts as plain numbers: where lines, their ends and the grid lie. The template draws them, and a table."""

from collections.abc import Sequence

import msgspec

LEFT, RIGHT, TOP, BOTTOM = 34, 26, 10, 26
APART = 15
"""So far apart are the ends of lines that would lie on each other."""


class Curve(msgspec.Struct, frozen=True):
    """A seat's line: its corners, where its end is marked, and what it ends with."""

    seat: int
    corners: str
    end: tuple[float, float]
    last: int


class Grid(msgspec.Struct, frozen=True):
    """A line of the grid: how high it lies, and the points it stands for."""

    y: float
    points: int


class Mark(msgspec.Struct, frozen=True):
    """A moment written under the chart: where, and after which entry it was."""

    x: float
    at: int


class Row(msgspec.Struct, frozen=True):
    """A row of the table: the moment, whose turn it was, and the points by seat. Only turns that changed them."""

    at: int
    seat: int | None
    points: tuple[int, ...]


class Chart(msgspec.Struct, frozen=True):
    """Points over time. ``part`` is empty for the total."""

    part: str
    width: int
    height: int
    curves: tuple[Curve, ...]
    grid: tuple[Grid, ...]
    marks: tuple[Mark, ...]
    rows: tuple[Row, ...]

    @property
    def flat(self) -> bool:
        """Whether nobody ever had points here."""
        return all(points == 0 for row in self.rows for points in row.points)


def chart(
    part: str,
    lines: Sequence[Sequence[int]],
    moments: Sequence[tuple[int, int | None]],
    *,
    width: int,
    height: int,
    from_zero: bool = True,
) -> Chart:
    """A chart of one line a seat; ``moments``: after which entry each value stood, and whose turn it was.
    ``from_zero``: zero is on it, however far off."""
    least = min(min(line) for line in lines)
    most = max(max(line) for line in lines)
    least, most = (min(0, least), max(1, most)) if from_zero else (least, max(least + 1, most))
    step = _step(most - least, lines=5 if height > 150 else 2)
    bottom, top = least // step * step, -(-most // step) * step
    inside = height - TOP - BOTTOM

    def x(index: int) -> float:
        return round(LEFT + (width - LEFT - RIGHT) * index / max(1, len(moments) - 1), 1)

    def y(points: int) -> float:
        return round(TOP + inside * (top - points) / (top - bottom), 1)

    ends = _spread([y(line[-1]) for line in lines], most=height - BOTTOM)
    curves = tuple(
        Curve(
            seat=seat,
            corners=" ".join(f"{x(index)},{y(points)}" for index, points in enumerate(line)),
            end=(width - RIGHT + 3, ends[seat]),
            last=line[-1],
        )
        for seat, line in enumerate(lines)
    )
    rows = []
    for index, (at, seat) in enumerate(moments):
        now = tuple(line[index] for line in lines)
        if index in {0, len(moments) - 1} or now != tuple(line[index - 1] for line in lines):
            rows.append(Row(at, seat, now))
    grid = tuple(Grid(y(points), points) for points in range(bottom, top + 1, step))
    named = _evenly(len(moments), most=7 if height > 150 else 4)
    marks = tuple(Mark(x(index), moments[index][0]) for index in named)
    return Chart(part, width, height, curves, grid, marks, tuple(rows))


def _evenly(count: int, *, most: int) -> tuple[int, ...]:
    """The first and the last of so many, and some between them, as evenly as may be."""
    steps = max(1, min(most, count) - 1)
    return tuple(sorted({round((count - 1) * step / steps) for step in range(steps + 1)}))


def _step(span: int, *, lines: int) -> int:
    """A round number of points from one line of the grid to the next."""
    for size in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500):
        if span / size <= lines:
            return size
    return 1000


def _spread(heights: Sequence[float], *, most: float) -> dict[int, float]:
    """The same heights, moved apart where they would lie on each other."""
    placed: dict[int, float] = {}
    last = float("-inf")
    order = sorted(range(len(heights)), key=lambda seat: heights[seat])
    for seat in order:
        placed[seat] = last = max(heights[seat], last + APART)
    over = max(0.0, last - most)
    return {seat: round(height - over, 1) for seat, height in placed.items()}
