"""RULES.md is what the program plays: its numbers are cited rightly, and its rulings and examples are tested."""

import ast
import re
from pathlib import Path

import pytest

import app.games.hanging_gardens
from tests.games.hanging_gardens.drawn import BOX

HERE = Path(__file__).parent
GAME_FOLDER = Path(app.games.hanging_gardens.__file__).parent
TEXT = (GAME_FOLDER / "RULES.md").read_text(encoding="utf-8")
NUMBERS = set(re.findall(r"^#+ (\d+(?:\.\d+)*) ", TEXT, re.MULTILINE)) | set(
    re.findall(r"^\*\*(\d+(?:\.\d+)+)\*\* ", TEXT, re.MULTILINE)
)
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py")))
TESTED = set(re.findall(r"_((?:tv|r)_\d\d)(?=[_(])", "\n".join(re.findall(r"def test_\w+\(", TESTS))))


def test_sections_and_paragraphs_have_their_own_numbers() -> None:
    found = re.findall(r"^(?:#+ |\*\*)(\d+(?:\.\d+)*)(?:\*\*)? ", TEXT, re.MULTILINE)
    assert len(found) == len(set(found))
    parts = [tuple(int(part) for part in number.split(".")) for number in found]
    assert parts == sorted(parts)


@pytest.mark.parametrize("name", [f"r_{number:02}" for number in range(1, 30)])
def test_every_ruling_has_a_test(name: str) -> None:
    assert f"| {name.upper().replace('_', '-')} |" in TEXT
    assert name in TESTED


@pytest.mark.parametrize("name", [f"tv_{number:02}" for number in range(1, 38)])
def test_every_worked_example_has_a_test(name: str) -> None:
    assert name in TESTED


def test_every_refusal_rests_on_a_paragraph() -> None:
    source = (GAME_FOLDER / "refusals.py").read_text(encoding="utf-8")
    cited = set(re.findall(r'Broken\(\s*"\w+",\s*"([\d.]+)"', source))
    assert len(cited) > 15
    assert cited <= NUMBERS


def docstrings(source: str) -> str:
    """All that is said in the docstrings of a module, but for code."""
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef)
    said = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, nodes)]
    return re.sub(r"``.*?``", "", "\n".join(said))


@pytest.mark.parametrize(
    "module", ["automaton", "choices", "objectives", "refusals", "rules", "scoring", "state", "turn"]
)
def test_every_section_that_the_code_cites_is_there(module: str) -> None:
    said = docstrings((GAME_FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    cited = [
        end
        for words in re.findall(r"\(((?:(?:R-)?[\d.-]+(?:, )?)+)\)", said)
        for number in words.split(", ")
        for end in ([number] if number.startswith("R") else number.split("-"))
    ]
    assert cited
    assert set(cited) <= NUMBERS | {f"R-{number:02}" for number in range(1, 30)}


def test_the_tables_of_the_text_are_those_of_the_house_edition() -> None:
    for card in BOX.cards.values():
        slot = card.slot if card.slot == "empty" else f"{card.slot}: {card.kind}"
        water = "yes" if card.irrigated else "no"
        bonus = "–" if card.bonus == "none" else card.bonus
        assert f"| {card.id} | {slot} | {' + '.join(card.flowers)} | {water} | {bonus} |" in TEXT
    for tile in BOX.tiles.values():
        assert re.search(rf"^\| {tile.id} \| {tile.cost} \| .*{tile.kind}", TEXT, re.MULTILINE)
    for objective in BOX.objectives.values():
        assert re.search(
            rf"^\| {objective.id} \| {objective.count} .* {objective.small_gift} \|$", TEXT, re.MULTILINE
        )
    for difficulty in BOX.difficulties.values():
        assert f"| {difficulty.id} | {difficulty.coins} | {difficulty.tools} |" in TEXT
    for kind, vp in BOX.animals.items():
        assert f"| {kind} | {' | '.join(map(str, vp))} |" in TEXT.replace("*", "")
    for verdict in BOX.contents.solo_verdict:
        assert re.search(rf"^\| {verdict.least}.*`{verdict.id}`", TEXT, re.MULTILINE)
