"""What people say at tables, whom somebody does not want to hear, and what was reported. Never part of a log."""

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, ForeignKey, Index, SmallInteger, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base

Moment = DateTime(timezone=True)


class Remark(Base):
    """Something that somebody said at a table, in the ``room`` of the seats or of the watchers (``seats``,
    ``watchers``).

    ``seat``: where they sat then. ``private``: said while only the seats could hear it, and kept so. ``removed``: one
    of those who keep order took it away, and with it the words. ``once``: by what the page names it, so that the same
    words sent twice are said once. ``name``: what they were called then.
    """

    __tablename__ = "remarks"
    __table_args__ = (
        Index("ix_remarks_room", "table_id", "room", "id"),
        Index("uq_remarks_once", "user_id", "once", unique=True, postgresql_where=text("once <> ''")),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"))
    room: Mapped[str] = mapped_column(Text)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    name: Mapped[str] = mapped_column(Text, server_default=text("''"))
    words: Mapped[str] = mapped_column(Text)
    private: Mapped[bool] = mapped_column(server_default=text("false"))
    removed: Mapped[bool] = mapped_column(server_default=text("false"))
    once: Mapped[str] = mapped_column(Text, server_default=text("''"))
    at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Mute(Base):
    """``user_id`` does not want to hear ``muted_id``, at any table. ``name``: what they were called when they said
    what was not to be heard."""

    __tablename__ = "mutes"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    muted_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    name: Mapped[str] = mapped_column(Text, server_default=text("''"))
    at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Report(Base):
    """Somebody asks those who keep order to look at a remark; ``outcome``: what came of it (empty: nothing yet)."""

    __tablename__ = "reports"
    __table_args__ = (Index("ix_reports_open", "at", postgresql_where=text("outcome = ''")),)

    remark_id: Mapped[int] = mapped_column(ForeignKey("remarks.id", ondelete="CASCADE"), primary_key=True)
    by_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    outcome: Mapped[str] = mapped_column(Text, server_default=text("''"))
    at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())
