"""Where a browser says that notices to it go: an address that a stranger wrote down, so it is believed little.

It must be a public one over HTTPS; and because a name may lead anywhere by the time we go there, every connection
looks once more at the address it is about to be made to. Nothing that is answered is read or followed.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

import aiohttp
from aiohttp import ClientTimeout, TCPConnector
from aiohttp.typedefs import LooseHeaders

LONGEST = 1_000
PATIENCE = ClientTimeout(total=10, connect=5)
INSIDE = (".local", ".internal", ".localhost", ".lan", ".home.arpa")
AddrInfo = tuple[int, int, int, str, tuple[object, ...]]


class NotOutside(OSError):
    """That is no public address."""


def is_outside(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public network, and not one in disguise."""
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    teredo = getattr(address, "teredo", None)
    return address.is_global and not address.is_multicast and (inner is None or is_outside(inner)) and teredo is None


def is_sound(endpoint: str, *, anywhere: bool = False) -> bool:
    """Whether notices may be sent there; ``anywhere``: also in the open and inside, as tests do."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        return False
    if parts.username is not None or parts.password is not None or not host or parts.fragment:
        return False
    if anywhere:
        return parts.scheme in {"http", "https"}
    if parts.scheme != "https" or port not in {None, 443}:
        return False
    try:
        return is_outside(ip_address(host))
    except ValueError:
        named = host.rstrip(".")
        return "." in named and not named[-1].isdigit() and not named.endswith(INSIDE)


def _outside_only(found: AddrInfo) -> socket.socket:
    """A socket to that address, if it lies outside. Raises :class:`NotOutside`."""
    family, kind, protocol, _, where = found
    if not is_outside(ip_address(str(where[0]).partition("%")[0])):
        raise NotOutside("not a public address")
    made = socket.socket(family=family, type=kind, proto=protocol)
    made.setblocking(False)
    return made


class Line:
    """The way to push services."""

    def __init__(self, *, anywhere: bool) -> None:
        self._anywhere = anywhere
        self._session: aiohttp.ClientSession | None = None

    async def post(self, endpoint: str, body: bytes, headers: LooseHeaders) -> tuple[int, str]:
        """Brings something there; the status that was answered, and when to try again. Raises ``OSError``,
        ``TimeoutError``, ``aiohttp.ClientError``."""
        if not is_sound(endpoint, anywhere=self._anywhere):
            raise NotOutside("not an address that notices go to")
        if self._session is None:
            factory = None if self._anywhere else _outside_only
            connector = TCPConnector(limit=20, limit_per_host=4, socket_factory=factory)
            self._session = aiohttp.ClientSession(
                connector=connector, timeout=PATIENCE, cookie_jar=aiohttp.DummyCookieJar()
            )
        async with self._session.post(endpoint, data=body, headers=headers, allow_redirects=False) as answer:
            return answer.status, answer.headers.get("Retry-After", "")

    async def close(self) -> None:
        """Lets go."""
        if self._session is not None:
            await self._session.close()
            self._session = None
