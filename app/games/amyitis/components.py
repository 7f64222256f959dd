"""What is in the box: the edition file as typed values. Section numbers are those of RULES.md."""

from functools import cached_property
from typing import Annotated, Generic, Literal, TypeVar

import msgspec

from app.games.amyitis.grid import Grid

T = TypeVar("T")

Status = Literal["confirmed", "inferred", "proposed"]
Track = Literal["caravaneer", "banker", "palace"]
Craft = Literal["peasant", "priest", "engineer", "merchant"]
Reward = Literal["", "caravaneer", "banker", "palace", "choice"]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]

TRACKS = ("caravaneer", "banker", "palace")
CRAFTS = ("peasant", "priest", "engineer", "merchant")
TEMPLES = ("ishtar", "marduk", "tammuz")
ROWS = ("upper", "lower")
GARDENER = "gardener"


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the edition file; a key that is not known is refused."""


class BySeats(Part, Generic[T], frozen=True, rename={"two": "2", "three": "3", "four": "4"}):
    """A value for each number of players."""

    two: T
    three: T
    four: T

    def at(self, seats: int) -> T:
        """The value for that many players (2 to 4)."""
        return (self.two, self.three, self.four)[seats - 2]


class About(Part, frozen=True):
    """What the edition calls itself, and the weakest status of anything in it."""

    name: str
    status: Status


class Profile(Part, frozen=True):
    """The two places where readings of the rules differ (Q1, Q2)."""

    neutral_fill: Literal["all_sides", "between_planted"]
    second_rank_with_two_players: bool


class Profiles(Part, frozen=True):
    """The rule profiles that a table can choose from."""

    standard: Profile
    rulebook: Profile


class Resource(Part, frozen=True):
    """A kind of resource token and how many are in the box (1)."""

    id: str
    count: Positive
    wild: bool = False
    status: Status = "confirmed"


class Setup(Part, frozen=True):
    """What every player begins with (2)."""

    talents: Count
    camels: Count


class CraftCard(Part, frozen=True):
    """A character: how many cards by number of players, and what it gives at once (7.2)."""

    id: Craft
    count: BySeats[Count]
    vp: Count = 0
    camels: Count = 0
    status: Status = "confirmed"


class CraftCards(Part, frozen=True):
    """The market: rows by number of players; ``prices`` by face-down cards, so as many as cards in a row (7.1)."""

    rows: BySeats[Positive]
    prices: tuple[Count, ...]
    cards: tuple[CraftCard, ...]


class Caravaneer(Part, frozen=True):
    """A level of the caravaneer track; level 0, which everybody owns, has no copies to be had (8.4)."""

    move_bonus: Count
    storage: Count
    copies: BySeats[Positive] | None = None
    token: bool = False
    status: Status = "confirmed"


class Banker(Part, frozen=True):
    """A level of the banker track: its income each round (7.1)."""

    copies: BySeats[Positive]
    talents: Count = 0
    vp: Count = 0
    status: Status = "confirmed"


class Palace(Part, frozen=True):
    """A level of the palace track: its points at once (8.4)."""

    copies: BySeats[Positive]
    vp: Count
    status: Status = "confirmed"


class Court(Part, frozen=True):
    """The court cards, each track by level (8.4)."""

    gardeners: Positive
    caravaneer: tuple[Caravaneer, ...]
    banker: tuple[Banker, ...]
    palace: tuple[Palace, ...]


class City(Part, frozen=True):
    """A city: where one sells, plants, or takes court cards of one of two tracks (3.1)."""

    id: str
    kind: Literal["sale", "plant", "court"]
    resource: str = ""
    tracks: tuple[Track, ...] = ()
    status: Status = "confirmed"


class Caravan(Part, frozen=True):
    """The cities clockwise, the longest move, and the points for selling 1, 2 … resources (3)."""

    longest: Positive
    sale_vp: tuple[Count, ...]
    cities: tuple[City, ...]


class Face(Part, frozen=True):
    """One side of a plant card: its quality, and the extra resource it costs (8.2)."""

    quality: Positive
    extra: str = ""


class PlantCard(Part, frozen=True):
    """A plant card and the city it belongs to; none: dealt to one of the plant cities left (8.2)."""

    id: str
    faces: tuple[Face, Face]
    city: str = ""
    status: Status = "confirmed"


class GardenBoard(Part, frozen=True):
    """The garden: floor by row and column, quality needed by floor, places by channel (4)."""

    columns: str
    floors: tuple[tuple[Positive, ...], ...]
    required: tuple[Positive, ...]
    river: tuple[Literal["bottom", "right"], ...]
    empty: BySeats[tuple[str, ...]]
    places: dict[str, Positive]


class Tile(Part, frozen=True):
    """A garden tile: what it brings, and the square where it always lies, if any (8.5)."""

    id: str
    quality: Positive
    vp: Count
    talents: Count = 0
    camels: Count = 0
    court: Reward = ""
    square: str = ""
    status: Status = "confirmed"


class Fields(Part, frozen=True):
    """The two rows of fields, from the left (5)."""

    upper: tuple[str, ...]
    lower: tuple[str, ...]


class Ishtar(Part, frozen=True):
    """What the first takes one of and the second the other (6)."""

    camels: Positive
    talents: Positive


class Marduk(Part, frozen=True):
    """Points for the first and the second (6)."""

    vp: tuple[Count, Count]


class Temples(Part, frozen=True):
    """The temples (6)."""

    places: Positive
    ishtar: Ishtar
    marduk: Marduk


class Bonus(Part, frozen=True):
    """From so many tiles on, so many points (9)."""

    tiles: Positive
    vp: Positive


class End(Part, frozen=True):
    """When the game ends, and what counts then (9)."""

    tiles_left: BySeats[Count]
    token_vp: Count
    bonus: BySeats[tuple[Bonus, ...]]


class Box(Part, frozen=True, dict=True):
    """All that is in the box.

    Resources, cities, squares and channels go by their number in the order of the file, and goods are counts
    in the order of :attr:`resource_ids`; the properties below translate.
    """

    about: About
    profiles: Profiles
    resources: tuple[Resource, ...]
    setup: Setup
    craft: CraftCards
    court: Court
    caravan: Caravan
    plants: tuple[PlantCard, ...]
    garden: GardenBoard
    tiles: tuple[Tile, ...]
    fields: Fields
    temples: Temples
    end: End

    def profile(self, name: str) -> Profile:
        """The rule profile of that name."""
        return self.profiles.rulebook if name == "rulebook" else self.profiles.standard

    @cached_property
    def grid(self) -> Grid:
        """The garden's squares and channels as numbers (4)."""
        board = self.garden
        return Grid(
            columns=board.columns,
            floors=board.floors,
            required=board.required,
            river=board.river,
            places=board.places,
        )

    @cached_property
    def resource_ids(self) -> tuple[str, ...]:
        """The resources in the order in which goods are counted."""
        return tuple(resource.id for resource in self.resources)

    @cached_property
    def resource_number(self) -> dict[str, int]:
        """The place of each resource in that order."""
        return {name: number for number, name in enumerate(self.resource_ids)}

    @cached_property
    def wild(self) -> int:
        """The number of the resource that stands for any other (wine)."""
        return next(number for number, resource in enumerate(self.resources) if resource.wild)

    @cached_property
    def city_number(self) -> dict[str, int]:
        """Each city's steps clockwise from the first."""
        return {city.id: number for number, city in enumerate(self.caravan.cities)}

    @cached_property
    def plant_number(self) -> dict[int, int]:
        """For each plant city (by number) its place among the plant cities."""
        plants = [number for number, city in enumerate(self.caravan.cities) if city.kind == "plant"]
        return {number: place for place, number in enumerate(plants)}

    @cached_property
    def plant_cards(self) -> dict[str, PlantCard]:
        """The plant cards by id."""
        return {card.id: card for card in self.plants}

    @cached_property
    def tile(self) -> dict[str, Tile]:
        """The garden tiles by id."""
        return {tile.id: tile for tile in self.tiles}

    @cached_property
    def crafts(self) -> dict[str, CraftCard]:
        """The characters by id."""
        return {card.id: card for card in self.craft.cards}

    @cached_property
    def field_rows(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the resources of the upper and the lower row (5)."""
        rows = (self.fields.upper, self.fields.lower)
        return tuple(tuple(self.resource_number[name] for name in row) for row in rows)

    @cached_property
    def prices(self) -> tuple[tuple[int, ...], ...]:
        """The resource (by number) that each city asks for; none in the city of the sale (3.1)."""
        return tuple((self.resource_number[city.resource],) if city.resource else () for city in self.caravan.cities)

    @cached_property
    def extras(self) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        """For each plant card the extra resource (by number) of its two faces (8.2)."""
        number = self.resource_number
        return {
            card.id: (
                (number[card.faces[0].extra],) if card.faces[0].extra else (),
                (number[card.faces[1].extra],) if card.faces[1].extra else (),
            )
            for card in self.plants
        }

    def empty_squares(self, seats: int) -> frozenset[int]:
        """The squares that get no tile with so many players (4.2)."""
        return frozenset(self.grid.square_number[name] for name in self.garden.empty.at(seats))

    def craft_deck(self, seats: int) -> tuple[str, ...]:
        """The craft cards in use with so many players, in the order of the file (2)."""
        return tuple(card.id for card in self.craft.cards for _ in range(card.count.at(seats)))

    def court_copies(self, seats: int) -> tuple[tuple[int, ...], ...]:
        """For each of the :data:`TRACKS` the copies to be had of level 1, 2 … (1)."""
        tracks = (self.court.caravaneer[1:], self.court.banker, self.court.palace)
        return tuple(tuple(level.copies.at(seats) if level.copies else 0 for level in track) for track in tracks)
