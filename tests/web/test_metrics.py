"""What is counted, who may see it, and that several processes count together."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from app.config import Settings
from tests.conftest import Site, site_on
from tests.web.talking import Talk

TOKEN = "4f0c9ae1b7d25836c4a09ef1d2b35768"


@pytest.fixture
async def watched(config: Settings) -> AsyncIterator[Site]:
    """A server whose metrics may be asked for."""
    async with site_on(config.model_copy(update={"metrics_token": TOKEN})) as made:
        yield made


async def numbers(site: Site) -> dict[str, float]:
    """Every number by its name and labels."""
    answer = await site.client(headers={"Authorization": f"Bearer {TOKEN}"}).get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {name: float(value) for name, value in re.findall(r"^([^#\s].*) (\S+)$", answer.text, re.MULTILINE)}


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}é"])
async def test_strangers_find_no_metrics(watched: Site, given: str) -> None:
    answer = await watched.client(headers=[(b"Authorization", given.encode())]).get("/metrics")
    assert answer.status_code == 404
    assert "semiramis_" not in answer.text


async def test_without_a_token_there_are_no_metrics(site: Site) -> None:
    for given in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer None"}):
        assert (await site.client(headers=given).get("/metrics")).status_code == 404


async def test_what_happens_is_counted(watched: Site) -> None:
    before = await numbers(watched)
    alice = await watched.guest("Alice")
    answer = await alice.post("/tables", data={"game": "hanging_gardens", "seats": "2", "do": "bots"})
    key = answer.url.path.rsplit("/", 1)[1]
    talk = await Talk.open(watched, key, alice)
    found = await numbers(watched)
    shown = 'semiramis_requests_total{method="GET",route="/tables/{key}",status="200"}'
    assert found[shown] == before.get(shown, 0) + 1
    assert found['semiramis_request_seconds_count{route="/tables"}'] >= 1
    assert found['semiramis_draw_seconds_count{game="hanging_gardens"}'] >= 1
    assert found["semiramis_sockets"] == before["semiramis_sockets"] + 1
    assert found['semiramis_tables{status="playing"}'] == 1
    assert found["semiramis_people_here"] == 1
    assert found["semiramis_database_up"] == 1
    assert not [name for name in found if key in name or "Alice" in name]
    await talk.close()


async def test_a_database_that_is_gone_is_counted_too(watched: Site) -> None:
    async with watched.server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE tables RENAME TO tables_gone"))
    found = await numbers(watched)
    assert found["semiramis_database_up"] == 0
    assert "semiramis_people_here" not in found


async def test_the_longest_wait_for_a_bot_is_told(watched: Site) -> None:
    alice = await watched.guest("Alice")
    await alice.post("/tables", data={"game": "hanging_gardens", "seats": "2", "do": "bots"})
    async with watched.server.engine.begin() as connection:
        await connection.execute(text("UPDATE tables SET moved_at = now() - interval '90 seconds'"))
        await connection.execute(text("UPDATE seats SET bot = 'greedy', user_id = NULL"))
    assert (await numbers(watched))["semiramis_bot_wait_seconds"] >= 90


def test_processes_that_share_a_folder_count_together(tmp_path: Path) -> None:
    """And one that is dead has no open sockets any more, while what it answered stays counted."""
    script = "from app import metrics; metrics.SOCKETS.inc(); metrics.MOVES.inc(2)"
    told = "from app import metrics; metrics.SOCKETS.inc(5); metrics.MOVES.inc(); print(metrics.counted().decode())"
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    done = subprocess.run([sys.executable, "-c", told], env=environment, check=True, capture_output=True, text=True)
    assert "\nsemiramis_moves_total 3.0\n" in done.stdout
    assert "\nsemiramis_sockets 5.0\n" in done.stdout
