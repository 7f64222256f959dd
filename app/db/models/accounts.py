"""People: who they are, the browsers they are known in, letters to them, and how well they play."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, ForeignKey, Index, LargeBinary, Text, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base

Moment = DateTime(timezone=True)


class User(Base):
    """A person. A guest has a nickname and the cookie of one browser; an account has a password and its own name.

    ``name_key`` is what names are compared by (no case, no width, nothing invisible): no two accounts share one, and
    no guest has an account's. ``quiet``: the hours in which they do not play, ``22-7`` in their time zone. ``role``
    is empty, ``moderator``, ``admin`` or ``owner``. ``preferences`` hold what
    only pages care about: ``theme``, ``sound``, and so on. ``email`` counts once ``email_confirmed_at`` says so. A
    deleted person keeps the row, without anything that tells who it was.
    """

    __tablename__ = "users"
    __table_args__ = (
        Index("uq_users_name_key", "name_key", unique=True, postgresql_where=text("NOT guest")),
        Index("ix_users_name_key", "name_key"),
        Index("uq_users_email", "email", unique=True, postgresql_where=text("email_confirmed_at IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    guest: Mapped[bool] = mapped_column(server_default=text("true"))
    name_key: Mapped[str | None] = mapped_column(Text)
    password_hash: Mapped[str | None] = mapped_column(Text)
    email: Mapped[str | None] = mapped_column(Text)
    email_confirmed_at: Mapped[datetime | None] = mapped_column(Moment)
    role: Mapped[str] = mapped_column(Text, server_default=text("''"))
    language: Mapped[str] = mapped_column(Text, server_default=text("''"))
    time_zone: Mapped[str] = mapped_column(Text, server_default=text("''"))
    quiet: Mapped[str] = mapped_column(Text, server_default=text("''"))
    preferences: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    muted_until: Mapped[datetime | None] = mapped_column(Moment)
    deleted_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())
    seen_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now(), index=True)


class Login(Base):
    """One browser in which a person is known; only a hash of its token is stored."""

    __tablename__ = "logins"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    browser: Mapped[str] = mapped_column(Text, server_default=text("''"))
    address: Mapped[str] = mapped_column(Text, server_default=text("''"))
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())
    seen_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Token(Base):
    """A link that was sent to somebody, good once and for a while: ``confirm`` an address, choose a ``password``."""

    __tablename__ = "tokens"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(Text)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    email: Mapped[str] = mapped_column(Text, server_default=text("''"))
    expires_at: Mapped[datetime] = mapped_column(Moment)
    used_at: Mapped[datetime | None] = mapped_column(Moment)


class Letter(Base):
    """A letter to be sent, or sent. The sentences are made when it is sent, from ``kind`` and ``facts``."""

    __tablename__ = "letters"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    email: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    due_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now(), index=True)
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    sent_at: Mapped[datetime | None] = mapped_column(Moment)
    dropped: Mapped[str] = mapped_column(Text, server_default=text("''"))


class Rating(Base):
    """How well a person plays a game: a mean and its uncertainty (openskill), computed from results alone."""

    __tablename__ = "ratings"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    slug: Mapped[str] = mapped_column(Text, primary_key=True)
    mu: Mapped[float]
    sigma: Mapped[float]
    games: Mapped[int]
