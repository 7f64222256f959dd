"""What is drawn faster, once for all, or not again, is letter by letter what Jinja draws for each viewer alone."""

from typing import Any

import msgspec
import pytest
from jinja2 import UndefinedError

from app import games
from app.engine import log
from app.i18n import LANGUAGES
from app.services import tables
from app.services.facts import SeatFacts
from app.services.held import Held
from app.web.drawing import environment, template_of
from app.web.render import Renderer
from tests.games.plainly import drawn_plainly
from tests.games.test_pages import EVE, GAMES, held
from tests.promises import random_game

STRETCH = 4
"""So many moments in a row are drawn, and the last of the game."""
NAMES = ("<b>&amp;", "'%s\"", "100 %", "{{ m }}", "")
RENDERER = Renderer()
"""One for all games, so that what it remembers of one would be wrong for another."""


@pytest.mark.parametrize("slug", GAMES)
def test_every_zone_of_every_viewer_is_what_jinja_draws(slug: str) -> None:
    game = games.load(slug)
    for seats in game.seats:
        positions = random_game(game, seats=seats, seed=f"drawn {seats}")
        begin = len(positions) * seats // (seats + 2)
        for position in (*positions[begin : begin + STRETCH], positions[-1]):
            table = table_at(slug, position, seats=seats)
            language = LANGUAGES[(position.version + seats) % len(LANGUAGES)]
            for person in (*range(seats), EVE):
                check_zones(table, person, language)


def table_at(slug: str, position: log.Position[Any], *, seats: int) -> Held:
    """A table, with names that try to be more."""
    made = held(slug, position, seats=seats, seed="drawn", options=games.load(slug).options_for(seats))
    sitting = tuple(SeatFacts(seat, name, "" if name else "greedy") for seat, name in enumerate(NAMES[:seats]))
    made.facts = msgspec.structs.replace(made.facts, id=seats, seats=sitting)
    return made


def check_zones(table: Held, person: int, language: str) -> None:
    """Every zone of the board that a person is sent."""
    slug, seat = table.facts.slug, table.facts.seat_of(person)
    sent = RENDERER.shown(table, person, language).zones
    models: dict[str, Any] = games.part(slug, "board").zones(table.game, tables.look(table, seat))
    for name, model in models.items():
        assert sent[name] == drawn_plainly(language, template_of(slug, name), m=model), name


@pytest.mark.parametrize(
    "source", ["{{ m.nothing }}", "{{ nothing }}", "{{ nothing.more }}", "{{ m.nothing() }}", "{{ nothing() }}"]
)
def test_a_name_that_is_not_there_is_an_error(source: str) -> None:
    with pytest.raises(UndefinedError, match="nothing"):
        environment("en").from_string(source).render(m={"a": 1})


def test_a_macro_is_called_as_jinja_calls_it() -> None:
    source = (
        "{% macro one(a, b='<', class=3) %}[{{ a }}{{ b }}{{ class }}]{% endmacro %}"
        "{% macro all() %}{{ varargs }}{{ kwargs }}{{ caller() }}{% endmacro %}"
        "{{ one('<') }}{{ one(b=m.key, a=1) }}{{ one(*[1, '&']) }}{{ one(1, **{'class': 4}) }}"
        "{% call all(1, x=2) %}<i>{{ m['key'] }}</i>{% endcall %}{{ one(one(1)) }}"
    )
    drawn = environment("en").from_string(source).render(m={"key": "<k>"})
    assert drawn == ("[&lt;&lt;3][1&lt;k&gt;3][1&amp;3][1&lt;4](1,){&#39;x&#39;: 2}<i>&lt;k&gt;</i>[[1&lt;3]&lt;3]")
