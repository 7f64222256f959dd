"""Commands that need the database: serving, bots, migrations, admins, and a look at all tables."""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app import games, logs, metrics
from app.commands.console import console, refuse

if TYPE_CHECKING:
    from fastapi import FastAPI

PING = 20
"""Seconds between pings on a socket: proxies cut silent ones after 60."""

KEEP_ALIVE = 75
"""Seconds that a silent line is kept for the next request: longer than a proxy keeps it, so that it never meets one
that is just being closed."""

DEADLINE = 20.0
"""Seconds after which a server that was asked to end says where it hangs, and ends: before its container is killed
(``stop_grace_period``)."""


@console.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65_535)] = 8000,
    workers: Annotated[int, typer.Option(help="How many server processes.", min=1, max=64)] = 1,
    no_bots: Annotated[bool, typer.Option("--no-bots", help="Do not start the process that plays bots.")] = False,
) -> None:
    """Start the server: database, migrations, pages, sockets and bots."""
    import uvicorn

    from app.commands.keeping import Keeper
    from app.commands.listening import announce, check_free
    from app.config import misspelt, settings
    from app.db.migrate import upgrade
    from app.web.deps import read_secret

    # uvicorn raises the signal that ended it once more; so what we started is ended too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    config = settings()
    logs.install(config.log_level, config.log_format)
    for name, meant in misspelt():
        typer.echo(f"warning: there is no setting {name}{meant and f'; did you mean {meant}?'}", err=True)
    check_free(host, port)
    games.load_all()
    cluster = open_database()
    url = os.environ["DATABASE_URL"]
    try:
        upgrade(url)
        read_secret(config.secret, config.var)
        if workers > 1 and config.metrics_token:
            metrics.share(config.var / "metrics")
        keeper = Keeper(cluster, bots=not no_bots)
        keeper.start()
        announced = announce(host, port) if config.log_format == "text" else None
        try:
            uvicorn.run(
                "app.commands.serving:make_worker",
                factory=True,
                host=host,
                port=port,
                workers=workers,
                log_level=logs.level_of_others(config.log_level, config.log_format),
                log_config=None,
                access_log=False,
                ws="app.web.frames:Frames",
                ws_max_size=4096,
                ws_ping_interval=PING,
                ws_ping_timeout=PING,
                ws_per_message_deflate=False,
                forwarded_allow_ips=config.trusted_proxies,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=5,
                server_header=False,
            )
        finally:
            if announced is not None:
                announced.set()
            keeper.stop()
    finally:
        if cluster is not None:
            cluster.stop()


def make_worker() -> "FastAPI":
    """The server in this process, which ends when the one that started it does: else it would keep the port."""
    from app.config import settings
    from app.main import make_app
    from app.web.ready import make_ready

    config = settings()
    logs.install(config.log_level, config.log_format)
    make_ready(config.var)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def end_too() -> None:
            parent.join()
            os.kill(os.getpid(), signal.SIGTERM)

        Thread(target=end_too, name="parent", daemon=True).start()
    app = make_app()
    app.state.deadline = DEADLINE
    return app


def open_database() -> Any:
    """Makes sure that ``DATABASE_URL`` names a database: the one given, or our own cluster (returned)."""
    from app.config import settings
    from app.db.embedded import Cluster

    config = settings()
    if config.database_url:
        os.environ["DATABASE_URL"] = config.database_url
        return None
    cluster = Cluster(config.var / "postgres")
    os.environ["DATABASE_URL"] = cluster.ensure_database()
    settings.cache_clear()
    return cluster


@console.command()
def bots(
    parent: Annotated[int, typer.Option("--with", help="End when the process of this number does.")] = 0,
) -> None:
    """Play the bots' seats of all tables (``serve`` starts this by itself)."""
    games.load_all()
    cluster = open_database()
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        run(_bots(parent))
    if cluster is not None:
        cluster.stop()


async def _bots(parent: int) -> None:
    from app.bots.runner import Runner
    from app.commands.rounds import go_round, rounds
    from app.config import settings
    from app.db.base import make_engine
    from app.live.bus import Bus
    from app.main import running
    from app.services.pulse import Heart
    from app.services.server import make_server

    config = settings()
    logs.install(config.log_level, config.log_format)
    server = make_server(config, make_engine(config.database_url, pool_size=config.pool_size))
    bus = Bus(config.database_url)
    runner = Runner(server, bus, pause=config.bot_pause)
    ended = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, ended.set)

    async def watch() -> None:
        while not ended.is_set():
            if parent and os.getppid() != parent:
                ended.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), 1)

    heart = Heart(server, "bots")
    async with running(server, bus):
        heart.start()
        tasks = [asyncio.create_task(each) for each in (runner.run(), watch(), go_round(rounds(server)))]
        done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await heart.stop()
        for task in done:
            task.result()


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine on the fast loop."""
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


@console.command()
def migrate() -> None:
    """Bring the database to the newest shape (``serve`` does this by itself)."""
    from app.db.migrate import upgrade

    cluster = open_database()
    upgrade(os.environ["DATABASE_URL"])
    typer.echo("the database is up to date")
    if cluster is not None:
        cluster.stop()


@console.command("make-admin")
def make_admin(name: Annotated[str, typer.Argument(help="The name of the account.")]) -> None:
    """Make somebody who has an account here the owner of the server."""
    from app.services.accounts import make_admin as promote
    from app.services.errors import NeedsAccount, NoSuchPerson

    try:
        with_server(lambda server: promote(server, name=name))
    except NoSuchPerson:
        refuse(f"nobody here is called {name}: make an account of that name, in the browser, and come back")
    except NeedsAccount:
        refuse(
            f"{name} is a guest, and anybody may be called like a guest: make an account of that name, in the "
            "browser at /sign-in (a guest stays the same person), and come back"
        )
    typer.echo(f"{name} owns the server now")


@console.command("replay-check")
def replay_check(
    every: Annotated[bool, typer.Option("--all", help="Finished tables too.")] = False,
) -> None:
    """Replay every unfinished table with the rules as they are now, and name those that part ways."""
    from app.services.checking import check_all, check_playing

    checked = with_server(check_all if every else check_playing)
    for parted in checked.parted:
        typer.echo(f"table {parted.key} parts ways at entry {parted.seq}")
    typer.echo(f"{checked.tables} tables{'' if every else ' in play'}, {len(checked.parted)} part ways")
    if checked.parted:
        raise typer.Exit(1)


def with_server(work: Any) -> Any:
    """Does something with the database and the services, without pages."""
    from app.config import settings
    from app.db.base import make_engine
    from app.services.server import make_server

    async def inside() -> Any:
        config = settings()
        server = make_server(config, make_engine(config.database_url))
        try:
            return await work(server)
        finally:
            await server.engine.dispose()

    cluster = open_database()
    try:
        return run(inside())
    finally:
        if cluster is not None:
            cluster.stop()
