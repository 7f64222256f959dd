"""Looks at the board, drawn as the site draws them, and read as a browser reads them."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

import msgspec

from app.engine import log
from app.engine.contract import Broken
from app.engine.look import Asked, Look, Sitter
from app.engine.playout import playout
from app.games import bots
from app.web.drawing import draw
from tests.games.babylon.script import rules

SITTERS = (Sitter("Alice"), Sitter("Bob"), Sitter("Carol & Co."), Sitter("", "greedy"))

Position = log.Position[Any]
Seen = Look[Any, Any]


@cache
def played(seats: int, *, bot: str = "greedy") -> tuple[Position, ...]:
    """Every position of one game."""
    return tuple(playout(rules(), seats=seats, seed=f"board/{seats}", bots=[bots("babylon")[bot]]))


def look(position: Position, seat: int | None, *, live: bool = True, asked: Asked = ()) -> Seen:
    """A viewer's look, as the services make it."""
    game, state = rules(), position.state
    last = position.played[-1] if position.played else None
    return Look(
        view=game.view(state, seat),
        seat=seat,
        actions=tuple(game.actions(state, seat)) if live and seat in position.waiting and seat is not None else (),
        decisions=game.decisions(state),
        sitters=SITTERS[: len(state.players)],
        latest=last.events if last else (),
        actor=last.seat if last else None,
        undo=None if last and last.seat == seat else Broken("nothing_to_undo"),
        scores=game.scores(state) if position.over else (),
        live=live,
        asked=asked,
    )


def viewers(position: Position) -> Iterator[int | None]:
    """Everybody who may look at a table."""
    yield from range(len(position.state.players))
    yield None


def drawn(language: str, models: dict[str, msgspec.Struct]) -> dict[str, str]:
    """All zones as HTML."""
    return {name: draw(language, f"games/babylon/{name}.html", m=model) for name, model in models.items()}


def fits(pattern: str, action: str) -> bool:
    """Whether an action is one that a spot stands for."""
    pairs = zip(pattern.split(":"), action.split(":"), strict=False)
    return pattern.count(":") == action.count(":") and all(want in {"*", word} for want, word in pairs)


def sampled(step: int = 5, *, bot: str = "greedy") -> Iterator[Position]:
    """Positions of games of every size, from the first to the last."""
    for seats in rules().seats:
        positions = played(seats, bot=bot)
        yield from (*positions[::step], positions[-1])


class Page(HTMLParser):
    """The ids, references and open tags of some HTML."""

    VOID = frozenset({"input", "br", "hr", "img", "meta", "link"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.used: set[str] = set()
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
        if tag == "use":
            self.used.add(told["href"][1:])
        if tag == "a" and "data-view" in told:
            self.links.append(told["href"])
        if "data-pick" in told:
            self.picks.append(told["data-pick"])
        if told.get("name") == "action":
            self.actions.append(told["value"])
