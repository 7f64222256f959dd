"""What is stored: people, their logins, tables, seats and the log."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, ForeignKey, Index, LargeBinary, SmallInteger, Text, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base

Moment = DateTime(timezone=True)


class User(Base):
    """A person. A guest has a nickname and the cookie of one browser; the identity lasts."""

    __tablename__ = "users"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    guest: Mapped[bool] = mapped_column(server_default=text("true"))
    admin: Mapped[bool] = mapped_column(server_default=text("false"))
    language: Mapped[str] = mapped_column(Text, server_default=text("''"))
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())
    seen_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now(), index=True)


class Login(Base):
    """One browser in which a person is known; only a hash of its token is stored."""

    __tablename__ = "logins"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Table(Base):
    """A table: a seed and (in ``entries``) a list of actions; the rest is computed or an index of it.

    ``key`` is its address; ``version`` counts entries, ``changed`` everything else that a page shows
    (who sits where, start, rematch). ``waiting`` maps each seat that must choose to its ``since``.
    """

    __tablename__ = "tables"
    __table_args__ = (Index("ix_tables_open", "status", "public", "created_at"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    key: Mapped[str] = mapped_column(Text, unique=True)
    slug: Mapped[str] = mapped_column(Text)
    revision: Mapped[int]
    edition: Mapped[str] = mapped_column(Text)
    edition_digest: Mapped[str] = mapped_column(Text)
    seat_count: Mapped[int] = mapped_column(SmallInteger)
    options: Mapped[dict[str, str]] = mapped_column(JSONB)
    deal: Mapped[dict[str, list[str]]] = mapped_column(JSONB, server_default=text("'{}'"))
    seed: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(Text, server_default=text("'waiting'"))
    public: Mapped[bool]
    host_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    version: Mapped[int] = mapped_column(server_default=text("0"))
    changed: Mapped[int] = mapped_column(server_default=text("0"))
    waiting: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=text("'{}'"))
    scores: Mapped[list[Any] | None] = mapped_column(JSONB)
    rematch_id: Mapped[int | None] = mapped_column(ForeignKey("tables.id"))
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())
    started_at: Mapped[datetime | None] = mapped_column(Moment)
    moved_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Seat(Base):
    """A seat of a table: a person, a bot, or nobody yet."""

    __tablename__ = "seats"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    bot: Mapped[str] = mapped_column(Text, server_default=text("''"))


class Entry(Base):
    """One line of a log. A trigger forbids changing or deleting it."""

    __tablename__ = "entries"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    text: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())
