"""Players without a person: they get what a person would get, a view and the legal actions."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from app.engine.contract import AnyGame, Score
from app.engine.rng import Rng


class Bot(ABC):
    """Chooses one of the legal actions. Stateless: all it knows is in its arguments."""

    name: ClassVar[str]

    @abstractmethod
    def choose(self, game: AnyGame, view: Any, seat: int, actions: Sequence[Any], rng: Rng) -> Any:
        """One of ``actions`` (never empty). Equal arguments give equal choices."""


class RandomBot(Bot):
    """Any legal action, each equally likely."""

    name = "random"

    def choose(self, game: AnyGame, view: Any, seat: int, actions: Sequence[Any], rng: Rng) -> Any:
        action, _ = rng.choice(actions)
        return action


class GreedyBot(Bot):
    """The action after which the seat stands best, judged in one state imagined from its view."""

    name = "greedy"

    def choose(self, game: AnyGame, view: Any, seat: int, actions: Sequence[Any], rng: Rng) -> Any:
        if len(actions) == 1:
            return actions[0]
        state = game.imagine(view, seat, rng)
        order, _ = Rng(rng.seed + "/order").shuffled(actions)
        return max(order, key=lambda action: self.value(game, game.apply(state, seat, action).state, seat))

    def value(self, game: AnyGame, state: Any, seat: int) -> float:
        """How well ``seat`` stands: its points before those of its best rival. Games may know better."""
        return lead(game.scores(state), seat)


def lead(scores: Sequence[Score], seat: int) -> float:
    """The seat's total minus the best other total (minus nothing when it sits alone)."""
    mine = next(score.total for score in scores if score.seat == seat)
    return mine - max((score.total for score in scores if score.seat != seat), default=0)
