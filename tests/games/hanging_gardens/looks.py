"""Looks at the board, drawn as the site draws them, and read as a browser reads them."""

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

import msgspec

from app.engine import log
from app.engine.bots import GreedyBot, RandomBot
from app.engine.contract import Broken
from app.engine.look import Look, Sitter
from app.engine.playout import playout
from app.web.drawing import draw_zones
from tests.games.hanging_gardens.drawn import GAME

SITTERS = (Sitter("Alice"), Sitter("Bob"), Sitter("Carol & Co."), Sitter(""), Sitter("Eve", "greedy"))

Position = log.Position[Any]
Seen = Look[Any, Any]


@cache
def played(seats: int, *, greedy: bool = False, difficulty: str = "normal") -> tuple[Position, ...]:
    """Every position of one game."""
    options = {"difficulty": difficulty} if seats == 1 else None
    bot = GreedyBot() if greedy else RandomBot()
    return tuple(playout(GAME, seats=seats, options=options, seed=f"board/{seats}", bots=[bot]))


def look(position: Position, seat: int | None, *, live: bool = True) -> Seen:
    """A viewer's look, as the services make it."""
    state = position.state
    last = position.played[-1] if position.played else None
    return Look(
        view=GAME.view(state, seat),
        seat=seat,
        actions=tuple(GAME.actions(state, seat)) if live and seat in position.waiting and seat is not None else (),
        decisions=GAME.decisions(state),
        sitters=SITTERS[: len(state.players)],
        latest=last.events if last else (),
        actor=last.seat if last else None,
        undo=None if last and last.seat == seat else Broken("nothing_to_undo"),
        scores=GAME.scores(state) if position.over else (),
        live=live,
    )


def viewers(position: Position) -> Iterator[int | None]:
    """Everybody who may look at a table."""
    yield from range(len(position.state.players))
    yield None


def drawn(language: str, models: dict[str, msgspec.Struct]) -> dict[str, str]:
    """All zones as HTML."""
    return draw_zones(language, "hanging_gardens", models)


def fits(pattern: str, action: str) -> bool:
    """Whether an action is one that a spot stands for."""
    pairs = zip(pattern.split(":"), action.split(":"), strict=False)
    return pattern.count(":") == action.count(":") and all(want in {"*", word} for want, word in pairs)


def sampled(step: int = 5) -> Iterator[tuple[int, Position]]:
    """Positions of games of every size, from the first to the last."""
    for seats in range(1, 6):
        positions = played(seats)
        yield from ((seats, position) for position in (*positions[::step], positions[-1]))


class Page(HTMLParser):
    """The ids, references and open tags of some HTML."""

    VOID = frozenset({"input", "br", "hr", "img", "meta", "link"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.used: set[str] = set()
        self.picks: list[str] = []
        self.actions: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.read(attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.read(attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def read(self, attrs: list[tuple[str, str | None]]) -> None:
        """The attributes of one tag."""
        told = {name: value or "" for name, value in attrs}
        self.attributes |= set(told)
        if "id" in told:
            self.ids.append(told["id"])
        if told.get("href", "").startswith("#"):
            self.used.add(told["href"][1:])
        if "data-pick" in told:
            self.picks.append(told["data-pick"])
        if told.get("name") == "action":
            self.actions.append(told["value"])
