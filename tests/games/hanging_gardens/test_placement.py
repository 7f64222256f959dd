"""Where a card may go (6.2)."""

from collections.abc import Iterable

from app.games.hanging_gardens.garden import (
    LEVELS,
    NEIGHBOURS,
    PLACES,
    Place,
    groups,
    legal_places,
    numbers,
    place_name,
    place_of,
    touches,
)
from app.games.hanging_gardens.state import Spot
from tests.games.hanging_gardens.drawn import places, player, refused, table


def spots(cards: Iterable[Place]) -> tuple[Spot, ...]:
    return tuple(Spot(level, x, "G01") for level, x in cards)


def test_the_first_card_goes_to_the_start_of_level_one_only_tv_01() -> None:
    assert places() == {(1, 0)}
    state = table(player(), player())
    assert refused(state, "take:1:1:2:0") == ("first_card_at_the_start", "6.2.1")
    assert refused(state, "take:1:1:1:1") == ("first_card_at_the_start", "6.2.1")


def test_the_second_card_goes_beside_the_first_tv_02() -> None:
    assert places((1, 0)) == {(1, -1), (1, 1)}


def test_two_cards_carry_a_third_tv_03() -> None:
    assert places((1, 0), (1, 1)) == {(1, -1), (1, 2), (2, 0)}
    state = table(player("G20 G22"), player())
    assert refused(state, "take:1:1:2:1") == ("needs_both_supports", "6.2.2")
    assert refused(state, "take:1:1:2:-1") == ("needs_both_supports", "6.2.2")


def test_five_cards_complete_level_one_tv_04() -> None:
    row = [(1, x) for x in range(5)]
    assert places(*row) == {(2, 0), (2, 1), (2, 2), (2, 3)}
    state = table(player("G20 G22 G24 G26 G28"), player())
    assert refused(state, "take:1:1:1:5") == ("level_complete", "6.2.3")
    assert refused(state, "take:1:1:1:-1") == ("level_complete", "6.2.3")


def test_a_pair_on_level_two_carries_level_three_tv_05() -> None:
    below = [(1, -1), (1, 0), (1, 1), (2, -1)]
    assert places(*below) == {(1, -2), (1, 2), (2, 0)}
    assert places(*below, (2, 0)) == {(1, -2), (1, 2), (3, -1)}


def test_a_gap_on_level_two_must_be_closed_first_tv_06() -> None:
    below = [*((1, x) for x in range(5)), (2, 0), (2, 2)]
    assert places(*below) == {(2, 1), (2, 3)}
    assert places(*below, (2, 1)) == {(2, 3), (3, 0), (3, 1)}


def test_every_shape_grows_into_five_four_three_tv_07() -> None:
    shapes: list[set[frozenset[Place]]] = [{frozenset()}]
    for _ in range(PLACES):
        grown = set()
        for shape in shapes[-1]:
            legal = legal_places(spots(shape))
            assert legal
            for place in legal:
                left = min(x for level, x in {*shape, place} if level == 1)
                grown.add(frozenset((level, x - left) for level, x in {*shape, place}))
        shapes.append(grown)
    assert [len(each) for each in shapes] == [1, 1, 1, 2, 3, 5, 8, 9, 9, 8, 5, 3, 1]
    assert sum(map(len, shapes)) == 56
    (finished,) = shapes[-1]
    assert finished == {(level, x) for level, size in enumerate(LEVELS, start=1) for x in range(size)}
    assert legal_places(spots(finished)) == ()


def test_cards_on_different_levels_touch_r_01() -> None:
    neighbours = {(2, -1), (2, 1), (3, -1), (3, 0), (1, 0), (1, 1)}
    around = {(level, x) for level in (1, 2, 3) for x in range(-3, 4)}
    assert {place for place in around if touches((2, 0), place)} == neighbours
    assert not touches((1, 0), (3, 0))
    assert not touches((1, 0), (3, -1))


def test_neighbours_by_number_are_those_of_the_places() -> None:
    for number in range(PLACES):
        for other in range(PLACES):
            near = bool(NEIGHBOURS[number] >> other & 1)
            assert near == touches(place_of(number, 3), place_of(other, 3))


def test_level_one_grows_on_either_side_until_it_has_five_cards_r_20() -> None:
    assert {(1, -1), (1, 4)} <= places(*((1, x) for x in range(4)))
    assert {(1, -3), (1, 2)} <= places((1, -2), (1, -1), (1, 0), (1, 1))
    assert not {level for level, _ in places(*((1, x) for x in range(5)))} & {1}


def test_level_three_can_be_begun_over_three_and_two_cards_r_21() -> None:
    assert (3, 0) in places((1, 0), (1, 1), (1, 2), (2, 0), (2, 1))
    assert not {level for level, _ in places((1, 0), (1, 1), (1, 2), (2, 0))} & {3}


def test_places_are_named_from_the_leftmost_card_of_level_one() -> None:
    assert place_name(1, -3, left=-3) == "L1-1"
    assert place_name(1, 1, left=-3) == "L1-5"
    assert place_name(3, -1, left=-3) == "L3-3"


def test_a_place_with_a_card_on_it_is_taken() -> None:
    state = table(player("G20 G22"), player())
    assert refused(state, "take:1:1:1:0") == ("place_taken", "6.2.4")
    assert refused(state, "take:1:1:4:0") == ("no_such_level", "6.2.3")
    assert refused(state, "take:1:1:0:0") == ("no_such_level", "6.2.3")
    assert refused(state, "take:1:1:1:3") == ("touches_no_card", "6.2.1")


def test_groups_are_what_hangs_together() -> None:
    beside, above, apart = 1 << 2 | 1 << 3, 1 << 7 | 1 << 10, 1 << 0
    assert groups(beside | above | apart) == (apart, beside | above)
    assert groups(0) == ()
    assert numbers(0b1_0000_0101) == [0, 2, 8]
