"""Keeping the peace: muting, banning by account and by address, signing somebody out."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from ipaddress import ip_network
from types import MappingProxyType

from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db import bans
from app.db.models import Ban, User
from app.services import clock
from app.services.accounts import Me
from app.services.admin import audit, rights
from app.services.errors import BadAddress, BadTime, HigherRole, NoSuchPerson
from app.services.server import Server

LONGEST_HOURS = 24 * 366
WIDEST = {4: 16, 6: 32}
"""The largest ranges of addresses that may be banned at once, by the length of their prefix."""


def until_of(hours: int | None) -> datetime | None:
    """When so many hours are over; never without a number. Raises :class:`BadTime`."""
    if hours is None:
        return None
    if not 0 < hours <= LONGEST_HOURS:
        raise BadTime
    return clock.now() + timedelta(hours=hours)


def range_of(written: str) -> str:
    """One address, or a range of them (``203.0.113.0/24``), as it is kept. Raises :class:`BadAddress`."""
    try:
        network = ip_network(written.strip(), strict=False)
    except ValueError as fault:
        raise BadAddress from fault
    if network.prefixlen < WIDEST[network.version]:
        raise BadAddress
    return str(network)


async def mute(server: Server, me: Me, user_id: int, *, hours: int, reason: str) -> None:
    """Lets somebody say nothing for a while: no talk, no invitations by name, no new name.

    Raises ``NotAllowed``, ``NeedsReason``, :class:`BadTime`, ``NoSuchPerson``, ``HigherRole``.
    """
    until_of(hours)
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "mute")
        await mute_within(session, actor, user_id, hours=hours, reason=audit.clean_reason(reason))


async def mute_within(
    session: AsyncSession,
    actor: User,
    user_id: int,
    *,
    hours: int,
    reason: str,
    facts: Mapping[str, object] = MappingProxyType({}),
) -> None:
    """The same within the transaction of somebody who may.

    Raises :class:`BadTime`, ``NoSuchPerson``, ``HigherRole``.
    """
    until = until_of(hours)
    user = await rights.subject(session, actor, user_id)
    user.muted_until = until
    await audit.note(session, actor, "mute", user_id=user_id, reason=reason, facts={"hours": hours, **facts})


async def unmute(server: Server, me: Me, user_id: int, *, reason: str = "") -> None:
    """Lets somebody speak again. Raises as :func:`mute`."""
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "mute")
        user = await rights.subject(session, actor, user_id)
        if user.muted_until is None:
            return
        user.muted_until = None
        kept = audit.clean_reason(reason, needed=False)
        await audit.note(session, actor, "unmute", user_id=user_id, reason=kept)


async def sign_out(server: Server, me: Me, user_id: int, *, reason: str = "") -> None:
    """Signs somebody out everywhere. A guest cannot come back to what was theirs.

    Raises ``NotAllowed``, ``NoSuchPerson``, ``HigherRole``.
    """
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "sign_out")
        await rights.subject(session, actor, user_id)
        ended = await queries.end_logins(session, user_id)
        kept = audit.clean_reason(reason, needed=False)
        await audit.note(session, actor, "sign_out", user_id=user_id, reason=kept, facts={"browsers": len(ended)})
    server.dismiss(ended)


async def ban(
    server: Server, me: Me, *, user_id: int | None, addresses: str = "", hours: int | None, reason: str
) -> None:
    """Keeps a person out, or a range of addresses, or both; for some hours, or for good. Whoever is in is signed out.

    Raises ``NotAllowed``, ``NeedsReason``, :class:`BadTime`, :class:`BadAddress`, :class:`NoSuchPerson`,
    :class:`HigherRole`.
    """
    until = until_of(hours)
    network = range_of(addresses) if addresses.strip() else None
    if network is None and user_id is None:
        raise BadAddress
    ended: set[int] = set()
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "ban")
        kept = audit.clean_reason(reason)
        if user_id is not None:
            await rights.subject(session, actor, user_id)
            ended |= await queries.end_logins(session, user_id)
        if network is not None:
            ended |= await bans.end_logins_from(session, network)
        session.add(
            Ban(user_id=user_id, addresses=network, reason=kept, until=until, by_id=actor.id, created_at=clock.now())
        )
        facts: dict[str, object] = {} if network is None else {"addresses": network}
        facts |= {} if hours is None else {"hours": hours}
        await audit.note(session, actor, "ban", user_id=user_id, reason=kept, facts=facts)
    server.club.forget()
    server.dismiss(ended)


async def lift(server: Server, me: Me, ban_id: int, *, reason: str = "") -> None:
    """Ends a ban before its time. Raises ``NotAllowed``, :class:`NoSuchPerson`, :class:`HigherRole`."""
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "ban")
        found = await bans.find(session, ban_id)
        if found is None:
            raise NoSuchPerson
        if found.user_id == actor.id:
            raise HigherRole
        found.until = clock.now()
        facts = {"addresses": str(found.addresses)} if found.addresses else {}
        kept = audit.clean_reason(reason, needed=False)
        await audit.note(session, actor, "lift", user_id=found.user_id, reason=kept, facts=facts)
    server.club.forget()
