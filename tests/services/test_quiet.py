"""Quiet hours: time that counts, across the nights when clocks are set."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.services.quiet import LONGEST, Quiet, after, counted, is_sound, read

BERLIN = "Europe/Berlin"
ZONES = ("UTC", BERLIN, "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca")
hour = timedelta(hours=1)
moments = st.datetimes(datetime(2024, 1, 1), datetime(2027, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))
quiets = st.builds(
    lambda begin, hours, zone: Quiet(begin, (begin + hours) % 24, zone),
    st.integers(0, 23),
    st.integers(1, LONGEST),
    st.sampled_from(ZONES),
)
lengths = st.timedeltas(timedelta(seconds=1), timedelta(days=9))
gaps = st.lists(st.tuples(moments, st.timedeltas(timedelta(0), timedelta(days=2))), max_size=3).map(
    lambda each: [(at, at + length) for at, length in each]
)


def at(year: int, month: int, day: int, hour: int) -> datetime:
    return datetime(year, month, day, hour, tzinfo=ZoneInfo(BERLIN)).astimezone(UTC)


NIGHT = Quiet(22, 7, BERLIN)


def test_a_night_in_between_does_not_count() -> None:
    assert counted(at(2026, 6, 1, 20), at(2026, 6, 2, 9), NIGHT) == 4 * hour
    assert after(at(2026, 6, 1, 20), 3 * hour, NIGHT) == at(2026, 6, 2, 8)


def test_who_is_asked_at_night_begins_in_the_morning() -> None:
    assert after(at(2026, 6, 1, 23), hour, NIGHT) == at(2026, 6, 2, 8)


def test_time_that_would_end_at_bedtime_ends_in_the_morning() -> None:
    assert after(at(2026, 6, 1, 20), 2 * hour, NIGHT) == at(2026, 6, 2, 7)


def test_hours_within_one_day_may_be_quiet_too() -> None:
    working = Quiet(9, 17, BERLIN)
    assert after(at(2026, 6, 1, 8), 2 * hour, working) == at(2026, 6, 1, 18)


def test_in_the_night_that_loses_an_hour_the_morning_is_still_at_seven() -> None:
    evening = at(2026, 3, 28, 21)
    assert after(evening, 2 * hour, NIGHT) == at(2026, 3, 29, 8)
    assert after(evening, 2 * hour, NIGHT) - evening == 10 * hour


def test_in_the_night_that_has_an_hour_twice_the_morning_is_still_at_seven() -> None:
    evening = at(2026, 10, 24, 21)
    assert after(evening, 2 * hour, NIGHT) == at(2026, 10, 25, 8)
    assert after(evening, 2 * hour, NIGHT) - evening == 12 * hour


def test_an_hour_that_comes_twice_is_quiet_both_times() -> None:
    assert counted(at(2026, 10, 25, 1), at(2026, 10, 25, 4), Quiet(2, 3, BERLIN)) == 2 * hour


def test_an_hour_that_does_not_come_is_no_quiet_one() -> None:
    assert counted(at(2026, 3, 29, 1), at(2026, 3, 29, 4), Quiet(2, 3, BERLIN)) == 2 * hour


@pytest.mark.parametrize(
    ("quiet", "begins", "ends"),
    [
        (Quiet(22, 2, BERLIN), datetime(2026, 3, 28, 21), datetime(2026, 3, 29, 1)),
        (Quiet(1, 2, BERLIN), datetime(2026, 3, 29, 0), datetime(2026, 3, 29, 1)),
        (Quiet(20, 0, "Africa/Cairo"), datetime(2026, 4, 23, 18), datetime(2026, 4, 23, 22)),
        (Quiet(22, 2, BERLIN), datetime(2026, 10, 24, 20), datetime(2026, 10, 25, 1)),
    ],
)
def test_a_night_that_ends_in_an_hour_that_does_not_come_or_comes_twice_is_as_long_as_agreed(
    quiet: Quiet, begins: datetime, ends: datetime
) -> None:
    noon = begins.replace(hour=12, minute=0, tzinfo=UTC) - timedelta(days=begins.hour < 12)
    assert list(quiet.nights(noon, noon + timedelta(days=1))) == [
        (begins.replace(tzinfo=UTC), ends.replace(tzinfo=UTC))
    ]


def test_each_person_sleeps_in_their_own_zone() -> None:
    tokyo = Quiet(22, 7, "Asia/Tokyo")
    noon = datetime(2026, 6, 1, 12, tzinfo=UTC)
    assert after(noon, 2 * hour, NIGHT) == noon + 2 * hour
    assert after(noon, 2 * hour, tokyo) == datetime(2026, 6, 1, 23, tzinfo=UTC)


def test_what_an_outage_took_comes_on_top() -> None:
    noon = at(2026, 6, 1, 12)
    assert after(noon, hour, NIGHT, [(noon + hour / 2, noon + hour)]) == noon + hour * 3 / 2


@given(moments, lengths, quiets, gaps)
def test_between_a_moment_and_its_deadline_exactly_the_length_counts(
    since: datetime, length: timedelta, quiet: Quiet, outages: list[tuple[datetime, datetime]]
) -> None:
    deadline = after(since, length, quiet, outages)
    assert counted(since, deadline, quiet, outages) == length


@given(moments, lengths, quiets, gaps)
def test_a_deadline_is_never_in_the_midst_of_what_does_not_count(
    since: datetime, length: timedelta, quiet: Quiet, outages: list[tuple[datetime, datetime]]
) -> None:
    deadline = after(since, length, quiet, outages)
    spans = [*outages, *quiet.nights(deadline - timedelta(days=2), deadline + timedelta(days=2))]
    assert not any(begins <= deadline < ends for begins, ends in spans)


@given(moments, lengths, lengths, quiets)
def test_time_that_counts_adds_up(since: datetime, one: timedelta, two: timedelta, quiet: Quiet) -> None:
    middle, end = since + one, since + one + two
    assert counted(since, middle, quiet) + counted(middle, end, quiet) == counted(since, end, quiet)


@pytest.mark.parametrize(
    ("hours", "sound"),
    [(each, True) for each in ("", "22-7", "0-12")]
    + [(each, False) for each in ("0-13", "7-7", "24-3", "a-b", "5", "05-7")],
)
def test_quiet_hours_are_written_so(hours: str, sound: bool) -> None:
    assert is_sound(hours) is sound


def test_a_seat_keeps_them_with_their_zone() -> None:
    assert read("22-7 Asia/Tokyo") == Quiet(22, 7, "Asia/Tokyo")
    assert read("22-7") == Quiet(22, 7, "UTC")
    assert read("") is None
