"""What every seat has left, computed from what is stored alone: whoever computes it again comes to the same.

Server time only, as the database wrote it down. Every seat that must choose has its clock running, several at once.
Taking back gives no time back, and a turn earns its seconds once, however often it is taken back and made again.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from app.services.pace import Pace
from app.services.quiet import NOTHING, Quiet, Span, after, counted

NEVER = datetime.max.replace(tzinfo=UTC)


class Step(msgspec.Struct, frozen=True):
    """An entry of the log, or the beginning: when, who must choose after it (each seat with its turn), and whose it
    was. ``person``: not a bot's; ``moves``: an action, not one taken back; ``rewound``: back to that version."""

    at: datetime
    waiting: Mapping[int, int]
    seat: int | None = None
    person: bool = True
    moves: bool = True
    rewound: int | None = None


class Mark(msgspec.Struct, frozen=True):
    """What befell the table after the entry ``version``; the kinds are told where it is stored."""

    at: datetime
    version: int
    kind: str
    seat: int | None = None
    turn: int | None = None


class Clock(msgspec.Struct, frozen=True):
    """A seat's clock. ``left``: what it has when it next runs, or had at ``since`` if it runs; ``deadline``: when it
    is up. ``up``: it was, in the turn that is open; ``until``: how long its seat is offered to a substitute.
    ``late``: all turns in which it was."""

    left: timedelta
    running: bool = False
    deadline: datetime | None = None
    up: bool = False
    until: datetime | None = None
    late: frozenset[int] = frozenset()


class _Account:
    """One seat's time while the log is gone through."""

    def __init__(self, pace: Pace) -> None:
        self.left = timedelta(seconds=pace.bank)
        self.spent: dict[int, timedelta] = {}
        self.earned: set[int] = set()
        self.pending: dict[int, timedelta] = {}
        """Charged, by turn, since this seat last did something: given back when a bot did it that stands in."""

    def copy(self) -> "_Account":
        again = object.__new__(_Account)
        again.left, again.pending = self.left, dict(self.pending)
        again.spent, again.earned = dict(self.spent), set(self.earned)
        return again


class _Reading:
    def __init__(self, pace: Pace, quiets: Sequence[Quiet | None], gaps: Sequence[Span]) -> None:
        self.pace = pace
        self.quiets = [None if pace.live else quiet for quiet in quiets]
        self.gaps = gaps
        self.accounts = [_Account(pace) for _ in quiets]
        self.up: dict[tuple[int, int], datetime] = {}

    def kept(self) -> tuple[list[_Account], dict[tuple[int, int], datetime]]:
        return [account.copy() for account in self.accounts], dict(self.up)

    def left(self, seat: int, turn: int | None) -> timedelta:
        account = self.accounts[seat]
        if self.pace.live:
            return account.left
        spent = account.spent.get(turn, NOTHING) if turn is not None else NOTHING
        return timedelta(seconds=self.pace.bank) - spent

    def charge(self, waiting: Mapping[int, int], since: datetime, until: datetime) -> None:
        for seat, turn in waiting.items():
            used = min(counted(since, until, self.quiets[seat], self.gaps), self.left(seat, turn))
            self.give(seat, turn, -used)
            pending = self.accounts[seat].pending
            pending[turn] = pending.get(turn, NOTHING) + used

    def give(self, seat: int, turn: int, time: timedelta) -> None:
        account = self.accounts[seat]
        if self.pace.live:
            account.left += time
        else:
            account.spent[turn] = account.spent.get(turn, NOTHING) - time

    def forgive(self, seat: int, turn: int) -> None:
        self.give(seat, turn, self.accounts[seat].pending.get(turn, NOTHING))

    def answered(self, step: Step, before: Mapping[int, int]) -> None:
        seat = step.seat
        if seat is None or seat not in before:
            return
        account, turn = self.accounts[seat], before[seat]
        for_it = (seat, turn) in self.up
        if not step.person and not for_it:
            self.forgive(seat, turn)
        account.pending.clear()
        ended = step.waiting.get(seat) != turn
        if step.moves and ended and (step.person or for_it) and turn not in account.earned:
            account.earned.add(turn)
            account.left += timedelta(seconds=self.pace.gain)

    def begin_anew(self, waiting: Mapping[int, int]) -> None:
        """After a rewind: a turn in which time was up waits again, with all the time there was at first."""
        for seat, turn in waiting.items():
            if self.up.pop((seat, turn), None) is not None:
                account = self.accounts[seat]
                account.spent.pop(turn, None)
                account.pending.clear()
                if self.pace.live:
                    account.left = timedelta(seconds=self.pace.bank)

    def marked(self, mark: Mark, waiting: Mapping[int, int]) -> None:
        seat = mark.seat
        if seat is None:
            return
        account, turn = self.accounts[seat], waiting.get(seat)
        if mark.kind == "up" and mark.turn is not None:
            self.up[seat, mark.turn] = mark.at
        elif mark.kind == "sat":
            self.accounts[seat] = _Account(self.pace)
            self.up = {key: at for key, at in self.up.items() if key[0] != seat}
        elif mark.kind == "back" and turn is not None:
            self.forgive(seat, turn)
        if mark.kind in {"left", "gone", "back"}:
            account.pending.clear()


def read(
    pace: Pace,
    steps: Sequence[Step],
    *,
    quiets: Sequence[Quiet | None],
    marks: Iterable[Mark] = (),
    gaps: Sequence[Span] = (),
) -> tuple[Clock, ...]:
    """All clocks after the last step; ``steps`` begin with the beginning, ``gaps`` are when nobody could play."""
    marks = list(marks)
    gaps = [*gaps, *pauses(marks)]
    reading = _Reading(pace, quiets, gaps)
    wanted = {step.rewound for step in steps if step.rewound is not None}
    kept: dict[int, tuple[list[_Account], dict[tuple[int, int], datetime]]] = {}
    at, waiting = steps[0].at, steps[0].waiting
    opened = dict.fromkeys(waiting, at)
    due = iter(sorted(marks, key=lambda mark: mark.version))
    mark = next(due, None)
    for version, step in enumerate(steps):
        if version:
            reading.charge(waiting, at, step.at)
            at = max(at, step.at)
            if step.rewound is not None and step.rewound in kept:
                accounts, reading.up = kept[step.rewound][0], dict(kept[step.rewound][1])
                reading.accounts = [account.copy() for account in accounts]
                reading.begin_anew(step.waiting)
            else:
                reading.answered(step, waiting)
            opened |= {seat: at for seat, turn in step.waiting.items() if waiting.get(seat) != turn}
            waiting = step.waiting
        while mark is not None and mark.version <= version:
            reading.charge(waiting, at, mark.at)
            at = max(at, mark.at)
            reading.marked(mark, waiting)
            mark = next(due, None)
        if version in wanted:
            kept[version] = reading.kept()
    still = any(ends == NEVER for _, ends in pauses(marks))
    return tuple(
        _clock(reading, seat, waiting.get(seat), at, opened=opened.get(seat, at), still=still)
        for seat in range(len(quiets))
    )


def _clock(reading: _Reading, seat: int, turn: int | None, at: datetime, *, opened: datetime, still: bool) -> Clock:
    """``opened``: when its turn came, or came again because another took theirs back: its seat is offered from then
    on, when time was up before."""
    left = reading.left(seat, turn)
    late = frozenset(turn for whose, turn in reading.up if whose == seat)
    if turn is None:
        return Clock(left, late=late)
    was_up = reading.up.get((seat, turn))
    if was_up is not None:
        until = None
        if reading.pace.up == "substitute" and not still:
            until = after(max(was_up, opened), timedelta(seconds=reading.pace.offer), None, reading.gaps)
        return Clock(NOTHING, up=True, until=until, late=late)
    if still:
        return Clock(left, late=late)
    deadline = after(at, left, reading.quiets[seat], reading.gaps)
    return Clock(left, running=True, deadline=deadline, late=late)


def pauses(marks: Iterable[Mark]) -> list[Span]:
    """When the table stood still by an act of those who keep order; the last may have no end yet."""
    found: list[Span] = []
    began: datetime | None = None
    for mark in marks:
        if mark.kind == "paused" and began is None:
            began = mark.at
        elif mark.kind == "resumed" and began is not None:
            found.append((began, mark.at))
            began = None
    return [*found, (began, NEVER)] if began is not None else found
