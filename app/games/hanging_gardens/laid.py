"""What lies in the gardens, and the places of mine where something can go."""

from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec

from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.garden import LEVELS, legal_places
from app.games.hanging_gardens.glance import Glance
from app.games.hanging_gardens.piece import Garden, Mark, Piece, Space
from app.games.hanging_gardens.standing import Ground, Standing, ground, standing
from app.games.hanging_gardens.state import Player, Spot, Take

CENTRE = 60
"""The middle of a card, in card units."""

AFTER_TIMES = 72
"""Where on a visitor's plinth what it likes is drawn, and how many of it there are is written."""


def gardens(glance: Glance) -> Iterator[Garden]:
    """What lies in each garden, my own with what I may do there."""
    for seat, player in enumerate(glance.view.players):
        own = seat == glance.me
        here = "in-garden" if own else f"in-mini o{glance.others.index(seat) + 1}"
        buys = frozenset([pick for pick in glance.picks if pick.startswith("buy:*:")]) if own else frozenset()
        cards, tiles = _laid(glance.box, player, glance.seats, here, own, buys)
        changed = glance.changed.intersection(_lying(player))
        yield (_marked(cards, changed), _marked(tiles, changed)) if changed else (cards, tiles)


def _marked(pieces: tuple[Piece, ...], changed: frozenset[object]) -> tuple[Piece, ...]:
    """The same pieces, those that just came marked."""
    return tuple(
        [
            msgspec.structs.replace(piece, changed=True) if piece.id.partition("-")[2] in changed else piece
            for piece in pieces
        ]
    )


@lru_cache(maxsize=2048)
def _lying(player: Player) -> tuple[str, ...]:
    """The cards and tiles of a garden, by id."""
    return tuple([piece for spot in player.garden for piece in (spot.card, spot.tile)])


@lru_cache(maxsize=4096)
def _laid(box: Box, player: Player, seats: int, here: str, own: bool, buys: frozenset[str]) -> Garden:
    """A garden as it lies somewhere, once for all who see it there, and for as long as nobody touches it."""
    look = standing(box, player, seats=seats)
    lay = ground(player)
    cards, tiles = [], []
    for spot in player.garden:
        where = (spot.level, spot.x)
        place = f"{here} l{spot.level} h{lay.half(*where)}"
        earns = look.earns.get(where, "")
        mark = _mark(look, where) if own else None
        now = _written(box, spot, look) if own else None
        pick = f"buy:*:{spot.level}:{spot.x}"
        pick = pick if pick in buys else ""
        card = Piece(
            id=f"card-{spot.card}",
            place=f"card {place}",
            faces=(f"face-{spot.card}",),
            pick=pick,
            holds=bool(pick),
            earns=earns,
            mark=None if spot.tile else mark,
            now=None if spot.tile else now,
        )
        cards.append(card)
        if spot.tile:
            tiles.append(
                Piece(
                    id=f"tile-{spot.tile}",
                    place=f"tile {place}",
                    faces=_faces(box, spot),
                    earns=earns,
                    mark=mark,
                    now=now,
                )
            )
    return tuple(cards), tuple(tiles)


def _faces(box: Box, spot: Spot) -> tuple[str, ...]:
    """What a tile on its card is drawn of; what hangs over the arch, leaves and flower, once more above it."""
    tile, card = box.tiles[spot.tile], box.cards[spot.card]
    channel = ["hg-channel"] if tile.irrigated and not card.irrigated else []
    return (*channel, f"face-{spot.tile}", "hg-leaves", *[f"hg-bloom-{flower}" for flower in card.flowers])


def _mark(look: Standing, place: tuple[int, int]) -> Mark | None:
    """The drop on a place, with the alignments in which it is marked."""
    state, shifts = "wanted", ""
    for alignment in look.alignments:
        if place in alignment.met:
            state, shifts = "met", f"{shifts}{alignment.shift}"
        elif place in alignment.dry or place in alignment.free:
            shifts = f"{shifts}{alignment.shift}"
    if not shifts:
        return None
    return Mark(state, shifts if len(look.alignments) > 1 else "")


def _written(box: Box, spot: Spot, look: Standing) -> tuple[float, int] | None:
    """What counts now on the plinth of a card, and where."""
    face, worth = box.face(spot.card, spot.tile), look.worth.get((spot.level, spot.x))
    if worth is None:
        return None
    if face.slot == "visitor":
        return AFTER_TIMES, worth.count
    values = box.animals[face.kind] if face.slot == "animal" else box.trees[face.kind]
    return plinth(values)[worth.count - 1], values[worth.count - 1]


@cache
def plinth(values: tuple[int, ...]) -> tuple[float, ...]:
    """Where along the plinth each value of a row is written; wide numbers are given more room."""
    gap = 8.5 if len(values) < 4 else 6
    widths = [7.5 * len(str(value)) + gap for value in values]
    start = CENTRE - sum(widths) / 2
    return tuple([round(start + sum(widths[:index]) + width / 2, 1) for index, width in enumerate(widths)])


def places(glance: Glance) -> tuple[Space, ...]:
    """The open places of my garden: those where a card may go, and those still in the air above it."""
    player = glance.view.players[glance.me]
    taking = any(isinstance(action, Take) for action in glance.actions)
    picks = frozenset([pick for pick in glance.picks if pick.startswith("take:*:*:")])
    return _spaces(glance.box, player, glance.seats, taking, picks)


@lru_cache(maxsize=4096)
def _spaces(box: Box, player: Player, seats: int, taking: bool, picks: frozenset[str]) -> tuple[Space, ...]:
    """The open places of a garden, once for as long as nobody builds there."""
    if len(player.garden) == sum(LEVELS):
        return ()
    lay = ground(player)
    look = standing(box, player, seats=seats)
    found = []
    for level, x in _open(player, lay):
        half = lay.half(level, x)
        shape = "place"
        if level == 1 and player.garden:
            shape = "place-left" if x < lay.left else "place-right"
        pattern = f"take:*:*:{level}:{x}"
        pick = pattern if pattern in picks else ""
        found.append(
            Space(
                place=f"in-garden l{level} h{half}",
                shape=shape,
                pick=pick,
                ask=pattern if taking and not pick else "",
                mark=_mark(look, (level, x)) if shape == "place" and player.garden else None,
            )
        )
    return tuple(found)


def _open(player: Player, lay: Ground) -> Iterator[tuple[int, int]]:
    taken = {(spot.level, spot.x) for spot in player.garden}
    legal = legal_places(player.garden)
    yield from legal
    if player.garden:
        above = [(level, lay.left + offset) for level in (2, 3) for offset in range(lay.run + 1 - level)]
        yield from [place for place in above if place not in taken and place not in legal]
