"""Taking a card, paying for its row, its bonus, and the refill (6.1, 6.3, 6.4)."""

from app.games.hanging_gardens.state import Gained, MarkerMoved, Refilled, Spot, Took
from tests.games.hanging_gardens.drawn import (
    BOX,
    act,
    after,
    anywhere,
    begin,
    choices,
    events,
    facts,
    player,
    refused,
    replace,
    table,
    turn,
)


def test_the_column_slides_down_and_a_new_card_comes_on_top_tv_08() -> None:
    state = table(player(tools=3), player(), market=("G20 G22 G24 G26", "G05 G06 G07 G08", "G01 G02 G03 G04"))
    new = state.deck[0]
    step = act(state, "take:1:2:1:0")
    assert step.state.market[0] == ("G20", "G24", "G26", new)
    assert step.state.players[0].tools == 3 - 1 + 1  # G22 brings a tool
    assert step.state.players[0].garden == (Spot(1, 0, "G22"),)
    assert step.events[0] == Took(0, "G22", 1, 2, 1, 1, 0)
    assert Refilled(1, 4, new) in step.events
    assert step.state.deck == state.deck[1:]
    assert step.reveals


def test_full_columns_are_closed_until_the_round_ends_tv_09() -> None:
    ledges = ((2,), (0, 1, 2), (1, 2, 0))
    state = table(player(tools=4), player(), player(), ledges=ledges)
    assert {text.split(":")[1] for text in choices(state)} == {"1"}
    assert refused(state, "take:2:1:1:0") == ("column_closed", "6.1.1")
    assert facts(state, "take:3:1:1:0") == {"column": 3, "spaces": 3}
    assert after(state, "take:1:2:1:0").players[0].tools == 3


def test_a_column_has_as_many_spaces_as_there_are_players() -> None:
    assert [BOX.capacity(seats) for seats in range(1, 6)] == [(2,) * 3, (2,) * 3, (3,) * 3, (4,) * 3, (5,) * 3]


def test_columns_reopen_and_gardeners_return_with_the_round() -> None:
    state = begin(2)
    for column in (1, 1, 2, 2, 3, 3):
        assert len(state.ledges[column - 1]) < 2
        state = turn(state, anywhere(state, column, 1))
    assert state.round == 2
    assert state.ledges == ((), (), ())
    assert [each.gardeners for each in state.players] == [3, 3]


def test_a_row_that_costs_too_many_tools_is_refused_whatever_its_bonus_tv_10_r_19() -> None:
    market = ("G20 G21 G22 G19", "G05 G06 G07 G08", "G01 G02 G03 G04")
    state = table(player("G28 G32\nG25 G31 G26", tools=1), player(), market=market)
    assert {text.split(":")[2] for text in choices(state)} == {"1", "2"}
    assert refused(state, "take:1:3:3:0") == ("row_too_dear", "6.1.2")
    assert facts(state, "take:1:3:3:0") == {"cost": 2, "have": 1}


def test_a_tool_bonus_comes_after_the_payment_tv_11() -> None:
    state = table(
        player("G20 G21", tools=2), player(), market=("G24 G25 G22 G19", "G05 G06 G07 G08", "G01 G02 G03 G04")
    )
    assert after(state, "take:1:3:2:0").players[0].tools == 2


def test_coins_and_tools_come_by_the_level_tv_12() -> None:
    for bonus, card in (("coin", "G20"), ("tool", "G22")):
        for level, place in ((1, "1:3"), (2, "2:1"), (3, "3:0")):
            state = table(
                player("G35\nG21 G25 G31"),
                player(),
                market=(f"{card} G24 G26 G36", "G05 G06 G07 G08", "G01"),
            )
            if level == 3:
                state = replace(state, players=(player("G35 G41\nG21 G25 G31"), *state.players[1:]))
            step = act(state, f"take:1:1:{place}")
            gained = step.state.players[0]
            assert (gained.coins, gained.tools) == ((level, 0) if bonus == "coin" else (0, level))
            assert Gained(0, bonus, level, card) in step.events


def test_a_bonus_cannot_be_declined_r_09() -> None:
    state = table(player(), player(), market=("G20 G22 G24 G26", "G05", "G06"))
    assert after(state, "take:1:1:1:0").players[0].coins == 1
    crown = table(player(), player(), market=("G28 G22 G24 G26", "G05", "G06"), holder=1)
    assert after(crown, "take:1:1:1:0").holder == 0


def test_coins_and_tools_do_not_run_out_r_24() -> None:
    rich = player("G21 G25", coins=20, tools=30)
    state = table(rich, player(), market=("G36 G34 G24 G26", "G05", "G06"))
    assert after(state, "take:1:1:2:0").players[0].coins == 22
    assert after(state, "take:1:2:2:0").players[0].tools == 31


def test_a_crown_brings_the_marker_and_nothing_more() -> None:
    state = table(player(), player(), market=("G28 G22 G24 G26", "G05", "G06"), holder=1)
    happened = events(state, "take:1:1:1:0")
    assert happened[1:3] == [Gained(0, "crown", 0, "G28"), MarkerMoved(1, 0)]
    mine = replace(state, holder=0)
    happened = events(mine, "take:1:1:1:0")
    assert Gained(0, "crown", 0, "G28") in happened
    assert not any(isinstance(event, MarkerMoved) for event in happened)


def test_with_an_empty_deck_the_top_row_stays_empty() -> None:
    state = replace(table(player(tools=9), player(), market=("G20 G24 G26 G36", "G25", "G31")), deck=())
    step = act(state, "take:1:2:1:0")
    assert step.state.market[0] == ("G20", "G26", "G36")
    assert not step.reveals
    assert not any(isinstance(event, Refilled) for event in step.events)
    later = turn(step.state, "take:2:1:1:0")
    assert later.market[1] == ()
    assert refused(later, "take:1:4:1:1") == ("row_empty", "6.4.2")
    assert refused(later, "take:2:1:1:1") == ("row_empty", "6.4.2")


def test_what_is_not_in_the_market_cannot_be_taken() -> None:
    state = table(player(tools=9), player())
    assert refused(state, "take:4:1:1:0") == ("no_such_column", "3.9.1")
    assert refused(state, "take:0:1:1:0") == ("no_such_column", "3.9.1")
    assert refused(state, "take:1:5:1:0") == ("no_such_row", "3.9.1")
    assert refused(state, "take:1:0:1:0") == ("no_such_row", "3.9.1")


def test_everybody_can_always_act() -> None:
    state = begin(5, seed="poor")
    state = replace(state, players=tuple(replace(each, tools=0) for each in state.players))
    assert {text.split(":")[2] for text in choices(state)} == {"1"}
