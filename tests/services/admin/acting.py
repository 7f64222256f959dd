"""The people of these tests: Olga owns the server, Ada is an admin, Mo a moderator."""

import msgspec
from sqlalchemy import select, text

from app.db.models import Audit, Table
from app.services.accounts import Me
from app.services.server import Server
from tests.conftest import person
from tests.services.test_tables import opened

__all__ = ["account", "lines", "official", "opened", "stored"]


async def account(server: Server, name: str) -> Me:
    """Somebody with an account, without a password."""
    me = await person(server, name)
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET guest = false WHERE id = :id"), {"id": me.id})
    return msgspec.structs.replace(me, guest=False)


async def official(server: Server, name: str, role: str) -> Me:
    """Somebody with a role."""
    me = await account(server, name)
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET role = :role WHERE id = :id"), {"id": me.id, "role": role})
    return msgspec.structs.replace(me, role=role)


async def lines(server: Server, **wanted: object) -> list[Audit]:
    """The record, the oldest line first."""
    async with server.sessions() as session:
        query = select(Audit).filter_by(**wanted).order_by(Audit.id)
        return list((await session.execute(query)).scalars())


async def stored(server: Server, table_id: int) -> Table:
    """A table as it is stored."""
    async with server.sessions() as session:
        return (await session.execute(select(Table).where(Table.id == table_id))).scalar_one()
