"""The commands, each with ``--help``; a refusal is one line and an exit code of 1 (of 2: it cannot be read)."""

import socket
import sys
from urllib.parse import urlsplit

import asyncpg
import typer
from alembic.util import CommandError
from pydantic import ValidationError
from typer.exceptions import TyperException

from app.commands import backups, counting, measuring, playing, serving
from app.commands.console import console, one_line
from app.config import settings, variable
from app.db.lost import LOST
from app.engine.editions import EditionRefused, NoSuchEdition

__all__ = ["backups", "console", "counting", "main", "measuring", "playing", "serving"]


def main() -> None:
    """Runs the command that was written; what is wrong with it or with the settings is said in one line."""
    try:
        code = console(sys.argv[1:] or ["--help"], standalone_mode=False)
    except TyperException as fault:
        sys.exit(refused(fault.format_message(), 2))
    except ValidationError as fault:
        first = fault.errors()[0]
        name = variable(str(first["loc"][0])) if first["loc"] else "settings"
        sys.exit(refused(f"setting {name}: {first['msg'].removeprefix('Value error, ')}", 1))
    except CommandError as fault:
        sys.exit(refused(f"the database was made by a newer version of this server: {fault}", 1))
    except EditionRefused as fault:
        sys.exit(refused(f"edition {fault}", 1))
    except NoSuchEdition as fault:
        sys.exit(refused(f"a table is played with an edition that is not here any more: {fault}", 1))
    except LOST as fault:
        sys.exit(refused(lost(fault), 1))
    sys.exit(code if isinstance(code, int) else 0)


def lost(fault: Exception) -> str:
    """Why the database, or what else the command needs of this machine, could not be reached."""
    beneath = getattr(fault, "orig", None) or fault
    given = urlsplit(settings().database_url)
    kinds = (ConnectionError, socket.gaierror, TimeoutError, asyncpg.InvalidAuthorizationSpecificationError)
    if given.scheme and isinstance(beneath, (*kinds, asyncpg.InvalidCatalogNameError)):
        where = f"{given.hostname or 'this machine'}, port {given.port or 5432}"
        return (
            f"the database “{given.path.lstrip('/')}” at {where} (setting DATABASE_URL) does not let us in: {beneath}"
        )
    return str(beneath)


def refused(reason: object, code: int) -> int:
    """Says why, and the exit code."""
    typer.echo(f"error: {one_line(reason)}", err=True)
    return code
