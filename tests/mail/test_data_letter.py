"""`send my data`: what is kept about a player, as a file, to the proved address alone and once a
day.
"""

import json

import pytest
from sqlmodel import select

from adjudicator.service.base.tables import Letter
from adjudicator.service.people import data_letter, own_data
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat

MALLORY = "mallory@example.org"


def sent(harness: MailHarness) -> list[str]:
    """Return the addresses that a file of data was sent to."""
    with harness.database.read_tx() as session:
        return [
            row.address
            for row in session.exec(select(Letter).where(Letter.kind == "data").order_by(Letter.id))
        ]  # type: ignore[arg-type]  # a column


def test_the_letter_has_the_same_file_as_the_site(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    with harness.database.read_tx() as session:
        kept = own_data.own_data(session, harness.people[ALICE])
    harness.answer(harness.newest(ALICE, "report"), "send my data")
    assert f"What is kept about you goes to {ALICE} as a file" in flat(
        harness.newest(ALICE, "answer")
    )
    letter = harness.newest(ALICE, "data")
    (file,) = harness.message(letter.name).iter_attachments()
    assert (file.get_content_type(), file.get_filename()) == (
        "application/json",
        "sealed-orders-data.json",
    )
    told = json.loads(file.get_content())
    assert (
        told["account"] == kept["account"]
        and told["seats"] == kept["seats"]
        and told["account"]["address"] == ALICE
    )
    assert sent(harness) == [ALICE]


def test_it_is_sent_once_a_day(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    for hours, times in ((0, 1), (23, 1), (2, 2)):
        harness.later(hours=hours, seconds=1)
        harness.answer(harness.newest(ALICE, "report"), "send my data")
        assert ("within the last day" in flat(harness.newest(ALICE, "answer"))) == (hours == 23)
        assert len(sent(harness)) == times


def test_an_address_that_proves_nothing_is_asked_first_and_a_strangers_gets_nothing(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.write(ALICE, SERVICE, "send my data")
    harness.write(MALLORY, SERVICE, "send my data")
    assert sent(harness) == []
    harness.later(seconds=1)
    harness.answer(harness.newest(ALICE, "confirm"), "yes")
    assert sent(harness) == [ALICE]


def test_whoever_knows_a_seats_address_gets_nothing_of_it(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "send my data", sender=MALLORY)
    assert sent(harness) == [ALICE], "it goes to the address that the player proved"


def test_more_than_a_letter_carries_is_refused_with_the_way_to_it(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_letter, "LARGEST", 100)
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "send my data")
    assert (
        "too large for a letter; the account page has it" in flat(harness.newest(ALICE, "answer"))
        and sent(harness) == []
    )
