"""Orders by letter: what is named is changed, the rest stays, and the receipt tells all of it."""

from typing import Any

import pytest
from sqlmodel import select

from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.base.tables import Incoming
from adjudicator.service.letters import incoming
from adjudicator.service.orders.receipts import receipts_of
from adjudicator.service.phases import closing
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness


def begun(office: MailHarness) -> Posted:
    """Begin a match of three and return Alice's first report."""
    office.begin(ALICE, BOB, CHARLIE)
    return office.newest(ALICE, "report")


def receipt(office: MailHarness, to: str = ALICE) -> str:
    return " ".join(office.newest(to, "receipt").text.split())


def test_an_answered_report_seals_orders_and_the_receipt_stays_in_the_thread(both_offices: MailHarness) -> None:
    office = both_offices
    outcome = office.answer(begun(office), "B3")
    assert outcome.disposition == "orders"
    posted = office.newest(ALICE, "receipt")
    assert "Sealed." in posted.text and "Round 1: B3" in posted.text
    message = office.message(posted.name)
    assert message["In-Reply-To"] in message["References"] and "match-" in message["References"]
    assert office.came_in()[-1].disposition == "orders"


def test_the_receipt_goes_to_the_registered_address_whoever_wrote(office: MailHarness) -> None:
    office.answer(begun(office), "B3", sender="elsewhere@example.net")
    assert office.newest(ALICE, "receipt").to.endswith(ALICE)
    assert "Your letter came from elsewhere@example.net." in receipt(office)
    assert office.letters(to="elsewhere@example.net") == []


def test_the_seats_address_stands_in_reply_to_only(office: MailHarness) -> None:
    report = begun(office)
    office.answer(report, "B3", "B99", "wait")
    address = office.reply_to(report)
    token = address.partition("+")[2].partition("@")[0]
    for posted in office.letters(to=ALICE):
        raw = (office.mailbox.folder / f"{posted.name}.eml").read_text()
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
    office: MailHarness, first: list[str], second: list[str], told: list[str]
) -> None:
    report = begun(office)
    office.answer(report, *first)
    office.later(minutes=1)
    office.answer(report, *second)
    said = receipt(office)
    assert all(each in said for each in told)
    assert said.count("Then:") == sum(each.startswith("Then") for each in told)


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "– ", "1) ", " -  "])
def test_lines_may_be_a_list(office: MailHarness, mark: str) -> None:
    report = begun(office)
    office.answer(report, f"{mark}B3", "THEN", f"{mark}white small OR C2", f"{mark}wait")
    said = receipt(office)
    assert "Round 1: B3" in said and "Then: W1 OR C2" in said
    assert "What was not taken" not in said and "You wrote `wait`" in said


def test_clear_alone_takes_everything_back(office: MailHarness) -> None:
    report = begun(office)
    office.answer(report, "B3")
    office.answer(report, "clear")
    assert "Round 1: nothing" in receipt(office) and "You are not ready yet" in receipt(office)


def test_one_bad_line_never_voids_the_rest_and_is_named(office: MailHarness) -> None:
    outcome = office.answer(begun(office), "Good evening to all of you over there", "B33", "W2")
    assert outcome.disposition == "orders"
    said = receipt(office)
    assert "Round 1: W2" in said and "“B33”" in said and "You are not ready yet" in said


def test_wait_and_ready_alone_change_no_orders(office: MailHarness) -> None:
    report = begun(office)
    for name in (BOB, CHARLIE):
        office.order(office.uid, name, "B3")
    office.answer(report, "B3\nwait")
    assert office.answer(report, "wait").disposition == "orders"
    assert "Round 1 waits for you" in office.newest(ALICE, "answer").text
    outcome = office.answer(report, "ready")
    assert outcome.closes == office.uid
    assert office.close(office.uid)
    assert "you showed black large" in " ".join(office.newest(ALICE, "report").text.lower().split()) or "B3" in office.newest(ALICE).text


def test_a_letter_within_the_grace_counts_as_late_and_one_after_it_does_not(office: MailHarness) -> None:
    report = begun(office)
    office.later(hours=48, minutes=5)
    office.answer(report, "B3")
    assert "It came after the deadline but within the grace" in receipt(office)
    office.later(minutes=5)
    office.answer(report, "W3")
    assert "Not taken." in receipt(office) and "had passed when your orders arrived" in receipt(office)


def test_a_letter_that_was_acknowledged_in_time_is_in_however_late_it_is_read(both_offices: MailHarness) -> None:
    office = both_offices
    report = begun(office)
    office.later(hours=48, minutes=9, seconds=59)
    raw = office.letter(ALICE, office.reply_to(report), "B3", answers=report).as_bytes()
    assert office.deliver(office.reply_to(report), raw)
    office.later(minutes=1)
    with pytest.raises(AssertionError):
        assert office.close(office.uid)
    assert [outcome.disposition for outcome in office.read_all()] == ["orders"]
    assert "Sealed." in receipt(office)
    assert office.close(office.uid)
    assert "handed in no orders" in office.newest(BOB, "report").text.replace("\n", " ")
    assert "Seat 1 (Alice) handed in no orders" not in office.newest(BOB, "report").text.replace("\n", " ")


def test_a_letter_that_comes_while_a_phase_is_being_closed_is_in(both_offices: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    office = both_offices
    report = begun(office)
    office.later(hours=48, minutes=9, seconds=59)
    raw = office.letter(ALICE, office.reply_to(report), "B3", answers=report).as_bytes()
    arrived = office.now
    office.later(minutes=1)
    worked_out = closing._work_out

    def while_working(*arguments: Any) -> Any:
        monkeypatch.setattr(closing, "_work_out", worked_out)
        with office.database.read_tx() as session:
            target = incoming.target(session, office.reply_to(report).partition("+")[2].partition("@")[0])
        assert target is not None
        incoming.store_letters(office.database, [incoming.Arrival(target, raw, arrived, "smtp")])
        return worked_out(*arguments)

    monkeypatch.setattr(closing, "_work_out", while_working)
    assert not closing.close_phase(office.database, office.keyring, office.uid, now=office.now)
    assert [outcome.disposition for outcome in office.read_all()] == ["orders"]
    assert office.close(office.uid)
    assert "Sealed." in receipt(office)
    assert "Seat 1 (Alice) handed in no orders" not in office.newest(BOB, "report").text.replace("\n", " ")


def test_an_answer_to_a_report_of_a_closed_phase_is_not_taken_for_the_next(office: MailHarness) -> None:
    first = begun(office)
    office.play_round("B3", "W2", "C1")
    office.later(minutes=1)
    office.answer(first, "B2")
    assert "Not taken." in receipt(office) and "Round 2 is open now" in receipt(office)
    office.answer(office.newest(ALICE, "receipt"), "B2")
    assert "Sealed." in receipt(office) and "Round 2: B2" in receipt(office)


@pytest.mark.parametrize("text", ["B2", "ready", "THEN\nB2"])
def test_a_letter_of_its_own_that_came_before_a_phase_was_opened_is_not_taken_for_it(office: MailHarness, text: str) -> None:
    report = begun(office)
    office.later(hours=48, minutes=10)  # too late for round 1
    assert office.deliver(office.reply_to(report), office.letter(ALICE, office.reply_to(report), text).as_bytes())
    office.later(seconds=1)
    assert office.close(office.uid)
    office.read_all()
    told = " ".join(office.newest(ALICE).text.split())
    assert "another phase" in told and "Round 2 is open now" in told
    with office.database.read_tx() as session:
        assert {each.disposition for each in receipts_of(session, office.uid, office.player(ALICE))[1]} <= {"refused"}


def test_a_letter_with_nothing_of_its_writers_is_answered_with_what_to_do(office: MailHarness) -> None:
    assert office.answer(begun(office), "").disposition == "empty"
    assert "No line of your letter could be carried out." in office.newest(ALICE, "answer").text


def test_an_old_address_of_a_seat_is_unknown_at_the_door(office: MailHarness) -> None:
    report = begun(office)
    old = office.reply_to(report)
    assert office.answer(report, "new address", "B3").disposition == "orders"
    fresh = office.newest(ALICE, "receipt")
    assert office.reply_to(fresh) != old
    assert not office.deliver(old, b"From: a@example.org\r\n\r\nB1\r\n")
    office.answer(fresh, "B2")
    assert "Round 1: B2" in receipt(office)


def test_a_new_address_is_used_by_answering_the_letter_that_tells_it(office: MailHarness) -> None:
    report = begun(office)
    assert office.answer(report, "new address").disposition == "commands"
    told = office.newest(ALICE, "answer")
    assert office.reply_to(told) != office.reply_to(report)
    assert office.answer(told, "B2").disposition == "orders"


def test_a_letter_that_cannot_be_read_ends_with_an_answer_and_closes_can_go_on(office: MailHarness) -> None:
    report = begun(office)
    assert office.deliver(office.reply_to(report), b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"\0\xff\x01" * 5000)
    (outcome,) = office.read_all()
    assert outcome.disposition in ("unreadable", "empty", "orders") and office.came_in()[-1].disposition == outcome.disposition
    assert office.newest(ALICE).text


def test_nothing_of_a_letter_stands_in_the_database_in_the_clear(office: MailHarness) -> None:
    report = begun(office)
    office.answer(report, "B3", sender="secret.writer@example.net")
    with office.database.read_tx() as session:
        for row in session.exec(select(Incoming)):
            assert b"secret.writer" not in repr(row.model_dump()).encode() and b"secret.writer" not in (row.raw or b"")
