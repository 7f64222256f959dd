"""What a page was asked to show of its table: words in its address that the game's board offers (docs/boards.md)."""

from urllib.parse import parse_qsl, urlsplit

from starlette.requests import HTTPConnection

from app import games
from app.engine.look import Asked

LONGEST = 400


def offered(slug: str) -> dict[str, tuple[str, ...]]:
    """The words that the board of a game knows, each with its values; the first is shown unasked."""
    found: dict[str, tuple[str, ...]] = getattr(games.part(slug, "board"), "VIEWS", {})
    return found


def asked_in(slug: str, query: str) -> Asked:
    """What a query string asks for, as far as the game offers it; what is shown anyway is not asked for."""
    words = dict(parse_qsl(query[:LONGEST]))
    return tuple((name, words[name]) for name, values in offered(slug).items() if words.get(name) in values[1:])


def asked_from(slug: str, connection: HTTPConnection) -> Asked:
    """What the page asked for that sent this request."""
    page = connection.headers.get("hx-current-url") or connection.headers.get("referer", "")
    return asked_in(slug, urlsplit(page).query)


def query_of(asked: Asked) -> str:
    """The query string that asks for this."""
    return "&".join(f"{name}={value}" for name, value in asked)
