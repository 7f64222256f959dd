"""The maintenance phase, and the preparation of the round after it (7.1, 7.3)."""

import msgspec

from app.engine.contract import Event
from app.engine.rng import led
from app.games.amyitis import market, scoring, stages, temples
from app.games.amyitis.components import TEMPLES, Box
from app.games.amyitis.court import income
from app.games.amyitis.events import Blessed, Declined, Discarded, Earned, RoundBegan, Sealed, Swapped
from app.games.amyitis.fields import farmed
from app.games.amyitis.goods import added, excess, minus, names
from app.games.amyitis.state import NEUTRAL, NOBODY, Goods, Realm, State, scored, with_player
from app.games.amyitis.temples import ISHTAR, MARDUK, TAMMUZ
from app.games.amyitis.turns import Outcome

CAMEL, TALENT = "camel", "talent"


def procession(box: Box, realm: Realm, seat: int, temple: int) -> Outcome:
    """The procession: the seat's cube into its temple, grey ones into the others; then rewards (7.3)."""
    realm, told = temples.offered(box, realm, seat, temple, procession=True)
    for other in range(len(TEMPLES)):
        if other != temple:
            realm, events = temples.offered(box, realm, NEUTRAL, other, procession=True)
            told += events
    realm, events = _ishtar(box, realm)
    return realm, told + events


def _ishtar(box: Box, realm: Realm) -> Outcome:
    ranked = temples.rewarded(box, realm, ISHTAR)
    if ranked:
        return _asked(realm, ranked[0], stages.ISHTAR), ()
    return _marduk_and_tammuz(box, realm)


def _asked(realm: Realm, seat: int, stage: str) -> Realm:
    """A seat has a choice in a turn of its own."""
    return msgspec.structs.replace(realm, seat=seat, stage=stage, turn=realm.turn + 1)


def gifted(box: Box, realm: Realm, seat: int, gift: str) -> Outcome:
    """The first of Ishtar takes one thing, the second gets the other (6, Q21)."""
    told: list[Event] = []
    kinds = (gift, CAMEL if gift == TALENT else TALENT)
    for rank, (each, kind) in enumerate(zip(temples.rewarded(box, realm, ISHTAR), kinds, strict=False), start=1):
        player = realm.players[each]
        camels = box.temples.ishtar.camels if kind == CAMEL else 0
        talents = box.temples.ishtar.talents if kind == TALENT else 0
        player = msgspec.structs.replace(player, camels=player.camels + camels, talents=player.talents + talents)
        realm = with_player(realm, each, player)
        told.append(Blessed(each, TEMPLES[ISHTAR], rank, camels=camels, talents=talents))
    realm, events = _marduk_and_tammuz(box, realm)
    return realm, (*told, *events)


def _marduk_and_tammuz(box: Box, realm: Realm) -> Outcome:
    told: list[Event] = []
    for rank, seat in enumerate(temples.rewarded(box, realm, MARDUK), start=1):
        vp = box.temples.marduk.vp[rank - 1]
        realm = with_player(realm, seat, scored(realm.players[seat], "temples", vp))
        told.append(Blessed(seat, TEMPLES[MARDUK], rank, vp=vp))
    ranked = temples.rewarded(box, realm, TAMMUZ)
    if ranked:
        return _asked(realm, ranked[0], stages.TAMMUZ_FIELD), tuple(told)
    return msgspec.structs.replace(realm, stage=stages.STORE), tuple(told)


def harvested(box: Box, realm: Realm, seat: int, row: int) -> Outcome:
    """The first of Tammuz works a field for nothing; then the second may swap if it has anything (6, Q20)."""
    realm, events = farmed(box, realm, seat, row)
    told = (Blessed(seat, TEMPLES[TAMMUZ], 1), *events)
    ranked = temples.rewarded(box, realm, TAMMUZ)
    if len(ranked) > 1 and any(realm.players[ranked[1]].goods):
        return _asked(realm, ranked[1], stages.TAMMUZ_SWAP), told
    return msgspec.structs.replace(realm, stage=stages.STORE), told


def swapped(box: Box, realm: Realm, seat: int, given: str, taken: str) -> Outcome:
    """The second of Tammuz gives a token and takes another (6, Q19)."""
    player = realm.players[seat]
    goods = added(added(player.goods, box.resource_number[given], -1), box.resource_number[taken])
    realm = with_player(realm, seat, msgspec.structs.replace(player, goods=goods))
    return msgspec.structs.replace(realm, stage=stages.STORE), (Swapped(seat, given, taken),)


def declined(realm: Realm, seat: int) -> Outcome:
    """The second of Tammuz does without (Q19)."""
    return msgspec.structs.replace(realm, stage=stages.STORE), (Declined(seat),)


def discarding(box: Box, realm: Realm, sealed: tuple[Goods, ...]) -> tuple[int, ...]:
    """The seats that have tokens left to choose for discarding (7.3)."""
    return tuple(seat for seat, player in enumerate(realm.players) if excess(box, player) > sum(sealed[seat]))


def stored(box: Box, state: State) -> tuple[State, tuple[Event, ...]]:
    """The storage step begins: who has only one kind discards at once, the others are asked together (7.3)."""
    realm, told = state.realm, list[Event]()
    for seat, player in enumerate(realm.players):
        over = excess(box, player)
        if over and sum(count > 0 for count in player.goods) == 1:
            realm, event = _discarded(box, realm, seat, tuple(min(over, count) for count in player.goods))
            told.append(event)
    sealed = ((0,) * len(box.resources),) * realm.seats
    realm = msgspec.structs.replace(realm, stage=stages.DISCARD, seat=NOBODY, turn=realm.turn + 1)
    state = msgspec.structs.replace(state, realm=realm, sealed=sealed)
    if discarding(box, realm, sealed):
        return state, tuple(told)
    state, events = _ended_or_prepared(box, state)
    return state, (*told, *events)


def sealed(box: Box, state: State, seat: int, resource: str) -> tuple[State, tuple[Event, ...], bool]:
    """A seat seals a token to discard; the last one opens all. The claim: another seat's seal was opened (7.3)."""
    mine = added(state.sealed[seat], box.resource_number[resource])
    seals = (*state.sealed[:seat], mine, *state.sealed[seat + 1 :])
    told: tuple[Event, ...] = (Sealed(seat, resource),)
    if discarding(box, state.realm, seals):
        return msgspec.structs.replace(state, sealed=seals), told, False
    realm = state.realm
    for each, goods in enumerate(seals):
        if any(goods):
            realm, event = _discarded(box, realm, each, goods)
            told = (*told, event)
    opened = any(any(goods) for each, goods in enumerate(seals) if each != seat)
    empty = ((0,) * len(box.resources),) * realm.seats
    state, events = _ended_or_prepared(box, msgspec.structs.replace(state, realm=realm, sealed=empty))
    return state, told + events, opened


def _discarded(box: Box, realm: Realm, seat: int, goods: Goods) -> tuple[Realm, Event]:
    player = realm.players[seat]
    realm = with_player(realm, seat, msgspec.structs.replace(player, goods=minus(player.goods, goods)))
    return realm, Discarded(seat, names(box, goods))


def _ended_or_prepared(box: Box, state: State) -> tuple[State, tuple[Event, ...]]:
    """The end check; then final scoring, or the start player's card moves on and a round begins (7.3, 9)."""
    realm = state.realm
    if scoring.ends(box, realm):
        realm, events = scoring.rewarded(box, realm)
        realm = msgspec.structs.replace(realm, stage=stages.OVER, seat=NOBODY)
        return msgspec.structs.replace(state, realm=realm), events
    realm = msgspec.structs.replace(realm, round=realm.round + 1, start=(realm.start + 1) % realm.seats)
    deck, rng = state.rng.shuffled(box.craft_deck(realm.seats))
    realm, rest, events = prepared(box, realm, led(deck, state.dealt[0]) if state.dealt else deck)
    return msgspec.structs.replace(state, realm=realm, deck=rest, rng=rng, dealt=state.dealt[1:]), events


def prepared(box: Box, realm: Realm, deck: tuple[str, ...]) -> tuple[Realm, tuple[str, ...], tuple[Event, ...]]:
    """A round begins: characters are laid out, bankers pay; the first turn is the start player's (7.1).

    Also returns the craft cards that were not laid out.
    """
    rows = market.laid_out(box, deck, seats=realm.seats)
    told: list[Event] = [RoundBegan(realm.round, realm.start, tuple(row.cards for row in rows))]
    for step in range(realm.seats):
        seat = (realm.start + step) % realm.seats
        player = realm.players[seat]
        banker = income(box, player)
        if banker is not None:
            player = msgspec.structs.replace(player, talents=player.talents + banker.talents)
            realm = with_player(realm, seat, scored(player, "bankers", banker.vp))
            told.append(Earned(seat, player.banker, banker.talents, banker.vp))
    realm = msgspec.structs.replace(
        realm, market=rows, passed=(), active=realm.start, seat=realm.start, stage=stages.ACT, turn=realm.turn + 1
    )
    return realm, deck[sum(len(row.cards) for row in rows) :], tuple(told)
