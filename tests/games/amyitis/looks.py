"""Looks at the board, drawn as the site draws them."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import msgspec

from app.engine.bots import Bot, RandomBot
from app.engine.look import Sitter
from app.engine.playout import playout
from app.games.amyitis.bots import GreedyBot
from app.web.drawing import draw, draw_zones
from tests.games.amyitis.positions import GAME
from tests.games.looks import Position, Seen, look_at

SITTERS = (Sitter("Alice"), Sitter("Bob & Co."), Sitter(""), Sitter("Dan", "greedy"))


@cache
def played(seats: int, *, greedy: bool = False, profile: str = "standard") -> tuple[Position, ...]:
    """Every position of one game."""
    bot: Bot = GreedyBot() if greedy else RandomBot()
    return tuple(playout(GAME, seats=seats, options={"profile": profile}, seed=f"board/{seats}", bots=[bot]))


def look(position: Position, seat: int | None, *, live: bool = True) -> Seen:
    """A viewer's look."""
    return look_at(GAME, position, seat, sitters=SITTERS[: position.state.realm.seats], live=live)


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
