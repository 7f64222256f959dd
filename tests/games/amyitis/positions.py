"""Positions of Amyitis, drawn as text.

Channels are written ``B4-C4[a], B2-C2[a,N]``: the seats' cubes as small letters, ``N`` for grey ones. Cubes in
fields and temples are words of the same letters, the entry first: ``"abbc"``. Goods are words: ``"salt salt wine"``.
"""

import re
from typing import Any

import msgspec

from app.engine import notation
from app.engine.contract import Broken, Event, Step
from app.engine.rng import Chance, Rng
from app.games import load
from app.games.amyitis import garden, stages
from app.games.amyitis.components import ROWS, TEMPLES
from app.games.amyitis.grid import members
from app.games.amyitis.rules import Rules
from app.games.amyitis.state import NEUTRAL, NOBODY, Goods, Player, Realm, Row, State

LOADED = load("amyitis")
assert isinstance(LOADED, Rules)
GAME: Rules = LOADED
BOX = GAME.box
GRID = BOX.grid
A, B, C, D = range(4)


def dealt(seats: int = 4, *, profile: str = "standard", seed: str = "amyitis", **deal: str) -> State:
    """A new table where A begins; ``deal`` fixes piles (``-`` written as ``_``)."""
    piles = {name.replace("_", "-"): items.split() for name, items in {"start": "A", **deal}.items()}
    chance = Chance(Rng(seed), piles)
    state = GAME.setup(seats, GAME.options_for(seats, {"profile": profile}), chance)
    chance.done()
    return state


def goods(words: str) -> Goods:
    """Counts in the order of the box."""
    held = words.split()
    assert set(held) <= set(BOX.resource_ids)
    return tuple(held.count(name) for name in BOX.resource_ids)


def held(state: State, seat: int) -> str:
    """A seat's tokens as words, in the order of the box."""
    counts = state.realm.players[seat].goods
    assert min(counts) >= 0
    return " ".join(name for name, count in zip(BOX.resource_ids, counts, strict=True) for _ in range(count))


def changed(state: State, **changes: Any) -> State:
    """The table with parts of the realm changed."""
    return msgspec.structs.replace(state, realm=msgspec.structs.replace(state.realm, **changes))


def owning(state: State, seat: int, **changes: Any) -> State:
    """The table with parts of a seat's belongings changed; ``goods`` as words, ``vp`` as points from tiles."""
    if "goods" in changes:
        changes["goods"] = goods(changes["goods"])
    if "vp" in changes:
        changes["points"] = (changes.pop("vp"), *(0,) * 8)
    players = list(state.realm.players)
    players[seat] = msgspec.structs.replace(players[seat], **changes)
    return changed(state, players=tuple(players))


def cubes(letters: str) -> tuple[int, ...]:
    """Seats by their small letters, ``N`` for grey."""
    return tuple(NEUTRAL if letter == "N" else "abcd".index(letter) for letter in letters)


def letters(seats: tuple[int, ...]) -> str:
    """The other way round."""
    return "".join("N" if seat == NEUTRAL else "abcd"[seat] for seat in seats)


def watered(state: State, text: str) -> State:
    """The table with these cubes in channels, all others empty."""
    channels: list[tuple[int, ...]] = [()] * len(GRID.channels)
    for name, inside in re.findall(r"([A-D]\d-[A-D]\d)\[([a-dN,]+)\]", text):
        channels[GRID.channel_number[name]] = cubes(inside.replace(",", ""))
    assert text.count("[") == sum(bool(channel) for channel in channels)
    return changed(state, channels=tuple(channels))


def in_channels(state: State) -> str:
    """The channels with cubes, as they are written."""
    return ", ".join(
        f"{name}[{','.join(letters(inside))}]"
        for name, inside in zip(GRID.channels, state.realm.channels, strict=True)
        if inside
    )


def with_tile(state: State, square: str, tile: str) -> State:
    """The table with that tile on a square; where it lay before, the square's old one."""
    tiles = list(state.realm.tiles)
    at = GRID.square_number[square]
    if tile in tiles:
        tiles[tiles.index(tile)] = tiles[at]
    tiles[at] = tile
    return changed(state, tiles=tuple(tiles))


def without_tiles(state: State, left: int) -> State:
    """The table with only so many tiles on the board, the last squares first emptied."""
    tiles = list(state.realm.tiles)
    for square in reversed(range(len(tiles))):
        if len(tiles) - tiles.count("") > left:
            tiles[square] = ""
    return changed(state, tiles=tuple(tiles))


def field(state: State, row: str, inside: str) -> State:
    """The table with these cubes in a row of fields."""
    fields = list(state.realm.fields)
    fields[ROWS.index(row)] = cubes(inside)
    return changed(state, fields=tuple(fields))


def temple(state: State, name: str, inside: str) -> State:
    """The table with these cubes in a temple, the entry first."""
    temples = list(state.realm.temples)
    temples[TEMPLES.index(name)] = cubes(inside)
    return changed(state, temples=tuple(temples))


def market(state: State, *rows: str) -> State:
    """The table with these characters to hire; one in capital letters has been taken."""
    return changed(
        state,
        market=tuple(
            Row(
                tuple(card.lower() for card in row.split()),
                tuple(A if card.isupper() else NOBODY for card in row.split()),
            )
            for row in rows
        ),
    )


def caravan(state: State, city: str, *, turned: str = "") -> State:
    """The table with the caravan in a city, and the plant cards of the cities named in ``turned`` turned over."""
    plants = list(state.realm.plants)
    for name in turned.split():
        at = BOX.plant_number[BOX.city_number[name]]
        plants[at] = msgspec.structs.replace(plants[at], face=1 - plants[at].face)
    return changed(state, caravan=BOX.city_number[city], plants=tuple(plants))


def asked(state: State, seat: int, stage: str) -> State:
    """The table with that decision open."""
    return changed(state, seat=seat, stage=stage)


def turn_of(state: State, seat: int) -> State:
    """The table with that seat to act."""
    return changed(state, active=seat, seat=seat, stage=stages.ACT)


def all_passed_but(state: State, seat: int) -> State:
    """The last one left to act in this round."""
    others = tuple(each for each in range(state.realm.seats) if each != seat)
    return changed(turn_of(state, seat), passed=others)


def player(state: State, seat: int) -> Player:
    """A seat's belongings."""
    return state.realm.players[seat]


def vp(state: State) -> tuple[int, ...]:
    """Everybody's points."""
    return tuple(each.vp for each in state.realm.players)


def scored(state: State, seat: int) -> dict[str, int]:
    """A seat's points by source, where there are any."""
    return {part: points for part, points in GAME.scores(state)[seat].parts if points}


def legal(state: State, seat: int, kind: str = "") -> list[str]:
    """The seat's legal actions (of one kind) as text."""
    texts = [notation.write(action) for action in GAME.actions(state, seat)]
    return [text for text in texts if not kind or text.split(":")[0] == kind]


def refused(state: State, seat: int, text: str) -> Broken:
    """Why the action is not legal."""
    broken = GAME.why_not(state, seat, notation.parse(GAME, text))
    assert broken is not None, f"{text} is legal"
    assert not GAME.allows(state, seat, notation.parse(GAME, text))
    return broken


def step(state: State, seat: int, text: str) -> Step[State]:
    """What comes of a legal action."""
    action = notation.parse(GAME, text)
    assert GAME.why_not(state, seat, action) is None, GAME.why_not(state, seat, action)
    return GAME.apply(state, seat, action)


def play(state: State, *lines: str) -> State:
    """The table after these actions, written ``A pass``."""
    for line in lines:
        letter, text = line.split()
        state = step(state, "ABCD".index(letter), text).state
    return state


def told(state: State, seat: int, text: str) -> tuple[Event, ...]:
    """The events of a legal action."""
    return step(state, seat, text).events


def squares(mask: int) -> list[str]:
    """A set of squares by name."""
    return sorted(GRID.squares[square] for square in members(mask))


def channels(mask: int) -> list[str]:
    """A set of channels by name."""
    return [GRID.channels[channel] for channel in members(mask)]


def wet(state: State) -> str:
    """The garden as four lines: ``#`` where a square is irrigated."""
    mask = garden.irrigated(BOX, state.realm)
    marks = ["#" if mask >> square & 1 else "." for square in range(16)]
    return "\n".join(" ".join(marks[row : row + 4]) for row in range(0, 16, 4))


def thirsty(realm: Realm) -> list[str]:
    """The irrigated squares that still carry a tile."""
    return squares(garden.ready(BOX, realm))
