"""What would come of an action: the rules are asked on a table imagined from what the viewer knows.

Only what lies open is told.
"""

from collections.abc import Iterator, Sequence

import msgspec

from app.engine import notation
from app.engine.contract import Event
from app.engine.look import Look
from app.engine.rng import Rng
from app.games.amyitis import caravan, court, garden, stages
from app.games.amyitis.actions import Choice, Court, Discard
from app.games.amyitis.components import TEMPLES, Box
from app.games.amyitis.events import (
    Built,
    Earned,
    Flooded,
    GardenerTaken,
    Harvested,
    Moved,
    NothingAtCourt,
    NothingToBuild,
    Passed,
    Promoted,
    Recruited,
    RoundBegan,
    Watered,
    Worshipped,
)
from app.games.amyitis.foresight import Mark, marks
from app.games.amyitis.grid import members
from app.games.amyitis.rules import Rules
from app.games.amyitis.state import NOBODY, Realm, View
from app.games.amyitis.temples import rewarded
from app.games.amyitis.tray import Step, step


class Line(msgspec.Struct, frozen=True):
    """One thing that would happen.

    ``names``: squares, channels, a track or a temple; ``colours`` and ``counts``: seats and how many cubes they have,
    or who would stand first and second; ``step``: a court card that could be had.
    """

    kind: str
    names: tuple[str, ...] = ()
    count: int = 0
    colours: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    step: Step | None = None


class Outcome(msgspec.Struct, frozen=True):
    """The bubble: my points, what I pay and gain, what happens, what others score, and what I would choose next.

    ``paid`` and ``gained``: kinds of belongings with their number. ``marks``: what is drawn over the map meanwhile.
    """

    action: str
    points: int = 0
    others: tuple[tuple[int, int], ...] = ()
    paid: tuple[tuple[str, int], ...] = ()
    gained: tuple[tuple[str, int], ...] = ()
    lines: tuple[Line, ...] = ()
    then: str = ""
    marks: tuple[Mark, ...] = ()


def consequence(game: Rules, look: Look[View, Choice], action: Choice) -> Outcome:
    """What would come of a legal action of the viewer."""
    seat = look.seat
    assert seat is not None, "a spectator has no actions"
    box, before = game.box, look.view.realm
    if isinstance(action, Discard):
        return Outcome(notation.write(action), paid=((action.resource, 1),))
    played = game.apply(game.imagine(look.view, seat, Rng("what if")), seat, action)
    after = played.state.realm
    begun = next((at for at, event in enumerate(played.events) if isinstance(event, RoundBegan)), len(played.events))
    events = played.events[:begun]
    income = {event.seat: event for event in played.events[begun:] if isinstance(event, Earned)}
    scored = [
        after.players[each].vp - before.players[each].vp - (income[each].vp if each in income else 0)
        for each in range(before.seats)
    ]
    then = after.stage if after.seat == seat and after.turn == before.turn and after.stage != stages.OVER else ""
    changes = tuple(_changes(box, before, after, seat, income[seat].talents if seat in income else 0))
    return Outcome(
        action=notation.write(action),
        points=scored[seat],
        others=tuple([(each + 1, vp) for each, vp in enumerate(scored) if vp and each != seat]),
        paid=tuple([(kind, -count) for kind, count in changes if count < 0]),
        gained=tuple([(kind, count) for kind, count in changes if count > 0]),
        lines=(*_lines(box, before, after, events, own=isinstance(action, Court)), *_offers(box, after, seat, then)),
        then=then,
        marks=tuple(marks(box, before, after, seat, events)),
    )


def _changes(box: Box, before: Realm, after: Realm, seat: int, income: int) -> Iterator[tuple[str, int]]:
    """What the seat has more or less of."""
    old, new = before.players[seat], after.players[seat]
    yield "talents", new.talents - old.talents - income
    yield "camels", new.camels - old.camels
    for kind, less, more in zip(box.resource_ids, old.goods, new.goods, strict=True):
        yield kind, more - less
    yield "gardeners", new.gardeners - old.gardeners


def _offers(box: Box, after: Realm, seat: int, then: str) -> Iterator[Line]:
    """What there would be to choose next, as far as it is worth knowing before."""
    player = after.players[seat]
    if then == stages.COURT:
        tracks = box.caravan.cities[after.caravan].tracks
        for track in court.open_tracks(after, seat, tracks):
            yield Line("offer", step=step(box, player, track))
    elif then == stages.PLANT:
        quality = caravan.face(box, after, after.caravan).quality
        squares = garden.plantable(box, after, quality=quality, gardeners=player.gardeners)
        yield Line("squares", names=tuple([box.grid.squares[square] for square in squares]))


def _lines(box: Box, before: Realm, after: Realm, events: Sequence[Event], *, own: bool) -> Iterator[Line]:
    """What happens, event by event; ``own``: a court card was what was chosen, and need not be told."""
    grey = sum(event.cubes for event in events if isinstance(event, Flooded))
    for event in events:
        match event:
            case Moved(distance=distance, camels=camels):
                yield Line("steps", count=distance, counts=(distance - camels,))
            case Built(channel=channel, complete=complete):
                yield Line("built" if complete else "half", names=(channel,))
            case NothingToBuild():
                yield Line("nothing")
            case Recruited(craft=craft):
                yield Line("craft", names=(craft,))
            case Promoted(seat=taker, track=track, level=level) if not own:
                yield Line("court", names=(track,), count=level, colours=(taker + 1,))
            case GardenerTaken(seat=taker) if not own:
                yield Line("court", names=("gardener",), colours=(taker + 1,))
            case NothingAtCourt(track=track):
                yield Line("lost", names=(track,))
            case Watered(cubes=cubes, leader=leader):
                held = [(each + 1, count) for each, count in enumerate(cubes) if count]
                yield Line(
                    "water",
                    count=leader + 1 if leader != NOBODY else 0,
                    colours=tuple([colour for colour, _ in held]),
                    counts=tuple([count for _, count in held]),
                )
            case Harvested(leader=leader, gardener=gardener):
                yield Line("harvest", count=int(gardener), colours=(leader + 1,) if leader != NOBODY else ())
            case Worshipped(temple=temple, pushed=pushed):
                ranked = rewarded(box, after, TEMPLES.index(temple))
                yield Line("rank", names=(temple,), colours=tuple([each + 1 for each in ranked]))
                if pushed != NOBODY:
                    yield Line("pushed", names=(temple,), colours=(pushed + 1,))
            case Passed():
                yield Line("passed", count=int(len(before.passed) + 1 == before.seats))
            case _:
                pass
    wet = garden.irrigated(box, after) & ~garden.irrigated(box, before) & garden.tiled(after)
    if wet:
        yield Line("wet", names=tuple([box.grid.squares[square] for square in members(wet)]))
    if grey:
        yield Line("grey", count=grey)
