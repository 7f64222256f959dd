"""Buying a tile for an empty card (6.5)."""

import pytest

from app.games.hanging_gardens.box import ITEM
from app.games.hanging_gardens.objectives import outlook
from app.games.hanging_gardens.state import Bought, Declined, Gained, MarkerMoved, State, TileRevealed
from tests.games.hanging_gardens.drawn import (
    BOX,
    GAME,
    act,
    after,
    choices,
    events,
    facts,
    player,
    refused,
    replace,
    table,
)


def shopping(drawing: str, *, coins: int, market: str = "G24 G22 G26 G36", **deal: str) -> State:
    """A table in phase C, after a card without an empty slot went to (1, -1)."""
    full = "G49 G48 G40 G43"
    objectives = deal.pop("objectives", "O04 O05 O06 O07")
    state = table(
        player(drawing, coins=coins), player(), market=(full, market, market), objectives=objectives, deal=deal
    )
    return act(state, "take:1:1:1:-1").state


def test_coins_of_the_card_can_be_spent_at_once_tv_15() -> None:
    state = table(player("G01 G21", coins=2), player(), market=("G20 G22 G24 G26", "G05", "G06"))
    state = after(state, "take:1:1:2:0")
    assert state.players[0].coins == 4
    assert state.phase == "enhance"
    assert choices(state) == {"buy:2:1:0", "buy:3:1:0", "buy:4:1:0", "pass"}
    assert after(state, "buy:4:1:0").players[0].coins == 0


def test_only_an_empty_card_takes_a_tile_tv_16_r_17() -> None:
    state = shopping("G01 G30 G08+E01", coins=2)
    assert choices(state) == {"buy:2:1:0", "pass"}
    assert refused(state, "buy:2:1:1") == ("card_not_empty", "6.5.3")
    assert refused(state, "buy:2:1:2") == ("card_has_a_tile", "6.5.4")
    assert refused(state, "buy:2:1:3") == ("no_card_there", "6.5.2")
    assert facts(state, "buy:2:1:2") == {"card": "G08", "tile": "E01"}


def test_a_bonus_on_a_tile_is_paid_by_the_level_of_its_card_tv_17_r_05() -> None:
    state = shopping("G17\nG47 G55\nG54 G61 G43", coins=3, enhancements_3="E14")
    state = replace(state, phase="enhance")
    happened = events(state, "buy:3:3:0")
    assert happened[:2] == [Bought(0, "E14", 3, "G17", 3, 0), Gained(0, "coin", 3, "E14")]
    mine = after(state, "buy:3:3:0").players[0]
    assert mine.coins == 3
    face = BOX.face("G17", "E14")
    assert (face.slot, face.kind) == ("animal", "monkey")
    score = dict(GAME.scores(after(state, "buy:3:3:0"))[0].parts)
    assert score["animals"] == 2


def test_a_crown_tile_helps_with_an_objective_in_the_same_turn_tv_18_r_06() -> None:
    state = table(
        player("G24 G16 .\nG40 G43 G54 G61", coins=3),
        player(),
        holder=1,
        market=("G49 G22 G24 G26", "G05", "G06"),
        objectives="O01 O02 O03 O04",
        deal={"enhancements_3": "E15"},
    )
    state = after(state, "take:1:1:1:4")
    assert state.phase == "enhance"
    animals = outlook(BOX, state, 0)[0]
    assert (animals.level, animals.have, animals.need) == (2, 1, 3)
    step = act(state, "buy:3:2:1")
    assert MarkerMoved(1, 0) in step.events
    assert step.state.holder == 0
    animals = outlook(BOX, step.state, 0)[0]
    assert (animals.level, animals.have, animals.need) == (2, 2, 2)
    assert {text for text in choices(step.state) if text.startswith("complete:O01")} == {
        "complete:O01:1",
        "complete:O01:2",
    }
    assert after(step.state, "complete:O01:1").players[0].objectives == (("O01", 1),)


def test_a_tile_adds_to_its_card_and_hides_nothing_tv_19_r_13_r_14() -> None:
    face = BOX.face("G02", "E18")
    assert face.counts[ITEM["red_flowers"]] == 3
    assert face.counts[ITEM["irrigation"]] == 1
    assert face.counts[ITEM["coins"]] == 1
    assert not face.empty
    assert BOX.face("G02", "E12").counts[ITEM["coins"]] == 2
    assert BOX.face("G02").empty


def test_an_irrigated_card_may_take_an_irrigation_tile_r_13() -> None:
    state = shopping("G02", coins=4, enhancements_4="E18")
    assert "buy:4:1:0" in choices(state)
    bought = after(state, "buy:4:1:0").players[0]
    assert sum(BOX.face(spot.card, spot.tile).irrigated for spot in bought.garden) == 2
    assert BOX.face("G49").irrigated


def test_two_coin_icons_on_one_card_count_as_two_and_pay_once_each_r_14() -> None:
    state = table(
        player("G55 G43", coins=3),
        player(),
        market=("G05 G22 G24 G26", "G06", "G08"),
        objectives="O05 O01 O02 O03",
        deal={"enhancements_3": "E12"},
    )
    state = after(state, "take:1:1:2:0")
    assert state.players[0].coins == 3 + 2
    state = after(state, "buy:3:2:0")
    assert state.players[0].coins == 5 - 3 + 2
    assert "complete:O05:1" in choices(state)  # two icons, and the marker


def test_only_the_top_tile_of_a_pile_is_for_sale_r_18() -> None:
    state = shopping("G01", coins=2, enhancements_2="E04 E09 E01")
    view = GAME.view(state, 0)
    assert next((pile.cost, pile.top, pile.left) for pile in view.piles) == (2, "E04", 9)
    step = act(state, "buy:2:1:0")
    assert step.state.players[0].garden[0].tile == "E04"
    assert TileRevealed(2, "E09") in step.events
    assert step.reveals


def test_the_last_tile_of_a_pile_reveals_nothing() -> None:
    state = shopping("G01", coins=2)
    state = replace(state, piles=(("E04",), (), ()))
    step = act(state, "buy:2:1:0")
    assert TileRevealed(2, "") in step.events
    assert not step.reveals
    assert step.state.piles == ((), (), ())


def test_at_most_one_tile_is_bought_in_a_turn() -> None:
    state = shopping("G01 G07", coins=9)
    assert not {text for text in choices(after(state, "buy:2:1:0")) if text.startswith("buy")}
    assert refused(after(state, "pass"), "buy:2:1:0", seat=0)[0] in ("buying_is_over", "not_your_turn")


def test_what_cannot_be_bought_is_refused() -> None:
    state = shopping("G01", coins=2)
    state = replace(state, piles=((), *state.piles[1:]))
    assert refused(state, "buy:2:1:0") == ("pile_empty", "6.5.2")
    assert refused(state, "buy:5:1:0") == ("no_such_pile", "3.3.1")
    assert refused(state, "buy:3:1:0") == ("tile_too_dear", "6.5.2")
    assert facts(state, "buy:3:1:0") == {"cost": 3, "have": 2}


def test_phase_c_is_skipped_when_nothing_can_be_bought() -> None:
    assert shopping("G01", coins=1).turn == 1
    assert shopping("G21", coins=9).turn == 1
    empty = table(
        player("G01", coins=9), player(), market=("G49 G22 G24 G26", "G05", "G06"), objectives="O04 O05 O06 O07"
    )
    assert after(replace(empty, piles=((), (), ())), "take:1:1:1:1").turn == 1


def test_a_purchase_may_be_declined_and_that_reveals_nothing() -> None:
    state = shopping("G01", coins=2)
    step = act(state, "pass")
    assert step.events[0] == Declined(0, "enhancement")
    assert not step.reveals
    assert step.state.players[0].coins == 2


def test_a_card_of_this_turn_may_take_a_tile_at_once() -> None:
    state = table(
        player("G21", coins=2), player(), market=("G17 G22 G24 G26", "G05", "G06"), objectives="O04 O05 O06 O07"
    )
    assert choices(after(state, "take:1:1:1:1")) == {"buy:2:1:1", "buy:3:1:1", "pass"}


@pytest.mark.parametrize(
    ("phase", "text", "complaint"),
    [
        ("card", "buy:2:1:0", "card_comes_first"),
        ("card", "pass", "card_comes_first"),
        ("card", "end", "card_comes_first"),
        ("card", "complete:O04:1", "card_comes_first"),
        ("enhance", "take:1:1:1:1", "card_already_taken"),
        ("enhance", "complete:O04:1", "enhancement_comes_first"),
        ("enhance", "end", "enhancement_comes_first"),
        ("objective", "buy:2:1:0", "buying_is_over"),
        ("objective", "pass", "buying_is_over"),
        ("objective", "take:1:1:1:1", "card_already_taken"),
        ("automaton", "take:1:1:1:1", "automaton_begins"),
    ],
)
def test_the_phases_come_in_their_order(phase: str, text: str, complaint: str) -> None:
    state = shopping("G01", coins=2)
    state = replace(state, phase=phase)
    rule = {"card": "5.3.1", "take": "5.3.1", "automaton": "9.2.1"}
    expected = rule.get(phase) or rule.get(text.partition(":")[0], "5.3.2")
    assert refused(state, text, seat=0) == (complaint, expected)
