"""What time it is, asked in one place, so that tests can move it."""

from datetime import UTC, datetime


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)
