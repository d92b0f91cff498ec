"""Times and spans formatted for people."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from markupsafe import Markup

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
    told = [
        words.format_moment(first + timedelta(hours=hours), "Europe/Paris")
        for hours in (-1, 0, 1, 2)
    ]
    assert told == [
        "Sun 25 Oct 01:30 (Paris)",
        "Sun 25 Oct 02:30 CEST (Paris)",
        "Sun 25 Oct 02:30 CET (Paris)",
        "Sun 25 Oct 03:30 (Paris)",
    ]


def test_the_skipped_hour_of_a_clock_change_needs_no_telling_apart() -> None:
    assert (
        words.format_moment(datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "Europe/Paris")
        == "Sun 29 Mar 03:30 (Paris)"
    )


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


@pytest.mark.parametrize("days", [-60, -2, -1, 0, 1, 2, 3, 60])
def test_a_distance_stays_until_the_moment_that_is_named_for_it(days: int) -> None:
    edges = (
        0,
        1,
        30,
        60,
        89,
        90,
        91,
        149,
        150,
        3569,
        3570,
        3629,
        3630,
        7169,
        7170,
        7171,
        9000,
        171_000,
        171_001,
    )
    for seconds in (days * 86_400 + sign * edge for edge in edges for sign in (1, -1)):
        at = NOON + timedelta(seconds=seconds)
        told, until = words.format_distance(at, NOON), words.distance_lasts(at, NOON)
        assert until > NOON
        for fraction in (0.1, 0.5, 0.9, 0.999999):
            assert words.format_distance(at, NOON + fraction * (until - NOON)) == told, (
                seconds,
                fraction,
            )
        assert words.format_distance(at, until + timedelta(milliseconds=1)) != told, seconds


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


@pytest.mark.parametrize(
    ("locale", "moment", "distance", "span", "parts", "number"),
    [
        (
            "en_GB",
            "Tue 24 Nov 2026 13:00 (Paris)",
            "in 2 days",
            "1 hour and 1 second",
            "a, b or c",
            "12,345.5",
        ),
        (
            "de",
            "Di., 24. Nov. 2026 13:00 (Paris)",
            "in 2 Tagen",
            "1 Stunde und 1 Sekunde",
            "a, b oder c",
            "12.345,5",
        ),
        (
            "ru",
            "вт, 24 нояб. 2026\u202fг. 13:00 (Paris)",
            "через 2 дня",
            "1 час и 1 секунда",
            "a, b или c",
            "12\u00a0345,5",
        ),
    ],
)
def test_all_is_told_in_the_language_that_is_written_in(
    locale: str, moment: str, distance: str, span: str, parts: str, number: str
) -> None:
    with words.writing_in(locale):
        assert words.format_moment(NOON, "Europe/Paris", year=True) == moment
        assert words.format_distance(NOON + timedelta(days=2), NOON) == distance
        assert words.format_duration(3601) == span
        assert words.join_list(["a", "b", "c"], "or") == parts
        assert words.format_number(12345.5, digits=1) == number
        assert words.language_tag() == locale.replace("_", "-")
    assert words.language_tag() == "en-GB"


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0 seats are free"), (1, "1 seat is free"), (1234, "1,234 seats are free")],
)
def test_a_number_chooses_among_whole_sentences(number: int, told: str) -> None:
    assert words.plural(number, "{n} seat is free", "{n} seats are free") == told


def test_values_of_a_sentence_that_is_html_are_escaped() -> None:
    told = words.plural(
        2, Markup("<b>{n}</b> by {name}"), Markup("<b>{n}</b> each by {name}"), name="<Eve>"
    )
    assert told == "<b>2</b> each by &lt;Eve&gt;"


@pytest.mark.parametrize(
    ("points", "told"),
    [
        (Fraction(3), "3"),
        (Fraction(1, 2), "½"),
        (Fraction(5, 2), "2½"),
        (Fraction(100, 3), "33.33"),
    ],
)
def test_points_are_told_with_at_most_two_decimals(points: Fraction, told: str) -> None:
    assert words.format_points(points) == told
