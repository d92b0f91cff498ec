"""Absences by letter: the commands and their answers, and what the others are told."""

import pytest

from adjudicator.mail.commands.recognition import find_command
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.matches.creation import Wish
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness

DAILY = Wish("pyramid", "Table", {}, every_hours=24)


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


@pytest.mark.parametrize(
    "line",
    [
        "absence 2026-12-20 to 2027-01-03",
        "Absence 2026-12-20 until 2027-01-03.",
        "absence 2026-12-20 - 2027-01-03",
        "absence 2026-12-20",
        "absence list",
        "absence cancel 2026-12-20",
    ],
)
def test_a_line_about_an_absence_is_a_command(line: str) -> None:
    found = find_command(line)
    assert found is not None and found[0].word.startswith("absence")


def test_a_sentence_about_an_absence_is_none() -> None:
    assert find_command("absence makes the heart grow fonder") is None


def test_an_absence_by_letter_is_kept_told_and_cancelled(harness_on_both: MailHarness) -> None:
    harness = harness_on_both
    uid = harness.match(ALICE, BOB, CHARLIE, wish=DAILY)
    report = harness.newest(BOB, "report")
    harness.answer(report, "absence 2026-11-22 to 2026-12-10")
    told = flat(harness.newest(BOB, "answer"))
    assert (
        "You are away from Sun 22 Nov 2026 to Thu 10 Dec 2026; these are days in America/New_York."
        in told
    )
    assert (
        f"Table ({uid}): the deadline of Round 1 lies in your absence" in told
        and "so it stays; you can ask for more time." in told
    )
    harness.answer(report, "absence list")
    assert f"Table ({uid}) honours 21 days a year; left: 21 for 2026." in flat(
        harness.newest(BOB, "answer")
    )
    harness.answer(report, "absence 2026-12-28 to 2027-01-05")
    assert "left: 21 for 2026 and 21 for 2027." in flat(harness.newest(BOB, "answer"))
    harness.answer(report, "absence cancel 2026-12-28")
    harness.answer(report, "absence cancel 2026-11-25")
    assert "Your absence from Sun 22 Nov 2026 to Thu 10 Dec 2026 is cancelled." in flat(
        harness.newest(BOB, "answer")
    )
    harness.answer(report, "absence list")
    assert "You have no absence ahead." in flat(harness.newest(BOB, "answer"))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("absence", "It needs the first and the last day"),
        ("absence soon", "“soon” is no day; write it like 2026-12-20."),
        ("absence 2026-12-20 to 2026-12-01", "ends on 2026-12-01, before it begins"),
        ("absence 2026-12-20 to 2027-12-20", "at most 60 days"),
        ("absence cancel", "It needs a day of the absence"),
        ("absence cancel 2026-12-20", "You have no absence on 2026-12-20"),
    ],
)
def test_what_is_no_absence_is_refused_with_a_sentence(
    harness: MailHarness, line: str, sentence: str
) -> None:
    harness.match(ALICE, BOB, CHARLIE, wish=DAILY)
    harness.answer(harness.newest(BOB, "report"), line)
    assert sentence in flat(harness.newest(BOB, "answer"))


def test_an_unproved_address_is_asked_first(harness: MailHarness) -> None:
    harness.match(ALICE, BOB, CHARLIE, wish=DAILY)
    assert harness.write(BOB, SERVICE, "absence 2026-12-20 to 2027-01-03").disposition == "asked"
    harness.answer(harness.newest(BOB, "confirm"), "yes")
    assert "You are away" in flat(harness.newest(BOB, "answer"))


def test_reports_tell_the_others_that_a_deadline_moved_and_nothing_of_the_calendar(
    harness: MailHarness,
) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=DAILY)
    harness.answer(
        harness.newest(BOB, "report"), "absence 2026-11-23 to 2026-11-27\nabsence 2026-12-24"
    )
    for who in (ALICE, BOB, CHARLIE):
        harness.answer(harness.newest(who, "report"), "B1")
    harness.later(minutes=1)
    assert harness.close(uid)
    others, own = (harness.newest(who, "report") for who in (ALICE, BOB))
    assert "The deadline of Round 2 was moved past an absence." in flat(others)
    assert not any(
        word in others.text + others.html
        for word in ("2026-11-27", "27 Nov", "24 Dec", "21 are left", "16 of 21", "Bob’s absence")
    )
    assert (
        "moved past your absence. Of the days that this match honours, 16 of 21 are left for 2026."
        in flat(own)
    )
