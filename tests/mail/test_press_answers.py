"""A plain answer to a letter of press is press; what may be an order or a command is asked about, and goes nowhere."""

import pytest

from adjudicator.games.diplomacy.language.talk import may_order
from adjudicator.service.base.readiness import open_phase
from adjudicator.service.base.rows import by_uid
from adjudicator.service.orders.envelopes import newest_envelope
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness
from tests.mail.test_press import answer, begun, read, told


def sealed(office: MailHarness, seat: str) -> bool:
    with office.database.read_tx() as session:
        phase = open_phase(session, by_uid(session, office.uid))
        return phase is not None and newest_envelope(session, phase, seat) is not None


def test_a_plain_answer_to_press_goes_to_its_writer(both_offices: MailHarness) -> None:
    office = both_offices
    office.answer(begun(office), "press france: Peace?")
    assert office.answer(office.newest(BOB, "press"), "Why not, or rather later.", "What about Burgundy?").disposition == "commands"
    assert "Sent to England." in answer(office, BOB)
    assert "France writes to you: Why not, or rather later. What about Burgundy?" in told(office, ALICE)
    assert read(office, ALICE)[0].lines == ("Why not, or rather later.", "What about Burgundy?")
    assert len(read(office, CHARLIE)) == 0 and not sealed(office, "FRANCE")


def test_a_plain_answer_goes_to_the_readers_that_the_letter_named(office: MailHarness) -> None:
    office.answer(begun(office), "press france, russia: Peace?")
    office.answer(office.newest(BOB, "press"), "Yes, both of you.")
    assert "Sent to England and Russia." in answer(office, BOB)
    assert [read(office, who)[0].lines for who in (ALICE, CHARLIE)] == [("Yes, both of you.",)] * 2


def test_the_paragraphs_of_a_plain_answer_stay(office: MailHarness) -> None:
    office.answer(begun(office), "press france: Peace?")
    office.answer(office.newest(BOB, "press"), "Gladly.", "", "More of it next week.")
    assert read(office, ALICE)[0].lines == ("Gladly.", "", "More of it next week.")


@pytest.mark.parametrize("text", ["Thanks!", "Hello Alice", "Hello back"])
def test_an_answer_that_is_no_more_than_a_greeting_is_sent(office: MailHarness, text: str) -> None:
    office.answer(begun(office), "press france: Peace?")
    office.answer(office.newest(BOB, "press"), text)
    assert "Sent to England." in answer(office, BOB) and read(office, ALICE)[0].lines == (text,)


def test_a_slip_of_the_pen_is_told_as_the_command_it_resembles(office: MailHarness) -> None:
    office.answer(begun(office), "press france: Peace?")
    office.answer(office.newest(BOB, "press"), "raedy")
    assert "“raedy”: It looks like the command `ready`." in answer(office, BOB) and len(read(office, ALICE)) == 1


def test_what_went_to_everybody_is_answered_to_its_writer_alone(office: MailHarness) -> None:
    office.answer(begun(office), "press all: Peace?")
    office.answer(office.newest(BOB, "press"), "With you, gladly.")
    assert "Sent to England." in answer(office, BOB) and len(read(office, CHARLIE)) == 1


def test_public_press_is_answered_to_everybody(office: MailHarness) -> None:
    office.answer(begun(office, "public"), "press: Peace?")
    office.answer(office.newest(BOB, "press"), "Gladly.")
    assert "Sent to everybody." in answer(office, BOB) and read(office, CHARLIE)[0].lines == ("Gladly.",)


def test_anonymous_press_is_never_answered_so(office: MailHarness) -> None:
    office.answer(begun(office, "anonymous-private"), "press france: Peace?")
    office.answer(office.newest(BOB, "press"), "Why not.")
    assert "does not say to whom it goes" in answer(office, BOB) and len(read(office, ALICE)) == 1


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
    office: MailHarness, lines: tuple[str, ...], quoted: str
) -> None:
    office.answer(begun(office), "press france: Peace?")
    office.answer(office.newest(BOB, "press"), *lines)
    said = answer(office, BOB)
    assert "It may be an order or a command, so nothing of this letter was sent, sealed or done." in said and quoted in said
    assert "`press england:`" in said and "What could not be done" in said
    assert len(read(office, ALICE)) == 1 and not sealed(office, "FRANCE")


def test_an_answer_to_a_report_is_never_press(office: MailHarness) -> None:
    office.answer(begun(office), "press france: Peace?")
    office.newest(BOB, "press")
    office.answer(office.letters("report", BOB)[0], "Why not?")
    assert len(read(office, ALICE)) == 1 and "“Why not?”" in " ".join(office.newest(BOB, "receipt").text.split())


def test_several_texts_of_one_moment_are_told_apart_or_asked_about(office: MailHarness) -> None:
    office.answer(begun(office), "press france: For you.", "press france, russia: For both.")
    office.answer(office.newest(BOB, "press"), "That suits me.")
    assert "does not say to whom it goes" in answer(office, BOB) and len(read(office, ALICE)) == 2
    office.answer(office.newest(CHARLIE, "press"), "That suits me.")
    assert "Sent to England and France." in answer(office, CHARLIE)


@pytest.mark.parametrize(
    "line", ["Why not?", "A nice day to you", "What about Munich?", "Turkey and Russia are at war again", "Yes", "I hold"]
)
def test_talk_is_talk(line: str) -> None:
    assert not may_order(line)


@pytest.mark.parametrize(
    "line", ["Paris to Burgundy", "I will hold Munich", "the fleet Brest", "Munich, Berlin and Kiel", "I concede", "draw?", "Armee Paris"]
)
def test_talk_that_may_order_is_no_talk(line: str) -> None:
    assert may_order(line)
