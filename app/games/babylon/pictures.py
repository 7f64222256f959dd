"""The gardens as pictures: the large one at the centre with what is gold in it, and everybody else's, small."""

from collections.abc import Iterator

import msgspec

from app.games.babylon.choices import purse, site_of
from app.games.babylon.garden import CORNERS, OFFSETS, Cell, Garden
from app.games.babylon.glance import Glance
from app.games.babylon.placing import affordable_forms
from app.games.babylon.plan import sites, spots
from app.games.babylon.scene import (
    DEEP,
    FRAME,
    SIDES,
    THICK,
    WIDE,
    Frame,
    Ghost,
    Part,
    Scene,
    on_screen,
    scene,
    turned,
)
from app.games.babylon.state import Laying, Player


class Told(msgspec.Struct, frozen=True):
    """A tile or decoration of a garden for those who do not see it: what, on which columns, at which level."""

    what: str
    cells: tuple[Cell, ...]
    level: int


class Picture(msgspec.Struct, frozen=True):
    """The garden at the centre.

    ``mine``: it is the viewer's own; ``owner`` has no name for a bot. ``back``, ``left``, ``right`` are the addresses
    of this page with the viewer's garden, and with this one turned. ``told`` lists what is in it.
    """

    seat: int
    mine: bool
    owner: str
    flower: str
    total: int
    scene: Scene
    back: str
    left: str
    right: str
    told: tuple[Told, ...]


class Mark(msgspec.Struct, frozen=True):
    """Something gold in the picture, drawn at one place or more, and what a click on it stands for."""

    sprite: str
    places: tuple[tuple[int, int], ...]
    pick: str


class Marks(msgspec.Struct, frozen=True):
    """What lies over the picture at the centre, in the same frame: what is gold, and what just changed."""

    side: int
    frame: Frame
    marks: tuple[Mark, ...]
    news: tuple[Part, ...]


class Other(msgspec.Struct, frozen=True):
    """Somebody else's garden, small; ``here`` is false where nobody sits.

    ``href``: the address of this page with that garden at the centre.
    """

    here: bool
    order: int = 0
    colour: int = 0
    name: str = ""
    flower: str = ""
    large: bool = False
    href: str = ""
    scene: Scene | None = None


def garden(glance: Glance) -> Picture:
    """The garden at the centre, from the side that the page shows."""
    player = glance.player
    look = glance.look
    return Picture(
        seat=glance.centre,
        mine=glance.at_home,
        owner=glance.names[glance.centre],
        flower=player.flower,
        total=glance.standing(glance.centre).total,
        scene=_scene(glance),
        back=look.address(garden="") if glance.centre != glance.me else "",
        left=_turned(glance, -1),
        right=_turned(glance, 1),
        told=tuple(_told(player.garden)),
    )


def _scene(glance: Glance) -> Scene:
    player = glance.player
    ghost = None
    laying = glance.view.laying
    if laying and glance.centre == glance.view.seat:
        ghost = _ghost(glance, laying)
    return scene(glance.game, player.garden, player.flower, glance.side, ghost=ghost)


def _ghost(glance: Glance, laying: Laying) -> Ghost:
    site = site_of(glance.view, laying)
    forms = affordable_forms(site, purse(glance.view))
    return Ghost(laying.tile, glance.faces.tiles[laying.tile].flower, site, forms[0].open)


def _turned(glance: Glance, step: int) -> str:
    side = (glance.side + step) % len(SIDES)
    return glance.look.address(side=str(side))


def _told(garden: Garden) -> Iterator[Told]:
    for terrace in garden.terraces:
        yield Told(terrace.flower, terrace.cells[:1], terrace.level)
    for decoration in garden.decorations:
        yield Told(decoration.kind, decoration.cells, decoration.level)


def marks(glance: Glance) -> Marks:
    """What is gold in the picture at the centre, as far as nothing built hides it, and what just changed there."""
    found = tuple(_marks(glance)) if glance.at_home and glance.actions else ()
    news = tuple(_news(glance))
    return Marks(glance.side, _scene(glance).frame if found or news else FRAME, found, news)


def _news(glance: Glance) -> Iterator[Part]:
    fresh = glance.fresh_in(glance.centre)
    if not fresh:
        return
    garden = glance.player.garden
    for terrace in garden.fresh:
        if terrace.piece in fresh:
            yield Part("bab-rim", *on_screen(turned((terrace.x, terrace.y, 2, 2), glance.side), terrace.level))
    for decoration in garden.decorations:
        if decoration.piece in fresh:
            for cell, level in zip(decoration.cells, decoration.levels, strict=True):
                yield Part("bab-halo", *on_screen(turned((*cell, 1, 1), glance.side), level))


def _marks(glance: Glance) -> Iterator[Mark]:
    view, garden = glance.view, glance.player.garden
    if view.phase == "build":
        for x, y in sites(glance):
            floor = max(garden.height((x + dx, y + dy)) for dx, dy in OFFSETS)
            place = on_screen(turned((x, y, 2, 2), glance.side), floor)
            if _is_seen(garden, place, floor, glance.side):
                yield Mark("bab-lozenge", (place,), f"place:*:{x}:{y}:*")
    if view.phase == "lay" and view.laying:
        level = view.laying.level
        for corner, (dx, dy) in zip(CORNERS, OFFSETS, strict=True):
            if pick := glance.pick(f"lay:*:{corner}"):
                block = turned((view.laying.x + dx, view.laying.y + dy, 1, 1), glance.side)
                yield Mark("bab-offer", (on_screen(block, level),), pick)
    if view.phase in ("build", "decorate"):
        for spot in spots(glance):
            if spot.would[0]:
                cells = _cells(spot.pick)
                floors = [(cell, garden.height(cell)) for cell in cells]
                places = [on_screen(turned((*cell, 1, 1), glance.side), floor) for cell, floor in floors]
                seen = [
                    place
                    for place, (_, floor) in zip(places, floors, strict=True)
                    if _is_seen(garden, place, floor, glance.side)
                ]
                if seen:
                    yield Mark("bab-offer", tuple(seen), spot.pick)


def _cells(action: str) -> tuple[Cell, ...]:
    """The columns in the words of a decoration."""
    x, y, *more = [int(word) for word in action.split(":")[1:-1]]
    return ((x, y), (more[0], more[1])) if more else ((x, y),)


def _is_seen(garden: Garden, place: tuple[int, int], floor: int, side: int) -> bool:
    """Whether no terrace above that floor lies between the viewer and a place on the screen."""
    for terrace in garden.terraces:
        if terrace.level > floor:
            x, y = on_screen(turned((terrace.x, terrace.y, 2, 2), side), terrace.level)
            across, down = abs(place[0] - x), place[1] - y
            slope = (2 * WIDE - across) * DEEP // WIDE
            if across < 2 * WIDE and -slope < down < slope + THICK:
                return False
    return True


def other(glance: Glance, order: int) -> Other:
    """The picture of the player who comes that many turns after the one at the viewer's place."""
    if order > len(glance.others):
        return Other(here=False)
    seat = glance.others[order - 1]
    player: Player = glance.view.players[seat]
    return Other(
        here=True,
        order=order,
        colour=seat + 1,
        name=glance.names[seat],
        flower=player.flower,
        large=glance.centre == seat,
        href=glance.look.address(garden=str(seat)),
        scene=scene(glance.game, player.garden, player.flower, 0),
    )
