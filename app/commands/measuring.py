"""Measuring the rules: how fast they are, and how well the bots play."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from time import perf_counter
from typing import Annotated

import typer

from app import games
from app.commands.console import console, loaded
from app.engine import codec
from app.engine.bots import Bot
from app.engine.contract import AnyGame
from app.engine.playout import playout


@console.command()
def bench(
    slug: Annotated[str | None, typer.Argument(help="One game; all without it.")] = None,
    matches: Annotated[int, typer.Option(help="Games for the win rates of the bots.", min=1)] = 200,
    seconds: Annotated[float, typer.Option(help="How long each speed is measured.", min=0.01)] = 3.0,
) -> None:
    """Measure the rules: steps and games a second, and how often the bots beat each other."""
    for each in [slug] if slug else list(games.games()):
        game = loaded(each)
        for line in speeds(game, games.bots(game.slug), seconds=seconds):
            typer.echo(line)
        typer.echo(slowest_list(game, games.bots(game.slug)))
        for line in rivalries(game, games.bots(game.slug), matches=matches):
            typer.echo(line)


def speeds(game: AnyGame, bots: Mapping[str, Bot], *, seconds: float) -> Iterator[str]:
    """Random play with the legal list at every step, by number of seats; and the cost of one new state."""
    for seats in game.seats:
        steps = played = 0
        began = perf_counter()
        while (spent := perf_counter() - began) < seconds:
            steps += sum(1 for _ in playout(game, seats=seats, seed=str(played), bots=(bots["random"],))) - 1
            played += 1
        yield f"{game.slug}, {seats} seats: {steps / spent:,.0f} steps/s, {played / spent:,.1f} games/s (random)"
    *_, last = playout(game, seats=game.seats[-1], seed="state", bots=(bots["random"],))
    positions = list(playout(game, seats=game.seats[-1], seed="state", bots=(bots["random"],)))
    began = perf_counter()
    for before, played_next in zip(positions, last.played, strict=False):
        game.apply(before.state, played_next.seat, played_next.action)
    each = (perf_counter() - began) / max(1, len(last.played))
    yield f"{game.slug}: a new state {each * 1e6:,.0f} µs"


def slowest_list(game: AnyGame, bots: Mapping[str, Bot], *, rounds: int = 3) -> str:
    """The legal list that takes longest in a game of the best bots, asked of a state that nobody has asked before."""
    best = list(bots.values())[-1]
    slowest = (0.0, 0, 0)
    for position in playout(game, seats=game.seats[-1], seed="list", bots=(best,)):
        written, spent, number = codec.encode(position.state), [], 0
        for _ in range(rounds):
            state = codec.decode(type(position.state), written)
            began = perf_counter()
            number = sum(len(game.actions(state, seat)) for seat in range(game.seats[-1]))
            spent.append(perf_counter() - began)
        slowest = max(slowest, (min(spent), number, position.version))
    longest, number, version = slowest
    return (
        f"{game.slug}: the slowest legal list takes {longest * 1000:.2f} ms ({number} actions, after move {version})"
    )


def rivalries(game: AnyGame, bots: Mapping[str, Bot], *, matches: int) -> Iterator[str]:
    """How often each kind of bot beats the next weaker one, sitting first and second in turn."""
    if 2 not in game.seats:
        return
    kinds = list(bots)
    for weaker, stronger in pairwise(kinds):
        won = ties = 0
        began = perf_counter()
        for match in range(matches):
            first = match % 2
            players = [bots[weaker], bots[weaker]]
            players[first] = bots[stronger]
            *_, last = playout(game, seats=2, seed=f"match {match}", bots=players)
            scores = game.scores(last.state)
            mine, other = scores[first].rank, scores[1 - first].rank
            won += mine < other
            ties += mine == other
        spent = (perf_counter() - began) / matches
        yield (
            f"{game.slug}: {stronger} beats {weaker} in {won} of {matches} games "
            f"({ties} ties), {spent * 1000:,.0f} ms a game"
        )
