"""What tests of notices share: a process that tells, while time passes for everybody."""

from collections.abc import AsyncIterator, Callable

import pytest

from app.services.server import Server
from tests.push_service import push_service
from tests.services.notified import Passing, Post
from tests.sink import sinking


@pytest.fixture
async def post(passing: Passing, later: Callable[..., None], server: Server) -> AsyncIterator[Post]:
    """A process that tells, some time after it began."""

    async def both(**span: float) -> None:
        later(**span)
        await passing(**span)

    async with sinking() as sink, push_service() as services:
        made = Post(server, sink, services, both)
        await both(seconds=30)
        yield made
