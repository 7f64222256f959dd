"""Tables: finding them, and every act at one of them."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from msgspec.structs import replace
from starlette.responses import PlainTextResponse, Response

from app import games
from app.db.searches import Sought
from app.services import clock
from app.services.admin import doctor, lists, rewinding, seeing
from app.services.admin import tables as acts
from app.services.errors import BadAction, NoSuchEntry, Refusal
from app.web.admin.gate import LONGEST, NOTHING, Keeper, Keeping, Said, number_in, plain, refused
from app.web.views import asked_in

router = APIRouter(prefix="/admin/tables")
Text = Annotated[str, Form()]
BULK = ("pause", "resume", "hide", "unhide", "end", "cancel")
MOST_AT_ONCE = 50


@router.get("")
async def show(
    keeper: Keeping, q: str = "", game: str = "", state: str = "", stuck: str = "", public: str = "", before: str = ""
) -> Response:
    """The list."""
    sought = Sought(text=plain(q), slug=plain(game), state=plain(state), stuck=bool(stuck), private=not public)
    return await listed(keeper, sought, before=before)


async def listed(
    keeper: Keeper, sought: Sought, *, before: str = "", status: int = 200, said: Said = NOTHING, chosen: Any = ()
) -> Response:
    """The list, and what came of an act."""
    found = await lists.search(keeper.visit.server, keeper.me, sought, before=before)
    now = clock.now()
    return await keeper.page(
        "tables",
        "tables",
        status,
        said=said,
        found=found,
        sought=sought,
        games=tuple(games.games()),
        since={each.id: int((now - each.moved_at).total_seconds()) for each in found.tables},
        chosen=frozenset(chosen),
    )


@router.post("")
async def act_on_several(keeper: Keeping, request: Request) -> Response:
    """One act at every table that was ticked, each on its own; what is refused is told."""
    keeper.check_speed()
    form = await request.form()
    do, reason = str(form.get("do", "")), str(form.get("reason", ""))
    numbers = [number_in(str(each)) for each in form.getlist("table")][:MOST_AT_ONCE]
    for number in numbers:
        if number is None:
            continue
        try:
            await _act(keeper, number, do, reason, {})
        except Refusal as fault:
            status, said = refused(fault, reason=reason)
            said = replace(said, facts=(*said.facts, ("table", number)))
            return await listed(keeper, Sought(), status=status, said=said, chosen=numbers)
    return await listed(keeper, Sought(), said=Said(done=do if numbers else ""))


async def _act(keeper: Keeper, table_id: int, do: str, reason: str, form: dict[str, str]) -> None:
    """One act. Raises whatever it refuses with."""
    server, me = keeper.visit.server, keeper.me
    plain: dict[str, Callable[[], Awaitable[Any]]] = {
        "pause": lambda: acts.pause(server, me, table_id, reason=reason),
        "resume": lambda: acts.resume(server, me, table_id, reason=reason),
        "hide": lambda: acts.hide(server, me, table_id, reason=reason),
        "unhide": lambda: acts.unhide(server, me, table_id, reason=reason),
        "end": lambda: acts.end(server, me, table_id, reason=reason),
        "cancel": lambda: acts.cancel(server, me, table_id, reason=reason),
        "accept": lambda: rewinding.accept(server, me, table_id, reason=reason),
    }
    seat = number_in(form.get("seat", ""))
    if do in plain:
        await plain[do]()
    elif do == "rewind":
        to = number_in(form.get("to", ""))
        if to is None:
            raise NoSuchEntry
        await rewinding.rewind(server, me, table_id, to=to, reason=reason)
    elif do == "replace":
        by, name = form.get("by", ""), form.get("name", "")
        bot = "" if name.strip() else by
        await acts.replace(server, me, table_id, seat=-1 if seat is None else seat, bot=bot, name=name, reason=reason)
    elif do == "host":
        await acts.hand_over(server, me, table_id, seat=-1 if seat is None else seat, reason=reason)
    else:
        raise BadAction


@router.get("/{table_id}")
async def show_one(
    keeper: Keeping, table_id: int, done: str = "", line: int = 0, entry: int | None = None
) -> Response:
    """One table, its log under the doctor's eyes; ``line``: of the record, by which somebody may look inside."""
    return await examined(keeper, table_id, line=line, entry=entry, said=Said(done=done[:20]))


async def examined(
    keeper: Keeper, table_id: int, *, line: int = 0, entry: int | None = None, status: int = 200, said: Said = NOTHING
) -> Response:
    """The doctor's page, and what came of an act."""
    server, me = keeper.visit.server, keeper.me
    listed = await lists.show(server, me, table_id)
    inside = False
    if line:
        await seeing.check_noted(server, me, table_id, line=line, act=seeing.INSPECT)
        inside = not _seated_in_play(keeper, listed)
    report = await doctor.examine(server, me, table_id, inside=inside, entry=entry)
    return await keeper.page(
        "table",
        "tables",
        status,
        said=said,
        t=listed,
        r=report,
        line=line,
        bots=tuple(games.bots(listed.slug)),
        since=int((clock.now() - listed.moved_at).total_seconds()),
    )


def _seated_in_play(keeper: Keeper, table: lists.Listed) -> bool:
    return table.status in {"waiting", "playing"} and any(seat.user_id == keeper.me.id for seat in table.seats)


@router.post("/{table_id}")
async def act(keeper: Keeping, request: Request, table_id: int) -> Response:
    """One act at one table: ``do`` says which."""
    keeper.check_speed()
    form = {str(name): plain(str(value), LONGEST) for name, value in (await request.form()).items()}
    do, reason = form.get("do", ""), form.get("reason", "")
    server, me = keeper.visit.server, keeper.me
    try:
        if do == "see":
            seat = number_in(form.get("seat", ""))
            line = await seeing.see(server, me, table_id, seat=seat, reason=reason)
            return keeper.visit.go(f"/admin/tables/{table_id}/as?line={line}")
        if do == "inspect":
            line = await seeing.inspect(server, me, table_id, reason=reason)
            return keeper.visit.go(f"/admin/tables/{table_id}?line={line}#inside")
        if do == "export":
            name, text = await doctor.export(server, me, table_id, reason=reason)
            return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})
        await _act(keeper, table_id, do, reason, form)
    except Refusal as fault:
        status, said = refused(fault, **{name: form.get(name, "") for name in ("reason", "to", "name", "seat", "by")})
        return await examined(keeper, table_id, status=status, said=said)
    return keeper.visit.go(f"/admin/tables/{table_id}?done={do}")


@router.get("/{table_id}/as")
async def see_as(keeper: Keeping, table_id: int, line: int = 0, at: int | None = None) -> Response:
    """The table as a seat sees it, for who has noted in the record that they look."""
    server = keeper.visit.server
    seat = await seeing.check_noted(server, keeper.me, table_id, line=line, act=seeing.SEE)
    held = await server.states.newest(table_id)
    seeing.check_impartial(held.facts, keeper.me)
    if held.position is None:
        room = keeper.visit.edge.renderer.room(held, None, link="")
        zones = keeper.visit.edge.renderer.draw_room(room, keeper.visit.language)
        return await keeper.page("as_room", "tables", room=room, zones=zones, table_id=table_id, seat=seat)
    past = at is not None and 0 <= at < held.version
    asked = (("line", str(line)), *asked_in(held.facts.slug, keeper.visit.connection.url.query))
    zones = keeper.visit.edge.renderer.board_zones(
        held, seat, keeper.visit.language, at=at if past else held.version, asked=asked
    )
    board = games.part(held.facts.slug, "board")
    return await keeper.page(
        "board",
        "tables",
        zones=zones,
        slug=held.facts.slug,
        box=board.box(held.game),
        seat=seat,
        who=held.facts.seats[seat] if seat is not None else None,
        table_id=table_id,
        at=at if past else held.version,
        version=held.version,
        line=line,
        key=held.facts.key,
    )
