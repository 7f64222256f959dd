"""``python -m bench``: every measurement of the server, one line each. ``--quick`` for a look."""

import sys

import uvloop

from bench import boardgame_io, load
from bench.server import trial


async def main(*, quick: bool) -> None:
    """Measures, printing as it goes."""
    seconds = 5.0 if quick else 20.0
    tables = 40 if quick else 200
    async with trial() as one:
        await show(load.one_move(one))
    async with trial() as one:
        await show(load.many_tables(one, count=tables, sockets=4, seconds=seconds, rate=1.5 * tables))
    async with trial() as one:
        await show(load.many_tables(one, count=tables, sockets=4, seconds=seconds))
    for rate in (1.5 * tables, 0):
        async with trial(servers=2) as two:
            await show(load.many_tables(two, count=tables, sockets=4, seconds=seconds, rate=rate))
    for line in await boardgame_io.measure(matches=tables, seconds=seconds):
        print(line, flush=True)
    async with trial() as one:
        await show(load.idle_sockets(one, count=400 if quick else 2000, seconds=seconds))
    async with trial() as one:
        await show(load.storm(one, count=200 if quick else 1000))
    async with trial() as one:
        await show(load.long_table(one, entries=200 if quick else 1200))


async def show(measuring: object) -> None:
    """Prints the lines of one measurement."""
    for line in await measuring:  # type: ignore[misc]  # a coroutine of lines
        print(line, flush=True)


if __name__ == "__main__":
    uvloop.run(main(quick="--quick" in sys.argv))
