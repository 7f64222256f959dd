"""What lies still on the table: round, market wall, objectives and piles."""

from functools import lru_cache

import msgspec

from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.choices import open_columns, turns_in_round
from app.games.hanging_gardens.glance import Glance, colour_of
from app.games.hanging_gardens.objectives import Outlook, outlook_of
from app.games.hanging_gardens.state import AUTOMATON, Player


class Tab(msgspec.Struct, frozen=True):
    """A player in the header of a small screen: whose garden a tap shows. The automaton has no total.

    ``first``: the first-player marker is there.
    """

    colour: int
    name: str
    total: int | None
    here: bool
    first: bool


class Turns(msgspec.Struct, frozen=True):
    """Which round it is, whose turns it has, how many of them are over."""

    round: int
    rounds: int
    turns: tuple[int, ...]
    turn: int


class Round(msgspec.Struct, frozen=True):
    """The line in the header; there are no more ``turns`` once the game is over."""

    turns: Turns | None
    tabs: tuple[Tab, ...]


class Cost(msgspec.Struct, frozen=True):
    """What a row of the market costs in tools, and whether I could pay it."""

    row: int
    tools: int
    dear: bool


class Ledge(msgspec.Struct, frozen=True):
    """The ledge under a column: how many gardeners stand there, how many can; ``next``: whose would come next."""

    column: int
    taken: int
    spaces: int
    next: int


class Market(msgspec.Struct, frozen=True):
    """The wall behind the market's cards."""

    deck: int
    costs: tuple[Cost, ...]
    ledges: tuple[Ledge, ...]


class Offer(msgspec.Struct, frozen=True):
    """A space of an objective: VP, what it gives at once, who stands there (0: nobody)."""

    number: int
    points: int
    gift: str
    taken: int


class Objective(msgspec.Struct, frozen=True):
    """A royal objective. ``needs``: for each item whether my best level has it, lacks it, or the marker waives it.

    ``next``: the first space that is open, or the first of all.
    """

    number: int
    tile: str
    item: str
    count: int
    needs: tuple[str, ...]
    offers: tuple[Offer, ...]
    next: int
    done: bool
    closed: bool


class Objectives(msgspec.Struct, frozen=True):
    """The objectives in play; ``picks``: for each of their spaces what a click on it stands for."""

    objectives: tuple[Objective, ...]
    picks: tuple[tuple[str, ...], ...]


class Stack(msgspec.Struct, frozen=True):
    """A pile of enhancements: what one costs, how many are left; the top one is a piece."""

    number: int
    cost: int
    left: int
    dear: bool


class Enhancements(msgspec.Struct, frozen=True):
    """The piles."""

    stacks: tuple[Stack, ...]


def current_round(glance: Glance) -> Round:
    """The line in the header."""
    view = glance.view
    tabs = [
        Tab(
            glance.colour(seat),
            glance.names[seat],
            glance.standing(seat).total,
            here=seat == glance.me,
            first=seat == view.holder,
        )
        for seat in range(glance.seats)
    ]
    if glance.solo:
        tabs.append(Tab(glance.colour(AUTOMATON), "", None, here=False, first=view.holder == AUTOMATON))
    if glance.look.over:
        return Round(None, tuple(tabs))
    sides = 2 if glance.solo else glance.seats
    colours = [glance.colour((view.starter + turn) % sides) for turn in range(turns_in_round(glance.box, view))]
    return Round(Turns(view.round, glance.rounds, tuple(colours), view.turn), tuple(tabs))


def market(glance: Glance) -> Market:
    """The wall, the deck, the prices and the ledges."""
    box, view = glance.box, glance.view
    open_to_me = open_columns(box, view) if glance.actions and view.phase == "card" else ()
    return Market(
        deck=view.deck,
        costs=tuple(
            [
                Cost(row, tools, tools > view.players[glance.me].tools)
                for row, tools in enumerate(box.tool_cost, start=1)
            ]
        ),
        ledges=tuple(
            [
                Ledge(column, len(ledge), spaces, glance.colour(glance.me) if column in open_to_me else 0)
                for column, (ledge, spaces) in enumerate(
                    zip(view.ledges, box.capacity(glance.seats), strict=True), start=1
                )
            ]
        ),
    )


def objectives(glance: Glance) -> Objectives:
    """The objectives, and what I lack for each."""
    view = glance.view
    return _objectives(
        glance.box,
        view.players[glance.me],
        view.objectives,
        view.spaces,
        glance.seats,
        view.holder == glance.me,
        frozenset([pick for pick in glance.picks if pick.startswith("complete:")]),
    )


@lru_cache(maxsize=2048)
def _objectives(
    box: Box,
    player: Player,
    tiles: tuple[str, ...],
    markers: tuple[tuple[int | None, ...], ...],
    seats: int,
    marker: bool,
    picked: frozenset[str],
) -> Objectives:
    """The objectives as a player stands with them; worked out once for as long as nothing of it changes."""
    spaces = box.spaces(seats)
    found, picks = [], []
    outlooks = outlook_of(box, player, tiles, markers, marker=marker)
    for order, (seen, row) in enumerate(zip(outlooks, markers, strict=True), start=1):
        tile = box.objectives[seen.tile]
        offers = tuple(
            [
                Offer(number, space.vp, space.gift, colour_of(owner, solo=seats == 1) if owner is not None else 0)
                for number, (space, owner) in enumerate(zip(spaces[tile.id], row, strict=True), start=1)
            ]
        )
        done = seen.space > 0
        found.append(
            Objective(
                number=order,
                tile=tile.id,
                item=tile.item,
                count=tile.count,
                needs=_needs(seen, tile.count),
                offers=offers,
                next=next((offer.number for offer in offers if not offer.taken), 1),
                done=done,
                closed=not done and not seen.free,
            )
        )
        patterns = [f"complete:{tile.id}:{offer.number}" for offer in offers]
        picks.append(tuple([pattern if pattern in picked else "" for pattern in patterns]))
    return Objectives(tuple(found), tuple(picks))


def _needs(seen: Outlook, count: int) -> tuple[str, ...]:
    """For each of the ``count`` items how it stands; a completed objective has them all."""
    if seen.space:
        return ("have",) * count
    have = min(seen.have, count)
    waived = seen.reduced and have < count
    lacking = count - have - waived
    return ("have",) * have + ("lacking",) * lacking + ("waived",) * waived


def enhancements(glance: Glance) -> Enhancements:
    """The piles and their prices."""
    coins = glance.view.players[glance.me].coins
    return Enhancements(
        tuple(
            [
                Stack(number, pile.cost, pile.left, pile.cost > coins)
                for number, pile in enumerate(glance.view.piles, start=1)
            ]
        )
    )
