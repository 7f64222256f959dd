"""Tables with a password: who has given it is remembered by the browser, until the password is another one."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services.doors import may_enter, try_password
from app.services.errors import NeedsPassword, NotThePassword
from app.services.facts import TableFacts
from app.services.held import Held
from app.web.cards import Door
from app.web.deps import Visit, Visiting, set_cookie
from app.web.errors import word

router = APIRouter()
COOKIE = "doors"
MOST = 30
"""How many tables a browser keeps in mind."""
MONTH = 30 * 24 * 3600


def proof_of(visit: Visit, facts: TableFacts) -> str:
    """What a browser keeps that has given the password: worth nothing at another table or for another password."""
    return visit.edge.signer.get_signature(f"door {facts.key} {facts.lock}").decode()[:32]


def kept(visit: Visit) -> list[str]:
    """The proofs that this browser has."""
    return str(visit.connection.cookies.get(COOKIE, "")).split(".")[:MOST]


def shown(visit: Visit, facts: TableFacts) -> str | None:
    """The proof for the services, when this browser has given the password."""
    return facts.lock if facts.lock is not None and proof_of(visit, facts) in kept(visit) else None


def may(visit: Visit, facts: TableFacts) -> bool:
    """Whether who asks may see a table."""
    return may_enter(facts, visit.me, proof=shown(visit, facts))


def check(visit: Visit, held: Held) -> Held:
    """The table, for who may see it. Raises :class:`NeedsPassword`."""
    if not may(visit, held.facts):
        raise NeedsPassword
    return held


async def ask(visit: Visit, held: Held, *, status: int = 401, complaint: str = "", written: str = "") -> Response:
    """The page that asks for the password; ``written``: what was not said, to be kept."""
    door = Door(key=held.facts.key, slug=held.facts.slug, complaint=complaint, written=written)
    return await visit.page("tables/door.html", status, door=door)


@router.post("/tables/{key}/door")
async def knock(visit: Visiting, key: str, password: Annotated[str, Form()] = "") -> Response:
    """Gives the password, and goes in."""
    visit.edge.limits.check("door", visit.who)
    table_id = await visit.server.states.find_id(key)
    try:
        await try_password(visit.server, table_id, password=password)
    except NotThePassword:
        held = await visit.server.states.newest(table_id)
        return await ask(visit, held, status=422, complaint=word(NotThePassword))
    facts = (await visit.server.states.newest(table_id)).facts
    response = visit.go(f"/tables/{key}")
    proofs = [proof_of(visit, facts), *(each for each in kept(visit) if each != proof_of(visit, facts))]
    set_cookie(visit.edge, response, COOKIE, ".".join(proofs[:MOST]), MONTH)
    return response
