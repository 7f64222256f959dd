"""The record of what those who keep order did."""

import csv
import io
from datetime import datetime

from fastapi import APIRouter
from starlette.responses import Response

from app.services.admin import audit
from app.services.admin.audit import Wanted
from app.web.admin.gate import Keeper, Keeping, number_in, plain
from app.web.moments import zone_of

router = APIRouter(prefix="/admin/audit")
MOST_LINES = 10_000


def wanted(keeper: Keeper, q: str, actor: str, act: str, day: str, before: str) -> Wanted:
    """Which lines the address asks for; what cannot be read does not matter."""
    try:
        midnight = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=zone_of(keeper.me.time_zone))
    except ValueError:
        midnight = None
    return Wanted(about=plain(q), actor=number_in(actor), act=act, day=midnight, before=number_in(before))


@router.get("")
async def show(
    keeper: Keeping, q: str = "", actor: str = "", act: str = "", day: str = "", before: str = ""
) -> Response:
    """The lines, the newest first."""
    asked = wanted(keeper, q, actor, act, day, before)
    found = await audit.search(keeper.visit.server, keeper.me, asked)
    return await keeper.page("audit", "audit", found=found, wanted=asked, day=day[:10])


@router.get(".csv")
async def download(keeper: Keeping, q: str = "", actor: str = "", act: str = "", day: str = "") -> Response:
    """The same as a table for other programs."""
    asked = wanted(keeper, q, actor, act, day, "")
    found = await audit.search(keeper.visit.server, keeper.me, asked, most=MOST_LINES)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("line", "at", "who", "act", "table", "person", "name", "reason", "facts"))
    for each in found.lines:
        row = (
            each.id,
            each.at.isoformat(),
            each.actor,
            each.act,
            each.table_id,
            each.user_id,
            each.name,
            each.reason,
        )
        writer.writerow([*(harmless(cell) for cell in row), harmless(each.facts or "")])
    headers = {"Content-Disposition": 'attachment; filename="audit.csv"'}
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def harmless(cell: object) -> str:
    """A cell that no spreadsheet takes for a formula."""
    text = "" if cell is None else str(cell)
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text
