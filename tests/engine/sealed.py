"""A toy game with all that is hard: hidden hands, sealed bids at once, a deck that reveals, forced steps."""

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from app.engine.contract import (
    Action,
    Broken,
    Decision,
    Edition,
    Event,
    Game,
    Option,
    Options,
    Score,
    Step,
    ranked,
)
from app.engine.editions import make_edition
from app.engine.rng import Chance, Rng

CARDS = tuple(f"c{number}" for number in range(1, 19))


class Bid(Action, frozen=True, tag="bid"):
    """Seals one card of the hand."""

    card: str


class Keep(Action, frozen=True, tag="keep"):
    """The winner keeps the prize, or throws it away (0)."""

    points: int


class Won(Event, frozen=True, tag="won"):
    """The highest bid took the prize."""

    seat: int
    prize: int


class Drawn(Event, frozen=True, tag="drawn"):
    """A seat drew a card, which only it may know."""

    seat: int
    card: str

    def seen_by(self, seat: int | None) -> "Drawn":
        return self if seat == self.seat else Drawn(self.seat, "")


class State(msgspec.Struct, frozen=True):
    """The whole table."""

    hands: tuple[tuple[str, ...], ...]
    sealed: tuple[str, ...]
    points: tuple[int, ...]
    deck: tuple[str, ...]
    round: int
    winner: int | None


class View(msgspec.Struct, frozen=True):
    """What one seat knows: its own hand and bid, and of the others how many and whether."""

    seat: int | None
    hand: tuple[str, ...]
    bid: str
    hands: tuple[int, ...]
    sealed: tuple[bool, ...]
    points: tuple[int, ...]
    deck: int
    round: int
    winner: int | None


class SealedBids(Game[State, Bid | Keep, View]):
    """Three rounds of sealed bids."""

    slug = "sealed"
    seats = range(2, 4)
    revision = 1
    options: ClassVar[tuple[Option, ...]] = (
        Option("prize", ("5", "7"), "5"),
        Option("pair", ("on", "off"), "on", (2,)),
    )
    longest = 20
    state_type = State
    view_type = View
    action_types = (Bid, Keep)
    event_types = (Won, Drawn)

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        deck = chance.shuffled("deck", CARDS)
        hands = tuple(tuple(sorted(deck[seat * 2 : seat * 2 + 2])) for seat in range(seats))
        return State(hands, ("",) * seats, (int(options["prize"]),) * seats, deck[seats * 2 :], 1, None)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        if state.round > 3:
            return ()
        if state.winner is not None:
            return (Decision(state.winner, "keep", state.round),)
        return tuple(Decision(seat, "bid", state.round) for seat, card in enumerate(state.sealed) if not card)

    def actions(self, state: State, seat: int) -> Sequence[Bid | Keep]:
        if state.round > 3:
            return ()
        if state.winner is not None:
            return (Keep(0), Keep(3)) if seat == state.winner else ()
        return () if state.sealed[seat] else tuple(Bid(card) for card in state.hands[seat])

    def why_not(self, state: State, seat: int, action: Bid | Keep) -> Broken | None:
        if self.allows(state, seat, action):
            return None
        return (
            Broken("not_in_hand", "2.1", (("card", action.card),)) if isinstance(action, Bid) else Broken("not_legal")
        )

    def apply(self, state: State, seat: int, action: Bid | Keep) -> Step[State]:
        if isinstance(action, Keep):
            points = tuple(had + action.points * (each == seat) for each, had in enumerate(state.points))
            return Step(msgspec.structs.replace(state, points=points, winner=None, round=state.round + 1))
        sealed = tuple(action.card if each == seat else card for each, card in enumerate(state.sealed))
        if not all(sealed):
            return Step(msgspec.structs.replace(state, sealed=sealed))
        winner = max(range(len(sealed)), key=lambda each: int(sealed[each][1:]))
        hands, deck, events = [], state.deck, []
        for each, hand in enumerate(state.hands):
            card, deck = deck[0], deck[1:]
            events.append(Drawn(each, card))
            hands.append(tuple(sorted((*(held for held in hand if held != sealed[each]), card))))
        opened = msgspec.structs.replace(
            state, hands=tuple(hands), sealed=("",) * len(sealed), deck=deck, winner=winner
        )
        return Step(opened, (Won(winner, 3), *events), reveals=True)

    def view(self, state: State, seat: int | None) -> View:
        return View(
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            bid="" if seat is None else state.sealed[seat],
            hands=tuple(len(hand) for hand in state.hands),
            sealed=tuple(bool(card) for card in state.sealed),
            points=state.points,
            deck=len(state.deck),
            round=state.round,
            winner=state.winner,
        )

    def scores(self, state: State) -> tuple[Score, ...]:
        return ranked(Score(seat, points, (("prizes", points),), 0) for seat, points in enumerate(state.points))

    def imagine(self, view: View, seat: int | None, rng: Rng) -> State:
        unknown = [card for card in CARDS if card not in view.hand]
        order, _ = rng.shuffled(unknown)
        hands = []
        for each, held in enumerate(view.hands):
            if each == seat:
                hands.append(view.hand)
            else:
                hands.append(tuple(sorted(order[:held])))
                order = order[held:]
        sealed = tuple(
            view.bid if each == seat else hands[each][0] if is_sealed else ""
            for each, is_sealed in enumerate(view.sealed)
        )
        return State(tuple(hands), sealed, view.points, order[: view.deck], view.round, view.winner)


GAME = SealedBids(make_edition("house", "house.toml", ""))
HOUSE: Edition = GAME.edition
