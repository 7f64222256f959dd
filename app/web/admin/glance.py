"""The server at a glance, and the way to whatever somebody looks for."""

from fastapi import APIRouter
from starlette.responses import Response

from app.db.searches import Sought
from app.services import clock
from app.services.admin import glance, lists, people
from app.services.errors import NoSuchTable
from app.web.admin.gate import Keeping, number_in, plain

router = APIRouter(prefix="/admin")


@router.get("")
async def show(keeper: Keeping) -> Response:
    """Tables, people, processes, zones, errors."""
    found = await glance.look(keeper.visit.server, keeper.me)
    now = clock.now()
    seconds = {each.name: int((now - each.since).total_seconds()) for each in found.processes}
    waits = {each.table_id: int((now - each.since).total_seconds()) for each in found.stuck if each.since}
    backup = int((now - found.backup).total_seconds()) if found.backup else None
    return await keeper.page("glance", "glance", g=found, seconds=seconds, waits=waits, backup=backup)


@router.get("/find")
async def find(keeper: Keeping, q: str = "") -> Response:
    """A table by number or address, an error by its id, or people by name: on to what was meant."""
    server, me = keeper.visit.server, keeper.me
    wanted = plain(q, 300).strip().rpartition("/tables/")[2].partition("/")[0].partition("?")[0][:100]
    number = number_in(wanted)
    if number is not None:
        try:
            await lists.show(server, me, number)
            return keeper.visit.go(f"/admin/tables/{number}")
        except NoSuchTable:
            pass
    tables = await lists.search(server, me, Sought(text=wanted, state="all")) if wanted else None
    if tables is not None and len(tables.tables) == 1 and tables.tables[0].key == wanted:
        return keeper.visit.go(f"/admin/tables/{tables.tables[0].id}")
    fault = await glance.find_wrong(server, me, wanted)
    found = await people.search(server, me, text=wanted) if wanted else ()
    return await keeper.page(
        "find", "glance", q=wanted, fault=fault, people=found, tables=tables.tables if tables else ()
    )
