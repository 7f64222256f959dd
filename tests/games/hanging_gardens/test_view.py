"""What leaves the rules, and what does not (5.1)."""

import pytest

from app.engine import codec, log
from app.engine.bots import RandomBot
from app.engine.playout import playout
from app.engine.rng import Rng
from app.games.hanging_gardens.state import State
from tests.games.hanging_gardens.drawn import GAME, act, anywhere, begin


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_no_view_ever_names_a_hidden_card_or_tile(seats: int) -> None:
    for position in playout(GAME, seats=seats, seed="secret", bots=(RandomBot(),)):
        state = position.state
        hidden = {*state.deck, *(tile for pile in state.piles for tile in pile[1:])}
        if state.automaton is not None:
            hidden |= set(state.automaton.deck)
        for seat in (*range(seats), None):
            text = codec.encode(GAME.view(state, seat)).decode()
            assert not [item for item in hidden if f'"{item}"' in text]


@pytest.mark.parametrize("seats", [1, 3])
def test_no_event_names_what_is_still_hidden_after_it(seats: int) -> None:
    for position in playout(GAME, seats=seats, seed="events", bots=(RandomBot(),)):
        state = position.state
        hidden = {*state.deck, *(tile for pile in state.piles for tile in pile[1:])}
        for event in position.played[-1].events if position.played else ():
            assert not [item for item in hidden if f'"{item}"' in codec.encode(event).decode()]


def test_seats_and_spectators_know_the_same() -> None:
    state = begin(3)
    views = [codec.encode(GAME.view(state, seat)).decode() for seat in (0, 1, 2, None)]
    for seat, view in zip(("0", "1", "2", "null"), views, strict=True):
        assert view.replace(f'"seat":{seat}', '"seat":null') == views[-1]


def test_an_imagined_table_has_every_card_once() -> None:
    position = list(playout(GAME, seats=1, seed="whole", bots=(RandomBot(),)))[9]
    state = GAME.imagine(GAME.view(position.state, 0), 0, Rng("x"))
    spots = state.players[0].garden
    cards = [
        *state.deck,
        *state.discards,
        *(spot.card for spot in spots),
        *(card for column in state.market for card in column),
    ]
    assert sorted(cards) == sorted(GAME.box.cards)
    tiles = [
        *state.discarded_tiles,
        *(tile for pile in state.piles for tile in pile),
        *(spot.tile for spot in spots if spot.tile),
    ]
    assert sorted(tiles) == sorted(GAME.box.tiles)
    assert state.automaton is not None
    assert sorted((*state.automaton.deck, *state.automaton.used)) == sorted(GAME.box.automaton_cards)


def in_sight(state: State) -> set[str]:
    """Every card and tile that somebody at the table sees or has seen."""
    spots = [spot for player in state.players for spot in player.garden]
    return {
        *(card for column in state.market for card in column),
        *(name for spot in spots for name in (spot.card, spot.tile) if name),
        *(tile for pile in state.piles for tile in pile[:1]),
        *state.discards,
        *state.discarded_tiles,
        *(state.automaton.used if state.automaton is not None else ()),
    }


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_what_brought_nothing_to_light_can_be_taken_back_and_nothing_else(seats: int) -> None:
    taken_back = 0
    before: log.Position[State] | None = None
    for position in playout(GAME, seats=seats, seed="undo", bots=(RandomBot(),)):
        if before is not None:
            last = position.played[-1]
            assert last.reveals == (in_sight(position.state) != in_sight(before.state))
            if last.reveals:
                with pytest.raises(log.CannotUndo, match="undo_revealed"):
                    log.undo(position, last.seat)
            else:
                assert log.append(GAME, position, log.undo(position, last.seat)).state == before.state
                taken_back += 1
        before = position
    assert taken_back


def test_a_card_that_was_taken_cannot_be_put_back() -> None:
    position = log.begin(GAME, seats=2, options={"first": "1"}, seed="undo")
    state = position.state
    position = log.act(GAME, position, 0, GAME.actions(state, 0)[0])
    with pytest.raises(log.CannotUndo, match="undo_revealed"):
        log.undo(position, 0)


def test_solo_every_end_of_a_turn_reveals_the_automatons_card() -> None:
    state = begin(1)
    step = act(state, anywhere(state, 1, 1))
    while step.state.turn == 0:
        step = act(step.state, "pass" if step.state.phase == "enhance" else "end")
    assert step.reveals
