"""Tables: who sits there, who is invited, who has looked, the log, and how it ended."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, ForeignKey, ForeignKeyConstraint, Index, SmallInteger, Text, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, validates

from app.db.base import Base

Moment = DateTime(timezone=True)


class Table(Base):
    """A table: a seed and (in ``entries``) a list of actions; the rest is computed or an index of it.

    ``key`` is its address; ``version`` counts entries, ``changed`` everything else that a page shows
    (who sits where, start, rematch, an admin's act). ``status`` is ``waiting``, ``playing``, ``over`` or
    ``cancelled``; ``ended`` says how it came to be over or cancelled when not by the rules (``admin``, ``expired``,
    ``left``, ``agreed``, ``conceded``). ``paused``: nobody may act. ``hidden``: an admin keeps it out of the
    lobby. ``warned_at``: when its people were told that it will expire. ``talk``: who hears the seats talk (``open``:
    everybody who sees the table, ``seats``: they alone), or ``off``. ``waiting`` maps each seat that must choose to
    its ``since``. ``pace``: how much time there is, as agreed; ``marks``: how many there are of what befell it
    besides its moves.
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
    rated: Mapped[bool] = mapped_column(server_default=text("true"))
    pace: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    marks: Mapped[int] = mapped_column(server_default=text("0"))
    password_hash: Mapped[str | None] = mapped_column(Text)
    talk: Mapped[str] = mapped_column(Text, server_default=text("'open'"))
    auto_start: Mapped[bool] = mapped_column(server_default=text("false"))
    hidden: Mapped[bool] = mapped_column(server_default=text("false"))
    paused: Mapped[bool] = mapped_column(server_default=text("false"))
    ended: Mapped[str] = mapped_column(Text, server_default=text("''"))
    warned_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())
    started_at: Mapped[datetime | None] = mapped_column(Moment)
    moved_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Seat(Base):
    """A seat of a table: a person, a bot, or nobody yet.

    ``ready``: this person would like to begin. ``left_id``: who left this seat in play, and may claim it back from
    the bot that stands in; ``left_name``: what they were called then; ``offer_key``: the address under which a
    substitute may take it. ``quiet``: the quiet hours of who sits here, as they were when the game began
    (``22-7 Asia/Tokyo``). ``cancels``: wishes the game cancelled. ``conceded_id``: who gave up here, the later the
    better.
    """

    __tablename__ = "seats"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    bot: Mapped[str] = mapped_column(Text, server_default=text("''"))
    ready: Mapped[bool] = mapped_column(server_default=text("false"))
    left_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    left_name: Mapped[str] = mapped_column(Text, server_default=text("''"))
    offer_key: Mapped[str | None] = mapped_column(Text, unique=True)
    quiet: Mapped[str] = mapped_column(Text, server_default=text("''"))
    cancels: Mapped[bool] = mapped_column(server_default=text("false"))
    conceded_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    conceded_at: Mapped[datetime | None] = mapped_column(Moment)

    @validates("left_id")
    def _forget_name(self, _: str, left_id: int | None) -> int | None:
        """Who may not come back is not named either."""
        if left_id is None:
            self.left_name = ""
        return left_id


class SharedSeat(Base):
    """A seat that somebody plays on the device of the person ``user_id``, under a ``name`` (empty: it is the person's
    own); it counts while that person holds the seat. ``opened``: the gate before what the seat knows is open.
    """

    __tablename__ = "shared_seats"
    __table_args__ = (
        ForeignKeyConstraint(["table_id", "seat"], ["seats.table_id", "seats.seat"], ondelete="CASCADE"),
    )

    table_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(Text)
    opened: Mapped[bool] = mapped_column(server_default=text("false"))


class Visit(Base):
    """A person's latest look at a table: ``version`` is how many entries it showed."""

    __tablename__ = "visits"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    version: Mapped[int]
    at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Invitation(Base):
    """Somebody is asked to a table by name."""

    __tablename__ = "invitations"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    declined: Mapped[bool] = mapped_column(server_default=text("false"))
    created_at: Mapped[datetime] = mapped_column(Moment, server_default=func.now())


class Result(Base):
    """How one seat ended at a finished table, and what that did to the person's rating (nothing when unrated).

    ``seats``, ``people``, ``bots``: how many sat there, how many of them were known persons or bots; ``parts``: where
    the points came from, in the order of the score sheet.
    """

    __tablename__ = "results"
    __table_args__ = (Index("ix_results_user", "user_id", "slug", "at"), Index("ix_results_slug", "slug", "at"))

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    seat: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    bot: Mapped[str] = mapped_column(Text, server_default=text("''"))
    slug: Mapped[str] = mapped_column(Text)
    total: Mapped[int]
    rank: Mapped[int] = mapped_column(SmallInteger)
    rated: Mapped[bool]
    mu: Mapped[float | None]
    sigma: Mapped[float | None]
    at: Mapped[datetime] = mapped_column(Moment)
    seats: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    people: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    bots: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    parts: Mapped[list[list[Any]]] = mapped_column(JSONB, server_default=text("'[]'"))


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
