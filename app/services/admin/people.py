"""People as admins find them: who they are, how they behave, and what holds against them."""

from datetime import datetime

import msgspec

from app.db import accounts as queries
from app.db import bans
from app.db import people as searches
from app.db.models import User
from app.services import clock
from app.services.accounts import Me
from app.services.admin import rights
from app.services.errors import NoSuchPerson
from app.services.names import name_key
from app.services.server import Server

MOST = 100


class Found(msgspec.Struct, frozen=True):
    """Somebody in a list."""

    id: int
    name: str
    guest: bool
    role: str
    since: datetime
    seen_at: datetime
    games: int
    left: int
    muted_until: datetime | None
    banned: bool


class Ban(msgspec.Struct, frozen=True):
    """A ban that holds; ``name``: of the person it is about."""

    id: int
    user_id: int | None
    name: str
    addresses: str
    until: datetime | None
    reason: str
    at: datetime


class Person(msgspec.Struct, frozen=True):
    """Somebody with everything an admin may know. ``addresses`` they came from are told to who may ban; the e-mail
    address to nobody."""

    found: Found
    language: str
    confirmed: bool
    browsers: int
    addresses: tuple[str, ...]
    tables: tuple[tuple[int, str], ...]
    bans: tuple[Ban, ...]
    powers: frozenset[str]
    """What the one who asks may do about this person."""


async def search(server: Server, me: Me, *, text: str = "", kind: str = "") -> tuple[Found, ...]:
    """People whose name has that text in it, the latest seen first. Raises ``NotAllowed``."""
    wanted = text.strip()[:100]
    async with server.sessions() as session:
        actor = await rights.acting(session, me, "people")
        looks_like_address = "ban" in rights.powers(actor.role) and wanted.count(".") + wanted.count(":") > 1
        rows = await searches.search(
            session,
            key=name_key(wanted),
            number=int(wanted) if wanted.isdecimal() and len(wanted) < 18 else None,
            address=wanted if looks_like_address else "",
            kind=kind if kind in searches.KINDS else "",
            at=clock.now(),
            most=MOST,
        )
    return tuple(_found(row[0], games=row[1], left=row[2], banned=row[3]) for row in rows)


def _found(user: User, *, games: int, left: int, banned: bool) -> Found:
    return Found(
        id=user.id,
        name=user.name,
        guest=user.guest,
        role=user.role,
        since=user.created_at,
        seen_at=user.seen_at,
        games=games,
        left=left,
        muted_until=user.muted_until if user.muted_until and user.muted_until > clock.now() else None,
        banned=banned,
    )


async def show(server: Server, me: Me, user_id: int) -> Person:
    """Somebody. Raises ``NotAllowed``, :class:`NoSuchPerson`."""
    now = clock.now()
    async with server.sessions() as session:
        actor = await rights.acting(session, me, "people")
        rows = await searches.search(session, key="", number=user_id, address="", kind="", at=now, most=MOST)
        row = next((each for each in rows if each[0].id == user_id), None)
        if row is None:
            raise NoSuchPerson
        user = row[0]
        logins = await queries.list_logins(session, user_id)
        unfinished = await searches.list_tables(session, user_id)
        standing = await bans.list_standing(session, at=now, user_id=user_id)
    may = rights.powers(actor.role)
    over = user.id != actor.id and (rights.rank(user.role) < rights.rank(actor.role) or actor.role == "owner")
    return Person(
        found=_found(user, games=row[1], left=row[2], banned=row[3]),
        language=user.language,
        confirmed=bool(user.email_confirmed_at),
        browsers=len(logins),
        addresses=tuple(dict.fromkeys(each.address for each in logins if each.address)) if "ban" in may else (),
        tables=tuple(unfinished),
        bans=tuple(
            Ban(each.id, each.user_id, user.name, str(each.addresses or ""), each.until, each.reason, each.created_at)
            for each in standing
        ),
        powers=may if over else frozenset(),
    )


async def list_bans(server: Server, me: Me) -> tuple[Ban, ...]:
    """All bans that hold. Raises ``NotAllowed``."""
    async with server.sessions() as session:
        await rights.acting(session, me, "ban")
        rows = await bans.list_with_names(session, at=clock.now())
    return tuple(
        Ban(each.id, each.user_id, name, str(each.addresses or ""), each.until, each.reason, each.created_at)
        for each, name in rows
    )
