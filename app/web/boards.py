"""What every page with a board needs besides its zones: the live table, an earlier moment, an analysis."""

from typing import Any

from app import games
from app.services import clock
from app.services.held import Held
from app.web.clocks import exact
from app.web.lines import kinds_of, parts_of
from app.web.render import seat_cards


def board_page(held: Held, user_id: int | None) -> dict[str, Any]:
    """The context that ``tables/table.html`` and what extends it share."""
    facts = held.facts
    return {
        "key": facts.key,
        "slug": facts.slug,
        "box": games.part(facts.slug, "board").box(held.game),
        "seats": seat_cards(held, user_id),
        "version": held.version,
        "changed": facts.changed,
        "now": exact(clock.now()),
        "kinds": kinds_of(held),
        "parts": parts_of(held),
        "over": facts.status == "over",
    }
