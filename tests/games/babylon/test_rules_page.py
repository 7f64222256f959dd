"""The rules page says what RULES.md says, paragraph by paragraph."""

import re
from html.parser import HTMLParser
from importlib.resources import files

from app.games.babylon import board
from app.web.drawing import environment
from tests.games.babylon.script import rules

OTHERWISE = {
    *("1.1", "1.2", "3.1", "3.3", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "5.2", "5.3", "6.3", "6.4.1"),
    *("8.2", "8.3", "8.4", "9.4", "9.4.2", "9.4.6", "9.4.8", "10.4", "11.1", "12.1", "12.2", "12.3", "14.3", "14.5"),
    *("14.6", "16.1"),
}
"""The paragraphs in which the page speaks to players where RULES.md speaks of files, letters and words of the log."""


class Paragraphs(HTMLParser):
    """The text of every numbered paragraph of a rules page, without signs for the eye."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.number = ""
        self.inside = self.signs = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if told.get("class") == "para":
            self.number = (told["id"] or "").removeprefix("r")
            self.found[self.number] = ""
        if self.number and tag == "p":
            self.inside = 1
        if self.inside and tag == "span":
            self.signs += 1

    def handle_endtag(self, tag: str) -> None:
        if self.signs and tag == "span":
            self.signs -= 1
        elif tag == "p":
            self.number, self.inside = "", 0

    def handle_data(self, data: str) -> None:
        if self.inside and not self.signs:
            self.found[self.number] += data


def paragraphs_of_the_page(language: str = "en") -> dict[str, str]:
    """The page as the house edition fills it in."""
    game = rules()
    template = environment(language).get_template("games/babylon/rules.html")
    page = template.render(box=game.box, faces=board.box(game), edition=game.edition)
    return {number: plain(text) for number, text in Paragraphs(page).found.items()}


def paragraphs_of_the_text() -> dict[str, str]:
    """Those of RULES.md, without marks and without what makes words bold or code."""
    text = (files("app.games.babylon") / "RULES.md").read_text(encoding="utf-8")
    found = re.findall(r"^\*\*([\d.]+)\*\* (.*?)(?=^\*\*\d|^#|^\||^\* |\Z)", text, re.MULTILINE | re.DOTALL)
    return {
        number: plain(re.sub(r"\s*\*\((?:ruling|published|house)[^)]*\)\*|[*`]", "", said)) for number, said in found
    }


def plain(text: str) -> str:
    """The words alone: one space between them, straight apostrophes."""
    return " ".join(text.replace("’", "'").split())


def test_the_page_has_every_paragraph_of_the_text() -> None:
    page = paragraphs_of_the_page()
    assert page.keys() == paragraphs_of_the_text().keys()
    assert page.keys() == paragraphs_of_the_page("ja").keys()


def test_the_page_says_word_for_word_what_the_text_says_but_where_it_speaks_to_players() -> None:
    page, text = paragraphs_of_the_page(), paragraphs_of_the_text()
    assert {number: said for number, said in page.items() if said != text[number]}.keys() == OTHERWISE


def test_page_and_text_cite_the_same_paragraphs() -> None:
    cited = re.compile(r"(?<!\d)\d{1,2}(?:\.\d{1,2}){1,2}(?!\d)")
    page, text = paragraphs_of_the_page(), paragraphs_of_the_text()
    text["4.6"] = page["4.6"]  # The page leaves out how a record is written.
    for number, said in text.items():
        assert cited.findall(page[number]) == cited.findall(said), number
    for number, said in paragraphs_of_the_page("ja").items():
        assert sorted(cited.findall(said)) == sorted(cited.findall(page[number])), number


def test_that_mining_is_final_is_what_the_page_says() -> None:
    page = paragraphs_of_the_page()
    assert "mining cannot be taken back" in page["8.6"]
    assert "That holds for the last tile of a stack too." in page["8.6"]
    assert "Mining cannot be taken back (8.6)" in page["14.4"]
