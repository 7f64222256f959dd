"""The pages around the tables, drawn from facts as they can be: both languages, long names, nothing and plenty."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from app import games
from app.config import ROOT
from app.engine.contract import Edition, Option
from app.engine.editions import find_edition, make_edition
from app.games.hanging_gardens.rules import Rules
from app.i18n import LANGUAGES
from app.services import errors
from app.services.errors import Refusal
from app.services.listing import Sought
from app.services.pace import Pace
from app.web import protection
from app.web.cards import (
    AskedCard,
    Choosing,
    Door,
    GameCard,
    NameForm,
    NewTable,
    Offer,
    QuickForm,
    Room,
    SeatCard,
    TableCard,
    Trouble,
)
from app.web.drawing import draw, environment
from app.web.errors import word
from app.web.lobby import PACES
from app.web.protection import OtherSite, TooLarge
from app.web.remarks import RemarkCard, TalkCard
from tests.web import people

GARDENS = "hanging_gardens"
LONG = "空中庭園の白鷺と夕暮れの獅子🦁👑の物語を語る人"
WICKED = '<img src=x onerror="alert(1)">{{7*7}}'
EVERYBODY = (
    SeatCard(0, name="Alice", me=True, host=True, now=True),
    SeatCard(1, name=LONG, now=True),
    SeatCard(2, bot="random"),
    SeatCard(3, name=WICKED, away=True),
    SeatCard(4),
)
ORPHANS = (SeatCard(0, name=WICKED, host=True, away=True), SeatCard(1, name="Alice", me=True, ready=True))
OFFER = Offer("abc", GARDENS, (SeatCard(0, name=LONG, now=True), SeatCard(1, bot="greedy", left=WICKED)), 1, 12)
SOUGHT = Sought(GARDENS, 3, "without", "ja")
LIVE = Pace("live", 600, 10, up="substitute")
SLOW = Pace("turn", 172_800, up="bot")
ROOM_ZONES = ("seats", "invite", "options", "start")


def table(seats: tuple[SeatCard, ...] = EVERYBODY, **facts: Any) -> TableCard:
    """A table of the lobby."""
    return TableCard(**{"key": "abc", "slug": GARDENS, "seats": seats, "options": (("first", "random"),), **facts})


def game_card() -> GameCard:
    """The Hanging Gardens as the lobby offers them."""
    rules = games.games()[GARDENS]
    return GameCard(GARDENS, tuple(rules.seats), rules.options)


def lobby(**facts: Any) -> dict[str, Any]:
    """The lobby's context."""
    lists = {"mine": (), "invited": (), "open": (), "elsewhere": 0, "sought": Sought(), "numbers": (2, 3, 4, 5)}
    return {
        **lists,
        "games": (game_card(),),
        "new": NewTable(GARDENS),
        "quick": QuickForm(),
        "live": "/lobby/live",
        "paces": PACES,
        **facts,
    }


def room(seats: tuple[SeatCard, ...] = EVERYBODY, **facts: Any) -> Room:
    """A waiting room."""
    made = {"key": "abc", "link": "https://play.example/tables/abc", "slug": GARDENS, "seats": seats, "host": "Alice"}
    return Room(**{**made, "options": (("first", "random"),), "seal": "9f3a51c0" * 8, **facts})


REMARKS = (
    RemarkCard(4, WICKED, 0, False, False, False, False, WICKED, "2026-11-30T14:00:00Z", "14:00", "30 Nov", False),
    RemarkCard(5, WICKED, 0, False, False, True, False, "\u202e" + LONG, "2026-11-30T14:01:00Z", "14:01", "", True),
    RemarkCard(6, "Alice", 1, True, False, False, True, "", "2026-11-30T14:02:00Z", "14:02", "", False),
    RemarkCard(7, LONG, None, False, True, False, False, "x" * 500, "2026-12-01T09:00:00Z", "09:00", "1 Dec", False),
)


def talk_page(**facts: Any) -> dict[str, Any]:
    """The page of what was said at a table."""
    known: dict[str, Any] = {"room": "seats", "talk": "open", "lines": (), "earlier": None, "known": True}
    flags = {"over": False, "waiting": False, "host": False, "local": True}
    card = TalkCard(**{"key": "abc", **known, **flags, **facts})
    rest = {"before": None, "written": "", "complaint": "", "may_talk": True, "once": "x"}
    return {"m": card, "slug": GARDENS, **rest}


def rules_page(edition: Edition) -> dict[str, Any]:
    """The context of the rules page with what is in that box."""
    game = Rules(edition)
    faces = games.part(GARDENS, "board").box(game)
    return {"slug": GARDENS, "games": (GARDENS,), "box": game.box, "faces": faces, "edition": edition}


def house() -> Edition:
    """The house edition."""
    return find_edition(f"app.games.{GARDENS}", "house")


PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "an empty lobby": ("lobby/lobby.html", lobby()),
    "a full lobby": (
        "lobby/lobby.html",
        lobby(
            mine=(
                table(status="playing", since=240),
                table(key="abd", status="playing", since=90_000, seats=EVERYBODY[:1]),
                table(key="abe", status="over"),
                table(key="abf"),
                table(key="abg", seats=EVERYBODY[:3]),
            ),
            open=(
                table(key="abh", joinable=True),
                table(key="abl", pace=SLOW, joinable=True),
                table(key="abm", pace=LIVE, joinable=True),
                table(key="abi", since=3_700, locked=True, languages=("en", "ja"), joinable=True),
            ),
            invited=(table(key="abj", by=WICKED), table(key="abk")),
        ),
    ),
    "a lobby with nothing that is sought": ("lobby/lobby.html", lobby(elsewhere=2, sought=SOUGHT)),
    "a lobby for a stranger": ("lobby/lobby.html", lobby(open=(table(joinable=True),), me=None)),
    "a lobby whose tables go": (
        "lobby/lobby.html",
        lobby(mine=(table(expires=7_200), table(key="abd", status="playing", expires=100_000, left=True))),
    ),
    "a lobby whose form was refused": (
        "lobby/lobby.html",
        lobby(
            new=NewTable(
                GARDENS, 9, errors=(("", "too_many_tables"), ("seats", "bad_table"), ("option.first", "bad_table"))
            )
        ),
    ),
    "a lobby whose pace was refused": (
        "lobby/lobby.html",
        lobby(new=NewTable(GARDENS, 3, pace="days", amount="9", up="remind", errors=(("pace", "bad_table"),))),
    ),
    "a room with clocks": ("tables/waiting.html", {"room": room(pace=LIVE)}),
    "a room with days": ("tables/waiting.html", {"room": room(pace=SLOW)}),
    "a room with the host": ("tables/waiting.html", {"room": room(am_host=True)}),
    "a room that may start": ("tables/waiting.html", {"room": room(EVERYBODY[:4], am_host=True, may_start=True)}),
    "a room with everything": (
        "tables/waiting.html",
        {
            "room": room(
                am_host=True,
                locked=True,
                public=False,
                auto_start=True,
                numbers=(1, 2, 3, 4, 5, 6),
                asked=(AskedCard(7, WICKED), AskedCard(8, LONG, declined=True)),
                errors=(("name", "several_people", ()), ("password", "bad_table", (("field", "password"),))),
                typed=WICKED,
                expires_at="2026-12-01T14:00Z",
            ),
            "companions": (WICKED, LONG),
        },
    ),
    "a room whose host is away": ("tables/waiting.html", {"room": room(ORPHANS)}),
    "a room one is asked to": ("tables/waiting.html", {"room": room(EVERYBODY[1:], am_asked=True)}),
    "a table with a password": ("tables/door.html", {"door": Door("abc", GARDENS), "me": None}),
    "a wrong password": ("tables/door.html", {"door": Door("abc", GARDENS, "not_the_password")}),
    "a seat that is offered": ("tables/offer.html", {"offer": OFFER, "me": None}),
    "a seat of nobody that is offered": ("tables/offer.html", {"offer": Offer("abc", GARDENS, EVERYBODY, 2, 0)}),
    **{
        f"a table that was {ended or 'left'}": ("tables/cancelled.html", {"key": "abc", "ended": ended, "moves": 7})
        for ended in ("", "expired", "admin")
    },
    "a room with a stranger": ("tables/waiting.html", {"room": room(EVERYBODY[1:]), "me": None}),
    "a full room with a stranger": ("tables/waiting.html", {"room": room(EVERYBODY[1:4], public=False), "me": None}),
    "a room for one": ("tables/waiting.html", {"room": room(EVERYBODY[:1], am_host=True, may_start=True)}),
    "a table where nothing was said": ("tables/talk_page.html", talk_page()),
    "the talk of a table": ("tables/talk_page.html", talk_page(lines=REMARKS, earlier=3, host=True)),
    "talk that was refused": ("tables/talk_page.html", talk_page() | {"written": WICKED, "complaint": "remark_long"}),
    "talk for a stranger": (
        "tables/talk_page.html",
        talk_page(room="", known=False, local=False, lines=REMARKS) | {"me": None},
    ),
    "talk that has ended": ("tables/talk_page.html", talk_page(room="", talk="off", host=True)),
    "a remark that was reported": ("tables/talk_reported.html", {"key": "abc"}),
    "a first visit": ("pages/name.html", {"form": NameForm(next="/tables/abc"), "me": None}),
    "a name that is too long": ("pages/name.html", {"form": NameForm(LONG * 2, complaint="name_long"), "me": None}),
    "another name": ("pages/name.html", {"form": NameForm("Alice")}),
    **{
        f"an answer {status}": ("pages/error.html", {"trouble": Trouble(status, retry=5)})
        for status in (400, 403, 404, 409, 410, 422, 429, 500, 503)
    },
    "a refusal at a table": ("pages/error.html", {"trouble": Trouble(409, "seat_taken", back="/tables/abc")}),
    "the credits": ("pages/about.html", {"games": (GARDENS,)}),
    "the rules": ("rules/page.html", rules_page(house())),
    **people.PAGES,
}


@cache
def page(name: str, language: str) -> str:
    """One of the pages above as HTML."""
    template, context = PAGES[name]
    if "room" in context:
        zones = {zone: draw(language, f"tables/waiting/{zone}.html", m=context["room"]) for zone in ROOM_ZONES}
        context = {"companions": (), **context, "zones": zones, "live": "/tables/abc/live"}
    return draw(language, template, **{"me": "Alice", "path": "/?a=b", "here": 3, "zone": "", **context})


class Reader(HTMLParser):
    """Notes what the tests ask for: tags with their attributes, in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, *names: str) -> Iterator[dict[str, str | None]]:
        """The attributes of all tags of these names."""
        return (attributes for tag, attributes in self.tags if tag in names)


every_page = pytest.mark.parametrize("name", PAGES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


@every_page
@every_language
def test_a_page_needs_no_inline_script_and_no_inline_style(name: str, language: str) -> None:
    for tag, attributes in Reader(page(name, language)).tags:
        assert tag != "style"
        assert tag != "script" or attributes.get("src")
        assert not [each for each in attributes if each == "style" or each.startswith(("on", "hx-on"))], tag


@every_page
@every_language
def test_no_id_stands_twice(name: str, language: str) -> None:
    ids = Counter(attributes["id"] for _, attributes in Reader(page(name, language)).tags if "id" in attributes)
    assert [each for each, times in ids.items() if times > 1] == []


@every_page
@every_language
def test_drawings_and_anchors_that_are_used_are_there(name: str, language: str) -> None:
    html = Reader(page(name, language))
    ids = {attributes.get("id") for _, attributes in html.tags}
    for attributes in html.all("use", "a"):
        target = attributes.get("href") or ""
        assert not target.startswith("#") or target[1:] in ids, target


@every_page
@every_language
def test_headings_go_down_one_step_at_a_time(name: str, language: str) -> None:
    levels = [int(tag[1]) for tag, _ in Reader(page(name, language)).tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@every_page
@every_language
def test_every_field_has_a_label(name: str, language: str) -> None:
    html = page(name, language)
    labelled = {attributes.get("for") for attributes in Reader(html).all("label")}
    for attributes in Reader(re.sub(r"<label(?![^>]*\bfor=).*?</label>", "", html, flags=re.DOTALL)).all("input"):
        assert attributes.get("type") == "hidden" or attributes.get("id") in labelled, attributes


@every_page
@every_language
def test_the_other_language_is_one_click_away_and_keeps_the_page(name: str, language: str) -> None:
    other = next(each for each in LANGUAGES if each != language)
    assert f'href="/?a=b&amp;lang={other}"' in page(name, language)
    assert f'<html lang="{language}">' in page(name, language)


@every_language
def test_names_are_text_whatever_they_are(language: str) -> None:
    for name in ("a full lobby", "a room with the host", "a full profile"):
        html = page(name, language)
        assert "<img" not in html
        assert LONG in html
    for name in people.PAGES:
        html = page(name, language)
        assert "<img" not in html
        assert ">49" not in html


@pytest.mark.parametrize(
    ("complaint", "headline"),
    [
        ("decision_passed", "The table had moved on."),
        ("seat_taken", "The table had moved on."),
        ("not_over", "Not yet."),
        ("last_owner", "Not like this."),
    ],
)
def test_a_conflict_has_the_headline_of_its_reason(complaint: str, headline: str) -> None:
    trouble = Trouble(status=409, complaint=complaint)
    html = draw("en", "pages/error.html", me=None, path="/", here=0, trouble=trouble)
    assert f"<h1>{headline}</h1>" in html


@pytest.mark.parametrize("refusal", (*Refusal.__subclasses__(), OtherSite, TooLarge))
@every_language
def test_every_refusal_has_a_sentence_of_its_own(refusal: type[Exception], language: str) -> None:
    complaints: Any = environment(language).get_template("_complaints.html").module
    assert refusal.__module__ in (errors.__name__, protection.__name__)
    assert complaints.why(word(refusal)) != complaints.why("something else")


@every_language
def test_zones_are_in_the_page_even_when_they_are_empty(language: str) -> None:
    ids = {attributes.get("id") for _, attributes in Reader(page("an empty lobby", language)).tags}
    assert {"zone-welcome", "zone-mine", "zone-open"} <= ids
    ids = {attributes.get("id") for _, attributes in Reader(page("a full room with a stranger", language)).tags}
    assert {f"zone-{zone}" for zone in ROOM_ZONES} <= ids


def test_a_stranger_sees_gold_seats_and_gives_a_name_there() -> None:
    invited, seated = page("a room with a stranger", "en"), page("a room with the host", "en")
    assert "Sit here" in invited
    assert "Sit here" not in seated
    assert 'class="your-name"' in invited
    assert 'class="your-name"' not in seated


def test_only_a_host_who_may_start_has_a_golden_start() -> None:
    assert '<button class="now">Start' in page("a room that may start", "en")
    assert '<button class="now">Start' not in page("a room with the host", "en")


def test_a_table_that_waits_for_me_marks_the_title() -> None:
    assert "<title>● Semiramis</title>" in page("a full lobby", "en")
    assert "<title>Semiramis</title>" in page("an empty lobby", "en")


def test_what_is_offered_at_some_seats_only_says_so() -> None:
    card = GameCard(
        "any",
        (1, 2, 3),
        (
            Option("first", ("random", "1", "2"), "random", (2,)),
            Option("first", ("random", "1", "2", "3"), "random", (3,)),
            Option("length", ("short", "long"), "short"),
        ),
    )
    first = Choosing("first", "random", (2, 3), (("random", ()), ("1", ()), ("2", ()), ("3", (3,))))
    assert card.choices == (first, Choosing("length", "short", (), (("short", ()), ("long", ()))))


@every_language
def test_every_paragraph_of_the_rules_is_an_anchor(language: str) -> None:
    ids = {attributes.get("id") for _, attributes in Reader(page("the rules", language)).tags}
    text = (ROOT / "app" / "games" / GARDENS / "RULES.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"^\*\*([\d.]+)\*\*", text, re.MULTILINE))
    numbers |= set(re.findall(r"^#{2,3} ([\d.]+) ", text, re.MULTILINE))
    assert len(numbers) > 80
    assert {f"r{number}" for number in numbers} <= ids
    assert set(re.findall(r"^\| (R-\d\d) \|", text, re.MULTILINE)) <= ids


@every_language
def test_the_rules_show_the_values_of_the_edition(language: str) -> None:
    other = house().text.replace("vp = [0, 1, 2, 4, 7, 11, 16]", "vp = [0, 1, 2, 4, 7, 11, 1234]")
    html = draw(
        language, "rules/page.html", me=None, path="/", here=0, **rules_page(make_edition("own", "own.toml", other))
    )
    assert html.count(">1234<") == 2
    assert "own" in html


@every_language
def test_the_rules_do_without_the_cards_of_their_example(language: str) -> None:
    other = re.sub(r'"([GE])(\d\d)"', r'"\1x\2"', house().text)
    html = draw(
        language, "rules/page.html", me=None, path="/", here=0, **rules_page(make_edition("own", "own.toml", other))
    )
    assert "face-Gx47" in html
    assert 'id="r11"' in html
