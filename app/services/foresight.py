"""What a choice would lead to, as far as its seat can know: whether it ends a turn, and whether it is forced."""

from typing import Any

from app.engine import log
from app.engine.contract import AnyGame
from app.engine.rng import Rng
from app.services.held import Held
from app.services.hotseat import hides

TURN, SHOWS, GAME = "turn", "shows", "game"


def last_step(game: AnyGame, position: log.Position[Any], seat: int, action: Any) -> str | None:
    """Why somebody may want to be asked before this action: it ends a ``turn`` of several steps, ``shows`` something
    hidden in its midst, or ends the ``game``. Nothing where it is the only choice, or the first step of a turn.

    Worked out on a table that fits what the seat knows, so that whether it is asked tells nothing more.
    """
    state = game.imagine(game.view(position.state, seat), seat, Rng(f"sure/{position.version}/{seat}"))
    turn = next(decision.turn for decision in game.decisions(position.state) if decision.seat == seat)
    if not any(item.seat == seat and item.turn == turn for item in position.played):
        return None
    if len(game.actions(state, seat)) < 2:
        return None
    step = game.apply(state, seat, action)
    after = game.decisions(step.state)
    if not after:
        return GAME
    if not any(decision.seat == seat and decision.turn == turn for decision in after):
        return TURN
    return SHOWS if step.reveals else None


def forced(held: Held, *, begun: int) -> tuple[int, Any, int] | None:
    """A choice that may be made by itself: seat, action, and when its decision opened; not before ``begun``.

    Its person wishes it, everybody knows that there is no other, nothing comes to light by it, and the game goes on.
    It never follows an undo, or that undo would be in vain; nor does it end a turn of which its person wants to be
    asked before it ends. Whoever plays alone is never relieved of a step.
    """
    position, game, facts = held.position, held.game, held.facts
    if position is None or facts.status != "playing" or facts.paused or len(facts.seats) < 2:
        return None
    if held.lines and held.lines[-1].text.startswith((log.UNDO, log.REWIND)):
        return None
    for decision in game.decisions(position.state):
        seat, since = decision.seat, position.waiting[decision.seat]
        sitting = facts.seats[seat]
        if since < begun or not sitting.passes or sitting.user_id is None or sitting.beside:
            continue
        if sitting.confirms and any((item.seat, item.turn) == (seat, decision.turn) for item in position.played):
            continue
        actions = game.actions(position.state, seat)
        if len(actions) != 1 or hides(held, seat):
            continue
        step = game.apply(position.state, seat, actions[0])
        if not step.reveals and game.decisions(step.state):
            return seat, actions[0], since
    return None
