"""People who are away and can be reached, what they are sent, and time that passes for everybody."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from sqlalchemy import text

from app.commands.rounds import kinds
from app.config import Settings
from app.db import notices as queries
from app.services import clock, wishes
from app.services.accounts import Me
from app.services.held import Held
from app.services.letters import Outbox
from app.services.notices import Teller
from app.services.push import Sender
from app.services.roads import road_of
from app.services.server import Server
from app.web.digest import pushed
from app.web.letters import composer
from tests.conftest import ADDRESS, account
from tests.push_service import PushService
from tests.services.test_tables import play
from tests.sink import Sink, body_of

Passing = Callable[..., Awaitable[None]]


@dataclass
class Post:
    """One process that tells, with what came of it."""

    server: Server
    sink: Sink
    services: PushService
    passing: Passing
    teller: Teller = field(init=False)
    outbox: Outbox = field(init=False)
    sender: Sender = field(init=False)

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Starts, as after a restart."""
        told = {"smtp_host": "127.0.0.1", "smtp_security": "none", "address": ADDRESS, "smtp_port": self.sink.port}
        config = Settings(**{**self.server.settings.model_dump(), **told})
        self.teller = Teller(self.server)
        self.outbox = Outbox(self.server, road_of(config), composer(config), kinds(self.server))
        self.sender = Sender(self.server, pushed)

    async def after(self, **span: float) -> list[str]:
        """Lets time pass, and goes round; to whom letters came with which subject."""
        await self.passing(**span)
        return await self.round()

    async def round(self) -> list[str]:
        """Goes round once."""
        before = len(self.sink.letters)
        await self.teller.tell_due()
        await self.sender.send_due()
        await self.outbox.send_due()
        return [f"{each['To'].partition('@')[0]}: {each['Subject']}" for each in self.sink.letters[before:]]

    @property
    def last(self) -> str:
        """What the latest letter says."""
        return body_of(self.letter)

    @property
    def letter(self) -> EmailMessage:
        """The latest letter."""
        return self.sink.letters[-1]


async def reachable(server: Server, name: str, *, letters: str = wishes.NOW, language: str = "en") -> Me:
    """Somebody with a confirmed address, to whom letters come at once."""
    me = await account(server, name, email=f"{name.lower()}@example.org")
    async with server.engine.begin() as connection:
        await connection.execute(text("DELETE FROM letters"))
        query = "UPDATE users SET email_confirmed_at = now(), language = :language WHERE id = :id"
        await connection.execute(text(query), {"id": me.id, "language": language})
    await wishes.choose(server, me, delay="2", letters=letters)
    return me


async def turn(server: Server, table_id: int, people: list[Me]) -> Held:
    """Whoever must choose first makes all of the turn."""
    held = await server.states.newest(table_id)
    assert held.position is not None
    seat = min(held.position.waiting)
    while seat in held.position.waiting:
        held = await play(server, table_id, people, moves=1)
        assert held.position is not None
    return held


async def look(server: Server, me: Me, table_id: int, *, awake: int = -1, process: str = "one") -> None:
    """A page of the table lies open before somebody, who has touched that version of it."""
    async with server.sessions.begin() as session:
        await queries.note_looks(session, process, {(me.id, table_id): awake}, (), at=clock.now())


async def look_away(server: Server, me: Me, table_id: int, *, process: str = "one") -> None:
    """It is hidden, or closed."""
    async with server.sessions.begin() as session:
        await queries.note_looks(session, process, {}, {(me.id, table_id)}, at=clock.now())


async def change(server: Server, statement: str, **values: Any) -> None:
    """Has the database otherwise."""
    async with server.engine.begin() as connection:
        await connection.execute(text(statement), values)
