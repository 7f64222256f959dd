"""E-mail addresses: giving one, and proving that it is one's own."""

import re
import secrets
from datetime import timedelta
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db import letters as outbox
from app.db.models import Letter, Token, User
from app.services import clock, letters, passwords
from app.services.accounts import Me, hashed
from app.services.errors import BadEmail, BadLink, EmailTaken, NeedsAccount, TooManyLetters, WrongPassword
from app.services.server import Server

CONFIRM, MOVED = "confirm", "address_changed"
VALID = timedelta(days=3)
MOST_AN_HOUR = 5
LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
HOST = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")


def clean_email(written: str) -> str:
    """The address as it is kept. Raises :class:`BadEmail`."""
    local, _, domain = written.strip().rpartition("@")
    try:
        host = domain.lower().encode("idna").decode()
    except UnicodeError as fault:
        raise BadEmail from fault
    if len(local) > 64 or len(host) > 190 or not LOCAL.fullmatch(local) or not HOST.fullmatch(host):
        raise BadEmail
    return f"{local.lower()}@{host}"


class Contact(msgspec.Struct, frozen=True):
    """Somebody's address (empty: none), and whether it is known to be theirs."""

    email: str
    confirmed: bool


async def contact(server: Server, me: Me) -> Contact:
    """My address."""
    async with server.sessions() as session:
        user = await queries.find_user(session, me.id)
    return Contact(user.email or "" if user else "", bool(user and user.email_confirmed_at))


async def set_email(server: Server, me: Me, *, email: str, password: str, address: str) -> None:
    """Gives an account an address (none: takes it away), which counts once confirmed. ``address``: of this site.

    Raises :class:`NeedsAccount`, :class:`BadEmail`, :class:`WrongPassword`, :class:`TooManyLetters`.
    """
    kept = clean_email(email) if email.strip() else None
    stored = await own_password(server, me)
    if not await passwords.fits(password, stored):
        raise WrongPassword
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id, lock=True)
        if user is None or user.password_hash != stored:
            raise WrongPassword
        if user.email == kept:
            return
        if user.email and user.email_confirmed_at:
            await letters.post(session, user, kind=MOVED, address=address)
        await give_email(session, user, kept, address=address)


async def own_password(server: Server, me: Me) -> str:
    """What is stored of my password. Raises :class:`NeedsAccount`."""
    async with server.sessions() as session:
        user = await queries.find_user(session, me.id)
    if user is None or user.password_hash is None:
        raise NeedsAccount
    return user.password_hash


async def give_email(session: AsyncSession, user: User, email: str | None, *, address: str) -> None:
    """Notes an address that somebody says is theirs, and writes to it. Raises :class:`TooManyLetters`."""
    user.email, user.email_confirmed_at = email, None
    await queries.drop_tokens(session, user.id)
    await outbox.drop_waiting(session, user.id, kind=CONFIRM)
    if email is not None:
        await check_few(session, user, kind=CONFIRM)
        await letters.post(session, user, kind=CONFIRM, email=email, address=address)


async def check_few(session: AsyncSession, user: User, *, kind: str) -> None:
    """Raises :class:`TooManyLetters` when somebody was written several of that kind within the hour."""
    since = clock.now() - timedelta(hours=1)
    if await outbox.count_recent(session, user.id, kind=kind, since=since) >= MOST_AN_HOUR:
        raise TooManyLetters


async def ask_again(server: Server, me: Me, *, address: str) -> None:
    """Has the letter with the link sent once more. Raises :class:`TooManyLetters`."""
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id, lock=True)
        if user is not None and user.email and not user.email_confirmed_at:
            await give_email(session, user, user.email, address=address)


def new_secret() -> str:
    """What stands in a link."""
    return secrets.token_urlsafe(32)


async def new_token(session: AsyncSession, user: User, *, kind: str, email: str, lasting: timedelta) -> str:
    """A link's secret, good once; the ones before it are worthless."""
    await queries.drop_tokens(session, user.id, kind=kind)
    token = new_secret()
    expires = clock.now() + lasting
    session.add(Token(user_id=user.id, kind=kind, token_hash=hashed(token), email=email, expires_at=expires))
    return token


async def find_open(session: AsyncSession, token: str, *, kind: str, lock: bool = False) -> tuple[Token, User]:
    """What a link stands for, and for whom. Raises :class:`BadLink`."""
    found = await queries.find_token(session, hashed(token), kind=kind, lock=lock)
    user = await queries.find_user(session, found.user_id, lock=lock) if found else None
    if found is None or user is None or user.deleted_at or found.used_at or found.expires_at < clock.now():
        raise BadLink
    return found, user


async def look_at_confirmation(server: Server, token: str) -> tuple[str, str]:
    """Whose address would be confirmed by a link, and which. Raises :class:`BadLink`."""
    async with server.sessions() as session:
        found, user = await find_open(session, token, kind=CONFIRM)
        return user.name, found.email


async def confirm(server: Server, token: str) -> str:
    """Takes a link from a letter as proof; the address. Raises :class:`BadLink`, :class:`EmailTaken`."""
    try:
        async with server.sessions.begin() as session:
            found, user = await find_open(session, token, kind=CONFIRM, lock=True)
            if user.email != found.email:
                raise BadLink
            user.email_confirmed_at = found.used_at = clock.now()
            return found.email
    except IntegrityError as fault:
        raise EmailTaken from fault


async def prepare_confirm(session: AsyncSession, letter: Letter, user: User) -> dict[str, Any] | None:
    """The link of a letter that asks whether an address is right; none when that is settled."""
    if user.email != letter.email or user.email_confirmed_at:
        return None
    return {"token": await new_token(session, user, kind=CONFIRM, email=letter.email, lasting=VALID)}


async def prepare_plain(session: AsyncSession, letter: Letter, user: User) -> dict[str, Any] | None:
    """A letter that only tells something."""
    return {}
