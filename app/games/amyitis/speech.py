"""What is said beside the board: the sentence that leads, what happened last, hints, and which half a phone shows."""

import msgspec

from app.engine.contract import Event
from app.engine.look import Sitter
from app.games.amyitis import caravan, stages
from app.games.amyitis.events import CardTurned, RoundBegan, Watered
from app.games.amyitis.glance import Glance
from app.games.amyitis.goods import excess, storage

UNSAID = (CardTurned,)
"""Events that everybody sees on the board anyway."""

IN_THE_GARDEN = frozenset(
    {
        stages.TEMPLE,
        stages.CHANNEL,
        stages.SALE_CHANNEL,
        stages.PLANT,
        stages.PROCESSION,
        stages.ISHTAR,
        stages.TAMMUZ_SWAP,
    }
)
"""Decisions that are taken in the half of the map where the garden and the temples lie."""


class Happened(msgspec.Struct, frozen=True):
    """What one seat did, event by event, and the colour of the seat that it is told beside (0: nobody's)."""

    seat: int | None
    colour: int
    events: tuple[Event, ...]


class Latest(msgspec.Struct, frozen=True):
    """What the newest entry of the log brought."""

    told: tuple[Happened, ...]
    sitters: tuple[Sitter, ...]


class ActionBar(msgspec.Struct, frozen=True):
    """The sentence that leads, and the buttons beside it.

    ``lead`` names the sentence; ``who``, ``city``, ``quality``, ``gardeners``, ``todo``, ``limit`` and ``points`` are
    the facts in it. ``turns``: the colours of those who must choose; ``may``: what my turn can be now. ``undo``:
    ``able``, ``all``, or why nothing can be taken back; empty for those who have nothing here.
    """

    colour: int
    lead: str
    turns: tuple[int, ...] = ()
    who: tuple[tuple[str, int], ...] = ()
    city: str = ""
    quality: int = 0
    gardeners: int = 0
    todo: int = 0
    limit: int = 0
    points: int = 0
    may: tuple[str, ...] = ()
    undo: str = ""
    told: tuple[Happened, ...] = ()
    sitters: tuple[Sitter, ...] = ()


class Hint(msgspec.Struct, frozen=True):
    """What a first game's player is told; empty when there is nothing to tell."""

    about: str


class HalfShown(msgspec.Struct, frozen=True):
    """Which half of the map a small screen shows first; ``key`` changes with each decision of the viewer's own."""

    key: str
    garden: bool


def latest(glance: Glance) -> Latest:
    """The newest entry in lines."""
    return Latest(_told(glance), glance.look.sitters)


def _told(glance: Glance) -> tuple[Happened, ...]:
    """The newest entry, side by side: who did what, without what everybody sees anyway."""
    told: list[tuple[int | None, list[Event]]] = []
    for event in glance.look.latest:
        if isinstance(event, UNSAID):
            continue
        seat: int | None = getattr(event, "seat", glance.look.actor)
        if seat is None or seat < 0 or isinstance(event, RoundBegan):
            seat = None if isinstance(event, RoundBegan) else glance.look.actor
        if isinstance(event, Watered):
            seat = glance.look.actor
        if not told or told[-1][0] != seat:
            told.append((seat, []))
        told[-1][1].append(event)
    return tuple([Happened(seat, 0 if seat is None else seat + 1, tuple(events)) for seat, events in told])


def action_bar(glance: Glance) -> ActionBar:
    """Who must do what, in one sentence."""
    if glance.look.over:
        return _over(glance)
    undo = ""
    if glance.mine and glance.look.live:
        undo = glance.look.undoing
    box, realm = glance.box, glance.realm
    stage = realm.stage
    city = box.caravan.cities[realm.caravan]
    quality = caravan.face(box, realm, realm.caravan).quality if stage == stages.PLANT else 0
    told = _told(glance)
    waiting = sorted(glance.waiting)
    turns = tuple([seat + 1 for seat in waiting])
    if not glance.actions:
        return ActionBar(
            colour=waiting[0] + 1,
            lead=f"wait-{stage}",
            turns=turns,
            who=tuple([glance.who(seat) for seat in waiting]),
            city=city.id,
            quality=quality,
            undo=undo,
            told=told,
            sitters=glance.look.sitters,
        )
    player = realm.players[glance.me]
    kinds = {pattern.partition(":")[0] for pattern in glance.picks}
    return ActionBar(
        colour=glance.me + 1,
        lead=stage,
        turns=turns,
        city=city.id,
        quality=quality,
        gardeners=player.gardeners,
        todo=excess(box, player) - glance.view.sealed[glance.me] if stage == stages.DISCARD else 0,
        limit=storage(box, player),
        may=tuple([kind for kind in ("recruit", "move", "pass") if kind in kinds]) if stage == stages.ACT else (),
        undo=undo,
        told=told,
        sitters=glance.look.sitters,
    )


def _over(glance: Glance) -> ActionBar:
    winners = [score for score in glance.look.scores if score.rank == 1]
    return ActionBar(
        colour=winners[0].seat + 1,
        lead="won" if len(winners) == 1 else "shared",
        who=tuple([glance.who(score.seat) for score in winners]),
        points=winners[0].total,
        undo=glance.look.undoing if glance.mine and glance.look.live and glance.look.undo is None else "",
    )


def hint(glance: Glance) -> Hint:
    """What is new to somebody who plays for the first time."""
    if not glance.mine or not glance.look.live or glance.look.over:
        return Hint("")
    return Hint(glance.realm.stage if glance.actions else "wait")


def half(glance: Glance) -> HalfShown:
    """The half of the map where the viewer's decision is taken."""
    if not glance.actions or glance.realm.stage == stages.DISCARD:
        return HalfShown("", garden=True)
    return HalfShown(f"{glance.realm.turn}-{glance.realm.stage}", garden=glance.realm.stage in IN_THE_GARDEN)
