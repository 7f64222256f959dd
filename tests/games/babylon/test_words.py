"""The words of the board: a sentence for everything that happens or is refused, in both languages."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from markupsafe import Markup

from app.config import ROOT
from app.engine.contract import Broken, Event
from app.games.babylon import board
from app.games.babylon.components import EFFECTS
from app.games.babylon.events import Decorated, Finished, Kept, Laid, Mined, Paid, Returned, RoundBegan
from app.i18n import LANGUAGES
from app.web.drawing import environment
from tests.games.babylon.looks import SITTERS, played
from tests.games.babylon.script import rules
from tests.games.told import is_told_plainly

GAME = rules()
RARE: tuple[Event, ...] = (
    Mined(0, "c01", 0, 0, ("north",), 2, -1, 1, 1),
    Laid(1, "g01", "white", 0, 0, 2, 1, "sd-p", "se", 3, 1, 1, ("statue-0-0-1", "tile-c01", "belvedere-c01")),
    Laid(1, "g01", "white", 0, 0, 1, 1, "ssss", "none", 4, 0, 0, ()),
    Decorated(0, "stairs-0-0-1", "stairs", ((0, 0), (1, 0)), 1, ((1, 0),), 3),
    Returned(0, 2, 1),
    Returned(0, 0, 1),
    Returned(0, 1, 0),
    Paid(0, "double_pillar", 1),
    Paid(0, "single_pillar", 1),
    Paid(0, "single_pillar", 0),
    Kept(0, "none"),
    Kept(0, "b01"),
    Finished(13),
    *(RoundBegan(2, effect) for effect in EFFECTS),
)


def test_every_event_is_a_sentence() -> None:
    kinds = {kind.__struct_config__.tag for kind in GAME.event_types}
    for language in LANGUAGES:
        line = environment(language).get_template("games/babylon/_log.html").module.line  # type: ignore[attr-defined]  # a macro
        told = set()
        for event, seat in _events():
            for box in (board.box(GAME), None):
                sentence = Markup(line(event, seat, SITTERS[:1], box)).striptags().strip()
                assert len(sentence) > 3, event
            told.add(event.__struct_config__.tag)
        assert told == kinds


def _events() -> Iterator[tuple[Event, int | None]]:
    for seats in (2, 4):
        for move in played(seats)[-1].played:
            yield from ((event, move.seat) for event in move.events)
    for event in RARE:
        yield event, None
        yield event, 1


def test_a_sentence_beside_another_seat_says_whose_it_is() -> None:
    line = environment("en").get_template("games/babylon/_log.html").module.line  # type: ignore[attr-defined]  # a macro
    assert "Bob" in line(Paid(1, "single_pillar", 1), 0, SITTERS, board.box(GAME))
    assert "Bob" not in line(Paid(1, "single_pillar", 1), 1, SITTERS, board.box(GAME))


FACTS: dict[str, dict[str, Any]] = {
    "support_blocked": {"x": 1, "y": 2, "occupant": "foot"},
    "wrong_phase": {"phase": "mine"},
    "supply_empty": {"piece": "double_pillar", "left": 0},
    "wrong_symbol": {"x": 0, "y": 0, "printed": "none", "wanted": "statue"},
    "space_occupied": {"x": 0, "y": 0, "occupant": "top"},
}
ANY = {
    "x": 2, "y": 4, "x2": 3, "y2": 4, "level": 3, "missing": 2, "height": 1, "need": 6, "have": 4, "seat": 0,
    "tile": "c01", "supports": 2, "within_reach": 1, "printed": "none", "altered": "first", "corner": "up",
    "turned": 5, "phase": "build", "piece": "statue", "left": 0, "occupant": "belvedere",
}  # fmt: skip


def test_every_complaint_is_a_sentence() -> None:
    complaints = set()
    for module in ("refusals", "placing", "decorating", "supports"):
        source = (ROOT / f"app/games/babylon/{module}.py").read_text(encoding="utf-8")
        complaints |= set(re.findall(r'Broken\(\s*"(\w+)"', source))
        complaints |= set(re.findall(r'_of_pair\("(\w+)"', source)) | set(re.findall(r'return "(\w+)"', source))
    complaints |= {"not_facing", "not_adjacent"}
    complaints -= {"s", "p", "d"}
    assert len(complaints) > 25
    for language in LANGUAGES:
        why = environment(language).get_template("games/babylon/_refusals.html").module.why  # type: ignore[attr-defined]  # a macro
        vague = why(Broken("no_such_complaint"))
        for complaint in sorted(complaints):
            facts = FACTS.get(complaint, ANY)
            broken = Broken(complaint, "9.4", tuple(facts.items()))
            sentence = why(broken)
            assert is_told_plainly("babylon", broken), complaint
            assert sentence.strip() not in {"", vague.strip()}, complaint


def test_every_phase_out_of_which_one_acts_has_its_sentence() -> None:
    why = environment("en").get_template("games/babylon/_refusals.html").module.why  # type: ignore[attr-defined]  # a macro
    phases = ("remove", "mine", "build", "lay", "decorate")
    said = {why(Broken("wrong_phase", "6.4", (("phase", phase),))) for phase in phases}
    assert len(said) == len(phases)


def test_events_of_every_kind_are_known() -> None:
    assert {type(event) for event, _ in _events()} == set(GAME.event_types)
    assert all(isinstance(event, msgspec.Struct) for event, _ in _events())
