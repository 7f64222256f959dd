"""Appends moves: all that wait, in one statement (group commit), each only where its table has not moved on."""

import asyncio
import logging
import time
from collections import deque
from contextlib import suppress
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from app import metrics
from app.db.lost import LOST, reason

MOST_AT_ONCE = 200
MOST_WAITING = 5_000
PATIENCE = 5.0
"""Seconds that a process which ends waits for the database to take its last moves."""

APPEND = text("""
WITH moves AS (
  SELECT * FROM unnest(
    CAST(:tables AS bigint[]), CAST(:expected AS int[]), CAST(:changes AS int[]), CAST(:seats AS smallint[]),
    CAST(:users AS bigint[]), CAST(:texts AS text[]), CAST(:digests AS text[]), CAST(:waiting AS text[]),
    CAST(:statuses AS text[]), CAST(:scores AS text[]), CAST(:logins AS bigint[])
  ) AS move (table_id, expected, changed, seat, user_id, text, digest, waiting, status, scores, login)
), held AS (
  SELECT tables.id FROM tables JOIN moves ON moves.table_id = tables.id ORDER BY tables.id FOR UPDATE OF tables
), raised AS (
  UPDATE tables SET version = moves.expected + 1, waiting = CAST(moves.waiting AS jsonb), status = moves.status,
    scores = CAST(moves.scores AS jsonb), moved_at = now()
  FROM moves JOIN held ON held.id = moves.table_id
  WHERE tables.id = moves.table_id AND tables.version = moves.expected AND tables.changed = moves.changed
    AND tables.status = 'playing'
    AND (moves.login IS NULL OR EXISTS (SELECT FROM logins WHERE logins.id = moves.login))
  RETURNING tables.id
), written AS (
  INSERT INTO entries (table_id, seq, seat, user_id, text, digest, at)
  SELECT moves.table_id, moves.expected + 1, moves.seat, moves.user_id, moves.text, moves.digest, now()
  FROM moves JOIN raised ON raised.id = moves.table_id
  RETURNING table_id, at
)
SELECT table_id, at FROM written
""")

DEADLOCK = "40P01"
logger = logging.getLogger(__name__)


class Move(msgspec.Struct, frozen=True):
    """An entry to append, and what the table becomes by it, if it still stands at version ``expected``, the same
    people sit there (``changed``), and the browser it came from is still signed in (``login``)."""

    table_id: int
    expected: int
    changed: int
    seat: int | None
    user_id: int | None
    text: str
    digest: str
    waiting: dict[int, int]
    status: str
    scores: Any = None
    login: int | None = None


Waiter = tuple[Move, asyncio.Future[datetime | None]]


class Unwritten(Exception):
    """The move could not be stored; it is not known to have been made, and nobody was told of it."""


class Writer:
    """One task that writes for a whole process. Start it with :meth:`run`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")  # one statement, one way there and back
        self._waiting: deque[Waiter] = deque()
        self._some = asyncio.Event()
        self._closed = False
        self._idle = asyncio.Event()
        self._idle.set()
        self._took: deque[float] = deque(maxlen=200)
        self.stored = 0
        """How many moves were stored."""

    @property
    def slowness(self) -> float:
        """How many milliseconds storing takes at worst, but for one time in twenty."""
        took = sorted(self._took)
        return round(took[len(took) * 19 // 20] * 1000, 1) if took else 0.0

    @property
    def waiting(self) -> int:
        """How many moves wait to be stored."""
        return len(self._waiting)

    async def append(self, move: Move) -> datetime | None:
        """When the move was stored; ``None``: it was not, the table has moved on. Raises :class:`Unwritten`."""
        if self._closed or len(self._waiting) >= MOST_WAITING:
            raise Unwritten
        answer: asyncio.Future[datetime | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((move, answer))
        self._some.set()
        self._idle.clear()
        return await answer

    async def finish(self) -> None:
        """Takes no more moves, and waits until those it took are written."""
        self._closed = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), PATIENCE)

    async def run(self) -> None:
        """Writes until cancelled; every waiter is answered, whatever happens."""
        try:
            while True:
                if not self._waiting:
                    self._idle.set()
                await self._some.wait()
                batch = self._batch()
                if not self._waiting:
                    self._some.clear()
                began = time.perf_counter()
                try:
                    with metrics.WRITE_SECONDS.time():
                        stored = await self._write([move for move, _ in batch])
                except LOST as fault:
                    logger.warning("%s moves could not be stored: %s", len(batch), reason(fault))
                    self._answer(batch, None)
                    continue
                except Exception:
                    logger.exception("moves could not be stored")
                    self._answer(batch, None)
                    continue
                except BaseException:
                    self._answer(batch, None)
                    raise
                self.stored += len(stored)
                if batch:
                    self._took.append(time.perf_counter() - began)
                self._answer(batch, stored)
        finally:
            self._closed = True
            self._answer(list(self._waiting), None)
            self._waiting.clear()

    def _batch(self) -> list[Waiter]:
        """At most one move a table; a second one waits for the next statement."""
        batch: list[Waiter] = []
        later: list[Waiter] = []
        tables: set[int] = set()
        while self._waiting and len(batch) < MOST_AT_ONCE:
            item = self._waiting.popleft()
            if item[1].cancelled():
                continue
            if item[0].table_id in tables:
                later.append(item)
            else:
                tables.add(item[0].table_id)
                batch.append(item)
        self._waiting.extendleft(reversed(later))
        return batch

    @staticmethod
    def _answer(batch: list[Waiter], stored: dict[int, datetime] | None) -> None:
        if stored is None:
            metrics.UNWRITTEN.inc(len(batch))
        else:
            metrics.MOVES.inc(len(stored))
            metrics.LOST_RACES.inc(len(batch) - len(stored))
        for move, answer in batch:
            if answer.done():
                continue
            if stored is None:
                answer.set_exception(Unwritten())
            else:
                answer.set_result(stored.get(move.table_id))

    async def _write(self, moves: list[Move]) -> dict[int, datetime]:
        """The tables whose move was stored, and when. A deadlock with another process's writer is tried again."""
        if not moves:
            return {}
        values = {
            "tables": [move.table_id for move in moves],
            "expected": [move.expected for move in moves],
            "changes": [move.changed for move in moves],
            "seats": [move.seat for move in moves],
            "users": [move.user_id for move in moves],
            "texts": [move.text for move in moves],
            "digests": [move.digest for move in moves],
            "waiting": [_json({str(seat): since for seat, since in move.waiting.items()}) for move in moves],
            "statuses": [move.status for move in moves],
            "scores": [None if move.scores is None else _json(move.scores) for move in moves],
            "logins": [move.login for move in moves],
        }
        for attempt in range(3):
            try:
                async with self._engine.connect() as connection:
                    return {row[0]: row[1] for row in await connection.execute(APPEND, values)}
            except DBAPIError as fault:
                if getattr(fault.orig, "sqlstate", "") != DEADLOCK or attempt == 2:
                    raise
        raise AssertionError("unreachable")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
