"""The commands that need the database, each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

from app.services import accounts
from app.services.server import Server
from tests.conftest import account
from tests.services.test_tables import opened, play

ROOT = Path(__file__).parent.parent.parent


def command(database: str, var: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DATABASE_URL": database, "SEMIRAMIS_VAR": str(var), **settings}
    return subprocess.run(
        [sys.executable, "-m", "app", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


async def test_whoever_has_an_account_is_made_the_owner(server: Server, database: str, tmp_path: Path) -> None:
    await account(server, "Alice")
    await accounts.welcome(server, name="Bob", language="en")
    done = command(database, tmp_path, "make-admin", "Alice")
    assert (done.returncode, done.stdout) == (0, "Alice owns the server now\n"), done.stderr
    refused = command(database, tmp_path, "make-admin", "Nobody")
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: nobody here is called Nobody: make an account of that name")
    refused = command(database, tmp_path, "make-admin", "Bob")
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: Bob is a guest") and "make an account of that name" in refused.stderr
    assert refused.stderr.count("\n") == 1


async def test_tables_that_part_ways_are_named(server: Server, database: str, tmp_path: Path) -> None:
    from sqlalchemy import text

    alice, _ = await accounts.welcome(server, name="Alice", language="en")
    bob, _ = await accounts.welcome(server, name="Bob", language="en")
    table_id = await opened(server, alice, bob)
    held = await play(server, table_id, [alice, bob], moves=5)
    done = command(database, tmp_path, "replay-check")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1 tables in play, 0 part ways\n"
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
        await connection.execute(text("UPDATE entries SET digest = 'other' WHERE seq = 5"))
    done = command(database, tmp_path, "replay-check")
    assert done.returncode == 1
    assert f"table {held.facts.key} parts ways at entry 5" in done.stdout


async def test_a_database_of_a_newer_version_is_not_touched(server: Server, database: str, tmp_path: Path) -> None:
    from sqlalchemy import text

    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    for words in (("migrate",), ("serve", "--port", "47311")):
        done = command(database, tmp_path, *words)
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        assert last.startswith("error: the database was made by a newer version of this server: ")
        assert "Traceback" not in done.stderr


def test_the_embedded_cluster_keeps_its_data_between_runs(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    tmp_path.chmod(0o755)
    for parent in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        parent.chmod(0o755)
    assert command("", folder, "migrate").returncode == 0
    refused = command("", folder, "make-admin", "Nobody")
    assert "error: nobody here is called Nobody" in refused.stderr.splitlines()[-1]
    assert (folder / "postgres" / "PG_VERSION").exists()
    assert not (folder / "postgres" / "postmaster.pid").exists()


def test_a_server_that_is_asked_to_end_leaves_nothing_running(tmp_path: Path) -> None:
    """Its Postgres and its bots end with it, whichever polite signal it gets."""
    import signal
    import socket
    import time
    from contextlib import suppress
    from urllib.request import urlopen

    import psutil

    for parent in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        parent.chmod(0o755)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "DATABASE_URL": "", "SEMIRAMIS_VAR": str(tmp_path / "var")}
    words = [sys.executable, "-m", "app", "serve", "--port", str(port)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True)
    started = False
    for _ in range(400):
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5):
            started = True
            break
        time.sleep(0.1)
    children = psutil.Process(process.pid).children(recursive=True)
    postmaster = tmp_path / "var" / "postgres" / "postmaster.pid"
    assert postmaster.exists()
    assert started
    assert children
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    said, faults = process.communicate(timeout=30)
    assert said.split("\n")[1] == f"  Semiramis is at http://localhost:{port}"
    assert "alembic" not in faults and "uvicorn" not in faults
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []
    assert gone
    assert not postmaster.exists()
