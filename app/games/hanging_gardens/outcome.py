"""What would come of an action: points part by part, what is paid, what is gained; nothing hidden is asked."""

from collections.abc import Iterator, Sequence

import msgspec

from app.engine import notation
from app.engine.look import Look
from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.components import Enhancement, GardenCard
from app.games.hanging_gardens.gardening import richer, with_card, with_player, with_tile
from app.games.hanging_gardens.objectives import outlook
from app.games.hanging_gardens.rules import Rules
from app.games.hanging_gardens.scoring import PARTS, flower_groups, points_by_part, tree_groups
from app.games.hanging_gardens.standing import standing
from app.games.hanging_gardens.state import Buy, Choice, Complete, Player, Take, View

replace = msgspec.structs.replace

SAME = {"take": 3, "buy": 2}
"""How many words of an action say which card, or which tile, it is about."""


class Change(msgspec.Struct, frozen=True):
    """A part of the score that changes. ``kind``: the species, colour or animal in question, else the part;
    ``before`` and ``after``: how many there are in it (equal: not worth telling)."""

    part: str
    kind: str
    before: int
    after: int
    points: int


class Goal(msgspec.Struct, frozen=True):
    """An objective that could be completed once this is done."""

    item: str
    count: int


class Outcome(msgspec.Struct, frozen=True):
    """The bubble: points in all, change by change; tools or coins paid; what is gained at once.

    ``marker``: the first-player marker would change hands. ``ends``: nothing more could be chosen in this turn;
    ``stands``: something hidden comes to light, so it cannot be taken back.
    """

    action: str
    points: int = 0
    changes: tuple[Change, ...] = ()
    paid: int = 0
    currency: str = ""
    gained: int = 0
    gift: str = ""
    marker: bool = False
    goals: tuple[Goal, ...] = ()
    ends: bool = False
    stands: bool = False


class Prospect(msgspec.Struct, frozen=True):
    """What is to be had for a card of the market or a tile, before its place is chosen: the least and the most."""

    card: GardenCard | None
    tile: Enhancement | None
    points: tuple[int, int]
    paid: int
    currency: str
    gained: tuple[int, int]
    gift: str
    marker: bool


def prospect(game: Rules, look: Look[View, Choice], outcomes: Sequence[Outcome]) -> Prospect | None:
    """What those actions have in common, if all of them take the same card or buy the same tile."""
    box, view = game.box, look.view
    words = [outcome.action.split(":") for outcome in outcomes]
    wanted = {tuple(action[: SAME.get(action[0], 1)]) for action in words}
    what, *which = wanted.pop()
    if wanted or what not in SAME:
        return None
    card = tile = None
    if what == "take":
        column, row = map(int, which)
        card = box.cards[view.market[column - 1][row - 1]]
    else:
        tile = box.tiles[next(pile.top for pile in view.piles if pile.cost == int(which[0]))]
    first = outcomes[0]
    points = [outcome.points for outcome in outcomes]
    gained = [outcome.gained for outcome in outcomes]
    return Prospect(
        card=card,
        tile=tile,
        points=(min(points), max(points)),
        paid=first.paid,
        currency=first.currency,
        gained=(min(gained), max(gained)),
        gift=first.gift,
        marker=first.marker,
    )


def consequence(game: Rules, look: Look[View, Choice], action: Choice) -> Outcome:
    """What would come of a legal action of the viewer."""
    assert look.seat is not None, "a spectator has no actions"
    box, view, seat = game.box, look.view, look.seat
    player = view.players[seat]
    text = notation.write(action)
    stands = False
    match action:
        case Take():
            card = box.cards[view.market[action.column - 1][action.row - 1]]
            paid = box.tool_cost[action.row - 1]
            after = with_card(box, player, card.id, paid=paid, level=action.level, x=action.x)
            bonus, amount, currency = card.bonus, action.level, "tool"
            stands = view.deck > 0
        case Buy():
            pile = next(pile for pile in view.piles if pile.cost == action.cost)
            tile = box.tiles[pile.top]
            stands = pile.left > 1
            after = with_tile(box, player, tile.id, level=action.level, x=action.x)
            bonus, amount, paid, currency = tile.bonus, action.level, action.cost, "coin"
        case Complete():
            space = box.spaces(len(view.players))[action.tile][action.space - 1]
            after = replace(
                richer(player, space.gift, 1), objectives=(*player.objectives, (action.tile, action.space))
            )
            bonus, amount, paid, currency = space.gift, 1, 0, ""
        case _:
            return Outcome(text)
    changes = tuple(_changes(box, player, after, seats=len(view.players)))
    ends = _ends(box, view, seat, after, action, crown=bonus == "crown")
    return Outcome(
        action=text,
        points=sum(change.points for change in changes),
        changes=changes,
        paid=paid,
        currency=currency,
        gained=0 if bonus in {"none", "crown"} else amount,
        gift="" if bonus in {"none", "crown"} else bonus,
        marker=bonus == "crown" and view.holder != seat,
        goals=() if isinstance(action, Complete) else _goals(box, view, seat, after, crown=bonus == "crown"),
        ends=ends,
        stands=stands or (ends and view.automaton is not None),
    )


def _ends(box: Box, view: View, seat: int, after: Player, action: Choice, *, crown: bool) -> bool:
    """Whether the turn would be over (5.3): nothing that could be bought, no objective that could be completed."""
    if isinstance(action, Complete):
        return True
    payable = any(pile.left and pile.cost <= after.coins for pile in view.piles)
    if isinstance(action, Take) and payable and any(box.face(spot.card, spot.tile).empty for spot in after.garden):
        return False
    then = replace(view, players=with_player(view.players, seat, after), holder=seat if crown else view.holder)
    return not any(seen.possible for seen in outlook(box, then, seat))


def _changes(box: Box, before: Player, after: Player, *, seats: int) -> Iterator[Change]:
    """Part by part; flowers by colour and trees by species, so that one sees which group grew."""
    old = points_by_part(box, before, seats=seats)
    new = points_by_part(box, after, seats=seats)
    for part, less, more in zip(PARTS, old, new, strict=True):
        if less == more:
            continue
        if part == "irrigation":
            yield Change(part, part, _met(box, before, seats), _met(box, after, seats), more - less)
        elif part == "flowers":
            yield from _by_kind(part, _flowers(box, before), _flowers(box, after))
        elif part == "trees":
            yield from _by_kind(part, _trees(box, before), _trees(box, after))
        else:
            yield Change(part, part, 0, 0, more - less)


def _by_kind(part: str, before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> Iterator[Change]:
    for kind, (size, points) in after.items():
        old_size, old_points = before.get(kind, (0, 0))
        if points != old_points:
            yield Change(part, kind, old_size, size, points - old_points)


def _met(box: Box, player: Player, seats: int) -> int:
    found = standing(box, player, seats=seats)
    return len(found.alignments[found.best].met)


def _flowers(box: Box, player: Player) -> dict[str, tuple[int, int]]:
    return {group.colour: (group.flowers, group.points) for group in flower_groups(box, player.garden)}


def _trees(box: Box, player: Player) -> dict[str, tuple[int, int]]:
    """By species: how many trees in all, and what its groups give."""
    found: dict[str, tuple[int, int]] = {}
    for group in tree_groups(box, player.garden):
        size, points = found.get(group.species, (0, 0))
        found[group.species] = size + len(group.spots), points + group.points
    return found


def _goals(box: Box, view: View, seat: int, after: Player, *, crown: bool) -> tuple[Goal, ...]:
    """The objectives that could be completed afterwards and cannot be now."""
    then = replace(view, players=with_player(view.players, seat, after), holder=seat if crown else view.holder)
    now = {seen.tile for seen in outlook(box, view, seat) if seen.possible}
    found = []
    for seen in outlook(box, then, seat):
        if seen.possible and seen.tile not in now:
            tile = box.objectives[seen.tile]
            found.append(Goal(tile.item, tile.count))
    return tuple(found)
