"""Who keeps order."""

import pytest

from app.services.accounts import Me
from app.services.server import Server
from tests.services.admin.acting import official


@pytest.fixture
async def olga(server: Server) -> Me:
    """The owner."""
    return await official(server, "Olga", "owner")


@pytest.fixture
async def ada(server: Server) -> Me:
    """An admin."""
    return await official(server, "Ada", "admin")


@pytest.fixture
async def mo(server: Server) -> Me:
    """A moderator."""
    return await official(server, "Mo", "moderator")
