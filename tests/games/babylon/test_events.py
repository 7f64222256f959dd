"""What happened explains all that is seen: the events alone lead from every view to the next one."""

import pytest
from msgspec.structs import replace

from app.engine.contract import Event
from app.engine.rng import Chance, Rng
from app.games.babylon.events import (
    Decorated,
    Discarded,
    Finished,
    Kept,
    Laid,
    Mined,
    Paid,
    Placed,
    Removed,
    Returned,
    RoundBegan,
    Uncovered,
)
from app.games.babylon.garden import Decoration, Garden, Terrace
from app.games.babylon.state import Laying, Player, Stack, View
from tests.games.babylon.script import box, rules


def with_stack(view: View, x: int, y: int, stack: Stack) -> View:
    """The view with one stack as it is now."""
    number = y * 4 + x
    return replace(view, quarry=(*view.quarry[:number], stack, *view.quarry[number + 1 :]))


def without_top(view: View, x: int, y: int) -> View:
    """The view with one tile less on a stack, what is under it not yet seen."""
    return with_stack(view, x, y, Stack(view.quarry[y * 4 + x].height - 1, ""))


def change(
    view: View, seat: int, *, singles: int = 0, stored: str | None = None, garden: Garden | None = None
) -> View:
    """The view with so many pillars more in a seat's hands, this tile in its slot, this garden."""
    old = view.players[seat]
    player = Player(
        flower=old.flower,
        garden=old.garden if garden is None else garden,
        singles=old.singles + singles,
        stored=old.stored if stored is None else stored,
    )
    return replace(view, players=(*view.players[:seat], player, *view.players[seat + 1 :]))


def from_hand(view: View, seat: int, tile: str) -> View:
    """The view after a tile left the hand or the slot."""
    return replace(view, mined="") if view.mined == tile else change(view, seat, stored="")


def after(view: View, event: Event) -> View:
    """What is seen after one event, as far as it says so itself."""
    match event:
        case Removed():
            view = without_top(view, event.x, event.y)
            seat = (event.seat + 1) % len(view.players)
            return replace(view, removed=(*view.removed, event.tile), turn=view.turn + 1, seat=seat)
        case Uncovered():
            height = view.quarry[event.y * 4 + event.x].height
            return with_stack(view, event.x, event.y, Stack(height, event.tile))
        case Mined():
            assert event.singles + event.lost == max(0, len(event.sides) + event.flower + event.token)
            view = change(without_top(view, event.x, event.y), event.seat, singles=event.singles)
            supply = view.supply.without(single_pillar=event.singles)
            return replace(view, phase="build", mined=event.tile, supply=supply)
        case Placed():
            laying = Laying(event.tile, event.x, event.y, event.level)
            return replace(from_hand(view, event.seat, event.tile), phase="lay", laying=laying)
        case Laid():
            return after_laying(view, event)
        case Decorated():
            garden = view.players[event.seat].garden
            decoration = Decoration(
                event.decoration,  # type: ignore[arg-type]
                event.cells,
                event.level,
                len(garden.terraces),
                event.altered,
            )
            assert event.piece == decoration.piece
            view = change(view, event.seat, garden=garden.with_decoration(decoration))
            return replace(view, phase="decorate", supply=view.supply.without(**{event.decoration: 1}))
        case Returned():
            supply = view.supply.without(single_pillar=-event.singles, double_pillar=-event.doubles)
            view = change(view, event.seat, singles=-event.singles)
            return replace(view, supply=supply, doubles=view.doubles - event.doubles)
        case Discarded():
            view = from_hand(view, event.seat, event.tile)
            return replace(view, discarded=(*view.discarded, event.tile))
        case Kept():
            stored = "" if event.tile == "none" else event.tile
            view = change(view, event.seat, stored=stored, garden=view.players[event.seat].garden.settled())
            seat = (event.seat + 1) % len(view.players)
            return replace(view, phase="mine", mined="", turn=view.turn + 1, seat=seat)
        case RoundBegan():
            view = replace(view, phase="mine", round=event.round)
            if event.token == "none":
                return view
            return replace(view, shown=(*view.shown, event.token), tokens=view.tokens - 1)
        case Paid():
            view = replace(view, supply=view.supply.without(**{event.piece: event.count}))
            if event.piece == "double_pillar":
                return replace(view, doubles=event.count)
            return change(view, event.seat, singles=event.count)
    assert isinstance(event, Finished), event
    assert event.round == view.round
    return replace(view, phase="over")


def after_laying(view: View, event: Laid) -> View:
    """The same for a tile that was laid: it tells its supports, its price and what it hides."""
    garden = view.players[event.seat].garden
    terrace = Terrace(
        id=event.tile,
        flower=event.flower,
        x=event.x,
        y=event.y,
        level=event.level,
        face=box().tile_by_id[event.tile].face(event.turned),
        supports=event.supports,
        turn=garden.turn,
    )
    built = garden.with_terrace(terrace)
    assert seen_pieces(garden) - seen_pieces(built) == set(event.hides)
    assert (terrace.open_cell is None) == (event.open == "none")
    supply = view.supply.without(
        single_pillar=-2 * event.exchanged,
        double_pillar=event.exchanged,
        belvedere=event.supports.count("-"),
    )
    view = change(view, event.seat, singles=-event.singles, garden=built)
    return replace(view, phase="build", laying=None, doubles=view.doubles - event.token_doubles, supply=supply)


def seen_pieces(garden: Garden) -> set[str]:
    """The names of all pieces that can be seen from above."""
    return {
        *(terrace.piece for terrace in garden.terraces if garden.shows_terrace(terrace)),
        *(terrace.belvedere for terrace in garden.terraces if garden.shows_belvedere(terrace)),
        *(decoration.piece for decoration in garden.decorations if garden.shows_decoration(decoration)),
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_events_alone_lead_from_every_view_to_the_next(seats: int) -> None:
    game = rules()
    state = game.setup(seats, {}, Chance(Rng(f"events {seats}")))
    rng = Rng(f"events {seats}/choices")
    told = game.view(state, None)
    while state.phase != "over":
        actions = game.actions(state, state.seat)
        going_on = [action for action in actions if type(action).__name__ != "End"]
        number, rng = rng.below(6)
        action, rng = rng.choice(going_on if going_on and number else actions)
        step = game.apply(state, state.seat, action)
        state = step.state
        for event in step.events:
            told = after(told, event)
        assert told == game.view(state, None), step.events
