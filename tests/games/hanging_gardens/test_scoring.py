"""What gardens are worth (8)."""

from collections.abc import Sequence

import pytest

from app.games.hanging_gardens.scoring import (
    PARTS,
    Worth,
    alignments,
    best_alignment,
    flower_groups,
    parts,
    points_by_part,
    total,
    tree_groups,
    worth,
)
from app.games.hanging_gardens.state import Player, Spot
from app.games.hanging_gardens.tally import best_split
from tests.games.hanging_gardens.drawn import BOX, GAME, garden, player, replace, table

EXAMPLE = """
    G42 G19 G11
  G01 G29 G63 G48
G47 G50 G30 G69 G07
"""

WITH_TILES = """
    G17+E17 G62 G13+E15
  G27 G54 G18+E12 G35
G47 G55 G58 G71 G41
"""


def points(drawing: str | Player, *, seats: int = 2) -> dict[str, int]:
    """The parts of a garden's score."""
    whose = player(drawing) if isinstance(drawing, str) else drawing
    return dict(zip(PARTS, points_by_part(BOX, whose, seats=seats), strict=True))


def filled(cards: dict[tuple[int, int], str], *, rest: str) -> tuple[Spot, ...]:
    """A whole garden with these cards on places counted from 1; ``rest`` names what lies elsewhere, in turn."""
    others = iter(rest.split() * 12)
    return tuple(
        Spot(level, place - 1, *cards.get((level, place), next(others)).split("+"))
        for level, size in enumerate((5, 4, 3), start=1)
        for place in range(1, size + 1)
    )


def test_places_are_counted_from_the_left_end_of_the_finished_row_tv_25_r_12() -> None:
    dry = ["G20", "G22", "G24", "G26"]
    cards = tuple(Spot(1, x, card) for x, card in zip((0, 1, -1, -2, -3), ("G21", *dry), strict=True))
    assert best_alignment(BOX, player(cards, irrigation="I4")).met == ((1, 0),)
    assert best_alignment(BOX, player(cards, irrigation="I1")).met == ()
    assert points(player(cards, irrigation="I4"))["irrigation"] == 1
    assert points(player(cards, irrigation="I1"))["irrigation"] == 0


def test_the_pattern_is_not_mirrored_r_12() -> None:
    cards = garden("G21 G23 G20 G22 G24")
    assert points(player(cards, irrigation="I2"))["irrigation"] == 2
    assert points(player(cards, irrigation="I3"))["irrigation"] == 0


def test_only_the_largest_group_of_a_colour_scores_tv_26() -> None:
    red_column = filled({(1, 2): "G37", (2, 1): "G38", (3, 1): "G52"}, rest="G43")
    red = flower_groups(BOX, red_column)[0]
    assert (red.colour, red.flowers, red.points) == ("red", 3, 3)
    apart = filled({(1, 1): "G37", (2, 2): "G38"}, rest="G43")
    assert flower_groups(BOX, apart)[0].points == 1
    blue = filled({(1, 1): "G43", (1, 2): "G41", (1, 4): "G16+E03"}, rest="G40")
    groups = {group.colour: group for group in flower_groups(BOX, blue)}
    assert (groups["blue"].points, [spot.card for spot in groups["blue"].spots]) == (3, ["G16"])


def test_the_example_garden_is_worth_48_tv_27() -> None:
    mine = player(EXAMPLE, irrigation="I1", objectives=(("O01", 1), ("O02", 2)))
    assert points(mine) == {
        "irrigation": 7,
        "flowers": 10,
        "trees": 9,
        "animals": 7,
        "visitors": 9,
        "objectives": 6,
    }
    assert total(BOX, mine, seats=2) == 48


@pytest.mark.parametrize("irrigation", ["I2", "I3", "I4", "I5"])
def test_another_irrigation_card_gives_the_example_two_points_tv_27(irrigation: str) -> None:
    assert points(player(EXAMPLE, irrigation=irrigation))["irrigation"] == 2


def test_the_example_with_tiles_is_worth_76_tv_28_r_04() -> None:
    mine = player(WITH_TILES, irrigation="I2", objectives=(("O01", 1), ("O02", 1), ("O03", 1)))
    assert points(mine) == {
        "irrigation": 11,
        "flowers": 12,
        "trees": 22,
        "animals": 8,
        "visitors": 11,
        "objectives": 12,
    }
    assert total(BOX, mine, seats=2) == 76


def trees(species: Sequence[str], *where: tuple[int, int]) -> int:
    """What trees of one species on these places are worth, with nothing else in the garden."""
    return points(player(filled(dict(zip(where, species, strict=False)), rest="G62 G63")))["trees"]


SOCOTRAS = ("G37", "G38", "G39", "G40")
CEDARS = ("G44", "G45", "G46", "G47", "G48")
PALMS = ("G52", "G53", "G54", "G55", "G56")
GROUND = tuple((1, place) for place in range(1, 6))


@pytest.mark.parametrize(
    ("species", "where", "worth_"),
    [
        (SOCOTRAS, ((1, 2), (1, 3), (1, 4)), 7 + 2),
        (SOCOTRAS, ((2, 2), (1, 2), (2, 3), (3, 1)), 7 + 2 + 2),
        (CEDARS, GROUND, 9 + 5),
        (PALMS, GROUND, 18 + 1),
        (PALMS, ((1, 1), (1, 2), (1, 4), (1, 5)), 4 + 4),
    ],
)
def test_trees_are_split_into_connected_groups_for_the_most_points_tv_29_r_02(
    species: Sequence[str], where: Sequence[tuple[int, int]], worth_: int
) -> None:
    assert trees(species, *where) == worth_


def test_a_split_is_never_better_than_the_groups_it_names() -> None:
    for values in BOX.trees.values():
        for places in (0b11111, 0b1111_11111, 0b111_1111_11111):
            points_, division = best_split(places, values)
            assert sum(values[part.bit_count() - 1] for part in division) == points_
            assert sum(division) == places
            assert max(part.bit_count() for part in division) <= len(values)


def test_trees_of_two_species_do_not_join() -> None:
    assert trees(("G37", "G44"), (1, 1), (1, 2)) == 2 + 2


@pytest.mark.parametrize(
    ("cards", "values"),
    [(("G19", "G20", "G21"), (3, 2, 2)), (("G32", "G33", "G34"), (2, 2, 3)), (("G25", "G26", "G27"), (2, 3, 2))],
)
def test_animals_score_by_the_level_of_their_card_tv_30(cards: tuple[str, ...], values: tuple[int, ...]) -> None:
    there = dict(zip(((1, 3), (2, 2), (3, 1)), cards, strict=True))
    whose = player(filled(there, rest="G62 G63"))
    assert points(whose)["animals"] == sum(values)
    spots = [spot for spot in whose.garden if spot.card in cards]
    assert [worth(BOX, whose, spot) for spot in spots] == [
        Worth(value, level) for level, value in enumerate(values, start=1)
    ]


def visitor(kind: str, *cards: str, objectives: int = 0) -> int:
    """What a visitor of that kind is worth among these cards."""
    host = next(card.id for card in BOX.cards.values() if card.kind == kind)
    spots = tuple(Spot(1, x, *card.split("+")) for x, card in enumerate((host, *cards)))
    done = tuple((tile, 1) for tile in list(BOX.objectives)[:objectives])
    found = worth(BOX, player(spots, objectives=done), spots[0])
    assert found is not None
    return found.points


def test_visitors_count_over_the_whole_garden_tv_31() -> None:
    wet = {(1, 1): "G37", (1, 2): "G21", (1, 3): "G25", (1, 4): "G31", (2, 1): "G35", (2, 4): "G41"}
    mine = player(filled(wet | {(3, 1): "G65"}, rest="G20 G22 G24"), irrigation="I1")
    assert len(best_alignment(BOX, mine).met) == 2
    assert worth(BOX, mine, next(spot for spot in mine.garden if spot.card == "G65")) == Worth(6, 6)
    assert visitor("visitors", "G62", "G63") == 3
    trio = ("G40", "G48", "G54", "G43", "G61", "G20", "G22", "G62", "G63")
    assert visitor("trio_set", *trio) == 3 * 2
    seven_red = ("G01+E01", "G04+E01", "G20")
    assert visitor("flower_set", *seven_red, "G21", "G22", "G28", "G16") == 2
    assert visitor("objectives", objectives=3) == 6
    assert visitor("enhancements", "G01+E01", "G02+E02") == 4


@pytest.mark.parametrize(
    ("kind", "cards", "count"),
    [
        ("red_flowers", ("G20", "G01+E01", "G24"), 4),
        ("yellow_flowers", ("G21", "G22"), 2),
        ("blue_flowers", ("G16+E20",), 3),
        ("animals", ("G19", "G25", "G16+E04"), 3),
        ("trees", ("G40", "G16+E09"), 2),
        ("crowns", ("G04", "G19", "G16+E10"), 4),
        ("coins", ("G20", "G24", "G16+E12"), 3),
        ("tools", ("G22", "G30+E01", "G06+E11"), 4),
    ],
)
def test_tiles_count_for_visitors_r_04_r_14(kind: str, cards: tuple[str, ...], count: int) -> None:
    assert visitor(kind, *cards) == count


def test_a_visitor_counts_itself_r_03() -> None:
    assert visitor("visitors") == 1
    assert visitor("trio_set", "G40", "G20") == 3


@pytest.mark.parametrize(
    ("cards", "sets"),
    [
        (("G40", "G48", "G54", "G20", "G22"), 1),  # no other visitor
        (("G40", "G48", "G54", "G20", "G62", "G63"), 1),  # one animal
        (("G40", "G20", "G22", "G62", "G63"), 1),  # one tree
        (("G20", "G22", "G62", "G63"), 0),
    ],
)
def test_a_set_is_counted_as_often_as_its_rarest_member(cards: tuple[str, ...], sets: int) -> None:
    assert visitor("trio_set", *cards) == 3 * sets


@pytest.mark.parametrize("missing", ["red", "yellow", "blue"])
def test_a_set_of_flowers_takes_all_three_colours(missing: str) -> None:
    cards = {"red": ("G20", "G26"), "yellow": ("G21", "G22"), "blue": ("G24", "G30")}
    others = [card for colour, two in cards.items() if colour != missing for card in two]
    assert visitor("flower_set", *others) == (2 if missing == "yellow" else 0)  # it stands by a yellow flower itself
    assert visitor("flower_set", *(card for two in cards.values() for card in two)) == 2 * 2


def test_each_flower_of_two_on_a_card_counts_r_15() -> None:
    assert points("G16+E03")["flowers"] == 3


def test_ties_go_to_tools_and_coins_together_tv_32() -> None:
    mine = player(EXAMPLE, irrigation="I1", objectives=(("O01", 1), ("O02", 1), ("O03", 2)))
    less = replace(mine, objectives=(("O01", 1), ("O02", 1), ("O03", 1), ("O04", 2)), irrigation="I2")
    a = replace(mine, tools=1, coins=2)
    b = replace(mine, tools=3, coins=0)
    c = replace(less, tools=9, coins=0)
    assert [(score.total, score.rank) for score in GAME.scores(table(a, b, c))] == [(52, 1), (52, 1), (51, 3)]
    b = replace(b, coins=1)
    assert [score.rank for score in GAME.scores(table(a, b, c))] == [2, 1, 3]


def test_leftovers_and_the_marker_are_worth_nothing() -> None:
    rich = table(player(EXAMPLE, coins=9, tools=9), player(EXAMPLE), holder=0)
    one, other = GAME.scores(rich)
    assert one.total == other.total


def test_a_garden_that_can_still_move_scores_its_best_alignment() -> None:
    whose = player("G21 G20 G23", irrigation="I1")  # irrigated at both ends
    found = alignments(BOX, whose)
    assert [(each.shift, each.points) for each in found] == [(0, 2), (1, 0), (2, 2)]
    best = best_alignment(BOX, whose)
    assert (best.shift, best.met) == (0, ((1, 0), (1, 2)))
    assert best.dry == ()
    assert set(best.free) == {(1, 4), (2, 1), (2, 2), (3, 1)}
    assert found[2].free == ((1, -2), (2, -1), (2, 0), (3, -1))
    assert points(whose)["irrigation"] == 2
    at_the_right = player("G21 G23", irrigation="I3")  # places 3, 4 and 5 are marked
    assert [each.points for each in alignments(BOX, at_the_right)] == [0, 1, 2, 2]
    assert best_alignment(BOX, at_the_right).shift == 2
    assert points(at_the_right)["irrigation"] == 2


def test_a_finished_row_has_one_alignment() -> None:
    (only,) = alignments(BOX, player(EXAMPLE, irrigation="I1"))
    assert (only.shift, only.points, len(only.met), len(only.dry), only.free) == (0, 7, 4, 2, ())


def test_an_empty_garden_is_worth_nothing() -> None:
    assert set(points(player()).values()) == {0}
    assert all(part.spots == () for part in parts(BOX, player(), seats=2))


def test_parts_name_the_cards_that_earn_them() -> None:
    mine = player(EXAMPLE, irrigation="I1", objectives=(("O01", 1), ("O02", 2)))
    earned = {part.name: {spot.card for spot in part.spots} for part in parts(BOX, mine, seats=2)}
    assert earned == {
        "irrigation": {"G47", "G07", "G29", "G19"},
        "flowers": {"G50", "G30", "G29", "G63", "G42", "G01", "G69", "G07", "G48", "G11"},
        "trees": {"G47", "G50", "G48", "G42"},
        "animals": {"G30", "G29", "G19"},
        "visitors": {"G63", "G69"},
        "objectives": set(),
    }
    assert {part.name: part.points for part in parts(BOX, mine, seats=2)} == points(mine)


def test_what_stands_on_a_card_has_a_worth() -> None:
    mine = player(EXAMPLE, irrigation="I1")
    by_card = {spot.card: worth(BOX, mine, spot) for spot in mine.garden}
    assert by_card["G47"] == by_card["G50"] == Worth(5, 2)
    assert by_card["G48"] == Worth(2, 1)
    assert by_card["G63"] == Worth(5, 5)
    assert by_card["G19"] == Worth(2, 3)
    assert by_card["G11"] is None
    groups = [(group.species, group.points, len(group.spots)) for group in tree_groups(BOX, mine.garden)]
    assert groups == [("socotra", 2, 1), ("cedar", 5, 2), ("cedar", 2, 1)]


def test_objective_points_follow_the_spaces_of_the_board() -> None:
    done = player(objectives=(("O01", 2), ("O03", 1)))
    assert points(done, seats=2)["objectives"] == 2 + 4
    assert points(done, seats=5)["objectives"] == 3 + 4
