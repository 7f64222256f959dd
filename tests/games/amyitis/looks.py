"""Looks at the board, drawn as the site draws them, and read as a browser reads them."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from html.parser import HTMLParser
from typing import Any

import msgspec

from app.engine import log
from app.engine.bots import Bot, RandomBot
from app.engine.contract import Broken
from app.engine.look import Look, Sitter
from app.engine.playout import playout
from app.games.amyitis.bots import GreedyBot
from app.web.drawing import draw, draw_zones
from tests.games.amyitis.positions import GAME

SITTERS = (Sitter("Alice"), Sitter("Bob & Co."), Sitter(""), Sitter("Dan", "greedy"))

Position = log.Position[Any]
Seen = Look[Any, Any]


@cache
def played(seats: int, *, greedy: bool = False, profile: str = "standard") -> tuple[Position, ...]:
    """Every position of one game."""
    bot: Bot = GreedyBot() if greedy else RandomBot()
    return tuple(playout(GAME, seats=seats, options={"profile": profile}, seed=f"board/{seats}", bots=[bot]))


def look(position: Position, seat: int | None, *, live: bool = True) -> Seen:
    """A viewer's look, as the services make it."""
    state = position.state
    last = position.played[-1] if position.played else None
    told = [event.seen_by(seat) for event in last.events] if last else []
    return Look(
        view=GAME.view(state, seat),
        seat=seat,
        actions=tuple(GAME.actions(state, seat)) if live and seat in position.waiting and seat is not None else (),
        decisions=GAME.decisions(state),
        sitters=SITTERS[: state.realm.seats],
        latest=tuple(event for event in told if event is not None),
        actor=last.seat if last else None,
        undo=None if last and last.seat == seat else Broken("nothing_to_undo"),
        scores=GAME.scores(state) if position.over else (),
        live=live,
    )


def viewers(position: Position) -> Iterator[int | None]:
    """Everybody who may look at a table."""
    yield from range(position.state.realm.seats)
    yield None


def drawn(language: str, models: dict[str, msgspec.Struct]) -> dict[str, str]:
    """All zones as HTML."""
    return draw_zones(language, "amyitis", models)


def bubble(language: str, model: msgspec.Struct) -> str:
    """The consequence of an action as HTML."""
    return draw(language, "games/amyitis/consequence.html", m=model)


def fits(pattern: str, action: str) -> bool:
    """Whether an action is one that a spot stands for."""
    pairs = zip(pattern.split(":"), action.split(":"), strict=False)
    return pattern.count(":") == action.count(":") and all(want in {"*", word} for want, word in pairs)


def sampled(step: int = 25) -> Iterator[tuple[int, Position]]:
    """Positions of games of every size, played well and at random: some of each decision, every so many, the last."""
    for seats in GAME.seats:
        for greedy in (False, True):
            positions = played(seats, greedy=greedy)
            met: Counter[str] = Counter()
            for number, position in enumerate(positions):
                stage = position.state.realm.stage
                met[stage] += 1
                if number % step == 0 or met[stage] <= 2 or number == len(positions) - 1:
                    yield seats, position


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


@lru_cache(maxsize=20_000)
def read(html: str) -> Page:
    """Some HTML as it is read; zones that many see are read once."""
    return Page(html)
