"""What a page was asked to show of its table: words in its address that the game's board offers (docs/boards.md)."""

from urllib.parse import parse_qsl, urlsplit

from starlette.requests import HTTPConnection

from app import games
from app.engine.look import Asked
from app.services.accounts import Me

LONGEST = 400


def offered(slug: str) -> dict[str, tuple[str, ...]]:
    """The words that the board of a game knows, each with its values; the first is shown unasked."""
    found: dict[str, tuple[str, ...]] = getattr(games.part(slug, "board"), "VIEWS", {})
    return found


def asked_in(slug: str, query: str, me: Me | None = None) -> Asked:
    """What a query string asks for, as far as the game offers it, and besides what its person prefers; what is shown
    anyway is not asked for."""
    words = dict(parse_qsl(query[:LONGEST]))
    preferred = me.playing.views_of(slug) if me else {}
    asked = []
    for name, values in offered(slug).items():
        wish = preferred.get(name, values[0])
        usual = wish if wish in values else values[0]
        value = words.get(name, usual)
        value = value if value in values else usual
        if value != values[0] or usual != values[0]:
            asked.append((name, value))
    return tuple(asked)


def asked_from(slug: str, connection: HTTPConnection, me: Me | None = None) -> Asked:
    """What the page asked for that sent this request, and besides what its person prefers."""
    page = connection.headers.get("hx-current-url") or connection.headers.get("referer", "")
    return asked_in(slug, urlsplit(page).query, me)


def query_of(asked: Asked) -> str:
    """The query string that asks for this."""
    return "&".join(f"{name}={value}" for name, value in asked)
