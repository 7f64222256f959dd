"""Opens the box: an edition file is read, and refused with file, key and reason where it contradicts itself."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from app.engine.contract import Edition
from app.engine.editions import check, check_unique, read_box
from app.games.amyitis.components import CRAFTS, Box

SEATS = (2, 3, 4)


def open_box(edition: Edition) -> Box:
    """What is in the box of an edition. Raises :class:`~app.engine.editions.EditionRefused`."""
    box = read_box(edition, Box)
    _resources(edition, box)
    _craft(edition, box)
    _court(edition, box)
    _cities(edition, box)
    _plants(edition, box)
    _garden(edition, box)
    _tiles(edition, box)
    _rows(edition, box)
    _end(edition, box)
    return box


def _known(edition: Edition, key: str, names: Iterable[str], box: Box, *, wild: bool) -> None:
    """The names are resources, wild ones only where they may be."""
    for name in names:
        check(edition, key, name in box.resource_ids, f"no such resource: {name}")
        check(edition, key, wild or name != box.resource_ids[box.wild], f"{name} is wild and cannot be asked for")


def _resources(edition: Edition, box: Box) -> None:
    check_unique(edition, "resources", box.resource_ids)
    check(edition, "resources", sum(resource.wild for resource in box.resources) == 1, "exactly one is wild")
    check(edition, "resources", len(box.resources) > 1, "at least one is not wild")


def _craft(edition: Edition, box: Box) -> None:
    craft = box.craft
    names = [card.id for card in craft.cards]
    check_unique(edition, "craft.cards", names)
    for name in CRAFTS:
        check(edition, "craft.cards", name in names, f"{name} is missing")
    check(edition, "craft.prices", len(craft.prices) > 0, "a row has at least one card")
    check(edition, "craft.prices", tuple(sorted(craft.prices)) == craft.prices, "a later card is not cheaper")
    for seats in SEATS:
        needed, there = craft.rows.at(seats) * len(craft.prices), len(box.craft_deck(seats))
        check(edition, f"craft.rows.{seats}", needed <= there, f"the rows need {needed} cards of {there}")


def _court(edition: Edition, box: Box) -> None:
    levels = box.court.caravaneer
    check(edition, "court.caravaneer", len(levels) > 1, "level 0 and at least one more")
    for number, level in enumerate(levels):
        key = f"court.caravaneer[{number}]"
        check(edition, f"{key}.copies", (level.copies is None) == (number == 0), "level 0 has none, the others have")
        check(edition, f"{key}.token", not level.token or number == len(levels) - 1, "only the last level has tokens")
        if number:
            check(
                edition, f"{key}.storage", level.storage >= levels[number - 1].storage, "less than the level before"
            )
            check(edition, f"{key}.move_bonus", level.move_bonus >= levels[number - 1].move_bonus, "less than before")
        if level.token and level.copies is not None:
            kinds = len(box.resources) - 1
            for seats in SEATS:
                enough = level.copies.at(seats) <= kinds
                check(edition, f"{key}.copies.{seats}", enough, f"more cards than the {kinds} kinds of token")
    check(edition, "court.banker", len(box.court.banker) > 0, "at least one level")
    check(edition, "court.palace", len(box.court.palace) > 0, "at least one level")


def _cities(edition: Edition, box: Box) -> None:
    caravan = box.caravan
    check_unique(edition, "caravan.cities", [city.id for city in caravan.cities])
    sales = [number for number, city in enumerate(caravan.cities) if city.kind == "sale"]
    check(edition, "caravan.cities", sales == [0], "the first city, and only it, is for sales")
    check(edition, "caravan.longest", caravan.longest <= len(caravan.cities), "longer than a full lap")
    check(edition, "caravan.sale_vp", len(caravan.sale_vp) == 2, "points for one and for two resources")
    for number, city in enumerate(caravan.cities):
        key = f"caravan.cities[{number}]"
        check(edition, f"{key}.resource", bool(city.resource) == (number > 0), "every city but the first has a price")
        _known(edition, f"{key}.resource", [city.resource] if city.resource else [], box, wild=False)
        two = len(set(city.tracks)) == 2 == len(city.tracks)
        check(edition, f"{key}.tracks", two if city.kind == "court" else not city.tracks, "two in a court city only")


def _plants(edition: Edition, box: Box) -> None:
    check_unique(edition, "plants", [card.id for card in box.plants])
    cities = {city.id for city in box.caravan.cities if city.kind == "plant"}
    check(edition, "plants", len(box.plants) == len(cities), f"as many as plant cities: {len(cities)}")
    taken: set[str] = set()
    for number, card in enumerate(box.plants):
        key = f"plants[{number}]"
        if card.city:
            check(edition, f"{key}.city", card.city in cities, f"no such plant city: {card.city}")
            check(edition, f"{key}.city", card.city not in taken, f"{card.city} has a card already")
            taken.add(card.city)
        for face in card.faces:
            _known(edition, f"{key}.faces", [face.extra] if face.extra else [], box, wild=False)


def _garden(edition: Edition, box: Box) -> None:
    garden = box.garden
    check(edition, "garden.columns", len(set(garden.columns)) == len(garden.columns) > 0, "letters, each once")
    check(edition, "garden.floors", len(garden.floors) > 0, "at least one row")
    for number, row in enumerate(garden.floors):
        check(edition, f"garden.floors[{number}]", len(row) == len(garden.columns), "one floor a column")
        for floor in row:
            check(edition, f"garden.floors[{number}]", floor <= len(garden.required), f"no such floor: {floor}")
    for name in garden.places:
        check(edition, f"garden.places.{name}", name in box.grid.channel_number, "no such channel")
    for name in box.grid.channels:
        check(edition, "garden.places", name in garden.places, f"{name} is missing")
    check(edition, "garden.river", len(garden.river) > 0, "the river runs along no side")
    for seats in SEATS:
        key = f"garden.empty.{seats}"
        names = garden.empty.at(seats)
        check(edition, key, len(set(names)) == len(names), "a square stands twice")
        for name in names:
            check(edition, key, name in box.grid.square_number, f"no such square: {name}")


def _tiles(edition: Edition, box: Box) -> None:
    check_unique(edition, "tiles", [tile.id for tile in box.tiles])
    fixed = [tile.square for tile in box.tiles if tile.square]
    for number, tile in enumerate(box.tiles):
        if tile.square:
            key = f"tiles[{number}].square"
            check(edition, key, tile.square in box.grid.square_number, f"no such square: {tile.square}")
            check(edition, key, fixed.count(tile.square) == 1, f"two tiles lie on {tile.square}")
    loose = Counter(tile.quality for tile in box.tiles if not tile.square)
    for seats in SEATS:
        empty = box.garden.empty.at(seats)
        for name in fixed:
            check(edition, f"garden.empty.{seats}", name not in empty, f"a tile always lies on {name}")
        needed = Counter(
            floor
            for name, floor in zip(box.grid.squares, box.grid.floors, strict=True)
            if name not in empty and name not in fixed
        )
        for floor, count in sorted(needed.items()):
            reason = (
                f"floor {floor} needs {count} tiles of its quality with {seats} players, there are {loose[floor]}"
            )
            check(edition, "tiles", loose[floor] >= count, reason)


def _rows(edition: Edition, box: Box) -> None:
    for name, row in (("upper", box.fields.upper), ("lower", box.fields.lower)):
        check(edition, f"fields.{name}", len(row) > 0, "at least one place")
        _known(edition, f"fields.{name}", row, box, wild=True)


def _end(edition: Edition, box: Box) -> None:
    for seats in SEATS:
        dealt = len(box.grid.squares) - len(box.garden.empty.at(seats))
        left = box.end.tiles_left.at(seats)
        check(edition, f"end.tiles_left.{seats}", left < dealt, f"the game begins with {dealt} tiles")
        lines = box.end.bonus.at(seats)
        for lower, higher in pairwise(lines):
            rising = lower.tiles < higher.tiles and lower.vp < higher.vp
            check(edition, f"end.bonus.{seats}", rising, "more tiles bring more points, line by line")
