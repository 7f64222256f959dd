"""The rules of The Hanging Gardens; the numbers in brackets are the sections of RULES.md."""

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from app.engine.contract import (
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
from app.engine.rng import Chance, Rng
from app.games.hanging_gardens import automaton, scoring
from app.games.hanging_gardens.garden import legal_places
from app.games.hanging_gardens.imagination import imagined
from app.games.hanging_gardens.inspection import open_box
from app.games.hanging_gardens.market import without
from app.games.hanging_gardens.objectives import completions, outlook
from app.games.hanging_gardens.refusals import complaint
from app.games.hanging_gardens.state import (
    AUTOMATON,
    Automaton,
    AutomatonView,
    Bought,
    Buy,
    CardDrawn,
    Choice,
    Complete,
    Completed,
    Declined,
    Discarded,
    Draw,
    End,
    Gained,
    GameOver,
    GardenerPlaced,
    MarkerMoved,
    NothingHappened,
    Pass,
    Pile,
    Player,
    Refilled,
    RoundBegan,
    Spot,
    State,
    Take,
    TileDiscarded,
    TileRevealed,
    Took,
    TurnBegan,
    View,
    active,
)

replace = msgspec.structs.replace

REVEALING = (Refilled, CardDrawn)


class Rules(Game[State, Choice, View]):
    """Four rounds of three turns each: take a card and place it, buy a tile, complete an objective."""

    slug = "hanging_gardens"
    seats = range(1, 6)
    revision = 1
    options: ClassVar[tuple[Option, ...]] = (
        *(
            Option("first", ("random", *(str(seat) for seat in range(1, seats + 1))), "random", (seats,))
            for seats in range(2, 6)
        ),
        Option("difficulty", ("easy", "normal", "hard"), "normal", (1,)),
    )
    longest = 5 * 12 * 3
    state_type = State
    view_type = View
    action_types = (Take, Buy, Pass, Complete, End, Draw)
    event_types = (
        Took,
        Gained,
        MarkerMoved,
        Refilled,
        Bought,
        TileRevealed,
        Completed,
        Declined,
        TurnBegan,
        RoundBegan,
        CardDrawn,
        GardenerPlaced,
        Discarded,
        TileDiscarded,
        NothingHappened,
        GameOver,
    )

    def __init__(self, edition: Edition) -> None:
        super().__init__(edition)
        self.box = open_box(edition)
        self.setup_rules = self.box.contents.setup

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        """The table before the first turn (4, 9.1). The piles of a written deal are called ``deck``,
        ``enhancements-2``, ``-3``, ``-4``, ``objectives``, ``irrigation``, and ``first`` (seat numbers from 1,
        when the first player is left to chance) or, solo, ``automaton``."""
        box, rules = self.box, self.setup_rules
        deck = chance.shuffled("deck", tuple(box.cards))
        piles = tuple(
            chance.shuffled(
                f"enhancements-{cost}", tuple(tile.id for tile in box.tiles.values() if tile.cost == cost)
            )
            for cost in box.costs
        )
        objectives = chance.shuffled("objectives", tuple(box.objectives))[: rules.objectives]
        irrigation = chance.shuffled("irrigation", tuple(box.irrigation))
        market = tuple(deck[column * box.rows : (column + 1) * box.rows] for column in range(3))
        opponent: Automaton | None = None
        if seats == 1:
            level = box.difficulties[options["difficulty"]]
            cards = chance.shuffled("automaton", tuple(box.automaton_cards))
            opponent = Automaton(cards, (), box.contents.solo.gardeners)
            first = AUTOMATON if level.marker == "automaton" else 0
            players: tuple[Player, ...] = (Player(irrigation[0], (), level.coins, level.tools, rules.gardeners),)
        else:
            first = self._first(seats, options, chance)
            last = (first - 1) % seats
            players = tuple(
                Player(
                    irrigation=irrigation[seat],
                    garden=(),
                    coins=rules.coins,
                    tools=rules.tools + (rules.last_player_extra_tools if seat == last else 0),
                    gardeners=rules.gardeners,
                )
                for seat in range(seats)
            )
        spaces = box.spaces(seats)
        return State(
            players=players,
            market=market,
            ledges=((), (), ()),
            deck=deck[3 * box.rows :],
            piles=piles,
            objectives=objectives,
            spaces=tuple((None,) * len(spaces[tile]) for tile in objectives),
            holder=first,
            round=1,
            starter=first,
            turn=0,
            phase="automaton" if seats == 1 and first == AUTOMATON else "card",
            automaton=opponent,
            difficulty=options["difficulty"] if seats == 1 else "",
        )

    def _first(self, seats: int, options: Options, chance: Chance) -> int:
        if options["first"] != "random":
            return int(options["first"]) - 1
        return int(chance.shuffled("first", tuple(str(seat) for seat in range(1, seats + 1)))[0]) - 1

    def decisions(self, state: State) -> tuple[Decision, ...]:
        if state.phase == "over":
            return ()
        turn = (state.round - 1) * self._turns(state) + state.turn
        return (Decision(0 if state.phase == "automaton" else active(state), state.phase, turn),)

    def _turns(self, state: State) -> int:
        """How many turns a round has (5.2)."""
        return self.setup_rules.gardeners * (2 if state.automaton is not None else len(state.players))

    def actions(self, state: State, seat: int) -> Sequence[Choice]:
        phase = state.phase
        if phase == "automaton":
            return (Draw(),) if seat == 0 else ()
        if phase == "over" or seat != active(state):
            return ()
        player = state.players[seat]
        if phase == "card":
            return self._takes(state, player)
        if phase == "enhance":
            return [*self._purchases(state, player), Pass()]
        return [*completions(self.box, state, player, marker=state.holder == seat), End()]

    def _takes(self, state: State, player: Player) -> list[Take]:
        """Every card that can be paid for, of every open column, on every legal place (6.1, 6.2)."""
        places = legal_places(player.garden)
        tools = player.tools
        open_columns = [
            (column, len(cards))
            for column, (cards, ledge, spaces) in enumerate(
                zip(state.market, state.ledges, self.box.capacity(len(state.players)), strict=True), start=1
            )
            if len(ledge) < spaces
        ]
        return [
            Take(column, row, level, x)
            for column, height in open_columns
            for row, cost in enumerate(self.box.tool_cost[:height], start=1)
            if cost <= tools
            for level, x in places
        ]

    def _purchases(self, state: State, player: Player) -> list[Buy]:
        """Every pile that can be paid for, for every empty card of the garden (6.5)."""
        box = self.box
        costs = [cost for cost, pile in zip(box.costs, state.piles, strict=True) if pile and cost <= player.coins]
        if not costs:
            return []
        places = sorted(
            [(spot.level, spot.x) for spot in player.garden if not spot.tile and box.face(spot.card).empty]
        )
        return [Buy(cost, level, x) for cost in costs for level, x in places]

    def why_not(self, state: State, seat: int, action: Choice) -> Broken | None:
        return None if self.allows(state, seat, action) else complaint(self.box, state, seat, action)

    def apply(self, state: State, seat: int, action: Choice) -> Step[State]:
        events: list[Event] = []
        match action:
            case Take():
                state = self._take(state, seat, action, events)
                state = self._to_enhance(state, seat, events)
            case Buy():
                state = self._buy(state, seat, action, events)
                state = self._to_objective(state, seat, events)
            case Pass():
                events.append(Declined(seat, "enhancement"))
                state = self._to_objective(state, seat, events)
            case Complete():
                state = self._complete(state, seat, action, events)
                state = self._end_turn(state, events)
            case End():
                events.append(Declined(seat, "objective"))
                state = self._end_turn(state, events)
            case Draw():
                state = self._automaton_turn(state, events)
                state = self._end_turn(state, events)
        return Step(state, tuple(events), reveals=any(map(_reveals, events)))

    def _take(self, state: State, seat: int, action: Take, events: list[Event]) -> State:
        """Phases A, A′ and B: pay, place, resolve the bonus, refill (6.1-6.4)."""
        player = state.players[seat]
        column, row = action.column - 1, action.row - 1
        card, paid = state.market[column][row], self.box.tool_cost[row]
        events.append(Took(seat, card, action.column, action.row, paid, action.level, action.x))
        player = replace(
            player,
            tools=player.tools - paid,
            gardeners=player.gardeners - 1,
            garden=(*player.garden, Spot(action.level, action.x, card)),
        )
        player, holder = self._bonus(
            player, state.holder, seat, self.box.cards[card].bonus, card, action.level, events
        )
        ledges = (*state.ledges[:column], (*state.ledges[column], seat), *state.ledges[column + 1 :])
        state = replace(state, players=_with(state.players, seat, player), holder=holder, ledges=ledges)
        state, refilled = without(state, column=column, rows=(row,), height=self.box.rows)
        events += refilled
        return state

    def _buy(self, state: State, seat: int, action: Buy, events: list[Event]) -> State:
        """Phase C: pay, lay the top tile on the card, resolve its bonus (6.5, R-05)."""
        player = state.players[seat]
        index = self.box.costs.index(action.cost)
        tile, *rest = state.piles[index]
        at = next(
            number for number, spot in enumerate(player.garden) if (spot.level, spot.x) == (action.level, action.x)
        )
        spot = player.garden[at]
        events.append(Bought(seat, tile, action.cost, spot.card, action.level, action.x))
        player = replace(
            player,
            coins=player.coins - action.cost,
            garden=(*player.garden[:at], replace(spot, tile=tile), *player.garden[at + 1 :]),
        )
        player, holder = self._bonus(
            player, state.holder, seat, self.box.tiles[tile].bonus, tile, action.level, events
        )
        events.append(TileRevealed(action.cost, rest[0] if rest else ""))
        piles = (*state.piles[:index], tuple(rest), *state.piles[index + 1 :])
        return replace(state, players=_with(state.players, seat, player), holder=holder, piles=piles)

    def _bonus(
        self, player: Player, holder: int, seat: int, bonus: str, source: str, level: int, events: list[Event]
    ) -> tuple[Player, int]:
        """The player and the holder of the marker after a bonus, which nobody can decline (6.3, R-09)."""
        if bonus == "crown":
            events.append(Gained(seat, bonus, 0, source))
            if holder != seat:
                events.append(MarkerMoved(holder, seat))
            return player, seat
        if bonus != "none":
            events.append(Gained(seat, bonus, level, source))
            player = _richer(player, bonus, level)
        return player, holder

    def _complete(self, state: State, seat: int, action: Complete, events: list[Event]) -> State:
        """Phase D: a marker on the space, and what the space gives (6.6)."""
        player = state.players[seat]
        index = state.objectives.index(action.tile)
        seen = outlook(self.box, state, seat)[index]
        space = self.box.spaces(len(state.players))[action.tile][action.space - 1]
        events.append(
            Completed(
                seat=seat,
                tile=action.tile,
                space=action.space,
                points=space.vp,
                gift=space.gift,
                level=seen.level,
                reduced=seen.have == seen.need and seen.reduced,
            )
        )
        player = replace(player, objectives=(*player.objectives, (action.tile, action.space)))
        if space.gift != "none":
            events.append(Gained(seat, space.gift, 1, action.tile))
            player = _richer(player, space.gift, 1)
        row = state.spaces[index]
        row = (*row[: action.space - 1], seat, *row[action.space :])
        spaces = (*state.spaces[:index], row, *state.spaces[index + 1 :])
        return replace(state, players=_with(state.players, seat, player), spaces=spaces)

    def _to_enhance(self, state: State, seat: int, events: list[Event]) -> State:
        """Phase C, unless nothing can be bought (5.3)."""
        if self._purchases(state, state.players[seat]):
            return replace(state, phase="enhance")
        return self._to_objective(state, seat, events)

    def _to_objective(self, state: State, seat: int, events: list[Event]) -> State:
        """Phase D, unless nothing can be completed (5.3)."""
        if completions(self.box, state, state.players[seat], marker=state.holder == seat):
            return replace(state, phase="objective")
        return self._end_turn(state, events)

    def _end_turn(self, state: State, events: list[Event]) -> State:
        """The next turn, the next round or the end; the automaton acts when it is its turn (5.2, 7, 9.2)."""
        while True:
            state = self._next_turn(state, events)
            if state.phase == "over" or state.automaton is None or active(state) != AUTOMATON:
                return state
            state = self._automaton_turn(state, events)

    def _next_turn(self, state: State, events: list[Event]) -> State:
        turn = state.turn + 1
        if turn < self._turns(state):
            state = replace(state, turn=turn, phase="card")
        elif state.round == self.setup_rules.rounds:
            events.append(GameOver())
            return replace(state, turn=turn, phase="over")
        else:
            state = self._next_round(state)
            events.append(RoundBegan(state.round, state.starter))
        events.append(TurnBegan(active(state), state.round, state.turn + 1))
        return state

    def _next_round(self, state: State) -> State:
        """Gardeners go home, columns reopen, and the holder of the marker starts (7, R-10)."""
        players = tuple([replace(player, gardeners=self.setup_rules.gardeners) for player in state.players])
        opponent = state.automaton
        if opponent is not None:
            opponent = replace(opponent, gardeners=self.box.contents.solo.gardeners)
        return replace(
            state,
            players=players,
            automaton=opponent,
            ledges=((), (), ()),
            round=state.round + 1,
            starter=state.holder,
            turn=0,
            phase="card",
        )

    def _automaton_turn(self, state: State, events: list[Event]) -> State:
        assert state.automaton is not None
        state, done = automaton.resolve(self.box, state, state.automaton)
        events += done
        return state

    def view(self, state: State, seat: int | None) -> View:
        opponent = state.automaton
        return View(
            seat=seat,
            players=state.players,
            market=state.market,
            ledges=state.ledges,
            deck=len(state.deck),
            piles=tuple(
                [
                    Pile(cost, pile[0] if pile else "", len(pile))
                    for cost, pile in zip(self.box.costs, state.piles, strict=True)
                ]
            ),
            objectives=state.objectives,
            spaces=state.spaces,
            holder=state.holder,
            round=state.round,
            starter=state.starter,
            turn=state.turn,
            phase=state.phase,
            automaton=None
            if opponent is None
            else AutomatonView(len(opponent.deck), opponent.used, opponent.gardeners, opponent.objectives),
            difficulty=state.difficulty,
            discards=state.discards,
            discarded_tiles=state.discarded_tiles,
        )

    def scores(self, state: State) -> tuple[Score, ...]:
        """Points as the gardens stand (8); alone, the rank is 1 for a win, else 2 (9.3)."""
        scores = []
        for seat, player in enumerate(state.players):
            points = scoring.points_by_part(self.box, player, seats=len(state.players))
            parts = tuple(zip(scoring.PARTS, points, strict=True))
            scores.append(Score(seat, sum(points), parts, 1, tie_break=(player.tools + player.coins,)))
        if state.automaton is None:
            return ranked(scores)
        verdict = self.box.verdict(scores[0].total)
        return (replace(scores[0], rank=1 if verdict.win else 2, verdict=verdict.id),)

    def imagine(self, view: View, seat: int | None, rng: Rng) -> State:
        return imagined(self.box, view, rng)


def _with(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    return (*players[:seat], player, *players[seat + 1 :])


def _richer(player: Player, what: str, amount: int) -> Player:
    if what == "coin":
        return replace(player, coins=player.coins + amount)
    return replace(player, tools=player.tools + amount)


def _reveals(event: Event) -> bool:
    return isinstance(event, REVEALING) or (isinstance(event, TileRevealed) and bool(event.tile))
