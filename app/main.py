"""Builds the application; the only file that knows every part."""

import asyncio
import faulthandler
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from fastapi import FastAPI
from itsdangerous import Signer
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from app.config import Settings, settings
from app.db.base import make_engine
from app.db.lost import LOST, Outage
from app.live.bus import Bus
from app.services import timekeeping
from app.services.pulse import Heart
from app.services.server import Server, make_server
from app.web import (
    accounts,
    analysis,
    doors,
    endings,
    errors,
    health,
    hotseat,
    letters,
    lobby,
    log,
    metrics,
    my_account,
    notices,
    offers,
    preferences,
    profiles,
    recap,
    recovery,
    rooms,
    rules,
    shuffle,
    sockets,
    statistics,
    tables,
    talk,
    timing,
    unsubscribing,
)
from app.web.admin import audit as keep_audit
from app.web.admin import editions as keep_editions
from app.web.admin import glance
from app.web.admin import people as keep_people
from app.web.admin import reports as keep_reports
from app.web.admin import settings as keep_settings
from app.web.admin import tables as keep_tables
from app.web.deps import Edge, Limits, read_secret
from app.web.drawing import STATIC
from app.web.hall import Hall
from app.web.hub import Hub
from app.web.journal import Journal
from app.web.protection import Protection
from app.web.render import Renderer
from app.web.static import Static

BEAT = 2.0
logger = logging.getLogger("app.main")
MOST_TOLD = 1_000
"""So many people at so many tables are told of."""


def worth_logging(record: logging.LogRecord) -> bool:
    """Uvicorn names the address of every socket, and a table's address is its key; and it tells at length of
    every peer that sends nonsense."""
    said = record.getMessage()
    return '"WebSocket ' not in said and not said.startswith(("connection ", "Invalid UTF-8", "Invalid HTTP"))


@asynccontextmanager
async def running(server: Server, bus: Bus) -> AsyncIterator[None]:
    """The writer and the bus, for as long as this lasts."""
    bus.start()
    writing = asyncio.create_task(server.writer.run())
    server.bells.append(bus.say)
    server.calls.append(bus.call)
    try:
        yield
    finally:
        await server.writer.finish()
        writing.cancel()
        with suppress(asyncio.CancelledError):
            await writing
        await bus.stop()
        await server.engine.dispose()


async def watch(server: Server) -> None:
    """Says again and again that this server is there, as long as it is."""
    outage = Outage(logger, "the watch")
    while True:
        try:
            await timekeeping.beat(server)
            outage.over()
        except LOST as fault:
            outage.begun(fault)
        await asyncio.sleep(BEAT)


def told(hub: Hub, hall: Hall) -> dict[str, Any]:
    """What a process that serves pages tells of itself."""
    return {
        "sockets": hub.count + hall.count,
        "zones": timing.zones.told(),
        "clicks": timing.clicks.told(),
        "connected": Counter((*hub.connected, *hall.connected)).most_common(MOST_TOLD),
    }


def make_app(given: Settings | None = None) -> FastAPI:
    """The whole server on the database of the settings (``DATABASE_URL`` must be set by now)."""
    config = given or settings()
    logging.getLogger("app").setLevel(config.log_level)
    logging.getLogger("uvicorn.error").addFilter(worth_logging)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine = make_engine(config.database_url, pool_size=config.pool_size)
        server = make_server(config, engine)
        renderer = Renderer(server.club)
        hub = Hub(server, renderer)
        hall = Hall(server)
        bus = Bus(config.database_url)
        heart = Heart(server, "pages", partial(told, hub, hall))
        for hear in (hub.hear, hall.hear):
            server.bells.append(hear)
            bus.on_notice(hear)
        for hear_all in (hub.hear_all, hall.hear_all):
            bus.on_restored(hear_all)
        server.farewells.extend((hub.dismiss, hall.dismiss))
        server.calls.append(hub.call)
        bus.on_call(hub.call)
        app.state.heart = heart
        secret = read_secret(config.secret, config.var)
        app.state.edge = Edge(server, hub, hall, renderer, Signer(secret), Limits(config.moves_per_second))
        async with running(server, bus):
            for start in (hub.start, hall.start, heart.start):
                start()
            beating = asyncio.create_task(watch(server))
            try:
                yield
            finally:
                if app.state.deadline:
                    faulthandler.dump_traceback_later(app.state.deadline, exit=True)
                beating.cancel()
                for stop in (heart.stop, hall.stop, hub.stop):
                    await stop()

    app = FastAPI(
        title="Semiramis",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        middleware=[
            Middleware(Journal),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
            Middleware(Protection, answer=errors.at_the_door, origins=config.origins),
        ],
    )
    clubs = (lobby, rooms, endings, doors, offers, tables, talk, sockets)
    life = (log, shuffle, analysis, statistics, recap, hotseat)
    keepers = (glance, keep_tables, keep_people, keep_reports, keep_settings, keep_editions, keep_audit)
    people = (accounts, my_account, recovery, preferences, notices, unsubscribing, profiles)
    app.state.deadline = 0.0
    for part in (*clubs, *life, *keepers, *people, letters, rules, health, metrics):
        app.include_router(part.router)
    app.mount("/static", Static(directory=STATIC), name="static")
    errors.install(app)
    return app
