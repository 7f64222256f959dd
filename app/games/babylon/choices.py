"""What the seat whose turn it is may choose: the legal actions, phase by phase (6.4)."""

from collections.abc import Sequence

from app.games.babylon.components import Box
from app.games.babylon.decorating import Offer, offers
from app.games.babylon.garden import Garden, Kind
from app.games.babylon.placing import Site, affordable, affordable_forms, site_at
from app.games.babylon.state import (
    NONE,
    Bridge,
    Choice,
    Decorate,
    End,
    Fountain,
    Lay,
    Laying,
    Mine,
    Open,
    Place,
    Remove,
    Stairs,
    State,
    Statue,
    View,
)
from app.games.babylon.supports import Purse

TURNINGS = range(4)
"""Quarter turns clockwise (4.3)."""

PAIR_ACTION: dict[str, type[Fountain | Bridge | Stairs]] = {"fountain": Fountain, "bridge": Bridge, "stairs": Stairs}
KIND_OF: dict[type[Decorate], Kind] = {
    Statue: "statue",
    Fountain: "fountain",
    Bridge: "bridge",
    Stairs: "stairs",
}
"""The kind of decoration that each action sets."""


def choices(box: Box, table: State | View) -> Sequence[Choice]:
    """Every legal action of the seat whose turn it is, in a fixed order."""
    phase = table.phase
    if phase == "build":
        return (*placings(table), *decorations(table), *endings(table))
    if phase == "decorate":
        return (*decorations(table), *endings(table))
    if phase == "lay" and table.laying:
        return layings(table, table.laying)
    if phase == "mine":
        return tuple(Mine(x, y) for x, y, height in stacks(box, table) if height)
    if phase == "remove":
        return tuple(Remove(x, y) for x, y, height in stacks(box, table) if height == len(box.materials))
    return ()


def stacks(box: Box, table: State | View) -> Sequence[tuple[int, int, int]]:
    """Column, row and height of every stack of the quarry."""
    width = box.quarry.width
    return [(number % width, number // width, height) for number, height in enumerate(table.heights)]


def purse(table: Open) -> Purse:
    """What the seat whose turn it is can build with (9.2, 3.5)."""
    supply = table.supply
    return Purse(table.players[table.seat].singles, table.doubles, supply.double_pillar, supply.belvedere)


def garden(table: Open) -> Garden:
    """The garden of the seat whose turn it is."""
    return table.players[table.seat].garden


def sites(table: Open) -> tuple[Site, ...]:
    """Where that seat can lay a tile with the pillars it has, if it holds one."""
    return affordable(garden(table).sites, purse(table)) if table.hand else ()


def site_of(table: Open, laying: Laying) -> Site:
    """The site on which the tile under way will lie."""
    site = site_at(garden(table), laying.x, laying.y, laying.level)
    assert site is not None, "a tile under way has a site"
    return site


def placings(table: Open) -> Sequence[Place]:
    """Each tile of the hand on each site within the purse (9.1)."""
    hand = table.hand
    if not hand:
        return ()
    found = sites(table)
    return [Place(tile, site.x, site.y, site.level) for tile in hand for site in found]


def layings(table: Open, laying: Laying) -> Sequence[Lay]:
    """Each turning with each form within the purse (4.3, 9.5)."""
    forms = affordable_forms(site_of(table, laying), purse(table))
    return [Lay(turned, form.open) for turned in TURNINGS for form in forms]


def offered(table: Open) -> tuple[Offer, ...]:
    """The decorations that seat may set now (10)."""
    return offers(garden(table), table.effect, table.supply)


def decorations(table: Open) -> Sequence[Decorate]:
    """The same as actions."""
    return [action_of(offer) for offer in offered(table)]


def action_of(offer: Offer) -> Decorate:
    """The action that takes up an offer."""
    x, y = offer.cells[0]
    if offer.kind == "statue":
        return Statue(x, y, offer.altered)
    x2, y2 = offer.cells[1]
    return PAIR_ACTION[offer.kind](x, y, x2, y2, offer.altered)


def endings(table: Open) -> Sequence[End]:
    """Which tile to keep: the mined one, the stored one, or none (11.3)."""
    return [*(End(tile) for tile in table.hand), End(NONE)]
