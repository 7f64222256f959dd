"""Looks at the board, drawn as the site draws them."""

from collections.abc import Iterator
from functools import cache

import msgspec

from app.engine.bots import GreedyBot, RandomBot
from app.engine.look import Sitter
from app.engine.playout import playout
from app.web.drawing import draw_zones
from tests.games.hanging_gardens.drawn import GAME
from tests.games.looks import Position, Seen, look_at

SITTERS = (Sitter("Alice"), Sitter("Bob"), Sitter("Carol & Co."), Sitter(""), Sitter("Eve", "greedy"))


@cache
def played(seats: int, *, greedy: bool = False, difficulty: str = "normal") -> tuple[Position, ...]:
    """Every position of one game."""
    options = {"difficulty": difficulty} if seats == 1 else None
    bot = GreedyBot() if greedy else RandomBot()
    return tuple(playout(GAME, seats=seats, options=options, seed=f"board/{seats}", bots=[bot]))


def look(position: Position, seat: int | None, *, live: bool = True) -> Seen:
    """A viewer's look."""
    return look_at(GAME, position, seat, sitters=SITTERS[: len(position.state.players)], live=live)


def viewers(position: Position) -> Iterator[int | None]:
    """Everybody who may look at a table."""
    yield from range(len(position.state.players))
    yield None


def drawn(language: str, models: dict[str, msgspec.Struct]) -> dict[str, str]:
    """All zones as HTML."""
    return draw_zones(language, "hanging_gardens", models)


def sampled(step: int = 5) -> Iterator[tuple[int, Position]]:
    """Positions of games of every size, from the first to the last."""
    for seats in range(1, 6):
        positions = played(seats)
        yield from ((seats, position) for position in (*positions[::step], positions[-1]))
