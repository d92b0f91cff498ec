"""Questions to unproved addresses: what they repeat, what their answers prove, which rows they
leave.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlmodel import select

from adjudicator.mail.read import read_letter
from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.service.base.tables import Confirmation
from adjudicator.service.letters import acknowledgements, incoming
from tests.mail.mail_harness import SERVICE, MailHarness
from tests.mail.reading import ORDER_WORDS
from tests.mail.test_commands import DORA, flat, open_table, player
from tests.service.meeting import Meeting


def test_a_question_repeats_nothing_but_commands_to_whom_it_may_not_be_from(
    harness: MailHarness,
) -> None:
    """Else anybody could have the service send advertising in its own name."""
    open_table(harness)
    harness.write(
        DORA,
        SERVICE,
        "join pyramid",
        "join http://watches.example",
        "The best watches are at watches.example, have a look",
    )
    question = harness.newest(DORA, "confirm")
    page = harness.message(question.name).as_string() + question.html + question.text
    assert "watches" not in page and "2 lines" in question.text and "2 lines" in question.html
    harness.answer(question, "yes", "What else can one play over there")
    assert "“What else can one play over there”" in flat(harness.newest(DORA, "answer"))


def test_a_questions_address_proves_nothing_once_it_was_answered(harness: MailHarness) -> None:
    open_table(harness)
    harness.write(DORA, SERVICE, "join pyramid")
    question = harness.newest(DORA, "confirm")
    harness.answer(question, "yes", "zone Asia/Tokyo")
    assert harness.answer(question, "zone Europe/Rome").disposition == "asked"
    dora = player(harness, DORA)
    assert dora is not None and dora.zone == "Asia/Tokyo"


def test_a_question_that_is_not_sent_leaves_nothing_behind(harness: MailHarness) -> None:
    for _ in range(acknowledgements.MOST_NAMED + 2):
        harness.write(DORA, SERVICE, "join pyramid")
    with harness.database.read_tx() as session:
        assert len(session.exec(select(Confirmation)).all()) == acknowledgements.MOST_NAMED


def test_copies_of_a_letter_that_are_read_at_once_are_answered_once(
    harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness, meeting = harness_on_both, Meeting(harness_on_both.database)
    raw = harness.letter(DORA, SERVICE, "help").as_bytes()
    assert harness.deliver(SERVICE, raw) and harness.deliver(SERVICE, raw)
    came_before = incoming.came_before

    def looks(*arguments: Any, **named: Any) -> bool:
        found = came_before(*arguments, **named)
        meeting.hold()  # the other one should not get here before this one is done
        return found

    monkeypatch.setattr(incoming, "came_before", looks)

    def work(letter_id: int) -> str:
        with LetterReader(ORDER_WORDS) as reader:
            outcome = read_letter(
                replace(harness.room, reader=reader), letter_id, lambda: harness.now
            )
            assert outcome is not None
            return outcome.disposition

    found = meeting.run_all(*(partial(work, row.id or 0) for row in harness.came_in()))
    assert sorted(found) == ["commands", "repeated"]
