"""What is said beside the board: the sentence that leads, every choice as a button, and what happened last."""

import msgspec

from app.engine import notation
from app.engine.contract import Event
from app.engine.look import Sitter
from app.games.hanging_gardens.components import Enhancement, GardenCard
from app.games.hanging_gardens.faces import Faces, faces
from app.games.hanging_gardens.garden import left_end
from app.games.hanging_gardens.glance import Glance
from app.games.hanging_gardens.state import (
    AUTOMATON,
    Buy,
    CardDrawn,
    Complete,
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
    Take,
    TileDiscarded,
    TileRevealed,
    TurnBegan,
    active,
)

UNSAID = (Refilled, TileRevealed, TurnBegan, Declined, GameOver)
"""Events that everybody sees on the board anyway."""

MOST_SEATS_WITH_ROOM = 4
"""With more seats than this the players' panels fill their column."""


class Happened(msgspec.Struct, frozen=True):
    """What one side did, event by event, and the colour of the seat that it is told beside (0: nobody's)."""

    seat: int | None
    colour: int
    events: tuple[Event, ...]


class Latest(msgspec.Struct, frozen=True):
    """What the newest entry of the log brought."""

    told: tuple[Happened, ...]
    sitters: tuple[Sitter, ...]
    box: Faces


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
    sitters: tuple[Sitter, ...] = ()
    box: Faces | None = None


class Place(msgspec.Struct, frozen=True):
    """A place of the garden in words: level, and ``left``, ``right`` for the ends of level 1 or a number."""

    level: int
    end: str
    number: int


class Way(msgspec.Struct, frozen=True):
    """One action, with what tells it from the others of its group."""

    action: str
    place: Place | None = None
    card: GardenCard | None = None
    points: int = 0
    gift: str = ""


class Group(msgspec.Struct, frozen=True):
    """All actions that begin with the same spot: a card of the market, the top of a pile, or an objective."""

    pattern: str
    ways: tuple[Way, ...]
    card: GardenCard | None = None
    column: int = 0
    row: int = 0
    price: int = 0
    tile: Enhancement | None = None
    item: str = ""
    count: int = 0


class Choices(msgspec.Struct, frozen=True):
    """Every legal action, grouped; ``places``: those that occur; ``others``: actions that lie on no piece."""

    groups: tuple[Group, ...]
    places: tuple[Place, ...]
    others: tuple[str, ...]


def latest(glance: Glance) -> Latest:
    """The newest entry in lines, as many as there is room for."""
    if glance.seats > MOST_SEATS_WITH_ROOM or glance.solo:
        return Latest((), (), faces(glance.box))
    return Latest(_told(glance), glance.look.sitters, faces(glance.box))


def _told(glance: Glance) -> tuple[Happened, ...]:
    """The newest entry, side by side: who did what, without what everybody sees anyway."""
    told: list[tuple[int | None, list[Event]]] = []
    marker = any(isinstance(event, MarkerMoved) for event in glance.look.latest)
    for event in glance.look.latest:
        if isinstance(event, UNSAID) or (marker and isinstance(event, Gained) and event.bonus == "crown"):
            continue  # who takes the marker has gained a crown
        seat = _doer(event)
        if not told or told[-1][0] != seat:
            told.append((seat, []))
        told[-1][1].append(event)
    return tuple([Happened(seat, 0 if seat is None else glance.colour(seat), tuple(events)) for seat, events in told])


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
        others=_others(glance),
        undo=undo,
        told=_of_automaton(glance) if after_automaton else (),
        sitters=glance.look.sitters,
        box=faces(glance.box) if after_automaton else None,
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
        sitters=glance.look.sitters,
        box=faces(glance.box),
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


def _others(glance: Glance) -> tuple[str, ...]:
    return tuple([notation.write(action) for action in glance.actions if isinstance(action, Pass | End | Draw)])


# Every choice as a button


def choices(glance: Glance) -> Choices:
    """The legal actions, so that a person who sees no board finds them."""
    groups: dict[str, Group] = {}
    ways: dict[str, list[Way]] = {}
    for action in glance.actions:
        match action:
            case Take(column, row):
                pattern = f"take:{column}:{row}:*:*"
                if pattern not in groups:
                    card = glance.box.cards[glance.view.market[column - 1][row - 1]]
                    price = glance.box.tool_cost[row - 1]
                    groups[pattern] = Group(pattern, (), card=card, column=column, row=row, price=price)
                way = Way(notation.write(action), place=_place(glance, action.level, action.x))
            case Buy(cost):
                pattern = f"buy:{cost}:*:*"
                if pattern not in groups:
                    top = next(pile.top for pile in glance.view.piles if pile.cost == cost)
                    groups[pattern] = Group(pattern, (), tile=glance.box.tiles[top], price=cost)
                way = Way(
                    notation.write(action),
                    place=_place(glance, action.level, action.x),
                    card=_card_at(glance, action.level, action.x),
                )
            case Complete(tile, number):
                pattern = f"complete:{tile}:*"
                objective = glance.box.objectives[tile]
                groups.setdefault(pattern, Group(pattern, (), item=objective.item, count=objective.count))
                space = glance.box.spaces(glance.seats)[tile][number - 1]
                way = Way(notation.write(action), points=space.vp, gift=space.gift)
            case _:
                continue
        ways.setdefault(pattern, []).append(way)
    places = dict.fromkeys(way.place for row in ways.values() for way in row if way.place is not None)
    return Choices(
        groups=tuple(
            [msgspec.structs.replace(group, ways=tuple(ways[pattern])) for pattern, group in groups.items()]
        ),
        places=tuple(places),
        others=_others(glance),
    )


def _place(glance: Glance, level: int, x: int) -> Place:
    garden = glance.view.players[glance.me].garden
    row = [spot.x for spot in garden if spot.level == 1]
    if level == 1 and row and not min(row) <= x <= max(row):
        return Place(level, "left" if x < min(row) else "right", 0)
    return Place(level, "", x - left_end(garden) + 1 if garden else 0)


def _card_at(glance: Glance, level: int, x: int) -> GardenCard:
    garden = glance.view.players[glance.me].garden
    return glance.box.cards[next(spot.card for spot in garden if (spot.level, spot.x) == (level, x))]
