"""Time that counts: what is left of a stretch without a person's quiet hours and without the time nobody could play.

A quiet hour is an hour on the clock of the person's wall; on the nights when clocks are set, a night is as long as it
is, of an hour that comes twice all of it is quiet, and what would end in an hour that is skipped ends after it.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import msgspec

Span = tuple[datetime, datetime]
LONGEST = 12
"""Hours of quiet a day: whoever wants more should not play by the hour."""
DAY = timedelta(days=1)
NOTHING = timedelta(0)


class Quiet(msgspec.Struct, frozen=True):
    """From one full hour to another, every night, in a time zone."""

    begin: int
    end: int
    zone: str

    @property
    def hours(self) -> int:
        """How long it is on most days."""
        return (self.end - self.begin) % 24

    def nights(self, since: datetime, until: datetime) -> Iterator[Span]:
        """Those that touch a stretch of time, in order."""
        zone = ZoneInfo(self.zone)
        day = since.astimezone(zone).date() - DAY
        last = until.astimezone(zone).date()
        while day <= last:
            morning = day + DAY if self.end <= self.begin else day
            begins = datetime.combine(day, time(self.begin), zone).astimezone(UTC)
            ends = max(datetime.combine(morning, time(self.end, fold=fold), zone).astimezone(UTC) for fold in (0, 1))
            if begins < ends and begins < until and since < ends:
                yield begins, ends
            day += DAY


def read(stored: str) -> Quiet | None:
    """What a seat keeps: ``22-7 Asia/Tokyo``; ``None``: no quiet hours."""
    hours, _, zone = stored.partition(" ")
    begin, _, end = hours.partition("-")
    return Quiet(int(begin), int(end), zone or "UTC") if end else None


def is_sound(hours: str) -> bool:
    """Whether that is how quiet hours are written (``22-7``, or nothing), and not too many."""
    begin, dash, end = hours.partition("-")
    if not hours:
        return True
    if not dash or not all(each in {str(hour) for hour in range(24)} for each in (begin, end)):
        return False
    return 0 < (int(end) - int(begin)) % 24 <= LONGEST


def stops(since: datetime, until: datetime, quiet: Quiet | None, gaps: Sequence[Span]) -> list[Span]:
    """The stretches in between that do not count, in order, none touching another."""
    found = [span for span in gaps if span[0] < until and since < span[1]]
    if quiet is not None:
        found += quiet.nights(since, until)
    merged: list[Span] = []
    for begins, ends in sorted(found):
        if merged and begins <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], ends))
        else:
            merged.append((begins, ends))
    return merged


def counted(since: datetime, until: datetime, quiet: Quiet | None = None, gaps: Sequence[Span] = ()) -> timedelta:
    """How much of a stretch counts."""
    if until <= since:
        return NOTHING
    if quiet is None and not gaps:
        return until - since
    idle = ((min(ends, until) - max(begins, since)) for begins, ends in stops(since, until, quiet, gaps))
    return until - since - sum(idle, NOTHING)


def after(since: datetime, length: timedelta, quiet: Quiet | None = None, gaps: Sequence[Span] = ()) -> datetime:
    """When so much time that counts has passed: never in the midst of what does not count."""
    if quiet is None and not gaps:
        return since + length
    idle = sum((ends - begins for begins, ends in gaps if ends > since), NOTHING)
    at, left = since, length
    for begins, ends in stops(since, since + 2 * length + 4 * DAY + 2 * idle, quiet, gaps):
        if begins > at:
            if at + left < begins:
                return at + left
            left -= begins - at
        at = max(at, ends)
    return at + left
