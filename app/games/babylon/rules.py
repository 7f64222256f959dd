"""Babylon's answers to the questions of the contract; the rules themselves are in the modules it asks."""

from collections.abc import Sequence
from typing import ClassVar

from app.engine.contract import Broken, Decision, Edition, Game, Option, Options, Score, Step, ranked
from app.engine.rng import Chance, Rng
from app.games.babylon import imagining, refusals, scoring, supply, turns
from app.games.babylon.choices import choices
from app.games.babylon.components import SEATS, Box, open_box
from app.games.babylon.events import EVENTS
from app.games.babylon.garden import Garden
from app.games.babylon.state import (
    Bridge,
    Choice,
    End,
    Fountain,
    Lay,
    Mine,
    Place,
    Player,
    Remove,
    Stack,
    Stairs,
    State,
    Statue,
    View,
)


class Rules(Game[State, Choice, View]):
    """Babylon with one edition of its box."""

    slug = "babylon"
    seats = SEATS
    revision = 1
    options: ClassVar[tuple[Option, ...]] = ()
    longest = 700
    state_type = State
    view_type = View
    action_types = (Remove, Mine, Place, Lay, Statue, Fountain, Bridge, Stairs, End)
    event_types = EVENTS
    box: Box

    def __init__(self, edition: Edition) -> None:
        super().__init__(edition)
        self.box = open_box(edition)

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        box = self.box
        flowers = chance.shuffled("boards", [flower.id for flower in box.flowers])
        first = int(chance.shuffled("first_player", [str(seat) for seat in range(seats)])[0])
        layers = [
            chance.shuffled(material.id, layer) for material, layer in zip(box.materials, box.layers, strict=True)
        ]
        facts = box.for_seats(seats)
        tokens = chance.shuffled("tokens", box.token_ids)[: facts.round_tokens]
        state = State(
            phase="remove",
            turn=1,
            round=0,
            first=first,
            seat=first,
            shown=(),
            supply=supply.full(box.supply),
            players=tuple(Player(flower, Garden(), 0, box.start_tile[flower]) for flower in flowers[:seats]),
            mined="",
            doubles=0,
            laying=None,
            removed=(),
            discarded=(),
            quarry=tuple(zip(*layers, strict=True)),
            tokens=tokens,
        )
        return state if facts.clay_removed_each else turns.begin_round(state)[0]

    def decisions(self, state: State) -> tuple[Decision, ...]:
        return () if state.phase == "over" else (Decision(state.seat, state.phase, state.turn),)

    def actions(self, state: State, seat: int) -> Sequence[Choice]:
        return choices(self.box, state) if seat == state.seat else ()

    def allows(self, state: State, seat: int, action: Choice) -> bool:
        return self.why_not(state, seat, action) is None

    def why_not(self, state: State, seat: int, action: Choice) -> Broken | None:
        return refusals.refusal(self.box, state, seat, action)

    def apply(self, state: State, seat: int, action: Choice) -> Step[State]:
        match action:
            case Place():
                return turns.place(state, action)
            case Lay():
                return turns.lay(self.box, state, action)
            case Mine():
                return turns.mine(self.box, state, action)
            case End():
                return turns.end(self.box, state, action)
            case Remove():
                return turns.remove(self.box, state, action)
        return turns.decorate(self.box, state, action)

    def view(self, state: State, seat: int | None) -> View:
        return View(
            phase=state.phase,
            turn=state.turn,
            round=state.round,
            first=state.first,
            seat=state.seat,
            shown=state.shown,
            supply=state.supply,
            players=state.players,
            mined=state.mined,
            doubles=state.doubles,
            laying=state.laying,
            removed=state.removed,
            discarded=state.discarded,
            viewer=seat,
            quarry=tuple([Stack(len(stack), stack[-1] if stack else "") for stack in state.quarry]),
            tokens=len(state.tokens),
        )

    def scores(self, state: State) -> tuple[Score, ...]:
        """The points of 13.1; among equal totals fewer visible board holes win (13.2)."""
        parts = [scoring.points(player.garden, self.box.scoring) for player in state.players]
        return ranked(
            Score(
                seat=seat,
                total=sum(points for _, points in parts[seat]),
                parts=parts[seat],
                rank=0,
                tie_break=(-player.garden.holes,),
            )
            for seat, player in enumerate(state.players)
        )

    def imagine(self, view: View, seat: int | None, rng: Rng) -> State:
        return imagining.imagine(self.box, view, rng)
