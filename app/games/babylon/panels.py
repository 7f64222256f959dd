"""What lies still beside the gardens: the round, its token, the quarry's ground, the supply, my hand, the points."""

import msgspec

from app.games.babylon import choices, decorating, placing, tokens
from app.games.babylon.garden import Kind
from app.games.babylon.glance import Glance
from app.games.babylon.standing import LETTERS
from app.games.babylon.state import Lay
from app.games.babylon.supply import Supply


class Tab(msgspec.Struct, frozen=True):
    """A player in the header of a small screen: whose garden a tap shows."""

    colour: int
    name: str
    total: int
    here: bool
    href: str


class Round(msgspec.Struct, frozen=True):
    """Which round it is (0: the clay is being removed), whose turns it has, whose it is (from 0)."""

    round: int
    rounds: int
    turns: tuple[int, ...]
    turn: int
    over: bool
    tabs: tuple[Tab, ...]


class Tokens(msgspec.Struct, frozen=True):
    """The token in force, those before it, and how many lie face down; ``unseen``: which kinds may still come."""

    round: int
    rounds: int
    effect: str
    shown: tuple[str, ...]
    down: int
    unseen: tuple[tuple[str, int], ...]
    over: bool


class Stack(msgspec.Struct, frozen=True):
    """A stack of the quarry: how high it is, and how much higher those are that shade it."""

    x: int
    y: int
    height: int
    west: int
    north: int


class Quarry(msgspec.Struct, frozen=True):
    """The ground under the uncovered tiles."""

    stacks: tuple[Stack, ...]
    left: int


class Supplies(msgspec.Struct, frozen=True):
    """What all players share."""

    supply: Supply


class Turning(msgspec.Struct, frozen=True):
    """A way to turn the tile under way, and the decorations that become possible with it."""

    turned: int
    kinds: tuple[Kind, ...]
    pick: str


class Hand(msgspec.Struct, frozen=True):
    """What the player at the viewer's place holds, ``mine`` when that is the viewer; a bot has no name.

    ``turnings``: while a tile is under way; ``laying``: that tile. ``mined`` and ``stored``: whether a tile lies
    there. ``most``: how many single pillars may be kept.
    """

    mine: bool
    owner: str
    colour: int
    flower: str
    singles: int
    doubles: int
    most: int
    mined: bool
    stored: bool
    laying: str
    turnings: tuple[Turning, ...]


class Purse(msgspec.Struct, frozen=True):
    """The pillars of somebody else; ``order``: how many turns after the one at the viewer's place."""

    order: int
    singles: int
    doubles: int


class Purses(msgspec.Struct, frozen=True):
    """What the others hold, beside their gardens."""

    purses: tuple[Purse, ...]


class Row(msgspec.Struct, frozen=True):
    """A player's points. ``order``: 0 for the one at the viewer's place; ``centre``: whose garden is large."""

    seat: int
    colour: int
    order: int
    name: str
    active: bool
    first: bool
    centre: bool
    href: str
    parts: tuple[tuple[str, str, int], ...]
    total: int


class Players(msgspec.Struct, frozen=True):
    """The table of points as they stand."""

    rows: tuple[Row, ...]


def current_round(glance: Glance) -> Round:
    """The line in the header."""
    view = glance.view
    order = [(view.first + step) % glance.seats for step in range(glance.seats)]
    return Round(
        round=view.round,
        rounds=glance.rounds,
        turns=tuple([seat + 1 for seat in order]),
        turn=order.index(view.seat),
        over=glance.look.over,
        tabs=tuple(
            [
                Tab(
                    seat + 1,
                    glance.names[seat],
                    glance.standing(seat).total,
                    seat == glance.centre,
                    _href(glance, seat),
                )
                for seat in range(glance.seats)
            ]
        ),
    )


def _href(glance: Glance, seat: int) -> str:
    """The address of this page with that garden at the centre."""
    return glance.look.address(garden="" if seat == glance.me else str(seat))


def round_tokens(glance: Glance) -> Tokens:
    """The tokens past, in force and to come (6.2)."""
    view = glance.view
    unseen = [(kind, count) for kind, count in tokens.unseen(glance.box, view.shown) if count]
    return Tokens(
        round=view.round,
        rounds=glance.rounds,
        effect=view.effect,
        shown=view.shown,
        down=view.tokens,
        unseen=tuple(unseen),
        over=glance.look.over,
    )


def quarry(glance: Glance) -> Quarry:
    """The stacks."""
    heights, width = glance.view.heights, glance.box.quarry.width
    stacks = []
    for number, height in enumerate(heights):
        x, y = number % width, number // width
        west = heights[number - 1] - height if x else 0
        north = heights[number - width] - height if y else 0
        stacks.append(Stack(x, y, height, max(0, west), max(0, north)))
    return Quarry(tuple(stacks), sum(heights))


def supplies(glance: Glance) -> Supplies:
    """The shared pieces (3.5)."""
    return Supplies(glance.view.supply)


def hand(glance: Glance) -> Hand:
    """The tiles and pillars at the bottom of the page."""
    view, player = glance.view, glance.view.players[glance.me]
    active = view.seat == glance.me and not glance.look.over
    laying = view.laying.tile if active and view.laying else ""
    return Hand(
        mine=glance.mine,
        owner=glance.names[glance.me],
        colour=glance.me + 1,
        flower=player.flower,
        singles=player.singles,
        doubles=view.doubles if active else 0,
        most=glance.box.storage.single_pillars,
        mined=bool(active and view.mined) or (bool(laying) and glance.centre != glance.me),
        stored=bool(player.stored),
        laying=laying,
        turnings=_turnings(glance) if laying and glance.actions and glance.at_home else (),
    )


def _turnings(glance: Glance) -> tuple[Turning, ...]:
    view, laying = glance.view, glance.view.laying
    assert laying, "this phase has a tile under way"
    site = choices.site_of(view, laying)
    form = placing.affordable_forms(site, choices.purse(view))[0]
    tile = glance.box.tile_by_id[laying.tile]
    found = []
    for turned in dict.fromkeys(action.turned for action in glance.actions if isinstance(action, Lay)):
        built = placing.laid(choices.garden(view), tile, site, turned=turned, form=form)
        offers = decorating.offers(built, view.effect, view.supply)
        kinds = tuple(dict.fromkeys(offer.kind for offer in offers))
        found.append(Turning(turned, kinds, f"lay:{turned}:*"))
    return tuple(found)


def purses(glance: Glance) -> Purses:
    """The pillars of the others."""
    view = glance.view
    return Purses(
        tuple(
            [
                Purse(order, view.players[seat].singles, view.doubles if view.seat == seat else 0)
                for order, seat in enumerate(glance.others, start=1)
            ]
        )
    )


def players(glance: Glance) -> Players:
    """One row a player, the one at the viewer's place first."""
    return Players(tuple([_row(glance, seat, order) for order, seat in enumerate((glance.me, *glance.others))]))


def _row(glance: Glance, seat: int, order: int) -> Row:
    view, standing = glance.view, glance.standing(seat)
    return Row(
        seat=seat,
        colour=seat + 1,
        order=order,
        name=glance.names[seat],
        active=view.seat == seat and not glance.look.over,
        first=view.first == seat,
        centre=seat == glance.centre,
        href=_href(glance, seat),
        parts=tuple([(name, LETTERS[name], points) for name, points in standing.parts]),
        total=standing.total,
    )
