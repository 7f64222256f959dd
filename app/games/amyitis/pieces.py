"""Everything on the table that can move, and the spots where something may be done: one picture."""

from collections.abc import Iterator
from functools import cache, lru_cache

import msgspec

from app.engine import notation
from app.games.amyitis.components import ROWS, TEMPLES, Box
from app.games.amyitis.garden import irrigated, water
from app.games.amyitis.glance import Glance
from app.games.amyitis.grid import Grid
from app.games.amyitis.majority import leader
from app.games.amyitis.rules import Rules
from app.games.amyitis.state import NOBODY, Realm


class Piece(msgspec.Struct, frozen=True):
    """One piece: where it is, in classes; which drawings it is made of; what a click on it stands for."""

    id: str
    place: str
    faces: tuple[str, ...]
    pick: str = ""
    changed: bool = False


class Spot(msgspec.Struct, frozen=True):
    """A place where something may be done now, and no piece lies that could be clicked instead."""

    place: str
    pick: str


class Pieces(msgspec.Struct, frozen=True):
    """The picture over the map: the spots, then all pieces in an order that stays."""

    spots: tuple[Spot, ...]
    pieces: tuple[Piece, ...]


def pieces(glance: Glance) -> Pieces:
    """The table's pieces as seen from one place."""
    picks, touched = glance.picks, glance.touched
    all_cards = "market" in touched
    lying = []
    for piece, pattern in _lying(glance.game, glance.realm, glance.order):
        pick = pattern if pattern in picks else ""
        changed = piece.id in touched or (all_cards and piece.id[0] == "k")
        lying.append(Piece(piece.id, piece.place, piece.faces, pick, changed) if pick or changed else piece)
    return Pieces(tuple(_spots(glance)), tuple(lying))


def cube(seat: int) -> str:
    """The drawing of a seat's cube, or of a grey one."""
    return f"am-c-{seat + 1}"


@cache
def square_place(grid: Grid, square: int) -> str:
    """Where a square lies, as a class."""
    return f"q-{grid.squares[square].lower()}"


@cache
def channel_place(grid: Grid, channel: int, place: int) -> str:
    """Where a place (from 1) of a channel lies: before or above the second of its two squares, in classes."""
    one, two = grid.ends[channel]
    side = "west" if two == one + 1 else "north"
    half = f" s{place}" if grid.places[channel] > 1 else ""
    return f"{side} {square_place(grid, two)}{half}"


def _spots(glance: Glance) -> Iterator[Spot]:
    """All that may be clicked now and is no piece."""
    box, realm = glance.box, glance.realm
    for action in glance.actions:
        pattern = notation.write(action)
        kind, _, name = pattern.partition(":")
        match kind:
            case "move":
                yield Spot(f"city at-{box.city_number[name]}", pattern)
            case "build":
                channel = box.grid.channel_number[name]
                yield Spot(f"channel {channel_place(box.grid, channel, len(realm.channels[channel]) + 1)}", pattern)
            case "farm":
                row = ROWS.index(name)
                yield Spot(f"row r{row} n{len(realm.fields[row]) + 1}", pattern)
            case "worship":
                yield Spot(f"temple t{TEMPLES.index(name)}", pattern)
            case "pass":
                yield Spot("rug", pattern)
            case _:
                pass


@lru_cache(maxsize=1024)
def _lying(game: Rules, realm: Realm, order: tuple[int, ...]) -> tuple[tuple[Piece, str], ...]:
    """All pieces, each with the pattern that it would stand for; ``order``: in which mats lie."""
    box = game.box
    return (
        *sorted(_tiles(box, realm, order), key=lambda each: each[0].id),
        *_cards(realm),
        *_cubes(box, realm),
        (Piece("caravan", f"caravan at-{realm.caravan}", ("am-the-caravan",)), ""),
    )


def _tiles(box: Box, realm: Realm, order: tuple[int, ...]) -> Iterator[tuple[Piece, str]]:
    """Tiles in the garden, each with whose water is most around it, and those on the mats."""
    wet = irrigated(box, realm)
    for square, tile in enumerate(realm.tiles):
        if tile:
            faces = [f"wet-{tile}" if wet >> square & 1 else f"dry-{tile}"]
            cubes = water(box, realm, square)
            if any(cubes):
                first = leader(cubes)
                faces.append(f"am-lead-{0 if first == NOBODY else first + 1}")
            piece = Piece(f"t-{tile}", f"tile {square_place(box.grid, square)}", tuple(faces))
            yield piece, f"plant:{box.grid.squares[square]}"
    for seat, player in enumerate(realm.players):
        mat = order.index(seat)
        for number, tile in enumerate(player.tiles, start=1):
            yield Piece(f"t-{tile}", f"tile on-mat m{mat} n{number}", (f"wet-{tile}",)), ""


def _cards(realm: Realm) -> Iterator[tuple[Piece, str]]:
    """The craft market; on a card that was hired lies the cube of whoever did."""
    for number, row in enumerate(realm.market, start=1):
        for card, (craft, taker) in enumerate(zip(row.cards, row.takers, strict=True), start=1):
            faces = (f"am-card-{craft}",) if taker == NOBODY else ("am-card-back", f"am-hired-{taker + 1}")
            name = f"k-{realm.round}-{number}-{card}"
            yield Piece(name, f"craft r{number} k{card}", faces), f"recruit:{number}:{card}"


def _cubes(box: Box, realm: Realm) -> Iterator[tuple[Piece, str]]:
    """Cubes in channels, fields and temples and on the pass space."""
    for channel, cubes in enumerate(realm.channels):
        for place, seat in enumerate(cubes, start=1):
            where = channel_place(box.grid, channel, place)
            yield Piece(f"c-{channel}-{place}", f"cube b{seat + 1} {where}", (cube(seat),)), ""
    for row, cubes in enumerate(realm.fields):
        for place, seat in enumerate(cubes, start=1):
            name = f"f-{row}-{realm.harvests[row]}-{place}"
            yield Piece(name, f"cube b{seat + 1} field r{row} n{place}", (cube(seat),)), ""
    for temple, cubes in enumerate(realm.temples):
        for place in range(len(cubes), 0, -1):
            seat = cubes[place - 1]
            name = f"w-{temple}-{realm.offered[temple] - place + 1}"
            yield Piece(name, f"cube b{seat + 1} niche t{temple} n{place}", (cube(seat),)), ""
    for place, seat in enumerate(realm.passed, start=1):
        yield Piece(f"p-{realm.round}-{seat}", f"cube b{seat + 1} mat-rug n{place}", (cube(seat),)), ""
