"""The record of acts: a line for each, written in the transaction of the act itself."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import audit as queries
from app.db.models import User
from app.services import clock
from app.services.accounts import Me
from app.services.admin import rights
from app.services.errors import NeedsReason
from app.services.server import Server

LONGEST_REASON = 300
PAGE = 100
ACTS = (
    "see", "inspect", "pause", "resume", "hide", "unhide", "end", "cancel", "rewind", "accept", "replace", "host",
    "export", "mute", "unmute", "ban", "lift", "sign_out", "link", "merge", "role", "setting", "announce", "invite",
    "edition", "offer", "withhold", "make_admin", "remove", "dismiss",
)  # fmt: skip
"""Every act there is, by its word."""


class Line(msgspec.Struct, frozen=True):
    """An act as the record shows it. ``name``: of the person it was about."""

    id: int
    at: datetime
    actor: str
    act: str
    table_id: int | None
    user_id: int | None
    name: str
    reason: str
    facts: dict[str, Any]


class Wanted(msgspec.Struct, frozen=True):
    """Which lines somebody looks for; ``day`` in the time zone of who asks."""

    about: str = ""
    actor: int | None = None
    act: str = ""
    day: datetime | None = None
    before: int | None = None


class Found(msgspec.Struct, frozen=True):
    """Lines, the newest first; ``earlier``: before which more begin."""

    lines: tuple[Line, ...]
    actors: tuple[tuple[int, str], ...]
    earlier: int | None


def clean_reason(reason: str, *, needed: bool = True) -> str:
    """The reason as it is kept: one line. Raises :class:`NeedsReason`."""
    kept = " ".join("".join(each if each.isprintable() else " " for each in reason).split())[:LONGEST_REASON]
    if needed and not kept:
        raise NeedsReason
    return kept


async def note(
    session: AsyncSession,
    actor: User | None,
    act: str,
    *,
    table_id: int | None = None,
    user_id: int | None = None,
    reason: str = "",
    facts: dict[str, Any] | None = None,
) -> int:
    """Writes a line; its number. ``actor``: nobody when a command did it."""
    assert act in ACTS, act
    return await queries.add(
        session,
        actor_id=actor.id if actor else None,
        act=act,
        table_id=table_id,
        user_id=user_id,
        reason=reason,
        facts=facts,
        at=clock.now(),
    )


async def search(server: Server, me: Me, wanted: Wanted, *, most: int = PAGE) -> Found:
    """The newest lines that fit. Raises ``NotAllowed``."""
    async with server.sessions() as session:
        await rights.acting(session, me, "audit")
        rows = await queries.list_lines(
            session,
            before=wanted.before,
            actor_id=wanted.actor,
            act=wanted.act if wanted.act in ACTS else "",
            about=wanted.about.strip(),
            since=wanted.day,
            until=wanted.day + timedelta(days=1) if wanted.day else None,
            most=most + 1,
        )
        actors = await queries.list_actors(session)
    lines = tuple(
        Line(row.id, row.at, actor, row.act, row.table_id, row.user_id, name, row.reason, row.facts)
        for row, actor, name in rows[:most]
    )
    return Found(lines, tuple(actors), lines[-1].id if len(rows) > most else None)
