"""A mail server that keeps what it is sent, or behaves badly when asked to."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult


@dataclass
class Sink:
    """What arrived; ``recipient`` and ``data`` answer, when they say something; ``cut`` hangs up instead."""

    port: int = 0
    letters: list[EmailMessage] = field(default_factory=list)
    came_to: list[str] = field(default_factory=list)
    recipient: str = ""
    data: str = ""
    cut: bool = False
    password: str = ""

    async def handle_RCPT(  # noqa: N802 - the name aiosmtpd asks for
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if self.recipient:
            return self.recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802 - see above
        if self.data:
            return self.data
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.letters.append(message)
        self.came_to += envelope.rcpt_tos
        if self.cut:
            assert server.transport is not None
            server.transport.abort()  # type: ignore[attr-defined]  # it is one of a socket
        return "250 OK"

    def knows(self, server: Any, session: Any, envelope: Any, mechanism: str, auth: Any) -> AuthResult:
        return AuthResult(success=auth.password.decode() == self.password, handled=False)

    def links(self) -> list[str]:
        """Every path of ours in the letters, in order."""
        return [link for letter in self.letters for link in re.findall(r"https?://[^/\s]+(/\S+)", body_of(letter))]


def body_of(letter: EmailMessage) -> str:
    """What a letter says."""
    text = letter.get_content()
    assert isinstance(text, str)
    return text


@asynccontextmanager
async def sinking(password: str = "") -> AsyncIterator[Sink]:
    """The server, on a port of its own."""
    sink = Sink(password=password)
    options: dict[str, Any] = {}
    if password:
        options = {"authenticator": sink.knows, "auth_required": True, "auth_require_tls": False}
    loop = asyncio.get_running_loop()
    serving = await loop.create_server(lambda: SMTP(sink, hostname="sink", **options), "127.0.0.1", 0)
    sink.port = serving.sockets[0].getsockname()[1]
    try:
        yield sink
    finally:
        serving.close()
