"""``python -m bench.soak``: an evening of many tables, people who come and go and bots; nothing may grow and grow.

Prints a line every half minute, and in the end whether memory, tasks and queues stayed as they were.
"""

import argparse
import asyncio
import itertools
import random
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter

import httpx
import msgspec
import uvloop
import websockets
from prometheus_client.parser import text_string_to_metric_families

from app.games import games
from bench.players import Browser
from bench.server import TOKEN, Person, Trial, trial

EVERY = 30.0
PATIENCE = 60.0
"""Seconds that we wait for an answer: we may share the machine."""
MORE = 1.15
"""By how much the last third of the time may exceed the second; the first is for warming up."""
LITTLE = {"memory": 8.0, "bots": 8.0, "tasks": 20.0, "waiting": 5.0}
"""Differences that mean nothing: megabytes, tasks, moves."""


class Sample(msgspec.Struct):
    """How things stood: megabytes of the server and of its bots, and what the server had to do."""

    minute: float
    memory: float
    bots: float
    tasks: float
    waiting: float
    sockets: float
    remembered: float
    moves: float
    faults: float


@dataclass
class Evening:
    """All that goes on. ``pause``: seconds that somebody thinks; ``stay``: that a page stays open, at most."""

    trial: Trial
    until: float
    pause: float
    stay: float
    chance: random.Random = field(default_factory=lambda: random.Random(5))
    games: int = 0
    reconnected: int = 0
    lost: int = 0

    async def table(self, slugs: "itertools.cycle[str]") -> None:
        """One person against one bot, game after game."""
        [person] = await self.trial.add_people(1)
        while perf_counter() < self.until:
            key = await self.trial.add_table([person], slug=next(slugs), bot="greedy")
            over = asyncio.Event()
            await asyncio.gather(self.play(key, person, over), self.watch(key, over))
            self.games += over.is_set()

    async def play(self, key: str, person: Person, over: asyncio.Event) -> None:
        """Acts whenever it is one's turn, goes away now and then, and comes back."""
        while perf_counter() < self.until and not over.is_set():
            async with self.page(key, person) as page:
                leave = perf_counter() + self.chance.uniform(self.stay / 4, self.stay)
                while perf_counter() < min(leave, self.until):
                    await asyncio.sleep(self.chance.uniform(self.pause / 2, self.pause * 3 / 2))
                    if page.turn == "over":
                        over.set()
                        return
                    if page.turn == "mine" and page.choices():
                        with suppress(websockets.ConnectionClosed):
                            await page.act(self.chance)

    async def watch(self, key: str, over: asyncio.Event) -> None:
        """Looks on, and comes and goes too."""
        while perf_counter() < self.until and not over.is_set():
            async with self.page(key, None):
                with suppress(TimeoutError):
                    await asyncio.wait_for(over.wait(), self.chance.uniform(self.stay / 4, self.stay))

    def page(self, key: str, person: Person | None) -> "Visit":
        """A page that is open for a while."""
        return Visit(self, Browser(self.trial.url, key, person))

    async def sample(self, began: float) -> Sample:
        """How things stand."""
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE) as client:
            answer = await client.get(f"{self.trial.url}/metrics")
        told = {
            family.name: sum(each.value for each in family.samples if not each.name.endswith(("_bucket", "_sum")))
            for family in text_string_to_metric_families(answer.text)
        }
        children = self.trial.process.children(recursive=True)
        return Sample(
            minute=(perf_counter() - began) / 60,
            memory=self.trial.memory() / 2**20,
            bots=sum(child.memory_info().rss for child in children) / 2**20,
            tasks=told["semiramis_tasks"] - 2 * told["semiramis_sockets"],
            waiting=told["semiramis_moves_waiting"],
            sockets=told["semiramis_sockets"],
            remembered=told["semiramis_tables_remembered"],
            moves=told["semiramis_moves"],
            faults=told["semiramis_faults"],
        )


class Visit:
    """A page from coming to going; half of those who go say no good-bye."""

    def __init__(self, evening: Evening, page: Browser) -> None:
        self._evening = evening
        self._page = page

    async def __aenter__(self) -> Browser:
        with suppress(OSError, TimeoutError, websockets.WebSocketException):
            await self._page.open()
            await self._page.wait_for(0)
            self._evening.reconnected += 1
            return self._page
        self._evening.lost += 1
        await asyncio.sleep(1)
        return self._page

    async def __aexit__(self, *_: object) -> None:
        await self._page.close(rudely=self._evening.chance.random() < 0.5)


def grown(samples: list[Sample]) -> list[str]:
    """What is more in the last third of the time than in the second, beyond what means nothing."""
    third = len(samples) // 3
    found = []
    for name, little in LITTLE.items():
        before = median(getattr(each, name) for each in samples[third : 2 * third])
        after = median(getattr(each, name) for each in samples[2 * third :])
        if after > before * MORE + little:
            found.append(f"{name}: {before:.0f}, then {after:.0f}")
    return found


async def soak(*, minutes: float, tables: int, pause: float, stay: float, every: float = EVERY) -> list[Sample]:
    """Runs the evening, printing as it goes."""
    slugs = itertools.cycle(sorted(games()))
    async with trial(bots=True) as one:
        began = perf_counter()
        evening = Evening(one, began + minutes * 60, pause, stay)
        playing = asyncio.gather(*(evening.table(slugs) for _ in range(tables)))
        samples: list[Sample] = []
        while perf_counter() < evening.until - every:
            await asyncio.sleep(every)
            now = await evening.sample(began)
            samples.append(now)
            print(
                f"{now.minute:5.1f} min: server {now.memory:.0f} MB, bots {now.bots:.0f} MB, "
                f"{now.sockets:.0f} sockets, {now.tasks:.0f} other tasks, {now.waiting:.0f} moves waiting, "
                f"{now.remembered:.0f} tables remembered; {now.moves:.0f} moves, {evening.games} games, "
                f"{evening.reconnected} pages opened, {evening.lost} not, {now.faults:.0f} faults",
                flush=True,
            )
            if playing.done():
                await playing  # which says why
        await playing
    return samples


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="how long (30)")
    parser.add_argument("--tables", type=int, default=200, help="how many at once (200)")
    parser.add_argument("--pause", type=float, default=8, help="seconds that somebody thinks (8)")
    parser.add_argument("--stay", type=float, default=120, help="seconds that a page stays open, at most (120)")
    wish = parser.parse_args()
    samples = uvloop.run(soak(minutes=wish.minutes, tables=wish.tables, pause=wish.pause, stay=wish.stay))
    faults = [*grown(samples), *(["the server had faults"] if samples[-1].faults else [])]
    print("; ".join(faults) or "Nothing grew.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
