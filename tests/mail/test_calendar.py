"""The deadline as a calendar entry: one for each match and seat, replaced by newer ones, and
without orders.
"""

from datetime import timedelta
from typing import Any

import icalendar
import pytest

from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.matches import masters
from tests.mail.composed import compose_letter
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness


def entry(post_harness: MailHarness, claimed: LetterToSend) -> tuple[Any, icalendar.Event]:
    """Return a letter's calendar part and its parsed entry."""
    letter = compose_letter(post_harness.settings, claimed, lambda svg: b"\x89PNG")
    (found,) = [part for part in letter.walk() if part.get_content_type() == "text/calendar"]
    (event,) = icalendar.Calendar.from_ical(found.get_content()).walk("VEVENT")
    return found, event


def test_a_report_holds_the_deadline_for_the_calendar(post_harness: MailHarness) -> None:
    post_harness.begin(ALICE, BOB, CHARLIE, name="The Long, Long Table; \u00e0 trois")
    part, event = entry(post_harness, post_harness.claim("report", ALICE))
    assert (part.get_filename(), part["Content-Type"].params["method"]) == (
        "deadline.ics",
        "PUBLISH",
    )
    assert part.get_content_disposition() == "attachment"
    assert event["SUMMARY"] == "Orders for Round 1 of The Long, Long Table; \u00e0 trois"
    assert event["DTSTART"].dt == post_harness.now + timedelta(hours=48)
    assert event["DTSTART"].to_ical().endswith(b"Z")
    assert event["URL"] == f"https://orders.example.org/matches/{post_harness.uid}"
    (alarm,) = event.walk("VALARM")
    assert alarm["TRIGGER"].dt == timedelta(days=-1)


def test_a_newer_entry_replaces_the_one_before_and_no_other_seats(
    post_harness: MailHarness,
) -> None:
    post_harness.begin(ALICE, BOB, CHARLIE)
    _, first = entry(post_harness, post_harness.claim("report", ALICE))
    _, other = entry(post_harness, post_harness.claim("report", BOB))
    post_harness.play_round("B3", "W3", "C2")
    _, second = entry(post_harness, post_harness.claim("report", ALICE))
    assert first["UID"] == second["UID"] != other["UID"]
    assert (first["SEQUENCE"], second["SEQUENCE"]) == (1, 2)
    assert second["SUMMARY"] == "Orders for Round 2 of Evening Pyramid"
    assert not {"B3", "W3", "C2"} & set(second.to_ical().decode().split())


@pytest.mark.parametrize("paused", [False, True])
def test_a_deadline_that_was_moved_is_moved_in_the_calendar_too(
    post_harness: MailHarness, paused: bool
) -> None:
    post_harness.begin(ALICE, BOB, CHARLIE)
    _, first = entry(post_harness, post_harness.claim("report", ALICE))
    post_harness.later(minutes=1)
    if paused:
        masters.pause_match(post_harness.database, post_harness.uid, None, now=post_harness.now)
        post_harness.later(hours=24)
        masters.resume_match(post_harness.database, post_harness.uid, None, now=post_harness.now)
    else:
        masters.move_deadline(
            post_harness.database, post_harness.uid, None, timedelta(hours=24), now=post_harness.now
        )
    _, moved = entry(post_harness, post_harness.claim("notice", ALICE))
    assert moved["DTSTART"].dt == first["DTSTART"].dt + timedelta(hours=24)
    assert (moved["UID"], moved["SEQUENCE"], moved["SUMMARY"]) == (
        first["UID"],
        first["SEQUENCE"],
        first["SUMMARY"],
    )
    # of two with one number the younger counts (RFC 5546, 2.1.5)
    assert moved["DTSTAMP"].dt > first["DTSTAMP"].dt


@pytest.mark.parametrize(
    ("hours", "early"), [(24 * 7, 24), (36, 24), (24, 3), (4, 3), (2, 0.5), (0.5, None)]
)
def test_the_warning_fits_the_time_there_is(
    post_harness: MailHarness, hours: float, early: float | None
) -> None:
    post_harness.begin(ALICE, BOB, CHARLIE)
    claimed = post_harness.claim("report", ALICE)
    claimed.context["owed"]["deadline"] = (claimed.made_at + timedelta(hours=hours)).isoformat()
    warnings = [alarm["TRIGGER"].dt for alarm in entry(post_harness, claimed)[1].walk("VALARM")]
    assert warnings == ([] if early is None else [-timedelta(hours=early)])


def test_who_owes_nothing_gets_no_entry(post_harness: MailHarness) -> None:
    post_harness.begin(ALICE, BOB, CHARLIE)
    for piece in ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2"):
        post_harness.play_round(piece, piece, piece)
    letter = compose_letter(post_harness.settings, post_harness.claim("report", ALICE))
    assert "deadline.ics" not in [part.get_filename() for part in letter.walk()]
