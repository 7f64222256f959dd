"""Who asks, in which language, how often, and what the routes share."""

from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends
from fastapi.responses import HTMLResponse, RedirectResponse
from itsdangerous import BadSignature, Signer
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection
from starlette.responses import Response

from app import logs
from app.i18n import LANGUAGES, negotiated
from app.services import accounts, preferences
from app.services.accounts import Browser, Me
from app.services.club import Club
from app.services.errors import SignedOut
from app.services.server import Server
from app.web.browsers import browser_name
from app.web.drawing import draw
from app.web.hall import Hall
from app.web.hub import Hub
from app.web.protection import split
from app.web.render import Renderer

COOKIE = "semiramis"
LANGUAGE = "language"
TEN_YEARS = 10 * 365 * 24 * 3600
YEAR = 365 * 24 * 3600
IN_ADDRESSES = ":/%#?=@[]!$&'()*+,;"
"""What may stand in an address as it is."""


class TooFast(Exception):
    """More requests of a kind than a person makes."""


class NeedName(Exception):
    """This needs somebody: a nickname first, then on to ``next``."""

    def __init__(self, next_path: str) -> None:
        self.next = next_path
        super().__init__(next_path)


class Limits:
    """How often one person or address may do what."""

    def __init__(self, moves_per_second: float) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._kinds: dict[str, RateLimitItem] = {
            "move": RateLimitItemPerSecond(max(1, int(moves_per_second * 4)), 4),
            "post": RateLimitItemPerMinute(120),
            "talk": RateLimitItemPerSecond(8, 20),
            "name": RateLimitItemPerMinute(30),
            "door": RateLimitItemPerMinute(20),
            "consequence": RateLimitItemPerSecond(80, 4),
            "sign-in": RateLimitItemPerMinute(40, 10),
            "sign-up": RateLimitItemPerHour(20),
            "letter": RateLimitItemPerHour(10),
            "password": RateLimitItemPerMinute(5, 10),  # wrong ones only
            "analysis": RateLimitItemPerSecond(max(1, int(moves_per_second * 4)), 4),
        }

    def check(self, kind: str, who: str) -> None:
        """Counts one. Raises :class:`TooFast`."""
        if not self._limiter.hit(self._kinds[kind], who):
            raise TooFast

    def left(self, kind: str, who: str) -> int:
        """How many are left."""
        return max(0, self._limiter.get_window_stats(self._kinds[kind], who).remaining)


@dataclass
class Edge:
    """What the routes share in one process."""

    server: Server
    hub: Hub
    hall: Hall
    renderer: Renderer
    signer: Signer
    limits: Limits


@dataclass
class Visit:
    """One request or socket: who asks, in which language, from where. ``lost``: this browser was signed in and is no
    longer; ``club``: the rules of the house, once somebody is let in."""

    edge: Edge
    connection: HTTPConnection
    me: Me | None
    language: str
    lost: bool = False
    club: Club | None = None

    @property
    def server(self) -> Server:
        """What the services need."""
        return self.edge.server

    @property
    def path(self) -> str:
        """The page asked for, with its query but for the language."""
        url = self.connection.url.remove_query_params("lang")
        return own_path(url.path + (f"?{url.query}" if url.query else ""))

    @property
    def by_htmx(self) -> bool:
        """Whether htmx asks for a part of a page."""
        return self.connection.headers.get("hx-request") == "true"

    @property
    def who(self) -> str:
        """Whose requests are counted together."""
        return f"user {self.me.id}" if self.me else self.whence

    @property
    def whence(self) -> str:
        """Whose requests are counted together, whoever they say they are."""
        client = self.connection.client
        return f"address {client.host if client else ''}"

    @property
    def site(self) -> str:
        """The address of this site, as it stands in letters."""
        url = self.connection.url
        return self.server.settings.address or f"{url.scheme}://{url.netloc}"

    def browser(self, time_zone: str = "") -> Browser:
        """The browser that asks; it says itself which time zone it is in."""
        agent = self.connection.headers.get("user-agent", "")
        client = self.connection.client
        zone = preferences.known_zone(time_zone)
        return Browser(name=browser_name(agent), address=client.host if client else "", time_zone=zone)

    def known(self) -> Me:
        """The person who asks. Raises :class:`NeedName`, ``SignedOut``."""
        if self.me is None and self.lost:
            raise SignedOut
        if self.me is None:
            raise NeedName(self.path if self.connection.scope.get("method") == "GET" else self.back())
        return self.me

    def back(self) -> str:
        """The page of ours this came from, or the lobby."""
        referer = split(self.connection.headers.get("referer", ""))
        return own_path(referer.path if referer.netloc == self.connection.headers.get("host") else "/")

    async def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """A whole page."""
        here = await accounts.count_present(self.server)
        html = draw(self.language, template, **{**self.frame(), "here": here, **context})
        return self.keep(HTMLResponse(html, status_code=status))

    def frame(self) -> dict[str, Any]:
        """What the frame of every page says of the one who asks."""
        me = self.me
        return {
            "me": me.name if me else None,
            "path": self.path,
            "theme": me.theme if me else "",
            "sound": me is not None and me.sound,
            "zone": me.time_zone if me else "",
            "playing": me.playing if me else None,
            "lost": self.lost,
            "keeper": me is not None and bool(me.role),
            "announced": self.club.announcement(self.language) if self.club else ("", ""),
        }

    def part(self, html: str, status: int = 200) -> Response:
        """A part of a page."""
        return self.keep(HTMLResponse(html, status_code=status))

    def go(self, path: str) -> Response:
        """On to another page, for htmx and for plain forms."""
        if self.by_htmx:
            return self.keep(Response(status_code=204, headers={"HX-Redirect": quote(path, safe=IN_ADDRESSES)}))
        return self.keep(RedirectResponse(path, status_code=303))

    def keep(self, response: Response) -> Response:
        """Remembers the language that the address asked for, and somebody who just said who they are; forgets
        somebody who has just gone."""
        if getattr(self.connection.state, "forget", False):
            response.delete_cookie(COOKIE, path="/")
        token = getattr(self.connection.state, "token", "")
        if token:
            sign_in(self.edge, response, token)
        if self.connection.query_params.get("lang") == self.language:
            set_cookie(self.edge, response, LANGUAGE, self.language, YEAR)
        return response


def set_cookie(edge: Edge, response: Response, name: str, value: str, age: int) -> None:
    """Sets a cookie that scripts cannot read and other sites do not send."""
    response.set_cookie(
        name, value, max_age=age, path="/", httponly=True, samesite="lax", secure=edge.server.settings.secure_cookies
    )


def sign_in(edge: Edge, response: Response, token: str) -> None:
    """Lets this browser remember who it belongs to."""
    set_cookie(edge, response, COOKIE, edge.signer.sign(token).decode(), TEN_YEARS)


def own_path(path: str) -> str:
    """The path, if it is one of ours; the lobby otherwise."""
    ours = path.startswith("/") and not path.startswith("//") and "\\" not in path and not split(path).netloc
    return path if ours and path.isprintable() else "/"


def name_page(next_path: str) -> str:
    """Where a nickname is given before going on."""
    return f"/name?next={quote(next_path)}"


def sign_in_page(next_path: str, *, lost: str = "") -> str:
    """Where one signs in before going on; ``lost``: what was not done because one was signed out."""
    return f"/sign-in?next={quote(next_path)}" + (f"&lost={lost}" if lost else "")


def tokens(edge: Edge, connection: HTTPConnection) -> list[str]:
    """Every token that our signature vouches for; a browser may send several cookies of one name."""
    found: list[str] = []
    for header in connection.headers.getlist("cookie"):
        for part in header.split(";"):
            try:
                cookie = SimpleCookie(part.strip())
            except CookieError:
                continue
            if COOKIE in cookie:
                try:
                    found.append(edge.signer.unsign(cookie[COOKIE].value).decode())
                except (BadSignature, UnicodeError):
                    continue
    return found


async def make_visit(connection: HTTPConnection) -> Visit:
    """Finds out who asks. Of several who are known by their cookies it is the account that came last: whoever signs
    in is let in, whatever cookies this browser had before."""
    edge: Edge = connection.app.state.edge
    fresh = getattr(connection.state, "token", "")
    client = connection.client
    sent = [fresh] if fresh else tokens(edge, connection)[:4]
    known = [await accounts.recognise(edge.server, token, address=client.host if client else "") for token in sent]
    me = max((each for each in known if each), key=lambda each: (not each.guest, each.login or 0), default=None)
    if me is not None:
        logs.about(person=me.id)
    asked = connection.query_params.get("lang")
    if me is not None and asked in LANGUAGES and asked != me.language:
        await preferences.choose_language(edge.server, me, language=asked)
    wishes = (
        asked,
        me.language if me else None,
        connection.cookies.get(LANGUAGE),
        negotiated(connection.headers.get("accept-language", "")),
    )
    language = next(wish for wish in wishes if wish in LANGUAGES)
    assert language is not None
    return Visit(edge, connection, me, language, lost=bool(sent) and me is None)


async def let_in(visit: Annotated[Visit, Depends(make_visit)]) -> Visit:
    """Who asks, unless they may not come in. Raises ``Banned``."""
    client, me = visit.connection.client, visit.me
    visit.club = await visit.server.club.get()
    visit.club.check_banned(me.id if me else None, client.host if client else "", role=me.role if me else "")
    return visit


Visiting = Annotated[Visit, Depends(let_in)]
Anyone = Annotated[Visit, Depends(make_visit)]
"""Also those who may not come in."""


def read_secret(given: str, folder: Path) -> str:
    """The secret that signs cookies: given, or made once and kept."""
    if given:
        return given
    import secrets

    file = folder / "secret"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with file.open("x", encoding="ascii") as fresh:
            fresh.write(secrets.token_hex(32))
        file.chmod(0o600)
    except FileExistsError:
        pass
    return file.read_text(encoding="ascii").strip()
