"""A table as a process knows it: its facts, its log, the position that this adds up to, and its clocks."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from app import games
from app.engine import codec, log
from app.engine.contract import AnyGame
from app.services import clocks, quiet
from app.services.clocks import Clock, Step
from app.services.errors import LogParted
from app.services.facts import TableFacts


class Line(msgspec.Struct, frozen=True):
    """A stored entry with its time."""

    seq: int
    seat: int | None
    text: str
    at: datetime
    person: bool = True
    """Whether a person wrote it, not a bot."""


class Held:
    """A table as this process knows it. ``position`` is there from the start of the game on.

    Whoever moves the table holds ``lock``, so that one process never races itself.
    """

    def __init__(self, facts: TableFacts) -> None:
        self.facts = facts
        self.game: AnyGame = games.load(facts.slug, facts.edition)
        self.position: log.Position[Any] | None = None
        self.lines: list[Line] = []
        self.turns: list[Mapping[int, int]] = []
        """After each entry (and before the first): who must choose, each with its turn; where there are clocks."""
        self._clocks: tuple[tuple[int, int], tuple[Clock, ...]] | None = None
        self.lock = asyncio.Lock()
        self.read = 0
        """When a reading of it began that was shared, on a clock that only counts."""

    @property
    def version(self) -> int:
        """How many entries this process knows."""
        return self.position.version if self.position else 0

    def begin(self) -> log.Position[Any]:
        """The position before the first entry."""
        facts = self.facts
        return log.begin(
            self.game, seats=len(facts.seats), options=facts.options, seed=facts.seed, deal=facts.deal or None
        )

    def at(self, version: int) -> log.Position[Any]:
        """The position after that many entries."""
        if self.position is not None and version >= self.position.version:
            return self.position
        entries = [log.Entry(line.seat, line.text) for line in self.lines[:version]]
        try:
            return log.replay(self.game, self.begin(), entries)
        except Exception as fault:  # a moment that an admin's rewind passed over; what rules say to it is not known
            raise LogParted(seq=version) from fault

    def take(self, position: log.Position[Any], line: Line, facts: TableFacts) -> None:
        """Takes over an entry that was stored."""
        self.goes_to(position)
        self.lines.append(line)
        self.facts = facts

    def goes_to(self, position: log.Position[Any]) -> None:
        """The next position."""
        self.position = position
        self.turns += self.turns_at(position)

    def turns_at(self, position: log.Position[Any]) -> list[Mapping[int, int]]:
        """Who must choose there, each with its turn; nothing at a table without clocks."""
        if not self.facts.pace:
            return []
        return [{each.seat: each.turn for each in self.game.decisions(position.state)}]

    def clocks(self) -> tuple[Clock, ...]:
        """Every seat's clock as it stands after what is known; none at a table without."""
        facts = self.facts
        if not facts.pace or self.position is None or facts.started_at is None:
            return ()
        key = (self.version, facts.changed)
        if self._clocks is None or self._clocks[0] != key:
            read = clocks.read(
                facts.pace,
                [Step(facts.started_at, self.turns[0]), *map(_step, self.lines, self.turns[1:])],
                quiets=[quiet.read(seat.quiet) for seat in facts.seats],
                marks=facts.marks,
                gaps=facts.gaps,
            )
            self._clocks = key, read
        return self._clocks[1]

    def stand_ins(self) -> frozenset[int]:
        """The seats of people for whom a bot plays this turn, because their time is up."""
        if self.facts.pace.up != "bot" or not any(mark.kind == "up" for mark in self.facts.marks):
            return frozenset()
        return frozenset(seat for seat, clock in enumerate(self.clocks()) if clock.up)

    def played_for(self, seat: int | None) -> bool:
        """Whether the turn of a seat's latest action is one that a bot played because time was up; or one that was
        made late, while a substitute might have come: it would open again with no time at all."""
        up = self.facts.pace.up
        if seat is None or self.position is None or up not in {"bot", "substitute"} or not self.clocks():
            return False
        latest = next((item for item in reversed(self.position.played) if item.seat == seat), None)
        if latest is None or latest.turn not in self.clocks()[seat].late:
            return False
        return up == "bot" or self.turns[-1].get(seat) != latest.turn


def _step(line: Line, waiting: Mapping[int, int]) -> Step:
    rewound = int(line.text[len(log.REWIND) :]) if line.text.startswith(log.REWIND) else None
    moves = rewound is None and not line.text.startswith(log.UNDO)
    return Step(line.at, waiting, line.seat, person=line.person, moves=moves, rewound=rewound)


def catch_up(held: Held, facts: TableFacts, entries: list[Any]) -> None:
    """Appends the entries that are new, and checks that they led where they did when they were written."""
    if facts.changed >= held.facts.changed and facts.version >= held.facts.version:
        held.facts = facts
    if facts.status in {"waiting", "cancelled"} and not facts.version:
        return
    if held.position is None:
        held.goes_to(held.begin())
    assert held.position is not None
    position = held.position
    entries = [entry for entry in entries if entry.seq > position.version]
    leap = max((done for done, each in enumerate(entries, 1) if each.text.startswith(log.REWIND)), default=0)
    seq = entries[leap - 1].seq if leap else position.version
    turns: list[Mapping[int, int]] = []
    try:
        if leap:
            before = [log.Entry(each.seat, each.text) for each in entries[:leap]]
            turns += _turns_on_the_way(held, position, before)
            position = log.replay(held.game, position, before)
            turns += held.turns_at(position)
        for each in entries[leap:]:
            seq = each.seq
            position = log.append(held.game, position, log.Entry(each.seat, each.text), trusted=True)
            turns += held.turns_at(position)
    except Exception as fault:  # rules that have changed may say anything to an old action
        raise LogParted(seq=seq) from fault
    if entries and codec.digest(position.state) != entries[-1].digest:
        raise LogParted(seq=seq)
    held.lines += [Line(each.seq, each.seat, each.text, each.at, each.user_id is not None) for each in entries]
    held.turns += turns
    held.position = position


def _turns_on_the_way(
    held: Held, position: log.Position[Any], entries: Sequence[log.Entry]
) -> list[Mapping[int, int]]:
    """Who had to choose after each entry but the last, which is a rewind: nobody where the rules of today do not
    follow what it drops."""
    turns: list[Mapping[int, int]] = []
    for entry in entries[:-1] if held.facts.pace else ():
        try:
            position = log.append(held.game, position, entry, trusted=True)
            turns += held.turns_at(position)
        except Exception:  # as above: rules that have changed may say anything
            position = msgspec.structs.replace(position, version=position.version + 1)
            turns.append({})
    return turns
