"""What lies where on the table, for one look at it: every zone of the page as plain data, no HTML."""

import msgspec

from app.engine.look import Look
from app.games.amyitis.actions import Choice
from app.games.amyitis.ending import result
from app.games.amyitis.faces import Faces, faces
from app.games.amyitis.glance import LASTING, VIEWS, Glance
from app.games.amyitis.mats import court, current_round, mats
from app.games.amyitis.mesopotamia import cities
from app.games.amyitis.outcome import consequence
from app.games.amyitis.pieces import pieces
from app.games.amyitis.rules import Rules
from app.games.amyitis.speech import action_bar, half, hint, latest
from app.games.amyitis.state import View
from app.games.amyitis.terraces import garden, squares
from app.games.amyitis.town import fields, market, temples
from app.games.amyitis.tray import tray
from app.games.amyitis.ways import choices

__all__ = ["LASTING", "VIEWS", "box", "consequence", "zones"]


def box(game: Rules) -> Faces:
    """What the page needs once: the faces of the edition."""
    return faces(game)


def zones(game: Rules, look: Look[View, Choice]) -> dict[str, msgspec.Struct]:
    """Every zone of the board by name; all of them, also those that stay empty."""
    glance = Glance(game, look)
    return {
        "round": current_round(glance),
        "garden": garden(glance),
        **squares(glance),
        "cities": cities(glance),
        "market": market(glance),
        "temples": temples(glance),
        "fields": fields(glance),
        "pieces": pieces(glance),
        "tray": tray(glance),
        "half": half(glance),
        **mats(glance),
        "court": court(glance),
        "latest": latest(glance),
        "hint": hint(glance),
        "result": result(glance),
        "choices": choices(glance),
        "action": action_bar(glance),
    }
