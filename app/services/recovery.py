"""Passwords that are changed, and passwords that were forgotten."""

from datetime import timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db.models import Letter, User
from app.services import clock, emails, letters, passwords, sessions
from app.services.accounts import Browser, Me, add_login, me_of
from app.services.errors import BadEmail, NeedsAccount, TooManyLetters, WrongPassword
from app.services.names import sought_key
from app.services.server import Server

PASSWORD, CHANGED = "password", "password_changed"
VALID = timedelta(hours=2)


async def forgotten(server: Server, *, who: str, address: str) -> None:
    """Writes to somebody (a name, or an address) who has a confirmed address, with a link to choose a new password.

    Nothing tells whether there is such a person. ``address``: of this site.
    """
    async with server.sessions.begin() as session:
        user = await queries.find_account(session, sought_key(who)) if who.strip() else None
        if user is None:
            try:
                user = await queries.find_account_by_email(session, emails.clean_email(who))
            except BadEmail:
                return
        if user is None or not user.email or not user.email_confirmed_at:
            return
        try:
            await emails.check_few(session, user, kind=PASSWORD)
        except TooManyLetters:
            return
        await letters.post(session, user, kind=PASSWORD, address=address)


async def new_link(server: Server, user_id: int) -> str:
    """The secret of a link with which somebody may choose a new password; for admins to hand on.

    Raises :class:`NeedsAccount`.
    """
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, user_id, lock=True)
        if user is None or user.guest:
            raise NeedsAccount
        return await emails.new_token(session, user, kind=PASSWORD, email="", lasting=VALID)


async def look_at_link(server: Server, token: str) -> str:
    """Who may choose a new password by a link. Raises ``BadLink``."""
    async with server.sessions() as session:
        _, user = await emails.find_open(session, token, kind=PASSWORD)
        return user.name


async def choose(
    server: Server, me: Me | None, *, token: str, password: str, browser: Browser, address: str
) -> tuple[Me, str]:
    """A new password by a link: every browser is signed out, and this one signed in. What a guest in this browser
    has becomes the account's.

    Raises ``BadLink``, ``BadPassword``.
    """
    async with server.sessions() as session:
        _, owner = await emails.find_open(session, token, kind=PASSWORD)
    user_id, name = owner.id, owner.name
    passwords.check_password(password, name=name)
    stored = await passwords.hashed_password(password)
    async with server.sessions.begin() as session:
        notices, ended = await sessions.take_along(session, me, into_id=user_id)
        found, user = await emails.find_open(session, token, kind=PASSWORD, lock=True)
        found.used_at = clock.now()
        ended |= await _store(session, user, stored, but=None, address=address)
        login_id, fresh = await add_login(session, user.id, browser)
        found_me = me_of(user, login_id)
    sessions.tell(server, notices, ended)
    return found_me, fresh


async def change(server: Server, me: Me, *, old: str, new: str, address: str) -> None:
    """A new password for the old one; all other browsers are signed out.

    Raises :class:`NeedsAccount`, ``BadPassword``, :class:`WrongPassword`.
    """
    before = await emails.own_password(server, me)
    if not await passwords.fits(old, before):
        raise WrongPassword
    passwords.check_password(new, name=me.name)
    stored = await passwords.hashed_password(new)
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id, lock=True)
        if user is None or user.password_hash != before:
            raise WrongPassword
        ended = await _store(session, user, stored, but=me.login, address=address)
    server.dismiss(ended)


async def _store(session: AsyncSession, user: User, stored: str, *, but: int | None, address: str) -> set[int]:
    """Keeps a new password, tells its owner, and ends the logins that rest on the old one."""
    user.password_hash = stored
    await queries.drop_tokens(session, user.id, kind=PASSWORD)
    if user.email and user.email_confirmed_at:
        await letters.post(session, user, kind=CHANGED, address=address)
    return await queries.end_logins(session, user.id, but=but)


async def prepare_password(session: AsyncSession, letter: Letter, user: User) -> dict[str, Any] | None:
    """The link of a letter to somebody who has forgotten a password; none when the address is no longer theirs."""
    if user.email != letter.email or not user.email_confirmed_at:
        return None
    return {"token": await emails.new_token(session, user, kind=PASSWORD, email=letter.email, lasting=VALID)}
