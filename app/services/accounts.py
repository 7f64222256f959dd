"""People: who they are, what they are called, and how a browser proves that it is theirs."""

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db import audit, bans, tables
from app.db.models import Login, User
from app.services import clock
from app.services.club import kept_of
from app.services.errors import BadName, Muted, NameTaken, NeedsAccount, NoGuests, NoSuchPerson, SignedOut
from app.services.names import clean_name, name_key, numbered
from app.services.playing import Playing, playing_of
from app.services.server import Server

Notice = tuple[int, int, int]


class Me(msgspec.Struct, frozen=True):
    """The person who asks, and the browser they ask with (``login``)."""

    id: int
    name: str
    language: str = ""
    guest: bool = True
    role: str = ""
    login: int | None = None
    theme: str = ""
    sound: bool = False
    time_zone: str = ""
    quiet: str = ""
    playing: Playing = Playing()

    @property
    def admin(self) -> bool:
        """Whether this person may do what admins may."""
        return self.role in {"owner", "admin"}


class Browser(msgspec.Struct, frozen=True):
    """What is known of the browser somebody comes with: its kind, its address, and the time zone it is in."""

    name: str = ""
    address: str = ""
    time_zone: str = ""


NO_BROWSER = Browser()


def hashed(token: str) -> bytes:
    """What is stored of a token."""
    return sha256(token.encode(errors="surrogatepass")).digest()


def me_of(user: User, login_id: int | None = None) -> Me:
    """A stored person as the one who asks."""
    return Me(
        id=user.id,
        name=user.name,
        language=user.language,
        guest=user.guest,
        role=user.role,
        login=login_id,
        theme=str(user.preferences.get("theme", "")),
        sound=bool(user.preferences.get("sound", False)),
        time_zone=user.time_zone,
        quiet=user.quiet,
        playing=playing_of(user.preferences),
    )


async def welcome(server: Server, *, name: str, language: str, browser: Browser = NO_BROWSER) -> tuple[Me, str]:
    """A new guest, and the token that this browser keeps.

    Raises ``BadName``, ``NameTaken``, :class:`NoGuests`, ``Banned``.
    """
    kept = clean_name(name)
    if not (await server.club.get()).guests:
        raise NoGuests
    async with server.sessions.begin() as session:
        key = name_key(kept)
        await check_free(session, key)
        user = User(name=kept, name_key=key, language=language, time_zone=browser.time_zone, guest=True)
        user.role, user.preferences = "", {}
        session.add(user)
        await session.flush()
        login_id, token = await add_login(session, user.id, browser)
        return me_of(user, login_id), token


async def check_free(session: AsyncSession, key: str, *, user_id: int | None = None) -> None:
    """Raises ``NameTaken`` when an account (other than ``user_id``) has that name; nobody takes it meanwhile."""
    await queries.hold_name(session, key)
    account = await queries.find_account(session, key)
    if account is not None and account.id != user_id:
        raise NameTaken


async def add_login(session: AsyncSession, user_id: int, browser: Browser) -> tuple[int, str]:
    """Makes a browser known as somebody's: the number of the login, and the token that the browser keeps.

    Raises ``Banned``.
    """
    await check_not_banned(session, user_id, browser.address)
    token = secrets.token_urlsafe(32)
    now = clock.now()
    login = Login(
        user_id=user_id,
        token_hash=hashed(token),
        browser=browser.name[:80],
        address=browser.address[:60],
        created_at=now,
        seen_at=now,
    )
    session.add(login)
    await session.flush()
    return login.id, token


async def check_not_banned(session: AsyncSession, user_id: int, address: str) -> None:
    """Raises ``Banned`` for who may not come in, as it is stored at this moment."""
    user = await queries.find_user(session, user_id)
    role = user.role if user else ""
    for ban in kept_of(await bans.list_standing(session, at=clock.now())):
        ban.check(user_id, "" if role else address, at=clock.now())


async def check_not_muted(session: AsyncSession, me: Me) -> None:
    """Raises :class:`Muted` for who may say nothing to others for a while."""
    user = await queries.find_user(session, me.id)
    if user is not None and user.muted_until is not None and user.muted_until > clock.now():
        raise Muted(until=user.muted_until.isoformat())


async def recognise(server: Server, token: str, *, address: str = "") -> Me | None:
    """Who holds a token; nobody when it was ended or not used for too long."""
    now = clock.now()
    async with server.sessions() as session:
        found = await queries.find_user_by_token(session, hashed(token))
        if found is None:
            return None
        user, login = found
        if login.seen_at < now - timedelta(days=server.settings.session_days):
            return None
        if login.seen_at < now - queries.FRESH or user.seen_at < now - queries.FRESH:
            login.seen_at = user.seen_at = now
            login.address = address[:60] or login.address
            await session.commit()
        return me_of(user, login.id)


async def check_signed_in(server: Server, me: Me | None) -> None:
    """Raises ``SignedOut`` when the browser that somebody asks with was signed out meanwhile."""
    if me is not None and me.login is not None and not await list_signed_in(server, {me.login}):
        raise SignedOut


async def list_signed_in(server: Server, login_ids: Collection[int]) -> set[int]:
    """Which of these browsers are still signed in."""
    if not login_ids:
        return set()
    async with server.sessions() as session:
        return await queries.list_alive(session, login_ids)


async def rename(server: Server, me: Me, *, name: str) -> None:
    """Calls oneself something else; tables already begun show it too.

    Raises ``BadName``, ``NameTaken``, :class:`Muted`.
    """
    kept = clean_name(name)
    key = name_key(kept)
    async with server.sessions.begin() as session:
        await check_not_muted(session, me)
        await check_free(session, key, user_id=me.id)
        user = await queries.find_user(session, me.id, lock=True)
        assert user is not None
        user.name, user.name_key = kept, key
        notices = await tables.note_change(session, me.id)
        if not user.guest:
            notices += await rename_guests(session, key)
    for notice in notices:
        server.ring(*notice)


async def rename_guests(session: AsyncSession, key: str) -> list[Notice]:
    """The name is an account's now: guests who had it get a number behind it."""
    notices: list[Notice] = []
    number = 2
    for guest in await queries.list_guests_called(session, key):
        while True:
            name = numbered(guest.name, number)
            number += 1
            with_number = name_key(name)
            await queries.hold_name(session, with_number)
            if await queries.find_account(session, with_number) is None:
                break
        guest.name, guest.name_key = name, with_number
        notices += await tables.note_change(session, guest.id)
    return notices


async def touch(server: Server, user_ids: Collection[int]) -> None:
    """Notes that these people are here."""
    if user_ids:
        async with server.sessions.begin() as session:
            await queries.touch(session, user_ids, at=clock.now())


async def count_present(server: Server) -> int:
    """How many people are here."""
    async with server.sessions() as session:
        return await queries.count_present(session, at=clock.now())


async def make_admin(server: Server, *, name: str) -> Me:
    """Makes the account of that name an owner. Anybody may call themselves like a guest: guests have no roles.

    Raises :class:`NoSuchPerson`, :class:`NeedsAccount` when only guests are called that.
    """
    try:
        wanted = clean_name(name)
    except BadName as fault:
        raise NoSuchPerson(name=name) from fault
    async with server.sessions.begin() as session:
        account = await queries.find_account(session, name_key(wanted))
        if account is None:
            guests = await queries.list_guests_called(session, name_key(wanted))
            raise NeedsAccount if guests else NoSuchPerson(name=name)
        facts = {"before": account.role, "role": "owner"}
        account.role = "owner"
        await audit.add(session, actor_id=None, act="make_admin", user_id=account.id, facts=facts, at=clock.now())
        return me_of(account)
