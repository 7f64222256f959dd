"""The log of a table as lines to read: who, what happened, and whether it still stands."""

from datetime import datetime
from typing import Any

import msgspec

from app.engine import log
from app.engine.contract import Event
from app.services.clocks import Mark
from app.services.states import Held

PAGE = 60


class LogLine(msgspec.Struct, frozen=True):
    """One entry. ``kind``: ``action``, ``undo`` or ``rewind``; ``stands``: it was not taken back."""

    seq: int
    seat: int | None
    kind: str
    stands: bool
    events: tuple[Event, ...]
    at: datetime
    mark: int = 0
    """The number of what befell the table besides its moves; ``kind`` says what."""


def log_lines(held: Held, seat: int | None, *, before: int | None = None) -> dict[str, Any]:
    """The newest entries (or those before one), newest first, as ``lines``; ``earlier``: where more begin."""
    assert held.position is not None
    standing = {item.seq: item for item in held.position.played}
    last = held.version if before is None else max(0, min(before - 1, held.version))
    chosen = held.lines[max(0, last - PAGE) : last]
    lines = []
    for line in reversed(chosen):
        item = standing.get(line.seq)
        kind = (
            "undo" if line.text.startswith(log.UNDO) else "rewind" if line.text.startswith(log.REWIND) else "action"
        )
        seen = tuple(event.seen_by(seat) for event in item.events) if item else ()
        lines.append(
            LogLine(
                seq=line.seq,
                seat=line.seat,
                kind=kind,
                stands=item is not None,
                events=tuple(event for event in seen if event is not None),
                at=line.at,
            )
        )
    first = chosen[0].seq if chosen and chosen[0].seq > 1 else 0
    shown = range(first, last + 1)
    befell = [
        mark_line(held, number, mark) for number, mark in enumerate(held.facts.marks, 1) if mark.version in shown
    ]
    lines = sorted([*lines, *befell], key=lambda line: (line.seq, line.mark), reverse=True)
    return {"lines": tuple(lines), "earlier": chosen[0].seq if chosen and chosen[0].seq > 1 else None}


def mark_line(held: Held, number: int, mark: Mark) -> LogLine:
    """What befell the table, after the entry that came before it."""
    kind = f"up_{held.facts.pace.up}" if mark.kind == "up" else mark.kind
    return LogLine(seq=mark.version, seat=mark.seat, kind=kind, stands=True, events=(), at=mark.at, mark=number)
