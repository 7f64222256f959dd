"""What each decision offers: the legal actions, in a fixed order (7.5)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from app.games.amyitis import caravan, court, garden, goods, stages
from app.games.amyitis.actions import (
    Build,
    Choice,
    Court,
    Decline,
    Discard,
    Farm,
    Gift,
    Move,
    Pass,
    Pay,
    Plant,
    Recruit,
    Sell,
    Swap,
    Token,
    Worship,
)
from app.games.amyitis.components import ROWS, TEMPLES, Box
from app.games.amyitis.goods import NONE
from app.games.amyitis.grid import members
from app.games.amyitis.maintenance import CAMEL, TALENT, discarding
from app.games.amyitis.market import price
from app.games.amyitis.state import NOBODY, Realm, State
from app.games.amyitis.trade import FOUR_COLOURED

PASS = Pass()
ROW_CHOICES = tuple(Farm(row) for row in ROWS)
TEMPLE_CHOICES = tuple(Worship(temple) for temple in TEMPLES)
GIFTS = (Gift(CAMEL), Gift(TALENT))


@cache
def _recruit(row: int, card: int) -> Recruit:
    return Recruit(row, card)


def to_act(box: Box, realm: Realm, seat: int) -> list[Choice]:
    """Pass, recruit, or move the caravan (7.2)."""
    found: list[Choice] = [PASS]
    talents = realm.players[seat].talents
    for number, row in enumerate(realm.market, start=1):
        if NOBODY in row.takers and price(box, row) <= talents:
            found += [_recruit(number, card) for card, taker in enumerate(row.takers, start=1) if taker == NOBODY]
    found += [Move(box.caravan.cities[city].id) for city in caravan.reachable(box, realm, seat)]
    return found


def to_field(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """Either row: there is always a free place (5)."""
    return ROW_CHOICES


def to_temple(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """Any of the three temples (6)."""
    return TEMPLE_CHOICES


def to_channel(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """Any eligible channel (4.4)."""
    return [Build(box.grid.channels[channel]) for channel in members(garden.eligible(box, realm))]


def to_sell(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """Any one or two tokens (3.4)."""
    offers = goods.sales(realm.players[seat].goods)
    return [Sell(*_pair(box, offer)) for offer in offers]


def to_pay(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """Every way to pay, the one with the least wine first (3.5)."""
    ways = goods.payments(box, realm.players[seat].goods, caravan.price(box, realm, realm.caravan))
    return [Pay(*_pair(box, way)) for way in ways]


def _pair(box: Box, tokens: Sequence[int]) -> tuple[str, str]:
    names = box.resource_ids
    return names[tokens[0]], names[tokens[1]] if len(tokens) > 1 else NONE


def to_court(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """The city's tracks on which a step is possible (3.3)."""
    tracks = box.caravan.cities[realm.caravan].tracks
    return [Court(track) for track in court.open_tracks(realm, seat, tracks)]


def to_plant(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """The squares that the plant can go on (8.1)."""
    quality = caravan.face(box, realm, realm.caravan).quality
    squares = garden.plantable(box, realm, quality=quality, gardeners=realm.players[seat].gardeners)
    return [Plant(box.grid.squares[square]) for square in squares]


def to_reward(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """What a four-coloured tile offers that is still there (8.4)."""
    return [Court(track) for track in court.open_tracks(realm, seat, FOUR_COLOURED)]


def to_token(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """The tokens on the last caravaneers (8.4)."""
    return [Token(token) for token in court.tokens_to_choose(box, realm, seat)]


def to_gift(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """Camel or talent (6)."""
    return GIFTS


def to_swap(box: Box, realm: Realm, seat: int) -> Sequence[Choice]:
    """Any own token against any other kind but wine, or nothing (Q19)."""
    names = box.resource_ids
    held = realm.players[seat].goods
    return [
        Decline(),
        *(
            Swap(names[given], names[taken])
            for given, count in enumerate(held)
            for taken in range(len(names))
            if count and taken not in {given, box.wild}
        ),
    ]


def to_discard(box: Box, state: State, seat: int) -> Sequence[Choice]:
    """Any token held and not sealed yet, while there are too many (7.3)."""
    if seat not in discarding(box, state.realm, state.sealed):
        return ()
    left = goods.minus(state.realm.players[seat].goods, state.sealed[seat])
    return [Discard(name) for name, count in zip(box.resource_ids, left, strict=True) if count]


OFFERS: Mapping[str, Callable[[Box, Realm, int], Sequence[Choice]]] = {
    stages.ACT: to_act,
    stages.FIELD: to_field,
    stages.TEMPLE: to_temple,
    stages.CHANNEL: to_channel,
    stages.SELL: to_sell,
    stages.SALE_CHANNEL: to_channel,
    stages.PAY: to_pay,
    stages.COURT: to_court,
    stages.PLANT: to_plant,
    stages.REWARD: to_reward,
    stages.TOKEN: to_token,
    stages.PROCESSION: to_temple,
    stages.ISHTAR: to_gift,
    stages.TAMMUZ_FIELD: to_field,
    stages.TAMMUZ_SWAP: to_swap,
}


def offered(box: Box, state: State, seat: int) -> Sequence[Choice]:
    """The legal actions of a seat; none when it has nothing to choose."""
    realm = state.realm
    if realm.stage == stages.DISCARD:
        return to_discard(box, state, seat)
    if realm.seat != seat:
        return ()
    return OFFERS[realm.stage](box, realm, seat)
