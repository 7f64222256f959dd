"""What holds at any table: pieces are never made or lost, nothing hidden leaves, every refusal names its rule."""

import re
from collections import Counter
from importlib.resources import files
from io import StringIO
from itertools import chain
from tokenize import COMMENT, STRING, generate_tokens

import pytest

from app.engine import codec
from app.engine.rng import Rng
from app.games.babylon import tokens
from app.games.babylon.state import State
from tests.games.babylon.gardens import states
from tests.games.babylon.script import box, rules, stock
from tests.games.babylon.tables import act, begin, legal, pass_turn, thinned


def pieces_everywhere(state: State) -> Counter[str]:
    """How many of each piece lie in the supply, in hands and in gardens."""
    found: Counter[str] = Counter({name: state.supply.left(name) for name in state.supply.__struct_fields__})
    found["double_pillar"] += state.doubles
    for player in state.players:
        found["single_pillar"] += player.singles
        for terrace in player.garden.terraces:
            found["single_pillar"] += terrace.supports.count("s")
            found["double_pillar"] += terrace.supports.count("d")
            found["belvedere"] += terrace.supports.count("-")
        found.update(decoration.kind for decoration in player.garden.decorations)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_piece_and_no_tile_is_made_or_lost(seats: int) -> None:
    full = {name: stock().left(name) for name in stock().__struct_fields__}
    every = {tile.id for tile in box().tiles}
    for seed in ("h", "i"):
        for state in states(seed, seats=seats):
            assert pieces_everywhere(state) == full
            assert min(state.supply.left(name) for name in full) >= 0
            tiles = [tile for stack in state.quarry for tile in stack]
            tiles += [*state.removed, *state.discarded, *([state.mined] if state.mined else [])]
            tiles += [state.laying.tile] if state.laying else []
            for player in state.players:
                tiles += [player.stored] if player.stored else []
                tiles += [terrace.id for terrace in player.garden.terraces]
            starting = {box().start_tile[player.flower] for player in state.players}
            assert Counter(tiles) == Counter(every | starting)


def test_covered_tiles_and_tokens_to_come_never_leave_the_rules() -> None:
    for number, state in enumerate(states("j", seats=3)):
        if number % 9:
            continue
        covered = {tile for stack in state.quarry for tile in stack[:-1]}
        for seat in (0, 1, 2, None):
            seen = codec.encode(rules().view(state, seat)).decode()
            assert not {tile for tile in covered if f'"{tile}"' in seen}
            assert '"tokens":' + str(len(state.tokens)) in seen


def material_of(tile: str) -> str:
    """The material of a terrace tile."""
    return box().tile_by_id[tile].material


def test_an_imagined_table_has_the_same_tiles_and_tokens() -> None:
    for number, state in enumerate(states("k", seats=2)):
        if number % 9:
            continue
        other = rules().imagine(rules().view(state, 1), 1, Rng("other"))
        assert other.heights == state.heights
        materials = [[material_of(tile) for tile in stack] for stack in state.quarry]
        assert [[material_of(tile) for tile in stack] for stack in other.quarry] == materials
        assert sorted(chain(*other.quarry)) == sorted(chain(*state.quarry))
        assert len(other.tokens) == len(state.tokens)


def test_what_tokens_may_still_come_is_known() -> None:
    state = thinned(2, tokens=("blank", "blank", "add_symbol"))
    for _ in range(4):
        state = pass_turn(state)
    assert state.shown == ("blank", "blank")
    left = dict(tokens.unseen(box(), state.shown))
    assert left["blank"] == 0
    assert sum(left.values()) == 12
    assert rules().view(state, None).effect == "blank"


def test_setup_deals_boards_tokens_and_layers_as_a_written_deal_says() -> None:
    deal = {"boards": ("yellow",), "first_player": ("2",), "clay": ("c09", "c01"), "basalt": ("b05",)}
    state = begin(3, tokens=("change_symbol",), deal=deal)
    assert state.first == state.seat == 2
    assert state.players[0].flower == "yellow"
    assert state.players[0].stored == "s-yellow"
    assert state.tokens[0] == "change_symbol"
    assert state.tops[:2] == ("c09", "c01")
    assert state.quarry[0][0] == "b05"
    assert [box().tile_by_id[tile].material for tile in state.quarry[5]] == ["basalt", "granite", "clay"]


def test_turns_are_numbered_and_every_removal_is_one() -> None:
    state = begin(2)
    numbers = []
    while state.round < 2:
        numbers.append(rules().decisions(state)[0].turn)
        state = act(state, legal(state)[0]) if state.phase == "remove" else pass_turn(state)
    assert numbers == list(range(1, 9))


def test_every_rule_that_the_code_names_stands_in_the_rules() -> None:
    folder = files("app.games.babylon")
    text = (folder / "RULES.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"^\*\*([0-9.]+)\*\*", text, re.MULTILINE))
    headings = set(re.findall(r"^## ([0-9]+) ", text, re.MULTILINE))
    rulings = set(re.findall(r"^\| ([0-9]+) \|", text, re.MULTILINE))
    assert {str(number) for number in range(1, 19)} == headings
    assert {str(number) for number in range(1, 29)} <= rulings
    named = set()
    for file in folder.iterdir():
        if file.name.endswith(".py"):
            words = generate_tokens(StringIO(file.read_text(encoding="utf-8")).readline)
            said = " ".join(word.string for word in words if word.type in (STRING, COMMENT))
            named |= set(re.findall(r"\b[0-9]{1,2}(?:[.][0-9]{1,2})+\b", said))
    assert len(named) > 50
    assert named <= numbers, named - numbers


def test_the_legal_list_stays_short() -> None:
    longest = max(
        len(rules().actions(state, state.seat)) for seed in ("l", "m", "n") for state in states(seed, seats=2)
    )
    assert longest <= 400
