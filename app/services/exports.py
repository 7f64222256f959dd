"""One's data to take along: everything that is stored of a person, and nothing of others but what they saw anyway.

Of what was said they get all their own words, in whichever room, and none of others: those belong to who said them.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import select

from app.db import accounts as queries
from app.db import belongings, notices, pushes, shared_seats, talk, visits
from app.db.models import Invitation, Letter, Rating, Result, Table
from app.services import clock
from app.services.accounts import Me
from app.services.server import Server


async def export(server: Server, me: Me) -> dict[str, Any]:
    """All of it, ready to be written as JSON. Secrets (tokens, the password's hash) are not data."""
    async with server.sessions() as session:
        user = await queries.find_user(session, me.id)
        assert user is not None
        person = {
            "name": user.name,
            "guest": user.guest,
            "role": user.role,
            "email": user.email,
            "email_confirmed_at": _moment(user.email_confirmed_at),
            "language": user.language,
            "time_zone": user.time_zone,
            "quiet": user.quiet,
            "preferences": user.preferences,
            "silent_until": _moment(user.muted_until),
            "created_at": _moment(user.created_at),
            "seen_at": _moment(user.seen_at),
        }
        browsers = [
            {
                "browser": login.browser,
                "address": login.address,
                "since": _moment(login.created_at),
                "seen_at": _moment(login.seen_at),
            }
            for login in await queries.list_logins(session, me.id)
        ]
        moves: dict[int, list[dict[str, Any]]] = {}
        for table_id, entry in await belongings.list_moves(session, me.id):
            line = {"number": entry.seq, "seat": entry.seat, "entry": entry.text, "at": _moment(entry.at)}
            moves.setdefault(table_id, []).append(line)
        sittings = await belongings.list_sittings(session, me.id)
        beside = await shared_seats.list_beside(session, me.id)
        seats: dict[int, int] = {}
        for table, seat in sittings:
            if seat.seat not in beside.get(table.id, {}):
                seats.setdefault(table.id, seat.seat)
        sat = {table.id: table for table, _ in sittings}
        elsewhere = select(Table).where(Table.id.in_(set(moves) - set(sat))).order_by(Table.id.desc())
        tables = [*sat.values(), *(await session.execute(elsewhere)).scalars()]
        results = select(Result).where(Result.user_id == me.id).order_by(Result.at)
        ended = {row.table_id: row for row in (await session.execute(results)).scalars()}
        ratings = select(Rating).where(Rating.user_id == me.id).order_by(Rating.slug)
        letters = select(Letter).where(Letter.user_id == me.id).order_by(Letter.id)
        asked = select(Invitation, Table.key).join(Table, Table.id == Invitation.table_id)
        return {
            "exported_at": _moment(clock.now()),
            "person": person,
            "browsers": browsers,
            "tables": [
                _table(table, seats.get(table.id), ended, moves) | _beside(beside.get(table.id)) for table in tables
            ],
            "visits": [
                {"table": key, "moves": version, "at": _moment(at)}
                for key, version, at in await visits.list_visits(session, me.id)
            ],
            "notices": {
                "browsers": [
                    {"browser": name, "since": _moment(at)} for name, at in await pushes.list_browsers(session, me.id)
                ],
                "muted": list(await notices.list_muted(session, me.id)),
            },
            "ratings": [
                {"game": row.slug, "mean": row.mu, "uncertainty": row.sigma, "games": row.games}
                for row in (await session.execute(ratings)).scalars()
            ],
            "invitations": [
                {"table": key, "declined": invitation.declined, "at": _moment(invitation.created_at)}
                for invitation, key in await session.execute(asked.where(Invitation.user_id == me.id))
            ],
            "remarks": [
                {
                    "table": key,
                    "room": remark.room,
                    "name": remark.name,
                    "words": remark.words,
                    "for_seats_only": remark.private,
                    "taken_away": remark.removed,
                    "at": _moment(remark.at),
                }
                for remark, key in await talk.list_said(session, me.id)
            ],
            "muted": [
                {"name": name, "since": _moment(since)} for _, name, since in await talk.list_muted(session, me.id)
            ],
            "reports": [
                {"table": key, "at": _moment(report.at)} for report, key in await talk.list_reports_by(session, me.id)
            ],
            "letters": [
                {"kind": row.kind, "to": row.email, "sent_at": _moment(row.sent_at)}
                for row in (await session.execute(letters)).scalars()
            ],
        }


def _table(
    table: Table, seat: int | None, ended: dict[int, Result], moves: dict[int, list[dict[str, Any]]]
) -> dict[str, Any]:
    result = ended.get(table.id)
    return {
        "table": table.key,
        "game": table.slug,
        "edition": table.edition,
        "options": table.options,
        "status": table.status,
        "public": table.public,
        "seat": seat,
        "opened_at": _moment(table.created_at),
        "started_at": _moment(table.started_at),
        "result": _result(result) if result else None,
        "moves": moves.get(table.id, []),
    }


def _result(row: Result) -> dict[str, Any]:
    return {
        "points": row.total,
        "place": row.rank,
        "rated": row.rated,
        "points_by_source": dict(map(tuple, row.parts)),
    }


def _beside(names: dict[int, str] | None) -> dict[str, Any]:
    return {"beside": [{"seat": seat, "name": name} for seat, name in names.items()]} if names else {}


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
