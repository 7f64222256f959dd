"""Going for good: the row stays, empty; tables go on with bots."""

from app.db import accounts as queries
from app.db import belongings
from app.services import emails, lobby, merging, passwords
from app.services.accounts import Me
from app.services.errors import Refusal, WrongPassword
from app.services.server import Server

ROUNDS = 10


async def count_unfinished(server: Server, me: Me) -> int:
    """How many tables would go on without me."""
    async with server.sessions() as session:
        return len(await belongings.list_unfinished(session, me.id))


async def delete_me(server: Server, me: Me, *, password: str) -> None:
    """Deletes the person who asks; a guest needs no password.

    Seats in unfinished tables are given up as by leaving. Logs and results keep their lines, which say of this person
    only that somebody sat there. Raises :class:`WrongPassword`.
    """
    if not me.guest and not await passwords.fits(password, await emails.own_password(server, me)):
        raise WrongPassword
    await _get_up(server, me)
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id, lock=True)
        if user is None:
            return
        notices = await belongings.note_all(session, me.id)
        await belongings.drop_claims(session, me.id)
        ended = await queries.end_logins(session, me.id)
        await merging.forget(session, user)
    for notice in notices:
        server.ring(*notice)
    server.dismiss(ended)
    await _get_up(server, me)  # a window that was quicker may have sat down meanwhile


async def _get_up(server: Server, me: Me) -> None:
    """Leaves every table that is not over."""
    for _ in range(ROUNDS):
        async with server.sessions() as session:
            seated = await belongings.list_unfinished(session, me.id)
        for table_id in seated:
            try:
                await lobby.leave(server, me, table_id)
            except Refusal:
                continue  # it ended, or somebody freed the seat
        if not seated:
            return
