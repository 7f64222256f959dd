"""What is drawn over the map while an action is only thought of: cubes to come, water, and the way of the caravan."""

from collections.abc import Iterator, Sequence

import msgspec

from app.engine.contract import Event
from app.games.amyitis import garden
from app.games.amyitis.components import ROWS, TEMPLES, Box
from app.games.amyitis.events import Farmed, Moved, Planted, Worshipped
from app.games.amyitis.grid import members
from app.games.amyitis.pieces import channel_place, square_place
from app.games.amyitis.state import Realm


class Mark(msgspec.Struct, frozen=True):
    """A drawing at a place. ``kind``: ``cube`` (to come), ``counts`` (a cube that decides), ``flow`` (a channel that
    water would fill), ``moist`` (a square that water would reach), ``reach`` (a place that could be built on then),
    ``step`` (of the way) and ``caravan``; ``face``: which drawing, where there are several."""

    kind: str
    place: str
    face: str = ""


def marks(box: Box, before: Realm, after: Realm, seat: int, events: Sequence[Event]) -> Iterator[Mark]:
    """All that would change on the map."""
    yield from _water(box, before, after)
    yield from _cubes(box, before, after)
    for event in events:
        match event:
            case Moved(origin=origin, distance=distance, camels=camels):
                cities, start = len(box.caravan.cities), box.city_number[origin]
                for step in range(distance):
                    face = "free" if step < distance - camels else "paid"
                    yield Mark("step", f"gap g{(start + step) % cities}", face)
                yield Mark("caravan", f"caravan at-{(start + distance) % cities}")
            case Planted(square=square):
                number = box.grid.square_number[square]
                yield from _counted(box, before, number)
            case Farmed(row=row, place=place):
                yield Mark("cube", f"field r{ROWS.index(row)} n{place}", str(seat + 1))
            case Worshipped(temple=temple, seat=whose):
                yield Mark("cube", f"porch t{TEMPLES.index(temple)}", str(whose + 1))
            case _:
                pass


def _water(box: Box, before: Realm, after: Realm) -> Iterator[Mark]:
    done = garden.connected(box, after) & ~garden.connected(box, before)
    for channel in members(done):
        yield Mark("flow", "", box.grid.channels[channel])
    wet = garden.irrigated(box, after) & ~garden.irrigated(box, before) & garden.tiled(after)
    for square in members(wet):
        yield Mark("moist", square_place(box.grid, square))
    if done:
        for channel in members(garden.eligible(box, after) & ~garden.eligible(box, before)):
            yield Mark("reach", channel_place(box.grid, channel, len(after.channels[channel]) + 1))


def _cubes(box: Box, before: Realm, after: Realm) -> Iterator[Mark]:
    for channel, (old, new) in enumerate(zip(before.channels, after.channels, strict=True)):
        for place in range(len(old), len(new)):
            yield Mark("cube", channel_place(box.grid, channel, place + 1), str(new[place] + 1))


def _counted(box: Box, realm: Realm, square: int) -> Iterator[Mark]:
    """The cubes around a square that decide who has most water there."""
    for side in box.grid.sides[square]:
        for place, cube in enumerate(realm.channels[side], start=1):
            if cube >= 0:
                yield Mark("counts", channel_place(box.grid, side, place))
