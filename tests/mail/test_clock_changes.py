"""A deadline after a clock change is shown in the local time of that day, not with the offset of
the day of writing.
"""

from datetime import UTC, datetime

import pytest
from sqlmodel import col, update

from adjudicator.service.base.tables import Player
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness

# The clock as a match begins, the player's zone, and what 48 hours later is called there.
CHANGES = [
    (
        datetime(2026, 10, 24, 12, 0, tzinfo=UTC),
        "Europe/Paris",
        "Mon 26 Oct 13:00",
        "20261026T120000Z",
    ),
    (
        datetime(2026, 3, 28, 12, 0, tzinfo=UTC),
        "Europe/Paris",
        "Mon 30 Mar 14:00",
        "20260330T120000Z",
    ),
    (
        datetime(2026, 10, 31, 12, 0, tzinfo=UTC),
        "America/New_York",
        "Mon 2 Nov 07:00",
        "20261102T120000Z",
    ),
    (
        datetime(2026, 10, 3, 6, 0, tzinfo=UTC),
        "Australia/Sydney",
        "Mon 5 Oct 17:00",
        "20261005T060000Z",
    ),
]


@pytest.mark.parametrize(("begins", "zone", "told", "stamped"), CHANGES)
def test_letters_tell_a_deadline_beyond_a_change_of_the_clocks(
    harness: MailHarness, begins: datetime, zone: str, told: str, stamped: str
) -> None:
    harness.now = begins
    for address in (ALICE, BOB, CHARLIE):
        harness.player(address)
    with harness.database.write_tx() as session:
        session.exec(update(Player).where(col(Player.address) == ALICE).values(zone=zone))
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    assert told in report.text and told in str(harness.message(report.name)["Subject"])
    whole = harness.message(report.name)
    assert (
        told
        in next(
            part for part in whole.walk() if part.get_content_type() == "text/html"
        ).get_content()
    )
    calendar = next(
        part for part in whole.walk() if part.get_content_type() == "text/calendar"
    ).get_content()
    assert stamped in (calendar.decode() if isinstance(calendar, bytes) else calendar)
    harness.answer(report, "B3", "wait")
    harness.post_all()
    assert told in harness.newest(ALICE, "receipt").text, (
        "the receipt says until when it can be changed"
    )
