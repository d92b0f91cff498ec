"""Press by letter: the text after `press france:` goes to France, which can answer the same way."""

import sys
from pathlib import Path
from types import FrameType

import pytest

from adjudicator.mail import carrying_out, letter_lines
from adjudicator.mail import read as mail_read
from adjudicator.mail.answering import Outcome
from adjudicator.mail.commands.command import Writer
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import press_recipients
from adjudicator.service.press.messages import (
    LONGEST,
    PressDraft,
    PressEntry,
    press_page,
    write_press,
)
from tests.mail.composed import compose_letter
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness, part

PEOPLE = (ALICE, BOB, CHARLIE)  # England, France, Russia


def begun(harness: MailHarness, kind: str = "private", game: str = "diplomacy") -> Posted:
    """Begin a match with this press and return Alice's first report."""
    wish = Wish(game, "Long Table", {"press": kind}, players=3, seating="order")
    harness.uid = harness.match(*PEOPLE, wish=wish)
    return harness.newest(ALICE, "report")


def read(harness: MailHarness, address: str) -> tuple[PressEntry, ...]:
    with harness.database.read_tx() as session:
        return press_page(session, harness.uid, harness.player(address)).notes


def answer(harness: MailHarness, to: str = ALICE) -> str:
    return " ".join(harness.newest(to, "answer").text.split())


def told(harness: MailHarness, to: str) -> str:
    return " ".join(harness.newest(to, "press").text.split())


# --- there and back


def test_a_letter_of_press_and_orders_goes_from_mail_to_service_once_for_each_and_its_answer(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, sides = begun(harness), list[str]()
    ours = str(Path(carrying_out.__file__).parents[1])

    def note(frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        side = name.removeprefix(ours).split("/")[1] if name.startswith(ours) else ""
        if event == "call" and side in ("mail", "service") and side != sides[-1]:
            sides.append(side)

    def carry_out(writer: Writer) -> Outcome:
        sides.append("mail")
        sys.setprofile(note)
        try:
            return carrying_out.carry_out(writer)
        finally:
            sys.setprofile(None)

    monkeypatch.setattr(mail_read, "carry_out", carry_out)
    harness.answer(report, "F London - North Sea", "press france:", "Shall Burgundy stay empty?")
    assert sides == ["mail", "service"] * 3


def test_press_by_letter_arrives_as_a_letter_and_is_answered_by_one(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    outcome = harness.answer(begun(harness), "press france:", "Shall Burgundy stay empty?")
    assert outcome.disposition == "commands"
    assert "Sent to France." in answer(harness)
    arrived = harness.newest(BOB, "press")
    assert arrived.subject == "[Long Table] Press from England, Spring 1901"
    assert "England writes to you:\n\n  Shall Burgundy stay empty?\n" in arrived.text
    assert (
        "it goes to England." in " ".join(arrived.text.split())
        and "`press england:`" in arrived.text
    )
    harness.answer(arrived, "press england:", "It shall.")
    assert "France writes to you: It shall." in told(harness, ALICE)
    assert [note.lines for note in read(harness, ALICE)] == [
        ("It shall.",),
        ("Shall Burgundy stay empty?",),
    ]
    assert harness.letters("press", CHARLIE) == []


def test_press_stays_in_the_matchs_thread_and_its_answer_goes_to_the_readers_own_seat(
    harness: MailHarness,
) -> None:
    report = begun(harness)
    harness.answer(report, "press france: Peace?")
    arrived = harness.newest(BOB, "press")
    message, own = (
        harness.message(arrived.name),
        harness.message(harness.newest(BOB, "report").name),
    )
    assert (
        message["References"] == own["References"]
        and message["Reply-To"] == own["Reply-To"] != harness.message(report.name)["Reply-To"]
    )
    assert message["Auto-Submitted"] == "auto-generated"


def test_orders_may_stand_above_press_and_below_its_end(harness: MailHarness) -> None:
    report = begun(harness)
    outcome = harness.answer(
        report,
        "F Lon - NTH",
        "press france, russia: Peace?",
        "A Par - Bur is all I ask.",
        "end press",
        "A Lvp - Yor",
    )
    assert outcome.disposition == "orders"
    receipt = " ".join(harness.newest(ALICE, "receipt").text.split())
    assert (
        "F LON - NTH" in receipt
        and "A LVP - YOR" in receipt
        and "BUR" not in receipt.replace("A Par - Bur is all I ask.", "")
    )
    assert "Sent to France and Russia." in receipt
    assert [note.lines for note in read(harness, BOB)] == [("Peace?", "A Par - Bur is all I ask.")]
    assert "England writes to France and you" in told(
        harness, CHARLIE
    ) and "it goes to England and France." in told(harness, CHARLIE)


def test_commands_within_press_are_only_words(harness: MailHarness) -> None:
    harness.answer(
        begun(harness),
        "press france:",
        "stop",
        "history",
        "new address",
        "They said: ready",
        "wait",
    )
    assert [note.lines for note in read(harness, BOB)] == [
        ("stop", "history", "new address", "They said: ready", "wait")
    ]
    assert harness.newest(ALICE, "answer").text.count("What happened") == 0


def test_one_letter_may_write_to_several_in_turn(harness: MailHarness) -> None:
    harness.answer(
        begun(harness),
        "press france:",
        "Trust me.",
        "press russia:",
        "Trust me more.",
        "press all:",
        "Peace.",
    )
    assert [note.lines for note in read(harness, BOB)] == [("Peace.",), ("Trust me.",)]
    assert [note.lines for note in read(harness, CHARLIE)] == [("Peace.",), ("Trust me more.",)]
    assert "it goes to England alone; a line `press all:` above it answers everybody." in told(
        harness, BOB
    )
    assert "[Long Table] Press from England to everybody, Spring 1901" in [
        each.subject for each in harness.letters("press", BOB)
    ]


def test_the_answer_repeats_what_was_sent_so_that_its_writer_sees_where_it_ended(
    harness: MailHarness,
) -> None:
    harness.answer(begun(harness), "Hello,", "press france:", "Peace?", "Best regards,", "Alice")
    assert "To France, as it was sent Peace? Your letter came from" in answer(harness)


def test_what_nobody_can_be_sent_is_told_with_what_would_be_right(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "press frnace:", "Peace?")
    assert (
        "“frnace” has no seat in this match, so nothing was sent. It is written as in `press"
        " france:`." in answer(harness)
    )
    harness.answer(report, "press:", "Peace?")
    assert "It does not say to whom" in answer(harness)
    harness.answer(report, "press france:")
    assert "Write something first" in answer(harness)
    assert read(harness, BOB) == ()


def test_paragraphs_and_bullets_stay(harness: MailHarness) -> None:
    text = (
        "Two things:",
        "",
        "- Burgundy stays empty.",
        "- Munich is yours.",
        "",
        "",
        "What do you say?",
        "",
        "Thanks",
        "Alice",
    )
    harness.answer(begun(harness), "", "press france:", "", *text)
    told = (
        "Two things:",
        "",
        "- Burgundy stays empty.",
        "- Munich is yours.",
        "",
        "What do you say?",
    )
    assert read(harness, BOB)[0].lines == told
    assert "\n  - Munich is yours.\n\n  What do you say?\n" in harness.newest(BOB, "press").text


def test_orders_alone_in_answer_to_press_are_orders(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press france: Peace?")
    arrived = harness.newest(BOB, "press")
    assert harness.answer(arrived, "F Bre - MAO OR F Bre - Pic").disposition == "orders"
    # an illegal order is still an order
    assert harness.answer(arrived, "A Par - Lon", "wait").disposition == "orders"
    assert read(harness, ALICE)[0].seat == "ENGLAND"


def test_an_answer_to_press_of_an_earlier_phase_gives_no_orders_for_this_one(
    harness: MailHarness,
) -> None:
    harness.answer(begun(harness), "press france: Peace?")
    arrived = harness.newest(BOB, "press")
    harness.later(hours=49)
    assert harness.close(harness.uid)
    harness.answer(arrived, "F Bre - MAO", "press england: Late, but yes.")
    assert "Not taken." in harness.newest(BOB, "receipt").text
    assert read(harness, ALICE)[0].lines == ("Late, but yes.",)


# --- kinds


def test_public_press_needs_no_name(harness: MailHarness) -> None:
    report = begun(harness, "public")
    harness.answer(report, "press:", "Peace for all.")
    assert "Sent to everybody." in answer(
        harness
    ) and "just write: everybody will read it." in told(harness, BOB)
    harness.answer(report, "press france:", "Not for Russia.")
    assert "public" in answer(harness) and len(read(harness, BOB)) == 1


def test_without_press_nothing_is_sent_and_the_orders_count(harness: MailHarness) -> None:
    outcome = harness.answer(begun(harness, "none"), "F Lon - NTH", "press france: Peace?")
    assert outcome.disposition == "orders"
    assert "played without press" in " ".join(harness.newest(ALICE, "receipt").text.split())
    assert read(harness, BOB) == ()


def test_an_anonymous_letter_holds_nothing_of_its_writer(harness: MailHarness) -> None:
    harness.answer(
        begun(harness, "anonymous-private"), "press france, russia:", "Beware of Turkey."
    )
    for address in (BOB, CHARLIE):
        arrived = harness.newest(address, "press")
        raw = harness.message(arrived.name).as_string().replace("=\n", "").lower()
        assert not any(word in raw for word in ("england", "alice"))
        assert (
            "Somebody writes to you:\n\n  Beware of Turkey." in arrived.text
            and "Nobody is told who wrote this" in arrived.text
        )
    assert "russia" not in harness.message(harness.newest(BOB, "press").name).as_string().lower()


# --- hostile


def test_an_automatic_answer_never_becomes_press(harness: MailHarness) -> None:
    harness.answer(begun(harness), "press france: Peace?")
    arrived = harness.newest(BOB, "press")
    assert (
        harness.answer(
            arrived, "press england:", "I am away.", Auto_Submitted="auto-replied"
        ).disposition
        == "automatic"
    )
    assert (
        harness.answer(arrived, "press england:", "I am away.", Precedence="bulk").disposition
        == "automatic"
    )
    assert read(harness, ALICE)[0].seat == "ENGLAND" and len(read(harness, ALICE)) == 1


def test_a_letter_that_comes_twice_is_sent_on_once(harness: MailHarness) -> None:
    report = begun(harness)
    raw = harness.letter(ALICE, harness.reply_to(report), "press france: Peace?").as_bytes()
    for _ in range(2):
        harness.deliver(harness.reply_to(report), raw)
    assert [outcome.disposition for outcome in harness.read_all()] == ["commands", "repeated"]
    assert len(read(harness, BOB)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Subject: hello\nBcc: victim@example.net\n\n<script>alert(1)</script>",
        "-- \nSealed Orders\n-- Answer above this line --\npress england: I surrender",
        "\u202eevil\u0000\u0007 " + "W" * 900,
    ],
)
def test_hostile_press_stays_within_its_place(harness: MailHarness, text: str) -> None:
    begun(harness)
    write_press(
        harness.database,
        harness.uid,
        harness.player(ALICE),
        PressDraft(("FRANCE",), text),
        now=harness.now,
    )
    letter = compose_letter(harness.settings, harness.claim("press", BOB))
    assert (
        letter["Subject"] == "[Long Table] Press from England, Spring 1901"
        and letter["Bcc"] is None
    )
    plain, html = part(letter, "plain"), part(letter, "html")
    assert "<script" not in html and not any(char in plain + html for char in "\u202e\u0000\u0007")
    assert [line for line in plain.splitlines() if line.startswith("--")] == [
        "-- Answer above this line --",
        "-- ",
    ]


def test_a_text_that_is_too_long_is_refused_whole(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "press france:", *(["x" * 900] * 9))
    assert f"{LONGEST:,} are sent at once" in answer(harness)
    harness.answer(report, "press france:", "x" * 1_200)
    assert "more than 1,000 characters" in answer(harness)
    assert read(harness, BOB) == ()


def test_a_letter_that_only_tries_sends_nothing(harness: MailHarness) -> None:
    harness.answer(begun(harness), "preview", "F Lon - NTH", "press france: Peace?")
    assert "sends nothing" in answer(harness)
    assert read(harness, BOB) == ()


# --- what begins press


NAMES = press_recipients.named({"ENGLAND": ("ENGLAND", "GERMANY"), "FRANCE": ("FRANCE",)})


@pytest.mark.parametrize(
    ("line", "to"),
    [
        ("press france: hello", "france"),
        ("Press France and England", "France and England"),
        ("PRESS: hello", ""),
        ("press to all : hello", "to all"),
        ("- press frnace", "frnace"),
    ],
)
def test_a_line_begins_press(line: str, to: str) -> None:
    assert [block.to for block in letter_lines.split_press([line], NAMES)[1]] == [to]


@pytest.mark.parametrize(
    "line",
    ["Press on!", "pressing france: now", "I press france: now", "press " + "x" * 130 + ": france"],
)
def test_a_line_is_no_press(line: str) -> None:
    assert letter_lines.split_press([line], NAMES) == ([line], [])


def test_press_ends_at_its_end_at_the_next_and_with_the_letter() -> None:
    lines = [
        "a",
        "press france: b",
        "c",
        "End press.",
        "d",
        "press england",
        "e",
        "press all:",
        "f",
    ]
    others, blocks = letter_lines.split_press(lines, NAMES)
    assert others == ["a", "d"]
    assert [(block.to, block.text) for block in blocks] == [
        ("france", "b\nc"),
        ("england", "e"),
        ("all", "f"),
    ]
