"""Orders by letter: named orders change, the others stay, and the receipt lists all."""

from typing import Any

import pytest
from sqlmodel import select

from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.base.tables import Incoming
from adjudicator.service.letters import receiving
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders.receipts import receipts_of
from adjudicator.service.phases import closing, reminders
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness


def begun(harness: MailHarness) -> Posted:
    """Begin a match of three and return Alice's first report."""
    harness.begin(ALICE, BOB, CHARLIE)
    return harness.newest(ALICE, "report")


def receipt(harness: MailHarness, to: str = ALICE) -> str:
    return " ".join(harness.newest(to, "receipt").text.split())


def test_an_answered_report_seals_orders_and_the_receipt_stays_in_the_thread(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    outcome = harness.answer(begun(harness), "B3")
    assert outcome.disposition == "orders"
    posted = harness.newest(ALICE, "receipt")
    assert "Sealed." in posted.text and "Round 1: B3" in posted.text
    message = harness.message(posted.name)
    assert message["In-Reply-To"] in message["References"] and "match-" in message["References"]
    assert harness.came_in()[-1].disposition == "orders"


def test_the_receipt_goes_to_the_registered_address_whoever_wrote(harness: MailHarness) -> None:
    harness.answer(begun(harness), "B3", sender="elsewhere@example.net")
    assert harness.newest(ALICE, "receipt").to.endswith(ALICE)
    assert "Your letter came from elsewhere@example.net." in receipt(harness)
    assert harness.letters(to="elsewhere@example.net") == []


def test_the_seats_address_stands_in_reply_to_only(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "B3", "B99", "wait")
    address = harness.reply_to(report)
    token = address.partition("+")[2].partition("@")[0]
    for posted in harness.letters(to=ALICE):
        raw = (harness.mailbox.folder / f"{posted.name}.eml").read_text()
        assert len(token) == 26 and raw.replace("\n ", "").count(token) == 1


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (["B3", "THEN", "W2"], ["C1"], ["Round 1: C1", "Then: W2"]),
        (["B3", "THEN", "W2"], ["THEN", "C2"], ["Round 1: B3", "Then: C2"]),
        (["B3", "THEN", "W2"], ["clear", "C1"], ["Round 1: C1"]),
        (["B3", "THEN", "W2", "THEN", "C1"], ["W3", "THEN", "C3"], ["Round 1: W3", "Then: C3"]),
        (["B3", "THEN", "W2"], ["B2", "THEN"], ["Round 1: B2"]),
        (["THEN", "W2"], ["B3"], ["Round 1: B3", "Then: W2"]),
    ],
)
def test_a_letter_changes_what_it_names_and_keeps_the_rest(
    harness: MailHarness, first: list[str], second: list[str], told: list[str]
) -> None:
    report = begun(harness)
    harness.answer(report, *first)
    harness.later(minutes=1)
    harness.answer(report, *second)
    said = receipt(harness)
    assert all(each in said for each in told)
    assert said.count("Then:") == sum(each.startswith("Then") for each in told)


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "– ", "1) ", " -  "])
def test_lines_may_be_a_list(harness: MailHarness, mark: str) -> None:
    report = begun(harness)
    harness.answer(report, f"{mark}B3", "THEN", f"{mark}white small OR C2", f"{mark}wait")
    said = receipt(harness)
    assert "Round 1: B3" in said and "Then: W1 OR C2" in said
    assert "What was not taken" not in said and "You are not ready, as you said" in said


def test_clear_alone_takes_everything_back(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "B3")
    harness.answer(report, "clear")
    assert "Round 1: nothing" in receipt(harness) and "You are not ready yet" in receipt(harness)


def test_one_bad_line_never_voids_the_rest_and_is_named(harness: MailHarness) -> None:
    outcome = harness.answer(begun(harness), "Good evening to all of you over there", "B33", "W2")
    assert outcome.disposition == "orders"
    said = receipt(harness)
    assert "Round 1: W2" in said and "“B33”" in said and "You are not ready yet" in said


def test_wait_and_ready_alone_change_no_orders(harness: MailHarness) -> None:
    report = begun(harness)
    for name in (BOB, CHARLIE):
        harness.order(harness.uid, name, "B3")
    harness.answer(report, "B3\nwait")
    assert harness.answer(report, "wait").disposition == "orders"
    assert "Round 1 waits for you" in harness.newest(ALICE, "answer").text
    harness.answer(report, "ready")
    assert harness.close(harness.uid)
    assert (
        "you showed black large" in " ".join(harness.newest(ALICE, "report").text.lower().split())
        or "B3" in harness.newest(ALICE).text
    )


def test_a_letter_within_the_grace_counts_as_late_and_one_after_it_does_not(
    harness: MailHarness,
) -> None:
    report = begun(harness)
    harness.later(hours=48, minutes=5)
    harness.answer(report, "B3")
    assert "It came after the deadline but still in time" in receipt(harness)
    harness.later(minutes=5)
    harness.answer(report, "W3")
    assert "Not taken." in receipt(harness) and "had passed when your orders arrived" in receipt(
        harness
    )


def test_a_letter_that_was_acknowledged_in_time_is_in_however_late_it_is_read(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    report = begun(harness)
    harness.later(hours=48, minutes=9, seconds=59)
    raw = harness.letter(ALICE, harness.reply_to(report), "B3", answers=report).as_bytes()
    assert harness.deliver(harness.reply_to(report), raw)
    harness.later(minutes=1)
    with pytest.raises(AssertionError):
        assert harness.close(harness.uid)
    assert [outcome.disposition for outcome in harness.read_all()] == ["orders"]
    assert "Sealed." in receipt(harness)
    assert harness.close(harness.uid)
    assert "handed in no orders" in harness.newest(BOB, "report").text.replace("\n", " ")
    assert "Seat 1 (Alice) handed in no orders" not in harness.newest(BOB, "report").text.replace(
        "\n", " "
    )


def test_a_letter_that_comes_while_a_phase_is_being_closed_is_in(
    harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = harness_on_both
    report = begun(harness)
    harness.later(hours=48, minutes=9, seconds=59)
    raw = harness.letter(ALICE, harness.reply_to(report), "B3", answers=report).as_bytes()
    arrived = harness.now
    harness.later(minutes=1)
    worked_out = closing.work_out

    def while_working(*arguments: Any) -> Any:
        monkeypatch.setattr(closing, "work_out", worked_out)
        with harness.database.read_tx() as session:
            target = receiving.find_target(
                session, harness.reply_to(report).partition("+")[2].partition("@")[0]
            )
        assert target is not None
        receiving.store_letters(harness.database, [receiving.Arrival(target, raw, arrived, "smtp")])
        return worked_out(*arguments)

    monkeypatch.setattr(closing, "work_out", while_working)
    assert not closing.close_phase(harness.database, harness.keyring, harness.uid, now=harness.now)
    assert [outcome.disposition for outcome in harness.read_all()] == ["orders"]
    assert harness.close(harness.uid)
    assert "Sealed." in receipt(harness)
    assert "Seat 1 (Alice) handed in no orders" not in harness.newest(BOB, "report").text.replace(
        "\n", " "
    )


def test_an_answer_to_a_report_of_a_closed_phase_is_not_taken_for_the_next(
    harness: MailHarness,
) -> None:
    first = begun(harness)
    harness.play_round("B3", "W2", "C1")
    harness.later(minutes=1)
    harness.answer(first, "B2")
    assert "Not taken." in receipt(harness) and "Round 2 is open now" in receipt(harness)
    harness.answer(harness.newest(ALICE, "receipt"), "B2")
    assert "Sealed." in receipt(harness) and "Round 2: B2" in receipt(harness)


@pytest.mark.parametrize("text", ["B2", "ready", "THEN\nB2"])
def test_a_letter_of_its_own_that_came_before_a_phase_was_opened_is_not_taken_for_it(
    harness: MailHarness, text: str
) -> None:
    report = begun(harness)
    harness.later(hours=48, minutes=10)  # too late for round 1
    assert harness.deliver(
        harness.reply_to(report), harness.letter(ALICE, harness.reply_to(report), text).as_bytes()
    )
    harness.later(seconds=1)
    assert harness.close(harness.uid)
    harness.read_all()
    told = " ".join(harness.newest(ALICE).text.split())
    assert "another phase" in told and "Round 2 is open now" in told
    with harness.database.read_tx() as session:
        assert {
            each.disposition for each in receipts_of(session, harness.uid, harness.player(ALICE))[1]
        } <= {"refused"}


def test_a_letter_with_nothing_of_its_writers_is_answered_with_what_to_do(
    harness: MailHarness,
) -> None:
    assert harness.answer(begun(harness), "").disposition == "empty"
    assert "No line of your letter could be carried out." in harness.newest(ALICE, "answer").text


def test_an_old_address_of_a_seat_is_unknown_at_the_door(harness: MailHarness) -> None:
    report = begun(harness)
    old = harness.reply_to(report)
    assert harness.answer(report, "new address", "B3").disposition == "orders"
    fresh = harness.newest(ALICE, "receipt")
    assert harness.reply_to(fresh) != old
    assert not harness.deliver(old, b"From: a@example.org\r\n\r\nB1\r\n")
    harness.answer(fresh, "B2")
    assert "Round 1: B2" in receipt(harness)


def test_a_new_address_is_used_by_answering_the_letter_that_tells_it(harness: MailHarness) -> None:
    report = begun(harness)
    assert harness.answer(report, "new address").disposition == "commands"
    told = harness.newest(ALICE, "answer")
    assert harness.reply_to(told) != harness.reply_to(report)
    assert harness.answer(told, "B2").disposition == "orders"


def test_a_letter_that_cannot_be_read_ends_with_an_answer_and_closes_can_go_on(
    harness: MailHarness,
) -> None:
    report = begun(harness)
    assert harness.deliver(
        harness.reply_to(report),
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"\0\xff\x01" * 5000,
    )
    (outcome,) = harness.read_all()
    assert (
        outcome.disposition in ("unreadable", "empty", "orders")
        and harness.came_in()[-1].disposition == outcome.disposition
    )
    assert harness.newest(ALICE).text


def test_nothing_of_a_letter_stands_in_the_database_in_the_clear(harness: MailHarness) -> None:
    report = begun(harness)
    harness.answer(report, "B3", sender="secret.writer@example.net")
    with harness.database.read_tx() as session:
        for row in session.exec(select(Incoming)):
            assert b"secret.writer" not in repr(
                row.model_dump()
            ).encode() and b"secret.writer" not in (row.raw or b"")


def test_a_reminder_is_answered_with_orders_and_turned_off_by_letter(harness: MailHarness) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    harness.post_all()
    harness.later(hours=24)
    assert reminders.send_reminders(harness.database, uid, now=harness.now) == 3
    letter = harness.newest(ALICE, "reminder")
    assert "You have handed in nothing for Round 1 yet" in letter.text and "B3" in letter.text
    assert harness.answer(letter, "B3", "reminders off").disposition == "orders"
    assert "You get no more reminders" in " ".join(harness.newest(ALICE, "receipt").text.split())
    harness.play_round("", "", "")
    harness.later(hours=24)
    assert reminders.send_reminders(harness.database, uid, now=harness.now) == 2
    harness.answer(harness.newest(ALICE, "report"), "reminders perhaps")
    assert "It needs `on` or `off`" in harness.newest(ALICE, "answer").text
    harness.answer(harness.newest(ALICE, "report"), "reminders on")
    harness.later(hours=21)
    assert reminders.send_reminders(harness.database, uid, now=harness.now) == 3


def test_an_answer_in_overtime_counts_as_late_and_one_after_it_is_refused(
    harness: MailHarness,
) -> None:
    uid = harness.uid = harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}, overtime_minutes=360)
    )
    harness.order(uid, CHARLIE, "B3")
    harness.post_all()
    harness.later(hours=48, minutes=10)
    assert not harness.close(uid)
    letter = harness.newest(ALICE, "reminder")
    assert "is in overtime until Wed 25 Nov 02:10" in " ".join(letter.text.split())
    harness.later(hours=2)
    assert harness.answer(letter, "B3").disposition == "orders"
    receipt = " ".join(harness.newest(ALICE, "receipt").text.split())
    assert "What arrives until Wed 25 Nov 02:10 (Paris), in 4 hours, still counts." in receipt
    harness.answer(letter, "status")
    assert "Round 1, you are ready, in overtime until Wed 25 Nov 02:10" in " ".join(
        harness.newest(ALICE, "answer").text.split()
    )
    harness.answer(letter, "wait")
    assert "Round 1 waits for you until its overtime ends." in " ".join(
        harness.newest(ALICE, "answer").text.split()
    )
    harness.answer(harness.newest(CHARLIE, "receipt"), "wait")
    assert "in overtime for those who were late" in " ".join(
        harness.newest(CHARLIE, "answer").text.split()
    )
    harness.answer(harness.newest(CHARLIE, "receipt"), "W3\nwait")
    told = " ".join(harness.newest(CHARLIE, "receipt").text.split())
    assert "still in time, so it counts" in told and "waits for you" not in told
    assert (
        "Round 1 is in overtime for those who were late, and closes as soon as they are ready."
        in told
    )
    harness.later(hours=4)
    assert harness.answer(letter, "W3").disposition == "orders"
    assert "had passed when your orders arrived" in " ".join(
        harness.newest(ALICE, "receipt").text.split()
    )
    assert harness.close(uid)
