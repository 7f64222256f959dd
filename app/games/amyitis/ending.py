"""The score sheet of a game that is over."""

import msgspec

from app.games.amyitis.glance import Glance


class Column(msgspec.Struct, frozen=True):
    """A seat's column of the score sheet."""

    seat: int
    colour: int
    name: str
    total: int
    winner: bool


class Row(msgspec.Struct, frozen=True):
    """A part of the score, seat by seat; ``best``: whether it is the most of the row."""

    part: str
    points: tuple[int, ...]
    best: tuple[bool, ...]


class Result(msgspec.Struct, frozen=True):
    """The score sheet; without columns while the game goes on.

    ``won``: how, as the viewer sees it: ``me``, ``other`` or ``shared``; ``by``: the points between first and second,
    ``None`` when all others gave up.
    """

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    won: str = ""
    by: int | None = 0


def result(glance: Glance) -> Result:
    """The sheet, once there is something to write on it."""
    scores = glance.look.scores
    if not glance.look.over or not scores:
        return Result()
    columns = tuple(
        [
            Column(score.seat, score.seat + 1, glance.names[score.seat], score.total, score.rank == 1)
            for score in scores
        ]
    )
    rows = []
    for index, (part, _) in enumerate(scores[0].parts):
        points = tuple([score.parts[index][1] for score in scores])
        most = max(points)
        rows.append(Row(part, points, tuple([value == most > 0 for value in points])))
    winners = [score.seat for score in scores if score.rank == 1]
    return Result(
        columns=columns,
        rows=tuple(rows),
        won="shared" if len(winners) > 1 else "me" if glance.mine and glance.me in winners else "other",
        by=glance.look.lead,
    )
