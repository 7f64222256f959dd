"""What lies on the table, what is hidden, and what a seat may see of both."""

import msgspec

from app.engine.rng import Rng

Goods = tuple[int, ...]
"""How many resource tokens of each kind, in the order of the box."""

NEUTRAL = -1
"""Stands for a seat where a cube is grey."""

NOBODY = -2
"""Stands for a seat where there is none."""

SOURCES = (
    "tiles",
    "water",
    "channels",
    "sales",
    "palaces",
    "bankers",
    "temples",
    "bonus",
    "leftovers",
)
"""Where victory points come from; :attr:`Player.points` counts in this order (9)."""


class Player(msgspec.Struct, frozen=True):
    """One seat's belongings. Levels are those of the highest court card owned; 0: no banker, no palace (8.4)."""

    talents: int
    camels: int
    goods: Goods
    caravaneer: int = 0
    banker: int = 0
    palace: int = 0
    gardeners: int = 0
    tiles: tuple[str, ...] = ()
    points: tuple[int, ...] = (0,) * len(SOURCES)

    @property
    def vp(self) -> int:
        """Victory points scored so far (Q28)."""
        return sum(self.points)


class Row(msgspec.Struct, frozen=True):
    """A row of the craft market: its characters, and who took each (:data:`NOBODY`: it lies face up) (7.1)."""

    cards: tuple[str, ...]
    takers: tuple[int, ...]


class Plant(msgspec.Struct, frozen=True):
    """The plant card of a city and which face is up, 0 or 1 (8.2)."""

    card: str
    face: int


class Realm(msgspec.Struct, frozen=True):
    """All that lies open: states and views share it, and every question about the table is asked of it.

    ``stage`` is the kind of decision that is open (``over`` at the end) and ``seat`` who must take it
    (:data:`NOBODY` while several discard). ``active`` is whose turn it is; ``planting`` the square whose tile
    reward is being chosen, or -1. ``turn`` numbers the turns of the whole game.

    ``tiles`` and ``planters`` go by square: the tile that lies there ("" where none does), and who planted it.
    ``channels`` holds the cubes in each channel, ``fields`` those of the upper and the lower row from the left,
    ``temples`` those of Ishtar, Marduk and Tammuz from the entry. A cube is the seat it belongs to, or
    :data:`NEUTRAL`. ``offered`` counts the cubes ever put into each temple and ``harvests`` how often each row
    was emptied, so that a cube can be told from the next.

    ``court`` counts the copies left of level 1, 2 … for caravaneers, bankers and palaces; ``tokens`` are the
    resources on the caravaneers of the last level that are left; ``gardeners`` is the pool.
    """

    profile: str
    round: int
    turn: int
    start: int
    active: int
    stage: str
    seat: int
    planting: int
    players: tuple[Player, ...]
    passed: tuple[int, ...]
    market: tuple[Row, ...]
    tiles: tuple[str, ...]
    planters: tuple[int, ...]
    channels: tuple[tuple[int, ...], ...]
    fields: tuple[tuple[int, ...], ...]
    harvests: tuple[int, ...]
    temples: tuple[tuple[int, ...], ...]
    offered: tuple[int, ...]
    caravan: int
    plants: tuple[Plant, ...]
    court: tuple[tuple[int, ...], ...]
    tokens: tuple[str, ...]
    gardeners: int

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.players)


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole table. Hidden: the craft cards not laid out, the tiles set aside, the discards that seats have
    sealed in the storage step and not yet opened, and the chance of later rounds; ``dealt``: the craft cards of later
    rounds as a written deal names them, from the second on."""

    realm: Realm
    deck: tuple[str, ...]
    aside: tuple[str, ...]
    sealed: tuple[Goods, ...]
    rng: Rng
    dealt: tuple[tuple[str, ...], ...] = ()


class View(msgspec.Struct, frozen=True):
    """What a seat knows: all that lies open, how much is hidden, and the discards that it has sealed itself."""

    seat: int | None
    realm: Realm
    deck: int
    aside: int
    sealed: tuple[int, ...]
    discards: Goods


def with_player(realm: Realm, seat: int, player: Player) -> Realm:
    """The realm with that seat's belongings changed."""
    players = realm.players
    return msgspec.structs.replace(realm, players=(*players[:seat], player, *players[seat + 1 :]))


def scored(player: Player, source: str, vp: int) -> Player:
    """The player with points more from one of the :data:`SOURCES`."""
    at = SOURCES.index(source)
    points = player.points
    return msgspec.structs.replace(player, points=(*points[:at], points[at] + vp, *points[at + 1 :]))
