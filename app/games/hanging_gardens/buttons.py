"""Every choice as a button, so that a person who sees no board finds them."""

from functools import lru_cache

import msgspec

from app.engine import notation
from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.components import Enhancement, GardenCard
from app.games.hanging_gardens.garden import left_end
from app.games.hanging_gardens.glance import Glance
from app.games.hanging_gardens.speech import others
from app.games.hanging_gardens.state import Buy, Complete, Spot, Take


class Place(msgspec.Struct, frozen=True):
    """A place of the garden in words: level, and ``left``, ``right`` for the ends of level 1 or a number."""

    level: int
    end: str
    number: int


class Way(msgspec.Struct, frozen=True, cache_hash=True):
    """One action, with what tells it from the others of its group."""

    action: str
    place: Place | None = None
    card: GardenCard | None = None
    points: int = 0
    gift: str = ""


class Head(msgspec.Struct, frozen=True, cache_hash=True):
    """What the actions of a group have in common: a card of the market, the top of a pile, or an objective."""

    pattern: str
    card: GardenCard | None = None
    column: int = 0
    row: int = 0
    price: int = 0
    tile: Enhancement | None = None
    item: str = ""
    count: int = 0


class Group(msgspec.Struct, frozen=True):
    """All actions that begin with the same spot."""

    head: Head
    ways: tuple[Way, ...]


class Choices(msgspec.Struct, frozen=True):
    """Every legal action, grouped; ``others``: actions that lie on no piece."""

    groups: tuple[Group, ...]
    others: tuple[str, ...]


def choices(glance: Glance) -> Choices:
    """The legal actions."""
    box, view = glance.box, glance.view
    garden = view.players[glance.me].garden
    groups: dict[Head, list[Way]] = {}
    for action in glance.actions:
        match action:
            case Take(column, row):
                head = _of_card(box, column, row, view.market[column - 1][row - 1])
                way = _placed(action, _place(garden, action.level, action.x))
            case Buy(cost):
                head = _of_tile(box, cost, next(pile.top for pile in view.piles if pile.cost == cost))
                card = next(spot.card for spot in garden if (spot.level, spot.x) == (action.level, action.x))
                way = Way(notation.write(action), place=_place(garden, action.level, action.x), card=box.cards[card])
            case Complete(tile, number):
                objective, space = box.objectives[tile], box.spaces(glance.seats)[tile][number - 1]
                head = Head(f"complete:{tile}:*", item=objective.item, count=objective.count)
                way = Way(notation.write(action), points=space.vp, gift=space.gift)
            case _:
                continue
        groups.setdefault(head, []).append(way)
    return Choices(tuple([Group(head, tuple(ways)) for head, ways in groups.items()]), others(glance))


@lru_cache(maxsize=1024)
def _of_card(box: Box, column: int, row: int, card: str) -> Head:
    price = box.tool_cost[row - 1]
    return Head(f"take:{column}:{row}:*:*", card=box.cards[card], column=column, row=row, price=price)


@lru_cache(maxsize=1024)
def _of_tile(box: Box, cost: int, tile: str) -> Head:
    return Head(f"buy:{cost}:*:*", tile=box.tiles[tile], price=cost)


@lru_cache(maxsize=4096)
def _placed(action: Take, place: Place) -> Way:
    return Way(notation.write(action), place=place)


@lru_cache(maxsize=4096)
def _place(garden: tuple[Spot, ...], level: int, x: int) -> Place:
    row = [spot.x for spot in garden if spot.level == 1]
    if level == 1 and row and not min(row) <= x <= max(row):
        return Place(level, "left" if x < min(row) else "right", 0)
    return Place(level, "", x - left_end(garden) + 1 if garden else 0)
