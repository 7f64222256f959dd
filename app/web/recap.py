"""Since you left: what happened at a table meanwhile, played on the board, a line each."""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services import visits
from app.services.held import Held
from app.services.visits import Missed
from app.web import doors
from app.web.deps import Visit, Visiting
from app.web.drawing import environment, kind_of
from app.web.lines import LogLine, every_line, kinds_of

router = APIRouter()


class Told(msgspec.Struct, frozen=True):
    """A line of what happened: the moment after it, whose it was, and the entries; ``folded``: nothing of note."""

    at: int
    seat: int | None
    entries: tuple[LogLine, ...]
    folded: bool


def story(held: Held, seat: int | None, since: int) -> tuple[Told, ...]:
    """What stands of the entries after ``since``; one by one, but in one line where somebody merely passed."""
    words: Any = environment("en").get_template(f"games/{held.facts.slug}/_words.html").module
    of_note = {kind for kind in kinds_of(held) if str(words.deed(kind)).strip()}
    told: list[Told] = []
    for line in every_line(held, seat)[since:]:
        if not line.stands:
            continue
        folded = not line.gains and not any(kind_of(event) in of_note for event in line.events)
        last = told[-1] if told else None
        if folded and last is not None and last.folded and last.seat == line.seat:
            told[-1] = Told(line.seq, line.seat, (*last.entries, line), folded=True)
        else:
            told.append(Told(line.seq, line.seat, (line,), folded))
    return tuple(told)


async def meanwhile(visit: Visit, held: Held) -> Missed | None:
    """What the person who asks has missed; from now on it counts as seen."""
    if visit.me is None or held.position is None:
        return None
    missed = await visits.missed(visit.server, visit.me, held)
    await visits.note(visit.server, visit.me, held, version=held.version)
    return missed


@router.post("/tables/{key}/seen")
async def seen(visit: Visiting, key: str, version: Annotated[int, Form(ge=0, le=1_000_000)]) -> Response:
    """A page that lies open says how much of the table it has shown."""
    visit.edge.limits.check("post", visit.who)
    if visit.me is not None:
        states = visit.server.states
        held = doors.check(visit, await states.get(await states.find_id(key), version=version))
        await visits.note(visit.server, visit.me, held, version=version)
    return Response(status_code=204)
