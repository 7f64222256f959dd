"""A push service on this machine, and browsers that read what it brings, with their own keys."""

import base64
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import http_ece
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def written(raw: bytes) -> str:
    """As browsers write bytes."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@dataclass
class Gadget:
    """A browser: where notices to it go, and what they are read with."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def told(self) -> dict[str, str]:
        """What it says of itself."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "public": written(point), "auth": written(self.auth)}


@dataclass
class PushService:
    """What came, and what is answered: ``status``, until it is changed."""

    url: str = ""
    status: int = 201
    headers: list[dict[str, str]] = field(default_factory=list)
    gadgets: list[Gadget] = field(default_factory=list)
    read: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """Which gadget showed what."""

    def gadget(self) -> Gadget:
        """One more browser."""
        made = Gadget(f"{self.url}/{len(self.gadgets)}")
        self.gadgets.append(made)
        return made

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Takes what is brought."""
        which = int(request.path[1:])
        body = await request.read()
        self.headers.append(dict(request.headers))
        if 200 <= self.status < 300:
            gadget = self.gadgets[which]
            plain = http_ece.decrypt(body, private_key=gadget.key, auth_secret=gadget.auth, version="aes128gcm")
            self.read.append((which, json.loads(plain)))
        return web.Response(status=self.status, headers={"Location": f"{self.url}/redirected"})


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    """On a port of its own."""
    made = PushService()
    runner = web.ServerRunner(web.Server(made.answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield made
    finally:
        await runner.cleanup()
