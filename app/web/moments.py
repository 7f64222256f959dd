"""Days and times as a reader writes them, in the time zone that is theirs."""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_date, format_datetime, get_timezone_location

from app.services import clock


@cache
def zone_of(name: str) -> tzinfo:
    """A time zone; UTC when none was chosen."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def day(at: datetime, zone: str, *, language: str) -> str:
    """The day, short: the year only when it is another one."""
    here, now = at.astimezone(zone_of(zone)), clock.now().astimezone(zone_of(zone))
    skeleton = {"en": ("d MMM", "d MMM y"), "ja": ("M月d日", "y年M月d日")}[language]
    return format_date(here, skeleton[here.year != now.year], locale=language)


def month(at: datetime, zone: str, *, language: str) -> str:
    """The month and the year."""
    here = at.astimezone(zone_of(zone))
    return format_date(here, {"en": "MMMM y", "ja": "y年M月"}[language], locale=language)


def moment(at: datetime, zone: str, *, language: str) -> str:
    """Day and time, exactly."""
    return format_datetime(at.astimezone(zone_of(zone)), "medium", locale=language)


def stamp(at: datetime, zone: str, *, language: str) -> str:
    """The time to the second, and the day when it was another one."""
    here, now = at.astimezone(zone_of(zone)), clock.now().astimezone(zone_of(zone))
    time = f"{here:%H:%M:%S}"
    return time if here.date() == now.date() else f"{day(at, zone, language=language)} {time}"


def time(at: datetime, zone: str) -> str:
    """The time to the minute."""
    return f"{at.astimezone(zone_of(zone)):%H:%M}"


def days_ago(at: datetime, zone: str) -> int:
    """How many midnights ago that was."""
    here, now = at.astimezone(zone_of(zone)), clock.now().astimezone(zone_of(zone))
    return (now.date() - here.date()).days


def offset(zone: str) -> str:
    """How far the clocks of a time zone are from those of the world now (``UTC+9``): it names no place."""
    apart = clock.now().astimezone(zone_of(zone)).utcoffset() or timedelta(0)
    hours, minutes = divmod(abs(apart) // timedelta(minutes=1), 60)
    sign = "+" if apart > timedelta(0) else "-"
    return f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "") if apart else "UTC"


@cache
def city(name: str, *, language: str) -> str:
    """The city that a time zone is named for."""
    return get_timezone_location(name, locale=language, return_city=True)
