"""Commands that need no database: playing, replaying and asking the rules."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from app import games
from app.commands.console import Slug, console, loaded, print_json, refuse
from app.commands.recorded import replayed, verdict
from app.engine import log, notation, record
from app.engine.contract import OptionRefused, Score
from app.engine.playout import playout

File = Annotated[Path, typer.Argument(help="A recorded game (.game).", exists=True, dir_okay=False, readable=True)]
Until = Annotated[int | None, typer.Option(help="Stop after that many entries.", min=0)]
KINDS = (
    "The kind of bot that plays every seat, or as many kinds as there are seats (greedy,random). On the pages random "
    "is called easy, greedy normal, and a game's own kind (which is called normal here) strong."
)
STREAM = "-"
"""The standard output, in the place of a file."""
SEED = re.compile(r"[^\s#]{1,200}")
"""A seed that its line in a recorded game gives back as it was."""
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@console.command()
def play(
    slug: Slug,
    seats: Annotated[int, typer.Option(help="How many seats.")] = 2,
    bots: Annotated[str, typer.Option(help=KINDS)] = "random",
    seed: Annotated[str, typer.Option(help="Any word; the same one plays the same game.")] = "1",
    options: Annotated[list[str] | None, typer.Option(help="An option of the game: name=value.")] = None,
    record_file: Annotated[
        str,
        typer.Option("--record", help="Write the game to this file; -: to the standard output."),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Play a whole game between bots, without a database, and print its score sheet."""
    game = loaded(slug)
    if not SEED.fullmatch(seed) or not seed.isprintable():
        refuse("a seed is one word without #")
    if seats not in game.seats:
        refuse(f"{game.slug} is for {game.seats[0]} to {game.seats[-1]} seats, not {seats}")
    known = games.bots(game.slug)
    kinds = bots.split(",")
    for kind in kinds:
        if kind not in known:
            refuse(f"no bot is called {kind}; there are: {', '.join(known)}")
    if len(kinds) not in (1, seats):
        named = f"{len(kinds)} kinds of bots" if len(kinds) > 1 else "one kind of bot"
        refuse(f"{named} for {seats} {'seats' if seats > 1 else 'seat'}: name one for all, or one for each")
    try:
        chosen = game.options_for(seats, dict(split_option(word) for word in options or ()))
    except OptionRefused as fault:
        refuse(fault)
    *_, last = playout(game, seats=seats, seed=seed, options=chosen, bots=[known[kind] for kind in kinds])
    scores = game.scores(last.state)
    entries = [log.Entry(item.seat, notation.write(item.action)) for item in last.played]
    if record_file:
        made = record.record_of(game, seats=seats, options=chosen, seed=seed, entries=entries, scores=scores)
        keep(record.write(made), record_file)
    apart = record_file == STREAM
    if as_json:
        print_json(
            {"game": game.slug, "seats": seats, "seed": seed, "actions": len(entries), **sheet_json(scores)},
            err=apart,
        )
    else:
        typer.echo(sheet(game.slug, scores), err=apart)


def keep(written: str, file: str) -> None:
    """Writes a recorded game to a file, or to the standard output."""
    if file == STREAM:
        typer.echo(written, nl=False)
        return
    try:
        Path(file).write_text(written, encoding="utf-8")
    except FileNotFoundError:
        refuse(f"{file} cannot be written: there is no folder {Path(file).parent}")
    except OSError as fault:
        refuse(f"{file} cannot be written: {(fault.strerror or str(fault)).lower()}")


def split_option(word: str) -> tuple[str, str]:
    """``name=value`` as a pair."""
    name, equals, value = word.partition("=")
    if not equals:
        refuse(f"an option is written name=value, not {word}")
    return name, value


def sheet(slug: str, scores: tuple[Score, ...]) -> str:
    """A score sheet: one row a category, one column a seat; of a game alone, how it was judged."""
    names = [name for name, _ in scores[0].parts]
    width = max(len(name) for name in [*names, "total"])
    rows = [" " * width + "".join(f"{record.LETTERS[score.seat]:>6}" for score in scores)]
    for index, name in enumerate(names):
        rows.append(f"{name:<{width}}" + "".join(f"{score.parts[index][1]:>6}" for score in scores))
    rows.append(f"{'total':<{width}}" + "".join(f"{score.total:>6}" for score in scores))
    rows.append(f"{'rank':<{width}}" + "".join(f"{score.rank:>6}" for score in scores))
    if any(score.verdict for score in scores):
        rows.append(f"{'verdict':<{width}}  " + "; ".join(verdict(slug, score.verdict) for score in scores))
    return "\n".join(row.rstrip() for row in rows)


def sheet_json(scores: tuple[Score, ...]) -> dict[str, Any]:
    """The same for machines."""
    return {
        "scores": [
            {
                "seat": score.seat,
                "total": score.total,
                "rank": score.rank,
                "parts": dict(score.parts),
                **({"verdict": score.verdict} if score.verdict else {}),
            }
            for score in scores
        ]
    }


@console.command()
def replay(
    file: File,
    until: Until = None,
    view: Annotated[str, typer.Option(help="Print what a seat knows: A, B, … or none.")] = "",
    as_json: AsJson = False,
) -> None:
    """Verify a recorded game: every action legal, the final scores as recorded."""
    game, read, position = replayed(file, until)
    if view:
        seat = None if view == "none" else record.LETTERS.find(view.upper()) if len(view) == 1 else -1
        if seat is not None and not 0 <= seat < read.seats:
            refuse(f"no seat {view}; this game has {', '.join(record.LETTERS[: read.seats])}, or none")
        print_json(msgspec.to_builtins(game.view(position.state, seat)))
        return
    scores = game.scores(position.state)
    if as_json:
        print_json(
            {
                "game": game.slug,
                "entries": position.version,
                "over": position.over,
                "waiting": [record.LETTERS[seat] for seat in sorted(position.waiting)],
                **sheet_json(scores),
            }
        )
        return
    typer.echo(f"{file.name}: {position.version} entries, all legal; {'over' if position.over else 'not over yet'}")
    if read.seed:
        typer.echo(f"seed {read.seed} (its seal: {sha256(read.seed.encode()).hexdigest()})")
    typer.echo(sheet(game.slug, scores))


@console.command()
def legal(file: File, until: Until = None) -> None:
    """List the legal actions at the end of a recorded game (or after some entries)."""
    game, _, position = replayed(file, until)
    if position.over:
        typer.echo("the game is over: nobody has anything to choose", err=True)
    for seat in sorted(position.waiting):
        for action in game.actions(position.state, seat):
            typer.echo(f"{record.LETTERS[seat]} {notation.write(action)}")
