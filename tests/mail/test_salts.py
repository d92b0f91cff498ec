"""Salts by letter: `salt` and words, in answer to a letter of the match."""

import pytest

from adjudicator.mail.commands.recognition import find_command
from adjudicator.mail.commands.seat import SALT
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.views.records.log_bundle import salts_of
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


def salts(harness: MailHarness, phase: int) -> list[str]:
    with harness.database.read_tx() as session:
        return salts_of(session, harness.uid, phase)


def told(harness: MailHarness, who: str, *lines: str) -> str:
    """Answer the report of a player's seat with these lines; return the answer."""
    harness.answer(harness.newest(who, "report"), *lines)
    harness.post_all()
    return flat(harness.newest(who, "answer"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("salt three red cars", "three red cars"),
        ("Salt 4 2 6.", "4 2 6"),
        ("> salt: Ω 12-7", ": Ω 12-7"),
    ],
)
def test_a_line_that_begins_with_salt_is_the_command(line: str, words: str) -> None:
    assert find_command(line) == (SALT, words)


@pytest.mark.parametrize(
    "line", ["salt", "salt:", "salt, pepper", "salted fish", "salts of the earth"]
)
def test_other_lines_are_not(line: str) -> None:
    assert find_command(line) is None


def test_a_salt_by_letter_counts_for_the_next_phase_and_its_answer_says_so(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    answer = told(harness, ALICE, "salt Three red cars")
    assert (
        "Your salt “Three red cars” stands for the next phase that opens. It counts once, and"
        " nobody is told who gave it." in answer
    )
    assert "Three red cars" not in "".join(flat(each) for each in harness.letters(to=BOB))
    harness.play_round("B3", "B2", "W2")
    assert (salts(harness, 1), salts(harness, 2)) == ([], ["Three red cars"])


def test_a_letter_may_give_orders_and_a_salt(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "B3", "salt rain on Tuesday")
    harness.post_all()
    assert "B3" in flat(harness.newest(ALICE, "receipt"))
    for who in (BOB, CHARLIE):
        harness.answer(harness.newest(who, "report"), "B2")
    harness.later(minutes=1)
    assert harness.close(harness.uid)
    assert salts(harness, 2) == ["rain on Tuesday"]


def test_a_salt_that_is_too_long_is_refused_with_a_sentence(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    assert "A salt has at most 64 characters; this one has 70." in told(
        harness, ALICE, f"salt {'x' * 70}"
    )


def test_a_salt_in_a_letter_to_no_match_is_refused_and_its_words_are_not_repeated(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.write(ALICE, SERVICE, "salt and pepper")
    harness.post_all()
    answer = flat(harness.newest(ALICE, "answer"))
    assert "in answer to a letter of the match" in answer and "pepper" not in answer


def test_help_lists_it(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    assert "salt any words" in told(harness, ALICE, "help")
