"""Setting a table back by one more entry: nothing is lost, and what cannot be played any more is passed over."""

from app import games
from app.db import notices
from app.db import tables as queries
from app.db.models import Entry
from app.engine import codec, log
from app.services import clock, editions
from app.services.accounts import Me
from app.services.admin.tables import Acting, acting, begun
from app.services.errors import GameOver, LogParted, NoSuchEntry, NotStarted
from app.services.server import Server


async def rewind(server: Server, me: Me, table_id: int, *, to: int, reason: str) -> int:
    """Sets a table back to what stands of its first ``to`` entries; its version after that.

    Raises as ``acting``, :class:`NotStarted`, :class:`GameOver`, :class:`NoSuchEntry`, and :class:`LogParted` when
    even those cannot be played any more.
    """
    async with acting(server, me, table_id, "rewind", reason=reason) as doing:
        if not 0 <= to < doing.table.version:
            _check_playing(doing)
            raise NoSuchEntry
        await _append(doing, to)
        await notices.forget_turns(doing.session, doing.table.id)
        doing.facts = {"to": to}
    server.states.forget(table_id)
    return doing.table.version


async def accept(server: Server, me: Me, table_id: int, *, reason: str) -> int:
    """Goes on with what the rules of today make of the log; its version after that. Raises as :func:`rewind`."""
    async with acting(server, me, table_id, "rewind", act="accept", reason=reason) as doing:
        await _append(doing, doing.table.version)
        doing.facts = {"to": doing.table.version - 1}
    server.states.forget(table_id)
    return doing.table.version


def _check_playing(doing: Acting) -> None:
    if doing.table.status == "waiting":
        raise NotStarted
    if doing.table.status != "playing":
        raise GameOver


async def _append(doing: Acting, to: int) -> None:
    """Writes the entry, and what the table becomes by it."""
    _check_playing(doing)
    session, table = doing.session, doing.table
    await editions.know(session, table.slug, table.edition)
    game = games.load(table.slug, table.edition)
    entries = [log.Entry(each.seat, each.text) for each in await queries.list_entries(session, table.id)]
    text = f"{log.REWIND}{to}"
    try:
        position = log.replay(game, begun(game, table), [*entries, log.Entry(None, text)])
        over = position.over
    except Exception as fault:  # rules that have changed may say anything to an old action
        raise LogParted(seq=to) from fault
    if over:
        raise GameOver  # by the rules of today it ended there: end it
    now = clock.now()
    table.version += 1
    table.waiting = {str(seat): since for seat, since in position.waiting.items()}
    table.revision = game.revision
    table.moved_at = now
    session.add(
        Entry(
            table_id=table.id,
            seq=table.version,
            seat=None,
            user_id=doing.actor.id,
            text=text,
            digest=codec.digest(position.state),
            at=now,
        )
    )
