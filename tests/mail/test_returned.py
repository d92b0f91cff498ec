"""Mail servers' reports: delays stop nothing, bounces stop a player's letters, complaints are not
shown to masters.
"""

from datetime import datetime

import pytest
from sqlmodel import select

from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.tokens.filling import return_token
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness
from tests.mail.reading import expected, raw
from tests.mail.test_orders_by_letter import begun

EXPECTED = expected()
REPORTS = {name: wanted["bounces"] for name, wanted in EXPECTED.items() if wanted.get("bounces")}
PASSING = sorted(
    name
    for name, told in REPORTS.items()
    if not any(each["final"] and each["status"][:1] != "4" for each in told)
)
FINAL = sorted(set(REPORTS) - set(PASSING))
COMPLAINTS = sorted(name for name, wanted in EXPECTED.items() if wanted.get("complaint"))


def returned(harness: MailHarness, name: str) -> str:
    """Send Bob a report, have it come back as this letter of the corpus tells, and return the
    disposition.
    """
    begun(harness)
    letter = next(row for row in harness.rows() if row.kind == "report" and row.address == BOB)
    assert harness.deliver(
        f"orders+b-{return_token(harness.keyring, letter)}@example.org", raw(name), null_sender=True
    )
    (outcome,) = harness.read_all()
    return outcome.disposition


def bob(harness: MailHarness) -> tuple[datetime | None, bool]:
    """Return since when Bob's letters come back, and whether he has letters."""
    with harness.database.read_tx() as session:
        player = session.exec(select(Player).where(Player.address == BOB)).one()
        return player.bounced_at, player.letters


def state(harness: MailHarness) -> str:
    with harness.database.read_tx() as session:
        return (
            session.exec(select(Letter).where(Letter.kind == "report", Letter.address == BOB))
            .first()
            .state
        )  # type: ignore[union-attr]


def test_there_are_delays_of_five_servers() -> None:
    assert len(PASSING) >= 6
    assert len(FINAL) >= 10


@pytest.mark.parametrize("name", PASSING)
def test_a_passing_fault_never_stops_letters(harness: MailHarness, name: str) -> None:
    assert returned(harness, name) == "bounce"
    assert bob(harness) == (None, True)
    harness.play_round("B3", "W3", "C3")
    assert harness.post_all()
    assert any("Round 2" in letter.subject for letter in harness.letters("report", BOB))
    assert not harness.letters("unreachable")


@pytest.mark.parametrize("name", FINAL)
def test_a_letter_that_came_back_stops_letters_and_is_told_to_the_master(
    harness: MailHarness, name: str
) -> None:
    assert returned(harness, name) == "bounce"
    assert state(harness) == "bounced"
    assert bob(harness) == (harness.now, True)
    harness.post_all()
    assert harness.letters("unreachable", ALICE)


@pytest.mark.parametrize("name", COMPLAINTS)
def test_a_complaint_is_no_bounce(harness: MailHarness, name: str) -> None:
    assert returned(harness, name) == "complaint"
    assert bob(harness) == (None, False)
    assert state(harness) == "sent"
    harness.post_all()
    assert not harness.letters("unreachable")


@pytest.mark.parametrize(
    "name",
    sorted(
        name for name in EXPECTED if name.startswith("away-") and EXPECTED[name].get("automatic")
    ),
)
def test_an_absence_note_from_a_seat_is_neither_obeyed_nor_a_bounce(
    harness: MailHarness, name: str
) -> None:
    report = begun(harness)
    assert harness.deliver(harness.reply_to(report), raw(name))
    (outcome,) = harness.read_all()
    assert outcome.disposition == "automatic"
    assert bob(harness) == (None, True)
    assert harness.post_all() == 0


@pytest.mark.parametrize("name", [*PASSING[:2], "bounce-dma", "complaint-hotmail"])
def test_what_a_server_sends_to_a_seats_address_is_neither_obeyed_nor_answered(
    harness: MailHarness, name: str
) -> None:
    report = begun(harness)
    assert harness.deliver(
        harness.reply_to(report), raw(name), null_sender=not name.startswith("complaint")
    )
    (outcome,) = harness.read_all()
    assert outcome.disposition == "discarded", "the letter that it names is none of ours"
    assert harness.post_all() == 0
    assert all(row.disposition == "discarded" for row in harness.came_in())
    assert CHARLIE in {row.address for row in harness.rows()}
