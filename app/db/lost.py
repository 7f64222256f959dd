"""When Postgres does not answer: how that is recognised, and that it is logged once, not every second."""

import logging

import asyncpg
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

LOST = (OSError, SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What is raised then: by the system, by the pool, and by the driver beneath it."""


def is_outage(fault: BaseException) -> bool:
    """Whether Postgres cannot be reached, or says that it is not ready; else it was asked something wrong."""
    beneath = getattr(fault, "orig", None) or fault
    state = str(getattr(beneath, "sqlstate", None) or "")
    return isinstance(fault, OSError | PoolTimeout) or state[:2] in {"08", "53", "57"}


def reason(fault: BaseException) -> str:
    """Why there is no answer, in one line."""
    return (str(getattr(fault, "orig", None) or fault).splitlines() or [type(fault).__name__])[0]


class Outage:
    """What somebody who asks again and again says of it: once that there is no answer, once that there is one."""

    def __init__(self, logger: logging.Logger, doing: str) -> None:
        self._logger = logger
        self._doing = doing
        self._lasts = False

    def begun(self, fault: Exception) -> None:
        """There was no answer."""
        if not self._lasts:
            self._logger.warning("%s: the database does not answer: %s", self._doing, reason(fault))
        self._lasts = True

    def over(self) -> None:
        """There was one."""
        if self._lasts:
            self._logger.warning("%s: the database answers again", self._doing)
        self._lasts = False
