"""The question that lies open: what to pay, sell, take or give up, as chips; and who has still to choose."""

import msgspec

from app.engine import notation
from app.games.amyitis import caravan, stages
from app.games.amyitis.actions import Court, Decline, Discard, Gift, Pay, Sell, Swap, Token
from app.games.amyitis.components import GARDENER, Box
from app.games.amyitis.court import level
from app.games.amyitis.glance import Glance
from app.games.amyitis.goods import NONE, excess, storage
from app.games.amyitis.state import Player


class Step(msgspec.Struct, frozen=True):
    """A court card to be taken: its track and level, and what it brings."""

    track: str
    level: int
    moves: int = 0
    storage: int = 0
    talents: int = 0
    vp: int = 0
    token: bool = False


class Chip(msgspec.Struct, frozen=True):
    """One thing to click. ``tokens``: the resources on it; ``vp``: the points for them; ``step``: a court card;
    ``sign``: what else is drawn on it. ``second``: only once something was chosen to be given."""

    pick: str
    tokens: tuple[str, ...] = ()
    vp: int = 0
    step: Step | None = None
    sign: str = ""
    second: bool = False


class Seat(msgspec.Struct, frozen=True):
    """A seat that discards: ``left`` tokens are still to be chosen of ``all``."""

    name: str
    colour: int
    left: int
    all: int


class Tray(msgspec.Struct, frozen=True):
    """The open question; ``kind`` is empty when there is none.

    ``city``: where it is asked; ``price``: what is asked for. ``limit``: how many tokens can be stored; ``todo``:
    how many I must still discard. ``seats``: everybody who discards; ``sealed``: what I have chosen so far.
    """

    kind: str = ""
    city: str = ""
    price: tuple[str, ...] = ()
    chips: tuple[Chip, ...] = ()
    todo: int = 0
    limit: int = 0
    sealed: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()


def tray(glance: Glance) -> Tray:
    """What is asked of me, or whom the table waits for."""
    stage = glance.realm.stage
    if stage == stages.DISCARD:
        return _discards(glance)
    if not glance.actions or stage not in CHIPPED:
        return Tray()
    box, realm = glance.box, glance.realm
    city = box.caravan.cities[realm.caravan]
    asked = caravan.price(box, realm, realm.caravan) if stage == stages.PAY else ()
    return Tray(
        kind=stage,
        city=city.id if stage in {stages.PAY, stages.SELL, stages.COURT} else "",
        price=tuple([box.resource_ids[each] for each in asked]),
        chips=tuple(_chips(glance)),
    )


CHIPPED = frozenset(
    {stages.PAY, stages.SELL, stages.COURT, stages.REWARD, stages.TOKEN, stages.ISHTAR, stages.TAMMUZ_SWAP}
)
"""The decisions that are taken on the tray; the others are taken on the map."""


def _chips(glance: Glance) -> list[Chip]:
    box = glance.box
    given: dict[str, Chip] = {}
    taken: dict[str, Chip] = {}
    for action in glance.actions:
        text = notation.write(action)
        match action:
            case Pay(first, second):
                given[text] = Chip(text, tokens=_tokens(first, second))
            case Sell(first, second):
                tokens = _tokens(first, second)
                given[text] = Chip(text, tokens=tokens, vp=box.caravan.sale_vp[len(tokens) - 1])
            case Court(track):
                given[text] = Chip(text, step=step(box, glance.realm.players[glance.me], track))
            case Token(resource):
                given[text] = Chip(text, tokens=(resource,))
            case Gift(gift):
                given[text] = Chip(text, sign=gift)
            case Swap(one, other):
                given.setdefault(one, Chip(f"swap:{one}:*", tokens=(one,)))
                taken.setdefault(other, Chip(f"swap:*:{other}", tokens=(other,), second=True))
            case Decline():
                taken[text] = Chip(text, sign="decline")
            case _:
                pass
    decline = taken.pop("decline", None)
    return [*given.values(), *taken.values(), *([decline] if decline else [])]


def _tokens(first: str, second: str) -> tuple[str, ...]:
    return (first,) if second == NONE else (first, second)


def step(box: Box, player: Player, track: str) -> Step:
    """The next court card of a track for a player, or a gardener."""
    if track == GARDENER:
        return Step(track, 0)
    number = level(player, track) + 1
    match track:
        case "caravaneer":
            card = box.court.caravaneer[number]
            return Step(track, number, moves=card.move_bonus, storage=card.storage, token=card.token)
        case "banker":
            banker = box.court.banker[number - 1]
            return Step(track, number, talents=banker.talents, vp=banker.vp)
        case _:
            return Step(track, number, vp=box.court.palace[number - 1].vp)


def _discards(glance: Glance) -> Tray:
    box, realm, view, mine = glance.box, glance.realm, glance.view, glance.look.seat
    over = [excess(box, player) for player in realm.players]
    seats = tuple(
        [
            Seat(glance.names[seat], seat + 1, count - view.sealed[seat], count)
            for seat, count in enumerate(over)
            if count
        ]
    )
    if mine is None:
        return Tray(kind=stages.DISCARD, seats=seats)
    sealed = [name for name, count in zip(box.resource_ids, view.discards, strict=True) for _ in range(count)]
    tokens = [action.resource for action in glance.actions if isinstance(action, Discard)]
    return Tray(
        kind=stages.DISCARD,
        chips=tuple([Chip(f"discard:{token}", tokens=(token,)) for token in tokens]),
        todo=over[mine] - view.sealed[mine],
        limit=storage(box, realm.players[mine]),
        sealed=tuple(sealed),
        seats=seats,
    )
