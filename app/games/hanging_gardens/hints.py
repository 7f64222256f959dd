"""A word to somebody who plays for the first time: what this step is about."""

import msgspec

from app.games.hanging_gardens.glance import Glance


class Hint(msgspec.Struct, frozen=True):
    """What a first game's player is told; empty when there is nothing to tell. ``win``: what wins alone, else 0."""

    about: str
    win: int = 0


def hint(glance: Glance) -> Hint:
    """About the step that the viewer is at; alone, the first turn is about the automaton."""
    if not glance.mine or not glance.look.live or glance.look.over:
        return Hint("")
    if not glance.actions:
        return Hint("wait")
    phase = glance.view.phase
    first = glance.solo and len(glance.view.players[glance.me].garden) == 0
    if first:
        return Hint("alone", glance.winning)
    return Hint(phase if phase != "automaton" else "alone", glance.winning if glance.solo else 0)
