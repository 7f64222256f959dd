"""Replays stored tables with the rules as they are now, and says where one would part ways."""

from collections.abc import Iterable

import msgspec

from app.db import tables as queries
from app.engine import codec, log
from app.services.errors import LogParted
from app.services.server import Server


class Parted(msgspec.Struct, frozen=True):
    """A table whose log does not lead where it led when it was written, and from which entry on."""

    key: str
    seq: int


class Checked(msgspec.Struct, frozen=True):
    """How many tables and entries were replayed, and which tables part ways."""

    tables: int
    entries: int
    parted: tuple[Parted, ...]


async def check_playing(server: Server) -> Checked:
    """All tables in play."""
    async with server.sessions() as session:
        found = await queries.list_playing(session)
    return await _check(server, found)


async def check_all(server: Server) -> Checked:
    """All tables that there are."""
    async with server.sessions() as session:
        found = await queries.list_all(session)
    return await _check(server, found)


async def _check(server: Server, table_ids: Iterable[int]) -> Checked:
    tables = entries = 0
    parted = []
    for table_id in table_ids:
        tables += 1
        try:
            entries += await check(server, table_id)
        except LogParted as fault:
            async with server.sessions() as session:
                key = await queries.find_key(session, table_id)
            parted.append(Parted(key or "", int(fault.facts["seq"])))
        finally:
            server.states.forget(table_id)
    return Checked(tables, entries, tuple(parted))


async def check(server: Server, table_id: int) -> int:
    """How many entries a table has, each of which leads where it did. Raises :class:`LogParted`."""
    held = await server.states.newest(table_id)
    async with server.sessions() as session:
        entries = await queries.list_entries(session, table_id)
        table = await queries.find_table(session, table_id)
    if table is None or held.position is None:
        return 0
    position = held.begin()
    for entry in entries:
        position = log.append(held.game, position, log.Entry(entry.seat, entry.text), trusted=True)
        if position.version != entry.seq or codec.digest(position.state) != entry.digest:
            raise LogParted(seq=entry.seq)
    if position.version != table.version:
        raise LogParted(seq=position.version + 1)
    if position.over and _plain(held.game.scores(position.state)) != table.scores:
        raise LogParted(seq=position.version)
    return position.version


def _plain(value: object) -> object:
    """As it comes back from the database."""
    return msgspec.json.decode(msgspec.json.encode(value))
