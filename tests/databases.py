"""Databases that are lent to one test after the other.

Making one costs Postgres a quarter of a second of work, emptying one next to nothing: so what comes back is emptied
and lent again, unless a test changed its shape.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import asyncpg

from app.db.embedded import Cluster

numbers = count(1)

SHAPE = """
SELECT md5(string_agg(said, E'\\n' ORDER BY said)) FROM (
  SELECT format('%s %s %s %s %s %s %s', relkind, relname, attnum, attname, atttypid, attnotnull,
                pg_get_expr(adbin, adrelid)) AS said
    FROM pg_class LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT tgrelid::regclass::text || pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT indexrelid::regclass::text || pg_get_indexdef(indexrelid) FROM pg_index
    WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
  UNION ALL SELECT tgrelid::regclass::text || ' ' || tgenabled::text || ' ' || count(*)::text FROM pg_trigger WHERE tgisinternal
    GROUP BY tgrelid, tgenabled
  UNION ALL SELECT proname || prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT version_num FROM alembic_version) AS everything
"""
"""All that migrations make, as one word."""

OTHERS_OUT = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""

EMPTY = """
DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;  -- no trigger fires: neither of keys nor of logs that only grow
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
    EXECUTE format('DELETE FROM %I', name);
  END LOOP;
  PERFORM setval(sequencename::regclass, start_value, false) FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL;
END $$
"""


class Databases:
    """Those of a run, each a copy of one that was migrated and has nothing in it."""

    def __init__(self, cluster: Cluster, template: str) -> None:
        self._cluster = cluster
        self._template = template
        self._free: list[str] = []
        self._shape: str = ""

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[str]:
        """The address of one with all tables and nothing in them."""
        name = self._free.pop() if self._free else await self._made()
        try:
            yield self._cluster.url_of(name)
        finally:
            if await self._emptied(name):
                self._free.append(name)
            else:
                await self._command(f'DROP DATABASE "{name}" WITH (FORCE)')

    async def _made(self) -> str:
        name = f"test_{os.getpid()}_{next(numbers)}"
        await self._command(f'CREATE DATABASE "{name}" TEMPLATE "{self._template}"')
        if not self._shape:
            connection = await asyncpg.connect(self._cluster.url_of(name))
            self._shape = await connection.fetchval(SHAPE)
            await connection.close()
        return name

    async def _emptied(self, name: str) -> bool:
        """Whether it is again as it was."""
        try:
            connection = await asyncpg.connect(self._cluster.url_of(name))
            try:
                await connection.execute(OTHERS_OUT)
                await connection.execute(EMPTY)
                return bool(await connection.fetchval(SHAPE) == self._shape)
            finally:
                await connection.close()
        except (asyncpg.PostgresError, OSError):
            return False

    async def _command(self, sql: str) -> None:
        connection = await asyncpg.connect(self._cluster.url_of("postgres"))
        await connection.execute(sql)
        await connection.close()
