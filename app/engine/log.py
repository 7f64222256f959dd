"""The log of a table: appended to, never changed; a position is what it adds up to.

An entry is an action (``take:1:2``), an undo that names the entries it drops (``undo:5:6``), or a rewind, which drops
all that stands after entry 4 (``rewind:4``). Entries are numbered from 1; a version is their number.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from app.engine import notation
from app.engine.contract import AnyGame, Broken, Event
from app.engine.rng import Chance, Rng

S = TypeVar("S", bound=msgspec.Struct)

UNDO = "undo:"
REWIND = "rewind:"
NOT_ASKED = Broken("not_your_decision")


class Entry(msgspec.Struct, frozen=True):
    """One line of the log; ``seat`` is ``None`` when nobody at the table wrote it."""

    seat: int | None
    text: str


class Played(msgspec.Struct, frozen=True):
    """An action that stands: its number, and what is needed to explain it or take it back.

    ``since`` is the version at which the decision it answered had opened.
    """

    seq: int
    seat: int
    action: Any
    since: int
    turn: int
    events: tuple[Event, ...]
    reveals: bool


def told(played: Iterable[Played], seat: int | None) -> tuple[Event, ...]:
    """What these actions brought, as far as a seat, or a spectator, may know it."""
    seen = (event.seen_by(seat) for item in played for event in item.events)
    return tuple([event for event in seen if event is not None])


class Position(msgspec.Struct, Generic[S], frozen=True):
    """A table at some version. ``waiting`` maps each seat that must choose to the version it opened at."""

    first: S
    state: S
    version: int
    waiting: Mapping[int, int]
    played: tuple[Played, ...]

    @property
    def over(self) -> bool:
        """Whether nobody has anything left to choose."""
        return not self.waiting


class Refused(Exception):
    """The rules say no; ``broken`` says which one and why."""

    def __init__(self, broken: Broken) -> None:
        self.broken = broken
        super().__init__(f"{broken.complaint} {broken.rule} {dict(broken.facts)}".strip())


class CannotUndo(Refused):
    """Nothing to take back, or it cannot be taken back any more."""


def begin(
    game: AnyGame,
    *,
    seats: int,
    options: Mapping[str, str],
    seed: str,
    deal: Mapping[str, Sequence[str]] | None = None,
    steady: bool = False,
) -> Position[Any]:
    """The position before the first action. ``steady``: see :class:`~app.engine.rng.Chance`.

    Raises ``OptionRefused`` or ``DealRefused``.
    """
    chance = Chance(Rng(seed), deal, steady=steady)
    state = game.setup(seats, game.options_for(seats, options), chance)
    chance.done()
    return opened(game, state)


def opened(game: AnyGame, state: Any) -> Position[Any]:
    """The position that begins with a state: the first of a log."""
    waiting = {decision.seat: 0 for decision in game.decisions(state)}
    return Position(first=state, state=state, version=0, waiting=waiting, played=())


def act(game: AnyGame, position: Position[Any], seat: int, action: Any) -> Position[Any]:
    """The position after one more action. Raises :class:`Refused` when it is not legal."""
    broken = game.why_not(position.state, seat, action)
    if broken is not None:
        raise Refused(broken)
    return _acted(game, position, seat, action)


def _acted(game: AnyGame, position: Position[Any], seat: int, action: Any) -> Position[Any]:
    before = {decision.seat: decision for decision in game.decisions(position.state)}
    step = game.apply(position.state, seat, action)
    version = position.version + 1
    played = Played(
        seq=version,
        seat=seat,
        action=action,
        since=position.waiting[seat],
        turn=before[seat].turn,
        events=step.events,
        reveals=step.reveals,
    )
    return Position(
        first=position.first,
        state=step.state,
        version=version,
        waiting=_waiting(game, position, step.state, version, actor=seat),
        played=(*position.played, played),
    )


def _waiting(
    game: AnyGame, position: Position[Any], state: Any, version: int, *, actor: int | None
) -> dict[int, int]:
    """A decision that somebody else's entry left as it was stays open since when it opened."""
    before = {decision.seat: decision for decision in game.decisions(position.state)}
    return {
        decision.seat: position.waiting[decision.seat]
        if decision.seat != actor and before.get(decision.seat) == decision
        else version
        for decision in game.decisions(state)
    }


def append(game: AnyGame, position: Position[Any], entry: Entry, *, trusted: bool = False) -> Position[Any]:
    """The position after one more entry.

    ``trusted`` entries come from the stored log: they were legal once and are not asked again.
    Raises :class:`Refused`, ``NotAnAction``.
    """
    if entry.text.startswith(REWIND):
        kept = int(entry.text[len(REWIND) :])
        stands = [(item.seq, item.seat, item.action) for item in position.played if item.seq <= kept]
        return _set_back(game, position.first, stands, version=position.version + 1)
    if entry.text.startswith(UNDO):
        dropped = {int(number) for number in entry.text[len(UNDO) :].split(":")}
        return _without(game, position, dropped, actor=entry.seat)
    if entry.seat is None or entry.seat not in position.waiting:
        raise Refused(NOT_ASKED)
    action = notation.parse(game, entry.text)
    return _acted(game, position, entry.seat, action) if trusted else act(game, position, entry.seat, action)


def _without(game: AnyGame, position: Position[Any], dropped: set[int], *, actor: int | None) -> Position[Any]:
    """Replays what stands, each action keeping its number."""
    stands = [(item.seq, item.seat, item.action) for item in position.played if item.seq not in dropped]
    again = _stood(game, position.first, stands)
    version = position.version + 1
    return msgspec.structs.replace(
        again, version=version, waiting=_waiting(game, position, again.state, version, actor=actor)
    )


def _stood(game: AnyGame, first: Any, stands: Iterable[tuple[int, int, Any]]) -> Position[Any]:
    """The position that these actions lead to: number, seat and action of each."""
    position = opened(game, first)
    for seq, seat, action in stands:
        position = msgspec.structs.replace(position, version=seq - 1)
        if seat not in position.waiting:
            raise Refused(NOT_ASKED)
        position = _acted(game, position, seat, action)
    return position


def _set_back(game: AnyGame, first: Any, stands: Iterable[tuple[int, int, Any]], *, version: int) -> Position[Any]:
    """What a rewind leads to: every decision opens anew."""
    again = _stood(game, first, stands)
    return msgspec.structs.replace(again, version=version, waiting=dict.fromkeys(again.waiting, version))


def replay(game: AnyGame, first: Position[Any], entries: Iterable[Entry], *, trusted: bool = True) -> Position[Any]:
    """The position that a log leads to. What a later rewind drops need not be possible any more, when the entries are
    ``trusted``: that is how a table is set right whose log parted ways."""
    entries = list(entries)
    position, done = first, 0
    last = next((index for index in reversed(range(len(entries))) if entries[index].text.startswith(REWIND)), None)
    if trusted and last is not None:
        done = last + 1
        position = _set_back(game, first.first, _standing(game, first, entries[:done]), version=first.version + done)
    for entry in entries[done:]:
        position = append(game, position, entry, trusted=trusted)
    return position


def _standing(game: AnyGame, first: Position[Any], entries: Sequence[Entry]) -> Iterable[tuple[int, int, Any]]:
    """The actions that stand after these entries, read from the entries alone. Raises ``NotAnAction``."""
    stands: dict[int, tuple[int, Any]] = {item.seq: (item.seat, item.action) for item in first.played}
    for seq, entry in enumerate(entries, start=first.version + 1):
        if entry.text.startswith(REWIND):
            kept = int(entry.text[len(REWIND) :])
            stands = {number: item for number, item in stands.items() if number <= kept}
        elif entry.text.startswith(UNDO):
            for number in entry.text[len(UNDO) :].split(":"):
                stands.pop(int(number), None)
        elif entry.seat is not None:
            stands[seq] = entry.seat, entry.text
    for seq, (seat, action) in stands.items():
        yield seq, seat, notation.parse(game, action) if isinstance(action, str) else action


def undo(position: Position[Any], seat: int, *, whole_turn: bool = False) -> Entry:
    """The entry that takes back the seat's latest action, or all of its turn as far as that goes.

    Raises :class:`CannotUndo`: ``nothing_to_undo``, ``undo_revealed`` (something hidden came to light),
    ``undo_answered`` (another seat has acted on it).
    """
    dropped: list[int] = []
    turn: int | None = None
    for index in range(len(position.played) - 1, -1, -1):
        item = position.played[index]
        if item.seat != seat:
            continue
        if turn is not None and item.turn != turn:
            break
        fault = _tied(position.played[index:], seat)
        if fault:
            if not dropped:
                raise CannotUndo(Broken(fault))
            break
        dropped.append(item.seq)
        turn = item.turn
        if not whole_turn:
            break
    if not dropped:
        raise CannotUndo(Broken("nothing_to_undo"))
    return Entry(seat, UNDO + ":".join(str(number) for number in reversed(dropped)))


def _tied(played: Sequence[Played], seat: int) -> str:
    """Why the first of these can no longer be taken back; empty when it can."""
    first = played[0]
    if first.reveals:
        return "undo_revealed"
    for item in played[1:]:
        if item.seat != seat and item.since >= first.seq:
            return "undo_answered"
        if item.reveals:
            return "undo_revealed"
    return ""
