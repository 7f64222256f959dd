"""Queries about what people are to be told: found anew each time from what is stored, and claimed by one row."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.models import Hush, Key, Letter, Look, Notice, Table

TURN, STARTED, OVER, INVITED, WARNED, TIME_UP = "turn", "started", "over", "invited", "warned", "time_up"
FRESH = timedelta(days=1)
"""What happened once is no news any more after so long; a turn that waits is, for ever."""
STALE = timedelta(seconds=30)
"""A page whose process has not said so long that it lies open does not."""
MOST = 2_000


class Found(NamedTuple):
    """Something that a person is to be told. ``number``: of a turn not known yet; ``at``: when it happened."""

    user_id: int
    table_id: int
    kind: str
    number: int
    since: int
    seat: int
    at: datetime


WAY = """
  (EXISTS (SELECT FROM subscriptions b WHERE b.user_id = u.id)
    OR (u.email_confirmed_at IS NOT NULL AND coalesce(u.preferences->>'letters', '') <> 'never'))
  AND u.deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM bans x WHERE x.user_id = u.id AND (x.until IS NULL OR x.until > :now))
"""
DELAY = "coalesce((u.preferences->>'notice_delay')::float, :delay) * interval '1 minute'"
AWAY = f"""
  NOT EXISTS (SELECT FROM hushes m WHERE m.user_id = u.id AND m.table_id = t.id)
  AND NOT EXISTS (SELECT FROM looks l WHERE l.user_id = u.id AND l.table_id = t.id
    AND ((l.visible AND l.at > :stale) OR l.at + {DELAY} > :now))
"""
"""Nobody is told of what they look at, or have looked at a moment ago."""


def untold(kind: str, number: str) -> str:
    """Whether somebody is not known to have been told."""
    return (
        "NOT EXISTS (SELECT FROM notices n WHERE n.user_id = u.id AND n.table_id = t.id"
        f" AND n.kind = '{kind}' AND {number})"
    )


OPENED = "coalesce(e.at, t.started_at, t.created_at)"
QUERIES = {
    TURN: f"""
SELECT u.id, t.id, 'turn', 0::bigint, w.value::int, s.seat, {OPENED}
FROM tables t CROSS JOIN LATERAL jsonb_each_text(t.waiting) w
JOIN seats s ON s.table_id = t.id AND s.seat = w.key::int
JOIN users u ON u.id = s.user_id
LEFT JOIN entries e ON e.table_id = t.id AND e.seq = w.value::int
WHERE t.status = 'playing' AND NOT t.paused AND t.moved_at > :since AND {OPENED} + {DELAY} <= :now
  AND {WAY} AND {AWAY} AND {untold("turn", "n.since = w.value::int")}
ORDER BY u.id, 7 LIMIT :most
""",
    STARTED: f"""
SELECT DISTINCT ON (u.id, t.id) u.id, t.id, 'started', 0::bigint, 0, s.seat, t.started_at
FROM tables t JOIN seats s ON s.table_id = t.id JOIN users u ON u.id = s.user_id
WHERE t.status = 'playing' AND t.started_at > :fresh AND t.started_at + {DELAY} <= :now
  AND {WAY} AND {AWAY} AND {untold("started", "true")}
LIMIT :most
""",
    OVER: f"""
SELECT DISTINCT ON (u.id, t.id) u.id, t.id, 'over', 0::bigint, 0, s.seat, t.moved_at
FROM tables t JOIN seats s ON s.table_id = t.id JOIN users u ON u.id IN (s.user_id, s.conceded_id)
WHERE (t.status = 'over' OR t.status = 'cancelled' AND t.started_at IS NOT NULL AND t.ended IN ('agreed', 'admin'))
  AND t.moved_at > :fresh AND t.moved_at + {DELAY} <= :now
  AND {WAY} AND {AWAY} AND {untold("over", "true")}
LIMIT :most
""",
    INVITED: f"""
SELECT u.id, t.id, 'invited', extract(epoch FROM i.created_at)::bigint, 0, -1, i.created_at
FROM invitations i JOIN tables t ON t.id = i.table_id JOIN users u ON u.id = i.user_id
WHERE t.status = 'waiting' AND NOT i.declined AND i.by_id IS DISTINCT FROM u.id
  AND i.created_at > :fresh AND i.created_at + {DELAY} <= :now
  AND NOT EXISTS (SELECT FROM seats s WHERE s.table_id = t.id AND s.user_id = u.id)
  AND {WAY} AND {AWAY} AND {untold("invited", "n.number = extract(epoch FROM i.created_at)::bigint")}
LIMIT :most
""",
    WARNED: f"""
SELECT DISTINCT ON (u.id, t.id)
  u.id, t.id, 'warned', extract(epoch FROM t.warned_at)::bigint, 0, s.seat, t.warned_at
FROM tables t JOIN seats s ON s.table_id = t.id JOIN users u ON u.id = s.user_id
WHERE t.status IN ('waiting', 'playing') AND t.warned_at >= t.moved_at AND t.warned_at > :fresh
  AND {WAY} AND {AWAY} AND {untold("warned", "n.number = extract(epoch FROM t.warned_at)::bigint")}
LIMIT :most
""",
    TIME_UP: f"""
SELECT u.id, t.id, 'time_up', k.turn::bigint, (t.waiting->>k.seat::text)::int, k.seat, k.at
FROM marks k JOIN tables t ON t.id = k.table_id
JOIN seats s ON s.table_id = t.id AND s.seat = k.seat JOIN users u ON u.id = s.user_id
WHERE k.kind = 'up' AND k.at > :fresh AND t.status = 'playing' AND NOT t.paused AND t.waiting ? k.seat::text
  AND coalesce(t.pace->>'up', '') <> 'bot'
  AND {WAY} AND {AWAY} AND {untold("time_up", "n.number = k.turn")}
LIMIT :most
""",
}


async def list_due(
    session: AsyncSession, *, now: datetime, delay: float, moved_since: datetime
) -> dict[int, list[Found]]:
    """Whatever people are to be told now, by person. ``delay``: minutes, for who chose none; ``moved_since``: of
    tables that moved before, turns are not looked for."""
    values = {
        "now": now,
        "delay": delay,
        "since": moved_since,
        "fresh": now - FRESH,
        "stale": now - STALE,
        "most": MOST,
    }
    found: dict[int, list[Found]] = {}
    for query in QUERIES.values():
        bound = {name: value for name, value in values.items() if f":{name}" in query}
        for row in await session.execute(text(query), bound):
            found.setdefault(row[0], []).append(Found(*row))
    return found


async def find_claim(session: AsyncSession, found: Found) -> int | None:
    """The version at which a turn was open when its person was last told of it, or known to know it."""
    query = select(Notice.since).where(
        Notice.user_id == found.user_id,
        Notice.table_id == found.table_id,
        Notice.kind == found.kind,
        Notice.number == found.number,
    )
    return (await session.execute(query)).scalar_one_or_none()


async def claim(session: AsyncSession, found: Found, *, told: bool, at: datetime) -> bool:
    """Writes down that somebody is told something, or knows it; whether nobody had done so before.

    A turn goes on after a step of it, or comes again when it was taken back: the row follows.
    """
    row = {"user_id": found.user_id, "table_id": found.table_id, "kind": found.kind, "number": found.number}
    made = insert(Notice).values(**row, since=found.since, told=told, at=at)
    first = (await session.execute(made.on_conflict_do_nothing().returning(Notice.user_id))).first() is not None
    if not first and found.kind == TURN:
        await session.execute(
            update(Notice).filter_by(**row).values(since=found.since, at=func.greatest(Notice.at, at))
        )
    return first


async def forget_turns(session: AsyncSession, table_id: int) -> None:
    """The turns of a table that was set back are told anew when they come again, and when their time is up again."""
    await session.execute(delete(Notice).where(Notice.table_id == table_id, Notice.kind.in_((TURN, TIME_UP))))


async def find_awake(session: AsyncSession, user_id: int, table_id: int) -> int:
    """The newest version of a table that a person has touched a page of; -1: none."""
    query = select(func.max(Look.awake)).where(Look.user_id == user_id, Look.table_id == table_id)
    found = (await session.execute(query)).scalar_one_or_none()
    return -1 if found is None else found


async def note_looks(
    session: AsyncSession,
    process: str,
    open_now: Mapping[tuple[int, int], int],
    gone: Collection[tuple[int, int]],
    *,
    at: datetime,
) -> None:
    """Of which tables (person and table) a process has a page that lies open, with what was touched; of which no
    longer."""
    rows = [
        {"process": process, "user_id": user, "table_id": table, "visible": True, "awake": awake, "at": at}
        for (user, table), awake in sorted(open_now.items())
    ]
    if rows:
        made = insert(Look).values(rows)
        newest = {
            "visible": True,
            "at": made.excluded.at,
            "awake": func.greatest(Look.awake, made.excluded.awake),
        }
        await session.execute(made.on_conflict_do_update(constraint="pk_looks", set_=newest))
    for user, table in sorted(gone):
        mine = (Look.process == process, Look.user_id == user, Look.table_id == table)
        await session.execute(update(Look).where(*mine).values(visible=False, at=at))


async def is_muted(session: AsyncSession, user_id: int, table_id: int) -> bool:
    """Whether a person wants to be told nothing of a table."""
    query = select(Hush.table_id).where(Hush.user_id == user_id, Hush.table_id == table_id)
    return (await session.execute(query)).first() is not None


async def mute(session: AsyncSession, user_id: int, table_id: int, *, muted: bool) -> None:
    """From now on a person is told nothing of a table, or is again."""
    if muted:
        made = insert(Hush).values(user_id=user_id, table_id=table_id)
        await session.execute(made.on_conflict_do_nothing())
    else:
        await session.execute(delete(Hush).where(Hush.user_id == user_id, Hush.table_id == table_id))


async def take_waiting_letter(session: AsyncSession, user_id: int, *, kind: str) -> tuple[list[Any], datetime] | None:
    """Takes a letter of a kind that is not on its way yet back out of the outbox: what it was to tell, and when.
    Whoever is just about to bring it finds that it is gone."""
    waiting = (Letter.user_id == user_id, Letter.kind == kind, Letter.sent_at.is_(None), Letter.dropped == "")
    taken = delete(Letter).where(*waiting).returning(Letter.facts, Letter.due_at)
    rows = (await session.execute(taken.execution_options(synchronize_session=False))).all()
    if not rows:
        return None
    return [item for facts, _ in rows for item in facts["items"]], max(row[1] for row in rows)


async def find_last_letter(session: AsyncSession, user_id: int, *, kind: str) -> datetime | None:
    """When the latest letter of a kind went to a person."""
    query = select(func.max(Letter.sent_at)).where(Letter.user_id == user_id, Letter.kind == kind)
    return (await session.execute(query)).scalar_one_or_none()


async def list_muted(session: AsyncSession, user_id: int) -> Sequence[str]:
    """The addresses of the tables of which a person wants to be told nothing."""
    query = select(Table.key).join(Hush, Hush.table_id == Table.id).where(Hush.user_id == user_id)
    return list((await session.execute(query.order_by(Table.id))).scalars())


HAND_ON = (
    """
INSERT INTO notices (user_id, table_id, kind, number, since, told, at)
SELECT :into, table_id, kind, number, since, told, at FROM notices WHERE user_id = :guest ON CONFLICT DO NOTHING
""",
    """
INSERT INTO hushes (user_id, table_id)
SELECT :into, table_id FROM hushes WHERE user_id = :guest ON CONFLICT DO NOTHING
""",
)


async def hand_on(session: AsyncSession, *, guest_id: int, into_id: int) -> None:
    """What a guest was told, another was; what one wants to hear nothing of, the other does not."""
    for statement in HAND_ON:
        await session.execute(text(statement), {"guest": guest_id, "into": into_id})


async def find_or_keep(session: AsyncSession, name: str, value: str) -> str:
    """The key of that name; this one, when there was none."""
    await session.execute(insert(Key).values(name=name, value=value).on_conflict_do_nothing())
    return (await session.execute(select(Key.value).where(Key.name == name))).scalar_one()


async def find_key(session: AsyncSession, name: str) -> str | None:
    """The key of that name."""
    return (await session.execute(select(Key.value).where(Key.name == name))).scalar_one_or_none()


async def forget(session: AsyncSession, *, before: datetime) -> None:
    """Forgets what was told of tables that are over, and pages that were open long ago."""
    done = select(Table.id).where(Table.status.in_(("over", "cancelled")))
    await session.execute(delete(Notice).where(Notice.at < before, Notice.table_id.in_(done)))
    await session.execute(delete(Look).where(Look.at < before))
