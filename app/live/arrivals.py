"""When the click came of which is being told: from there until its zones are sent is what people wait for."""

from contextvars import ContextVar

arrived: ContextVar[float | None] = ContextVar("arrived", default=None)
"""Seconds of the clock of day, which processes compare, while a click is answered or told of; bots do not click."""
