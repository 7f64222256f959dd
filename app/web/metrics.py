"""What is counted, for those who have the token."""

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

    def __init__(self, seen: Vitals | None, connections: int) -> None:
        self._seen = seen
        self._connections = connections

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All of them."""
        seen = self._seen
        yield GaugeMetricFamily("semiramis_database_up", "Whether the database answers.", int(seen is not None))
        yield GaugeMetricFamily(
            "semiramis_database_connections", "Connections of this process in use.", self._connections
        )
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
    pool = server.engine.pool
    whole = CollectorRegistry()
    whole.register(Whole(seen, getattr(pool, "checkedout", int)()))
    text = await run_in_threadpool(metrics.counted) + generate_latest(whole)
    return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST})
