"""What every entry of a table's log did to the points: who gained or lost how much, and in which part."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from app.engine.contract import Score
from app.services.held import Held

Scores = tuple[Score, ...]


class Gain(msgspec.Struct, frozen=True):
    """What one entry did to a seat's points: all in all, and part by part where something changed."""

    seat: int
    points: int
    parts: tuple[tuple[str, int], ...]


class _Kept(msgspec.Struct):
    """The scores after each action that stands, the first before all; ``state``: after the last of them."""

    seqs: list[int]
    scores: list[Scores]
    state: Any


_kept: WeakKeyDictionary[Held, _Kept] = WeakKeyDictionary()


def may_tell(held: Held) -> bool:
    """Whether the points may be told: they rest on nothing hidden, or the game is over."""
    return held.game.open_scores or held.facts.status == "over"


def scores_by_action(held: Held) -> Sequence[Scores]:
    """The scores before the first action that stands, and after each. Worked out once, then carried on."""
    position, game = held.position, held.game
    assert position is not None
    known = _kept.get(held)
    played = position.played
    if known is None or not _begins_with(held, known.seqs):
        known = _Kept([], [game.scores(position.first)], position.first)
    for item in played[len(known.seqs) :]:
        known.state = game.apply(known.state, item.seat, item.action).state
        known.scores.append(game.scores(known.state))
        known.seqs.append(item.seq)
    _kept[held] = known
    return known.scores


def _begins_with(held: Held, seqs: Sequence[int]) -> bool:
    """Whether what stands begins with these. What was taken back never stands again, so the last one tells."""
    assert held.position is not None
    played = held.position.played
    return not seqs or (len(played) >= len(seqs) and played[len(seqs) - 1].seq == seqs[-1])


def gains_by_entry(held: Held) -> dict[int, tuple[Gain, ...]]:
    """What each standing action did to the points, by its number; nothing where they may not be told yet."""
    if held.position is None or not may_tell(held):
        return {}
    scores = scores_by_action(held)
    pairs = zip(held.position.played, scores, scores[1:], strict=False)
    return {item.seq: found for item, before, after in pairs if (found := gains(before, after))}


def gains(before: Scores, after: Scores) -> tuple[Gain, ...]:
    """The seats whose points differ, each with the parts that do."""
    found = []
    for old, new in zip(before, after, strict=True):
        less = dict(old.parts)
        parts = tuple((name, points - less.get(name, 0)) for name, points in new.parts if points != less.get(name, 0))
        if parts:
            found.append(Gain(new.seat, new.total - old.total, parts))
    return tuple(found)
