"""The table doctor: replays a log with the rules of today, entry by entry, and says where it parts ways.

Whether it does is no secret. What was chosen, what may be chosen now and what an entry changed may be one, and is
told only to who has noted in the record that they look (``seeing.inspect``).
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app import games
from app.db import tables as queries
from app.db.models import Entry, Table
from app.engine import codec, log, notation, record
from app.engine.contract import AnyGame
from app.services import editions, tables
from app.services.accounts import Me
from app.services.admin import rights
from app.services.admin.tables import acting, begun
from app.services.errors import NoSuchTable, NotStarted
from app.services.facts import TableFacts, facts_of
from app.services.held import Line
from app.services.server import Server

MOST_DIFFERENCES = 200
MOST_LEGAL = 400
LONG = 8
NOTHING = object()
SECRET = {"seed", "rng"}
"""What nobody may see of a state before the game is over: with it every shuffle to come could be foretold."""


class Checked(msgspec.Struct, frozen=True):
    """An entry. ``found``: the digest it leads to today, empty when it leads nowhere; ``sound``: that is the stored
    one, and ``None`` when nobody can tell, or a later rewind passed over it. ``text``: empty until somebody looks."""

    seq: int
    at: datetime
    seat: int | None
    text: str
    stored: str
    found: str
    sound: bool | None


class Difference(msgspec.Struct, frozen=True):
    """What an entry changed in the state: where, from what, to what; empty is nothing."""

    path: str
    before: str
    after: str


class Report(msgspec.Struct, frozen=True):
    """What the doctor found. ``parted``: the entry at which the log parts ways; ``last_sound``: the one before, to
    which the table can be set back; ``why`` it cannot be played, when that is so. ``entry``: whose differences these
    are."""

    facts: TableFacts
    played_with: int
    revision: int
    lines: tuple[Checked, ...]
    parted: int | None
    last_sound: int
    why: str
    inside: bool = False
    entry: int = 0
    differences: tuple[Difference, ...] = ()
    legal: tuple[tuple[int, tuple[str, ...]], ...] = ()
    waiting: tuple[int, ...] = ()


async def examine(server: Server, me: Me, table_id: int, *, inside: bool = False, entry: int | None = None) -> Report:
    """Examines a table; ``inside`` only after ``seeing.check_noted``. Raises ``NotAllowed``, :class:`NoSuchTable`."""
    async with server.sessions() as session:
        await rights.acting(session, me, "doctor")
        table, facts = await _table(session, table_id)
        entries = await queries.list_entries(session, table_id)
    game = games.load(table.slug, table.edition)
    return await asyncio.to_thread(examined, game, table, facts, entries, inside=inside, entry=entry)


async def _table(session: AsyncSession, table_id: int) -> tuple[Table, TableFacts]:
    table = await queries.find_table(session, table_id)
    if table is None:
        raise NoSuchTable
    await editions.know(session, table.slug, table.edition)
    return table, await facts_of(session, table)


def examined(
    game: AnyGame, table: Table, facts: TableFacts, entries: list[Entry], *, inside: bool, entry: int | None
) -> Report:
    """The report on a log."""
    positions, why = _positions(game, begun(game, table), entries)
    leap = max((each.seq for each in entries if each.text.startswith(log.REWIND)), default=0)
    lines = tuple(_checked(each, positions.get(each.seq), leap=leap, inside=inside) for each in entries)
    parted = next((each.seq for each in lines if each.seq >= leap and each.sound is False), None)
    last_sound = parted - 1 if parted is not None else facts.version
    if parted is not None and parted == leap:
        last_sound = next((each.seq for each in reversed(lines) if each.seq < leap and each.sound is not False), 0)
    now = positions.get(last_sound)
    report = Report(
        facts=facts,
        played_with=table.revision,
        revision=game.revision,
        lines=lines,
        parted=parted,
        last_sound=last_sound,
        why=why if parted is not None else "",
        waiting=tuple(sorted(now.waiting)) if now and table.status != "waiting" else (),
    )
    if not inside:
        return report
    chosen = entry if entry in positions else parted if parted in positions else last_sound
    return msgspec.structs.replace(
        report,
        inside=True,
        entry=chosen,
        differences=_differences(positions, chosen),
        legal=_legal(game, now) if now and table.status == "playing" else (),
    )


def _positions(
    game: AnyGame, first: log.Position[Any], entries: list[Entry]
) -> tuple[dict[int, log.Position[Any]], str]:
    """The position after each entry, as far as one can be reached; and why not, at the first that cannot."""
    positions: dict[int, log.Position[Any]] = {0: first}
    position: log.Position[Any] | None = first
    why = ""
    written = [log.Entry(each.seat, each.text) for each in entries]
    for seq, each in enumerate(written, start=1):
        try:
            if each.text.startswith(log.REWIND):
                position, why = log.replay(game, first, written[:seq]), ""
            elif position is not None:
                position = log.append(game, position, each, trusted=True)
        except Exception as fault:  # rules that have changed may say anything to an old action
            why = why or f"{type(fault).__name__}: {fault}"[:300]
            position = None
        if position is not None:
            positions[seq] = position
    return positions, why


def _checked(each: Entry, position: log.Position[Any] | None, *, leap: int, inside: bool) -> Checked:
    found = codec.digest(position.state) if position else ""
    sound: bool | None = found == each.digest
    if not sound and each.seq < leap:
        sound = None
    open_to_all = each.text.startswith((log.UNDO, log.REWIND))
    return Checked(
        seq=each.seq,
        at=each.at,
        seat=each.seat,
        text=each.text if inside or open_to_all else "",
        stored=each.digest,
        found=found,
        sound=sound,
    )


def _legal(game: AnyGame, position: log.Position[Any]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    return tuple(
        (seat, tuple(notation.write(each) for each in game.actions(position.state, seat)[:MOST_LEGAL]))
        for seat in sorted(position.waiting)
    )


def _differences(positions: dict[int, log.Position[Any]], seq: int) -> tuple[Difference, ...]:
    """What an entry changed; before the first one, all there is."""
    before = dict(_flat(positions[seq - 1].state)) if seq - 1 in positions else {}
    after = dict(_flat(positions[seq].state))
    paths = [path for path in {**before, **after} if before.get(path, NOTHING) != after.get(path, NOTHING)]
    return tuple(_difference(path, before, after) for path in paths[:MOST_DIFFERENCES])


def _difference(path: str, before: dict[str, Any], after: dict[str, Any]) -> Difference:
    """One of them; of a long pile only what came and what went."""
    one, two = before.get(path, NOTHING), after.get(path, NOTHING)
    if isinstance(one, tuple) and isinstance(two, tuple) and max(len(one), len(two)) > LONG:
        went, came = Counter(one) - Counter(two), Counter(two) - Counter(one)
        if went or came:
            return Difference(path, _text(tuple(went.elements())), _text(tuple(came.elements())))
    return Difference(path, _text(one), _text(two))


def _text(value: Any) -> str:
    return "" if value is NOTHING else msgspec.json.encode(value).decode()


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """A state as paths and values; piles of plain values stay in one piece."""
    plain = msgspec.to_builtins(value, str_keys=True) if not path else value
    if isinstance(plain, dict):
        for name, each in plain.items():
            if name not in SECRET:
                yield from _flat(each, f"{path}.{name}" if path else str(name))
    elif isinstance(plain, list | tuple) and any(isinstance(each, dict | list | tuple) for each in plain):
        for index, each in enumerate(plain):
            yield from _flat(each, f"{path}[{index}]")
    else:
        yield path, tuple(plain) if isinstance(plain, list) else plain


async def export(server: Server, me: Me, table_id: int, *, reason: str = "") -> tuple[str, str]:
    """The whole game as a file, seed included, at any time: its name and text.

    Raises as ``acting``, and :class:`NotStarted`.
    """
    async with acting(server, me, table_id, "export", reason=reason, needed=False) as doing:
        if doing.table.status == "waiting":
            raise NotStarted
        table, facts = await _table(doing.session, table_id)
        entries = await queries.list_entries(doing.session, table_id)
        game = games.load(table.slug, table.edition)
        lines = [Line(each.seq, each.seat, each.text, each.at) for each in entries]
        return f"{table.slug}-{table.key}.game", record.write(tables.recorded(facts, game, lines))
