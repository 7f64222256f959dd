"""What is counted, for those who have the token."""

import asyncio
from collections.abc import Iterator
from hmac import compare_digest

from fastapi import APIRouter, HTTPException, Request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from app import metrics
from app.db.lost import LOST
from app.services import vitals
from app.services.server import Server
from app.services.vitals import Vitals

router = APIRouter()


class Whole(Collector):
    """What is asked of the database at the moment of looking; ``None``: it does not answer."""

    def __init__(self, seen: Vitals | None, now: tuple[tuple[str, str, int], ...]) -> None:
        self._seen = seen
        self._now = now

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All of them."""
        seen = self._seen
        yield GaugeMetricFamily("semiramis_database_up", "Whether the database answers.", int(seen is not None))
        for name, what, value in self._now:
            yield GaugeMetricFamily(name, what, value)
        if seen is None:
            return
        tables = GaugeMetricFamily("semiramis_tables", "Tables by status.", labels=["status"])
        for status, count in sorted(seen.tables.items()):
            tables.add_metric([status], count)
        yield tables
        yield GaugeMetricFamily("semiramis_tables_moving", "Tables that moved within a minute.", seen.moving)
        yield GaugeMetricFamily("semiramis_people_here", "People seen within five minutes.", seen.people)
        yield GaugeMetricFamily(
            "semiramis_bot_wait_seconds", "How long people wait for a bot, where they wait longest.", seen.bot_wait
        )


def in_this_process(server: Server) -> tuple[tuple[str, str, int], ...]:
    """What this process has to do at this moment, whatever the others do: none of it may grow and grow."""
    in_use = getattr(server.engine.pool, "checkedout", int)()
    return (
        ("semiramis_database_connections", "Connections of this process in use.", in_use),
        ("semiramis_tasks", "Tasks of this process that run or wait.", len(asyncio.all_tasks())),
        ("semiramis_moves_waiting", "Moves that wait to be stored by this process.", server.writer.waiting),
        ("semiramis_tables_remembered", "Tables this process remembers.", server.states.count),
    )


def allowed(given: str, token: str) -> bool:
    """Whether a request may see it; without a token of ours nobody may."""
    return bool(token) and compare_digest(given.encode(), f"Bearer {token}".encode())


@router.get("/metrics")
async def show(request: Request) -> Response:
    """To everybody else there is no such page."""
    server: Server = request.app.state.edge.server
    if not allowed(request.headers.get("authorization", ""), server.settings.metrics_token):
        raise HTTPException(404)
    try:
        seen = await vitals.look(server)
    except LOST:
        seen = None
    whole = CollectorRegistry()
    whole.register(Whole(seen, in_this_process(server)))
    text = await run_in_threadpool(metrics.counted) + generate_latest(whole)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST})
