"""Looks at the board, drawn as the site draws them."""

from collections.abc import Iterator
from functools import cache

import msgspec

from app.engine.look import Asked, Sitter
from app.engine.playout import playout
from app.games import bots
from app.web.drawing import draw
from tests.games.babylon.script import rules
from tests.games.looks import Position, Seen, look_at

SITTERS = (Sitter("Alice"), Sitter("Bob"), Sitter("Carol & Co."), Sitter("", "greedy"))


@cache
def played(seats: int, *, bot: str = "greedy") -> tuple[Position, ...]:
    """Every position of one game."""
    return tuple(playout(rules(), seats=seats, seed=f"board/{seats}", bots=[bots("babylon")[bot]]))


def look(position: Position, seat: int | None, *, live: bool = True, asked: Asked = ()) -> Seen:
    """A viewer's look."""
    sitters = SITTERS[: len(position.state.players)]
    return look_at(rules(), position, seat, sitters=sitters, live=live, asked=asked)


def viewers(position: Position) -> Iterator[int | None]:
    """Everybody who may look at a table."""
    yield from range(len(position.state.players))
    yield None


def drawn(language: str, models: dict[str, msgspec.Struct]) -> dict[str, str]:
    """All zones as HTML."""
    return {name: draw(language, f"games/babylon/{name}.html", m=model) for name, model in models.items()}


def sampled(step: int = 5, *, bot: str = "greedy") -> Iterator[Position]:
    """Positions of games of every size, from the first to the last."""
    for seats in rules().seats:
        positions = played(seats, bot=bot)
        yield from (*positions[::step], positions[-1])
