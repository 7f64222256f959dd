"""Every request gets a number, a line in the log and its place in what is counted; so does every socket."""

import logging
import secrets
import time
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import logs, metrics

METHODS = {"GET", "HEAD", "POST"}
QUIET = ("/static", "/health/", "/metrics")
NORMAL = 1000
LOST = 1006
"""A line that broke without a word."""
GONE = 499
"""Whoever asked went away before there was an answer: no fault of ours, and no status that anybody is sent."""
logger = logging.getLogger("app.web")


class Journal:
    """ASGI middleware. Addresses are named as the routes are (``/tables/{key}``): a table's key is a secret."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        number = scope.setdefault("state", {})["request_id"] = secrets.token_hex(6)
        logs.begin(request=number)
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        status = GONE

        async def send_counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        except ClientDisconnect:
            raise
        except Exception:
            status = 500 if status == GONE else status
            raise
        finally:
            seconds = time.perf_counter() - began
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = route_of(scope)
            metrics.REQUESTS.labels(method, route, status).inc()
            metrics.REQUEST_SECONDS.labels(route).observe(seconds)
            quiet = route.startswith(QUIET) and status < 500
            facts = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
            logger.log(logging.DEBUG if quiet else logging.INFO, "answered", extra={"facts": facts})

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepted = False
        closed = 0  # whoever closes first says why
        began = time.perf_counter()

        async def receive_counted() -> Message:
            nonlocal closed
            message = await receive()
            if message["type"] == "websocket.disconnect":
                closed = closed or message.get("code") or LOST
            return message

        async def send_counted(message: Message) -> None:
            nonlocal accepted, closed
            if message["type"] == "websocket.accept":
                accepted = True
                metrics.SOCKETS.inc()
                logger.info("socket opened", extra={"facts": {"route": route_of(scope)}})
            elif message["type"] == "websocket.close":
                closed = closed or message.get("code") or NORMAL
            await send(message)

        try:
            await self._app(scope, receive_counted, send_counted)
        finally:
            if accepted:
                metrics.SOCKETS.dec()
                facts = {
                    "route": route_of(scope),
                    "code": closed or LOST,
                    "seconds": round(time.perf_counter() - began, 1),
                }
                logger.info("socket closed", extra={"facts": facts})


def route_of(scope: Scope) -> str:
    """The pattern of the route that answered, or that none did."""
    route: Any = scope.get("route")
    if route is not None:
        return str(getattr(route, "path", "")) or "none"
    return "/static" if scope["path"].startswith("/static/") else "none"
