"""Remarks that were reported, with what was said around them, and what is done about them."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services.admin import reports
from app.services.errors import Refusal
from app.web.admin.gate import NOTHING, Keeper, Keeping, Said, number_in, plain, refused
from app.web.remarks import cards

router = APIRouter(prefix="/admin/reports")
Text = Annotated[str, Form()]


@router.get("")
async def show(keeper: Keeping, done: str = "") -> Response:
    """The list, the longest waiting first."""
    return await shown(keeper, said=Said(done=done[:20]))


async def shown(keeper: Keeper, status: int = 200, *, said: Said = NOTHING, about: int = 0) -> Response:
    """The list; ``about``: the remark to which a complaint belongs."""
    found = await reports.list_open(keeper.visit.server, keeper.me)
    lines = {
        each.remark_id: cards(each.around, None, keeper.visit.language, zone=keeper.me.time_zone, all_private=False)
        for each in found
    }
    return await keeper.page("reports", "reports", status, said=said, found=found, lines=lines, about=about)


@router.post("/{remark_id}")
async def settle(keeper: Keeping, remark_id: int, do: Text = "", hours: Text = "", reason: Text = "") -> Response:
    """Takes words away, mutes who said them, both, or lets it be."""
    keeper.check_speed()
    keeper.need(reports.POWER)
    try:
        await reports.settle(
            keeper.visit.server,
            keeper.me,
            remark_id,
            deed=do,
            hours=number_in(hours),
            reason=plain(reason, 2000),
        )
    except Refusal as fault:
        status, said = refused(fault, reason=plain(reason), hours=hours)
        return await shown(keeper, status, said=said, about=remark_id)
    return keeper.visit.go(f"/admin/reports?done={reports.REMOVE if do == reports.BOTH else do}")
