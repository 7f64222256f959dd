"""The rulings that are about turns; all others are in ``vectors/rulings.txt`` (section 15)."""

from msgspec.structs import replace

from app.games.babylon import mining
from tests.games.babylon.script import box, garden, rules
from tests.games.babylon.tables import ALICE, act, begin, complaint, follow, holding, legal, pass_turn, thinned


def test_ruling_5_a_statue_carries_no_tile_in_the_turn_it_is_set() -> None:
    state = act(holding(thinned(4), singles=20), "mine:0:0", "place:s-white:1:1:1", "lay:0:none", "statue:1:2:none")
    assert not legal(state, "place")
    assert complaint(state, f"place:{state.mined}:0:2:2") == "wrong_phase"


def test_ruling_14_decorations_need_not_be_set() -> None:
    state = act(holding(thinned(4), singles=4), "mine:0:0", "place:s-white:0:0:1", "lay:0:none")
    assert legal(state, "statue")
    assert legal(state, "end")


def test_ruling_15_the_first_round_has_no_effect() -> None:
    state = thinned(4, tokens=("flower_bonus",))
    assert state.effect == "none"
    for _ in range(4):
        assert state.round == 1
        state = pass_turn(state)
    assert (state.round, state.effect) == (2, "flower_bonus")


def test_ruling_16_token_pillars_are_paid_at_the_start_of_each_turn() -> None:
    state = thinned(4, tokens=("single_pillar",))
    for _ in range(3):
        state = pass_turn(state)
    for seat in range(4):
        before = state.players[seat].singles
        state = pass_turn(state)
        assert (state.seat, state.phase) == (seat, "mine")
        assert state.players[seat].singles == before + 1


def test_ruling_22_what_is_not_kept_is_gone_for_good() -> None:
    state = act(thinned(4), "mine:0:0")
    mined = state.mined
    state = act(state, "end:none")
    assert state.discarded == (mined, "s-white")
    assert not state.players[ALICE].stored


def test_ruling_23_the_supply_is_finite_and_shared() -> None:
    state = thinned(4)
    supply = state.supply
    state = act(state, "mine:0:0")
    assert supply.single_pillar - state.supply.single_pillar == state.players[ALICE].singles > 0


def test_ruling_24_granite_that_came_to_light_stays_in_the_quarry() -> None:
    state = act(begin(3), "remove:1:1")
    assert complaint(state, "remove:1:1") == "only_clay"
    assert "remove:1:1" not in legal(state)


def test_ruling_27_the_starting_tile_brings_no_pillar_for_its_flower() -> None:
    state = act(thinned(4), "mine:0:0", "end:s-white")
    assert state.players[ALICE].flower == "white"
    own = box().tile_by_id["s-white"]
    assert own.flower == "white"
    assert own.material == ""
    assert "s-white" not in {tile for stack in state.quarry for tile in stack}


def test_the_table_tells_what_every_stack_would_bring() -> None:
    state = thinned(4)
    view = rules().view(state, ALICE)
    for seat in range(4):
        gains = mining.gains(box(), view, seat)
        assert gains == mining.gains(box(), state, seat)
        for number, gain in enumerate(gains):
            assert gain is not None
            assert gain.sides == ("north", "east", "south", "west")
            own = box().tile_by_id[view.quarry[number].tile].flower == view.players[seat].flower
            assert (gain.flower, gain.total) == (int(own), 4 + own)
    for number, gain in enumerate(mining.gains(box(), view, ALICE)):
        after, _, _ = follow(state, f"mine:{number % 4}:{number // 4}")
        assert gain is not None
        assert after.players[ALICE].singles == gain.total


def test_alterations_are_offered_on_both_new_tiles_of_a_turn() -> None:
    state = thinned(4, tokens=("add_symbol",))
    for _ in range(4):
        state = pass_turn(state)
    here = garden("tile A L1 @(6,6) face[. S/. .] sup[ss/ss] white\nstatue (7,6)\nturn")
    state = act(holding(state, singles=9, garden=here, stored="c02"), "mine:0:1")
    state = replace(state, mined="c01")
    state = act(state, "place:c01:4:6:1", "lay:0:none", "place:c02:6:4:1", "lay:0:none")
    assert legal(state, "statue") == ["statue:5:6:first", "statue:7:5:first"]
    after = act(state, "statue:5:6:first")
    assert complaint(after, "statue:4:7:first") == "bad_override"
    assert legal(after, "statue") == ["statue:7:5:first"]
    assert act(after, "statue:7:5:first").players[ALICE].garden.altered_tiles() == ("c01", "c02")
