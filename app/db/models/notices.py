"""What people are told when they are away: of what, by which way, and what they look at meanwhile."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base
from app.db.models.accounts import Moment


class Notice(Base):
    """Something of which a person is told once (a turn that comes again long after, again): whoever writes this row
    tells it.

    ``kind``: ``turn``, ``time_up``, ``started``, ``over``, ``invited``, ``warned``; ``number`` tells one from the
    next (of turns the turn), ``since``: the version at which the decision opened of which they know. ``told``: or
    they knew it.
    """

    __tablename__ = "notices"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, index=True)
    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    since: Mapped[int] = mapped_column(server_default=text("0"))
    told: Mapped[bool]
    at: Mapped[datetime] = mapped_column(Moment, server_default=text("now()"))


class Look(Base):
    """Whether a page of a table lies open before a person, as the process that feeds it says again and again: until
    ``at`` it did. ``awake``: the version it showed when they last touched it (-1: not yet)."""

    __tablename__ = "looks"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, index=True)
    process: Mapped[str] = mapped_column(Text, primary_key=True)
    visible: Mapped[bool]
    awake: Mapped[int] = mapped_column(server_default=text("-1"))
    at: Mapped[datetime] = mapped_column(Moment)


class Hush(Base):
    """A person wants to be told nothing of a table."""

    __tablename__ = "hushes"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True, index=True)


class Subscription(Base):
    """A browser that shows notices, as its push service knows it; it goes with the login of that browser.

    ``public`` and ``auth``: what notices to it are encrypted with. ``failures``: refused in a row.
    """

    __tablename__ = "subscriptions"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    login_id: Mapped[int] = mapped_column(ForeignKey("logins.id", ondelete="CASCADE"), index=True)
    endpoint: Mapped[str] = mapped_column(Text, unique=True)
    public: Mapped[str] = mapped_column(Text)
    auth: Mapped[str] = mapped_column(Text)
    failures: Mapped[int] = mapped_column(server_default=text("0"))
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=text("now()"))


class Push(Base):
    """What a browser is to be told, one at a time: more of it joins what was not sent yet."""

    __tablename__ = "pushes"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    subscription_id: Mapped[int] = mapped_column(ForeignKey("subscriptions.id", ondelete="CASCADE"), unique=True)
    items: Mapped[list[Any]] = mapped_column(JSONB)
    due_at: Mapped[datetime] = mapped_column(Moment, index=True)
    tries: Mapped[int] = mapped_column(server_default=text("0"))


class Key(Base):
    """A secret that all processes share, made by the first that needs it."""

    __tablename__ = "keys"

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    value: Mapped[str] = mapped_column(Text)
