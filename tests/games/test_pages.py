"""Every game draws all that the site asks of it, for everybody and in every language (docs/boards.md)."""

import re
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest

from app.engine import log, notation
from app.engine.bots import RandomBot
from app.engine.playout import playout
from app.games import bots, games, load, part
from app.i18n import LANGUAGES
from app.services import tables
from app.services.facts import SeatFacts, TableFacts
from app.services.held import Held, Line
from app.web.cards import GameCard, NewTable, QuickForm, TableCard
from app.web.consequences import fits
from app.web.drawing import draw, environment
from app.web.lines import kinds_of, log_lines, parts_of
from app.web.lists import Lists, numbers, zones_of
from app.web.lobby import PACES
from app.web.render import ROOM_ZONES, Renderer, room_of, seal, seat_cards
from tests.games.plainly import drawn_plainly

GAMES = sorted(games())
NAMES = ("Alice", "", "Carol & Co.", "空中庭園の白鷺と夕暮れの獅子🦁👑の物語を語る人", "Dan")
EVE = 99
NOW = datetime(2026, 1, 1, tzinfo=UTC)

every_game = pytest.mark.parametrize("slug", GAMES)
every_language = pytest.mark.parametrize("language", LANGUAGES)


def held(slug: str, position: log.Position[Any] | None, *, seats: int, seed: str, options: dict[str, str]) -> Held:
    """A table as a server holds it; where a name is empty, a bot sits."""
    status = "waiting" if position is None else "over" if position.over else "playing"
    made = Held(
        TableFacts(
            id=1,
            key="abcdefghjkmn",
            slug=slug,
            edition="house",
            options=options,
            deal={},
            seed=seed,
            status=status,
            public=True,
            host_id=0,
            version=position.version if position else 0,
            changed=0,
            seats=tuple(SeatFacts(seat, name, "" if name else "greedy") for seat, name in enumerate(NAMES[:seats])),
            rematch=None,
            created_at=NOW,
            moved_at=NOW,
        )
    )
    made.position = position
    if position:
        made.lines = [Line(item.seq, item.seat, notation.write(item.action), NOW) for item in position.played]
    return made


@cache
def moments(slug: str) -> tuple[Held, ...]:
    """Tables of every size: the first moment, one in the middle, and the last."""
    found: list[Held] = []
    game = load(slug)
    for seats in game.seats:
        options = game.options_for(seats)
        seed = f"pages {seats}"
        positions = list(playout(game, seats=seats, seed=seed, options=options, bots=(RandomBot(),)))
        some = (positions[0], positions[len(positions) // 2], positions[-1])
        found += [held(slug, position, seats=seats, seed=seed, options=options) for position in some]
    return tuple(found)


def viewers(table: Held) -> tuple[int, ...]:
    """The numbers of some people who look: Alice, whoever must choose, and Eve, who only watches."""
    waiting = table.position.waiting if table.position else {}
    return tuple(sorted({0, *waiting, EVE}))


def table_page(table: Held, person: int, language: str) -> tuple[dict[str, str], str]:
    """The zones of a table's page, and the page."""
    facts = table.facts
    zones = Renderer().shown(table, person, language).zones
    page = drawn(
        language,
        "tables/table.html",
        key=facts.key,
        slug=facts.slug,
        box=part(facts.slug, "board").box(table.game),
        zones=zones,
        seats=seat_cards(table, person),
        seat=facts.seat_of(person),
        version=table.version,
        changed=facts.changed,
        at=None,
        kinds=kinds_of(table),
        parts=parts_of(table),
        over=facts.status == "over",
        rematch=facts.rematch,
        seal=seal(table),
        seed=facts.seed,
        live="/tables/abcdefghjkmn/live",
        now="2026-12-01T14:00:00.000Z",
    )
    return zones, page


def drawn(language: str, template: str, **context: Any) -> str:
    """A page with what every page is given, letter by letter as Jinja draws it."""
    page = draw(language, template, me="Alice", path="/", here=1, **context)
    assert page == drawn_plainly(language, template, me="Alice", path="/", here=1, **context)
    return page


class Read(HTMLParser):
    """All tags of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def values(self, attribute: str) -> list[str]:
        """What an attribute says, wherever it stands."""
        return [attributes[attribute] for _, attributes in self.tags if attribute in attributes]


def check_page(html: str) -> None:
    """No id stands twice, what is used by reference is there, and nothing is inline that the browser would refuse."""
    read = Read(html)
    assert [each for each, times in Counter(read.values("id")).items() if times > 1] == []
    used = {href[1:] for tag, one in read.tags if tag == "use" and (href := one["href"]).startswith("#")}
    assert used - set(read.values("id")) == set()
    for tag, attributes in read.tags:
        assert tag != "style"
        assert not [name for name in attributes if name == "style" or name.startswith(("on", "hx-on"))], tag


@every_game
@every_language
def test_a_table_is_drawn_for_everybody_at_any_moment(slug: str, language: str) -> None:
    for table in moments(slug):
        for person in viewers(table):
            zones, page = table_page(table, person, language)
            check_page(page)
            ids = Read(page).values("id")
            assert [name for name in zones if f"zone-{name}" not in ids] == []
            assert {"round", "action", "choices", "pieces"} <= set(zones)
            for name, html in zones.items():
                assert Read(html).tags[0][1]["id"] == f"zone-{name}", name


@every_game
def test_who_must_choose_has_a_button_for_every_legal_action_and_spots_for_nothing_else(slug: str) -> None:
    for table in moments(slug):
        for person in viewers(table):
            zones = Renderer().shown(table, person, "en").zones
            seen = tables.look(table, table.facts.seat_of(person))
            legal = sorted(notation.write(action) for action in seen.actions)
            assert sorted(Read(zones["choices"]).values("value")) == legal
            for html in zones.values():
                for pick in Read(html).values("data-pick"):
                    assert any(fits(pick, action) for action in legal), pick


@every_game
@every_language
def test_every_consequence_is_drawn(slug: str, language: str) -> None:
    board = part(slug, "board")
    for table in moments(slug):
        for seat in table.position.waiting if table.position else ():
            seen = tables.look(table, seat)
            for action in seen.actions[:40]:
                told = draw(language, f"games/{slug}/consequence.html", m=board.consequence(table.game, seen, action))
                assert told.strip()


@every_game
@every_language
def test_the_log_has_a_sentence_for_every_event(slug: str, language: str) -> None:
    module: Any = environment(language).get_template(f"games/{slug}/_log.html").module
    box = part(slug, "board").box(load(slug))
    for table in moments(slug):
        for seat in (0, None):
            cards = seat_cards(table, seat)
            lines = log_lines(table, seat)
            asked = {"kinds": kinds_of(table), "parts": parts_of(table), "seat": seat, "over": False}
            page = drawn(language, "tables/log.html", key="abc", slug=slug, seats=cards, box=box, **asked, **lines)
            check_page(page)
            for line in lines["lines"]:
                for event in line.events:
                    assert str(module.line(event, line.seat, cards, box)).strip(), event


@every_game
@every_language
def test_the_rules_page_is_drawn(slug: str, language: str) -> None:
    game = load(slug)
    faces = part(slug, "board").box(game)
    page = drawn(language, "rules/page.html", slug=slug, games=GAMES, box=game.box, faces=faces, edition=game.edition)
    check_page(page)


@every_language
def test_the_lobby_offers_every_game(language: str) -> None:
    cards = tuple(
        GameCard(slug, tuple(rules.seats), rules.options, tuple(bots(slug))) for slug, rules in games().items()
    )
    lists = tuple(
        TableCard(f"key{index}", table.facts.slug, seat_cards(table, 0), options=tuple(table.facts.options.items()))
        for index, table in enumerate(moments(slug)[0] for slug in GAMES)
    )
    found = Lists(mine=lists, invited=lists, open=lists)
    page = drawn(
        language,
        "lobby/lobby.html",
        **found.context,
        zones=zones_of(language, found, me="Alice", here=1),
        live="/lobby/live",
        games=cards,
        numbers=numbers(),
        new=NewTable(GAMES[0]),
        paces=PACES,
        quick=QuickForm(),
    )
    check_page(page)
    for slug in GAMES:
        assert f'value="{slug}"' in page
        assert f'id="cover-{slug}"' in page


@every_game
@every_language
def test_a_waiting_room_is_drawn(slug: str, language: str) -> None:
    game = load(slug)
    seats = game.seats[-1]
    table = held(slug, None, seats=seats, seed="room", options=game.options_for(seats))
    room = room_of(table, 0, link="https://play.example/tables/abc")
    zones = {name: draw(language, f"tables/waiting/{name}.html", m=room) for name in ROOM_ZONES}
    check_page(drawn(language, "tables/waiting.html", room=room, zones=zones, companions=["Bob"], live="/live"))


@every_game
@every_language
def test_the_log_can_be_asked_for_what_happens(slug: str, language: str) -> None:
    """Some kinds of events have a name to be asked for, each another; nothing else is one."""
    deed: Any = environment(language).get_template(f"games/{slug}/_words.html").module
    called = {kind: str(deed.deed(kind)).strip() for kind in kinds_of(moments(slug)[0])}
    names = [name for name in called.values() if name]
    assert len(names) >= 2
    assert len(set(names)) == len(names)
    assert str(deed.deed("no such thing")).strip() == ""


@every_game
@every_language
def test_whoever_is_left_wins_whatever_the_points(slug: str, language: str) -> None:
    """Those who gave up may have more points: by how many nobody is told."""
    words = {"en": ("You win", "Alice wins"), "ja": ("あなたの勝ち", "Aliceの勝ち")}[language]
    of_two = [table for table in moments(slug) if len(table.facts.seats) == 2]
    for table in of_two[1:]:
        assert table.position is not None
        best = max(load(slug).scores(table.position.state), key=lambda score: score.total).seat
        facts = table.facts
        seats = tuple(
            msgspec.structs.replace(seat, name="" if index == best else "Alice", user_id=index, bot="")
            for index, seat in enumerate(facts.seats)
        )
        gone = msgspec.structs.replace(seats[best], conceded_id=best, conceded_at=NOW)
        facts = msgspec.structs.replace(
            facts, status="over", ended="conceded", seats=(*seats[:best], gone, *seats[best + 1 :])
        )
        given_up = held(slug, table.position, seats=len(seats), seed=facts.seed, options=facts.options)
        given_up.facts = facts
        for viewer, sentence in zip((1 - best, EVE), words, strict=True):
            zones, page = table_page(given_up, viewer, language)
            check_page(page)
            sheet = re.sub(r"<[^>]+>", "", zones.get("result", zones["action"]))
            assert sentence in sheet
            assert re.search(r"by \d|点差", sheet) is None
