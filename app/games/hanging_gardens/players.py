"""The panels of the players: what everybody may know about each."""

import msgspec

from app.games.hanging_gardens.glance import Glance
from app.games.hanging_gardens.standing import EARNS, Standing


class Points(msgspec.Struct, frozen=True):
    """A part of the score, with the letter by which the cards that earn it are marked."""

    part: str
    letter: str
    points: int


class Account(msgspec.Struct, frozen=True):
    """What everybody may know about a player, the same for all who look.

    Whose turn it is, is not said here, so that only the panels of those to whom something happened are sent.
    """

    seat: int
    colour: int
    name: str
    first: bool
    total: int
    coins: int
    tools: int
    gardeners: int
    markers: int
    parts: tuple[Points, ...]


class Panel(msgspec.Struct, frozen=True):
    """A player, a zone each. ``order``: 0 for the one at the centre, then from 1; who is not there has the
    irrigation card beside the garden: its ``pattern``, and what that ``marks``."""

    order: int
    colour: int
    name: str
    account: Account
    pattern: str
    marks: tuple[tuple[int, ...], ...]


def players(glance: Glance) -> dict[str, Panel]:
    """One panel a player, the one at the centre first."""
    order = (glance.me, *glance.others)
    return {f"player-{number}": _panel(glance, seat, number) for number, seat in enumerate(order)}


def _panel(glance: Glance, seat: int, number: int) -> Panel:
    view = glance.view
    player = view.players[seat]
    standing = glance.standing(seat)
    account = Account(
        seat=seat,
        colour=glance.colour(seat),
        name=glance.names[seat],
        first=view.holder == seat,
        total=standing.total,
        coins=player.coins,
        tools=player.tools,
        gardeners=player.gardeners,
        markers=glance.markers - len(player.objectives),
        parts=points(standing),
    )
    card = glance.box.irrigation[player.irrigation]
    return Panel(number, account.colour, account.name, account, card.id, card.marks)


def points(standing: Standing) -> tuple[Points, ...]:
    """The parts of a score in the order of the score pad."""
    return tuple([Points(part.name, EARNS.get(part.name, "o"), part.points) for part in standing.parts])
