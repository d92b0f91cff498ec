"""Closings wait for the requests that a site had in hand, whole, at the last call; and for no site
that is gone.
"""

import time
from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.service.base.tables import SiteMark
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import submitting
from adjudicator.service.orders.submission import Submission
from adjudicator.service.phases import batches, site_marks
from adjudicator.service.phases.site_marks import Marker
from tests import clocks
from tests.harness import BEGIN, Harness

SECOND = timedelta(seconds=1)
NAMES = ("Alice", "Bob", "Charlie")


class Site:
    """A site whose oldest request in hand came `behind` seconds ago."""

    def __init__(self, harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
        clocks.set_clocks(monkeypatch, lambda: harness.now)
        self.harness, self.behind = harness, 0.0
        self.marker = Marker(harness.database, lambda now: now() - timedelta(seconds=self.behind))

    def look(self) -> float:
        return self.marker.look()

    def marks(self) -> list[timedelta]:
        """Return until when each site has answered everything, as long after BEGIN."""
        with self.harness.database.read_tx() as session:
            return [mark.answered_until - BEGIN for mark in session.exec(select(SiteMark))]


@pytest.fixture
def site(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> Site:
    return Site(harness, monkeypatch)


def begun(harness: Harness) -> str:
    """Return a match whose phase has its last call in an hour."""
    return harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_hours=1, grace_minutes=0))


def close(harness: Harness, uid: str) -> bool:
    """Close a phase alone or with others, which wait alike."""
    together = batches.close_phases(
        harness.database, harness.keyring, [uid], now=harness.now, monotonic=time.monotonic
    )
    return uid in together or harness.close(uid)


def test_orders_that_were_whole_in_time_count_however_late_a_thread_is_free(
    harness: Harness, site: Site
) -> None:
    uid = begun(harness)
    harness.later(minutes=59)
    site.look()
    arrived = harness.later(seconds=59)
    harness.later(seconds=2)
    assert not close(harness, uid), "the site has said nothing since the last call"
    site.behind = 2.0
    site.look()
    assert not close(harness, uid), "it has a request in hand that was whole before"
    harness.later(seconds=30)
    site.behind = 32.0
    site.look()
    assert not close(harness, uid), "and still has"
    orders = Submission(uid, harness.player("Alice"), "B3", "form", arrived, 1)
    assert submitting.submit_orders(harness.database, orders).disposition == "accepted"
    site.behind = 31.5
    site.look()
    assert not close(harness, uid), "the next one was whole half a second before, too"
    site.behind = 31.0
    site.look()
    assert close(harness, uid), "that of now was whole at the last call"
    assert "B3" in str(harness.story(uid, 1)), "they were adjudicated"


@pytest.mark.parametrize(
    ("told", "since", "waits"),
    [
        ({"minutes": 0}, {"minutes": 60, "seconds": 9}, False),  # it was gone before the last call
        ({"minutes": 58}, {"minutes": 60, "seconds": 9}, True),
        ({"minutes": 58}, {"minutes": 60, "seconds": 11}, False),  # it says nothing more
        ({"minutes": 60, "seconds": 5}, {"minutes": 60, "seconds": 14}, True),
        # a request that comes to no end
        ({"minutes": 62, "seconds": 1}, {"minutes": 62, "seconds": 2}, False),
    ],
)
def test_no_site_is_waited_for_that_is_gone_or_comes_to_no_end(
    harness: Harness, told: dict[str, int], since: dict[str, int], *, waits: bool
) -> None:
    uid = begun(harness)
    with harness.database.write_tx() as session:
        session.add(SiteMark(site="a", answered_until=BEGIN, told_at=BEGIN + timedelta(**told)))
        session.add(
            SiteMark(
                site="b",
                answered_until=BEGIN + timedelta(hours=2),
                told_at=BEGIN + timedelta(**told),
            )
        )
    harness.now = BEGIN + timedelta(**since)
    assert close(harness, uid) is not waits


def test_phases_in_which_all_are_ready_wait_for_no_site(harness: Harness, site: Site) -> None:
    uid = begun(harness)
    site.look()
    for name, text in zip(NAMES, ("B3", "C3", "W3"), strict=True):
        harness.order(uid, name, text)
    harness.later(minutes=1)
    assert close(harness, uid)


def test_a_site_tells_its_mark_when_a_phase_is_due_and_else_each_minute(
    harness: Harness, site: Site
) -> None:
    begun(harness)
    for later, marks in (
        (timedelta(0), timedelta(0)),
        (30 * SECOND, timedelta(0)),
        (31 * SECOND, 61 * SECOND),
        (timedelta(minutes=58), timedelta(minutes=59, seconds=1)),
        (58 * SECOND, timedelta(minutes=59, seconds=1)),
        (SECOND, timedelta(hours=1)),  # as the phase is due, and not later
        (SECOND, timedelta(hours=1)),
    ):
        harness.now += later
        wait = site.look()
        assert site.marks() == [marks], harness.now - BEGIN
        assert 0 < wait <= site_marks.LOOK_SECONDS
    site.marker.end()
    assert site.marks() == []


def test_a_site_looks_again_as_the_next_phase_is_due(harness: Harness, site: Site) -> None:
    begun(harness)
    harness.later(minutes=59, seconds=59.5)
    assert site.look() == pytest.approx(0.51)
    harness.later(seconds=0.5)
    site.behind = 0.1
    assert site.look() == site_marks.AGAIN_SECONDS
    harness.later(seconds=0.2)
    assert site.look() == site_marks.LOOK_SECONDS


def test_a_site_that_begins_takes_away_the_marks_of_those_that_are_gone(
    harness: Harness, site: Site
) -> None:
    with harness.database.write_tx() as session:
        for number, ago in enumerate((site_marks.GONE - SECOND, site_marks.GONE + SECOND)):
            session.add(SiteMark(site=str(number), answered_until=BEGIN - ago, told_at=BEGIN - ago))
    site.look()
    assert sorted(site.marks()) == [SECOND - site_marks.GONE, timedelta(0)]
