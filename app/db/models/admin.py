"""What keeps a club in order: its settings, who may not come in, editions of its own, the record of every act,
and how the server is doing."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, ForeignKey, Index, Text, func, text
from sqlalchemy.dialects.postgresql import CIDR, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base

Moment = DateTime(timezone=True)


class Setting(Base):
    """One setting of the lobby that admins may change while the server runs."""

    __tablename__ = "settings"

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    value: Mapped[Any] = mapped_column(JSONB)


class Announcement(Base):
    """A sentence on every page, in one language."""

    __tablename__ = "announcements"

    language: Mapped[str] = mapped_column(Text, primary_key=True)
    words: Mapped[str] = mapped_column(Text)


class Ban(Base):
    """Who may not come in: a person, a range of addresses, or both."""

    __tablename__ = "bans"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    addresses: Mapped[str | None] = mapped_column(CIDR)
    reason: Mapped[str] = mapped_column(Text, server_default=text("''"))
    until: Mapped[datetime | None] = mapped_column(Moment)
    by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class BoxEdition(Base):
    """An edition of a game's box that an admin uploaded; tables pin it by its digest, so it is never changed."""

    __tablename__ = "editions"
    __table_args__ = (Index("uq_editions_name", "slug", "name", unique=True),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    slug: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    contents: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(Text)
    offered: Mapped[bool] = mapped_column(server_default=text("true"))
    by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Audit(Base):
    """An admin's act, written in the transaction of the act itself. A trigger forbids changing or deleting it."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, server_default=func.now(), index=True)
    actor_id: Mapped[int | None] = mapped_column(BigInteger)
    act: Mapped[str] = mapped_column(Text)
    table_id: Mapped[int | None] = mapped_column(BigInteger, index=True)
    user_id: Mapped[int | None] = mapped_column(BigInteger, index=True)
    reason: Mapped[str] = mapped_column(Text, server_default=text("''"))
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))


class Pulse(Base):
    """How one process did in one minute, written several times while the minute lasts: admins see all processes."""

    __tablename__ = "pulses"

    process: Mapped[str] = mapped_column(Text, primary_key=True)
    minute: Mapped[datetime] = mapped_column(Moment, primary_key=True, index=True)
    kind: Mapped[str] = mapped_column(Text)
    since: Mapped[datetime] = mapped_column(Moment)
    seen_at: Mapped[datetime] = mapped_column(Moment)
    sockets: Mapped[int] = mapped_column(server_default=text("0"))
    moves: Mapped[int] = mapped_column(server_default=text("0"))
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))


class Fault(Base):
    """Something that should not have gone wrong: the id that whoever met it was told, what, and where."""

    __tablename__ = "faults"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, server_default=func.now(), index=True)
    process: Mapped[str] = mapped_column(Text)
    what: Mapped[str] = mapped_column(Text)
    place: Mapped[str] = mapped_column(Text)


class Backup(Base):
    """A backup that was written to its end: the moment that it holds, and how much."""

    __tablename__ = "backups"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment, index=True)
    tables: Mapped[int]
    entries: Mapped[int]
