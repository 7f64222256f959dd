"""Passwords: which are good enough, and how they are kept (argon2, in threads of its own: it is slow by design)."""

import asyncio
import unicodedata
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.services.errors import BadPassword
from app.services.names import name_key

SHORTEST = 10
LONGEST = 200
AT_ONCE = 2
"""How many are computed at the same time: each takes 64 MB."""
HASHER = PasswordHasher()
THREADS = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="passwords")


def plain(written: str) -> str:
    """The password as it is compared: typed wide or narrow, in one piece or two, it is the same."""
    return unicodedata.normalize("NFKC", written)


def _bytes(written: str) -> bytes:
    return plain(written).encode(errors="surrogatepass")


def check_password(written: str, *, name: str) -> None:
    """Raises :class:`BadPassword` for one that anybody could guess."""
    password = plain(written)
    if len(password) < SHORTEST:
        raise BadPassword(flaw="short")
    if len(written) > LONGEST or len(password) > LONGEST:
        raise BadPassword(flaw="long")
    if name_key(password) == name_key(name):
        raise BadPassword(flaw="name")
    if len(set(password)) < 4:
        raise BadPassword(flaw="simple")


async def hashed_password(written: str) -> str:
    """What is stored of a password."""
    return await asyncio.get_running_loop().run_in_executor(THREADS, lambda: HASHER.hash(_bytes(written)))


async def fits(written: str, stored: str | None) -> bool:
    """Whether that is the password. Without one to compare with it takes as long to say no."""
    if len(written) > LONGEST:
        return False
    return await asyncio.get_running_loop().run_in_executor(THREADS, _verify, _bytes(written), stored)


def _verify(password: bytes, stored: str | None) -> bool:
    if stored is None:
        HASHER.hash(password)
        return False
    try:
        return HASHER.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(stored: str) -> bool:
    """Whether a password should be hashed anew, because the usual cost has risen since."""
    return HASHER.check_needs_rehash(stored)
