"""The log of a table as lines to read: who, what happened, what it did to the points, and whether it still stands."""

from datetime import datetime
from typing import Any

import msgspec

from app.db.audit import Act
from app.engine import log
from app.engine.contract import Event
from app.services import history
from app.services.held import Held, Line
from app.services.history import Gain
from app.web.drawing import kind_of

PAGE = 60
POINTS = "points"
UNDONE = "undone"
TOLD_BY_ACTS = frozenset({"paused", "resumed"})


class LogLine(msgspec.Struct, frozen=True):
    """One entry. ``kind``: ``action``, ``undo`` or ``rewind``; ``stands``: it was not taken back. Or what an admin
    did to the table (``act``), or what befell it (``mark``), after the entry of that number."""

    seq: int
    seat: int | None
    kind: str
    stands: bool
    events: tuple[Event, ...]
    at: datetime
    gains: tuple[Gain, ...] = ()
    act: Act | None = None
    mark: int = 0
    """The number of what befell the table besides its moves; ``kind`` says what."""


class Wanted(msgspec.Struct, frozen=True):
    """Which lines: of a seat (``None``: of all), and of a kind: of an event (``took``), ``points``, the points of
    one part (``points:trees``), or what was taken back (``undone``). Of points, those of the seat."""

    seat: int | None = None
    what: str = ""

    @property
    def everything(self) -> bool:
        """Whether no line is left out."""
        return self.seat is None and not self.what

    def has(self, line: LogLine) -> bool:
        """Whether the line is one of them."""
        if self.what.startswith(POINTS):
            part = self.what.removeprefix(POINTS).removeprefix(":")
            return any(
                (self.seat is None or gain.seat == self.seat) and (not part or part in dict(gain.parts))
                for gain in line.gains
            )
        if self.seat is not None and line.seat != self.seat:
            return False
        if self.what == UNDONE:
            return line.kind != "action" or not line.stands
        return not self.what or any(kind_of(event) == self.what for event in line.events)


def wanted(held: Held, who: str, what: str) -> Wanted:
    """What was asked for, as far as it makes sense at this table."""
    seats = [str(seat) for seat in range(len(held.facts.seats))]
    kinds = {str(kind.__struct_config__.tag) for kind in held.game.event_types}
    known = {POINTS, UNDONE, *kinds, *(f"{POINTS}:{part}" for part in parts_of(held))}
    return Wanted(int(who) if who in seats else None, what if what in known else "")


def parts_of(held: Held) -> tuple[str, ...]:
    """The parts that points are made of, where points may be told."""
    if held.position is None or not history.may_tell(held):
        return ()
    return tuple(name for name, _ in held.game.scores(held.position.state)[0].parts)


def every_line(held: Held, seat: int | None) -> tuple[LogLine, ...]:
    """All entries, the oldest first, as a seat may know them."""
    assert held.position is not None
    standing = {item.seq: item for item in held.position.played}
    gained = history.gains_by_entry(held)

    def made(line: Line) -> LogLine:
        item = standing.get(line.seq)
        kind = (
            "undo" if line.text.startswith(log.UNDO) else "rewind" if line.text.startswith(log.REWIND) else "action"
        )
        seen = tuple(event.seen_by(seat) for event in item.events) if item else ()
        return LogLine(
            seq=line.seq,
            seat=line.seat,
            kind=kind,
            stands=item is not None,
            events=tuple(event for event in seen if event is not None),
            at=line.at,
            gains=gained.get(line.seq, ()),
        )

    return tuple(made(line) for line in held.lines)


def log_lines(
    held: Held, seat: int | None, *, before: int | None = None, want: Wanted | None = None
) -> dict[str, Any]:
    """The newest entries (or those before one) that are wanted, newest first, as ``lines``, and when all are wanted
    also what befell the table meanwhile; ``earlier``: where more begin; ``want``."""
    want = want or Wanted()
    last = held.version if before is None else max(0, min(before - 1, held.version))
    found = [line for line in every_line(held, seat)[:last] if want.has(line)]
    chosen = found[-PAGE:]
    earlier = chosen[0] if len(found) > len(chosen) else None
    if want.everything:
        until = held.lines[last].at if last < held.version else None
        chosen += [
            line
            for line in (*_acts(held), *_marks(held))
            if (earlier is None or line.at >= earlier.at) and (until is None or line.at < until)
        ]
    lines = sorted(chosen, key=lambda line: line.at)
    return {"lines": tuple(reversed(lines)), "earlier": earlier.seq if earlier else None, "want": want}


def _acts(held: Held) -> list[LogLine]:
    """What admins did to the table."""
    return [LogLine(0, None, "act", stands=True, events=(), at=act.at, act=act) for act in held.facts.acts]


def _marks(held: Held) -> list[LogLine]:
    """What befell the table besides its moves, but for what an act of an admin tells already."""
    return [
        LogLine(
            seq=mark.version,
            seat=mark.seat if mark.kind != "agreed" else None,
            kind=f"up_{held.facts.pace.up}" if mark.kind == "up" else mark.kind,
            stands=True,
            events=(),
            at=mark.at,
            mark=number,
        )
        for number, mark in enumerate(held.facts.marks, 1)
        if mark.kind not in TOLD_BY_ACTS
    ]


def kinds_of(held: Held) -> tuple[str, ...]:
    """The kinds of events of a game, in their order; those that have a name can be asked for."""
    return tuple(str(kind.__struct_config__.tag) for kind in held.game.event_types)
