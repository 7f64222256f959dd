"""How a bot thinks about a turn: which plans there are, and where each would lead next turn."""

from collections.abc import Iterable, Iterator
from operator import attrgetter

import msgspec

from app.games.babylon import choices, decorating, mining, placing, scoring
from app.games.babylon.components import Box, Tile
from app.games.babylon.decorating import Offer
from app.games.babylon.garden import Cell, Garden
from app.games.babylon.prospects import Outlook, Prospect
from app.games.babylon.state import NONE, End, Lay, Mine, Place, View
from app.games.babylon.supports import NO_CORNER, Purse
from app.games.babylon.weights import Weights


class Plan(msgspec.Struct, frozen=True):
    """What to do in this turn: the stack to mine, the tiles to lay, and the garden, pillars and tile after that.

    ``value`` is a first judgement, to choose which plans deserve a second.
    """

    value: float
    stack: Cell | None
    laid: tuple[Prospect, ...]
    garden: Garden
    purse: Purse
    kept: str


class Planner:
    """The plans of one seat at one moment.

    ``breadth`` is how many plans are thought through to the end of the next turn; with 0 the first judgement stands.
    """

    def __init__(self, box: Box, view: View, weights: Weights, *, breadth: int) -> None:
        self.box = box
        self.view = view
        self.weights = weights
        self.breadth = breadth
        self.player = view.players[view.seat]
        self.rounds = box.for_seats(len(view.players)).rounds
        self.storage = box.storage.single_pillars

    def stack(self) -> Mine:
        """Which tile to mine (8.1)."""
        plan = self._best(self._mining_plans())
        assert plan.stack is not None
        return Mine(*plan.stack)

    def place(self) -> Place | None:
        """Which tile to place where, ``None`` when none had better be (9)."""
        plan = self._best(self._building_plans())
        if not plan.laid:
            return None
        first = plan.laid[0]
        return Place(first.tile, first.site.x, first.site.y, first.site.level)

    def lay(self) -> Lay:
        """How the tile under way had better lie (9.4)."""
        laying = self.view.laying
        assert laying is not None
        garden, purse = self.player.garden, choices.purse(self.view)
        site = choices.site_of(self.view, laying)
        outlook = self._outlook(garden)
        hand = self.view.hand
        ways = sorted(
            outlook.on(site, self._tile(laying.tile), purse, self.storage), key=attrgetter("value"), reverse=True
        )
        first = self._best(self._laid(outlook, None, prospect, garden, purse, hand) for prospect in ways).laid[0]
        return Lay(first.turned, first.form.open)

    def offer(self, offers: Iterable[Offer]) -> Offer | None:
        """Which decoration to set, ``None`` when none had better be (10)."""
        garden, values = self.player.garden, self.box.scoring
        worth = {offer: scoring.worth(garden, offer.decoration(garden), values) for offer in offers}
        if not worth:
            return None
        most = max(worth, key=lambda offer: worth[offer])
        if not self.breadth:
            return most if worth[most] > 0 else None
        purse, kept = choices.purse(self.view), self._kept()
        after = {
            offer: self._decorated(garden.with_decoration(offer.decoration(garden)))
            for offer in sorted(worth, key=lambda offer: -worth[offer])
        }
        value = {offer: self._future(built, purse, kept) for offer, built in after.items()}
        best = max(value, key=lambda offer: value[offer])
        return best if value[best] >= self._future(garden, purse, kept) else None

    def end(self) -> End:
        """Which tile to keep (11.3)."""
        return End(self._kept() or NONE)

    def _kept(self) -> str:
        outlook = self._outlook(self.player.garden)
        return max(self.view.hand, key=lambda tile: outlook.worth_keeping(self._tile(tile)), default="")

    def _tile(self, tile: str) -> Tile:
        return self.box.tile_by_id[tile]

    def _outlook(self, garden: Garden, *, turns: int = 0) -> Outlook:
        """The garden as it looks in this turn, or so many turns later."""
        left = max(0, self.rounds - self.view.round - turns)
        return Outlook(garden, values=self.box.scoring, weights=self.weights, fade=left / self.rounds)

    def _best(self, plans: Iterable[Plan]) -> Plan:
        """The best plan after as many second thoughts as the breadth allows."""
        ranked = sorted(plans, key=attrgetter("value"), reverse=True)
        if not self.breadth:
            return ranked[0]
        return max(ranked[: self.breadth], key=self._second_thought)

    def _second_thought(self, plan: Plan) -> float:
        return self._future(self._decorated(plan.garden), plan.purse, plan.kept, mined=plan.stack)

    def _stacks(self, effect: str, mined: Cell | None = None) -> Iterator[tuple[Cell, Tile, int]]:
        """Every uncovered tile with what it would bring, when that one has been mined."""
        width = self.box.quarry.width
        heights, tops = list(self.view.heights), list(self.view.tops)
        if mined:
            heights[mined[1] * width + mined[0]] -= 1
            tops[mined[1] * width + mined[0]] = ""
        for number, top in enumerate(tops):
            if top:
                tile, x, y = self._tile(top), number % width, number // width
                own = tile.flower == self.player.flower
                gain = mining.gain(heights, width, x, y, own_flower=own, effect=effect, values=self.box.mining)
                yield (x, y), tile, min(gain.total, self.view.supply.single_pillar)

    def _mining_plans(self) -> Iterator[Plan]:
        """For each stack: lay the mined tile, or the stored one, or neither."""
        garden, stored = self.player.garden, self.player.stored
        outlook = self._outlook(garden)
        purse = choices.purse(self.view)
        held = [self._tile(stored)] if stored else []
        for singles, stacks in _by_gain(self._stacks(self.view.effect)).items():
            richer = msgspec.structs.replace(purse, singles=purse.singles + singles)
            best = outlook.best([*(tile for _, tile in stacks), *held], richer, self.storage)
            for stack, tile in stacks:
                hand = tuple(name for name in (tile.id, stored) if name)
                yield self._idle(outlook, stack, garden, richer, hand)
                for name in hand:
                    if name in best:
                        yield self._laid(outlook, stack, best[name], garden, richer, hand)

    def _building_plans(self) -> Iterator[Plan]:
        """Lay nothing, or a tile of the hand on any site, or both, the most promising first."""
        garden, hand, purse = self.player.garden, self.view.hand, choices.purse(self.view)
        outlook = self._outlook(garden)
        yield self._idle(outlook, None, garden, purse, hand)
        prospects = [prospect for name in hand for prospect in outlook.each(self._tile(name), purse, self.storage)]
        prospects.sort(key=attrgetter("value"), reverse=True)
        for number, prospect in enumerate(prospects):
            plan = self._laid(outlook, None, prospect, garden, purse, hand)
            yield plan
            if plan.kept and number < self.breadth // 4:
                yield from self._second_tile(plan)

    def _second_tile(self, plan: Plan) -> Iterator[Plan]:
        """The same plan with the other tile laid too."""
        outlook = self._outlook(plan.garden)
        best = outlook.best([self._tile(plan.kept)], plan.purse, self.storage)
        if plan.kept in best:
            then = self._laid(outlook, None, best[plan.kept], plan.garden, plan.purse, (plan.kept,))
            kept = outlook.worth_keeping(self._tile(plan.kept)) + outlook.idle(plan.purse, self.storage)
            value = plan.value - kept + then.value
            yield msgspec.structs.replace(then, value=value, laid=(*plan.laid, *then.laid))

    def _idle(
        self, outlook: Outlook, stack: Cell | None, garden: Garden, purse: Purse, hand: tuple[str, ...]
    ) -> Plan:
        """Nothing is laid, the better tile is kept."""
        worth = {name: outlook.worth_keeping(self._tile(name)) for name in hand}
        kept = max(worth, key=lambda name: worth[name], default="")
        return Plan(outlook.idle(purse, self.storage) + worth.get(kept, 0.0), stack, (), garden, purse, kept)

    def _laid(
        self,
        outlook: Outlook,
        stack: Cell | None,
        prospect: Prospect,
        garden: Garden,
        purse: Purse,
        hand: tuple[str, ...],
    ) -> Plan:
        """One tile of the hand is laid, the other one kept."""
        tile, form = self._tile(prospect.tile), prospect.form
        kept = next((name for name in hand if name != tile.id), "")
        payment = purse.payment(form)
        left = Purse(
            singles=purse.singles - payment.spent,
            doubles=purse.doubles - payment.token_doubles,
            supply_doubles=purse.supply_doubles - payment.exchanged,
            belvederes=purse.belvederes - (form.open != NO_CORNER),
        )
        return Plan(
            value=prospect.value + outlook.worth_keeping(self._tile(kept) if kept else None),
            stack=stack,
            laid=(prospect,),
            garden=placing.laid(garden, tile, prospect.site, turned=prospect.turned, form=form),
            purse=left,
            kept=kept,
        )

    def _decorated(self, garden: Garden) -> Garden:
        """The garden with all that may be set in this turn, what is worth most first."""
        supply = self.view.supply
        while offers := decorating.offers(garden, self.view.effect, supply):
            built = [garden.with_decoration(offer.decoration(garden)) for offer in offers]
            garden = max(built, key=self._score)
            supply = supply.without(**{garden.decorations[-1].kind: 1})
        return garden

    def _score(self, garden: Garden) -> int:
        return scoring.total(garden, self.box.scoring)

    def _future(self, garden: Garden, purse: Purse, kept: str, *, mined: Cell | None = None) -> float:
        """What this garden is worth at the end of this turn, with what the best tile would bring in the next."""
        worth = float(self._score(garden))
        if self.view.round >= self.rounds:
            return worth
        outlook = self._outlook(garden.settled(), turns=1)
        held = [self._tile(kept)] if kept else []
        keeping = outlook.worth_keeping(held[0]) if held else 0.0
        most = 0.0
        for singles, stacks in _by_gain(self._stacks(NONE, mined)).items():
            next_purse = Purse(
                singles=min(self.storage, purse.singles) + singles,
                doubles=0,
                supply_doubles=purse.supply_doubles,
                belvederes=purse.belvederes,
            )
            tiles = [tile for _, tile in stacks]
            best = outlook.best([*tiles, *held], next_purse, self.storage)
            idle = outlook.idle(next_purse, self.storage)
            for tile in tiles:
                waiting = outlook.worth_keeping(tile)
                most = max(most, idle + max(keeping, waiting))
                if tile.id in best:
                    most = max(most, best[tile.id].value + keeping)
                if kept in best:
                    most = max(most, best[kept].value + waiting)
        return worth + outlook.potential + most


def _by_gain(stacks: Iterable[tuple[Cell, Tile, int]]) -> dict[int, list[tuple[Cell, Tile]]]:
    """The stacks that bring equally many pillars, together: they share one look at the garden."""
    found: dict[int, list[tuple[Cell, Tile]]] = {}
    for stack, tile, singles in stacks:
        found.setdefault(singles, []).append((stack, tile))
    return found
