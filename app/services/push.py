"""Notices that a browser shows though no page is open: which browsers, and bringing it to them."""

import base64
import binascii
import logging
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from email.utils import parseaddr
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPusher

from app.config import Settings
from app.db import notices as keys
from app.db import pushes as queries
from app.db.lost import LOST
from app.db.models import Subscription, User
from app.services import clock, news, wishes
from app.services.accounts import Me
from app.services.endpoints import Line, is_sound
from app.services.errors import BadSubscription
from app.services.news import News
from app.services.roads import sender_of
from app.services.server import Server

VAPID = "vapid"
LEASE = timedelta(minutes=1)
AT_ONCE = 20
BACK_OFF = tuple(timedelta(seconds=seconds) for seconds in (30, 120, 600, 3600))
LASTING = 24 * 3600
"""Seconds for which a push service keeps what it cannot bring at once."""
GONE = {404, 410}
MOST_FAILURES = 10
"""So often in a row a browser may be refused before it is forgotten."""
EVERYTHING = 1_000_000
logger = logging.getLogger(__name__)


class Words(msgspec.Struct, frozen=True):
    """A notice as a browser shows it; ``url``: the page of ours that it opens; a later one of the same ``tag`` takes
    its place."""

    title: str
    body: str
    url: str
    tag: str
    lang: str


Compose = Callable[[str, Sequence[News]], Words]
"""Words in a language."""


async def own_key(server: Server) -> Vapid02:
    """The key that all our processes sign with, made by the first of them."""
    async with server.sessions() as session:
        stored = await keys.find_key(session, VAPID)
    if stored is None:
        made = Vapid02()
        made.generate_keys()
        async with server.sessions.begin() as session:
            stored = await keys.find_or_keep(session, VAPID, made.private_pem().decode())
    return Vapid02.from_pem(stored.encode())


def public_key(key: Vapid02) -> str:
    """What browsers know us by."""
    point = key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


async def known_as(server: Server) -> str:
    """What browsers know this server by."""
    return public_key(await own_key(server))


def decoded(written: str) -> bytes:
    """What a browser wrote down. Raises ``ValueError``."""
    try:
        return base64.b64decode(written + "=" * (-len(written) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeError) as fault:
        raise ValueError("not base64") from fault


async def subscribe(server: Server, me: Me, *, endpoint: str, public: str, auth: str) -> None:
    """The browser that asks shows notices to me from now on. Raises :class:`BadSubscription`."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public))
        sound = len(decoded(auth)) == 16 and is_sound(endpoint, anywhere=server.settings.push_anywhere)
    except ValueError:
        sound = False
    if not sound or me.login is None:
        raise BadSubscription
    async with server.sessions.begin() as session:
        await queries.subscribe(session, me.id, login_id=me.login, endpoint=endpoint, public=public, auth=auth)


async def unsubscribe(server: Server, me: Me, *, endpoint: str) -> None:
    """It does no more."""
    if not is_sound(endpoint, anywhere=True):
        return
    async with server.sessions.begin() as session:
        await queries.unsubscribe(session, me.id, endpoint=endpoint)


async def is_subscribed(server: Server, me: Me, *, endpoint: str) -> bool:
    """Whether it does."""
    if not is_sound(endpoint, anywhere=True):
        return False
    async with server.sessions() as session:
        return await queries.is_subscribed(session, me.id, endpoint=endpoint)


class Sender:
    """Brings what is due. Several may work on one database: everything is brought by one of them."""

    def __init__(self, server: Server, compose: Compose) -> None:
        self._server = server
        self._compose = compose
        self._line = Line(anywhere=server.settings.push_anywhere)
        self._key: Vapid02 | None = None

    async def send_due(self) -> int:
        """Tries everything that is due; how much was brought."""
        now = clock.now()
        async with self._server.sessions.begin() as session:
            claimed = await queries.claim(session, now=now, until=now + LEASE, most=AT_ONCE)
        try:
            return sum([await self._try(push_id, tries) for push_id, tries in claimed])
        finally:
            await self._line.close()

    async def _try(self, push_id: int, tries: int) -> bool:
        try:
            return await self._look_and_bring(push_id, tries)
        except LOST:
            raise
        except Exception:  # whatever is wrong with one, the others are brought
            logger.exception("notice %s", push_id)
            await self._again(push_id, tries, "", EVERYTHING)
            return False

    async def _look_and_bring(self, push_id: int, tries: int) -> bool:
        now = clock.now()
        async with self._server.sessions() as session:
            found = await queries.find(session, push_id)
            if found is None or found[0].tries != tries:
                return False
            push, browser, user = found
            rest = wishes.rests_until(user, now)
            silent = rest is not None or await wishes.is_banned(session, user)
            told = () if silent else await news.still(self._server, session, user, push.items)
        if rest is not None:
            await self._later(push_id, rest - now)
            return False
        if not told:
            await self._done(push_id, len(push.items))
            return False
        return await self._bring(push_id, tries, browser, user, told, len(push.items))

    async def _bring(
        self, push_id: int, tries: int, browser: Subscription, user: User, told: Sequence[News], count: int
    ) -> bool:
        try:
            words = self._compose(user.language, told)
            status, wait = await self._post(browser, words)
        except aiohttp.ClientError as fault:
            logger.warning("browser %s could not be reached (try %s): %s", browser.id, tries, fault)
            status, wait = 0, ""
        if 200 <= status < 300:
            await self._note(browser, failed=False)
            await self._done(push_id, count)
            return True
        if status in GONE:
            await self._drop(browser)
            return False
        if status in {0, 429} or status >= 500:
            await self._again(push_id, tries, wait, count)
            return False
        logger.warning("browser %s was refused: %s", browser.id, status)
        await self._done(push_id, count)
        await self._note(browser, failed=True)
        return False

    async def _post(self, browser: Subscription, words: Words) -> tuple[int, str]:
        self._key = self._key or await own_key(self._server)
        about = {"endpoint": browser.endpoint, "keys": {"p256dh": browser.public, "auth": browser.auth}}
        sealed: Any = WebPusher(about).encode(msgspec.json.encode(words), content_encoding="aes128gcm")
        place = urlsplit(browser.endpoint)
        claims = {
            "aud": f"{place.scheme}://{place.netloc}",
            "sub": contact_of(self._server.settings),
            "exp": int(time.time()) + 12 * 3600,
        }
        headers = {
            **self._key.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(LASTING),
            "Urgency": "normal",
            "Topic": words.tag,
        }
        try:
            return await self._line.post(browser.endpoint, sealed["body"], headers)
        except OSError as fault:  # of the line, which is not the database's
            raise aiohttp.ClientError(type(fault).__name__) from fault

    async def _again(self, push_id: int, tries: int, wait: str, count: int) -> None:
        if tries > len(BACK_OFF):
            await self._done(push_id, count)  # it is given up
            return
        asked = timedelta(seconds=min(int(wait), LASTING)) if wait.isdecimal() and len(wait) < 9 else timedelta(0)
        await self._later(push_id, max(BACK_OFF[tries - 1], asked))

    async def _later(self, push_id: int, wait: timedelta) -> None:
        async with self._server.sessions.begin() as session:
            await queries.later(session, push_id, due_at=clock.now() + wait)

    async def _done(self, push_id: int, count: int) -> None:
        async with self._server.sessions.begin() as session:
            await queries.done(session, push_id, count=count, at=clock.now())

    async def _note(self, browser: Subscription, *, failed: bool) -> None:
        async with self._server.sessions.begin() as session:
            if await queries.note_failure(session, browser.id, failed=failed) >= MOST_FAILURES:
                await queries.drop(session, browser.id)

    async def _drop(self, browser: Subscription) -> None:
        logger.info("browser %s is there no more", browser.id)
        async with self._server.sessions.begin() as session:
            await queries.drop(session, browser.id)


def contact_of(settings: Settings) -> str:
    """Whom a push service may write to about us."""
    return (
        settings.address if settings.address.startswith("https://") else f"mailto:{parseaddr(sender_of(settings))[1]}"
    )
