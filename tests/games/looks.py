"""What looks at all boards have in common: made as the services make them, and read as a browser reads them."""

from functools import lru_cache
from html.parser import HTMLParser
from typing import Any

from app.engine import log
from app.engine.contract import Broken, Game
from app.engine.look import Asked, Look, Sitter

Position = log.Position[Any]
Seen = Look[Any, Any]


def look_at(
    game: Game[Any, Any, Any],
    position: Position,
    seat: int | None,
    *,
    sitters: tuple[Sitter, ...],
    live: bool,
    asked: Asked = (),
) -> Seen:
    """A viewer's look, as the services make it."""
    state = position.state
    last = position.played[-1] if position.played else None
    return Look(
        view=game.view(state, seat),
        seat=seat,
        actions=tuple(game.actions(state, seat)) if live and seat in position.waiting and seat is not None else (),
        decisions=game.decisions(state),
        sitters=sitters,
        latest=log.told(position.played[-1:], seat),
        earlier=log.told(position.played[-4:-1], seat),
        actor=last.seat if last else None,
        undo=None if last and last.seat == seat else Broken("nothing_to_undo"),
        scores=game.scores(state) if position.over else (),
        live=live,
        asked=asked,
    )


def fits(pattern: str, action: str) -> bool:
    """Whether an action is one that a spot stands for."""
    pairs = zip(pattern.split(":"), action.split(":"), strict=False)
    return pattern.count(":") == action.count(":") and all(want in {"*", word} for want, word in pairs)


class Page(HTMLParser):
    """What some HTML has and asks for: ids, drawings it uses, places its links lead to, spots, actions, views."""

    VOID = frozenset({"input", "br", "hr", "img", "meta", "link"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.used: set[str] = set()
        self.targets: set[str] = set()
        self.picks: list[str] = []
        self.actions: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.read(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.read(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def read(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The attributes of one tag."""
        told = {name: value or "" for name, value in attrs}
        self.attributes |= set(told)
        if "id" in told:
            self.ids.append(told["id"])
        if told.get("href", "").startswith("#"):
            (self.used if tag == "use" else self.targets).add(told["href"][1:])
        if tag == "a" and "data-view" in told:
            self.links.append(told["href"])
        if "data-pick" in told:
            self.picks.append(told["data-pick"])
        if told.get("name") == "action":
            self.actions.append(told["value"])


@lru_cache(maxsize=20_000)
def read(html: str) -> Page:
    """Some HTML as it is read; zones that many see are read once."""
    return Page(html)
