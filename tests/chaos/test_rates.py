"""When a rate counts as recovered."""

from tests.chaos import rates

EVERY_SECOND = [float(moment) for moment in range(200)]


def test_a_rate_that_never_fell_is_back_at_the_next_event() -> None:
    assert (
        rates.recovery_seconds(EVERY_SECOND, before=1.0, after=100.5, window=20, until=150) == 0.5
    )


def test_a_rate_is_back_after_a_pause() -> None:
    paused = [moment for moment in EVERY_SECOND if not 90 <= moment < 130]
    assert rates.recovery_seconds(paused, before=1.0, after=100, window=20, until=190) == 30


def test_a_rate_that_stays_at_nine_tenths_is_not_back() -> None:
    slower = [*EVERY_SECOND[:100], *(100 + 1.12 * number for number in range(90))]
    assert rates.recovery_seconds(slower, before=1.0, after=100, window=40, until=190) is None


def test_a_window_that_is_not_over_yet_proves_nothing() -> None:
    assert rates.recovery_seconds(EVERY_SECOND, before=1.0, after=100, window=20, until=119) is None


def test_a_rate_of_nothing_is_never_back() -> None:
    assert (
        rates.recovery_seconds(EVERY_SECOND[:100], before=1.0, after=100, window=20, until=190)
        is None
    )
