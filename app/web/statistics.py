"""How a game went: points by source over time, drawn and as tables, and what each seat did."""

from fastapi import APIRouter
from starlette.responses import Response

from app.services import statistics
from app.services.held import Held
from app.web.charts import Chart, chart
from app.web.deps import Visiting
from app.web.render import seat_cards
from app.web.tables import newest

router = APIRouter()
WHOLE = (560, 258)
SMALL = (340, 148)


def charts(held: Held) -> tuple[Chart, ...]:
    """The total first, then every source of points that brought any. Raises ``NotOver``."""
    gone = statistics.turns(held)
    moments = [(turn.at, turn.seat) for turn in gone]
    seats = range(len(held.facts.seats))
    parts = [name for name, _ in gone[0].scores[0].parts]
    drawn = []
    for part in ("", *parts):
        width, height = SMALL if part else WHOLE
        lines = [statistics.series(gone, seat, part) for seat in seats]
        drawn.append(chart(part, lines, moments, width=width, height=height))
    return tuple(each for each in drawn if not each.part or not each.flat)


@router.get("/tables/{key}/statistics")
async def show_statistics(visit: Visiting, key: str) -> Response:
    """The page; only once the game is over."""
    held = await newest(visit, key)
    return await visit.page(
        "tables/statistics.html",
        key=key,
        slug=held.facts.slug,
        seats=seat_cards(held, visit.me.id if visit.me else None),
        charts=charts(held),
        habits=statistics.habits(held),
    )
