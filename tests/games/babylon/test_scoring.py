"""Scores (13): sets, ties, and the pieces that earn each part."""

from collections import Counter

from msgspec.structs import replace

from app.games.babylon import scoring
from app.games.babylon.garden import Garden
from app.games.babylon.outcomes import outcome
from tests.games.babylon.gardens import states
from tests.games.babylon.script import box, garden, play, rules
from tests.games.babylon.tables import thinned, with_player


def test_tv_48_sets_are_as_many_as_the_rarest_of_four() -> None:
    assert scoring.sets_of(Counter(statue=5, fountain=2, bridge=2, stairs=1)) == 1
    assert scoring.sets_of(Counter(white=3, pink=2, purple=4, yellow=2)) == 2
    assert scoring.sets_of(Counter(white=3, pink=2, purple=4)) == 0
    assert box().scoring.decoration_set * 1 == 4
    assert box().scoring.flower_set * 2 == 8


def flat(tiles: int, *, doubled: int = 0) -> Garden:
    """A garden of tiles side by side at level 1, some of them with an open corner."""
    places = [(x, y) for y in range(0, 8, 2) for x in range(0, 8, 2)]
    lines = [
        f"tile T{number} L1 @({x},{y}) face[. ./. .] sup[ss/{'-' if number < doubled else 's'}s] white"
        for number, (x, y) in enumerate(places[:tiles])
    ]
    return garden("\n".join(lines))


def test_tv_49_among_equals_fewer_bare_holes_win() -> None:
    state = thinned(2)
    for seat, here in enumerate((flat(5, doubled=3), flat(6, doubled=3))):
        state = with_player(state, seat, replace(state.players[seat], garden=here))
    scores = rules().scores(state)
    assert [score.total for score in scores] == [5, 5]
    assert [score.tie_break for score in scores] == [(-44,), (-40,)]
    assert [score.rank for score in scores] == [2, 1]


def test_tv_49_with_as_many_holes_the_victory_is_shared() -> None:
    state = thinned(2)
    for seat in range(2):
        state = with_player(state, seat, replace(state.players[seat], garden=flat(5)))
    assert [score.rank for score in rules().scores(state)] == [1, 1]


def test_tv_49_a_hole_under_a_bridge_is_visible() -> None:
    here = play(
        """
        tile A L1 @(0,0) face[. B/. .] sup[ss/ss] white
        tile B L1 @(3,0) face[B ./. .] sup[ss/ss] pink
        score => holes 56
        bridge (1,0)-(3,0)
        score => holes 56
        """
    ).garden
    assert here.columns.top[2] == -1


ONE_OF_EVERYTHING = """
    tile A L1 @(0,0) face[S F/T B] sup[ss/ss] white
    statue (0,0)
    turn
    tile B L1 @(2,0) face[F T/B S] sup[ss/ss] pink
    fountain (1,0)-(2,0)
    turn
    tile C L2 @(4,0) face[T S/B F] sup[dd/d-] yellow
    stairs foot(3,0) top(4,0)
    statue (5,0)
    turn
    tile D L1 @(0,3) face[S B/F T] sup[ss/ss] purple
    bridge (1,1)-(1,3)
    statue (0,3)
"""


def test_every_part_names_the_pieces_that_earn_it() -> None:
    parts = {part.name: part for part in scoring.parts(garden(ONE_OF_EVERYTHING), box().scoring)}
    earned = {name: [(earning.points, *earning.pieces) for earning in part.earnings] for name, part in parts.items()}
    assert earned == {
        "statues": [(1, "statue-0-0-1"), (2, "statue-5-0-2"), (1, "statue-0-3-1")],
        "fountains": [(3, "fountain-1-0-1")],
        "bridges": [(3, "bridge-1-1-1")],
        "stairs": [(3, "stairs-3-0-1")],
        "deco_sets": [(4, "statue-0-0-1", "fountain-1-0-1", "bridge-1-1-1", "stairs-3-0-1")],
        "flower_sets": [(4, "tile-A", "tile-B", "tile-C", "tile-D")],
        "belvederes": [(1, "belvedere-C")],
        "height": [(4, "tile-C")],
    }
    assert parts["belvederes"].earnings[0].cells == ((5, 1),)
    assert parts["stairs"].earnings[0].cells == ((3, 0), (4, 0))


def test_the_parts_with_their_pieces_say_the_same_as_the_points_in_any_game() -> None:
    values = box().scoring
    for seed in ("f", "g"):
        for state in list(states(seed, seats=3))[::7]:
            for player in state.players:
                short = scoring.points(player.garden, values)
                long = scoring.parts(player.garden, values)
                assert short == tuple((part.name, part.points) for part in long), f"\n{player.garden}"


def test_an_outcome_tells_which_parts_move_and_what_goes_out_of_sight() -> None:
    before = garden(
        """
        tile A L1 @(1,1) face[S ./. .] sup[ss/-s] white
        statue (1,1)
        turn
        """
    )
    after = play(f"{before}\ntile B L2 @(0,0) face[. ./. .] sup[-d/dp] pink").garden
    moved = outcome(before, after, box().scoring)
    assert moved.points == 2
    assert moved.parts == (("statues", -1), ("belvederes", 1), ("height", 2))
    assert moved.hides == ("statue-1-1-1",)


def test_a_whole_tile_can_go_out_of_sight() -> None:
    lines = """
        tile X L1 @(2,2) face[. ./. .] sup[ss/ss] pink
        tile U L2 @(1,2) face[. ./. .] sup[ds/ds] white
        """
    before = garden(lines)
    after = garden(lines + "tile V L2 @(3,2) face[. ./. .] sup[sd/sd] purple")
    assert outcome(before, after, box().scoring).hides == ("tile-X",)
