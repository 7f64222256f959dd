"""RULES.md is what the program plays: its numbers are cited rightly, and its rulings and examples are tested."""

import ast
import re
from pathlib import Path

import pytest

import app.games.hanging_gardens
from app.i18n import LANGUAGES
from app.web.drawing import environment
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


def cells(line: str) -> list[str]:
    """The cells of a row of a table, without what makes them bold or code."""
    return [cell.strip() for cell in re.sub(r"[*`]", "", line).strip("|").split("|")]


ROWS = [cells(line) for line in TEXT.splitlines() if line.startswith("|")]
GIFTS = {"none": "", "coin": " and 1 coin", "tool": " and 1 tool"}
LETTERS = {"left": "L", "middle": "M", "right": "R"}


def row(name: str) -> list[str]:
    """The one row that begins with a name, without it."""
    (found,) = [cells_ for cells_ in ROWS if cells_[0] == name]
    return found[1:]


def standing(slot: str, kind: str) -> str:
    """What stands in a main slot, in the words of the tables."""
    return {"empty": "empty", "none": "– (yet the slot is used)"}.get(slot, f"{slot}: {kind}")


def test_the_cards_and_tiles_of_the_text_are_those_of_the_house_edition() -> None:
    for card in BOX.cards.values():
        water, bonus = "yes" if card.irrigated else "no", card.bonus.replace("none", "–")
        assert row(card.id) == [standing(card.slot, card.kind), " + ".join(card.flowers), water, bonus]
    for tile in BOX.tiles.values():
        water, bonus = "yes" if tile.irrigated else "no", tile.bonus.replace("none", "–")
        flowers = " + ".join(tile.flowers) or "–"
        assert row(tile.id) == [str(tile.cost), flowers, standing(tile.slot, tile.kind), bonus, water]


def test_the_objectives_of_the_text_are_those_of_the_house_edition() -> None:
    for tile in BOX.objectives.values():
        item = re.sub(r"(crowns|coins|tools)", lambda found: f"{found[0][:-1]} bonuses", tile.item.replace("_", " "))
        item = item.replace("irrigation", "irrigated cards")
        second = BOX.spaces(3)[tile.id][1]
        assert row(tile.id) == [f"{tile.count} {item}", f"{tile.count - 1}", f"{second.vp} VP{GIFTS[second.gift]}"]
        assert BOX.spaces(1)[tile.id] == BOX.spaces(2)[tile.id] == BOX.spaces(3)[tile.id]
        assert BOX.spaces(4)[tile.id] == BOX.spaces(5)[tile.id]
        told = ", ".join(f"{space.vp} VP{GIFTS[space.gift]}" for space in BOX.spaces(5)[tile.id])
        assert f"with four or five players {told}." in TEXT.replace("\n", " ")
        assert f"{BOX.spaces(3)[tile.id][0].vp} VP, then {second.vp} VP and a coin or a tool" in TEXT


def test_the_tables_of_points_of_the_text_are_those_of_the_house_edition() -> None:
    for irrigation in BOX.irrigation.values():
        drawn = " / ".join(
            "".join("■" if place in marks else "□" for place in range(1, size + 1))
            for marks, size in zip(reversed(irrigation.marks), (3, 4, 5), strict=True)
        )
        assert row(irrigation.id) == [*(", ".join(map(str, marks)) for marks in irrigation.marks), drawn]
    assert row("VP") == [str(vp) for vp in BOX.irrigation_vp]
    for kind, values in BOX.animals.items():
        assert row(kind) == [str(vp) for vp in values]
    for kind, values in BOX.trees.items():
        assert row(kind) == [str(len(values)), *(str(vp) for vp in values), *[""] * (4 - len(values))]
    likes = {kind: row_[1] for row_ in ROWS if len(row_) == 3 and row_[1].isdecimal() for kind in row_[0].split(", ")}
    assert likes == {kind: str(vp) for kind, vp in BOX.likes.items()}


def test_the_solo_tables_of_the_text_are_those_of_the_house_edition() -> None:
    for card in BOX.automaton_cards.values():
        columns = "-".join(LETTERS[column] for column in card.columns)
        if card.rule == "item":
            discards, otherwise = f"the lowest {card.target}", f"position {card.fallback}"
        else:
            discards, otherwise = f"every card with a {card.target} flower", "nothing"
        bonus = {
            "marker": "takes the marker",
            "objective": "completes an objective",
            "enhancement": f"discards the top tile of cost {card.cost}",
        }[card.bonus]
        assert row(card.id) == [columns, discards, otherwise, bonus]
    for difficulty in BOX.difficulties.values():
        marker = {"human": "you", "automaton": "automaton"}[difficulty.marker]
        assert row(difficulty.id) == [str(difficulty.coins), str(difficulty.tools), marker]
    verdicts = BOX.contents.solo_verdict
    for verdict, higher in zip(verdicts, (*verdicts[1:], None), strict=True):
        told, win = row(f"{verdict.least} and more" if higher is None else f"{verdict.least}–{higher.least - 1}")
        assert told.startswith(f"{verdict.id}: ")
        assert win == ("a win" if verdict.win else "")


@pytest.mark.parametrize("figure", ["placing()", "neighbours()", "objective(4)"])
def test_a_garden_in_a_picture_could_be_built(figure: str) -> None:
    source = f'{{% import "games/hanging_gardens/rules/_figures.html" as figures %}}{{{{ figures.{figure} }}}}'
    drawings = environment(LANGUAGES[0]).from_string(source).render().split("<svg")[1:]
    for drawing in drawings:
        cards = {
            (float(x), float(y)): float(scale)
            for x, y, scale in re.findall(
                r'translate\(([-\d.]+) ([-\d.]+)\) scale\(([\d.]+)\)"><use href="#face-G', drawing
            )
        }
        ground = max(y for _, y in cards)
        for (x, y), scale in cards.items():
            if y == ground:
                continue
            below = min(other for _, other in cards if other > y)
            carrying = [other for other, level in cards if level == below and 0 < abs(other - x) < 120 * scale * 0.6]
            assert len(carrying) == 2, (x, y)
