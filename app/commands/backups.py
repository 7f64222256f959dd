"""Commands that keep the whole database in a file, bring it back, and try whether all of it still holds."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from app.commands.console import console, refuse
from app.commands.serving import open_database, run, with_server

STREAM = "-"


@contextmanager
def database() -> Iterator[str]:
    """The address of our database, for as long as this lasts."""
    cluster = open_database()
    try:
        yield os.environ["DATABASE_URL"]
    finally:
        if cluster is not None:
            cluster.stop()


def said(counted: Any) -> str:
    """What a database holds, in one line."""
    rows = counted.rows
    names = ("users", "tables", "entries")
    return f"{', '.join(f'{rows.get(name, 0)} {name}' for name in names)}, sum {counted.digits}"


@console.command()
def backup(
    file: Annotated[str, typer.Argument(help="The file to write; - for the standard output.")],
) -> None:
    """Write the whole database to a file, as it stands at one moment. The server may go on meanwhile."""
    from app.db import backups
    from app.db.dump import DumpRefused, dump
    from app.services import clock

    at = clock.now()
    try:
        with database() as url:
            if file == STREAM:
                counted = run(dump(url, sys.stdout.buffer))
            else:
                with fresh(Path(file)) as out:
                    counted = run(dump(url, out))
            try:
                run(backups.note(url, at=at, rows=counted.rows))
            except backups.UNKNOWN as fault:
                typer.echo(f"the backup is whole, but the server could not be told of it: {fault}", err=True)
    except (DumpRefused, FileExistsError) as fault:
        refuse(fault)
    typer.echo(f"{file}: {said(counted)}", err=file == STREAM)


@contextmanager
def fresh(file: Path) -> Iterator[BinaryIO]:
    """A new file, which only its owner may read and which is there only when all of it is."""
    if file.exists():
        raise FileExistsError(f"{file} is there already")
    part = file.with_name(f"{file.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def readable(file: str) -> Iterator[Path]:
    """The file itself, or what comes in at the standard input as one."""
    if file != STREAM:
        if not Path(file).is_file():
            refuse(f"there is no file {file}")
        yield Path(file)
        return
    from app.config import settings

    folder = settings().var
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, prefix="restoring-") as spool:
        shutil.copyfileobj(sys.stdin.buffer, spool)
        spool.flush()
        yield Path(spool.name)


@console.command()
def restore(
    file: Annotated[str, typer.Argument(help="What backup wrote; - for the standard input.")],
    into: Annotated[str, typer.Option(help="Another database than DATABASE_URL: postgresql://…")] = "",
    verify: Annotated[bool, typer.Option("--verify", help="Replay every table and compare all digests.")] = False,
) -> None:
    """Bring a backup back into an empty database, and to the newest shape."""
    from app.config import settings
    from app.db.dump import DumpRefused
    from app.services.checking import check_all

    if into:
        os.environ["DATABASE_URL"] = into
        settings.cache_clear()
    try:
        with readable(file) as path, database() as url:
            typer.echo(f"{file}: {said(bring_back(path, url))}")
            if not verify:
                return
            checked = with_server(check_all)
    except DumpRefused as fault:
        refuse(fault)
    for parted in checked.parted:
        typer.echo(f"table {parted.key} parts ways at entry {parted.seq}")
    typer.echo(f"{checked.tables} tables and {checked.entries} entries replayed, {len(checked.parted)} part ways")
    if checked.parted:
        raise typer.Exit(1)


def bring_back(file: Path, url: str) -> Any:
    """Reads the file into the database; what is there then. Raises ``DumpRefused``."""
    from alembic.script import ScriptDirectory

    from app.db import dump
    from app.db.migrate import alembic_config, upgrade

    revision = dump.revision_of(file)
    known = {each.revision for each in ScriptDirectory.from_config(alembic_config(url)).walk_revisions()}
    if revision not in known:
        raise dump.DumpRefused(
            f"it was written by a newer version of this server (its tables are those of {revision})"
        )
    run(dump.make_room(url))
    counted = run(dump.restore(url, file))
    upgrade(url)
    return counted
