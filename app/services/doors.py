"""Who may come in: a table with a password lets in who knows it, sits there or did, or is asked to it.

Who keeps order here looks in by another door, where it is noted (:mod:`app.services.admin.seeing`)."""

from app.services import passwords
from app.services.accounts import Me
from app.services.errors import NotThePassword
from app.services.facts import TableFacts
from app.services.server import Server


def may_enter(facts: TableFacts, me: Me | None, *, proof: str | None = None) -> bool:
    """Whether that person may see the table; ``proof``: what :func:`try_password` once gave this browser."""
    if facts.lock in {None, proof}:
        return True
    if me is None:
        return False
    return facts.belongs_to(me.id) or any(each.user_id == me.id for each in facts.asked)


async def try_password(server: Server, table_id: int, *, password: str) -> str | None:
    """What proves from now on that somebody knows the password of a table. Raises :class:`NotThePassword`."""
    facts = (await server.states.newest(table_id)).facts
    if facts.lock is not None and not await passwords.fits(password, facts.lock):
        raise NotThePassword
    return facts.lock
