"""What is logged, and about which request, table and person: by their numbers, and nothing else of them."""

import json
import logging
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

_about: ContextVar[dict[str, Any] | None] = ContextVar("about", default=None)


def begin(**facts: int | str) -> None:
    """Something begins in this task: what is logged from here on is about it."""
    _about.set(dict(facts))


def about(**facts: int | str) -> None:
    """It is known of it by now that it is about this ``table``, this ``person``."""
    known = _about.get()
    if known is not None:
        known.update(facts)


class Numbers(logging.Filter):
    """Gives every record what it is about, in the task that says it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """All pass."""
        record.about = {**(_about.get() or {}), **getattr(record, "facts", {})}
        return True


class Lines(logging.Formatter):
    """For people: one line, and what went wrong beneath it."""

    def format(self, record: logging.LogRecord) -> str:
        """When, how grave, where, what, about what."""
        facts = " ".join(f"{name}={value}" for name, value in facts_of(record).items())
        words = f"{moment(record)} {record.levelname} {record.name}: {record.getMessage()}{facts and f' [{facts}]'}"
        return f"{words}\n{fault}" if (fault := fault_of(self, record)) else words


class Objects(logging.Formatter):
    """For machines: one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The same."""
        said = {
            "time": moment(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **facts_of(record),
        }
        if fault := fault_of(self, record):
            said["fault"] = fault
        return json.dumps(said, ensure_ascii=False, default=str)


def facts_of(record: logging.LogRecord) -> Mapping[str, Any]:
    """What a record is about."""
    facts: dict[str, Any] = getattr(record, "about", {})
    return facts


def moment(record: logging.LogRecord) -> str:
    """When it was said."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fault_of(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """The traceback, without the lines in which Postgres quotes what was to be stored."""
    if not record.exc_info:
        return ""
    lines = formatter.formatException(record.exc_info).splitlines()
    return "\n".join(line for line in lines if not line.lstrip("| ").startswith("DETAIL:"))


def install(level: str, form: str) -> None:
    """Everything that this process says goes to its standard error, in one form."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(Numbers())
    handler.setFormatter(Objects() if form == "json" else Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level]))  # others are loud, and tell too much
    logging.getLogger("app").setLevel(level)
    logging.getLogger("alembic").setLevel(level_of_others(level, form).upper())


def level_of_others(level: str, form: str) -> str:
    """How much those say on whom we stand: never all, for they would log cookies; and to people, whom the address
    concerns and not how one came there, only what is wrong."""
    if level == "INFO" and form == "text":
        return "warning"
    return "info" if level == "DEBUG" else level.lower()
