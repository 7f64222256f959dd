"""The connection to Postgres: engine, sessions, and the address in the shape the driver wants."""

from typing import Any

from sqlalchemy import MetaData, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase

Sessions = async_sessionmaker[AsyncSession]


class Base(DeclarativeBase):
    """The parent of all models, with predictable names for keys and constraints."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def driver_url(url: str) -> str:
    """The same address for SQLAlchemy with asyncpg."""
    for prefix in ("postgresql://", "postgres://"):
        if url.startswith(prefix):
            return "postgresql+asyncpg://" + url[len(prefix) :]
    return url


def plain_url(url: str) -> str:
    """The same address for asyncpg alone."""
    return url.replace("postgresql+asyncpg://", "postgresql://", 1)


def make_engine(url: str, *, pool_size: int = 5) -> AsyncEngine:
    """A pool of connections. ``url``: ``postgresql://…``."""
    engine = create_async_engine(
        driver_url(url),
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=10,
        hide_parameters=True,  # seeds, names and hashes of tokens are among them, and errors are logged
    )
    event.listen(engine.sync_engine, "checkout", refuse_closed)
    return engine


def refuse_closed(connection: Any, *_: object) -> None:
    """A connection that Postgres closed is not handed out, nor are the others of its age. The driver heard of it when
    it happened; asking Postgres (``pool_pre_ping``) is three ways there and back before every transaction."""
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError


def make_sessions(engine: AsyncEngine) -> Sessions:
    """Where transactions come from: ``async with sessions.begin() as session``."""
    return async_sessionmaker(engine, expire_on_commit=False)
