"""What would come of actions, drawn for a page that asks when somebody points at a spot."""

from html import escape
from typing import Any

from app import games
from app.engine import notation
from app.engine.look import Look
from app.services.held import Held
from app.web.drawing import draw_zone

MOST_CONSEQUENCES = 120


def drawn_consequences(held: Held, look: Look[Any, Any], pattern: str, language: str) -> str:
    """One template for every legal action that fits the pattern (``take:1:2:*:*``), and, where the game can say what
    all of them have in common (``prospect``), one for the pattern."""
    board: Any = games.part(held.facts.slug, "board")
    template = f"games/{held.facts.slug}/consequence.html"
    drawn, models = [], []
    for legal in look.actions:
        text = notation.write(legal)
        if fits(pattern, text):
            models.append(board.consequence(held.game, look, legal))
            drawn.append(f'<template data-action="{text}">{draw_zone(language, template, models[-1])}</template>')
        if len(drawn) >= MOST_CONSEQUENCES:
            break
    prospect = (
        board.prospect(held.game, look, models) if "*" in pattern and models and hasattr(board, "prospect") else None
    )
    if prospect is not None:
        html = draw_zone(language, f"games/{held.facts.slug}/prospect.html", prospect)
        drawn.append(f'<template data-action="{escape(pattern)}">{html}</template>')
    return "".join(drawn)


def fits(pattern: str, text: str) -> bool:
    """Whether an action's words are those of a pattern, ``*`` standing for any."""
    wanted, words = pattern.split(":"), text.split(":")
    return len(wanted) == len(words) and all(want in {"*", word} for want, word in zip(wanted, words, strict=True))
