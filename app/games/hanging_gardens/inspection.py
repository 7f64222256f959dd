"""Looks the box over: what the file of an edition says must fit together, or it is refused with the reason."""

import re

from app.engine.contract import Edition
from app.engine.editions import check, check_unique, read_box
from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.components import COLUMNS, Contents, Values
from app.games.hanging_gardens.garden import LEVELS, PLACES

MOST_SEATS = 5
ID = re.compile(r"[A-Za-z0-9]{1,8}")
DIFFICULTIES = {"easy", "normal", "hard"}


def open_box(edition: Edition) -> Box:
    """The box of an edition, looked over. Raises ``EditionRefused`` with file, key and reason."""
    contents = read_box(edition, Contents)
    inspect(edition, contents)
    return Box(contents)


def inspect(edition: Edition, box: Contents) -> None:
    """Raises ``EditionRefused`` for the first thing in the box that does not fit the rest."""
    _counts(edition, box)
    _setup(edition, box)
    _board(edition, box)
    _tables(edition, box)
    _garden_cards(edition, box)
    _enhancements(edition, box)
    _objectives(edition, box)
    _irrigation_cards(edition, box)
    _solo(edition, box)
    _automaton_cards(edition, box)


def _counts(edition: Edition, box: Contents) -> None:
    """As many things are listed as the box is said to hold, each under its own id."""
    ids = {
        "garden_card": [card.id for card in box.garden_card],
        "enhancement": [tile.id for tile in box.enhancement],
        "objective": [tile.id for tile in box.objective],
        "irrigation_card": [card.id for card in box.irrigation_card],
        "automaton_card": [card.id for card in box.automaton_card],
        "solo_difficulty": [difficulty.id for difficulty in box.solo_difficulty],
        "solo_verdict": [verdict.id for verdict in box.solo_verdict],
    }
    for key, names in ids.items():
        check_unique(edition, key, names)
        for index, name in enumerate(names):
            check(edition, f"{key}[{index}].id", bool(ID.fullmatch(name)), "not a plain word of 1 to 8 letters")
    counts = box.counts
    for key, count in (
        ("garden_card", counts.garden_cards),
        ("enhancement", counts.enhancement_tiles),
        ("objective", counts.objective_tiles),
        ("irrigation_card", counts.irrigation_cards),
        ("automaton_card", counts.automaton_cards),
    ):
        check(edition, key, len(ids[key]) == count, f"{len(ids[key])} are listed, counts says {count}")
    needed = MOST_SEATS * box.setup.gardeners
    check(edition, "counts.gardeners", counts.gardeners >= needed, f"{MOST_SEATS} players need {needed}")
    needed = MOST_SEATS * box.setup.objectives
    check(
        edition, "counts.objective_markers", counts.objective_markers >= needed, f"{MOST_SEATS} players need {needed}"
    )


def _setup(edition: Edition, box: Contents) -> None:
    setup = box.setup
    for key in ("rounds", "gardeners", "objectives"):
        check(edition, f"setup.{key}", getattr(setup, key) > 0, "not a positive number")
    for key in ("coins", "tools", "last_player_extra_tools"):
        check(edition, f"setup.{key}", getattr(setup, key) >= 0, "below nothing")
    check(edition, "setup.rounds", setup.rounds * setup.gardeners == PLACES, f"a garden takes {PLACES} turns")
    check(edition, "setup.objectives", setup.objectives <= len(box.objective), "more than there are objective tiles")
    cards = len(COLUMNS) * len(box.board.tool_cost) + MOST_SEATS * PLACES
    check(edition, "garden_card", len(box.garden_card) >= cards, f"a game takes up to {cards}")
    check(edition, "irrigation_card", len(box.irrigation_card) >= MOST_SEATS, f"{MOST_SEATS} players need one each")


def _board(edition: Edition, box: Contents) -> None:
    cost = box.board.tool_cost
    check(edition, "board.tool_cost", bool(cost), "a market needs a row")
    check(edition, "board.tool_cost", cost[0] == 0, "the bottom row is free, so that everybody can always act")
    check(edition, "board.tool_cost", list(cost) == sorted(cost), "an upper row is cheaper than a lower one")
    spaces = box.mini_board.spaces
    players = [str(seats) for seats in range(2, MOST_SEATS + 1)]
    check(edition, "mini_board.spaces", sorted(spaces) == players, f"one row each for {', '.join(players)} players")
    for seats, row in spaces.items():
        key = f"mini_board.spaces.{seats}"
        check(edition, key, len(row) == len(COLUMNS), f"{len(COLUMNS)} columns expected")
        check(edition, key, all(number > 0 for number in row), "not a positive number")
        gardeners = int(seats) * box.setup.gardeners
        check(edition, key, sum(row) >= gardeners, f"{gardeners} gardeners need a space")


def _tables(edition: Edition, box: Contents) -> None:
    tables = box.scoring
    _values(edition, "scoring.irrigation", tables.irrigation)
    check(edition, "scoring.flowers.vp", tables.flowers.vp >= 0, "below nothing")
    for kind, animal in tables.animals.items():
        _values(edition, f"scoring.animals.{kind}", animal)
        check(edition, f"scoring.animals.{kind}.vp", len(animal.vp) == len(LEVELS), "one value for each level")
    for kind, tree in tables.trees.items():
        _values(edition, f"scoring.trees.{kind}", tree)
    both = set(tables.animals) & set(tables.trees)
    check(edition, "scoring.trees", not both, f"also among the animals: {', '.join(sorted(both))}")
    check_unique(edition, "visitor", [visitor.kind for visitor in box.visitor])
    for index, visitor in enumerate(box.visitor):
        check(edition, f"visitor[{index}].vp", visitor.vp > 0, "not a positive number")


def _values(edition: Edition, key: str, values: Values) -> None:
    check(edition, f"{key}.vp", bool(values.vp), "no value")
    check(edition, f"{key}.vp", all(vp >= 0 for vp in values.vp), "below nothing")
    fits = not values.known or len(values.known) == len(values.vp)
    check(edition, f"{key}.known", fits, "one word for each value")


def _garden_cards(edition: Edition, box: Contents) -> None:
    kinds: dict[str, set[str]] = {
        "empty": {""},
        "animal": set(box.scoring.animals),
        "tree": set(box.scoring.trees),
        "visitor": {str(visitor.kind) for visitor in box.visitor},
    }
    for index, card in enumerate(box.garden_card):
        fits = card.kind in kinds[card.slot]
        check(
            edition, f"garden_card[{index}].kind", fits, f"{card.kind or 'nothing'} does not fit the slot {card.slot}"
        )


def _enhancements(edition: Edition, box: Contents) -> None:
    kinds = {"none": {""}, "animal": set(box.scoring.animals), "tree": set(box.scoring.trees)}
    for index, tile in enumerate(box.enhancement):
        key = f"enhancement[{index}]"
        check(edition, f"{key}.cost", tile.cost > 0, "not a positive number")
        fits = tile.kind in kinds[tile.slot]
        check(edition, f"{key}.kind", fits, f"{tile.kind or 'nothing'} does not fit the slot {tile.slot}")
        adds = tile.slot != "none" or bool(tile.flowers) or tile.irrigated or tile.bonus != "none"
        check(edition, key, adds, "adds nothing to a card")


def _objectives(edition: Edition, box: Contents) -> None:
    for index, tile in enumerate(box.objective):
        check(edition, f"objective[{index}].count", tile.count > 1, "below 2, and the marker would make it nothing")
    seen: dict[int, str] = {}
    for name, layout in box.objective_spaces.items():
        key = f"objective_spaces.{name}"
        for seats in layout.players:
            check(edition, f"{key}.players", seats not in seen, f"{seats} players have {seen.get(seats)}")
            seen[seats] = name
        vp = [space.vp for space in layout.spaces]
        check(edition, f"{key}.spaces", bool(vp), "no space")
        check(edition, f"{key}.spaces", min(vp, default=0) >= 0, "below nothing")
        check(edition, f"{key}.spaces", vp == sorted(vp, reverse=True), "a space is worth more than one to its left")
        solo = 1 not in layout.players or len(vp) >= 2
        check(edition, f"{key}.spaces", solo, "alone with the automaton there are two sides and one space")
    players = list(range(1, MOST_SEATS + 1))
    check(edition, "objective_spaces", sorted(seen) == players, f"one layout each for 1 to {MOST_SEATS} players")


def _irrigation_cards(edition: Edition, box: Contents) -> None:
    for index, card in enumerate(box.irrigation_card):
        key = f"irrigation_card[{index}].marks"
        check(edition, key, len(card.marks) == len(LEVELS), f"{len(LEVELS)} levels expected")
        for row, size in zip(card.marks, LEVELS, strict=True):
            check(edition, key, all(1 <= mark <= size for mark in row), "a mark lies outside the garden")
            check(edition, key, len(set(row)) == len(row), "a place is marked twice")
        marks = sum(map(len, card.marks))
        check(edition, key, marks < len(box.scoring.irrigation.vp), f"no VP are given for {marks} matches")


def _solo(edition: Edition, box: Contents) -> None:
    check(edition, "solo.players", str(box.solo.players) in box.mini_board.spaces, "no such mini-board")
    turns = box.solo.gardeners == box.setup.gardeners
    check(edition, "solo.gardeners", turns, "both sides take the same number of turns")
    ids = {difficulty.id for difficulty in box.solo_difficulty}
    check(edition, "solo_difficulty", ids == DIFFICULTIES, f"{', '.join(sorted(DIFFICULTIES))} expected")
    for index, difficulty in enumerate(box.solo_difficulty):
        for what in ("coins", "tools"):
            check(edition, f"solo_difficulty[{index}].{what}", getattr(difficulty, what) >= 0, "below nothing")
    least = [verdict.least for verdict in box.solo_verdict]
    check(edition, "solo_verdict", bool(least) and least[0] == 0, "the first begins at 0")
    check(edition, "solo_verdict", least == sorted(set(least)), "they do not rise")


def _automaton_cards(edition: Edition, box: Contents) -> None:
    cards, rows = box.automaton_card, len(box.board.tool_cost)
    check(edition, "automaton_card", len(cards) >= PLACES, f"a game takes {PLACES}")
    costs = {tile.cost for tile in box.enhancement}
    for index, card in enumerate(cards):
        key = f"automaton_card[{index}]"
        check(edition, f"{key}.columns", sorted(card.columns) == sorted(COLUMNS), "every column once")
        items = card.target in {"animal", "tree", "visitor"}
        check(edition, f"{key}.target", items == (card.rule == "item"), f"the rule is {card.rule}")
        fallback = 1 <= card.fallback <= rows if card.rule == "item" else card.fallback == 0
        check(edition, f"{key}.fallback", fallback, f"1 to {rows} for an item, 0 for a flower")
        if card.bonus == "enhancement":
            check(edition, f"{key}.cost", card.cost in costs, "no such pile")
        else:
            check(edition, f"{key}.cost", card.cost == 0, f"the bonus {card.bonus} takes no tile")
