"""What is killed comes back by itself: the bots, our own Postgres; and what nobody looks after any more ends."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import asyncpg
import psutil
import pytest

from app.commands.keeping import Keeper
from app.db.embedded import Cluster, forget_the_dead
from app.db.lost import LOST

ROOT = Path(__file__).parent.parent.parent


def until(claim: Callable[[], object], seconds: float = 60.0) -> None:
    """Waits until a claim holds."""
    ends = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that Postgres, which may be another user, can reach."""
    for parent in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        parent.chmod(0o755)
    return tmp_path / "var"


def count_people(url: str) -> int:
    async def ask() -> int:
        connection = await asyncpg.connect(url)
        try:
            return int(await connection.fetchval("SELECT count(*) FROM people"))
        finally:
            await connection.close()

    return asyncio.run(ask())


def add_somebody(url: str) -> None:
    async def add() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute("CREATE TABLE IF NOT EXISTS people (name text); INSERT INTO people VALUES ('Mika')")
        await connection.close()

    asyncio.run(add())


def test_our_own_postgres_is_started_again_when_it_is_killed(folder: Path) -> None:
    cluster = Cluster(folder / "postgres")
    url = cluster.ensure_database()
    add_somebody(url)
    keeper = Keeper(cluster, bots=False)
    keeper.start()
    try:
        for _ in range(2):
            killed = cluster.postmaster
            os.kill(killed, signal.SIGKILL)
            until(lambda killed=killed: cluster.postmaster != killed and cluster.runs)  # type: ignore[misc]

            def answers() -> bool:
                with suppress(*LOST):
                    return count_people(url) == 1
                return False

            until(answers)
    finally:
        keeper.stop()
        cluster.stop()
    assert not (folder / "postgres" / "postmaster.pid").exists()


def test_what_was_killed_leaves_nothing_that_hinders_a_start(folder: Path) -> None:
    """After a crash the numbers of processes are those of others: as if the machine had been switched off."""
    cluster = Cluster(folder / "postgres")
    add_somebody(cluster.ensure_database())
    file = folder / "postgres" / "postmaster.pid"
    holders = folder / "postgres" / ".handle_pids.json"
    left = file.read_text()
    cluster.stop()
    somebody = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        file.write_text(left.replace(left.splitlines()[0], str(somebody.pid), 1))
        holders.write_text("[999999999]")
        again = Cluster(folder / "postgres")
        assert count_people(again.ensure_database()) == 1
        again.stop()
        assert not file.exists()
    finally:
        somebody.communicate(b"\n")


def test_a_postgres_that_lives_is_not_forgotten(folder: Path) -> None:
    cluster = Cluster(folder / "postgres")
    forget_the_dead(folder / "postgres")
    assert (folder / "postgres" / "postmaster.pid").exists()
    assert cluster.runs
    cluster.stop()
    assert not cluster.runs


def test_bots_that_are_killed_are_started_again_and_bots_that_were_asked_to_end_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/sleep")  # "sleep -m app bots" ends at once, badly
    keeper = Keeper(None, bots=True)
    started: list[float] = []
    sound = keeper._start_bots

    def start_bots() -> None:
        started.append(time.monotonic())
        sound()

    monkeypatch.setattr(keeper, "_start_bots", start_bots)
    keeper.start()
    time.sleep(6)
    keeper.stop()
    assert 2 <= len(started) <= 5, "again, but more and more slowly"


class Serving:
    """``python -m app serve`` with its own Postgres."""

    def __init__(self, var: Path, *words: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        environment = {**os.environ, "DATABASE_URL": "", "SEMIRAMIS_VAR": str(var), "SEMIRAMIS_BOT_PAUSE": "0"}
        command = [sys.executable, "-m", "app", "serve", "--port", str(self.port), *words]
        var.mkdir(exist_ok=True)
        with (var / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        until(self.ready)

    def ready(self) -> bool:
        assert self.process.poll() is None
        with suppress(URLError, OSError), urlopen(f"http://127.0.0.1:{self.port}/health/ready", timeout=5):
            return True
        return False

    def bots(self) -> list[psutil.Process]:
        """The processes of the bots, without those that are dead and not yet buried."""
        found = []
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):
                if "bots" in child.cmdline():
                    found.append(child)
        return found


@pytest.fixture
def serving(folder: Path) -> Iterator[Callable[..., Serving]]:
    """Starts servers, and ends what is left of them."""
    begun: list[Serving] = []

    def start(*words: str) -> Serving:
        begun.append(Serving(folder, *words))
        return begun[-1]

    yield start
    for each in begun:
        each.process.terminate()
        each.process.wait(30)
    last = Cluster(folder / "postgres")
    last.stop()


def test_a_killed_process_of_bots_comes_back(serving: Callable[..., Serving]) -> None:
    server = serving()
    (bots,) = server.bots()
    bots.kill()
    until(lambda: [each.pid for each in server.bots()] not in ([], [bots.pid]))
    assert server.ready()


def test_workers_and_bots_end_with_the_server_that_was_killed(serving: Callable[..., Serving]) -> None:
    """Else they would keep the port, and nobody could start it again."""
    server = serving("--workers", "2")
    children = psutil.Process(server.process.pid).children(recursive=True)
    workers = [each for each in children if "resource_tracker" not in " ".join(each.cmdline())]
    assert len(workers) == 3
    server.process.kill()
    server.process.wait()
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []
