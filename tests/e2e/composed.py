"""A server that was brought up with ``docker compose``: the same browser tests, through its proxy.

``E2E_URL=https://localhost E2E_COMPOSE="docker compose" python -m pytest tests/e2e``, in the folder of the project.
"""

import asyncio
import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import httpx

URL = "E2E_URL"
COMPOSE = "E2E_COMPOSE"


class Composed:
    """Stands in for a server of one's own: it is killed, put to sleep and started again as containers are."""

    def __init__(self, url: str, compose: str) -> None:
        self.url = url
        self._compose = shlex.split(compose)
        self._since = self._now()

    def _do(self, *words: str) -> str:
        done = subprocess.run([*self._compose, *words], check=True, capture_output=True, text=True, timeout=180)
        return done.stdout

    @staticmethod
    def _now() -> str:
        return subprocess.run(["date", "-u", "+%FT%TZ"], check=True, capture_output=True, text=True).stdout.strip()

    async def start(self) -> None:
        """Starts every server that does not run, and waits until pages come."""
        self._do("start", "app")
        async with httpx.AsyncClient(verify=False, timeout=40) as client:
            for _ in range(60):
                with suppress(httpx.TransportError):
                    if (await client.get(self.url + "/about")).status_code == 200:
                        return
                await asyncio.sleep(0.5)
        raise AssertionError(self.log)

    def kill(self) -> None:
        """Ends every server without a word."""
        self._do("kill", "app")

    def restart(self) -> None:
        """Asks every server to end, and starts it again."""
        self._do("restart", "app")

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """They do nothing meanwhile."""
        self._do("pause", "app")
        try:
            yield
        finally:
            self._do("unpause", "app")

    def stop(self) -> None:
        """Leaves it as it is: others play there too."""

    @property
    def log(self) -> str:
        """What servers and bots have logged since."""
        return self._do("logs", "--no-log-prefix", "--since", self._since, "app", "bots")


def composed() -> Composed | None:
    """The server that the tests are to use instead of their own, if one was named."""
    url = os.environ.get(URL)
    return Composed(url.rstrip("/"), os.environ.get(COMPOSE, "docker compose")) if url else None
