"""What the use cases need, made once a process."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncEngine

from app.config import Settings
from app.db.base import Sessions, make_sessions
from app.db.writer import Writer
from app.services.states import States


@dataclass
class Server:
    """The database, the one writer, the remembered states, and who wants to hear of a change.

    ``bells`` are called after a commit with a table's number, version and changes.
    """

    settings: Settings
    engine: AsyncEngine
    sessions: Sessions
    writer: Writer
    states: States
    bells: list[Callable[[int, int, int], None]] = field(default_factory=list)

    def ring(self, table_id: int, version: int, changed: int) -> None:
        """Tells everybody in this process that the table is now at that version."""
        for bell in self.bells:
            bell(table_id, version, changed)


def make_server(settings: Settings, engine: AsyncEngine) -> Server:
    """A server on a database; its writer is started by whoever runs it."""
    sessions = make_sessions(engine)
    return Server(settings, engine, sessions, Writer(engine), States(sessions))
