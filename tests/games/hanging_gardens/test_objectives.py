"""Completing royal objectives (6.6) and what the marker does for it (6.7)."""

from app.games.hanging_gardens.objectives import outlook
from app.games.hanging_gardens.state import Completed, Declined, Gained, Player, State
from tests.games.hanging_gardens.drawn import (
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


def at_the_end(*players: Player, objectives: str, holder: int = 1) -> State:
    """A table in phase D of the first seat."""
    return replace(table(*players, objectives=objectives, holder=holder), phase="objective")


FIVE_RED = "G20 G25 G31\nG19 G26 G40 G43"  # two red flowers on level 1, three on level 2
FIVE_RED_SPACES = "O10 O01 O02 O03"


def test_all_items_lie_on_one_level_tv_20() -> None:
    state = at_the_end(player(FIVE_RED), player(), objectives=FIVE_RED_SPACES)
    assert refused(state, "complete:O10:1") == ("too_few_items", "6.6.1")
    assert facts(state, "complete:O10:1") == {"item": "red_flowers", "need": 4, "have": 3}
    with_marker = replace(state, holder=0)
    assert {"complete:O10:1", "complete:O10:2", "end"} <= choices(with_marker)


def test_a_space_gives_its_coin_at_once_and_its_points_at_the_end_tv_21_r_07() -> None:
    drawing = FIVE_RED + " G07"  # an empty card, so that a tile could be bought
    state = at_the_end(player(drawing, coins=1), player(), objectives=FIVE_RED_SPACES, holder=0)
    step = act(state, "complete:O10:2")
    assert step.events[:2] == (
        Completed(0, "O10", 2, 2, "coin", 2, True),
        Gained(0, "coin", 1, "O10"),
    )
    assert step.state.players[0].coins == 2
    assert (step.state.phase, step.state.turn) == ("card", 1)  # no purchase is offered any more
    assert dict(GAME.scores(step.state)[0].parts)["objectives"] == 2
    assert not step.reveals


def test_three_players_may_find_an_objective_closed_tv_22_r_22() -> None:
    trees = "G40 G43 G54"
    state = at_the_end(
        player(trees),
        player(objectives=(("O02", 2),)),
        player(objectives=(("O02", 1),)),
        objectives="O02 O04 O05 O06",
    )
    state = replace(state, spaces=((2, 1), *state.spaces[1:]))
    assert choices(state) == {"end"}
    assert refused(state, "complete:O02:1") == ("objective_closed", "6.6.4")
    assert not outlook(GAME.box, state, 0)[0].possible


def test_with_five_players_one_may_come_too_late_and_with_four_nobody_tv_23() -> None:
    for seats in (4, 5):
        others = [player(objectives=(("O04", 5 - seat),)) for seat in range(1, seats)]
        state = at_the_end(player("G62 G63 G64"), *others, objectives="O04 O05 O06 O07")
        taken = tuple(seats - 1 - space if space < seats - 1 else None for space in range(4))
        state = replace(state, spaces=(taken, *state.spaces[1:]))
        possible = {text for text in choices(state) if text.startswith("complete")}
        assert possible == ({"complete:O04:4"} if seats == 4 else set())


def test_an_objective_stays_completed_without_the_marker_tv_24() -> None:
    state = at_the_end(player("G40 G43\nG24 G26 G21"), player(), objectives="O02 O01 O05 O07", holder=0)
    state = after(state, "complete:O02:1", "take:1:1:1:0")  # Bob's G01 brings a crown
    assert (state.holder, state.turn) == (1, 2)
    state = replace(state, phase="objective")
    assert state.players[0].objectives == (("O02", 1),)
    assert dict(GAME.scores(state)[0].parts)["objectives"] == 4
    assert [each.need for each in outlook(GAME.box, state, 0)] == [3, 3, 3, 3]
    assert refused(state, "complete:O05:1") == ("too_few_items", "6.6.1")
    assert "complete:O01:1" in choices(state)


def test_any_free_space_may_be_taken_r_08() -> None:
    trees = "G40 G43 G54"
    state = at_the_end(player(trees), *[player()] * 3, objectives="O02 O04 O05 O06")
    assert {f"complete:O02:{space}" for space in (1, 2, 3, 4)} <= choices(state)
    step = act(state, "complete:O02:3")
    assert step.state.spaces[0] == (None, None, 0, None)
    assert step.state.players[0].coins == 1


def test_one_marker_stands_on_a_space_r_22() -> None:
    state = at_the_end(player("G40 G43 G54"), player(), objectives="O02 O04 O05 O06")
    state = replace(state, spaces=((1, None), *state.spaces[1:]))
    assert refused(state, "complete:O02:1") == ("space_taken", "6.6.3")
    assert choices(state) == {"complete:O02:2", "end"}


def test_the_marker_makes_it_one_fewer_and_never_two_r_23() -> None:
    state = at_the_end(player("G40 G43"), player(), objectives="O02 O04 O05 O06", holder=0)
    assert "complete:O02:1" in choices(state)
    one = replace(state, players=(player("G40"), player()))
    assert facts(one, "complete:O02:1") == {"item": "trees", "need": 2, "have": 1}


def test_kinds_mix_in_an_objective_r_16() -> None:
    for drawing, tile in (("G40 G48 G54", "O02"), ("G20 G25 G31", "O01"), ("G62 G68 G75", "O04")):
        state = at_the_end(player(drawing), player(), objectives=f"{tile} O08 O05 O06")
        assert f"complete:{tile}:1" in choices(state)


def test_flowers_count_and_not_cards_r_15() -> None:
    state = at_the_end(player("G16+E03 G36"), player(), objectives="O08 O01 O05 O06")
    assert "complete:O08:1" in choices(state)
    three = replace(state, players=(player("G16 G36 G24"), player()))
    assert refused(three, "complete:O08:1") == ("too_few_items", "6.6.1")


def test_features_of_tiles_count_for_objectives_r_04() -> None:
    state = at_the_end(player("G01+E04 G21 G25"), player(), objectives="O01 O03 O08 O09")
    assert {"complete:O01:1", "complete:O03:1"} <= choices(state)


def test_icons_count_on_one_card_together_r_14() -> None:
    state = at_the_end(player("G02+E12 G20"), player(), objectives="O05 O01 O02 O03")
    assert "complete:O05:1" in choices(state)


def test_each_objective_is_completed_once() -> None:
    state = at_the_end(player("G40 G43 G54", objectives=(("O02", 1),)), player(), objectives="O02 O04 O05 O06")
    state = replace(state, spaces=((0, None), *state.spaces[1:]))
    assert choices(state) == {"end"}
    assert refused(state, "complete:O02:2") == ("objective_already_completed", "6.6.5")


def test_what_is_not_there_cannot_be_completed() -> None:
    state = at_the_end(player("G40 G43 G54"), player(), objectives="O02 O04 O05 O06")
    assert refused(state, "complete:O01:1") == ("objective_not_in_play", "3.4.1")
    assert refused(state, "complete:O99:1") == ("objective_not_in_play", "3.4.1")
    assert refused(state, "complete:O02:3") == ("no_such_space", "3.4.2")
    assert refused(state, "complete:O02:0") == ("no_such_space", "3.4.2")


def test_an_objective_may_be_declined_and_that_ends_the_turn() -> None:
    state = at_the_end(player("G40 G43 G54"), player(), objectives="O02 O04 O05 O06")
    step = act(state, "end")
    assert step.events[0] == Declined(0, "objective")
    assert (step.state.turn, step.state.phase) == (1, "card")
    assert not step.reveals


def test_phase_d_is_skipped_when_nothing_can_be_completed() -> None:
    state = table(player(), player(), objectives="O02 O04 O05 O06")
    assert after(state, "take:1:1:1:0").turn == 1


def test_a_crown_of_this_turn_counts_for_an_objective() -> None:
    state = table(
        player("G40 G43"), player(), market=("G28 G22 G24 G26", "G05", "G06"), objectives="O02 O04 O05 O06", holder=1
    )
    happened = events(state, "take:1:1:2:0", "complete:O02:1")
    assert Completed(0, "O02", 1, 4, "none", 1, True) in happened


def test_a_reduction_that_was_not_needed_is_not_told() -> None:
    state = at_the_end(player("G40 G43 G54"), player(), objectives="O02 O04 O05 O06", holder=0)
    assert act(state, "complete:O02:1").events[0] == Completed(0, "O02", 1, 4, "none", 1, False)


def test_the_outlook_says_what_is_missing_on_the_best_level() -> None:
    state = at_the_end(player(FIVE_RED), player(), objectives="O10 O01 O02 O04")
    red, animals, trees, visitors = outlook(GAME.box, state, 0)
    assert (red.level, red.have, red.need, red.missing, red.reduced) == (2, 3, 4, 1, False)
    assert (animals.level, animals.have, animals.missing, animals.possible) == (2, 3, 0, True)
    assert (trees.level, trees.have, trees.need) == (1, 2, 3)
    assert (visitors.level, visitors.have, visitors.missing) == (1, 0, 3)
    reduced = outlook(GAME.box, replace(state, holder=0), 0)[0]
    assert (reduced.need, reduced.missing, reduced.reduced) == (3, 0, True)
    assert outlook(GAME.box, GAME.view(state, None), 0) == outlook(GAME.box, state, 0)
