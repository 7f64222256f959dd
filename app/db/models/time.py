"""Time at the tables: what befell a table between its moves, and when none of our servers was there."""

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, ForeignKey, SmallInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.db.base import Base

Moment = DateTime(timezone=True)


class Mark(Base):
    """What befell a table besides its moves, after the entry ``version``: ``up`` (a seat's time, in its ``turn``),
    ``gone`` (nobody took the seat that was offered), ``left``, ``back``, ``sat`` (a substitute), ``conceded``,
    ``paused``, ``resumed``, and about cancelling ``wish``, ``unwish``, ``agreed`` (``seat``: the last to agree, or to
    go)."""

    __tablename__ = "marks"

    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(Moment)
    version: Mapped[int]
    kind: Mapped[str] = mapped_column(Text)
    seat: Mapped[int | None] = mapped_column(SmallInteger)
    turn: Mapped[int | None]


class Outage(Base):
    """A while in which nobody could have played, because none of our servers was there."""

    __tablename__ = "outages"

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    began_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime] = mapped_column(Moment, index=True)


class Watch(Base):
    """One row: when a server of ours last said that it is there."""

    __tablename__ = "watch"

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    at: Mapped[datetime] = mapped_column(Moment)
