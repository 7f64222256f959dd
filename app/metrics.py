"""What is counted in this process, for Prometheus. Nothing of it names a person or a table."""

import os
from pathlib import Path
from shutil import rmtree

import psutil
from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which the library knows the folder in which several processes count together."""
FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)

disable_created_metrics()  # type: ignore[no-untyped-call]
REQUESTS = Counter("semiramis_requests", "Requests answered.", ["method", "route", "status"])
REQUEST_SECONDS = Histogram("semiramis_request_seconds", "How long an answer took.", ["route"], buckets=FAST)
SOCKETS = Gauge("semiramis_sockets", "Open sockets of pages.", multiprocess_mode="livesum")
MOVES = Counter("semiramis_moves", "Moves stored by this process.")
LOST_RACES = Counter("semiramis_lost_races", "Moves that came second and were decided again.")
UNWRITTEN = Counter("semiramis_moves_not_stored", "Moves whose statement failed.")
WRITE_SECONDS = Histogram("semiramis_write_seconds", "One statement that stores moves.", buckets=FAST)
DRAW_SECONDS = Histogram("semiramis_draw_seconds", "All zones of one table for one viewer.", ["game"], buckets=FAST)
CLICK_SECONDS = Histogram(
    "semiramis_click_seconds", "From a click until its zones were sent to a page of this process.", buckets=FAST
)
FAULTS = Counter("semiramis_faults", "Faults of ours; the log tells them.")


def share(folder: Path) -> None:
    """Several server processes count together, in a folder. To be called before they are started."""
    rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.environ[SHARED] = str(folder)


def counted() -> bytes:
    """Everything, as Prometheus reads it."""
    folder = os.environ.get(SHARED)
    if not folder:
        return generate_latest(REGISTRY)
    for file in Path(folder).glob("gauge_live*_*.db"):
        pid = file.stem.rsplit("_", 1)[1]
        if not psutil.pid_exists(int(pid)):
            mark_process_dead(int(pid), folder)  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
