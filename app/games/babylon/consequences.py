"""What would come of an action: points part by part, pillars, what goes out of sight, what becomes possible."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from app.engine import notation
from app.engine.look import Look
from app.games.babylon import decorating, mining, outcomes, placing, scoring
from app.games.babylon.choices import KIND_OF, purse, site_of
from app.games.babylon.decorating import cells_altered
from app.games.babylon.faces import TileFace, faces_of
from app.games.babylon.garden import Cell, Decoration, Garden, Kind
from app.games.babylon.placing import Site
from app.games.babylon.rules import Rules
from app.games.babylon.state import NONE, Choice, Decorate, End, Lay, Laying, Mine, Place, Remove, Statue, View
from app.games.babylon.supports import NO_CORNER

MOST_CHANCES = 3


class Chance(msgspec.Struct, frozen=True):
    """A decoration that would become possible: where, and the points that it would bring."""

    kind: Kind
    cells: tuple[Cell, ...]
    points: int


class Consequence(msgspec.Struct, frozen=True):
    """The bubble of one action.

    ``points`` in all and ``parts`` that change. ``sides``, ``flower``, ``token``, ``lost``: where the ``gained``
    pillars come from (8). ``paid``: single pillars that go, ``least`` with a corner open; ``doubles``: token doubles
    set. ``hides``: the kinds of pieces that go out of sight, and how many. ``chances``: decorations then possible,
    ``more``: how many of them are not listed. ``keeps``, ``drops``: tiles kept and discarded; ``returned``: pillars
    that go back.
    """

    action: str
    kind: str
    cells: tuple[Cell, ...] = ()
    level: int = 0
    points: int = 0
    parts: tuple[tuple[str, int], ...] = ()
    sides: int = 0
    flower: int = 0
    token: int = 0
    lost: int = 0
    gained: int = 0
    paid: int = 0
    least: int = 0
    doubles: int = 0
    open: str = ""
    hides: tuple[tuple[str, int], ...] = ()
    chances: tuple[Chance, ...] = ()
    more: int = 0
    tile: TileFace | None = None
    keeps: TileFace | None = None
    drops: tuple[TileFace, ...] = ()
    returned: int = 0


def consequence(game: Rules, look: Look[View, Choice], action: Choice) -> Consequence:
    """What would come of a legal action of the viewer; nothing hidden is asked."""
    view = look.view
    match action:
        case Remove(x, y):
            tile = view.quarry[y * game.box.quarry.width + x].tile
            return Consequence(notation.write(action), "remove", tile=faces_of(game).tiles[tile])
        case Mine():
            return _mine(game, view, action)
        case Place():
            return _place(game, view, action)
        case Lay():
            assert view.laying, "this phase has a tile under way"
            return _lay(game, view, action, view.laying)
        case End():
            return _end(game, view, action)
        case _:
            return _decorate(game, view, action)


def _mine(game: Rules, view: View, action: Mine) -> Consequence:
    number = action.y * game.box.quarry.width + action.x
    gain = mining.gains(game.box, view, view.seat)[number]
    assert gain is not None, "there is a tile to mine"
    gained = min(gain.total, view.supply.single_pillar)
    return Consequence(
        action=notation.write(action),
        kind="mine",
        sides=gain.from_sides,
        flower=gain.flower,
        token=gain.token,
        lost=gain.total - gained,
        gained=gained,
        tile=faces_of(game).tiles[view.quarry[number].tile],
    )


def _place(game: Rules, view: View, action: Place) -> Consequence:
    """The tile could still be turned: what comes of it in any case, and what would be possible in some way."""
    garden, tile = view.players[view.seat].garden, game.box.tile_by_id[action.tile]
    site = placing.site_at(garden, action.x, action.y, action.level)
    assert site is not None, "a legal place is a site"
    money = purse(view)
    forms = placing.affordable_forms(site, money)
    cost = {form: money.payment(form).spent for form in forms}
    # Where four supports are too dear, one corner stays open in any case: the cheapest way says what that takes.
    first = forms[0] if forms[0].open == NO_CORNER else min(forms, key=cost.__getitem__)
    chances: list[Chance] = []
    for turned in range(4):
        built = placing.laid(garden, tile, site, turned=turned, form=first)
        chances += _chances(game, view, built)
    built = placing.laid(garden, tile, site, turned=0, form=first)
    found = outcomes.outcome(garden, built, game.box.scoring)
    best, more = _best(chances)
    return Consequence(
        action=notation.write(action),
        kind="place",
        cells=((action.x, action.y),),
        level=action.level,
        points=found.points,
        parts=found.parts,
        paid=cost[first],
        least=min(cost.values()),
        open=first.open,
        hides=_kinds(found.hides),
        chances=best,
        more=more,
    )


def _lay(game: Rules, view: View, action: Lay, laying: Laying) -> Consequence:
    garden, tile = view.players[view.seat].garden, game.box.tile_by_id[laying.tile]
    site: Site = site_of(view, laying)
    form = next(form for form in site.forms if form.open == action.open)
    payment = purse(view).payment(form)
    built = placing.laid(garden, tile, site, turned=action.turned, form=form)
    found = outcomes.outcome(garden, built, game.box.scoring)
    best, more = _best(_chances(game, view, built))
    return Consequence(
        action=notation.write(action),
        kind="lay",
        cells=((laying.x, laying.y),),
        level=laying.level,
        points=found.points,
        parts=found.parts,
        paid=payment.spent,
        least=payment.spent,
        doubles=payment.token_doubles,
        open=action.open,
        hides=_kinds(found.hides),
        chances=best,
        more=more,
    )


def _decorate(game: Rules, view: View, action: Decorate) -> Consequence:
    garden, kind = view.players[view.seat].garden, KIND_OF[type(action)]
    cells: tuple[Cell, ...] = ((action.x, action.y),)
    if not isinstance(action, Statue):
        cells += ((action.x2, action.y2),)
    decoration = Decoration(
        kind, cells, garden.height(cells[0]), len(garden.terraces), cells_altered(cells, action.altered)
    )
    found = outcomes.outcome(garden, garden.with_decoration(decoration), game.box.scoring)
    return Consequence(
        action=notation.write(action),
        kind=kind,
        cells=cells,
        level=decoration.level,
        points=found.points,
        parts=found.parts,
        open=action.altered,
    )


def _end(game: Rules, view: View, action: End) -> Consequence:
    tiles = faces_of(game).tiles
    return Consequence(
        action=notation.write(action),
        kind="end",
        doubles=view.doubles,
        keeps=None if action.keep == NONE else tiles[action.keep],
        drops=tuple([tiles[tile] for tile in view.hand if tile != action.keep]),
        returned=max(0, view.players[view.seat].singles - game.box.storage.single_pillars),
    )


def _chances(game: Rules, view: View, built: Garden) -> list[Chance]:
    """The decorations that could be set in a garden, each with what it would bring."""
    values = game.box.scoring
    now = scoring.total(built, values)
    return [
        Chance(
            offer.kind,
            offer.cells,
            scoring.total(built.with_decoration(offer.decoration(built)), values) - now,
        )
        for offer in decorating.offers(built, view.effect, view.supply)
    ]


def _best(chances: Iterable[Chance]) -> tuple[tuple[Chance, ...], int]:
    """The chances worth most, each once, and how many more there are."""
    each = sorted(set(chances), key=lambda chance: (-chance.points, chance.kind, chance.cells))
    return tuple(each[:MOST_CHANCES]), max(0, len(each) - MOST_CHANCES)


def _kinds(pieces: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """What the pieces of these names are, and how many of each."""
    return tuple(Counter(piece.split("-")[0] for piece in pieces).items())
