"""Helping people in: a link for a lost password, a guest's games for an account, an invitation, a role."""

from datetime import timedelta

from app.db import accounts as queries
from app.db import people as searches
from app.services import emails, merging, recovery, registration
from app.services.accounts import Me
from app.services.admin import audit, rights
from app.services.errors import HigherRole, LastOwner, NeedsAccount, NoSuchPerson, NotAllowed, NotGuest
from app.services.names import name_key
from app.services.server import Server


async def password_link(server: Server, me: Me, user_id: int, *, reason: str = "") -> str:
    """The secret of a link with which somebody may choose a new password, to be handed on; shown once.

    Raises ``NotAllowed``, ``NoSuchPerson``, ``HigherRole``, :class:`NeedsAccount`.
    """
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "link")
        user = await rights.subject(session, actor, user_id)
        if user.guest:
            raise NeedsAccount
        kept = audit.clean_reason(reason, needed=False)
        await audit.note(session, actor, "link", user_id=user_id, reason=kept)
        return await emails.new_token(session, user, kind=recovery.PASSWORD, email="", lasting=recovery.VALID)


async def merge(server: Server, me: Me, guest_id: int, *, into: str, reason: str = "") -> int:
    """Makes a guest part of the account of that name; the account's number.

    Raises ``NotAllowed``, :class:`NoSuchPerson`, :class:`NotGuest`, ``HigherRole``.
    """
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "merge")
        account = await queries.find_account(session, name_key(into[:200]))
        if account is None:
            raise NoSuchPerson
        guest = await queries.find_user(session, guest_id)
        if guest is None or guest.deleted_at is not None:
            raise NoSuchPerson
        if not guest.guest or guest.id == account.id:
            raise NotGuest
        if rights.rank(account.role) >= rights.rank(actor.role) and account.id != actor.id and actor.role != "owner":
            raise HigherRole
        name, ended = guest.name, await queries.end_logins(session, guest_id)
        notices = await merging.merge(session, guest_id=guest_id, into_id=account.id)
        kept = audit.clean_reason(reason, needed=False)
        facts = {"guest": guest_id, "name": name}
        await audit.note(session, actor, "merge", user_id=account.id, reason=kept, facts=facts)
    for notice in notices:
        server.ring(*notice)
    server.dismiss(ended)
    return account.id


async def give_role(server: Server, me: Me, user_id: int, *, role: str, reason: str = "") -> None:
    """Gives somebody a role, or takes it away. An admin makes moderators, an owner whomever they like.

    Raises :class:`NotAllowed`, ``NoSuchPerson``, ``HigherRole``, :class:`NeedsAccount`, :class:`LastOwner`.
    """
    if role not in rights.ROLES:
        raise NotAllowed
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "role")
        if rights.rank(role) >= rights.rank(actor.role) and actor.role != "owner":
            raise NotAllowed
        owners = await searches.count_owners(session)
        if user_id == actor.id and actor.role == "owner" and role != "owner":
            if owners < 2:
                raise LastOwner
            user = actor
        else:
            user = await rights.subject(session, actor, user_id)
        if user.guest and role:
            raise NeedsAccount
        if user.role == role:
            return
        facts = {"before": user.role, "role": role}
        user.role = role
        kept = audit.clean_reason(reason, needed=False)
        await audit.note(session, actor, "role", user_id=user_id, reason=kept, facts=facts)


async def invite(server: Server, me: Me, *, days: int = 14, reason: str = "") -> str:
    """The secret of a link with which one person may make an account; shown once. Raises :class:`NotAllowed`."""
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "invite")
        token = await registration.new(session, actor.id, lasting=timedelta(days=days))
        kept = audit.clean_reason(reason, needed=False)
        await audit.note(session, actor, "invite", reason=kept, facts={"days": days})
    return token
