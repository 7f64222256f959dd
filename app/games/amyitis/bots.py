"""Players who know this game."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from app.engine.bots import Bot, RandomBot
from app.engine.contract import AnyGame
from app.engine.rng import Rng
from app.games.amyitis import stages
from app.games.amyitis.actions import Choice, Recruit
from app.games.amyitis.judgement import lead, purse, standing
from app.games.amyitis.market import price
from app.games.amyitis.rules import Rules
from app.games.amyitis.state import State, View


def differing(rules: Rules, state: State, actions: Iterable[Choice]) -> Iterator[Choice]:
    """The actions without recruits that only differ in where the card lies: of each character the cheapest."""
    cheapest: dict[str, tuple[int, Recruit]] = {}
    for action in actions:
        if isinstance(action, Recruit):
            row = state.realm.market[action.row - 1]
            craft, cost = row.cards[action.card - 1], price(rules.box, row)
            if craft not in cheapest or cost < cheapest[craft][0]:
                cheapest[craft] = (cost, action)
        else:
            yield action
    for _, action in cheapest.values():
        yield action


def ends_of_turn(rules: Rules, state: State, seat: int, actions: Iterable[Choice]) -> Iterator[tuple[Choice, State]]:
    """Every way to finish the turn that has begun: the next action and the state when the turn is over."""
    turn = state.realm.turn
    for action in differing(rules, state, actions):
        after = rules.apply(state, seat, action).state
        if after.realm.turn == turn and after.realm.seat == seat and after.realm.stage != stages.OVER:
            for _, end in ends_of_turn(rules, after, seat, rules.actions(after, seat)):
                yield action, end
        else:
            yield action, after


class GreedyBot(Bot):
    """Ends its turn with the fullest purse, whatever the others do and whatever comes after."""

    name = "greedy"

    def choose(self, game: AnyGame, view: View, seat: int, actions: Sequence[Choice], rng: Rng) -> Choice:
        if len(actions) == 1:
            return actions[0]
        assert isinstance(game, Rules)
        state = game.imagine(view, seat, rng)
        order, _ = Rng(rng.seed + "/order").shuffled(actions)
        ends = ends_of_turn(game, state, seat, order)
        return max(ends, key=lambda end: purse(game.box, end[1].realm, seat))[0]


class NormalBot(Bot):
    """Plans some turns of its own, as if the others waited, and judges where that leads."""

    name = "normal"
    branches = (12, 4, 2)
    """How many of the best ends of its first, second and third turn it thinks on from."""
    faith = 0.6
    """How much of a gain it believes in that is a turn further off."""

    def choose(self, game: AnyGame, view: View, seat: int, actions: Sequence[Choice], rng: Rng) -> Choice:
        if len(actions) == 1:
            return actions[0]
        assert isinstance(game, Rules)
        state = game.imagine(view, seat, rng)
        ends = [
            (lead(game.box, end.realm, seat), action, end) for action, end in ends_of_turn(game, state, seat, actions)
        ]
        ends.sort(key=lambda end: -end[0])
        return max(
            (
                (value + self.hope(game, end, seat, turns=1), action)
                for value, action, end in ends[: self.branches[0]]
            ),
            key=lambda judged: judged[0],
        )[1]

    def hope(self, game: Rules, state: State, seat: int, *, turns: int) -> float:
        """What the seat's next turns may add after so many turns, the less the further off they are."""
        realm = state.realm
        if turns > len(self.branches) - 1 or realm.stage != stages.ACT or seat in realm.passed:
            return 0.0
        now = standing(game.box, realm, seat)
        mine = msgspec.structs.replace(state, realm=msgspec.structs.replace(realm, seat=seat, active=seat))
        ends = [
            (standing(game.box, end.realm, seat) - now, end)
            for _, end in ends_of_turn(game, mine, seat, game.actions(mine, seat))
        ]
        ends.sort(key=lambda end: -end[0])
        further = (gain + self.hope(game, end, seat, turns=turns + 1) for gain, end in ends[: self.branches[turns]])
        return self.faith * max(0.0, *further)


BOTS: tuple[Bot, ...] = (RandomBot(), GreedyBot(), NormalBot())
