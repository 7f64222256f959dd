"""The promises that every game keeps, as checks on one position or one whole game of any rules."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from app.engine import codec, log, notation
from app.engine.bots import RandomBot
from app.engine.contract import AnyGame
from app.engine.playout import playout
from app.engine.rng import Rng

ROOT = Path(__file__).parent.parent
UNDONE = 60
"""So many actions of a long game are taken back: each replays all before it."""


def random_game(
    game: AnyGame, *, seats: int, seed: str, options: dict[str, str] | None = None
) -> list[log.Position[Any]]:
    """Every position of one random game."""
    return list(playout(game, seats=seats, seed=seed, bots=(RandomBot(),), options=options))


def viewers(positions: list[log.Position[Any]], seats: int) -> Iterator[int | None]:
    """Every seat, and a spectator."""
    assert positions
    yield from range(seats)
    yield None


def check_decisions(game: AnyGame, position: log.Position[Any], seats: int) -> None:
    """A seat that must choose can, the others cannot; no seat is asked twice; nothing is listed twice."""
    deciding = [decision.seat for decision in game.decisions(position.state)]
    assert len(set(deciding)) == len(deciding)
    assert set(deciding) == set(position.waiting)
    for seat in range(seats):
        actions = game.actions(position.state, seat)
        assert bool(actions) == (seat in deciding)
        texts = [notation.write(action) for action in actions]
        assert len(set(texts)) == len(texts)


def check_legality_is_membership(game: AnyGame, position: log.Position[Any], strangers: set[str]) -> None:
    """Every listed action is allowed, and no action seen elsewhere in the game is unless it is listed."""
    for seat in position.waiting:
        listed = {notation.write(action) for action in game.actions(position.state, seat)}
        for text in listed | strangers:
            action = notation.parse(game, text)
            assert game.allows(position.state, seat, action) == (text in listed), (seat, text)
            broken = game.why_not(position.state, seat, action)
            assert (broken is None) == (text in listed), (seat, text, broken)


def check_apply(game: AnyGame, position: log.Position[Any]) -> None:
    """Every listed action applies, leaves its argument as it was, and gives the same state twice."""
    before = codec.encode(position.state)
    for seat in position.waiting:
        for action in game.actions(position.state, seat):
            step = game.apply(position.state, seat, action)
            assert codec.encode(position.state) == before
            assert codec.encode(game.apply(position.state, seat, action).state) == codec.encode(step.state)
            for event in step.events:
                assert isinstance(event, game.event_types)


def check_round_trips(game: AnyGame, position: log.Position[Any]) -> None:
    """Action to text and back, state to JSON and back, are the same action and the same state."""
    data = codec.encode(position.state)
    assert codec.decode(game.state_type, data) == position.state
    assert codec.encode(codec.decode(game.state_type, data)) == data
    for seat in position.waiting:
        for action in game.actions(position.state, seat):
            assert notation.parse(game, notation.write(action)) == action
            assert isinstance(action, game.action_types)


def check_undo(game: AnyGame, before: log.Position[Any], after: log.Position[Any]) -> None:
    """Taking back an action is as never having acted; what revealed something cannot be taken back."""
    seat = after.played[-1].seat
    if after.played[-1].reveals:
        try:
            log.undo(after, seat)
        except log.CannotUndo as fault:
            assert fault.broken.complaint == "undo_revealed"
        else:
            raise AssertionError("an action that revealed something was taken back")
        return
    undone = log.append(game, after, log.undo(after, seat))
    assert codec.encode(undone.state) == codec.encode(before.state)
    assert set(undone.waiting) == set(before.waiting)
    assert undone.version == after.version + 1


def check_replay(game: AnyGame, positions: list[log.Position[Any]]) -> None:
    """Replaying any beginning of the log gives the state at that time, with every action asked again."""
    again = positions[0]
    for position in positions[1:]:
        last = position.played[-1]
        again = log.append(game, again, log.Entry(last.seat, notation.write(last.action)))
        assert codec.digest(again.state) == codec.digest(position.state)
        assert again.waiting == position.waiting


def check_order_of_sealing(game: AnyGame, before: log.Position[Any], seed: str) -> None:
    """When several seats choose at once, it does not matter who is first."""
    seats = sorted(before.waiting)
    if len(seats) < 2:
        return
    chosen = {seat: Rng(f"{seed}{seat}").choice(game.actions(before.state, seat))[0] for seat in seats}
    ends = []
    for order in (seats, seats[::-1]):
        position = before
        for seat in order:
            if position.waiting.get(seat) == before.waiting[seat]:
                position = log.act(game, position, seat, chosen[seat])
        ends.append(codec.encode(position.state))
    assert ends[0] == ends[1]


def check_scores(game: AnyGame, position: log.Position[Any], seats: int) -> None:
    """The parts add up to the total, every seat has a score, and ranks follow totals and tie-breaks."""
    scores = game.scores(position.state)
    assert [score.seat for score in scores] == list(range(seats))
    for score in scores:
        assert score.total == sum(points for _, points in score.parts)
        assert len({name for name, _ in score.parts}) == len(score.parts)
        assert score.rank >= 1
    for one in scores:
        for other in scores:
            keys = (one.total, one.tie_break), (other.total, other.tie_break)
            if seats > 1:
                assert (one.rank < other.rank) == (keys[0] > keys[1])


def check_open_scores(game: AnyGame, position: log.Position[Any], seed: str) -> None:
    """Where points are open, they follow from what everybody knows."""
    if game.open_scores or position.over:
        imagined = game.imagine(game.view(position.state, None), None, Rng(seed))
        assert game.scores(imagined) == game.scores(position.state)


def check_no_leak(game: AnyGame, position: log.Position[Any], seat: int | None, seed: str) -> bool:
    """Permute everything the seat cannot know: its view stays byte-identical, and so do its legal actions.

    Returns whether anything was in fact permuted.
    """
    view = game.view(position.state, seat)
    assert isinstance(view, game.view_type)
    seen = codec.encode(view)
    other = game.imagine(view, seat, Rng(seed))
    assert codec.encode(game.view(other, seat)) == seen
    assert game.imagine(view, seat, Rng(seed)) == other
    assert game.decisions(other) == game.decisions(position.state)
    if seat is not None:
        assert game.actions(other, seat) == game.actions(position.state, seat)
    assert codec.encode(codec.decode(game.view_type, seen)) == seen
    return codec.encode(other) != codec.encode(position.state)


def check_events_do_not_leak(game: AnyGame, position: log.Position[Any], seat: int | None) -> None:
    """An event as a seat sees it stays what it is when that seat is asked again."""
    for event in position.played[-1].events if position.played else ():
        seen = event.seen_by(seat)
        assert seen is None or seen.seen_by(seat) == seen


def digests_in_another_process(slug: str, seats: int, seed: str, hash_seed: str) -> list[str]:
    """The digests of a random game, computed by a fresh interpreter with that hash seed."""
    program = (
        "import sys; from app.games import load; from app.engine import codec\n"
        "from app.engine.playout import playout; from app.engine.bots import RandomBot\n"
        "slug, seats, seed = sys.argv[1:]\n"
        "for p in playout(load(slug), seats=int(seats), seed=seed, bots=(RandomBot(),)):\n"
        "    print(codec.digest(p.state))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, slug, str(seats), seed],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def keep_all(game: AnyGame, *, seats: int, seed: str, options: dict[str, str] | None = None) -> None:
    """Puts every promise to one random game."""
    positions = random_game(game, seats=seats, seed=seed, options=options)
    assert len(positions) - 1 <= game.longest
    assert positions[-1].over
    assert not game.decisions(positions[-1].state)
    strangers = {notation.write(item.action) for item in positions[-1].played}
    for position in positions:
        check_decisions(game, position, seats)
        check_round_trips(game, position)
        check_scores(game, position, seats)
        check_open_scores(game, position, f"{seed}/open/{position.version}")
        check_order_of_sealing(game, position, seed)
        for seat in viewers(positions, seats):
            check_no_leak(game, position, seat, f"{seed}/{position.version}")
            check_events_do_not_leak(game, position, seat)
    rng = Rng(seed)
    for _ in range(3):
        position, rng = rng.choice(positions)
        check_legality_is_membership(game, position, strangers)
        check_apply(game, position)
    pairs = tuple(pairwise(positions))
    if len(pairs) > UNDONE:
        pairs = rng.shuffled(pairs)[0][:UNDONE]
    for before, after in pairs:
        check_undo(game, before, after)
    check_replay(game, positions)


def all_states_are_frozen(kind: type[msgspec.Struct]) -> bool:
    """Whether a value of this type cannot be changed."""
    return bool(kind.__struct_config__.frozen)
