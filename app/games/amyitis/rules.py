"""The rules of Amyitis: what may be chosen, what comes of it, and who may know."""

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from app.engine.contract import Action, Broken, Decision, Edition, Game, Option, Options, Score, Step
from app.engine.rng import Chance, Rng
from app.games.amyitis import actions as chosen
from app.games.amyitis import choices, maintenance, scoring, stages, trade, turns
from app.games.amyitis.actions import Choice
from app.games.amyitis.components import ROWS, TEMPLES
from app.games.amyitis.deal import dealt
from app.games.amyitis.events import EVENTS
from app.games.amyitis.goods import NONE, names
from app.games.amyitis.inspection import open_box
from app.games.amyitis.refusals import why_not
from app.games.amyitis.state import Goods, Realm, State, View
from app.games.amyitis.turns import Outcome


class Rules(Game[State, Choice, View]):
    """Amyitis for two to four players."""

    slug = "amyitis"
    seats = range(2, 5)
    revision = 1
    options: ClassVar[tuple[Option, ...]] = (Option("profile", ("standard", "rulebook"), "standard"),)
    longest = 5000
    state_type = State
    view_type = View
    action_types: ClassVar[tuple[type[Action], ...]] = (
        chosen.Pass,
        chosen.Recruit,
        chosen.Move,
        chosen.Pay,
        chosen.Sell,
        chosen.Plant,
        chosen.Build,
        chosen.Farm,
        chosen.Worship,
        chosen.Court,
        chosen.Token,
        chosen.Gift,
        chosen.Swap,
        chosen.Decline,
        chosen.Discard,
    )
    event_types = EVENTS

    def __init__(self, edition: Edition) -> None:
        super().__init__(edition)
        self.box = open_box(edition)

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        return dealt(self.box, seats, options, chance)

    def decisions(self, state: State) -> tuple[Decision, ...]:
        realm = state.realm
        if realm.stage == stages.OVER:
            return ()
        if realm.stage == stages.DISCARD:
            seats = maintenance.discarding(self.box, realm, state.sealed)
            return tuple(Decision(seat, stages.DISCARD, realm.turn) for seat in seats)
        return (Decision(realm.seat, realm.stage, realm.turn),)

    def actions(self, state: State, seat: int) -> Sequence[Choice]:
        return tuple(choices.offered(self.box, state, seat))

    def why_not(self, state: State, seat: int, action: Choice) -> Broken | None:
        return why_not(self.box, state, seat, action)

    def apply(self, state: State, seat: int, action: Choice) -> Step[State]:
        """The action's own effect, then everything up to the next choice."""
        if isinstance(action, chosen.Discard):
            rounds = state.realm.round
            after, events, opened = maintenance.sealed(self.box, state, seat, action.resource)
            return Step(after, events, reveals=opened or after.realm.round > rounds)
        realm, events = self._chosen(state.realm, seat, action)
        if realm.stage == stages.NEXT:
            realm, more = turns.next_turn(realm)
            events += more
        after = msgspec.structs.replace(state, realm=realm)
        if realm.stage != stages.STORE:
            return Step(after, events)
        after, more = maintenance.stored(self.box, after)
        return Step(after, events + more, reveals=after.realm.round > realm.round)

    def _chosen(self, realm: Realm, seat: int, action: Choice) -> Outcome:
        """What the action does to what lies open."""
        box = self.box
        match action:
            case chosen.Pass():
                return turns.passed(realm, seat)
            case chosen.Recruit(row, card):
                return turns.recruited(box, realm, seat, row=row - 1, card=card - 1)
            case chosen.Move(city):
                return trade.moved(box, realm, seat, box.city_number[city])
            case chosen.Pay(first, second):
                return trade.paid(box, realm, seat, self._tokens(first, second))
            case chosen.Sell(first, second):
                return trade.sold(box, realm, seat, self._tokens(first, second))
            case chosen.Plant(square):
                return trade.planted(box, realm, seat, box.grid.square_number[square])
            case chosen.Build(channel):
                return turns.built(box, realm, seat, box.grid.channel_number[channel])
            case chosen.Farm(name):
                to_farm = maintenance.harvested if realm.stage == stages.TAMMUZ_FIELD else turns.tilled
                return to_farm(box, realm, seat, ROWS.index(name))
            case chosen.Worship(name):
                to_pray = maintenance.procession if realm.stage == stages.PROCESSION else turns.prayed
                return to_pray(box, realm, seat, TEMPLES.index(name))
            case chosen.Court(track):
                return trade.taken(box, realm, seat, track)
            case chosen.Token(resource):
                return trade.token_taken(box, realm, seat, resource)
            case chosen.Gift(gift):
                return maintenance.gifted(box, realm, seat, gift)
            case chosen.Swap(given, taken):
                return maintenance.swapped(box, realm, seat, given, taken)
            case _:
                return maintenance.declined(realm, seat)

    def _tokens(self, first: str, second: str) -> tuple[int, ...]:
        number = self.box.resource_number
        return (number[first],) if second == NONE else (number[first], number[second])

    def view(self, state: State, seat: int | None) -> View:
        return View(
            seat=seat,
            realm=state.realm,
            deck=len(state.deck),
            aside=len(state.aside),
            sealed=tuple(sum(goods) for goods in state.sealed),
            discards=self._no_goods if seat is None or not 0 <= seat < len(state.sealed) else state.sealed[seat],
        )

    def scores(self, state: State) -> tuple[Score, ...]:
        return scoring.scores(state.realm)

    def imagine(self, view: View, seat: int | None, rng: Rng) -> State:
        """The cards and tiles that lie nowhere, in any order; of the others' sealed discards any that fit."""
        box, realm = self.box, view.realm
        cards = list(box.craft_deck(realm.seats))
        for row in realm.market:
            for card in row.cards:
                cards.remove(card)
        lying = {*realm.tiles, *(tile for player in realm.players for tile in player.tiles)}
        deck, rng = rng.shuffled(cards)
        aside, rng = rng.shuffled([tile.id for tile in box.tiles if tile.id not in lying])
        sealed = []
        for each, player in enumerate(realm.players):
            if each == seat:
                sealed.append(view.discards)
            else:
                tokens, rng = rng.shuffled(names(box, player.goods))
                chosen_ones = tokens[: view.sealed[each]]
                sealed.append(tuple(chosen_ones.count(name) for name in box.resource_ids))
        return State(realm=realm, deck=deck, aside=aside, sealed=tuple(sealed), rng=Rng(f"{rng.seed}/{rng.drawn}"))

    @property
    def _no_goods(self) -> Goods:
        return (0,) * len(self.box.resources)
