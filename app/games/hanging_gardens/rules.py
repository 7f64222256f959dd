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
from app.games.hanging_gardens import scoring, turn
from app.games.hanging_gardens.choices import purchases, takes, turns_in_round
from app.games.hanging_gardens.imagination import imagined
from app.games.hanging_gardens.inspection import open_box
from app.games.hanging_gardens.objectives import completions
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
        number = (state.round - 1) * turns_in_round(self.box, state) + state.turn
        return (Decision(0 if state.phase == "automaton" else active(state), state.phase, number),)

    def actions(self, state: State, seat: int) -> Sequence[Choice]:
        phase = state.phase
        if phase == "automaton":
            return (Draw(),) if seat == 0 else ()
        if phase == "over" or seat != active(state):
            return ()
        if phase == "card":
            return takes(self.box, state, state.players[seat])
        if phase == "enhance":
            return (*purchases(self.box, state, state.players[seat]), Pass())
        return (*completions(self.box, state, seat), End())

    def why_not(self, state: State, seat: int, action: Choice) -> Broken | None:
        return None if self.allows(state, seat, action) else complaint(self.box, state, seat, action)

    def apply(self, state: State, seat: int, action: Choice) -> Step[State]:
        events: list[Event] = []
        match action:
            case Take():
                state = turn.take(self.box, state, seat, action, events)
            case Buy():
                state = turn.buy(self.box, state, seat, action, events)
            case Pass():
                state = turn.buy_nothing(self.box, state, seat, events)
            case Complete():
                state = turn.complete(self.box, state, seat, action, events)
            case End():
                state = turn.complete_nothing(self.box, state, seat, events)
            case Draw():
                state = turn.automaton_begins(self.box, state, events)
        return Step(state, tuple(events), reveals=turn.reveals(events))

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
