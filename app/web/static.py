"""Static files; an address with the sum of their content in it may be kept for ever, if that is their content."""

from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

WORKER = "js/worker.js"
"""It lies among the scripts and shows notices for the whole site."""
FOR_EVER = "public, max-age=31536000, immutable"


class Static(StaticFiles):
    """While one version gives way to the next, pages of one ask the other: what they get must not be kept."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file."""
        response = await super().get_response(path, scope)
        asked = scope.get("query_string", b"")
        fixed = asked.startswith(b"v=") and asked == f"v={self.sum_of(path)}".encode()
        response.headers["Cache-Control"] = FOR_EVER if fixed else "no-cache"
        if path == WORKER:
            response.headers["Service-Worker-Allowed"] = "/"
        return response

    def sum_of(self, path: str) -> str:
        """The sum of a file as it is now."""
        found, about = self.lookup_path(path)
        return sum_of(found, about.st_mtime_ns, about.st_size) if about else ""


@lru_cache(1_000)
def sum_of(file: str, changed: int, size: int) -> str:
    """The sum of a file, worked out again when it has changed."""
    return content_sum(Path(file))


def content_sum(file: Path) -> str:
    """What tells one content of a file from another, short enough for an address."""
    return sha256(file.read_bytes()).hexdigest()[:12]
