"""A letter is read once: copies, letters in sequence, two workers at one letter, an interrupted
reading.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from adjudicator.mail import read
from adjudicator.mail.reading.letter_text import LetterText
from adjudicator.mail.reading.sandbox import CutShort, NoReader
from adjudicator.platform.db import DatabaseBusy
from adjudicator.service.letters import incoming
from adjudicator.service.letters.incoming import LEASE, MOST_TRIES
from tests.asked import asking
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_orders_by_letter import begun


def test_the_same_letter_delivered_five_times_is_read_once(harness_on_both: MailHarness) -> None:
    harness = harness_on_both
    report = begun(harness)
    raw = harness.letter(ALICE, harness.reply_to(report), "B3", answers=report).as_bytes()
    for number in range(5):
        assert harness.deliver(
            harness.reply_to(report), f"Received: by relay{number}.example.org\r\n".encode() + raw
        )
    assert sorted(outcome.disposition for outcome in harness.read_all()) == [
        "orders",
        *["repeated"] * 4,
    ]
    assert (
        len(harness.letters("receipt", ALICE)) == 0
        and harness.post_all()
        and len(harness.letters("receipt", ALICE)) == 1
    )


def test_the_rows_that_a_letter_is_for_are_read_once(harness: MailHarness) -> None:
    report = begun(harness)
    letter = harness.letter(ALICE, harness.reply_to(report), "B3", answers=report)
    assert harness.deliver(harness.reply_to(report), letter.as_bytes())
    with asking(harness.database) as asked:
        harness.read_all()
    by_key = re.compile(r'FROM "?(match|seat|player|incoming)"? \nWHERE "?\1"?.id =')
    read_by_key = Counter(found[1] for text, _ in asked if (found := by_key.search(text)))
    # the match is found and locked; the letter is claimed, and locked in another transaction
    assert read_by_key == {"match": 2, "seat": 1, "player": 1, "incoming": 2}


def test_the_same_words_without_a_message_id_are_meant_again_after_an_hour(
    harness: MailHarness,
) -> None:
    report = begun(harness)
    bare = f"From: {ALICE}\r\nTo: {harness.reply_to(report)}\r\n\r\nB3\r\n".encode()
    dispositions = []
    for minutes in (0, 30, 31):
        harness.later(minutes=minutes)
        assert harness.deliver(harness.reply_to(report), bare)
        dispositions += [outcome.disposition for outcome in harness.read_all()]
    assert dispositions == ["orders", "repeated", "orders"]


def test_one_letter_to_the_addresses_of_two_seats_counts_for_both(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    report = begun(harness)
    other = harness.newest(BOB, "report")
    raw = harness.letter(
        ALICE, f"{harness.reply_to(report)}, {harness.reply_to(other)}", "B3"
    ).as_bytes()
    for to in (harness.reply_to(report), harness.reply_to(other), harness.reply_to(report)):
        assert harness.deliver(to, raw)
    assert sorted(outcome.disposition for outcome in harness.read_all()) == [
        "orders",
        "orders",
        "repeated",
    ]
    harness.post_all()
    for player in (ALICE, BOB):
        assert "Round 1: B3" in harness.newest(player, "receipt").text


def test_one_letter_to_the_same_player_in_two_matches_counts_in_both(harness: MailHarness) -> None:
    first = begun(harness)
    harness.begin(ALICE, BOB, CHARLIE, name="Morning Pyramid")
    second = harness.newest(ALICE, "report")
    assert harness.reply_to(first) != harness.reply_to(second)
    raw = harness.letter(
        ALICE, f"{harness.reply_to(first)}, {harness.reply_to(second)}", "B3"
    ).as_bytes()
    assert all(harness.deliver(harness.reply_to(report), raw) for report in (first, second))
    assert [outcome.disposition for outcome in harness.read_all()] == ["orders", "orders"]


def test_one_letter_to_a_seat_and_to_the_service_is_read_at_both(harness: MailHarness) -> None:
    report = begun(harness)
    raw = harness.letter(ALICE, f"{harness.reply_to(report)}, {SERVICE}", "status").as_bytes()
    assert all(harness.deliver(to, raw) for to in (harness.reply_to(report), SERVICE, SERVICE))
    assert sorted(outcome.disposition for outcome in harness.read_all()) == [
        "commands",
        "commands",
        "repeated",
    ]


def test_one_yes_to_two_questions_answers_both(harness: MailHarness) -> None:
    for game in ("pyramid", "phoenix"):
        harness.write("dora@example.net", SERVICE, f"join {game}")
    harness.post_all()
    questions = [harness.reply_to(each) for each in harness.letters("confirm", "dora@example.net")]
    assert len(set(questions)) == 2
    raw = harness.letter("dora@example.net", ", ".join(questions), "yes").as_bytes()
    for to in (*questions, questions[0]):
        assert harness.deliver(to, raw)
    assert sorted(outcome.disposition for outcome in harness.read_all()) == [
        "commands",
        "commands",
        "repeated",
    ]


def test_the_same_words_of_two_seats_without_a_message_id_are_both_meant(
    harness: MailHarness,
) -> None:
    report = begun(harness)
    for each in (report, harness.newest(BOB, "report")):
        assert harness.deliver(
            harness.reply_to(each), b"From: x@example.org\r\nTo: orders@example.org\r\n\r\nB3\r\n"
        )
    assert [outcome.disposition for outcome in harness.read_all()] == ["orders", "orders"]


def test_letters_of_one_seat_are_read_in_the_order_they_came(harness: MailHarness) -> None:
    report = begun(harness)
    for text in ("B1", "B2", "B3"):
        assert harness.deliver(
            harness.reply_to(report),
            harness.letter(ALICE, harness.reply_to(report), text, answers=report).as_bytes(),
        )
    harness.read_all()
    harness.post_all()
    assert [
        "Round 1: B1" in each.text or "Round 1: B2" in each.text
        for each in harness.letters("receipt", ALICE)
    ] == [True, True, False]


def test_a_reading_that_is_cut_short_is_done_again_and_given_up_in_the_end(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = begun(harness)
    assert harness.deliver(
        harness.reply_to(report), harness.letter(ALICE, harness.reply_to(report), "B3").as_bytes()
    )

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("cut short")

    monkeypatch.setattr("adjudicator.mail.read.carry_out", fails)
    for _ in range(MOST_TRIES):
        with pytest.raises(RuntimeError):
            harness.read_all()
        assert harness.came_in()[-1].disposition is None
        assert harness.read_all() == []  # leased
        harness.later(seconds=LEASE.total_seconds())
    (outcome,) = harness.read_all()
    assert outcome.disposition == "unreadable"
    assert "could not be read" in harness.newest(ALICE, "answer").text


@pytest.mark.parametrize(
    "fault",
    [DatabaseBusy(), OperationalError("COMMIT", {}, Exception("server closed the connection"))],
)
def test_a_database_that_fails_is_no_fault_of_the_letters(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    report = begun(harness)
    assert harness.deliver(
        harness.reply_to(report), harness.letter(ALICE, harness.reply_to(report), "B3").as_bytes()
    )

    def fails(*_: object, **__: object) -> None:
        raise fault

    with monkeypatch.context() as broken:
        broken.setattr(incoming, "dispose_letter", fails)
        for _ in range(MOST_TRIES + 3):
            with pytest.raises(type(fault)):
                harness.read_all()
            harness.later(seconds=LEASE.total_seconds())
    assert [outcome.disposition for outcome in harness.read_all()] == ["orders"]


def test_a_letter_is_one_workers_until_its_lease_ends(harness_on_both: MailHarness) -> None:
    harness = harness_on_both
    report = begun(harness)
    assert harness.deliver(
        harness.reply_to(report), harness.letter(ALICE, harness.reply_to(report), "B3").as_bytes()
    )
    letter_id = harness.came_in()[-1].id or 0
    claims = [
        incoming.claim_letter(harness.database, harness.keyring, letter_id, harness.now + after)
        for after in (LEASE * 0, LEASE * 0.99, LEASE)
    ]
    assert [claimed is not None for claimed in claims] == [True, False, True]


def test_a_letter_whose_reading_takes_minutes_stays_with_its_worker(
    harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness, overtaking = harness_on_both, list[object]()
    report = begun(harness)
    assert harness.deliver(
        harness.reply_to(report), harness.letter(ALICE, harness.reply_to(report), "B3").as_bytes()
    )
    letter_id, reading = harness.came_in()[-1].id or 0, harness.room.reader.read

    def slowly(raw: bytes, *, still: Callable[[], None]) -> LetterText:
        for _ in range(5):
            harness.later(seconds=LEASE.total_seconds() * 0.9)
            overtaking.append(
                incoming.claim_letter(harness.database, harness.keyring, letter_id, harness.now)
            )
            still()
        return reading(raw)

    monkeypatch.setattr(harness.room.reader, "read", slowly)
    assert [outcome.disposition for outcome in harness.read_all()] == ["orders"] and overtaking == [
        None
    ] * 5


@pytest.mark.parametrize(
    ("fault", "after"),
    [(CutShort("it does not get on"), "unreadable"), (NoReader("no process"), "orders")],
)
def test_only_tries_that_the_letter_may_have_caused_are_counted(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch, fault: NoReader, after: str
) -> None:
    report = begun(harness)
    assert harness.deliver(
        harness.reply_to(report), harness.letter(ALICE, harness.reply_to(report), "B3").as_bytes()
    )

    def fails(*_: object, **__: object) -> None:
        raise fault

    with monkeypatch.context() as broken:
        broken.setattr(harness.room.reader, "read", fails)
        for _ in range(MOST_TRIES):
            with pytest.raises(type(fault)):
                harness.read_all()
            harness.later(seconds=LEASE.total_seconds())
    assert [outcome.disposition for outcome in harness.read_all()] == [after]


def test_a_reading_that_outlasts_its_lease_and_the_one_that_overtook_it_carry_a_letter_out_once(
    harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = harness_on_both
    report = begun(harness)
    assert harness.deliver(
        harness.reply_to(report), harness.letter(ALICE, harness.reply_to(report), "B3").as_bytes()
    )
    take_apart, overtaking = read._take_apart, list[Any]()

    def slowly(*arguments: Any) -> Any:
        monkeypatch.setattr(read, "_take_apart", take_apart)
        harness.later(seconds=LEASE.total_seconds())
        overtaking.extend(harness.read_all())
        return take_apart(*arguments)

    monkeypatch.setattr(read, "_take_apart", slowly)
    assert harness.read_all() == [] and [outcome.disposition for outcome in overtaking] == [
        "orders"
    ]
    assert [row.kind for row in harness.rows() if row.address == ALICE] == ["report", "receipt"]
