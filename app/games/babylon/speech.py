"""What is said beside the board: the sentence that leads, every choice as a button, what happened last, and hints."""

import msgspec

from app.engine import notation
from app.engine.contract import Event
from app.engine.look import Sitter
from app.games.babylon import mining
from app.games.babylon.events import Placed, Uncovered
from app.games.babylon.faces import Faces, TileFace
from app.games.babylon.garden import Cell
from app.games.babylon.glance import Glance
from app.games.babylon.state import Bridge, End, Fountain, Lay, Mine, Place, Remove, Stairs, Statue

UNSAID = (Uncovered, Placed)
"""Events that everybody sees on the board anyway."""


class Happened(msgspec.Struct, frozen=True):
    """What one seat did, event by event, and the colour that it is told beside (0: nobody's)."""

    seat: int | None
    colour: int
    events: tuple[Event, ...]


class Latest(msgspec.Struct, frozen=True):
    """What the newest entry of the log brought."""

    told: tuple[Happened, ...]
    sitters: tuple[Sitter, ...]
    box: Faces


class Keep(msgspec.Struct, frozen=True):
    """A way to end the turn: the tile that is kept, if any, and whether this is the usual way."""

    action: str
    tile: TileFace | None
    usual: bool


class Set(msgspec.Struct, frozen=True):
    """How the tile under way is set unless another corner is chosen: the spot that stands for it."""

    pick: str
    open: str


class ActionBar(msgspec.Struct, frozen=True):
    """The sentence that leads, and the buttons beside it.

    ``lead`` names the sentence; ``who`` and ``points`` are the facts in it. ``step``: where in my turn I am.
    ``undo``: ``able``, ``all``, or why nothing can be taken back; empty for those who have nothing here. ``back``:
    the address of this page with the viewer's own garden, while another is at the centre.
    """

    colour: int
    lead: str
    who: tuple[tuple[str, int], ...] = ()
    points: int = 0
    step: str = ""
    keeps: tuple[Keep, ...] = ()
    set: Set | None = None
    undo: str = ""
    back: str = ""
    told: tuple[Happened, ...] = ()
    sitters: tuple[Sitter, ...] = ()
    box: Faces | None = None


class Way(msgspec.Struct, frozen=True):
    """One action, with what tells it from the others of its group."""

    action: str
    cells: tuple[Cell, ...] = ()
    level: int = 0
    tile: TileFace | None = None
    gain: int = -1
    open: str = ""
    altered: str = ""


class Group(msgspec.Struct, frozen=True):
    """Actions of a kind; ``pattern``: the spot that they all begin with, if there is one."""

    kind: str
    ways: tuple[Way, ...]
    pattern: str = ""
    tile: TileFace | None = None
    turned: int = 0


class Choices(msgspec.Struct, frozen=True):
    """Every legal action, grouped."""

    groups: tuple[Group, ...]


class Hint(msgspec.Struct, frozen=True):
    """What this step is about, for somebody's first game; ``effect``: the token that changes it."""

    step: str
    effect: str


def latest(glance: Glance) -> Latest:
    """The newest entry in lines."""
    return Latest(_told(glance), glance.look.sitters, glance.faces)


def _told(glance: Glance) -> tuple[Happened, ...]:
    """The newest entry, seat by seat, without what everybody sees anyway."""
    told: list[tuple[int | None, list[Event]]] = []
    for event in glance.look.latest:
        if isinstance(event, UNSAID):
            continue
        seat: int | None = getattr(event, "seat", None)
        if not told or told[-1][0] != seat:
            told.append((seat, []))
        told[-1][1].append(event)
    return tuple([Happened(seat, 0 if seat is None else seat + 1, tuple(events)) for seat, events in told])


# The sentence that leads


def action_bar(glance: Glance) -> ActionBar:
    """Who must do what, in one sentence."""
    undo = ""
    if glance.mine and glance.look.live:
        undo = glance.look.undoing
    if glance.look.over:
        return _over(glance)
    view = glance.view
    if not glance.actions:
        told = _told(glance)
        return ActionBar(
            colour=view.seat + 1,
            lead=f"wait-{view.phase}",
            who=((glance.names[view.seat], view.seat + 1),),
            undo=undo,
            told=told,
            sitters=glance.look.sitters if told else (),
            box=glance.faces if told else None,
        )
    return ActionBar(
        colour=glance.me + 1,
        lead=_lead(glance),
        step=_step(glance),
        keeps=_keeps(glance),
        set=_usual(glance) if glance.at_home else None,
        undo=undo,
        back="" if glance.at_home else glance.look.address(garden=""),
    )


def _lead(glance: Glance) -> str:
    phase = glance.view.phase
    if phase not in ("build", "decorate"):
        return phase
    places = any(isinstance(action, Place) for action in glance.actions)
    adorns = any(isinstance(action, Statue | Fountain | Bridge | Stairs) for action in glance.actions)
    if places:
        return "build-adorn" if adorns else "build"
    if adorns:
        return "decorate"
    return "end-poor" if glance.view.hand and phase == "build" else "end"


def _step(glance: Glance) -> str:
    """Which step of my turn it is, by what is left to be done in it."""
    steps = {"lay": "build", "build-adorn": "build", "end-poor": "end"}
    lead = _lead(glance)
    return steps.get(lead, lead)


def _keeps(glance: Glance) -> tuple[Keep, ...]:
    ends = [action for action in glance.actions if isinstance(action, End)]
    return tuple(
        [
            Keep(notation.write(end), glance.faces.tiles.get(end.keep), usual=len(ends) < 3 and not number)
            for number, end in enumerate(ends)
        ]
    )


def _usual(glance: Glance) -> Set | None:
    first = next((action for action in glance.actions if isinstance(action, Lay)), None)
    return Set(f"lay:*:{first.open}", first.open) if first else None


def _over(glance: Glance) -> ActionBar:
    winners = [score for score in glance.look.scores if score.rank == 1]
    return ActionBar(
        colour=winners[0].seat + 1,
        lead="won" if len(winners) == 1 else "shared",
        who=tuple([(glance.names[score.seat], score.seat + 1) for score in winners]),
        points=winners[0].total,
    )


# Every choice as a button


def choices(glance: Glance) -> Choices:
    """The legal actions, so that a person who sees no board finds them."""
    groups: dict[str, Group] = {}
    ways: dict[str, list[Way]] = {}
    gains = mining.gains(glance.box, glance.view, glance.me) if glance.view.phase == "mine" else ()
    for action in glance.actions:
        text = notation.write(action)
        match action:
            case Place(tile, x, y, level):
                name = pattern = f"place:{tile}:*:*:*"
                group = Group("place", (), pattern, tile=glance.faces.tiles[tile])
                way = Way(text, cells=((x, y),), level=level)
            case Lay(turned, corner):
                name = pattern = f"lay:{turned}:*"
                laying = glance.view.laying
                assert laying, "this phase has a tile under way"
                group = Group("lay", (), pattern, tile=glance.faces.tiles[laying.tile], turned=turned)
                way = Way(text, open=corner)
            case Mine(x, y) | Remove(x, y):
                name = "mine" if isinstance(action, Mine) else "remove"
                group = Group(name, ())
                number = y * glance.box.quarry.width + x
                gain = gains[number] if gains else None
                tile_face = glance.faces.tiles[glance.view.quarry[number].tile]
                way = Way(text, cells=((x, y),), tile=tile_face, gain=gain.total if gain else -1)
            case End(keep):
                name = "end"
                group = Group(name, ())
                way = Way(text, tile=glance.faces.tiles.get(keep))
            case Statue(x, y, altered):
                name = "statue"
                group, way = Group(name, ()), Way(text, cells=((x, y),), altered=altered)
            case Fountain() | Bridge() | Stairs():
                name = text.split(":")[0]
                cells = ((action.x, action.y), (action.x2, action.y2))
                group, way = Group(name, ()), Way(text, cells=cells, altered=action.altered)
        groups.setdefault(name, group)
        ways.setdefault(name, []).append(way)
    return Choices(tuple([msgspec.structs.replace(group, ways=tuple(ways[name])) for name, group in groups.items()]))


def hint(glance: Glance) -> Hint:
    """A word to somebody who plays for the first time."""
    if glance.look.over or not glance.mine:
        return Hint("", "")
    if not glance.actions:
        return Hint("wait", "")
    effect = glance.view.effect
    lead = _lead(glance)
    step = {"build-adorn": "build", "end-poor": "end"}.get(lead, lead)
    concerns = {
        "mine": ("flower_bonus", "minus_single"),
        "build": ("double_pillar", "change_symbol", "add_symbol"),
        "decorate": ("change_symbol", "add_symbol"),
    }
    return Hint(step, effect if effect in concerns.get(step, ()) else "")
