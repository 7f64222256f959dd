"""Recorded games as text: a header, then one action a line; made to be read, written by hand and compared.

::

    game: hanging_gardens
    revision: 1
    edition: house 0123456789abcdef
    seats: 2
    options: first=random
    seed: 5f0c…
    deal.deck: G01 G17 G30

    A take:1:1:1:0
    B take:2:1:1:0
    A undo:1
    - rewind:0

    score A 48 irrigation=7 flowers=10

``#`` begins a comment. A deal may name the first items of a pile only; the seed (or, without one, the
header itself) decides the rest.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from app.engine import log
from app.engine.contract import AnyGame, Broken, OptionRefused, Score
from app.engine.line import LETTERS, RecordRefused, checked, shortened
from app.engine.rng import DealRefused

__all__ = [
    "LETTERS",
    "Record",
    "RecordRefused",
    "first_position",
    "read",
    "record_of",
    "replay",
    "score_line",
    "seed_of",
    "shortened",
    "write",
]

HEADER = ("game", "revision", "edition", "seats", "options", "seed")
DEAL = "deal."
LONGEST = 250
"""A score is repeated as it is written, unless it is longer than any."""


class Record(msgspec.Struct, frozen=True):
    """A whole game as written down. ``lines`` are the line numbers of the entries, from 1; ``head_lines`` those of
    the header, by what stands there (``seats``, ``deal.deck``)."""

    game: str
    revision: int
    edition: str
    digest: str
    seats: int
    options: Mapping[str, str]
    seed: str
    deal: Mapping[str, tuple[str, ...]]
    entries: tuple[log.Entry, ...]
    lines: tuple[int, ...]
    scores: tuple[str, ...] = ()
    score_lines: tuple[int, ...] = ()
    head_lines: Mapping[str, int] = {}

    def line_of(self, key: str) -> int:
        """The line of the header on which ``key`` stands; 0: on none."""
        return self.head_lines.get(key, 0)


def score_line(score: Score) -> str:
    """A score as its line says it."""
    parts = "".join(f" {name}={points}" for name, points in score.parts)
    return f"{LETTERS[score.seat]} {score.total}{parts}"


def write(record: Record) -> str:
    """The record as text."""
    head = [
        f"game: {record.game}",
        f"revision: {record.revision}",
        f"edition: {record.edition} {record.digest}".rstrip(),
        f"seats: {record.seats}",
    ]
    if record.options:
        head.append("options: " + " ".join(f"{name}={value}" for name, value in sorted(record.options.items())))
    if record.seed:
        head.append(f"seed: {record.seed}")
    head += [f"deal.{pile}: {' '.join(items)}" for pile, items in record.deal.items()]
    body = [f"{'-' if entry.seat is None else LETTERS[entry.seat]} {entry.text}" for entry in record.entries]
    tail = [f"score {score}" for score in record.scores]
    return "\n".join(part for block in (head, body, tail) if block for part in (*block, "")).rstrip("\n") + "\n"


def read(text: str) -> Record:
    """The record that ``text`` writes. Raises :class:`RecordRefused`; no rule is asked yet."""
    head: dict[str, str] = {}
    head_lines: dict[str, int] = {}
    entries: list[log.Entry] = []
    lines: list[int] = []
    scores: list[str] = []
    score_lines: list[int] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        first, _, rest = line.partition(" ")
        rest = rest.strip()
        if first.endswith(":"):
            key = first[:-1]
            if entries:
                raise RecordRefused(number, f"{shortened(key)}: the header ends where the actions begin")
            if key in head:
                raise RecordRefused(number, f"{shortened(key)}: stands twice")
            if key not in HEADER and not key.startswith(DEAL):
                raise RecordRefused(number, f"{shortened(key)}: no such header")
            head[key], head_lines[key] = rest, number
        elif first == "score":
            scores.append(" ".join(rest.split()))
            score_lines.append(number)
        elif first == "-" or (len(first) == 1 and first in LETTERS):
            if scores:
                raise RecordRefused(number, f"{shortened(line)}: stands after the scores, and nothing is played then")
            entries.append(log.Entry(None if first == "-" else LETTERS.index(first), rest))
            lines.append(number)
        else:
            raise RecordRefused(number, f"neither a header nor an action of a seat: {shortened(line)}")
    made = _headed(head, head_lines)
    return msgspec.structs.replace(
        made, entries=tuple(entries), lines=tuple(lines), scores=tuple(scores), score_lines=tuple(score_lines)
    )


def _headed(head: Mapping[str, str], lines: Mapping[str, int]) -> Record:
    """The record with nothing but its header."""
    for key in ("game", "seats"):
        if key not in head:
            raise RecordRefused(0, f"{key}: missing from the header")

    def number(key: str, default: int) -> int:
        value = head.get(key, str(default))
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise RecordRefused(lines[key], f"{key}: not a number: {shortened(value, 20)}")
        return int(value)

    options: dict[str, str] = {}
    for word in head.get("options", "").split():
        name, equals, value = word.partition("=")
        if not equals:
            raise RecordRefused(lines["options"], f"options: not name=value: {shortened(word)}")
        if name in options:
            raise RecordRefused(lines["options"], f"options: {shortened(name)}: stands twice")
        options[name] = value
    edition, _, digest = head.get("edition", "house").partition(" ")
    return Record(
        game=head["game"],
        revision=number("revision", 0),
        edition=edition,
        digest=digest.strip(),
        seats=number("seats", 0),
        options=options,
        seed=head.get("seed", ""),
        deal={key.removeprefix(DEAL): tuple(items.split()) for key, items in head.items() if key.startswith(DEAL)},
        entries=(),
        lines=(),
        head_lines=lines,
    )


def seed_of(record: Record) -> str:
    """The seed that decides what the deal leaves open: what has been dealt does not change it."""
    return record.seed or sha256(repr((record.game, record.seats, [])).encode()).hexdigest()


def first_position(game: AnyGame, record: Record) -> log.Position[Any]:
    """The position before the first action. Raises :class:`RecordRefused`."""

    def refused(key: str, complaint: object) -> RecordRefused:
        return RecordRefused(record.line_of(key), str(complaint))

    if record.seats not in game.seats:
        fitting = f"{game.slug} is for {game.seats[0]} to {game.seats[-1]}, not {record.seats}"
        raise refused("seats", f"seats: {fitting}")
    if record.digest and record.digest != game.edition.digest:
        here = f"the contents of {shortened(record.edition)} have the sum {game.edition.digest} here"
        raise refused("edition", f"edition: {here}, not {shortened(record.digest)}: it is another box")
    try:
        return log.begin(
            game,
            seats=record.seats,
            options=record.options,
            seed=seed_of(record),
            deal=record.deal,
            steady=not record.seed,
        )
    except OptionRefused as fault:
        raise refused("options", fault) from fault
    except DealRefused as fault:
        raise refused(f"{DEAL}{fault.pile}", fault) from fault


def replay(
    game: AnyGame, record: Record, *, until: int | None = None, sentence: Callable[[Broken], str] = str
) -> log.Position[Any]:
    """The position that the record leads to, every action checked against the rules.

    ``until``: after that many entries. Raises :class:`RecordRefused` for the first line that does not hold,
    the final scores included (when the whole record is replayed and the game is over).
    """
    position = first_position(game, record)
    count = len(record.entries) if until is None else min(until, len(record.entries))
    for entry, line in zip(record.entries[:count], record.lines[:count], strict=True):
        position = checked(game, position, entry, line=line, seats=record.seats, sentence=sentence)
    if count == len(record.entries) and record.scores:
        _check_scores(game, position, record)
    return position


def _check_scores(game: AnyGame, position: log.Position[Any], record: Record) -> None:
    if not position.over:
        raise RecordRefused(record.score_lines[0], "scores stand here, but the game is not over")
    final = [score_line(score) for score in game.scores(position.state)]
    for line, written in zip(record.score_lines, record.scores, strict=True):
        if written not in final:
            fitting = next((text for text in final if text[0] == written[:1]), "that there is no such seat")
            raise RecordRefused(line, f"score: recorded is {shortened(written, LONGEST)}; the rules say {fitting}")
    if sorted(record.scores) != sorted(final):
        raise RecordRefused(record.score_lines[-1], f"every seat's score stands once: {len(final)} expected")


def record_of(
    game: AnyGame,
    *,
    seats: int,
    options: Mapping[str, str],
    seed: str,
    entries: Sequence[log.Entry],
    scores: Sequence[Score] = (),
    deal: Mapping[str, tuple[str, ...]] | None = None,
) -> Record:
    """A record of a game that was played here."""
    return Record(
        game=game.slug,
        revision=game.revision,
        edition=game.edition.name,
        digest=game.edition.digest,
        seats=seats,
        options=dict(options),
        seed=seed,
        deal=dict(deal or {}),
        entries=tuple(entries),
        lines=(),
        scores=tuple(score_line(score) for score in scores),
    )
