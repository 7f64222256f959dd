"""What lies where on the table, for one look at it: every zone of the page as plain data, no HTML."""

import msgspec

from app.engine.look import Look
from app.games.babylon.consequences import consequence
from app.games.babylon.ending import result
from app.games.babylon.examples import Drawn, drawn
from app.games.babylon.glance import LASTING, VIEWS, Glance
from app.games.babylon.panels import current_round, hand, players, purses, quarry, round_tokens, supplies
from app.games.babylon.pictures import garden, marks, other
from app.games.babylon.pieces import pieces
from app.games.babylon.rules import Rules
from app.games.babylon.speech import action_bar, choices, hint, latest
from app.games.babylon.state import Choice, View

__all__ = ["LASTING", "VIEWS", "box", "consequence", "zones"]


def box(game: Rules) -> Drawn:
    """What the page needs once: the faces of the edition."""
    return drawn(game)


def zones(game: Rules, look: Look[View, Choice]) -> dict[str, msgspec.Struct]:
    """Every zone of the board by name; all of them, also those that stay empty."""
    glance = Glance(game, look)
    return {
        "round": current_round(glance),
        "tokens": round_tokens(glance),
        "quarry": quarry(glance),
        "supply": supplies(glance),
        "latest": latest(glance),
        "garden": garden(glance),
        "hand": hand(glance),
        "players": players(glance),
        "purses": purses(glance),
        "other1": other(glance, 1),
        "other2": other(glance, 2),
        "other3": other(glance, 3),
        "pieces": pieces(glance),
        "marks": marks(glance),
        "result": result(glance),
        "choices": choices(glance),
        "hint": hint(glance),
        "action": action_bar(glance),
    }
