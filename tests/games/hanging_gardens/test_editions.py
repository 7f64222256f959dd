"""What is in the box, and what is refused (3)."""

from collections import Counter

import pytest

from app.engine.editions import EditionRefused, find_edition, make_edition
from app.games.hanging_gardens.box import ITEM
from app.games.hanging_gardens.garden import numbers
from app.games.hanging_gardens.inspection import open_box
from app.games.hanging_gardens.rules import Rules
from tests.games.hanging_gardens.drawn import BOX

HOUSE = find_edition("app.games.hanging_gardens", "house").text


def changed(old: str, new: str, *, times: int = 1) -> str:
    """The house edition with the first of a text exchanged."""
    assert old in HOUSE, old
    return HOUSE.replace(old, new, times)


def reason(text: str) -> tuple[str, str]:
    """The key and the reason for which an edition is refused."""
    with pytest.raises(EditionRefused) as refused:
        open_box(make_edition("bad", "bad.toml", text))
    assert refused.value.file == "bad.toml"
    return refused.value.key, refused.value.reason


def test_the_house_edition_is_accepted() -> None:
    assert Rules(find_edition("app.games.hanging_gardens", "house")).box.rows == 4


def test_cards_are_distributed_as_the_rules_say() -> None:
    cards = BOX.cards.values()
    assert Counter(card.flowers for card in cards) == {("red",): 25, ("yellow",): 25, ("blue",): 25}
    assert Counter(card.slot for card in cards) == {"empty": 18, "animal": 18, "tree": 25, "visitor": 14}
    assert Counter(card.bonus for card in cards) == {"crown": 15, "coin": 18, "tool": 18, "none": 24}
    kinds = Counter(card.kind for card in cards)
    assert (kinds["lion"], kinds["monkey"], kinds["peacock"]) == (6, 6, 6)
    assert (kinds["socotra"], kinds["cedar"], kinds["palm"]) == (7, 8, 10)
    assert all(kinds[visitor.kind] == 1 for visitor in BOX.contents.visitor)
    for colour in ("red", "yellow", "blue"):
        irrigated = [card for card in cards if card.irrigated and card.flowers == (colour,)]
        assert len(irrigated) == 10
    assert len({(card.kind, card.slot, card.flowers, card.irrigated, card.bonus) for card in cards}) == 75


def test_every_cost_has_its_tiles() -> None:
    assert Counter(tile.cost for tile in BOX.tiles.values()) == {2: 9, 3: 8, 4: 8}
    assert all(tile.irrigated == (tile.cost == 4) for tile in BOX.tiles.values())
    assert all((tile.bonus != "none") == (tile.cost == 3) for tile in BOX.tiles.values())


def test_every_place_is_marked_by_two_or_three_irrigation_cards() -> None:
    marks = Counter(number for places in BOX.marked.values() for number in numbers(places))
    assert set(marks) == set(range(12))
    assert set(marks.values()) == {2, 3}
    assert all(places.bit_count() == 6 for places in BOX.marked.values())


def test_the_automaton_has_every_rule_with_every_bonus_once() -> None:
    cards = BOX.automaton_cards.values()
    assert len({(card.rule, card.target, card.bonus) for card in cards}) == 18
    assert set(Counter(card.columns for card in cards).values()) == {3}


def test_all_items_are_counted_in_their_order() -> None:
    assert list(ITEM.values()) == list(range(10))
    assert BOX.face("G66").counts == (0, 0, 1, 0, 1, 0, 0, 0, 1, 0)


def test_an_unknown_card_has_no_face() -> None:
    with pytest.raises(KeyError):
        BOX.face("G99")
    with pytest.raises(KeyError):
        BOX.face("G01", "E99")


@pytest.mark.parametrize(
    ("old", "new", "key", "why"),
    [
        # shapes and words
        ("garden_cards = 75", "garden_cards = '75'", "counts.garden_cards", "Expected `int`"),
        ("garden_cards = 75", "", "counts", "missing required field `garden_cards`"),
        ("[counts]", "[counts]\ncoconuts = 3", "counts", "unknown field `coconuts`"),
        ("[counts]", "[coconuts]\n[counts]", "(top)", "unknown field `coconuts`"),
        (
            'id = "G01"\nslot = "empty"',
            'id = "G01"\nslot = "pond"',
            "garden_card[0].slot",
            "Invalid enum value 'pond'",
        ),
        ('flowers = ["red"]', 'flowers = ["green"]', "garden_card[0].flowers[0]", "Invalid enum value 'green'"),
        ('item = "animals"', 'item = "fish"', "objective[0].item", "Invalid enum value 'fish'"),
        ('kind = "objectives"', 'kind = "kings"', "visitor[10].kind", "Invalid enum value 'kings'"),
        (
            'objectives = 4         # tiles in play, and objective markers of each player\nstatus = "stated"',
            'objectives = 4\nstatus = "rumoured"',
            "setup.status",
            "Invalid enum value 'rumoured'",
        ),
        # counts and ids
        ("garden_cards = 75", "garden_cards = 74", "garden_card", "75 are listed, counts says 74"),
        ("enhancement_tiles = 25", "enhancement_tiles = 26", "enhancement", "25 are listed"),
        ("objective_tiles = 10", "objective_tiles = 9", "objective", "10 are listed"),
        ("irrigation_cards = 5", "irrigation_cards = 6", "irrigation_card", "5 are listed"),
        ("automaton_cards = 18", "automaton_cards = 17", "automaton_card", "18 are listed"),
        ("gardeners = 15", "gardeners = 14", "counts.gardeners", "5 players need 15"),
        ("objective_markers = 20", "objective_markers = 19", "counts.objective_markers", "5 players need 20"),
        ('id = "G02"', 'id = "G01"', "garden_card[1].id", "G01 stands twice"),
        ('id = "E02"', 'id = "E01"', "enhancement[1].id", "E01 stands twice"),
        ('id = "O02"', 'id = "O01"', "objective[1].id", "O01 stands twice"),
        ('id = "A02"', 'id = "A01"', "automaton_card[1].id", "A01 stands twice"),
        ('id = "I2"', 'id = "I1"', "irrigation_card[1].id", "I1 stands twice"),
        ('id = "corner"', 'id = "stroll"', "solo_verdict[1].id", "stroll stands twice"),
        ('id = "O02"', 'id = "O:2"', "objective[1].id", "not a plain word"),
        # setup
        ("rounds = 4", "rounds = 3", "setup.rounds", "a garden takes 12 turns"),
        ("rounds = 4", "rounds = 0", "setup.rounds", "not a positive number"),
        ("coins = 2\ntools = 4", "coins = -2\ntools = 4", "setup.coins", "below nothing"),
        (
            "last_player_extra_tools = 1",
            "last_player_extra_tools = -1",
            "setup.last_player_extra_tools",
            "below nothing",
        ),
        ("objectives = 4 ", "objectives = 11 ", "counts.objective_markers", "5 players need 55"),
        # board
        ("tool_cost = [0, 1, 2, 3]", "tool_cost = []", "board.tool_cost", "a market needs a row"),
        ("tool_cost = [0, 1, 2, 3]", "tool_cost = [1, 1, 2, 3]", "board.tool_cost", "the bottom row is free"),
        ("tool_cost = [0, 1, 2, 3]", "tool_cost = [0, 2, 1, 3]", "board.tool_cost", "cheaper than a lower one"),
        ("tool_cost = [0, 1, 2, 3]", "tool_cost = [0, 1, 2, 3, 4, 5]", "garden_card", "a game takes up to 78"),
        ("spaces.2 = [2, 2, 2]\n", "", "mini_board.spaces", "one row each for 2, 3, 4, 5 players"),
        ("spaces.2 = [2, 2, 2]", "spaces.2 = [2, 2]", "mini_board.spaces.2", "3 columns expected"),
        ("spaces.2 = [2, 2, 2]", "spaces.2 = [6, 2, 0]", "mini_board.spaces.2", "not a positive number"),
        ("spaces.2 = [2, 2, 2]", "spaces.2 = [2, 2, 1]", "mini_board.spaces.2", "6 gardeners need a space"),
        # tables
        ("vp = [0, 1, 2, 4, 7, 11, 16]", "vp = [0, 1, 2, 4, 7, 11, -16]", "scoring.irrigation.vp", "below nothing"),
        ("vp = [0, 1, 2, 4, 7, 11, 16]", "vp = [0, 1]", "scoring.irrigation.known", "one word for each value"),
        ("vp = 1  ", "vp = -1  ", "scoring.flowers.vp", "below nothing"),
        (
            "vp = [3, 2, 2]\nknown = [false, false, true]",
            "vp = [3, 2]",
            "scoring.animals.lion.vp",
            "one value for each level",
        ),
        ("vp = [2, 7]\nknown = [true, true]", "vp = []", "scoring.trees.socotra.vp", "no value"),
        ("[scoring.trees.socotra]", "[scoring.trees.lion]", "scoring.trees", "also among the animals: lion"),
        (
            'kind = "yellow_flowers"\nvp = 1',
            'kind = "blue_flowers"\nvp = 1',
            "visitor[1].id",
            "blue_flowers stands twice",
        ),
        ('kind = "blue_flowers"\nvp = 1', 'kind = "blue_flowers"\nvp = 0', "visitor[0].vp", "not a positive number"),
        # cards and tiles
        ('kind = "lion"', 'kind = "dragon"', "garden_card[18].kind", "dragon does not fit the slot animal"),
        ('kind = "socotra"', 'kind = ""', "garden_card[36].kind", "nothing does not fit the slot tree"),
        (
            'slot = "empty"\nkind = ""',
            'slot = "empty"\nkind = "lion"',
            "garden_card[0].kind",
            "lion does not fit the slot empty",
        ),
        ("cost = 2\nslot", "cost = 0\nslot", "enhancement[0].cost", "not a positive number"),
        (
            'cost = 2\nslot = "animal"\nkind = "lion"',
            'cost = 2\nslot = "tree"\nkind = "lion"',
            "enhancement[3].kind",
            "lion does not fit the slot tree",
        ),
        ('flowers = ["red", "red"]', "flowers = []", "enhancement[0]", "adds nothing to a card"),
        # objectives
        ("count = 3", "count = 1", "objective[0].count", "the marker would make it nothing"),
        ("players = [1, 2, 3]", "players = [1, 2]", "objective_spaces", "one layout each for 1 to 5 players"),
        ("players = [4, 5]", "players = [3, 4, 5]", "objective_spaces.large.players", "3 players have small"),
        ('{ vp = 4, gift = "none" }, { vp = 2, gift = "tile" }', "", "objective_spaces.small.spaces", "no space"),
        (
            '{ vp = 4, gift = "none" }, { vp = 2, gift = "tile" }',
            '{ vp = 4, gift = "none" }',
            "objective_spaces.small.spaces",
            "two sides and one space",
        ),
        (
            '{ vp = 2, gift = "tile" }',
            '{ vp = 5, gift = "tile" }',
            "objective_spaces.small.spaces",
            "more than one to its left",
        ),
        ('{ vp = 2, gift = "tile" }', '{ vp = -2, gift = "tile" }', "objective_spaces.small.spaces", "below nothing"),
        # irrigation cards
        (
            "marks = [[1, 3, 5], [2, 3], [2]]",
            "marks = [[1, 3, 5], [2, 3]]",
            "irrigation_card[0].marks",
            "3 levels expected",
        ),
        (
            "marks = [[1, 3, 5], [2, 3], [2]]",
            "marks = [[1, 3, 6], [2, 3], [2]]",
            "irrigation_card[0].marks",
            "outside the garden",
        ),
        (
            "marks = [[1, 3, 5], [2, 3], [2]]",
            "marks = [[1, 3, 3], [2, 3], [2]]",
            "irrigation_card[0].marks",
            "marked twice",
        ),
        (
            "marks = [[1, 3, 5], [2, 3], [2]]",
            "marks = [[1, 2, 3, 5], [2, 3], [2]]",
            "irrigation_card[0].marks",
            "no VP are given for 7 matches",
        ),
        # solo
        ("[solo]\nplayers = 2", "[solo]\nplayers = 1", "solo.players", "no such mini-board"),
        (
            "gardeners = 3          # of the",
            "gardeners = 2          # of the",
            "solo.gardeners",
            "the same number of turns",
        ),
        ('id = "easy"', 'id = "simple"', "solo_difficulty", "easy, hard, normal expected"),
        ('id = "easy"\ncoins = 3', 'id = "easy"\ncoins = -3', "solo_difficulty[0].coins", "below nothing"),
        ("from = 0", "from = 1", "solo_verdict", "the first begins at 0"),
        ("from = 60", "from = 40", "solo_verdict", "they do not rise"),
        (
            'columns = ["left", "middle", "right"]',
            'columns = ["left", "left", "right"]',
            "automaton_card[0].columns",
            "every column once",
        ),
        ('target = "tree"', 'target = "red"', "automaton_card[0].target", "the rule is item"),
        ("fallback = 2", "fallback = 5", "automaton_card[1].fallback", "1 to 4 for an item"),
        (
            'bonus = "enhancement"\ncost = 2',
            'bonus = "enhancement"\ncost = 5',
            "automaton_card[12].cost",
            "no such pile",
        ),
        ('bonus = "enhancement"\ncost = 2', 'bonus = "marker"\ncost = 2', "automaton_card[12].cost", "takes no tile"),
    ],
)
def test_a_box_that_does_not_fit_together_is_refused(old: str, new: str, key: str, why: str) -> None:
    found, because = reason(changed(old, new))
    assert found == key
    assert why in because


def test_a_card_that_is_listed_twice_but_counted_is_refused() -> None:
    card = '[[irrigation_card]]\nid = "I6"\nmarks = [[1], [1], [1]]\nstatus = "proposed"\n'
    more = HOUSE.replace("irrigation_cards = 5", "irrigation_cards = 6") + card
    assert open_box(make_edition("more", "more.toml", more)).marked["I6"].bit_count() == 3
    assert reason(more.replace('id = "I6"', 'id = "I5"')) == ("irrigation_card[5].id", "I5 stands twice")


def test_a_file_that_is_no_toml_is_refused() -> None:
    assert reason("[counts\n")[0] == "(syntax)"
