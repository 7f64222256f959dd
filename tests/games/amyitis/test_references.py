"""Every vector, every ruling and every numbered rule has a test that names it; refusals cite rules that exist."""

import re
from pathlib import Path

import app.games.amyitis as package

HERE = Path(__file__).parent
GAME = Path(package.__path__[0])
RULES = (GAME / "RULES.md").read_text(encoding="utf-8")
TESTS = "\n".join(file.read_text(encoding="utf-8") for file in HERE.glob("test_*.py"))
NUMBERS = set(re.findall(r"^#+ (\d+(?:\.\d+)?)[ .]", RULES, re.MULTILINE))


def test_every_vector_has_a_test() -> None:
    assert {number for number in range(1, 31) if not re.search(rf"\bT{number}\b", TESTS)} == set()


def test_every_ruling_has_a_test_and_stands_in_the_rules() -> None:
    for number in range(1, 29):
        assert re.search(rf"\bQ{number}\b", TESTS), f"no test names Q{number}"
        assert re.search(rf"^\| Q{number} \|", RULES, re.MULTILINE), f"Q{number} is not in RULES.md"


def test_every_numbered_rule_of_play_has_a_test() -> None:
    played = {number for number in NUMBERS if re.match(r"[3-8]\.\d", number)}
    assert played
    assert {number for number in played if not re.search(rf"\b{re.escape(number)}\b", TESTS)} == set()


def test_every_rule_that_is_cited_exists() -> None:
    source = "\n".join(file.read_text(encoding="utf-8") for file in GAME.glob("*.py"))
    cited = set(re.findall(r'Broken\(\s*"[a-z_]+",\s*"([\d.]+)"', source))
    assert cited
    assert cited <= NUMBERS
