"""What is said beside the board: the sentence that leads, every choice as a button, and what happened last."""

import msgspec

from app.engine import notation
from app.engine.contract import Event
from app.engine.look import Sitter
from app.games.hanging_gardens.faces import Faces, faces
from app.games.hanging_gardens.glance import Glance
from app.games.hanging_gardens.state import (
    AUTOMATON,
    CardDrawn,
    Declined,
    Discarded,
    Draw,
    End,
    Gained,
    GameOver,
    GardenerPlaced,
    MarkerMoved,
    NothingHappened,
    Pass,
    Refilled,
    TileDiscarded,
    TileRevealed,
    TurnBegan,
    active,
)

UNSAID = (Refilled, TileRevealed, TurnBegan, Declined, GameOver)
"""Events that everybody sees on the board anyway."""

MOST_SEATS_WITH_ROOM = 4
"""With more seats than this the players' panels fill their column."""


class Happened(msgspec.Struct, frozen=True, cache_hash=True):
    """What one side did, event by event, and the colour of the seat that it is told beside (0: nobody's)."""

    seat: int | None
    colour: int
    events: tuple[Event, ...]
    sitters: tuple[Sitter, ...]
    box: Faces


class Latest(msgspec.Struct, frozen=True):
    """What the newest entry of the log brought."""

    told: tuple[Happened, ...]


class ActionBar(msgspec.Struct, frozen=True):
    """The sentence that leads, and the buttons beside it.

    ``turn``: the colour of the seat whose turn it is (0: nobody's). ``lead`` names the sentence; ``who``, ``points``,
    ``tools``, ``verdict`` and ``won`` are the facts in it. ``step``: where in my turn I am. ``others``: the choices
    that lie on no piece. ``undo``: ``able``, ``all``, or why nothing can be taken back; empty for those who have
    nothing here.
    """

    colour: int
    lead: str
    turn: int = 0
    who: tuple[tuple[str, int], ...] = ()
    points: int = 0
    tools: int = 0
    verdict: str = ""
    won: bool = False
    step: str = ""
    others: tuple[str, ...] = ()
    undo: str = ""
    told: tuple[Happened, ...] = ()


def latest(glance: Glance) -> Latest:
    """The newest entry in lines, as many as there is room for."""
    if glance.seats > MOST_SEATS_WITH_ROOM or glance.solo:
        return Latest(())
    return Latest(_told(glance))


def _told(glance: Glance) -> tuple[Happened, ...]:
    """The newest entry, side by side: who did what, without what everybody sees anyway."""
    box = faces(glance.box)
    told: list[tuple[int | None, list[Event]]] = []
    marker = any(isinstance(event, MarkerMoved) for event in glance.look.latest)
    for event in glance.look.latest:
        if isinstance(event, UNSAID) or (marker and isinstance(event, Gained) and event.bonus == "crown"):
            continue  # who takes the marker has gained a crown
        seat = _doer(event)
        if not told or told[-1][0] != seat:
            told.append((seat, []))
        told[-1][1].append(event)
    return tuple(
        [
            Happened(seat, 0 if seat is None else glance.colour(seat), tuple(events), glance.look.sitters, box)
            for seat, events in told
        ]
    )


def _doer(event: Event) -> int | None:
    """Which side an event is told of; ``None``: of all."""
    match event:
        case CardDrawn() | GardenerPlaced() | Discarded() | TileDiscarded() | NothingHappened():
            return AUTOMATON
        case MarkerMoved(taker=taker):
            return taker
        case _:
            seat: int | None = getattr(event, "seat", None)
            return seat


# The sentence that leads


def action_bar(glance: Glance) -> ActionBar:
    """Who must do what, in one sentence."""
    if glance.look.over:
        return _over(glance)
    undo = ""
    if glance.mine and glance.look.live:
        undo = glance.look.undoing
    if not glance.actions:
        return _waiting(glance, undo)
    view = glance.view
    after_automaton = any(isinstance(event, CardDrawn) for event in glance.look.latest)
    leads = {
        "card": "take",
        "enhance": "enhance",
        "objective": "objective",
        "automaton": "draw",
    }
    return ActionBar(
        colour=glance.colour(glance.me),
        lead=leads[view.phase],
        turn=glance.colour(glance.me) if view.phase != "automaton" else 0,
        tools=view.players[glance.me].tools,
        step=view.phase if view.phase != "automaton" else "",
        others=others(glance),
        undo=undo,
        told=_of_automaton(glance) if after_automaton else (),
    )


def _of_automaton(glance: Glance) -> tuple[Happened, ...]:
    """What the automaton did after my last choice."""
    return tuple([one for one in _told(glance) if one.seat == AUTOMATON])


def _waiting(glance: Glance, undo: str) -> ActionBar:
    view = glance.view
    if view.phase == "automaton":
        return ActionBar(glance.colour(AUTOMATON), "wait-automaton", undo=undo)
    seat = active(view)
    return ActionBar(
        colour=glance.colour(seat),
        lead=f"wait-{view.phase}",
        turn=glance.colour(seat),
        who=((glance.names[seat], glance.colour(seat)),),
        undo=undo,
        told=_told(glance),
    )


def _over(glance: Glance) -> ActionBar:
    scores = glance.look.scores
    undo = glance.look.undoing if glance.mine and glance.look.live and glance.look.undo is None else ""
    if glance.solo:
        return ActionBar(
            glance.colour(0),
            "verdict",
            points=scores[0].total,
            verdict=scores[0].verdict,
            won=scores[0].rank == 1,
            undo=undo,
        )
    winners = [score for score in scores if score.rank == 1]
    return ActionBar(
        colour=glance.colour(winners[0].seat),
        lead="won" if len(winners) == 1 else "shared",
        who=tuple([(glance.names[score.seat], glance.colour(score.seat)) for score in winners]),
        points=winners[0].total,
        undo=undo,
    )


def others(glance: Glance) -> tuple[str, ...]:
    """The legal actions that lie on no piece."""
    return tuple([notation.write(action) for action in glance.actions if isinstance(action, Pass | End | Draw)])
