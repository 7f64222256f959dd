"""How a lost database is recognised, and told from a mistake of ours."""

import logging

import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.db.lost import LOST, Outage, is_outage, reason


@pytest.mark.parametrize(
    ("fault", "outage"),
    [
        (FileNotFoundError(2, "No such file"), True),
        (ConnectionRefusedError(111, "refused"), True),
        (PoolTimeout("no connection within 10 seconds"), True),
        (asyncpg.CannotConnectNowError("starting up"), True),
        (DBAPIError("SELECT 1", {}, asyncpg.AdminShutdownError("shut down")), True),
        (DBAPIError("SELECT 1", {}, asyncpg.TooManyConnectionsError("too many")), True),
        (DBAPIError("SELECT 1", {}, asyncpg.UndefinedTableError("no such table")), False),
        (asyncpg.UniqueViolationError("twice"), False),
    ],
)
def test_an_outage_is_told_from_a_mistake(fault: Exception, outage: bool) -> None:
    assert isinstance(fault, LOST)
    assert is_outage(fault) is outage
    assert "\n" not in reason(fault)
    assert "SELECT" not in reason(fault)


def test_an_outage_is_said_once_and_its_end_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    outage = Outage(logging.getLogger("test"), "the sweep")
    outage.over()
    for _ in range(5):
        outage.begun(OSError("gone"))
    for _ in range(5):
        outage.over()
    assert [record.getMessage() for record in caplog.records] == [
        "the sweep: the database does not answer: gone",
        "the sweep: the database answers again",
    ]
