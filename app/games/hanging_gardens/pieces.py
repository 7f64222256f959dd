"""Everything on the table that can move, and the places where it can go: one picture, all pieces siblings."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import repeat
from operator import attrgetter

import msgspec

from app.games.hanging_gardens.garden import legal_places
from app.games.hanging_gardens.glance import Glance, colour_of
from app.games.hanging_gardens.laid import gardens, places
from app.games.hanging_gardens.piece import Piece, Space
from app.games.hanging_gardens.state import Take

_id = attrgetter("id")


class Pieces(msgspec.Struct, frozen=True):
    """The picture over the board: my open places, then all pieces, cards before what lies on them."""

    places: tuple[Space, ...]
    pieces: tuple[Piece, ...]


def pieces(glance: Glance) -> Pieces:
    """The table's pieces as seen from one place."""
    cards = _market(glance)
    tiles = list(_piles(glance))
    for laid, above in gardens(glance):
        cards += laid
        tiles += above
    cards.sort(key=_id)
    tiles.sort(key=_id)
    return Pieces(
        places=places(glance),
        pieces=(*cards, *tiles, *_gardeners(glance), *_markers(glance)),
    )


# The market, the piles, the ledges


def _market(glance: Glance) -> list[Piece]:
    capacity = glance.box.capacity(glance.seats)
    taking = any(isinstance(action, Take) for action in glance.actions)
    sole = len(legal_places(glance.view.players[glance.me].garden)) == 1
    cards: list[Piece] = []
    for column, (lie, ledge) in enumerate(zip(glance.view.market, glance.view.ledges, strict=True), start=1):
        picks = [glance.pick(f"take:{column}:{row}:*:*") for row in range(1, len(lie) + 1)] if taking else ()
        closed = len(ledge) >= capacity[column - 1]
        cards += _column(column, lie, closed, tuple(picks), sole, glance.changed.intersection(lie))
    return cards


@lru_cache(maxsize=4096)
def _column(
    column: int, cards: tuple[str, ...], closed: bool, picks: tuple[str, ...], sole: bool, changed: frozenset[object]
) -> tuple[Piece, ...]:
    """A column of the market, once for as long as nobody takes a card from it."""
    shut = " closed" if closed else ""
    return tuple(
        [
            _offered(card, f"c{column} r{row}{shut}", pick, sole, card in changed)
            for row, (card, pick) in enumerate(zip(cards, picks or repeat(""), strict=False), start=1)
        ]
    )


@lru_cache(maxsize=4096)
def _offered(card: str, place: str, pick: str, sole: bool, changed: bool) -> Piece:
    """A card of the market, once for as long as it lies there."""
    return Piece(
        id=f"card-{card}",
        place=f"card in-market {place}",
        faces=(f"face-{card}",),
        pick=pick,
        waits=sole,
        tells=True,
        changed=changed,
    )


def _piles(glance: Glance) -> Iterator[Piece]:
    for number, pile in enumerate(glance.view.piles, start=1):
        if pile.top:
            yield Piece(
                id=f"tile-{pile.top}",
                place=f"tile in-pile p{number}",
                faces=(f"face-{pile.top}",),
                pick=glance.pick(f"buy:{pile.cost}:*:*"),
                tells=True,
                changed=pile.top in glance.changed,
            )


def _gardeners(glance: Glance) -> tuple[Piece, ...]:
    capacity = glance.box.capacity(glance.seats)
    return _standing_there(glance.view.ledges, capacity, glance.solo, glance.latest_gardener())


@lru_cache(maxsize=2048)
def _standing_there(
    ledges: tuple[tuple[int, ...], ...], capacity: tuple[int, ...], solo: bool, latest: tuple[int, int] | None
) -> tuple[Piece, ...]:
    """All gardeners on their ledges, once for as long as nobody joins them."""
    return tuple(
        [
            Piece(
                id=f"gardener-{column}-{stand}",
                place=f"gardener on-ledge c{column} n{stand} of-{spaces}",
                faces=(f"hg-gardener-{colour_of(seat, solo=solo)}",),
                changed=(column, stand) == latest,
            )
            for column, (ledge, spaces) in enumerate(zip(ledges, capacity, strict=True), start=1)
            for stand, seat in enumerate(ledge, start=1)
        ]
    )


def _markers(glance: Glance) -> tuple[Piece, ...]:
    new = frozenset([piece for piece in glance.changed if isinstance(piece, tuple)])
    return _lying_there(glance.view.objectives, glance.view.spaces, glance.solo, new)


@lru_cache(maxsize=2048)
def _lying_there(
    tiles: tuple[str, ...], spaces: tuple[tuple[int | None, ...], ...], solo: bool, new: frozenset[object]
) -> tuple[Piece, ...]:
    """All markers on their objectives, once for as long as nobody completes one."""
    found = []
    for number, (tile, row) in enumerate(zip(tiles, spaces, strict=True), start=1):
        for space, seat in enumerate(row, start=1):
            if seat is not None:
                colour = colour_of(seat, solo=solo)
                found.append(
                    Piece(
                        id=f"marker-{colour}-{number}",
                        place=f"marker on-objective t{number} n{space} of-{len(row)}",
                        faces=(f"hg-marker-{colour}",),
                        changed=(tile, space) in new,
                    )
                )
    return tuple(found)
