"""What every request passes through: security headers, our own origin, a limit on size."""

from collections.abc import Callable
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 64 * 1024
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
FOR_ALL = ("/static/", "/rules", "/about")
"""What search engines may show; no table, whoever may have put its address somewhere."""
SAFE = {"GET", "HEAD", "OPTIONS"}


class OtherSite(Exception):
    """A page of another site sent this."""


class TooLarge(Exception):
    """More was sent than any form of ours sends."""


def split(address: str) -> SplitResult:
    """An address in its parts; one that cannot be read has none."""
    try:
        return urlsplit(address)
    except ValueError:
        return SplitResult("", "", "", "", "")


def from_our_own_origin(headers: Headers, allowed: tuple[str, ...]) -> bool:
    """Whether a page of ours sent this. A browser names the origin of every POST and socket."""
    origin = headers.get("origin")
    if origin is None:
        site = headers.get("sec-fetch-site")
        if site is not None:
            return site in {"same-origin", "none"}
        referer = headers.get("referer")
        if referer is None:
            return True  # no browser: no ambient cookies to misuse
        origin = "{0.scheme}://{0.netloc}".format(split(referer))
    return origin in allowed or split(origin).netloc == headers.get("host") != ""


class Protection:
    """ASGI middleware; ``origins`` are allowed besides the address a request came to, ``answer`` says no."""

    def __init__(
        self, app: ASGIApp, *, answer: Callable[[Scope, Exception], ASGIApp], origins: tuple[str, ...] = ()
    ) -> None:
        self._app = app
        self._answer = answer
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        body = Body(receive)
        begun = False

        async def send_protected(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out.setdefault(name, value)
                out["X-Request-ID"] = scope["state"]["request_id"]
                if not scope["path"].startswith(FOR_ALL) and scope["path"] != "/":
                    out["X-Robots-Tag"] = "noindex"
                if not scope["path"].startswith("/static/"):
                    out.setdefault("Cache-Control", "no-store")
            await send(message)

        async def send_unless_cut_off(message: Message) -> None:
            """What a route makes of half a form is no answer to it."""
            if begun or not body.too_large:
                await send_protected(message)

        if scope["method"] not in SAFE and not from_our_own_origin(headers, self._origins):
            await self._answer(scope, OtherSite())(scope, receive, send_protected)
        elif int(headers.get("content-length") or 0) > LARGEST:
            await self._answer(scope, TooLarge())(scope, receive, send_protected)
        else:
            try:
                await self._app(scope, body.read, send_unless_cut_off)
            except ClientDisconnect:
                if not body.too_large:
                    raise
            if body.too_large and not begun:
                await self._answer(scope, TooLarge())(scope, receive, send_protected)


class Body:
    """What is sent, cut off where it gets larger than any form of ours."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._size = 0
        self.too_large = False

    async def read(self) -> Message:
        """The next part; a sender of too much is treated as gone."""
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > LARGEST:
            self.too_large = True
            return {"type": "http.disconnect"}
        return message
