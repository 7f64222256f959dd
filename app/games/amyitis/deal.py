"""Setting up the table (2)."""

from app.engine.contract import Options
from app.engine.rng import Chance
from app.games.amyitis import stages
from app.games.amyitis.components import Box
from app.games.amyitis.maintenance import prepared
from app.games.amyitis.state import NOBODY, Plant, Player, Realm, State

SEATS = "ABCD"
"""The seats as the pile ``start`` names them."""


def dealt(box: Box, seats: int, options: Options, chance: Chance) -> State:
    """The table before the first turn.

    Piles: ``plants`` (the cards for the plant cities without one, in clockwise order), ``face-<city>`` (``1`` or
    ``2``, which face is up), ``tokens`` (for the last caravaneers), ``tiles-<quality>`` (for the squares of that
    floor in reading order, the rest set aside), ``start`` (the seat that begins), ``craft`` (round 1) and ``craft-2``
    and so on (later rounds).
    """
    plants = _plants(box, chance)
    tokens = _tokens(box, seats, chance)
    tiles, aside = _tiles(box, seats, chance)
    start = SEATS.index(chance.shuffled("start", SEATS[:seats])[0])
    realm = Realm(
        profile=options["profile"],
        round=1,
        turn=0,
        start=start,
        active=start,
        stage=stages.ACT,
        seat=start,
        planting=-1,
        players=(Player(box.setup.talents, box.setup.camels, (0,) * len(box.resources)),) * seats,
        passed=(),
        market=(),
        tiles=tiles,
        planters=(NOBODY,) * len(tiles),
        channels=((),) * len(box.grid.channels),
        fields=((), ()),
        harvests=(0, 0),
        temples=((), (), ()),
        offered=(0, 0, 0),
        caravan=0,
        plants=plants,
        court=box.court_copies(seats),
        tokens=tokens,
        gardeners=box.court.gardeners,
    )
    cards = box.craft_deck(seats)
    realm, deck, _ = prepared(box, realm, chance.shuffled("craft", cards))
    return State(
        realm=realm,
        deck=deck,
        aside=aside,
        sealed=((0,) * len(box.resources),) * seats,
        rng=chance.rng,
        dealt=chance.later("craft", cards, first=2),
    )


def _plants(box: Box, chance: Chance) -> tuple[Plant, ...]:
    """The plant card of each plant city; only cards that belong to one start with a random face (2)."""
    loose = list(chance.shuffled("plants", [card.id for card in box.plants if not card.city]))
    fixed = {card.city: card.id for card in box.plants if card.city}
    found = []
    for city in box.plant_number:
        name = box.caravan.cities[city].id
        if name in fixed:
            face = int(chance.shuffled(f"face-{name}", ("1", "2"))[0]) - 1
            found.append(Plant(fixed[name], face))
        else:
            found.append(Plant(loose.pop(0), 0))
    return tuple(found)


def _tokens(box: Box, seats: int, chance: Chance) -> tuple[str, ...]:
    """One different token, never wine, on each caravaneer of the last level (2)."""
    last = box.court.caravaneer[-1]
    kinds = chance.shuffled("tokens", [resource.id for resource in box.resources if not resource.wild])
    return kinds[: last.copies.at(seats)] if last.token and last.copies else ()


def _tiles(box: Box, seats: int, chance: Chance) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tile on each square, and those set aside: a tile goes to the floor of its quality (2)."""
    grid = box.grid
    lying = {grid.square_number[tile.square]: tile.id for tile in box.tiles if tile.square}
    empty = box.empty_squares(seats)
    aside: list[str] = []
    for quality in sorted({tile.quality for tile in box.tiles}):
        pile = chance.shuffled(
            f"tiles-{quality}", [tile.id for tile in box.tiles if tile.quality == quality and not tile.square]
        )
        squares = [
            square
            for square, floor in enumerate(grid.floors)
            if floor == quality and square not in empty and square not in lying
        ]
        lying.update(zip(squares, pile, strict=False))
        aside += pile[len(squares) :]
    return tuple(lying.get(square, "") for square in range(len(grid.squares))), tuple(aside)
