"""A letter is read once: copies of it, letters in a row, two workers at one letter, a reading that is cut short."""

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from adjudicator.mail import read
from adjudicator.platform.db import DatabaseBusy
from adjudicator.service.letters import incoming
from adjudicator.service.letters.incoming import LEASE, MOST_TRIES
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_orders_by_letter import begun


def test_the_same_letter_delivered_five_times_is_read_once(both_offices: MailHarness) -> None:
    office = both_offices
    report = begun(office)
    raw = office.letter(ALICE, office.reply_to(report), "B3", answers=report).as_bytes()
    for number in range(5):
        assert office.deliver(office.reply_to(report), f"Received: by relay{number}.example.org\r\n".encode() + raw)
    assert sorted(outcome.disposition for outcome in office.read_all()) == ["orders", *["repeated"] * 4]
    assert len(office.letters("receipt", ALICE)) == 0 and office.post_all() and len(office.letters("receipt", ALICE)) == 1


def test_the_same_words_without_a_message_id_are_meant_again_after_an_hour(office: MailHarness) -> None:
    report = begun(office)
    bare = f"From: {ALICE}\r\nTo: {office.reply_to(report)}\r\n\r\nB3\r\n".encode()
    dispositions = []
    for minutes in (0, 30, 31):
        office.later(minutes=minutes)
        assert office.deliver(office.reply_to(report), bare)
        dispositions += [outcome.disposition for outcome in office.read_all()]
    assert dispositions == ["orders", "repeated", "orders"]


def test_one_letter_to_the_addresses_of_two_seats_counts_for_both(both_offices: MailHarness) -> None:
    office = both_offices
    report = begun(office)
    other = office.newest(BOB, "report")
    raw = office.letter(ALICE, f"{office.reply_to(report)}, {office.reply_to(other)}", "B3").as_bytes()
    for to in (office.reply_to(report), office.reply_to(other), office.reply_to(report)):
        assert office.deliver(to, raw)
    assert sorted(outcome.disposition for outcome in office.read_all()) == ["orders", "orders", "repeated"]
    office.post_all()
    for player in (ALICE, BOB):
        assert "Round 1: B3" in office.newest(player, "receipt").text


def test_one_letter_to_the_same_player_in_two_matches_counts_in_both(office: MailHarness) -> None:
    first = begun(office)
    office.begin(ALICE, BOB, CHARLIE, name="Morning Pyramid")
    second = office.newest(ALICE, "report")
    assert office.reply_to(first) != office.reply_to(second)
    raw = office.letter(ALICE, f"{office.reply_to(first)}, {office.reply_to(second)}", "B3").as_bytes()
    assert all(office.deliver(office.reply_to(report), raw) for report in (first, second))
    assert [outcome.disposition for outcome in office.read_all()] == ["orders", "orders"]


def test_one_letter_to_a_seat_and_to_the_service_is_read_at_both(office: MailHarness) -> None:
    report = begun(office)
    raw = office.letter(ALICE, f"{office.reply_to(report)}, {SERVICE}", "status").as_bytes()
    assert all(office.deliver(to, raw) for to in (office.reply_to(report), SERVICE, SERVICE))
    assert sorted(outcome.disposition for outcome in office.read_all()) == ["commands", "commands", "repeated"]


def test_one_yes_to_two_questions_answers_both(office: MailHarness) -> None:
    for game in ("pyramid", "phoenix"):
        office.write("dora@example.net", SERVICE, f"join {game}")
    office.post_all()
    questions = [office.reply_to(each) for each in office.letters("confirm", "dora@example.net")]
    assert len(set(questions)) == 2
    raw = office.letter("dora@example.net", ", ".join(questions), "yes").as_bytes()
    for to in (*questions, questions[0]):
        assert office.deliver(to, raw)
    assert sorted(outcome.disposition for outcome in office.read_all()) == ["commands", "commands", "repeated"]


def test_the_same_words_of_two_seats_without_a_message_id_are_both_meant(office: MailHarness) -> None:
    report = begun(office)
    for each in (report, office.newest(BOB, "report")):
        assert office.deliver(office.reply_to(each), b"From: x@example.org\r\nTo: orders@example.org\r\n\r\nB3\r\n")
    assert [outcome.disposition for outcome in office.read_all()] == ["orders", "orders"]


def test_letters_of_one_seat_are_read_in_the_order_they_came(office: MailHarness) -> None:
    report = begun(office)
    for text in ("B1", "B2", "B3"):
        assert office.deliver(office.reply_to(report), office.letter(ALICE, office.reply_to(report), text, answers=report).as_bytes())
    office.read_all()
    office.post_all()
    assert ["Round 1: B1" in each.text or "Round 1: B2" in each.text for each in office.letters("receipt", ALICE)] == [True, True, False]


def test_a_reading_that_is_cut_short_is_done_again_and_given_up_in_the_end(office: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    report = begun(office)
    assert office.deliver(office.reply_to(report), office.letter(ALICE, office.reply_to(report), "B3").as_bytes())

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("cut short")

    monkeypatch.setattr("adjudicator.mail.read._carry_out", fails)
    for _ in range(MOST_TRIES):
        with pytest.raises(RuntimeError):
            office.read_all()
        assert office.came_in()[-1].disposition is None
        assert office.read_all() == []  # leased
        office.later(seconds=LEASE.total_seconds())
    (outcome,) = office.read_all()
    assert outcome.disposition == "unreadable"
    assert "could not be read" in office.newest(ALICE, "answer").text


@pytest.mark.parametrize("fault", [DatabaseBusy(), OperationalError("COMMIT", {}, Exception("server closed the connection"))])
def test_a_database_that_fails_is_no_fault_of_the_letters(office: MailHarness, monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    report = begun(office)
    assert office.deliver(office.reply_to(report), office.letter(ALICE, office.reply_to(report), "B3").as_bytes())

    def fails(*_: object, **__: object) -> None:
        raise fault

    with monkeypatch.context() as broken:
        broken.setattr(incoming, "dispose_letter", fails)
        for _ in range(MOST_TRIES + 3):
            with pytest.raises(type(fault)):
                office.read_all()
            office.later(seconds=LEASE.total_seconds())
    assert [outcome.disposition for outcome in office.read_all()] == ["orders"]


def test_a_letter_is_one_workers_until_its_lease_ends(both_offices: MailHarness) -> None:
    office = both_offices
    report = begun(office)
    assert office.deliver(office.reply_to(report), office.letter(ALICE, office.reply_to(report), "B3").as_bytes())
    letter_id = office.came_in()[-1].id or 0
    claims = [
        incoming.claim_letter(office.database, office.keyring, letter_id, office.now + after) for after in (LEASE * 0, LEASE * 0.99, LEASE)
    ]
    assert [claimed is not None for claimed in claims] == [True, False, True]


def test_a_reading_that_outlasts_its_lease_and_the_one_that_overtook_it_carry_a_letter_out_once(
    both_offices: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    office = both_offices
    report = begun(office)
    assert office.deliver(office.reply_to(report), office.letter(ALICE, office.reply_to(report), "B3").as_bytes())
    take_apart, overtaking = read._take_apart, list[Any]()

    def slowly(*arguments: Any) -> Any:
        monkeypatch.setattr(read, "_take_apart", take_apart)
        office.later(seconds=LEASE.total_seconds())
        overtaking.extend(office.read_all())
        return take_apart(*arguments)

    monkeypatch.setattr(read, "_take_apart", slowly)
    assert office.read_all() == [] and [outcome.disposition for outcome in overtaking] == ["orders"]
    assert [row.kind for row in office.rows() if row.address == ALICE] == ["report", "receipt"]
