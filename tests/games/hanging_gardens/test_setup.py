"""The table before the first turn (4), and whose turn it is (5.2)."""

import pytest

from app.engine.rng import Chance, DealRefused, Rng
from app.games.hanging_gardens.state import RoundBegan, State, TurnBegan, active
from tests.games.hanging_gardens.drawn import BOX, GAME, after, anywhere, begin, refused, replace, turn


def order_of_a_round(state: State, columns: str) -> tuple[str, State]:
    """The seats as letters, in the order in which they take the bottom cards of these columns."""
    seats = ""
    for column in columns:
        seats += "ABCDE"[active(state)]
        state = turn(state, anywhere(state, int(column), 1))
    return seats, state


def test_crowns_decide_the_next_round_and_not_this_one_tv_13_r_10_r_11() -> None:
    plain = "G21 G25 G31 G35"
    deck = f"{plain} G37 G16 G44 G40  G41 G43 G48 G49  G52 G54 G55 G59 G61 G62 G63 G64 G65"
    state = begin(3, deal={"deck": deck, "first": "1"}, first="random")
    order, state = order_of_a_round(state, "1112")
    assert (order, state.holder) == ("ABCA", 0)
    order, state = order_of_a_round(state, "2")
    assert (order, state.holder, state.players[1].garden[1].card) == ("B", 1, "G16")
    order, state = order_of_a_round(state, "2")
    assert (order, state.holder, state.players[2].garden[1].card) == ("C", 2, "G44")
    order, state = order_of_a_round(state, "333")
    assert order == "ABC"
    assert (state.holder, state.starter, state.round) == (2, 2, 2)
    order, _ = order_of_a_round(state, "111222333")
    assert order == "CABCABCAB"


def test_only_the_last_player_begins_with_another_tool_tv_14() -> None:
    state = begin(4, first="3")
    assert [each.coins for each in state.players] == [2, 2, 2, 2]
    assert [each.tools for each in state.players] == [4, 5, 4, 4]
    assert active(state) == state.holder == 2


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_last_player_is_to_the_right_of_the_first(seats: int) -> None:
    for first in range(seats):
        state = begin(seats, first=str(first + 1))
        more = [seat for seat, each in enumerate(state.players) if each.tools == 5]
        assert more == [(first - 1) % seats]


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_one_to_five_play_r_29(seats: int) -> None:
    state = begin(seats)
    assert [len(column) for column in state.market] == [4, 4, 4]
    assert len(state.deck) == 75 - 12
    assert [len(pile) for pile in state.piles] == [9, 8, 8]
    assert len({each.irrigation for each in state.players}) == seats
    assert all(each.gardeners == 3 for each in state.players)
    assert GAME.seats == range(1, 6)


def test_four_objectives_are_in_play_r_28() -> None:
    assert [len(begin(seats).objectives) for seats in range(1, 6)] == [4] * 5


def test_an_objective_has_two_spaces_for_up_to_three_players_and_four_beyond() -> None:
    assert [len(begin(seats).spaces[0]) for seats in range(1, 6)] == [2, 2, 2, 4, 4]


def test_a_written_deal_is_laid_out_column_by_column_from_the_bottom() -> None:
    deal = {
        "deck": " ".join(f"G{number:02}" for number in range(1, 15)),
        "enhancements_2": "E09 E01",
        "enhancements_3": "E10",
        "enhancements_4": "E25",
        "objectives": "O10 O01 O05 O03",
        "irrigation": "I5 I2",
        "first": "2",
    }
    state = begin(2, deal=deal, first="random")
    assert state.market == (
        ("G01", "G02", "G03", "G04"),
        ("G05", "G06", "G07", "G08"),
        ("G09", "G10", "G11", "G12"),
    )
    assert state.deck[:2] == ("G13", "G14")
    assert [pile[0] for pile in state.piles] == ["E09", "E10", "E25"]
    assert state.objectives == ("O10", "O01", "O05", "O03")
    assert [each.irrigation for each in state.players] == ["I5", "I2"]
    assert state.holder == 1


def test_a_solo_deal_orders_the_automaton_too() -> None:
    state = begin(1, deal={"automaton": "A07 A01"})
    assert state.automaton is not None
    assert state.automaton.deck[:2] == ("A07", "A01")
    assert len(state.automaton.deck) == 18


def test_a_deal_of_the_first_player_needs_the_choice_to_be_left_to_chance() -> None:
    with pytest.raises(DealRefused):
        begin(2, deal={"first": "2"}, first="1")


def test_chance_chooses_every_seat_to_begin() -> None:
    first = set()
    for seed in range(40):
        chance = Chance(Rng(str(seed)))
        first.add(GAME.setup(3, GAME.options_for(3), chance).holder)
    assert first == {0, 1, 2}


def test_options_fit_the_number_of_seats() -> None:
    assert GAME.options_for(1) == {"difficulty": "normal"}
    assert GAME.options_for(3, {"first": "3"}) == {"first": "3"}
    with pytest.raises(ValueError, match="choose one of random, 1, 2, 3"):
        GAME.options_for(3, {"first": "4"})
    with pytest.raises(ValueError, match="no such option"):
        GAME.options_for(2, {"difficulty": "easy"})


def test_turns_are_counted_through_the_whole_game() -> None:
    state = begin(2, seed="count")
    numbers = []
    while GAME.decisions(state):
        numbers.append(GAME.decisions(state)[0].turn)
        column = next(each for each in (1, 2, 3) if len(state.ledges[each - 1]) < 2)
        state = turn(state, anywhere(state, column, 1))
    assert numbers == list(range(24))
    assert state.phase == "over"
    assert [len(each.garden) for each in state.players] == [12, 12]
    assert len(state.deck) == 39
    assert refused(state, "pass", seat=0) == ("game_over", "7.3")


def test_turns_and_rounds_are_announced() -> None:
    state = begin(2, seed="count", first="2")
    step = GAME.apply(state, 1, GAME.actions(state, 1)[0])
    state = after(step.state) if step.state.phase == "card" else after(step.state, "pass")
    assert (state.turn, active(state)) == (1, 0)
    for column in (2, 2, 3, 3):
        state = turn(state, anywhere(state, column, 1))
    assert state.turn == 5
    action = GAME.actions(state, active(state))[0]
    step = GAME.apply(state, active(state), action)
    while step.state.round == 1:
        step = GAME.apply(step.state, active(step.state), GAME.actions(step.state, active(step.state))[-1])
    assert step.events[-2:] == (RoundBegan(2, step.state.holder), TurnBegan(step.state.holder, 2, 1))


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    state = begin(3)
    assert refused(state, "take:1:1:1:0", seat=1) == ("not_your_turn", "5.2.1")
    assert GAME.actions(state, 1) == ()
    assert replace(state).starter == 0
    assert BOX.rows == 4
