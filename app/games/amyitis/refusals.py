"""Why an action is not legal: the complaint, the rule it breaks, and the facts in it."""

from app.engine.contract import Broken
from app.games.amyitis import actions as chosen
from app.games.amyitis import caravan, choices, court, garden, goods, market, stages
from app.games.amyitis.actions import Choice
from app.games.amyitis.components import Box
from app.games.amyitis.state import NOBODY, Realm, State
from app.games.amyitis.trade import FOUR_COLOURED

ASKED: dict[type[Choice], tuple[str, ...]] = {
    chosen.Pass: (stages.ACT,),
    chosen.Recruit: (stages.ACT,),
    chosen.Move: (stages.ACT,),
    chosen.Pay: (stages.PAY,),
    chosen.Sell: (stages.SELL,),
    chosen.Plant: (stages.PLANT,),
    chosen.Build: (stages.CHANNEL, stages.SALE_CHANNEL),
    chosen.Farm: (stages.FIELD, stages.TAMMUZ_FIELD),
    chosen.Worship: (stages.TEMPLE, stages.PROCESSION),
    chosen.Court: (stages.COURT, stages.REWARD),
    chosen.Token: (stages.TOKEN,),
    chosen.Gift: (stages.ISHTAR,),
    chosen.Swap: (stages.TAMMUZ_SWAP,),
    chosen.Decline: (stages.TAMMUZ_SWAP,),
    chosen.Discard: (stages.DISCARD,),
}
"""The decisions that each kind of action answers."""


def why_not(box: Box, state: State, seat: int, action: Choice) -> Broken | None:
    """Which rule the action breaks; ``None`` when it is legal."""
    realm = state.realm
    offered = choices.offered(box, state, seat)
    if action in offered:
        return None
    if realm.stage == stages.OVER:
        return Broken("game_over", "9")
    if not offered:
        return Broken("not_your_decision", "7.5", (("stage", realm.stage),))
    if realm.stage not in ASKED[type(action)]:
        return Broken("not_asked", "7.5", (("stage", realm.stage),))
    match action:
        case chosen.Recruit(row, card):
            return _recruit(box, realm, seat, row, card)
        case chosen.Move(city):
            return _move(box, realm, seat, city)
        case chosen.Pay():
            return _pay(box, realm)
        case chosen.Sell(first, second):
            return _sell(box, realm, seat, first, second)
        case chosen.Plant(square):
            return _plant(box, realm, seat, square)
        case chosen.Build(channel):
            return _build(box, realm, channel)
        case chosen.Farm(row):
            return Broken("no_such_row", "5", (("row", row),))
        case chosen.Worship(temple):
            return Broken("no_such_temple", "6", (("temple", temple),))
        case chosen.Court(track):
            return _court(box, realm, seat, track)
        case chosen.Token(resource):
            return Broken("no_such_token", "8.4", (("resource", resource),))
        case chosen.Gift(gift):
            return Broken("no_such_gift", "6", (("gift", gift),))
        case chosen.Swap(given, taken):
            return _swap(box, realm, seat, given, taken)
        case chosen.Discard(resource):
            return Broken("not_held", "7.3", (("resource", resource),))
        case _:
            return Broken("not_legal", "7.2")


def _recruit(box: Box, realm: Realm, seat: int, row: int, card: int) -> Broken:
    facts = (("row", row), ("card", card))
    if not 1 <= row <= len(realm.market) or not 1 <= card <= len(realm.market[row - 1].cards):
        return Broken("no_such_card", "7.2", facts)
    if realm.market[row - 1].takers[card - 1] != NOBODY:
        return Broken("card_taken", "7.2", facts)
    cost, have = market.price(box, realm.market[row - 1]), realm.players[seat].talents
    return Broken("too_few_talents", "7.2", (("cost", cost), ("have", have)))


def _move(box: Box, realm: Realm, seat: int, city: str) -> Broken | None:
    if city not in box.city_number:
        return Broken("no_such_city", "3.1", (("city", city),))
    return caravan.destination(box, realm, seat, box.city_number[city]).obstacle


def _pay(box: Box, realm: Realm) -> Broken:
    price = caravan.price(box, realm, realm.caravan)
    names = [("price", box.resource_ids[price[0]]), *(("extra", box.resource_ids[extra]) for extra in price[1:])]
    return Broken("not_the_price", "3.5", tuple(names))


def _sell(box: Box, realm: Realm, seat: int, first: str, second: str) -> Broken:
    tokens = [name for name in (first, second) if name != goods.NONE]
    held = goods.names(box, realm.players[seat].goods)
    for name in tokens:
        if tokens.count(name) > held.count(name):
            return Broken("not_held", "3.4", (("resource", name),))
    return Broken("one_or_two_in_order", "3.4")


def _plant(box: Box, realm: Realm, seat: int, square: str) -> Broken:
    where = ("square", square)
    if square not in box.grid.square_number:
        return Broken("no_such_square", "4.1", (where,))
    number = box.grid.square_number[square]
    if not realm.tiles[number]:
        return Broken("no_tile", "8.1", (where,))
    if not garden.irrigated(box, realm) >> number & 1:
        return Broken("not_irrigated", "4.5", (where,))
    reach = caravan.face(box, realm, realm.caravan).quality + realm.players[seat].gardeners
    return Broken("quality_too_low", "8.1", (where, ("required", box.grid.required[number]), ("reach", reach)))


def _build(box: Box, realm: Realm, channel: str) -> Broken:
    where = ("channel", channel)
    if channel not in box.grid.channel_number:
        return Broken("no_such_channel", "4.3", (where,))
    if garden.complete(box, realm) >> box.grid.channel_number[channel] & 1:
        return Broken("channel_full", "4.3", (where,))
    return Broken("not_connected", "4.4", (where,))


def _court(box: Box, realm: Realm, seat: int, track: str) -> Broken:
    offers = FOUR_COLOURED if realm.stage == stages.REWARD else box.caravan.cities[realm.caravan].tracks
    if track not in FOUR_COLOURED:
        return Broken("track_not_offered", "8.4", (("track", track),))
    if track not in offers:
        return Broken("track_not_offered", "3.1", (("track", track),))
    return Broken(court.obstacle(realm, seat, track), "8.4", (("track", track),))


def _swap(box: Box, realm: Realm, seat: int, given: str, taken: str) -> Broken:
    if given not in goods.names(box, realm.players[seat].goods):
        return Broken("not_held", "6", (("resource", given),))
    if taken == given:
        return Broken("same_resource", "6", (("resource", taken),))
    return Broken("cannot_be_taken", "6", (("resource", taken),))
