"""People: who they are, and how a browser proves it."""

import secrets
from hashlib import sha256

import msgspec
from sqlalchemy import update

from app.db import accounts as queries
from app.db import tables
from app.db.models import Login, User
from app.services.errors import BadName
from app.services.names import clean_name
from app.services.server import Server


class Me(msgspec.Struct, frozen=True):
    """The person who asks."""

    id: int
    name: str
    admin: bool
    language: str


class NoSuchPerson(LookupError):
    """Nobody is called that."""


class SeveralPeople(LookupError):
    """More than one person is called that: anybody may take any name."""


def hashed(token: str) -> bytes:
    """What is stored of a token."""
    return sha256(token.encode()).digest()


def _me(user: User) -> Me:
    return Me(id=user.id, name=user.name, admin=user.admin, language=user.language)


async def welcome(server: Server, *, name: str, language: str) -> tuple[Me, str]:
    """A new guest, and the token that this browser keeps. Raises ``BadName``."""
    kept = clean_name(name)
    token = secrets.token_urlsafe(32)
    async with server.sessions.begin() as session:
        user = User(name=kept, language=language)
        session.add(user)
        await session.flush()
        session.add(Login(user_id=user.id, token_hash=hashed(token)))
        await session.refresh(user)
        return _me(user), token


async def recognise(server: Server, token: str) -> Me | None:
    """Who holds a token."""
    async with server.sessions.begin() as session:
        user = await queries.find_user_by_token(session, hashed(token))
        if user is None:
            return None
        await queries.touch(session, {user.id})
        return _me(user)


async def rename(server: Server, me: Me, *, name: str) -> None:
    """Gives oneself another nickname; tables already begun show it too. Raises ``BadName``."""
    kept = clean_name(name)
    async with server.sessions.begin() as session:
        await session.execute(update(User).where(User.id == me.id).values(name=kept))
        notices = await tables.note_change(session, me.id)
    for notice in notices:
        server.ring(*notice)


async def choose_language(server: Server, me: Me, *, language: str) -> None:
    """Remembers the language a person reads."""
    async with server.sessions.begin() as session:
        await session.execute(update(User).where(User.id == me.id).values(language=language))


async def touch(server: Server, user_ids: set[int]) -> None:
    """Notes that these people are here."""
    if user_ids:
        async with server.sessions.begin() as session:
            await queries.touch(session, user_ids)


async def count_present(server: Server) -> int:
    """How many people are here."""
    async with server.sessions() as session:
        return await queries.count_present(session)


async def make_admin(server: Server, *, name: str) -> Me:
    """Gives the person of that name an admin's powers. Raises :class:`NoSuchPerson`, :class:`SeveralPeople`."""
    try:
        wanted = clean_name(name)
    except BadName as fault:
        raise NoSuchPerson(name) from fault
    async with server.sessions.begin() as session:
        found = await queries.find_users_by_name(session, wanted)
        if not found:
            raise NoSuchPerson(name)
        if len(found) > 1:
            raise SeveralPeople(name)
        found[0].admin = True
        return _me(found[0])
