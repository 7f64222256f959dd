"""What the use cases need, made once a process."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncEngine

from app.config import Settings
from app.db.base import Sessions, make_sessions
from app.db.writer import Writer
from app.services.club import Memory
from app.services.states import States


@dataclass
class Server:
    """The database, the one writer, the remembered states and rules of the house, and who wants to hear of a change.

    ``bells`` are called after a commit with a table's number, version and changes; ``farewells`` with the numbers of
    logins that were ended; ``calls`` with the number of a person who alone sees something else now.
    """

    settings: Settings
    engine: AsyncEngine
    sessions: Sessions
    writer: Writer
    states: States
    club: Memory
    bells: list[Callable[[int, int, int], None]] = field(default_factory=list)
    farewells: list[Callable[[set[int]], None]] = field(default_factory=list)
    calls: list[Callable[[int], None]] = field(default_factory=list)

    def ring(self, table_id: int, version: int, changed: int) -> None:
        """Tells everybody in this process that the table is now at that version."""
        for bell in self.bells:
            bell(table_id, version, changed)

    def call(self, user_id: int) -> None:
        """Tells everybody in this process that this person's pages show something else now, and nobody else's."""
        for called in self.calls:
            called(user_id)

    def dismiss(self, login_ids: set[int]) -> None:
        """Tells everybody in this process that these browsers are signed out."""
        for farewell in self.farewells:
            farewell(login_ids)


def make_server(settings: Settings, engine: AsyncEngine) -> Server:
    """A server on a database; its writer is started by whoever runs it."""
    sessions = make_sessions(engine)
    return Server(settings, engine, sessions, Writer(engine), States(sessions), Memory(sessions, settings))
