"""Players who know The Hanging Gardens."""

from collections.abc import Sequence
from typing import Any

import msgspec

from app.engine.bots import Bot, RandomBot, lead
from app.engine.contract import AnyGame
from app.engine.rng import Rng
from app.games.hanging_gardens import scoring
from app.games.hanging_gardens.box import ITEM, Box, Space
from app.games.hanging_gardens.choices import turns_in_round
from app.games.hanging_gardens.garden import PLACES
from app.games.hanging_gardens.gardening import with_card, with_tile
from app.games.hanging_gardens.objectives import most
from app.games.hanging_gardens.rules import Rules
from app.games.hanging_gardens.state import Buy, Choice, Complete, End, Player, State, Take, View, active


class Wishes(msgspec.Struct, frozen=True):
    """What a bot thinks things are worth, in VP, as long as there are turns left to use them in."""

    coin: float = 0.9
    tool: float = 0.6
    marker: float = 1.0
    empty: float = 0.8
    irrigated: float = 0.3
    progress: float = 2.0


class GreedyGardener(Bot):
    """Takes what leaves it best off at once: its points as they stand, and what coins and the rest may become."""

    name = "greedy"
    wishes = Wishes()

    def choose(self, game: AnyGame, view: View, seat: int, actions: Sequence[Any], rng: Rng) -> Any:
        assert isinstance(game, Rules)
        if len(actions) == 1:
            return actions[0]
        values = self.values(game.box, view, seat, actions)
        best = max(values)
        choice, _ = rng.choice([action for action, value in zip(actions, values, strict=True) if value == best])
        return choice

    def values(self, box: Box, view: View, seat: int, actions: Sequence[Choice]) -> list[float]:
        """How well the seat stands after each of its actions; comparable among these only."""
        values = []
        for action in actions:
            match action:
                case Take():
                    value = self._after_taking(box, view, seat, action)
                case Buy():
                    value = self._after_buying(box, view, seat, action)
                case Complete():
                    value = self._space(box.spaces(len(view.players))[action.tile][action.space - 1])
                case End():
                    value = 0.0
                case _:
                    value = self.value(box, view, view.players[seat], marker=view.holder == seat)
            values.append(value)
        return values

    def _space(self, space: Space) -> float:
        return space.vp + {"coin": self.wishes.coin, "tool": self.wishes.tool, "none": 0.0}[space.gift]

    def _after_taking(self, box: Box, view: View, seat: int, action: Take) -> float:
        card = view.market[action.column - 1][action.row - 1]
        paid = box.tool_cost[action.row - 1]
        player = with_card(box, view.players[seat], card, paid=paid, level=action.level, x=action.x)
        marker = view.holder == seat or box.cards[card].bonus == "crown"
        return self.value(box, view, player, marker=marker)

    def _after_buying(self, box: Box, view: View, seat: int, action: Buy) -> float:
        tile = next(pile.top for pile in view.piles if pile.cost == action.cost)
        player = with_tile(box, view.players[seat], tile, level=action.level, x=action.x)
        marker = view.holder == seat or box.tiles[tile].bonus == "crown"
        return self.value(box, view, player, marker=marker)

    def value(self, box: Box, view: View, player: Player, *, marker: bool) -> float:
        """How well a player stands: points as they are, and hopes for the turns that are left."""
        points = scoring.total(box, player, seats=len(view.players))
        turns = PLACES - len(player.garden)
        hopes = self._objectives(box, view, player, marker=marker, turns=turns)
        if turns:
            wishes = self.wishes
            hopes += wishes.coin * player.coins + wishes.tool * player.tools + wishes.marker * marker
            for spot in player.garden:
                face = box.face(spot.card, spot.tile)
                hopes += wishes.empty * face.empty + wishes.irrigated * face.irrigated
        return points + hopes

    def _objectives(self, box: Box, view: View, player: Player, *, marker: bool, turns: int) -> float:
        """The best objective that could be completed now, and how near the others are."""
        done = {tile for tile, _ in player.objectives}
        spaces = box.spaces(len(view.players))
        now, later = 0.0, 0.0
        for tile, row in zip(view.objectives, view.spaces, strict=True):
            if tile in done or None not in row:
                continue
            item = ITEM[box.objectives[tile].item]
            vp = spaces[tile][row.index(None)].vp
            near = min(1.0, most(box, player.garden, item) / (box.objectives[tile].count - marker))
            if near == 1.0:
                now, later = max(now, vp), later + min(now, vp) * 0.8 * bool(turns)
            elif turns:
                later += self.wishes.progress * near * near
        return now + later


class PlanningGardener(GreedyGardener):
    """Plays the best few choices on to the end, in some imagined worlds, where everybody is greedy."""

    name = "normal"
    shortlist = 4
    turns = 120
    """How many turns it plays in its head for one choice: its time to think, told without a clock."""

    def choose(self, game: AnyGame, view: View, seat: int, actions: Sequence[Any], rng: Rng) -> Any:
        assert isinstance(game, Rules)
        if len(actions) == 1 or view.phase == "objective":
            return super().choose(game, view, seat, actions, rng)
        values = self.values(game.box, view, seat, actions)
        few = sorted(range(len(actions)), key=lambda index: -values[index])[: self.shortlist]
        left = turns_in_round(game.box, view) * (game.box.contents.setup.rounds - view.round + 1) - view.turn
        outcomes = [0.0] * len(few)
        for world in range(max(2, self.turns // (left * len(few)))):
            state = game.imagine(view, seat, Rng(f"{rng.seed}/{world}"))
            for number, index in enumerate(few):
                outcomes[number] += self._outcome(game, game.apply(state, seat, actions[index]).state, seat)
        return actions[few[outcomes.index(max(outcomes))]]

    def _outcome(self, game: Rules, state: State, seat: int) -> float:
        while state.phase != "over":
            acting = 0 if state.phase == "automaton" else active(state)
            actions = game.actions(state, acting)
            values = self.values(game.box, game.view(state, acting), acting, actions)
            state = game.apply(state, acting, actions[values.index(max(values))]).state
        return lead(game.scores(state), seat)


BOTS: tuple[Bot, ...] = (RandomBot(), GreedyGardener(), PlanningGardener())
