"""Sign-in letters: tried for as long as their link works, then held; a link that is prolonged gets its letter out."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import delivery_failures, outbox
from adjudicator.service.people import sessions
from tests.harness import Harness

ALICE = "alice@example.org"


def ask(desk: Harness) -> Letter:
    """Ask for a link; returns the newest sign-in letter."""
    sessions.ask_link(desk.database, ALICE, zone="UTC", now=desk.now)
    return newest(desk)


def newest(desk: Harness) -> Letter:
    with desk.database.read_tx() as session:
        return session.exec(select(Letter).where(Letter.kind == "signin").order_by(col(Letter.id).desc())).first()  # type: ignore[return-value]


def claim(desk: Harness, letter: Letter) -> outbox.LetterToSend | None:
    return outbox.claim_letters(desk.database, desk.keyring, letter.id or 0, desk.now)


def fail(desk: Harness, letter: Letter) -> None:
    claimed = claim(desk, letter)
    assert claimed is not None
    outbox.mark_failed(desk.database, claimed, desk.now, "the mail server is away")


@pytest.fixture
def late(desk: Harness) -> Letter:
    """A sign-in letter that nobody claimed until its link was over."""
    letter = ask(desk)
    desk.later(minutes=10)
    assert claim(desk, letter) is None
    return newest(desk)


def test_a_letter_whose_link_works_goes_out(desk: Harness) -> None:
    letter = ask(desk)
    desk.later(minutes=9, seconds=59)
    assert claim(desk, letter) is not None


def test_a_letter_whose_link_is_over_is_held_and_says_why(late: Letter) -> None:
    assert (late.state, late.trouble) == ("held", outbox.LINK_OVER)


def test_a_letter_is_tried_every_two_minutes_while_its_link_works(desk: Harness) -> None:
    letter, begun, tries = ask(desk), desk.now, 0
    while newest(desk).state == "waiting" and desk.now - begun < timedelta(minutes=9):
        fail(desk, letter)
        tries, pause = tries + 1, newest(desk).next_try - desk.now
        assert pause <= timedelta(minutes=2)
        desk.later(seconds=pause.total_seconds())
    assert tries >= 6
    desk.later(minutes=1)
    assert claim(desk, letter) is None
    assert (newest(desk).state, newest(desk).trouble) == ("held", outbox.LINK_OVER)


def test_other_letters_are_tried_as_long_as_before(desk: Harness) -> None:
    desk.match("Alice", "Bob", "Charlie")
    with desk.database.read_tx() as session:
        report = session.exec(select(Letter).where(Letter.kind == "report", Letter.address == ALICE)).one()
    for _ in range(5):
        fail(desk, report)
        desk.later(hours=1)
    desk.later(hours=20)
    assert claim(desk, report) is not None


def test_a_prolonged_link_gets_the_letter_out_that_was_held_for_it(desk: Harness) -> None:
    for _ in range(sessions.LINKS_AN_HOUR):
        letter = ask(desk)
        desk.later(seconds=1)
    desk.later(minutes=10)
    assert claim(desk, letter) is None
    assert ask(desk).id == letter.id
    assert (newest(desk).state, newest(desk).trouble, newest(desk).tries) == ("waiting", None, 0)
    assert claim(desk, letter) is not None


def test_a_prolonged_link_keeps_its_letter_on_its_way(desk: Harness) -> None:
    letters = [ask(desk) for _ in range(sessions.LINKS_AN_HOUR)]
    desk.later(minutes=9)
    ask(desk)
    desk.later(minutes=9)
    assert claim(desk, letters[-1]) is not None


def test_the_host_is_told_that_a_link_is_over_and_does_not_send_it_with_the_others(desk: Harness, late: Letter) -> None:
    with pytest.raises(NotNow, match="link in this letter is over"):
        delivery_failures.resend(desk.database, late.uid, now=desk.now)
    assert delivery_failures.resend_all(desk.database, delivery_failures.Which(), now=desk.now) == 0
    assert newest(desk).state == "held"
