"""What lies where on the table, for one look at it: every zone of the page as plain data, no HTML."""

import msgspec

from app.engine.look import Look
from app.games.hanging_gardens.buttons import choices
from app.games.hanging_gardens.centre import garden
from app.games.hanging_gardens.ending import opponent, result
from app.games.hanging_gardens.faces import Faces, faces
from app.games.hanging_gardens.glance import LASTING, VIEWS, Glance
from app.games.hanging_gardens.hints import hint
from app.games.hanging_gardens.outcome import consequence, prospect
from app.games.hanging_gardens.panels import current_round, enhancements, market, objectives
from app.games.hanging_gardens.pieces import pieces
from app.games.hanging_gardens.players import players
from app.games.hanging_gardens.rules import Rules
from app.games.hanging_gardens.speech import action_bar, latest
from app.games.hanging_gardens.state import Choice, View

__all__ = ["LASTING", "VIEWS", "box", "consequence", "prospect", "zones"]


def box(game: Rules) -> Faces:
    """What the page needs once: the faces of the edition."""
    return faces(game.box)


def zones(game: Rules, look: Look[View, Choice]) -> dict[str, msgspec.Struct]:
    """Every zone of the board by name; all of them, also those that stay empty."""
    glance = Glance(game, look)
    return {
        "round": current_round(glance),
        "market": market(glance),
        "objectives": objectives(glance),
        "enhancements": enhancements(glance),
        "garden": garden(glance),
        **players(glance),
        "automaton": opponent(glance),
        "latest": latest(glance),
        "pieces": pieces(glance),
        "result": result(glance),
        "choices": choices(glance),
        "hint": hint(glance),
        "action": action_bar(glance),
    }
