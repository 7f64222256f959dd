"""A player without a browser: hears that a table moved, thinks on its own view, acts through the same service."""

import asyncio
import logging
from contextlib import suppress
from hashlib import sha256
from typing import Any

from app import games, logs
from app.db import tables as queries
from app.db.lost import LOST, Outage
from app.engine import log, notation
from app.engine.rng import Rng
from app.live.bus import Bus
from app.services import tables
from app.services.errors import LogParted, Refusal
from app.services.lobby import STAND_IN
from app.services.server import Server

LONGEST_THOUGHT = 5.0
SWEEP = 5.0
logger = logging.getLogger(__name__)


class Runner:
    """Plays every bot's seat of every table, one action at a time and at a humane pace.

    Several runners may play for one database: whoever is late is refused, which is harmless.
    """

    def __init__(self, server: Server, bus: Bus, *, pause: float) -> None:
        self._server = server
        self._pause = pause
        self._playing: dict[int, asyncio.Task[None]] = {}
        self._without: dict[int, int] = {}
        self._news: set[int] = set()
        self._parted: set[int] = set()
        self._told: set[int] = set()
        self._ending = False
        bus.on_notice(self.hear)
        bus.on_restored(self._without.clear)

    async def run(self) -> None:
        """Plays until cancelled. A table whose log parts ways is left alone until it moves."""
        outage = Outage(logger, "the bots")
        try:
            while True:
                try:
                    async with self._server.sessions() as session:
                        waiting = await queries.list_playing(session, with_bots=True)
                    for table_id in waiting:
                        if table_id not in self._parted:
                            self._play(table_id)
                    outage.over()
                except LOST as fault:
                    outage.begun(fault)
                await asyncio.sleep(SWEEP)
        finally:
            self._ending = True
            tasks = list(self._playing.values())
            for task in tasks:
                task.cancel()
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task

    def hear(self, table_id: int, version: int, changed: int) -> None:
        """A table moved; perhaps a bot must choose."""
        if self._without.get(table_id) != changed:
            self._parted.discard(table_id)
            self._news.add(table_id)
            self._play(table_id)

    def _play(self, table_id: int) -> None:
        def ended(_: asyncio.Task[None]) -> None:
            del self._playing[table_id]
            if table_id in self._news and not self._ending:
                self._play(table_id)  # it moved while we were on our way out

        if table_id not in self._playing:
            self._playing[table_id] = task = asyncio.create_task(self._turns(table_id))
            task.add_done_callback(ended)

    async def _turns(self, table_id: int) -> None:
        """Acts while a bot of this table must choose."""
        logs.begin(table=table_id)
        try:
            while True:
                self._news.discard(table_id)
                held = await self._server.states.newest(table_id)
                stand_ins = held.stand_ins()
                if not stand_ins and not any(seat.bot for seat in held.facts.seats):
                    self._without[table_id] = held.facts.changed
                    return
                position = held.position
                if held.facts.status != "playing" or held.facts.paused or position is None:
                    return
                waiting = sorted(position.waiting)
                seat = next((each for each in waiting if held.facts.seats[each].bot or each in stand_ins), None)
                if seat is None:
                    if table_id in self._news:
                        continue
                    return
                await asyncio.sleep(self._pause)
                await self._act(table_id, position, seat)
        except LogParted as fault:
            logger.warning("no bot can play at table %s: LogParted %s", table_id, fault)
            self._parted.add(table_id)
        except (Refusal, log.Refused) as fault:
            logger.debug("bot at table %s: %s %s", table_id, type(fault).__name__, fault)
            await asyncio.sleep(self._pause)
        except LOST as fault:
            logger.debug("bot at table %s: %s", table_id, fault)  # the sweep says it for all
            await asyncio.sleep(SWEEP)
        except Exception:
            if table_id not in self._told:
                logger.exception("a bot at table %s", table_id)
            self._told.add(table_id)
            await asyncio.sleep(SWEEP)

    async def _act(self, table_id: int, position: log.Position[Any], seat: int) -> None:
        held = await self._server.states.get(table_id)
        kind = held.facts.seats[seat].bot or (STAND_IN if seat in held.stand_ins() else "")
        since = position.waiting[seat]
        if held.position is None or held.position.waiting.get(seat) != since or not kind:
            return
        game, state = held.game, held.position.state
        actions = game.actions(state, seat)
        view = game.view(state, seat)
        # Nobody at the table can work out what it will do: the table's seed is among what decides.
        rng = Rng(sha256(f"{held.facts.seed}/bot/{held.version}/{seat}".encode()).hexdigest())
        bots = games.bots(held.facts.slug)
        bot = bots.get(kind, bots["greedy"])
        try:
            thinking = asyncio.to_thread(bot.choose, game, view, seat, actions, rng)
            action = await asyncio.wait_for(thinking, LONGEST_THOUGHT)
        except Exception:
            # Whatever goes wrong in a bot's head, the table is not left waiting.
            logger.exception("bot %s at table %s: plays at random", kind, table_id)
            action = bots["random"].choose(game, view, seat, actions, rng)
        await tables.act(
            self._server, table_id, seat=seat, text=notation.write(action), since=since, me=None, bot=True
        )
