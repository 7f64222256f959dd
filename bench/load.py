"""The measurements: a move alone, many tables at once, idle sockets, a storm after a restart, a long table."""

import asyncio
import random
from time import perf_counter

import httpx
import msgspec
from sqlalchemy import text

from app.engine import log, notation
from app.services import tables
from app.services.admin import rewinding
from bench.players import Browser
from bench.server import Person, Trial

GAME = "hanging_gardens"


def percentile(values: list[float], share: float) -> float:
    """The value that a share of all stays under, in milliseconds."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000 if ordered else float("nan")


async def one_move(trial: Trial) -> list[str]:
    """A durable move, from the click to the other player's new zones, with nothing else going on."""
    delays: list[float] = []
    sizes: list[int] = []
    chance = random.Random(1)
    for _ in range(4):
        people = await trial.add_people(2)
        key = await trial.add_table(people, slug=GAME)
        pages = [Browser(trial.url, key, person) for person in people]
        for page in pages:
            await page.open()
            await page.wait_for(0)
        while all(page.turn != "over" for page in pages):
            mover = next(page for page in pages if page.turn == "mine")
            other = pages[1 - pages.index(mover)]
            before, bytes_before = other.version, other.received
            began = await mover.act(chance)
            await other.wait_for(before + 1)
            delays.append(perf_counter() - began)
            sizes.append(other.received - bytes_before)
            await mover.wait_for(before + 1)
        for page in pages:
            await page.close()
    return [
        f"a durable move, click to the other's zones: median {percentile(delays, 0.5):.1f} ms, "
        f"p95 {percentile(delays, 0.95):.1f} ms ({len(delays)} moves)",
        f"zones changed by a move, for the other player: median {sorted(sizes)[len(sizes) // 2] / 1024:.1f} KB, "
        f"largest {max(sizes) / 1024:.1f} KB",
    ]


class Table:
    """One table under load: two players who act as fast as they can, and some who watch."""

    def __init__(self, trial: Trial, key: str, players: list[Person], watchers: int, chance: random.Random) -> None:
        self.pages = [Browser(trial.at(key), key, person) for person in players]
        self.watching = [Browser(trial.at(key), key, None) for _ in range(watchers)]
        self.delays: list[float] = []
        self.watched: list[float] = []
        self.moves = 0
        self._clicks: dict[int, float] = {}
        for page in self.watching:
            page.on_version = self._seen
        self._chance = chance

    def _seen(self, version: int, now: float) -> None:
        if version in self._clicks:
            self.watched.append(now - self._clicks[version])

    async def open(self) -> None:
        for page in [*self.pages, *self.watching]:
            await page.open()
        for page in self.pages:
            await page.wait_for(0)

    async def play(self, until: float, *, pause: float = 0.0) -> None:
        """Plays until the clock says so or the game is over. With a ``pause`` a move is due so often, whatever the
        last one took; and tables that know nothing of each other do not move in step."""
        due = perf_counter() + self._chance.random() * pause
        while perf_counter() < until:
            if pause:
                await asyncio.sleep(max(0.0, due - perf_counter()))
            mover = next((page for page in self.pages if page.turn == "mine"), None)
            if mover is None:
                if all(page.turn == "over" for page in self.pages):
                    return
                page = self.pages[0]
                page.changed.clear()
                waits = [asyncio.create_task(page.changed.wait()) for page in self.pages]
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED, timeout=1)
                for wait in waits:
                    wait.cancel()
                continue
            other = self.pages[1 - self.pages.index(mover)]
            before = mover.version
            began = self._clicks[before + 1] = await mover.act(self._chance)
            try:
                await other.wait_for(before + 1)
            except TimeoutError:
                continue
            self.delays.append(perf_counter() - began)
            self.moves += 1
            due += pause
            await mover.wait_for(before + 1)

    async def close(self) -> None:
        for page in [*self.pages, *self.watching]:
            await page.close()


async def many_tables(trial: Trial, *, count: int, sockets: int, seconds: float, rate: float = 0) -> list[str]:
    """So many tables with so many sockets each; ``rate``: moves a second in all (0: as many as can be)."""
    chance = random.Random(2)
    all_tables: list[Table] = []
    for _ in range(count):
        people = await trial.add_people(2)
        key = await trial.add_table(people, slug=GAME)
        all_tables.append(Table(trial, key, people, sockets - 2, chance))
    await trial.settle()
    for start in range(0, count, 20):
        await asyncio.gather(*(table.open() for table in all_tables[start : start + 20]))
    trial.busy()
    began = perf_counter()
    pause = count / rate if rate else 0.0
    await asyncio.gather(*(table.play(began + seconds, pause=pause) for table in all_tables))
    spent = perf_counter() - began
    busy = trial.busy()
    moves = sum(table.moves for table in all_tables)
    delays = [delay for table in all_tables for delay in table.delays]
    watched = [delay for table in all_tables for delay in table.watched]
    received = sum(page.received for table in all_tables for page in [*table.pages, *table.watching])
    refused = sum(page.refused for table in all_tables for page in table.pages)
    await asyncio.gather(*(table.close() for table in all_tables))
    on = f", {len(trial.urls)} servers" if len(trial.urls) > 1 else ""
    how = f"at {rate:.0f} moves/s" if rate else "as fast as can be"
    return [
        f"{count} tables, {count * sockets} sockets{on}, {how}: {moves / spent:,.0f} moves/s, "
        f"median {percentile(delays, 0.5):.0f} ms, p95 {percentile(delays, 0.95):.0f} ms, "
        f"p99 {percentile(delays, 0.99):.0f} ms; for those who watch median {percentile(watched, 0.5):.0f} ms, "
        f"p95 {percentile(watched, 0.95):.0f} ms; {received / max(1, moves) / 1024:.0f} KB sent a move in all, "
        f"{busy:.0f} % of a core, {refused} refused"
    ]


async def idle_sockets(trial: Trial, *, count: int, seconds: float) -> list[str]:
    """Pages that only wait: memory and processor time."""
    people = await trial.add_people(2)
    key = await trial.add_table(people, slug=GAME)
    first = Browser(trial.url, key, people[0])
    await first.open()
    await first.wait_for(0)
    before = trial.memory()
    pages = [Browser(trial.url, key, None) for _ in range(count)]
    for start in range(0, count, 50):
        await asyncio.gather(*(page.open() for page in pages[start : start + 50]))
    await asyncio.sleep(2)
    used = trial.memory() - before
    trial.process.cpu_percent()
    await asyncio.sleep(seconds)
    busy = trial.process.cpu_percent()
    began = perf_counter()
    await first.act(random.Random(3)) if first.turn == "mine" else None
    await asyncio.gather(*(page.close() for page in pages))
    assert perf_counter() - began < 60
    await first.close()
    return [
        f"{count} idle sockets: {used / 2**20:.0f} MB ({used / count / 1024:.0f} KB each), {busy:.1f} % of a core"
    ]


async def storm(trial: Trial, *, count: int) -> list[str]:
    """The server is killed and started again; every page comes back at once and must be whole."""
    keys = []
    for _ in range(max(1, count // 4)):
        people = await trial.add_people(2)
        keys.append(await trial.add_table(people, slug=GAME))
    trial.stop(hard=True)
    trial.process = await trial.start()
    pages = [Browser(trial.url, keys[number % len(keys)], None) for number in range(count)]
    began = perf_counter()

    async def return_(page: Browser) -> None:
        while True:
            try:
                await page.open()
                break
            except OSError:
                await asyncio.sleep(0.2)
        await page.wait_for(0, 60)

    await asyncio.gather(*(return_(page) for page in pages))
    spent = perf_counter() - began
    await asyncio.gather(*(page.close() for page in pages))
    return [f"{count} pages after a restart: whole again in {spent:.1f} s"]


async def long_table(trial: Trial, *, entries: int) -> list[str]:
    """A table with a very long log: its page cold, and an undo."""
    people = await trial.add_people(2)
    key = await trial.add_table(people, slug=GAME)
    table_id = await trial.server.states.find_id(key)
    writing = asyncio.create_task(trial.server.writer.run())
    held = await trial.server.states.newest(table_id)
    chance = random.Random(4)
    [keeper] = await trial.add_people(1)
    async with trial.server.sessions.begin() as session:
        await session.execute(text("UPDATE users SET role = 'owner' WHERE id = :id"), {"id": keeper.me.id})
    owner = msgspec.structs.replace(keeper.me, role="owner")
    while held.version < entries:
        assert held.position is not None
        seat = min(held.position.waiting)
        actions = held.game.actions(held.position.state, seat)
        chosen = notation.write(chance.choice(actions))
        since = held.position.waiting[seat]
        if log.append(held.game, held.position, log.Entry(seat, chosen), trusted=True).over:
            await rewinding.rewind(trial.server, owner, table_id, to=0, reason="again")
            held = await trial.server.states.newest(table_id)
        else:
            held = await tables.act(trial.server, table_id, seat=seat, text=chosen, since=since, me=people[seat].me)
    writing.cancel()
    cold: list[float] = []
    headers = {"Cookie": people[0].cookie}
    async with httpx.AsyncClient(base_url=trial.url, headers=headers) as client:
        for _ in range(5):
            trial.stop()
            trial.process = await trial.start()
            began = perf_counter()
            answer = await client.get(f"/tables/{key}")
            cold.append(perf_counter() - began)
            assert answer.status_code == 200
        warm: list[float] = []
        for _ in range(10):
            began = perf_counter()
            await client.get(f"/tables/{key}")
            warm.append(perf_counter() - began)
    assert held.position is not None
    began = perf_counter()
    log.append(held.game, held.position, log.Entry(None, f"rewind:{held.version - 1}"))
    undo = perf_counter() - began
    return [
        f"a table of {held.version} entries: page cold median {percentile(cold, 0.5):.0f} ms "
        f"(slowest {percentile(cold, 1):.0f} ms), warm {percentile(warm, 0.5):.0f} ms; "
        f"taking back the last of {len(held.position.played)} standing actions {undo * 1000:.0f} ms"
    ]
