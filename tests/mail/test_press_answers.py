"""A plain answer to press is press; a line that may be an order or a command is asked about and not
sent.
"""

import pytest

from adjudicator.games.diplomacy.language.talk import may_order
from adjudicator.service.base.rows import by_uid, open_phase, seats_of
from adjudicator.service.orders.envelopes import newest_envelope
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness
from tests.mail.test_press import answer, begun, read, told


def sealed(harness: MailHarness, seat: str) -> bool:
    with harness.database.read_tx() as session:
        phase = open_phase(session, by_uid(session, harness.uid))
        row = next(
            each for each in seats_of(session, by_uid(session, harness.uid)) if each.name == seat
        )
        return phase is not None and newest_envelope(session, phase, row) is not None


def test_a_plain_answer_to_press_goes_to_its_writer(harness_on_both: MailHarness) -> None:
    harness = harness_on_both
    harness.answer(begun(harness), "press france: Peace?")
    assert (
        harness.answer(
            harness.newest(BOB, "press"), "Why not, or rather later.", "What about Burgundy?"
        ).disposition
        == "commands"
    )
    assert "Sent to England." in answer(harness, BOB)
    assert "France writes to you: Why not, or rather later. What about Burgundy?" in told(
        harness, ALICE
    )
    assert read(harness, ALICE)[0].lines == ("Why not, or rather later.", "What about Burgundy?")
    assert len(read(harness, CHARLIE)) == 0 and not sealed(harness, "FRANCE")


def test_a_plain_answer_goes_to_the_readers_that_the_letter_named(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press france, russia: Peace?")
    harness.answer(harness.newest(BOB, "press"), "Yes, both of you.")
    assert "Sent to England and Russia." in answer(harness, BOB)
    assert [read(harness, who)[0].lines for who in (ALICE, CHARLIE)] == [("Yes, both of you.",)] * 2


def test_the_paragraphs_of_a_plain_answer_stay(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press france: Peace?")
    harness.answer(harness.newest(BOB, "press"), "Gladly.", "", "More of it next week.")
    assert read(harness, ALICE)[0].lines == ("Gladly.", "", "More of it next week.")


@pytest.mark.parametrize("text", ["Thanks!", "Hello Alice", "Hello back"])
def test_an_answer_that_is_no_more_than_a_greeting_is_sent(harness: MailHarness, text: str) -> None:
    harness.answer(begun(harness), "press france: Peace?")
    harness.answer(harness.newest(BOB, "press"), text)
    assert "Sent to England." in answer(harness, BOB) and read(harness, ALICE)[0].lines == (text,)


def test_a_slip_of_the_pen_is_told_as_the_command_it_resembles(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press france: Peace?")
    harness.answer(harness.newest(BOB, "press"), "raedy")
    assert (
        "“raedy”: It looks like the command `ready`." in answer(harness, BOB)
        and len(read(harness, ALICE)) == 1
    )


def test_what_went_to_everybody_is_answered_to_its_writer_alone(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press all: Peace?")
    harness.answer(harness.newest(BOB, "press"), "With you, gladly.")
    assert "Sent to England." in answer(harness, BOB) and len(read(harness, CHARLIE)) == 1


def test_public_press_is_answered_to_everybody(harness: MailHarness) -> None:
    harness.answer(begun(harness, "public"), "press: Peace?")
    harness.answer(harness.newest(BOB, "press"), "Gladly.")
    assert "Sent to everybody." in answer(harness, BOB) and read(harness, CHARLIE)[0].lines == (
        "Gladly.",
    )


def test_anonymous_press_is_never_answered_so(harness: MailHarness) -> None:
    harness.answer(begun(harness, "anonymous-private"), "press france: Peace?")
    harness.answer(harness.newest(BOB, "press"), "Why not.")
    assert "does not say to whom it goes" in answer(harness, BOB) and len(read(harness, ALICE)) == 1


@pytest.mark.parametrize(
    ("lines", "quoted"),
    [
        (("I trust you.", "A Par - Bur"), "A Par - Bur"),
        (("Gladly: I move Paris to Burgundy.",), "I move Paris to Burgundy."),
        (("If I take Belgium you may have Munich",), "If I take Belgium you may have Munich"),
        (("So be it, F Bre H, and we shall see.",), "F Bre H"),
        (("I say draw, what do you say?",), "I say draw"),
        (("Fine with me.", "status"), "status"),
        (("Fine with me.", "raedy"), "raedy"),
        (("Fine with me.", "wait"), "wait"),
        (("Fine with me.", "name one"), "name one"),
    ],
)
def test_what_may_be_an_order_or_a_command_is_asked_about_and_nothing_is_done(
    harness: MailHarness, lines: tuple[str, ...], quoted: str
) -> None:
    harness.answer(begun(harness), "press france: Peace?")
    harness.answer(harness.newest(BOB, "press"), *lines)
    said = answer(harness, BOB)
    assert (
        "It may be an order or a command, so nothing of this letter was sent, sealed or done."
        in said
        and quoted in said
    )
    assert "`press england:`" in said and "What could not be done" in said
    assert len(read(harness, ALICE)) == 1 and not sealed(harness, "FRANCE")


def test_an_answer_to_a_report_is_never_press(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press france: Peace?")
    harness.newest(BOB, "press")
    harness.answer(harness.letters("report", BOB)[0], "Why not?")
    assert len(read(harness, ALICE)) == 1 and "“Why not?”" in " ".join(
        harness.newest(BOB, "receipt").text.split()
    )


def test_several_texts_of_one_moment_are_told_apart_or_asked_about(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press france: For you.", "press france, russia: For both.")
    harness.answer(harness.newest(BOB, "press"), "That suits me.")
    assert "does not say to whom it goes" in answer(harness, BOB) and len(read(harness, ALICE)) == 2
    harness.answer(harness.newest(CHARLIE, "press"), "That suits me.")
    assert "Sent to England and France." in answer(harness, CHARLIE)


@pytest.mark.parametrize(
    "line",
    [
        "Why not?",
        "A nice day to you",
        "What about Munich?",
        "Turkey and Russia are at war again",
        "Yes",
        "I hold",
    ],
)
def test_talk_is_talk(line: str) -> None:
    assert not may_order(line)


@pytest.mark.parametrize(
    "line",
    [
        "Paris to Burgundy",
        "I will hold Munich",
        "the fleet Brest",
        "Munich, Berlin and Kiel",
        "I concede",
        "draw?",
        "Armee Paris",
    ],
)
def test_talk_that_may_order_is_no_talk(line: str) -> None:
    assert may_order(line)
