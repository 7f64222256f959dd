"""Stylesheets of a table: a move has styled anew what it changes, not the whole page with its thousands of drawings.

Browsers look again at an element that was asked with ``:has()`` whenever anything in it changes, and then at all
that any rule with ``:has()`` could mean below it. So nobody asks the page as a whole, and no such rule means
just anything.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

STATIC = Path(__file__).parent.parent / "static"
ALL = sorted(STATIC.rglob("*.css"))
BESIDE = ("tokens", "site", "page", "hand", "life", "talk", "clocks")
SHEETS = sorted([*STATIC.glob("games/*/*.css"), *(STATIC / "css" / f"{name}.css" for name in BESIDE)])
WHOLE = re.compile(r"(^|,\s*)(html|body|:root|\.table-page)(\.[\w-]+|\[[^\]]*\])*(:not\()?:has\(")
WITHOUT_SCRIPT = "@media (scripting: none)"


def selectors(sheet: str) -> Iterator[tuple[str, ...]]:
    """Every selector after the rules that it stands in, the outermost first."""
    within: list[str] = []
    text = ""
    for sign in re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL):
        if sign == "{":
            within.append(text.rpartition(";")[2].strip())
            yield tuple(within)
            text = ""
        elif sign == "}":
            within.pop()
            text = ""
        else:
            text += sign


def meant(selector: str) -> str:
    """The last part of a selector, by which the browser finds what it means."""
    while (bare := re.sub(r":(?!is)[\w-]+\([^()]*\)|:is\(([^()]*)\)", r"\1", selector)) != selector:
        selector = bare
    return re.split(r"[\s>+~]+", selector.strip())[-1]


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: str(path.relative_to(STATIC)))
def test_what_a_move_changes_is_looked_for_where_it_may_be(path: Path) -> None:
    for within in selectors(path.read_text()):
        selector = " ".join(each for each in within if not each.startswith("@"))
        if ":has(" in selector and WITHOUT_SCRIPT not in within:
            assert not WHOLE.search(selector), selector
            assert not meant(selector).startswith("*"), selector


def test_a_page_that_is_asked_as_a_whole_would_be_noticed() -> None:
    assert WHOLE.search("body:has(.turn-1) .seat-1")
    assert WHOLE.search("#top a, body:not(:has(#market:target)) .link")
    assert not WHOLE.search("#board:has(.seats-2) .mat")
    assert meant("#board:has(.hint) .foot > *") == "*"
    assert list(selectors("a { color: red; b { top: 0 } } /* { */ c {}")) == [("a",), ("a", "b"), ("c",)]


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(STATIC)))
def test_a_sheet_is_written_for_readers(path: Path) -> None:
    lines = path.read_text().split("\n")
    assert len(lines) <= 300
    assert [line for line in lines if len(line) > 160] == []
