"""Players who know Babylon: one who takes what a turn brings, and one who thinks a turn ahead."""

from collections.abc import Sequence
from typing import ClassVar

from app.engine.bots import Bot, RandomBot
from app.engine.contract import AnyGame
from app.engine.rng import Rng
from app.games.babylon import choices
from app.games.babylon.planning import Planner
from app.games.babylon.rules import Rules
from app.games.babylon.state import Choice, View
from app.games.babylon.weights import FORESIGHT, POINTS_ONLY, Weights


class _PlanningBot(Bot):
    """Makes a plan for the turn at every step of it, from the view alone."""

    weights: ClassVar[Weights]
    breadth: ClassVar[int]

    def choose(self, game: AnyGame, view: View, seat: int, actions: Sequence[Choice], rng: Rng) -> Choice:
        if len(actions) == 1:
            return actions[0]
        assert isinstance(game, Rules)
        planner = Planner(game.box, view, self.weights, breadth=self.breadth)
        if view.phase == "remove":
            return _clay_to_remove(game, view, seat, actions, rng)
        if view.phase == "mine":
            return planner.stack()
        if view.phase == "lay":
            return planner.lay()
        place = planner.place() if view.phase == "build" else None
        if place:
            return place
        offer = planner.offer(choices.offered(view))
        return choices.action_of(offer) if offer else planner.end()


def _clay_to_remove(game: Rules, view: View, seat: int, actions: Sequence[Choice], rng: Rng) -> Choice:
    """Some clay tile that has not the seat's own flower: those bring it a pillar more (8.3)."""
    flower = view.players[seat].flower
    others = [
        action
        for action, top in zip(actions, _clay(game, view), strict=True)
        if game.box.tile_by_id[top].flower != flower
    ]
    return rng.choice(others or actions)[0]


def _clay(game: Rules, view: View) -> list[str]:
    """The tiles that the actions of the setup would remove, in their order (5.6)."""
    layers = len(game.box.materials)
    return [stack.tile for stack in view.quarry if stack.height == layers]


class GreedyBot(_PlanningBot):
    """Takes the tile and the place that bring most in this turn, decorations included."""

    name = "greedy"
    weights = POINTS_ONLY
    breadth = 0


class NormalBot(_PlanningBot):
    """Thinks its best plans through to the end of its next turn, with the tiles that lie in the quarry now."""

    name = "normal"
    weights = FORESIGHT
    breadth = 24


BOTS: tuple[Bot, ...] = (RandomBot(), GreedyBot(), NormalBot())
