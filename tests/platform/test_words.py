"""Times and spans formatted for people."""

from datetime import UTC, datetime, timedelta

import pytest

from adjudicator.platform import words

NOON = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("Europe/Paris", "Tue 24 Nov 13:00 (Paris)"),
        ("America/New_York", "Tue 24 Nov 07:00 (New York)"),
        ("America/Argentina/Buenos_Aires", "Tue 24 Nov 09:00 (Buenos Aires)"),
        ("Pacific/Kiritimati", "Wed 25 Nov 02:00 (Kiritimati)"),
        ("Asia/Kathmandu", "Tue 24 Nov 17:45 (Kathmandu)"),
        ("UTC", "Tue 24 Nov 12:00 (UTC)"),
        ("Etc/UTC", "Tue 24 Nov 12:00 (UTC)"),
        ("Etc/GMT+5", "Tue 24 Nov 07:00 (UTC-5)"),
        ("Etc/GMT-14", "Wed 25 Nov 02:00 (UTC+14)"),
        ("Atlantis/Lost", "Tue 24 Nov 12:00 (UTC)"),
        ("../../etc/passwd", "Tue 24 Nov 12:00 (UTC)"),
        ("", "Tue 24 Nov 12:00 (UTC)"),
    ],
)
def test_a_moment_is_told_in_the_readers_zone_by_its_city(zone: str, told: str) -> None:
    assert words.format_moment(NOON, zone) == told


def test_a_moment_may_tell_its_year() -> None:
    assert words.format_moment(NOON, "UTC", year=True) == "Tue 24 Nov 2026 12:00 (UTC)"


def test_the_repeated_hour_of_a_clock_change_is_told_apart() -> None:
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    told = [words.format_moment(first + timedelta(hours=hours), "Europe/Paris") for hours in (-1, 0, 1, 2)]
    assert told == [
        "Sun 25 Oct 01:30 (Paris)",
        "Sun 25 Oct 02:30 CEST (Paris)",
        "Sun 25 Oct 02:30 CET (Paris)",
        "Sun 25 Oct 03:30 (Paris)",
    ]


def test_the_skipped_hour_of_a_clock_change_needs_no_telling_apart() -> None:
    assert words.format_moment(datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "Europe/Paris") == "Sun 29 Mar 03:30 (Paris)"


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="without a zone"):
        words.format_moment(datetime(2026, 11, 24), "UTC")  # noqa: DTZ001 that is what is tested


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "now"),
        (0.4, "now"),
        (1, "in 1 second"),
        (89, "in 89 seconds"),
        (90, "in 2 minutes"),
        (2400, "in 40 minutes"),
        (3600, "in 1 hour"),
        (119 * 60 + 29, "in 119 minutes"),
        (119 * 60 + 30, "in 2 hours"),
        (86400, "in 24 hours"),
        (47 * 3600, "in 47 hours"),
        (2 * 86400 - 2, "in 2 days"),
        (30 * 86400, "in 30 days"),
        (-300, "5 minutes ago"),
        (-1, "1 second ago"),
        (-90000, "25 hours ago"),
    ],
)
def test_a_distance_is_told_to_the_nearest_unit(seconds: float, told: str) -> None:
    assert words.format_distance(NOON + timedelta(seconds=seconds), NOON) == told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "0 seconds"),
        (20, "20 seconds"),
        (90, "90 seconds"),
        (600, "10 minutes"),
        (3600, "1 hour"),
        (5400, "90 minutes"),
        (86400, "24 hours"),
        (129600, "36 hours"),
        (172800, "2 days"),
        (3601, "1 hour and 1 second"),
        (90061, "1 day, 1 hour, 1 minute and 1 second"),
        (30 * 86400, "30 days"),
    ],
)
def test_a_span_is_told_exactly(seconds: float, told: str) -> None:
    assert words.format_duration(seconds) == told
