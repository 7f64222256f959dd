"""What all commands share: the console they belong to, refusing in one line, loading a game."""

import json
from typing import Annotated, Any, NoReturn

import typer

from app import games
from app.engine.contract import AnyGame
from app.engine.editions import EditionRefused, NoSuchEdition

console = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Semiramis: a server for the three board games of the Hanging Gardens.",
)

Slug = Annotated[str, typer.Argument(help="The game, such as hanging_gardens.")]


LONGEST = 700


def one_line(reason: object) -> str:
    """A reason as one line that fits on a screen, whatever was quoted in it."""
    line = " ".join(str(reason)[: LONGEST * 4].split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 60]} … {str(reason).strip()[-50:]}"


def refuse(reason: object) -> NoReturn:
    """Ends the command with one line."""
    typer.echo(f"error: {one_line(reason)}", err=True)
    raise typer.Exit(1)


def loaded(slug: str, edition: str = "house") -> AnyGame:
    """The rules of a game, or a refusal that names those there are."""
    try:
        return games.load(slug.replace("-", "_"), edition)
    except games.NoSuchGame:
        refuse(f"no game is called {slug}; there are: {', '.join(games.games())}")
    except NoSuchEdition:
        refuse(f"{slug} has no edition {edition}; there are: {', '.join(games.editions(slug))}")
    except EditionRefused as fault:
        refuse(f"edition {fault}")


def print_json(value: Any, *, err: bool = False) -> None:
    """One line of JSON."""
    typer.echo(json.dumps(value, ensure_ascii=False, separators=(",", ":")), err=err)
