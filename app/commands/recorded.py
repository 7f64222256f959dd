"""A recorded game in a file: read, and replayed line by line; whatever is wrong with it is one line that names it."""

from pathlib import Path
from typing import Any

import typer
from markupsafe import Markup

from app import games
from app.commands.console import refuse
from app.engine import log, record
from app.engine.contract import AnyGame, Broken
from app.engine.editions import EditionRefused, NoSuchEdition
from app.web.drawing import environment


def sentence(slug: str) -> Any:
    """How a game says in English which rule is broken: as on the pages, without their markup and drawings."""

    def say(broken: Broken) -> str:
        why = getattr(environment("en").get_template(f"games/{slug}/_refusals.html").module, "why", None)
        words = Markup(why(broken)).striptags() if why else ""
        return words or broken.complaint.replace("_", " ")

    return say


def verdict(slug: str, word: str) -> str:
    """How a game says in English what a game alone was worth."""
    told = getattr(environment("en").get_template(f"games/{slug}/_words.html").module, "verdict", None)
    return str(Markup(told(word)).striptags()).rstrip(".") if told and word else word


def text_of(file: Path) -> str:
    """What a file says. Refuses whatever is no text in UTF-8."""
    try:
        written = file.read_bytes()
    except OSError as fault:
        refuse(f"{file} cannot be read: {fault.strerror}")
    try:
        text = written.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        if written.startswith((b"\xff\xfe", b"\xfe\xff")) or 0 in written:
            refuse(f"{file}: this is no text in UTF-8, as a recorded game is; save it as UTF-8, if it is one")
        line = written.count(b"\n", 0, fault.start) + 1
        refuse(f"{file}: line {line}: a letter here is not written in UTF-8; save the file as UTF-8")
    if "\0" in text:
        refuse(f"{file}: this is no text, as a recorded game is")
    return text


def read_record(file: Path) -> tuple[AnyGame, record.Record]:
    """A recorded game and its rules."""
    try:
        read = record.read(text_of(file))
        return rules_of(read), read
    except record.RecordRefused as fault:
        refuse(f"{file}: {fault}")


def rules_of(read: record.Record) -> AnyGame:
    """The rules of the game and of the box that were played. Raises ``RecordRefused``."""
    slug = read.game.replace("-", "_")
    try:
        return games.load(slug, read.edition)
    except games.NoSuchGame:
        known = f"no game is called {record.shortened(read.game)}; there are: {', '.join(games.games())}"
        raise record.RecordRefused(read.line_of("game"), f"game: {known}") from None
    except NoSuchEdition:
        known = (
            f"{slug} has no edition {record.shortened(read.edition)}; there are: {', '.join(games.editions(slug))}"
        )
        raise record.RecordRefused(read.line_of("edition"), f"edition: {known}") from None
    except EditionRefused as fault:
        raise record.RecordRefused(read.line_of("edition"), f"edition: {fault}") from fault


def replayed(file: Path, until: int | None) -> tuple[AnyGame, record.Record, log.Position[Any]]:
    """A recorded game, every line of it checked; that it was played by other rules than ours is said."""
    game, read = read_record(file)
    other = ""
    if "revision" in read.head_lines and read.revision != game.revision:
        other = f"played by revision {read.revision} of these rules, and this is revision {game.revision}"
    try:
        position = record.replay(game, read, until=until, sentence=sentence(game.slug))
    except record.RecordRefused as fault:
        refuse(f"{file}: {fault}{other and f' ({other})'}")
    if until is not None and position.version < until:
        refuse(f"{file} has {position.version} entries; there is none of number {until}")
    if other:
        told = f"warning: {file}: line {read.line_of('revision')}: revision: {other}; all that was read holds by it"
        typer.echo(told, err=True)
    return game, read, position
