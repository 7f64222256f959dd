"""The words of the board: a sentence for everything that happens or is refused, in both languages."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from babel.messages.extract import extract_from_file
from markupsafe import Markup

from app.config import ROOT
from app.engine.contract import Broken, Event
from app.games.hanging_gardens import board
from app.i18n import LANGUAGES, translations
from app.web.drawing import TEMPLATES, environment
from tests.games.hanging_gardens.drawn import GAME
from tests.games.hanging_gardens.looks import SITTERS, played
from tests.games.told import is_told_plainly

FOLDER = TEMPLATES / "games/hanging_gardens"


def test_every_event_is_a_sentence() -> None:
    kinds = {kind.__struct_config__.tag for kind in GAME.event_types}
    for language in LANGUAGES:
        line = environment(language).get_template("games/hanging_gardens/_log.html").module.line  # type: ignore[attr-defined]
        told = set()
        for event, seat in _events():
            for box in (board.box(GAME), None):
                sentence = Markup(line(event, seat, SITTERS[:1], box)).striptags().strip()
                assert len(sentence) > 3, event
            told.add(event.__struct_config__.tag)
        assert told == kinds


def _events() -> Iterator[tuple[Event, int]]:
    """Every kind of event from real games, and those that are rare."""
    found: dict[str, tuple[Event, int]] = {}
    for seats, difficulty in ((1, "normal"), (1, "hard"), (2, "normal"), (5, "normal")):
        for move in played(seats, difficulty=difficulty)[-1].played:
            for event in move.events:
                found.setdefault(f"{event.__struct_config__.tag} {_facts(event)}", (event, move.seat))
    for kind in GAME.event_types:
        if not any(key.startswith(f"{kind.__struct_config__.tag} ") for key in found):
            found[f"{kind.__struct_config__.tag} "] = (_made_up(kind), 0)
    yield from found.values()


def _facts(event: Event) -> str:
    """What a sentence may turn on."""
    turns = {"bonus", "what", "why", "gift", "reduced", "seat"}
    return " ".join(str(getattr(event, name)) for name in event.__struct_fields__ if name in turns)


def _made_up(kind: type[Any]) -> Event:
    hints = {"int": 1, "str": "marker", "bool": False}
    values = {field.name: hints[getattr(field.type, "__name__", "str")] for field in msgspec.structs.fields(kind)}
    made: Event = kind(**values)
    return made


def test_every_complaint_is_a_sentence() -> None:
    source = (ROOT / "app/games/hanging_gardens/refusals.py").read_text()
    complaints = set(re.findall(r'Broken\(\s*"(\w+)"', source))
    assert len(complaints) > 20
    facts: dict[str, str | int] = {
        "column": 2, "row": 4, "spaces": 2, "cost": 3, "have": 1, "level": 2, "x": -1, "cards": 5, "card": "G01",
        "tile": "O01", "slot": "animal", "space": 1, "item": "trees", "need": 3, "seat": 0,
    }  # fmt: skip
    for language in LANGUAGES:
        why = environment(language).get_template("games/hanging_gardens/_refusals.html").module.why  # type: ignore[attr-defined]
        vague = why(Broken("no_such_complaint"))
        for complaint in sorted(complaints - {"not_legal"}):
            broken = Broken(complaint, "6.1", tuple(facts.items()))
            sentence = why(broken)
            assert is_told_plainly("hanging_gardens", broken), complaint
            assert sentence.strip() not in {"", vague.strip()}, complaint


def test_every_word_is_in_japanese_with_the_same_facts_in_it() -> None:
    words = translations("ja")
    options = {"extensions": "jinja2.ext.i18n,jinja2.ext.do,jinja2.ext.loopcontrols", "newstyle_gettext": "true"}
    keywords = {"_": None, "gettext": None, "ngettext": (1, 2)}
    checked = 0
    for file in sorted(FOLDER.glob("*.html")):
        if file.name == "rules.html":
            continue
        for _, message, _, _ in extract_from_file("jinja2", file, keywords=keywords, options=options):
            single, plural = message if isinstance(message, tuple) else (message, "")
            text = words.ngettext(single, plural, 2) if plural else words.gettext(single)
            assert text not in {single, plural} or single.strip() in {";", ""}, f"{file.name}: {single!r}"
            assert set(re.findall(r"%\((\w+)\)s", text)) == set(re.findall(r"%\((\w+)\)s", single)), single
            checked += 1
    assert checked > 200
