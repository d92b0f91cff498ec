"""Sign-in letters: retried while their link is valid, then held; a prolonged link releases its
letter.
"""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import delivery_failures, outbox
from adjudicator.service.people import sessions
from tests.harness import Harness
from tests.letters_out import claim_letter

ALICE = "alice@example.org"


def ask(harness: Harness) -> Letter:
    """Ask for a link; returns the newest sign-in letter."""
    sessions.ask_link(harness.database, ALICE, zone="UTC", now=harness.now)
    return newest(harness)


def newest(harness: Harness) -> Letter:
    with harness.database.read_tx() as session:
        return session.exec(
            select(Letter).where(Letter.kind == "signin").order_by(col(Letter.id).desc())
        ).first()  # type: ignore[return-value]


def claim(harness: Harness, letter: Letter) -> outbox.LetterToSend | None:
    return claim_letter(harness.database, harness.keyring, letter.id or 0, harness.now)


def fail(harness: Harness, letter: Letter) -> None:
    claimed = claim(harness, letter)
    assert claimed is not None
    outbox.mark_failed(harness.database, claimed, harness.now, "the mail server is away")


@pytest.fixture
def late(harness: Harness) -> Letter:
    """A sign-in letter that was first claimed after its link had expired."""
    letter = ask(harness)
    harness.later(minutes=10)
    assert claim(harness, letter) is None
    return newest(harness)


def test_a_letter_whose_link_works_goes_out(harness: Harness) -> None:
    letter = ask(harness)
    harness.later(minutes=9, seconds=59)
    assert claim(harness, letter) is not None


def test_a_letter_whose_link_is_over_is_held_and_says_why(late: Letter) -> None:
    assert (late.state, late.trouble) == ("held", outbox.LINK_OVER)


def test_a_letter_is_tried_every_two_minutes_while_its_link_works(harness: Harness) -> None:
    letter, begun, tries = ask(harness), harness.now, 0
    while newest(harness).state == "waiting" and harness.now - begun < timedelta(minutes=9):
        fail(harness, letter)
        tries, pause = tries + 1, newest(harness).next_try - harness.now
        assert pause <= timedelta(minutes=2)
        harness.later(seconds=pause.total_seconds())
    assert tries >= 6
    harness.later(minutes=1)
    assert claim(harness, letter) is None
    assert (newest(harness).state, newest(harness).trouble) == ("held", outbox.LINK_OVER)


def test_other_letters_are_tried_as_long_as_before(harness: Harness) -> None:
    harness.match("Alice", "Bob", "Charlie")
    with harness.database.read_tx() as session:
        report = session.exec(
            select(Letter).where(Letter.kind == "report", Letter.address == ALICE)
        ).one()
    for _ in range(5):
        fail(harness, report)
        harness.later(hours=1)
    harness.later(hours=20)
    assert claim(harness, report) is not None


def test_a_prolonged_link_gets_the_letter_out_that_was_held_for_it(harness: Harness) -> None:
    for _ in range(sessions.LINKS_AN_HOUR):
        letter = ask(harness)
        harness.later(seconds=1)
    harness.later(minutes=10)
    assert claim(harness, letter) is None
    assert ask(harness).id == letter.id
    assert (newest(harness).state, newest(harness).trouble, newest(harness).tries) == (
        "waiting",
        None,
        0,
    )
    assert claim(harness, letter) is not None


def test_a_prolonged_link_keeps_its_letter_on_its_way(harness: Harness) -> None:
    letters = [ask(harness) for _ in range(sessions.LINKS_AN_HOUR)]
    harness.later(minutes=9)
    ask(harness)
    harness.later(minutes=9)
    assert claim(harness, letters[-1]) is not None


def test_the_host_is_told_that_a_link_is_over_and_does_not_send_it_with_the_others(
    harness: Harness, late: Letter
) -> None:
    with pytest.raises(NotNow, match="link in this letter is over"):
        delivery_failures.resend(harness.database, late.uid, now=harness.now)
    assert (
        delivery_failures.resend_all(harness.database, delivery_failures.Which(), now=harness.now)
        == 0
    )
    assert newest(harness).state == "held"
