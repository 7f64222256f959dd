"""Turn structure, storage, tokens and supply: the vectors that are told in words (16.5), and what is near them."""

import pytest
from msgspec.structs import replace

from app.engine import log, notation
from app.games.babylon.components import Tile
from app.games.babylon.events import Discarded, Finished, Kept, Laid, Mined, Paid, Returned, RoundBegan, Uncovered
from app.games.babylon.state import State
from tests.games.babylon.script import box, garden, rules, stock
from tests.games.babylon.tables import (
    ALICE,
    BOB,
    CAROL,
    act,
    begin,
    complaint,
    follow,
    holding,
    legal,
    pass_turn,
    position,
    thinned,
)


def test_tv_35_two_tiles_may_be_placed_in_either_order_and_then_be_decorated() -> None:
    state = act(holding(thinned(4), singles=8), "mine:0:0")
    mined = state.mined
    for first, second in ((mined, "s-white"), ("s-white", mined)):
        built = act(state, f"place:{first}:0:0:1", "lay:0:none", f"place:{second}:4:4:1", "lay:0:none")
        assert len(built.players[ALICE].garden.terraces) == 2
        assert legal(built, "statue")
        assert not legal(built, "place")


def test_tv_35_no_tile_is_placed_after_the_first_decoration() -> None:
    state = act(holding(thinned(4), singles=8), "mine:0:0", "place:s-white:0:0:1", "lay:0:none", "statue:0:1:none")
    assert complaint(state, f"place:{state.mined}:4:4:1") == "wrong_phase"


def test_tv_35_there_is_no_third_tile() -> None:
    state = act(holding(thinned(4), singles=30), "mine:0:0")
    mined = state.mined
    state = act(state, f"place:{mined}:0:0:1", "lay:0:none", "place:s-white:2:2:1", "lay:0:none")
    for tile in (mined, "s-white", "c01"):
        assert complaint(state, f"place:{tile}:4:4:1") == "tile_not_held"


PINK_CORNER = {"clay": ("c05",)}
"""A tile of another flower in the north-west: it brings Alice four pillars."""


def test_tv_36_six_single_pillars_are_kept_and_the_rest_returns() -> None:
    state = act(holding(thinned(4, deal=PINK_CORNER), singles=5), "mine:0:0")
    assert state.players[ALICE].singles == 9
    before = state.supply.single_pillar
    state, events, _ = follow(state, "end:s-white")
    assert state.players[ALICE].singles == 6
    assert state.supply.single_pillar == before + 3
    assert Returned(ALICE, 3, 0) in events


def test_tv_36_all_pillars_can_be_spent_in_the_turn() -> None:
    state = act(holding(thinned(4, deal=PINK_CORNER), singles=5), "mine:0:0")
    state = act(state, "place:s-white:0:0:1", "lay:0:none")
    assert state.players[ALICE].singles == 5
    state, events, _ = follow(act(state, "place:c05:1:0:2"), "lay:0:nw")
    laid = events[0]
    assert isinstance(laid, Laid)
    assert (laid.supports, laid.singles, laid.exchanged) == ("-dds", 5, 2)
    assert state.players[ALICE].singles == 0


def test_tv_37_a_token_double_that_is_not_used_returns() -> None:
    state = thinned(4, tokens=("double_pillar",))
    for _ in range(4):
        state = pass_turn(state)
    assert state.effect == "double_pillar"
    assert state.doubles == 1
    assert state.supply.double_pillar == stock().double_pillar - 1
    singles = state.players[ALICE].singles
    state = act(state, legal(state, "mine")[0])
    gained = state.players[ALICE].singles - singles
    state, events, _ = follow(state, "end:s-white")
    assert Returned(ALICE, max(0, singles + gained - 6), 1) in events
    assert state.players[ALICE].singles == min(6, singles + gained)
    # Bob's turn has begun and he was paid the double that came back.
    assert Paid(BOB, "double_pillar", 1) in events
    assert state.supply.double_pillar == stock().double_pillar - 1


def test_tv_38_one_tile_is_kept_the_mined_one_the_stored_one_or_none() -> None:
    state = act(thinned(4), "mine:0:0")
    mined = state.mined
    assert legal(state, "end") == [f"end:{mined}", "end:s-white", "end:none"]
    for kept, gone in ((mined, ("s-white",)), ("s-white", (mined,)), ("none", (mined, "s-white"))):
        after, events, _ = follow(state, f"end:{kept}")
        assert after.players[ALICE].stored == ("" if kept == "none" else kept)
        assert after.discarded == gone
        assert [event for event in events if isinstance(event, Discarded | Kept)] == [
            *(Discarded(ALICE, tile) for tile in gone),
            Kept(ALICE, kept),
        ]


def test_tv_38_the_mined_tile_may_be_stored_when_the_starting_tile_was_placed() -> None:
    state = act(thinned(4), "mine:0:0")
    mined = state.mined
    state = act(state, "place:s-white:0:0:1", "lay:0:none")
    assert legal(state, "end") == [f"end:{mined}", "end:none"]
    assert complaint(state, "end:s-white") == "tile_not_held"
    assert act(state, f"end:{mined}").players[ALICE].stored == mined


def test_a_tile_that_was_kept_can_be_placed_in_the_next_turn() -> None:
    state = act(thinned(4, deal=PINK_CORNER), "mine:0:0", "end:c05")
    assert complaint(state, "place:c05:0:0:1", seat=ALICE) == "not_your_decision"
    for _ in range(3):
        state = pass_turn(state)
    state = act(state, legal(state, "mine")[0], "place:c05:0:0:1", "lay:0:none")
    assert [terrace.id for terrace in state.players[ALICE].garden.terraces] == ["c05"]
    assert not state.players[ALICE].stored


def test_the_first_player_begins_every_round_and_play_goes_on_in_turn() -> None:
    state = thinned(3, deal={"first_player": ("2",)})
    seats = []
    while state.phase != "over":
        seats.append((state.round, state.seat))
        state = pass_turn(state)
    assert seats == [(number, seat) for number in range(1, 14) for seat in (CAROL, ALICE, BOB)]


def test_tv_39_tokens_are_turned_over_after_the_last_turn_and_rule_the_next_round() -> None:
    state = thinned(2, tokens=("single_pillar",))
    turns = 0
    rounds = []
    while state.phase != "over":
        begins = state.seat == state.first
        if begins:
            rounds.append((state.round, state.effect))
        before = state.players[state.seat].singles
        state = act(state, legal(state, "mine")[0])
        if state.round == 1:
            assert state.effect == "none"
            assert before == 0
        keep = state.players[state.seat].stored
        state, events, reveals = follow(state, f"end:{keep}")
        turns += 1
        if turns == 2:
            assert events[-2:] == (RoundBegan(2, "single_pillar"), Paid(ALICE, "single_pillar", 1))
            assert reveals
        if turns == 3:
            assert events[-1] == Paid(BOB, "single_pillar", 1)
            assert not reveals
        if turns == 30:
            assert events[-1] == Finished(15)
            assert not reveals
    assert turns == 30
    assert [number for number, _ in rounds] == list(range(1, 16))
    assert rounds[0][1] == "none"
    assert rounds[-1][1] == state.shown[-1]
    assert len(state.shown) == 14
    assert not rules().decisions(state)


def test_tv_40_three_players_remove_one_clay_tile_each() -> None:
    state = begin(3)
    removed = []
    for seat, corner in ((ALICE, "remove:0:0"), (BOB, "remove:3:0"), (CAROL, "remove:0:3")):
        assert state.seat == seat
        assert state.round == 0
        assert len(legal(state)) == 16 - seat
        state, events, reveals = follow(state, corner)
        assert reveals
        assert isinstance(events[1], Uncovered)
        assert box().tile_by_id[events[1].tile].material == "granite"
        removed.append(state.removed[-1])
    assert state.removed == tuple(removed)
    assert sum(state.heights) == 45
    assert state.heights.count(3) == 13
    assert box().tile_by_id[state.tops[0]].material == "granite"
    assert (state.phase, state.round, state.seat) == ("mine", 1, ALICE)
    assert len(state.tokens) == 12
    assert all(player.singles == 0 for player in state.players)
    turns = 0
    while state.phase != "over":
        state = pass_turn(state)
        turns += 1
    assert turns == 39
    assert state.round == 13
    assert sum(state.heights) == 6


@pytest.mark.parametrize(("seats", "removed", "rounds", "left"), [(2, 6, 15, 12), (3, 3, 13, 6), (4, 0, 11, 4)])
def test_the_table_of_section_5_holds(seats: int, removed: int, rounds: int, left: int) -> None:
    state = begin(seats)
    assert len(state.tokens) == rounds - 1
    state = thinned(seats)
    assert len(state.removed) == removed
    assert sum(state.heights) == 48 - removed
    turns = 0
    while state.phase != "over":
        state = pass_turn(state)
        turns += 1
    assert (state.round, turns, sum(state.heights)) == (rounds, seats * rounds, left)


def test_two_players_remove_three_clay_tiles_each_taking_turns() -> None:
    state = begin(2)
    seats = []
    while state.phase == "remove":
        seats.append(state.seat)
        state = act(state, legal(state)[0])
    assert seats == [ALICE, BOB] * 3


def test_only_clay_is_removed() -> None:
    state = act(begin(2), "remove:0:0")
    assert complaint(state, "remove:0:0") == "only_clay"
    assert complaint(state, "remove:4:0") == "no_such_stack"
    assert complaint(state, "mine:1:0") == "wrong_phase"
    assert complaint(state, "remove:1:0", seat=ALICE) == "not_your_decision"


def test_tv_41_a_short_supply_gives_what_it_has() -> None:
    state = thinned(4)
    state = replace(state, supply=state.supply.without(single_pillar=146))
    state, events, _ = follow(state, "mine:0:0")
    assert state.players[ALICE].singles == 2
    assert state.supply.single_pillar == 0
    mined = events[0]
    assert isinstance(mined, Mined)
    assert mined.singles == 2
    assert mined.lost == len(mined.sides) + mined.flower - 2


def test_tv_41_without_doubles_in_the_supply_nothing_is_exchanged() -> None:
    state = act(holding(thinned(4), singles=12), "mine:0:0", "place:s-white:0:0:1", "lay:0:none")
    place = f"place:{state.mined}:4:4:2"
    assert state.players[ALICE].singles >= 8
    assert not complaint(state, place)
    assert complaint(replace(state, supply=state.supply.without(double_pillar=60)), place) == "supply_empty"
    # With the last two doubles a tile of two doubles and two singles is possible, a third double is not.
    two_left = replace(state, supply=state.supply.without(double_pillar=58))
    assert complaint(two_left, place) == "supply_empty"
    assert not complaint(two_left, f"place:{state.mined}:1:0:2")


@pytest.mark.parametrize("token", ["single_pillar", "double_pillar"])
def test_a_token_pays_what_the_supply_has(token: str) -> None:
    state = thinned(4, tokens=(token,))
    for _ in range(3):
        state = pass_turn(state)
    state = act(state, legal(state, "mine")[0])
    state = replace(state, supply=state.supply.without(**{token: state.supply.left(token)}))
    singles = state.players[ALICE].singles
    state, events, _ = follow(state, f"end:{state.players[state.seat].stored}")
    assert events[-1] == Paid(ALICE, token, 0)
    assert (state.phase, state.doubles, state.players[ALICE].singles) == ("mine", 0, singles)
    assert state.supply.left(token) == 0


def test_without_a_belvedere_a_tile_needs_four_supports() -> None:
    state = act(holding(thinned(4), singles=0), "mine:0:0")
    state = replace(state, supply=state.supply.without(belvedere=38))
    state = act(holding(state, singles=4), "place:s-white:0:0:1")
    assert legal(state) == [f"lay:{turned}:none" for turned in range(4)]
    assert complaint(state, "lay:0:nw") == "supply_empty"


def test_an_exhausted_decoration_cannot_be_set() -> None:
    state = act(holding(thinned(4), singles=4), "mine:0:0", "place:s-white:0:0:1", "lay:0:none")
    assert legal(state, "statue") == ["statue:0:1:none"]
    state = replace(state, supply=state.supply.without(statue=38))
    assert not legal(state, "statue")
    assert complaint(state, "statue:0:1:none") == "supply_empty"


def test_tv_42_a_tile_turns_clockwise() -> None:
    tile = Tile(status="proposed", id="x", flower="white", symbols=("stairs", "bridge", "none", "none"))
    assert tile.face(1) == ("none", "stairs", "bridge", "none")
    tile = Tile(status="proposed", id="x", flower="white", symbols=("stairs", "fountain", "bridge", "statue"))
    assert tile.face(2) == ("bridge", "statue", "stairs", "fountain")
    assert tile.face(0) == tile.face(4) == tile.symbols


def test_token_doubles_are_used_before_singles_are_exchanged() -> None:
    state = thinned(4, tokens=("double_pillar",))
    for _ in range(4):
        state = pass_turn(state)
    state = act(holding(state, singles=9), legal(state, "mine")[0], "place:s-white:0:0:1", "lay:0:none")
    singles, doubles = state.players[ALICE].singles, state.supply.double_pillar
    state, events, _ = follow(act(state, f"place:{state.mined}:1:0:2"), "lay:0:none")
    laid = events[0]
    assert isinstance(laid, Laid)
    assert (laid.singles, laid.token_doubles, laid.exchanged) == (4, 1, 1)
    assert state.players[ALICE].singles == singles - 4
    assert state.supply.double_pillar == doubles - 1
    assert state.doubles == 0


def test_mining_cannot_be_taken_back_but_the_rest_of_the_turn_can() -> None:
    game = rules()
    state = thinned(4)
    for stacks in (state.quarry, tuple(stack[:1] for stack in state.quarry)):
        table = position(replace(state, quarry=stacks))
        for text in ("mine:0:0", "place:s-white:0:0:1", "lay:1:nw"):
            table = log.act(game, table, ALICE, notation.parse(game, text))
        undone = log.append(game, table, log.undo(table, ALICE, whole_turn=True))
        assert undone.state.phase == "build"
        assert undone.state.players[ALICE].garden.terraces == ()
        with pytest.raises(log.CannotUndo, match="undo_revealed"):
            log.undo(undone, ALICE)


def test_the_last_tile_of_a_stack_uncovers_nothing_and_yet_mining_it_is_final() -> None:
    state = thinned(4)
    bare = tuple(stack[:1] for stack in state.quarry)
    _, events, reveals = follow(replace(state, quarry=bare), "mine:0:0")
    assert len(events) == 1
    assert reveals


def test_an_empty_stack_is_not_mined() -> None:
    state = thinned(4)
    state = replace(state, quarry=((), *state.quarry[1:]))
    assert complaint(state, "mine:0:0") == "empty_stack"
    assert complaint(state, "mine:0:9") == "no_such_stack"


def test_nobody_acts_out_of_turn_or_after_the_end() -> None:
    state = thinned(4)
    assert complaint(state, "mine:0:0", seat=BOB) == "not_your_decision"
    assert complaint(replace(state, phase="over"), "mine:0:0") == "game_over"
    assert complaint(state, "end:s-white") == "wrong_phase"
    assert complaint(state, "lay:0:none") == "wrong_phase"


def test_as_many_positions_lie_one_two_and_three_steps_ahead_as_ever() -> None:
    """A dealt table, Alice about to mine, with two pillars: a change of any rule of a turn moves these numbers."""

    def positions_ahead(state: State, steps: int) -> int:
        actions = rules().actions(state, state.seat)
        if steps == 1:
            return len(actions)
        return sum(positions_ahead(rules().apply(state, state.seat, action).state, steps - 1) for action in actions)

    here = garden(
        """
        tile c01 L1 @(2,2) face[T ./F .] sup[ss/ss] white
        tile c02 L1 @(4,3) face[T B/. .] sup[ss/ss] white
        tile c05 L2 @(3,4) face[T ./B .] sup[ds/-d] pink
        turn
        """
    )
    state = holding(thinned(4), singles=2, garden=here, stored="")
    counts = [positions_ahead(state, steps) for steps in (1, 2, 3)]
    assert counts == [16, 1184, 20688]
