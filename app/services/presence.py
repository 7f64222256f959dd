"""Who is away: a person whose browser has shown no page of ours for some minutes."""

from datetime import datetime, timedelta

from app.services.facts import SeatFacts

AWAY = timedelta(minutes=4)
"""Open pages say every minute that they are there, and at most one write a minute is kept of it."""


def is_away(seat: SeatFacts, now: datetime) -> bool:
    """Whether a person sits there who is not here."""
    return seat.user_id is not None and seat.seen_at is not None and seat.seen_at < now - AWAY
