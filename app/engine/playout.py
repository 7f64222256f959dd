"""Whole games without a table: bots play each other, from a seed alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.engine import log, notation
from app.engine.bots import Bot
from app.engine.contract import AnyGame
from app.engine.rng import Rng


class NeverEnds(RuntimeError):
    """A game went on for longer than its rules promise."""


def playout(
    game: AnyGame,
    *,
    seats: int,
    options: Mapping[str, str] | None = None,
    seed: str,
    bots: Sequence[Bot],
    deal: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[log.Position[Any]]:
    """Every position of a game from the first to the last. ``bots``: one a seat, or one for all.

    Of several decisions at once the seats answer in order; a bot's chance is its own, made from the seed,
    the version and the seat. Raises :class:`NeverEnds`.
    """
    position = log.begin(game, seats=seats, options=game.options_for(seats, options), seed=seed, deal=deal)
    yield position
    yield from play_on(game, position, seed=seed, bots=bots)


def play_on(
    game: AnyGame, position: log.Position[Any], *, seed: str, bots: Sequence[Bot]
) -> Iterator[log.Position[Any]]:
    """Every position after this one, to the end."""
    while not position.over:
        if len(position.played) >= game.longest:
            raise NeverEnds(f"{game.slug}: more than {game.longest} actions")
        seat = min(position.waiting)
        action = chosen(game, position, seat, bot=bots[seat % len(bots)], seed=seed)
        position = log.append(game, position, log.Entry(seat, notation.write(action)), trusted=True)
        yield position


def chosen(game: AnyGame, position: log.Position[Any], seat: int, *, bot: Bot, seed: str) -> Any:
    """What ``bot`` does for ``seat``, from that seat's view and the legal actions alone."""
    rng = Rng(f"{seed}/bot/{position.version}/{seat}")
    actions = game.actions(position.state, seat)
    return bot.choose(game, game.view(position.state, seat), seat, actions, rng)
