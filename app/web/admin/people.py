"""People: finding them, and every act about one of them; and the list of bans."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from app.services import clock
from app.services.admin import helping, order, people
from app.services.errors import BadAction, BadTime, Refusal
from app.web.admin.gate import LONGEST, NOTHING, Keeper, Keeping, Said, number_in, plain, refused

router = APIRouter(prefix="/admin")
Text = Annotated[str, Form()]
FIELDS = ("reason", "hours", "addresses", "into", "role")


@router.get("/people")
async def show(keeper: Keeping, q: str = "", kind: str = "") -> Response:
    """The list."""
    found = await people.search(keeper.visit.server, keeper.me, text=plain(q), kind=kind)
    now = clock.now()
    seen = {each.id: int((now - each.seen_at).total_seconds()) for each in found}
    return await keeper.page("people", "people", found=found, q=plain(q), kind=kind, seen=seen)


@router.get("/people/{user_id}")
async def show_one(keeper: Keeping, user_id: int, done: str = "") -> Response:
    """Somebody."""
    return await shown(keeper, user_id, said=Said(done=done[:20]))


async def shown(keeper: Keeper, user_id: int, *, status: int = 200, said: Said = NOTHING, link: str = "") -> Response:
    """The page about somebody; ``link``: for a new password, shown this once."""
    person = await people.show(keeper.visit.server, keeper.me, user_id)
    seen = int((clock.now() - person.found.seen_at).total_seconds())
    return await keeper.page("person", "people", status, said=said, p=person, seen=seen, link=link)


def hours_in(form: dict[str, str], *, needed: bool) -> int | None:
    """For how long; empty is for good, where that may be. Raises :class:`BadTime`."""
    written = form.get("hours", "").strip()
    hours = number_in(written)
    if hours is None and (written or needed):
        raise BadTime
    return hours


@router.post("/people/{user_id}")
async def act(keeper: Keeping, request: Request, user_id: int) -> Response:
    """One act about one person: ``do`` says which."""
    keeper.check_speed()
    form = {str(name): plain(str(value), LONGEST) for name, value in (await request.form()).items()}
    do, reason = form.get("do", ""), form.get("reason", "")
    server, me = keeper.visit.server, keeper.me
    try:
        if do == "link":
            token = await helping.password_link(server, me, user_id, reason=reason)
            link = f"{keeper.visit.site}/password?token={token}"
            return await shown(keeper, user_id, said=Said(done=do), link=link)
        if do == "merge":
            account = await helping.merge(server, me, user_id, into=form.get("into", ""), reason=reason)
            return keeper.visit.go(f"/admin/people/{account}?done=merge")
        if do == "mute":
            hours = hours_in(form, needed=True) or 0
            await order.mute(server, me, user_id, hours=hours, reason=reason)
        elif do == "unmute":
            await order.unmute(server, me, user_id, reason=reason)
        elif do == "sign_out":
            await order.sign_out(server, me, user_id, reason=reason)
        elif do == "ban":
            hours_or_ever = hours_in(form, needed=False)
            addresses = form.get("addresses", "")
            await order.ban(server, me, user_id=user_id, addresses=addresses, hours=hours_or_ever, reason=reason)
        elif do == "lift":
            await order.lift(server, me, number_in(form.get("ban", "")) or 0, reason=reason)
        elif do == "role":
            await helping.give_role(server, me, user_id, role=form.get("role", "?"), reason=reason)
        else:
            raise BadAction
    except Refusal as fault:
        status, said = refused(fault, **{name: form.get(name, "") for name in FIELDS})
        return await shown(keeper, user_id, status=status, said=said)
    return keeper.visit.go(f"/admin/people/{user_id}?done={do}")


@router.get("/bans")
async def show_bans(keeper: Keeping, done: str = "") -> Response:
    """Every ban that holds."""
    return await bans(keeper, said=Said(done=done[:20]))


async def bans(keeper: Keeper, *, status: int = 200, said: Said = NOTHING) -> Response:
    """The list of bans."""
    found = await people.list_bans(keeper.visit.server, keeper.me)
    return await keeper.page("bans", "people", status, said=said, bans=found)


@router.post("/bans")
async def act_on_bans(
    keeper: Keeping, do: Text = "", addresses: Text = "", hours: Text = "", reason: Text = "", ban: Text = ""
) -> Response:
    """Bans a range of addresses, or lifts a ban."""
    keeper.check_speed()
    server, me = keeper.visit.server, keeper.me
    try:
        if do == "lift":
            await order.lift(server, me, number_in(ban) or 0, reason=reason)
        else:
            lasting = hours_in({"hours": hours}, needed=False)
            await order.ban(server, me, user_id=None, addresses=addresses, hours=lasting, reason=reason)
    except Refusal as fault:
        status, said = refused(fault, addresses=addresses, hours=hours, reason=reason)
        return await bans(keeper, status=status, said=said)
    return keeper.visit.go(f"/admin/bans?done={'lift' if do == 'lift' else 'ban'}")
