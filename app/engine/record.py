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

import string
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from app.engine import log, notation
from app.engine.contract import AnyGame, Broken, OptionRefused, Score
from app.engine.rng import DealRefused

LETTERS = string.ascii_uppercase
HEADER = ("game", "revision", "edition", "seats", "options", "seed")


class Record(msgspec.Struct, frozen=True):
    """A whole game as written down. ``lines`` are the line numbers of the entries, from 1."""

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


class RecordRefused(ValueError):
    """A recorded game that cannot be read or does not hold: the line, the complaint, and the rule."""

    def __init__(self, line: int, complaint: str, rule: str = "") -> None:
        self.line, self.complaint, self.rule = line, complaint, rule
        where = f" (rule {rule})" if rule else ""
        super().__init__(f"line {line}: {complaint}{where}")


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
    head: dict[str, tuple[int, str]] = {}
    deal: dict[str, tuple[str, ...]] = {}
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
                raise RecordRefused(number, f"{key}: the header ends where the actions begin")
            if key in head or key.removeprefix("deal.") in deal:
                raise RecordRefused(number, f"{key}: stands twice")
            if key.startswith("deal."):
                deal[key.removeprefix("deal.")] = tuple(rest.split())
            elif key in HEADER:
                head[key] = (number, rest)
            else:
                raise RecordRefused(number, f"{key}: no such header")
        elif first == "score":
            scores.append(" ".join(rest.split()))
            score_lines.append(number)
        elif first == "-" or (len(first) == 1 and first in LETTERS):
            entries.append(log.Entry(None if first == "-" else LETTERS.index(first), rest))
            lines.append(number)
        else:
            raise RecordRefused(number, f"neither a header nor an action of a seat: {line[:60]}")
    return _made(head, deal, entries, lines, scores, score_lines)


def _made(
    head: dict[str, tuple[int, str]],
    deal: dict[str, tuple[str, ...]],
    entries: list[log.Entry],
    lines: list[int],
    scores: list[str],
    score_lines: list[int],
) -> Record:
    for key in ("game", "seats"):
        if key not in head:
            raise RecordRefused(1, f"{key}: missing from the header")

    def number(key: str, default: int) -> int:
        line, value = head.get(key, (0, str(default)))
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise RecordRefused(line, f"{key}: not a number: {value[:20]}")
        return int(value)

    options: dict[str, str] = {}
    line, words = head.get("options", (0, ""))
    for word in words.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise RecordRefused(line, f"options: not name=value: {word}")
        options[name] = value
    edition, _, digest = head.get("edition", (0, "house"))[1].partition(" ")
    return Record(
        game=head["game"][1],
        revision=number("revision", 0),
        edition=edition,
        digest=digest.strip(),
        seats=number("seats", 0),
        options=options,
        seed=head.get("seed", (0, ""))[1],
        deal=deal,
        entries=tuple(entries),
        lines=tuple(lines),
        scores=tuple(scores),
        score_lines=tuple(score_lines),
    )


def seed_of(record: Record) -> str:
    """The seed that decides what the deal leaves open."""
    if record.seed:
        return record.seed
    return sha256(repr((record.game, record.seats, sorted(record.deal.items()))).encode()).hexdigest()


def first_position(game: AnyGame, record: Record) -> log.Position[Any]:
    """The position before the first action. Raises :class:`RecordRefused`."""
    if record.seats not in game.seats:
        raise RecordRefused(1, f"seats: {game.slug} is for {game.seats[0]} to {game.seats[-1]}, not {record.seats}")
    if record.digest and record.digest != game.edition.digest:
        raise RecordRefused(1, f"edition: {record.edition} is not the {record.edition} of this record any more")
    try:
        return log.begin(game, seats=record.seats, options=record.options, seed=seed_of(record), deal=record.deal)
    except (OptionRefused, DealRefused) as fault:
        raise RecordRefused(1, str(fault)) from fault


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
        position = checked(game, position, entry, line=line, sentence=sentence)
    if count == len(record.entries) and record.scores:
        _check_scores(game, position, record)
    return position


def checked(
    game: AnyGame,
    position: log.Position[Any],
    entry: log.Entry,
    *,
    line: int,
    sentence: Callable[[Broken], str] = str,
) -> log.Position[Any]:
    """The position after one more entry, which came from this line. Raises :class:`RecordRefused`."""
    try:
        if entry.text.startswith(log.UNDO):
            _check_undo(position, entry)
        if entry.text.startswith(log.REWIND):
            _check_rewind(position, entry)
        return log.append(game, position, entry)
    except notation.NotAnAction as fault:
        raise RecordRefused(line, f"no such action: {entry.text[:60]}") from fault
    except log.Refused as fault:
        raise RecordRefused(line, f"{entry.text[:60]}: {sentence(fault.broken)}", fault.broken.rule) from fault
    except ValueError as fault:
        raise RecordRefused(line, f"{entry.text[:60]}: not well written") from fault


def _check_undo(position: log.Position[Any], entry: log.Entry) -> None:
    if entry.seat is None:
        raise log.CannotUndo(Broken("nothing_to_undo"))
    allowed = {log.undo(position, entry.seat, whole_turn=whole).text for whole in (False, True)}
    if entry.text not in allowed:
        raise log.CannotUndo(Broken("nothing_to_undo"))


def _check_rewind(position: log.Position[Any], entry: log.Entry) -> None:
    """Nobody at the table sets it back, and only to where it has been."""
    if entry.seat is not None or not 0 <= int(entry.text[len(log.REWIND) :]) < position.version:
        raise log.CannotUndo(Broken("nothing_to_undo"))


def _check_scores(game: AnyGame, position: log.Position[Any], record: Record) -> None:
    if not position.over:
        raise RecordRefused(record.score_lines[0], "scores stand here, but the game is not over")
    final = [score_line(score) for score in game.scores(position.state)]
    for line, written in zip(record.score_lines, record.scores, strict=True):
        if written not in final:
            fitting = next((text for text in final if text[0] == written[:1]), "no such seat")
            raise RecordRefused(line, f"score {written[:60]}: the rules say {fitting}")
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
