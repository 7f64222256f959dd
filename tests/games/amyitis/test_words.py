"""The words of the board: a sentence for everything that happens or is refused, in both languages."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from markupsafe import Markup

from app.config import ROOT
from app.engine.contract import Broken, Event
from app.games import load
from app.games.amyitis import board
from app.i18n import LANGUAGES
from app.web.drawing import draw, environment
from tests.games.amyitis.looks import SITTERS, played
from tests.games.amyitis.positions import GAME
from tests.games.told import is_told_plainly

RULES = (ROOT / "app/games/amyitis/RULES.md").read_text(encoding="utf-8")
FACTS: dict[str, str | int] = {
    "stage": "act", "row": 2, "card": 1, "cost": 2, "have": 1, "city": "ur", "distance": 4, "longest": 9,
    "price": "salt", "extra": "palm", "reach": 2, "resource": "wine", "square": "B3", "required": 3,
    "channel": "A4-B4", "temple": "ishtar", "track": "banker", "gift": "camel",
    "caravaneer": "top_level", "banker": "level_gone", "palace": "level_gone",
}  # fmt: skip


def test_every_event_is_a_sentence() -> None:
    kinds = {kind.__struct_config__.tag for kind in GAME.event_types}
    for language in LANGUAGES:
        line = environment(language).get_template("games/amyitis/_log.html").module.line  # type: ignore[attr-defined]
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
    for seats in GAME.seats:
        for greedy in (False, True):
            for move in played(seats, greedy=greedy)[-1].played:
                for event in move.events:
                    for seen in (event, event.seen_by(None)):
                        if seen is not None:
                            found.setdefault(f"{seen.__struct_config__.tag} {_facts(seen)}", (seen, move.seat))
    for kind in GAME.event_types:
        if not any(key.startswith(f"{kind.__struct_config__.tag} ") for key in found):
            found[f"{kind.__struct_config__.tag} "] = (_made_up(kind), 0)
    yield from found.values()


def _facts(event: Event) -> str:
    """What a sentence may turn on."""
    turns = {"vp", "talents", "camels", "complete", "leader", "gardener", "pushed", "procession", "rank", "seat"}
    return " ".join(str(getattr(event, name)) for name in event.__struct_fields__ if name in turns)


def _made_up(kind: type[Any]) -> Event:
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        values[field.name] = {"track": "palace", "cubes": (1, 0)}.get(field.name, FACTS.get(field.name, 1))
    made: Event = kind(**values)
    return made


def test_every_complaint_is_a_sentence() -> None:
    source = "".join(
        (ROOT / "app/games/amyitis" / f"{name}.py").read_text() for name in ("refusals", "caravan", "court")
    )
    complaints = set(re.findall(r'Broken\(\s*"(\w+)"', source))
    complaints |= {"no_gardener_left", "top_level", "level_gone"}
    assert len(complaints) > 25
    for language in LANGUAGES:
        why = environment(language).get_template("games/amyitis/_refusals.html").module.why  # type: ignore[attr-defined]
        vague = why(Broken("no_such_complaint"))
        for complaint in sorted(complaints - {"not_legal"}):
            broken = Broken(complaint, "6", tuple(FACTS.items()))
            sentence = why(broken)
            assert is_told_plainly("amyitis", broken), complaint
            assert sentence.strip() not in {"", vague.strip()}, complaint


def test_a_price_without_a_second_resource_is_told_as_well() -> None:
    why = environment("en").get_template("games/amyitis/_refusals.html").module.why  # type: ignore[attr-defined]
    assert "salt" in why(Broken("price_too_dear", "3.3", (("city", "ur"), ("price", "salt"))))
    assert "or wine" in why(Broken("not_the_price", "3.5", (("price", "salt"),)))


def test_both_profiles_have_a_name_for_lobby_and_waiting_room() -> None:
    for language in LANGUAGES:
        words: Any = environment(language).get_template("games/amyitis/_words.html").module
        (option,) = GAME.options
        assert words.option(option.name).strip()
        names = {words.choice(option.name, value).strip() for value in option.choices}
        assert len(names) == len(option.choices)
        assert "" not in names


def test_every_section_of_the_rules_is_an_anchor() -> None:
    numbers = re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", RULES, re.MULTILINE)
    rulings = re.findall(r"^\| (Q\d+) \|", RULES, re.MULTILINE)
    assert len(numbers) > 30
    assert len(rulings) == 28
    for language in LANGUAGES:
        page = draw(
            language,
            "rules/page.html",
            me=None,
            path="/",
            here=0,
            slug="amyitis",
            games=("amyitis",),
            box=GAME.box,
            faces=board.box(load("amyitis")),  # type: ignore[arg-type]  # the loader knows games in general
            edition=GAME.edition,
        )
        ids = set(re.findall(r'\bid="([^"]+)"', page))
        assert {f"r{number}" for number in numbers} <= ids
        assert set(rulings) <= ids
