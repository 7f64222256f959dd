"""One line of a recorded game: whether it holds where it stands, and what is wrong with it."""

import re
import string
from collections.abc import Callable
from typing import Any

from app.engine import log, notation
from app.engine.contract import AnyGame, Broken

LETTERS = string.ascii_uppercase
SHOWN = 60
"""So much of what a line says is repeated when it is refused."""
NUMBERS = re.compile(r"[0-9]{1,9}(:[0-9]{1,9})*")


class RecordRefused(ValueError):
    """A recorded game that cannot be read or does not hold: the line (0: none), the complaint, and the rule."""

    def __init__(self, line: int, complaint: str, rule: str = "") -> None:
        self.line, self.complaint, self.rule = line, complaint, rule
        where = f"line {line}: " if line else ""
        which = f" (rule {rule})" if rule else ""
        super().__init__(f"{where}{complaint}{which}")


def shortened(text: str, most: int = SHOWN) -> str:
    """The beginning of a text, however long it is."""
    return text if len(text) <= most else f"{text[:most]}…"


def named(seats: list[int]) -> str:
    """Seats as a sentence names them: ``A, B and C``."""
    letters = [LETTERS[seat] for seat in seats]
    return " and ".join([part for part in (", ".join(letters[:-1]), letters[-1]) if part])


def checked(
    game: AnyGame,
    position: log.Position[Any],
    entry: log.Entry,
    *,
    line: int,
    seats: int,
    sentence: Callable[[Broken], str] = str,
) -> log.Position[Any]:
    """The position after one more entry, which came from this line. Raises :class:`RecordRefused`."""

    def refused(complaint: str, rule: str = "") -> RecordRefused:
        return RecordRefused(line, f"{shortened(entry.text)}: {complaint}", rule)

    if entry.seat is not None and entry.seat >= seats:
        raise refused(f"there is no seat {LETTERS[entry.seat]}; this game has {named(list(range(seats)))}")
    if entry.text.startswith((log.UNDO, log.REWIND)):
        complaint = (_undo_fault if entry.text.startswith(log.UNDO) else _rewind_fault)(position, entry)
        if complaint:
            raise refused(complaint)
        return log.append(game, position, entry)
    try:
        action = notation.parse(game, entry.text)
    except notation.NotAnAction as fault:
        raise RecordRefused(line, f"no such action: {shortened(entry.text)}") from fault
    if entry.seat is None:
        raise refused("an action begins with the letter of a seat, not with -")
    if entry.seat not in position.waiting:
        broken = game.why_not(position.state, entry.seat, action) or log.NOT_ASKED
        turn = f" {named(sorted(position.waiting))} must choose." if position.waiting else ""
        raise refused(f"{sentence(broken)}{turn}", broken.rule)
    try:
        return log.append(game, position, entry)
    except log.Refused as fault:
        raise refused(sentence(fault.broken), fault.broken.rule) from fault


def _undo_fault(position: log.Position[Any], entry: log.Entry) -> str:
    """Why this takes nothing back; empty when it does."""
    if entry.seat is None:
        return "a seat takes back its own actions, and - is none"
    if not NUMBERS.fullmatch(entry.text.removeprefix(log.UNDO)):
        return "not well written: undo:5 takes back entry 5, undo:5:6 both"
    seat = LETTERS[entry.seat]
    try:
        allowed = {log.undo(position, entry.seat, whole_turn=whole).text for whole in (False, True)}
    except log.CannotUndo as fault:
        if fault.broken.complaint == "nothing_to_undo":
            return f"{seat} has nothing to take back here"
        latest = next(item.seq for item in reversed(position.played) if item.seat == entry.seat)
        why = {
            "undo_revealed": "something hidden has come to light",
            "undo_answered": "another seat has acted on it",
        }[fault.broken.complaint]
        return f"{seat} can take back nothing any more: entry {latest} stands, since {why}"
    if entry.text in allowed:
        return ""
    return f"{seat} can take back only {' or '.join(sorted(allowed, key=len))} here"


def _rewind_fault(position: log.Position[Any], entry: log.Entry) -> str:
    """Why this sets nothing back: nobody at the table does, and only to where it has been, or is, when the rules have
    changed."""
    to = entry.text.removeprefix(log.REWIND)
    if entry.seat is not None:
        return "nobody at the table sets it back: the line begins with -"
    if not NUMBERS.fullmatch(to) or ":" in to:
        return "not well written: rewind:3 goes back to how the table stood after entry 3"
    if not position.version:
        return "there is no entry to go back to yet"
    if int(to) > position.version:
        return f"only {position.version} entries stand before this one"
    return ""
