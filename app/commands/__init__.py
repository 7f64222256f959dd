"""The commands, each with ``--help``; a refusal is one line and an exit code of 1."""

from app.commands import measuring, playing, serving
from app.commands.console import console

__all__ = ["console", "main", "measuring", "playing", "serving"]


def main() -> None:
    """Runs the command that was written."""
    console()
