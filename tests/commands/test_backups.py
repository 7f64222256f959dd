"""A backup is one file; it comes back into an empty database with everything in it, or not at all."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import text

from app.db.embedded import Cluster
from app.services import accounts, talk
from app.services.server import Server
from tests.commands.test_serving import ROOT, command
from tests.services.test_tables import opened, play

numbers = count(1)


@pytest.fixture
async def empty(cluster: Cluster) -> AsyncIterator[str]:
    """The address of a database that is not there yet."""
    name = f"restored_{os.getpid()}_{next(numbers)}"
    yield cluster.url_of(name)
    connection = await asyncpg.connect(cluster.url_of("postgres"))
    await connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    await connection.close()


async def played(server: Server) -> None:
    """Two games: one in play with something taken back, one at its end, and something said there."""
    alice, _ = await accounts.welcome(server, name="Alice", language="en")
    bob, _ = await accounts.welcome(server, name="ニーナ'; DROP", language="ja")
    await play(server, await opened(server, alice, bob), [alice, bob], moves=5)
    over = await opened(server, alice, bob)
    await talk.say(server, bob, over, words="見事な庭園!")
    await play(server, over, [alice, bob], moves=400)


async def test_a_backup_comes_back_with_every_digest_equal(
    server: Server, database: str, empty: str, tmp_path: Path
) -> None:
    await played(server)
    file = tmp_path / "club.backup"
    done = command(database, tmp_path, "backup", str(file))
    assert done.returncode == 0, done.stderr
    assert file.stat().st_mode & 0o777 == 0o600
    held = done.stdout.partition(": ")[2]
    assert held.startswith("2 users, 2 tables, ")
    async with server.engine.connect() as connection:
        noted = (await connection.execute(text("SELECT tables, entries > 0, at < now() FROM backups"))).all()
    assert noted == [(2, True, True)]
    torn = tmp_path / "torn.backup"
    torn.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    refused = command(empty, tmp_path, "restore", str(torn))
    assert refused.returncode == 1
    assert refused.stderr.startswith(
        "error: the backup is cut off or damaged; nothing was brought back (pg_restore: "
    )
    back = command("postgresql://127.0.0.1:1/nowhere", tmp_path, "restore", str(file), "--into", empty, "--verify")
    assert back.returncode == 0, back.stderr
    first, second = back.stdout.splitlines()
    assert first == f"{file}: {held.strip()}"
    assert second.startswith("2 tables and ")
    assert second.endswith(" entries replayed, 0 part ways")
    again = command(empty, tmp_path, "backup", str(tmp_path / "again.backup"))
    assert again.stdout.partition(": ")[2] == held
    refused = command(empty, tmp_path, "restore", str(file))
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: the database is not empty: its table “")


async def test_the_log_of_what_came_back_is_still_for_ever(
    server: Server, database: str, empty: str, tmp_path: Path
) -> None:
    await played(server)
    assert command(database, tmp_path, "backup", str(tmp_path / "a")).returncode == 0
    assert command(empty, tmp_path, "restore", str(tmp_path / "a")).returncode == 0
    connection = await asyncpg.connect(empty)
    try:
        with pytest.raises(asyncpg.RaiseError, match="append-only"):
            await connection.execute("DELETE FROM entries")
        assert await connection.fetchval("SELECT words FROM remarks WHERE user_id = 2") == "見事な庭園!"
        assert await connection.fetchval("INSERT INTO users (name) VALUES ('Dan') RETURNING id") == 3
    finally:
        await connection.close()


def piped(database: str, var: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A command whose input and output are a backup."""
    environment = {**os.environ, "DATABASE_URL": database, "SEMIRAMIS_VAR": str(var)}
    command = [sys.executable, "-m", "app", *words]
    return subprocess.run(command, cwd=ROOT, env=environment, input=given, capture_output=True, check=False)


async def test_a_backup_goes_through_a_pipe_into_a_database_that_is_migrated_but_empty(
    server: Server, database: str, empty: str, tmp_path: Path
) -> None:
    await played(server)
    whole = piped(database, tmp_path, "backup", "-")
    assert whole.stdout.startswith(b"PGDMP")
    assert b"2 users, 2 tables" in whole.stderr
    for _ in range(2):  # the first makes the database, and the second finds it there with its tables
        done = piped(empty, tmp_path, "restore", "-", "--verify", given=whole.stdout)
        assert done.returncode == 0, done.stderr
        connection = await asyncpg.connect(empty)
        await connection.execute("ALTER TABLE entries DISABLE TRIGGER USER")
        await connection.execute("TRUNCATE users CASCADE")
        await connection.close()


async def test_a_log_that_parts_ways_is_named_and_so_is_one_that_lost_its_end(
    server: Server, database: str, empty: str, tmp_path: Path
) -> None:
    await played(server)
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
        await connection.execute(text("UPDATE entries SET digest = 'other' WHERE table_id = 1 AND seq = 3"))
        await connection.execute(text("UPDATE tables SET version = version + 1 WHERE id = 2"))
    assert command(database, tmp_path, "backup", str(tmp_path / "a")).returncode == 0
    done = command(empty, tmp_path, "restore", str(tmp_path / "a"), "--verify")
    assert done.returncode == 1
    assert done.stdout.count(" parts ways at entry ") == 2
    assert " parts ways at entry 3\n" in done.stdout
    check = command(database, tmp_path, "replay-check", "--all")
    assert check.returncode == 1
    assert check.stdout.endswith("2 tables, 2 part ways\n")


async def test_what_is_no_backup_changes_nothing(database: str, empty: str, tmp_path: Path) -> None:
    (tmp_path / "poem").write_text("not a backup")
    missing = command(empty, tmp_path, "restore", "nowhere")
    assert missing.stderr == "error: there is no file nowhere\n"
    refused = command(empty, tmp_path, "restore", str(tmp_path / "poem"))
    assert refused.returncode == 1
    assert "does not appear to be a valid archive" in refused.stderr
    connection = await asyncpg.connect(database)
    await connection.execute("INSERT INTO users (name) SELECT md5(random()::text) FROM generate_series(1, 5000)")
    await connection.close()
    assert command(database, tmp_path, "backup", str(tmp_path / "a")).returncode == 0
    half = (tmp_path / "a").read_bytes()
    (tmp_path / "half").write_bytes(half[: len(half) // 2])
    refused = command(empty, tmp_path, "restore", str(tmp_path / "half"))
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: ")
    assert refused.stderr.count("\n") == 1


async def test_a_backup_of_a_newer_server_is_refused(
    server: Server, database: str, empty: str, tmp_path: Path
) -> None:
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert command(database, tmp_path, "backup", str(tmp_path / "a")).returncode == 0
    refused = command(empty, tmp_path, "restore", str(tmp_path / "a"))
    assert refused.returncode == 1
    assert "was written by a newer version of this server" in refused.stderr


async def test_a_file_that_is_there_is_not_written_over_and_none_is_left_half(database: str, tmp_path: Path) -> None:
    file = tmp_path / "club.backup"
    file.write_text("precious")
    refused = command(database, tmp_path, "backup", str(file))
    assert refused.returncode == 1
    assert refused.stderr == f"error: {file} is there already\n"
    assert file.read_text() == "precious"
    gone = command("postgresql://127.0.0.1:1/x", tmp_path, "backup", str(tmp_path / "other"))
    assert gone.returncode == 1
    assert not (tmp_path / "other").exists()
    assert not (tmp_path / "other.part").exists()


async def test_other_peoples_tables_are_left_alone(database: str, empty: str, tmp_path: Path) -> None:
    assert command(database, tmp_path, "backup", str(tmp_path / "a")).returncode == 0
    assert command(empty, tmp_path, "restore", str(tmp_path / "a")).returncode == 0
    connection = await asyncpg.connect(empty)
    await connection.execute("CREATE TABLE recipes (name text)")
    refused = command(empty, tmp_path, "restore", str(tmp_path / "a"))
    assert refused.returncode == 1
    assert "recipes in it are not ours" in refused.stderr
    assert await connection.fetchval("SELECT count(*) FROM recipes") == 0
    await connection.close()


def test_no_tool_of_the_machine_is_needed_and_our_own_cluster_is_kept_too(tmp_path: Path) -> None:
    for parent in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        parent.chmod(0o755)
    bare = {"PATH": "/nowhere"}
    assert command("", tmp_path / "one", "migrate").returncode == 0
    done = command("", tmp_path / "one", "backup", str(tmp_path / "a"), **bare)
    assert done.returncode == 0, done.stderr
    back = command("", tmp_path / "two", "restore", str(tmp_path / "a"), "--verify")
    assert back.returncode == 0, back.stderr
    assert back.stdout.endswith("0 tables and 0 entries replayed, 0 part ways\n")


async def test_a_backup_of_a_database_that_cannot_be_told_of_it_is_whole(
    server: Server, database: str, empty: str, tmp_path: Path
) -> None:
    await played(server)
    async with server.engine.begin() as connection:
        await connection.execute(text("ALTER TABLE backups RENAME COLUMN at TO moment"))
    done = command(database, tmp_path, "backup", str(tmp_path / "club.backup"))
    assert done.returncode == 0
    assert done.stdout.partition(": ")[2].startswith("2 users, 2 tables, ")
    assert done.stderr.startswith("the backup is whole, but the server could not be told of it: ")
    assert command(empty, tmp_path, "restore", str(tmp_path / "club.backup")).returncode == 0
