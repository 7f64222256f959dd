"""Signing up, in and out, and the browsers in which one is signed in."""

from datetime import datetime

import msgspec
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db import pushes, tables
from app.db.models import User
from app.services import accounts, emails, merging, passwords, registration
from app.services.accounts import Browser, Me, Notice
from app.services.errors import HasAccount, NameTaken, WrongPassword
from app.services.names import clean_name, name_key, sought_key
from app.services.server import Server


class Wish(msgspec.Struct, frozen=True):
    """What somebody writes who wants an account; the e-mail address may be left out. ``invitation``: the secret of a
    link, where one is needed."""

    name: str
    password: str
    email: str = ""
    invitation: str = ""


class SignedIn(msgspec.Struct, frozen=True):
    """A browser in which somebody is signed in; ``here``: the one that asks."""

    id: int
    browser: str
    address: str
    since: datetime
    seen_at: datetime
    here: bool


async def sign_up(
    server: Server, me: Me | None, wish: Wish, *, language: str, browser: Browser, address: str
) -> tuple[Me, str]:
    """Makes an account. A guest stays the same person, with all that is theirs, also for how long they may say
    nothing; the token is a new one. ``address``: of this site.

    Raises ``BadName``, ``NameTaken``, ``Muted``, ``BadPassword``, ``BadEmail``, ``HasAccount``,
    ``RegistrationClosed``, ``NeedsInvitation``, ``Banned``.
    """
    if me is not None and not me.guest:
        raise HasAccount
    name = clean_name(wish.name)
    passwords.check_password(wish.password, name=name)
    email = emails.clean_email(wish.email) if wish.email.strip() else None
    stored = await passwords.hashed_password(wish.password)
    key = name_key(name)
    club = await server.club.get()
    ended: set[int] = set()
    try:
        async with server.sessions.begin() as session:
            await registration.admit(session, club, invitation=wish.invitation)
            await accounts.check_free(session, key)
            user = await _whoever(session, me, language=language, browser=browser)
            if user.name != name:
                await accounts.check_not_muted(session, accounts.me_of(user))  # an account is no way to a new name
            user.name, user.name_key, user.guest, user.password_hash = name, key, False, stored
            await session.flush()
            notices = await tables.note_change(session, user.id) + await accounts.rename_guests(session, key)
            if email is not None:
                await emails.give_email(session, user, email, address=address)
            login_id, token = await accounts.add_login(session, user.id, browser)
            if me is not None:
                if me.login is not None:
                    await pushes.keep(session, me.login, login_id=login_id)
                ended = await queries.end_logins(session, user.id, but=login_id)
            made = accounts.me_of(user, login_id)
    except IntegrityError as fault:  # somebody who did not wait for the name
        raise NameTaken from fault
    tell(server, notices, ended)
    return made, token


async def _whoever(session: AsyncSession, me: Me | None, *, language: str, browser: Browser) -> User:
    """The guest who asks, or somebody new."""
    if me is not None:
        user = await queries.find_user(session, me.id, lock=True)
        if user is not None and not user.guest:
            raise HasAccount
        if user is not None and user.deleted_at is None:
            return user
    user = User(name="", language=language, time_zone=browser.time_zone, guest=True)
    user.role, user.preferences = "", {}
    session.add(user)
    await session.flush()
    return user


async def sign_in(server: Server, me: Me | None, *, name: str, password: str, browser: Browser) -> tuple[Me, str]:
    """Lets somebody in by name and password. What a guest in this browser has becomes the account's.

    Raises :class:`WrongPassword`.
    """
    key = sought_key(name)
    async with server.sessions() as session:
        account = await queries.find_account(session, key) if key else None
    stored = account.password_hash if account else None
    if not await passwords.fits(password, stored) or account is None or stored is None:
        raise WrongPassword
    anew = await passwords.hashed_password(password) if passwords.is_outdated(stored) else stored
    async with server.sessions.begin() as session:
        notices, ended = await take_along(session, me, into_id=account.id)
        user = await queries.find_user(session, account.id, lock=True)
        if user is None or user.guest or user.password_hash != stored:
            raise WrongPassword
        user.password_hash = anew
        login_id, token = await accounts.add_login(session, user.id, browser)
        found = accounts.me_of(user, login_id)
    tell(server, notices, ended)
    return found, token


async def take_along(session: AsyncSession, me: Me | None, *, into_id: int) -> tuple[list[Notice], set[int]]:
    """Whoever this browser was known as before it is an account's: what a guest has goes over to the account,
    another account is signed out here. What to ring for, and the logins that ended."""
    if me is None:
        return [], set()
    if not me.guest:
        return [], await queries.end_logins(session, me.id, only=me.login)
    ended = {login.id for login in await queries.list_logins(session, me.id)}
    return await merging.merge(session, guest_id=me.id, into_id=into_id), ended


def tell(server: Server, notices: list[Notice], ended: set[int]) -> None:
    """Rings for tables, and lets go of browsers, after the commit."""
    for notice in notices:
        server.ring(*notice)
    server.dismiss(ended)


async def list_signed_in(server: Server, me: Me) -> tuple[SignedIn, ...]:
    """The browsers in which I am signed in: this one, then the latest used."""
    async with server.sessions() as session:
        found = await queries.list_logins(session, me.id)
    listed = [
        SignedIn(each.id, each.browser, each.address, each.created_at, each.seen_at, each.id == me.login)
        for each in found
    ]
    return tuple(sorted(listed, key=lambda each: not each.here))


async def sign_out(server: Server, me: Me) -> None:
    """Signs this browser out."""
    if me.login is not None:
        await end(server, me, login_id=me.login)


async def end(server: Server, me: Me, *, login_id: int) -> None:
    """Signs one of my browsers out; one that is signed out already stays so."""
    async with server.sessions.begin() as session:
        ended = await queries.end_logins(session, me.id, only=login_id)
    server.dismiss(ended)


async def end_others(server: Server, me: Me) -> None:
    """Signs all my browsers out but this one."""
    async with server.sessions.begin() as session:
        ended = await queries.end_logins(session, me.id, but=me.login)
    server.dismiss(ended)
