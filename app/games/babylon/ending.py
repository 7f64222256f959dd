"""The score sheet of a game that is over."""

import msgspec

from app.games.babylon.glance import Glance
from app.games.babylon.standing import LETTERS


class Column(msgspec.Struct, frozen=True):
    """A seat's column of the score sheet; ``href``: the address of this page with that garden at the centre."""

    colour: int
    name: str
    total: int
    winner: bool
    href: str


class Row(msgspec.Struct, frozen=True):
    """A part of the score, seat by seat; ``best``: whether it is the most of the row."""

    part: str
    letter: str
    points: tuple[int, ...]
    best: tuple[bool, ...]


class Result(msgspec.Struct, frozen=True):
    """The score sheet; without columns while the game goes on.

    ``won``: how, as the viewer sees it: ``me``, ``other``, ``shared``; ``by``: the points between the first and the
    second, 0 when the tie-break decided, ``None`` when all others gave up. ``holes``: visible board holes by seat,
    only in a tie (13.2).
    """

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    won: str = ""
    by: int | None = 0
    holes: tuple[int, ...] = ()


def result(glance: Glance) -> Result:
    """The sheet, once there is something to write on it."""
    scores = glance.look.scores
    if not glance.look.over or not scores:
        return Result()
    columns = tuple(
        [
            Column(
                colour=score.seat + 1,
                name=glance.names[score.seat],
                total=score.total,
                winner=score.rank == 1,
                href=glance.look.address(garden="" if score.seat == glance.me else str(score.seat)),
            )
            for score in scores
        ]
    )
    rows = []
    for index, (part, _) in enumerate(scores[0].parts):
        points = tuple([score.parts[index][1] for score in scores])
        most = max(points)
        rows.append(Row(part, LETTERS[part], points, tuple([value == most > 0 for value in points])))
    winners = [score.seat for score in scores if score.rank == 1]
    won = "shared" if len(winners) > 1 else "me" if glance.mine and glance.me in winners else "other"
    tied = won == "shared" or glance.look.lead == 0
    return Result(
        columns=columns,
        rows=tuple(rows),
        won=won,
        by=0 if tied else glance.look.lead,
        holes=tuple([-score.tie_break[0] for score in scores]) if tied else (),
    )
