"""How a game went, from its log alone: points by source after every turn, and what each seat did how often."""

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from app.engine import log
from app.services import history
from app.services.errors import NotOver
from app.services.held import Held
from app.services.history import Scores

AWAY = timedelta(minutes=10)
"""Whoever takes longer for a move was not thinking about it."""


class Turn(msgspec.Struct, frozen=True):
    """How everybody stood when a turn was over; ``at``: after so many entries. The first is before all turns."""

    at: int
    seat: int | None
    scores: Scores


class Habits(msgspec.Struct, frozen=True):
    """What a seat did: turns, actions that stand, actions taken back, and seconds at the board."""

    seat: int
    turns: int
    actions: int
    taken_back: int
    seconds: int


def turns(held: Held) -> tuple[Turn, ...]:
    """The scores turn by turn. Raises :class:`NotOver` while they may still change."""
    if held.position is None or held.facts.status != "over":
        raise NotOver
    scores = history.scores_by_action(held)
    found = [Turn(0, None, scores[0])]
    last: tuple[int, int] | None = None
    for item, after in zip(held.position.played, scores[1:], strict=True):
        made = Turn(item.seq, item.seat, after)
        if (item.turn, item.seat) == last:
            found[-1] = made
        else:
            found.append(made)
        last = (item.turn, item.seat)
    return tuple(found)


def series(gone: Sequence[Turn], seat: int, part: str = "") -> tuple[int, ...]:
    """A seat's points turn by turn, all in all or of one part."""
    scores = (next(score for score in turn.scores if score.seat == seat) for turn in gone)
    return tuple(dict(score.parts).get(part, 0) if part else score.total for score in scores)


def habits(held: Held) -> tuple[Habits, ...]:
    """What each seat did. Raises :class:`NotOver`."""
    gone = turns(held)
    assert held.position is not None
    standing = {item.seq for item in held.position.played}
    seconds = dict.fromkeys(range(len(held.facts.seats)), 0.0)
    before = held.lines[0].at if held.lines else held.facts.created_at
    for line in held.lines:
        if line.seat is not None:
            seconds[line.seat] += min(line.at - before, AWAY).total_seconds()
        before = line.at
    dropped = [
        line.seat
        for line in held.lines
        if line.seq not in standing and not line.text.startswith((log.UNDO, log.REWIND))
    ]
    return tuple(
        Habits(
            seat=seat,
            turns=sum(turn.seat == seat for turn in gone),
            actions=sum(item.seat == seat for item in held.position.played),
            taken_back=dropped.count(seat),
            seconds=int(seconds[seat]),
        )
        for seat in range(len(held.facts.seats))
    )
