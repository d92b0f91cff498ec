"""No mail loops: who gets no answer, how often anybody gets one, and two instances that write to
each other.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.letters import acknowledgements
from adjudicator.service.letters.acknowledgements import MOST_NAMED
from adjudicator.service.tournaments import advancing
from tests.databases import new_sqlite
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_press import begun
from tests.service.tournament_play import DIRECTOR, entered

DORA = "dora@example.net"


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated"},
        {"Precedence": "bulk"},
        {"Precedence": "list"},
        {"List_Id": "<talk.example.org>"},
        {"X_Autoreply": "yes"},
        {"Return_Path": "<>"},
        {"X_Sealed_Orders": "other.example.org"},
    ],
)
def test_automatic_letters_are_never_answered_nor_obeyed(
    harness: MailHarness, headers: dict[str, str]
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    outcome = harness.answer(report, "B3", **headers)
    assert outcome.disposition == "automatic" and outcome.reason.startswith("No person wrote it")
    assert harness.post_all() == 0


def test_null_senders_are_never_answered(harness: MailHarness) -> None:
    assert harness.deliver(
        SERVICE, harness.letter(DORA, SERVICE, "help").as_bytes(), null_sender=True
    )
    assert harness.read_all()[0].disposition == "automatic" and harness.post_all() == 0


def test_a_letter_in_our_own_name_is_not_answered(harness: MailHarness) -> None:
    assert harness.write(SERVICE, SERVICE, "help").disposition == "automatic"


def test_who_writes_a_lot_still_learns_that_an_order_was_refused(harness: MailHarness) -> None:
    report = begun(harness)
    for number in range(11):
        harness.answer(report, "press france:", f"Thought {number}.")
    assert harness.answer(report, "A Atlantis - Mun").disposition == "orders"
    assert "A Atlantis - Mun" in flat(harness.newest(ALICE, "receipt"))


def test_who_was_answered_a_lot_in_one_match_can_join_another(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    for _ in range(MOST_NAMED + 1):
        harness.answer(report, "help")
    assert harness.write(ALICE, SERVICE, "join pyramid").disposition == "asked"
    assert harness.newest(ALICE, "confirm")


def test_the_last_answer_to_a_seat_says_so_and_the_next_report_counts_what_came_after(
    harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = harness_on_both
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 3)
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    for text in ("help", "B3", "Q7", "B9", "W2"):
        harness.later(minutes=1)
        harness.answer(report, text)
    harness.post_all()
    given = [flat(each) for each in harness.letters(to=ALICE) if each.name != report.name]
    assert [
        "the last answer until Mon 23 Nov 04:01 (Paris) to letters to this match" in each
        for each in given
    ] == [False, False, True]
    assert (
        harness.came_in()[-1].reason == acknowledgements.NOT_ANSWERED
        and harness.came_in()[-1].disposition == "orders"
    )
    for name in (BOB, CHARLIE):
        harness.order(harness.uid, name, "C3")
    assert harness.close(harness.uid)
    told = flat(harness.newest(ALICE, "report"))
    assert "2 letters of yours were read since your last report and not answered" in told
    assert "not answered" not in flat(harness.newest(BOB, "report"))


def test_a_letter_that_was_not_answered_is_told_once_and_after_a_day_answers_come_again(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 1)
    harness.begin(ALICE, BOB, CHARLIE)
    for text in ("help", "wait"):
        harness.later(seconds=1)
        harness.answer(harness.newest(ALICE, "report"), text)
    harness.play_round("B3", "B3", "B3")
    assert "A letter of yours was read since" in flat(harness.newest(ALICE, "report"))
    harness.play_round("B2", "W3", "C3")
    assert "not answered" not in flat(harness.newest(ALICE, "report"))
    harness.later(days=1)
    harness.answer(harness.newest(ALICE, "report"), "help")
    assert harness.post_all() == 1


def test_answers_come_back_one_by_one_over_a_day() -> None:
    """Of four answers one comes back every six hours: hours at which some went, how many are left
    at 24 h, and when the next may go.
    """
    start = datetime(2026, 11, 22, tzinfo=UTC)
    for went, left, after in (
        ((), 4, 12),
        ((23,), 3, 17),
        ((0, 0, 0, 0), 4, 12),
        ((20, 20, 20), 1, 26),
        ((23, 23, 23, 23), 0, 35),
        ((1, 1, 1, 1, 7, 13, 19), 0, 31),
        ((1, 1, 1, 1, 7, 13), 1, 25),
    ):
        found = acknowledgements.count_left(
            [start + timedelta(hours=hour) for hour in went], 4, start + timedelta(days=1)
        )
        assert (found.left, found.given, found.after) == (
            left,
            len(went),
            start + timedelta(hours=after),
        ), went


def test_each_seat_of_a_player_has_answers_of_its_own(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 1)
    harness.begin(ALICE, BOB, CHARLIE)
    first = harness.newest(ALICE, "report")
    harness.answer(first, "help")
    harness.later(seconds=1)
    harness.begin(ALICE, BOB, CHARLIE)
    second = harness.newest(ALICE, "report")
    assert [harness.answer(each, "help").reason for each in (first, second)] == [
        acknowledgements.NOT_ANSWERED,
        "",
    ]


def test_letters_in_a_players_name_do_not_use_up_the_answers_to_the_players_own(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    for _ in range(MOST_NAMED + 3):
        harness.write(ALICE, SERVICE, "help")
        harness.later(minutes=1)
    harness.post_all()
    given = harness.letters("answer", ALICE)
    told = "the last answer until Sun 22 Nov 22:24 (Paris) to letters that only"
    assert [told in flat(each) for each in given] == [False] * (MOST_NAMED - 1) + [True]
    harness.answer(report, "B3")
    assert "Sealed." in harness.newest(ALICE, "receipt").text


def test_whoever_answers_questions_or_directs_a_tournament_is_not_silenced(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of these letters to the service the last ones are not answered: letters with a question that
    is answered with yes, then others.
    """
    monkeypatch.setattr(acknowledgements, "MOST_NAMED", 2)
    monkeypatch.setattr(acknowledgements, "MOST_TO_TOKENS", 4)
    uid = entered(harness, BOB)
    for who, confirmed, open_ones, answered in (
        (BOB, 3, 3, 2),
        ("dora@example.org", 0, 5, 4),
        (CHARLIE, 0, 3, 2),
    ):
        for number in range(confirmed):
            assert harness.write(who, SERVICE, f"name Person {number}").disposition == "asked"
            assert harness.answer(harness.newest(who, "confirm"), "yes").reason == "", number
            harness.later(seconds=1)
        reasons = [harness.write(who, SERVICE, f"name X {n}").reason for n in range(open_ones)]
        assert [not why for why in reasons] == [True] * answered + [False], who
    advancing.end_tournament(harness.database, uid, harness.player(DIRECTOR), "x", now=harness.now)
    harness.later(days=1)
    reasons = [harness.write("dora@example.org", SERVICE, f"name X {n}").reason for n in range(3)]
    assert [not why for why in reasons] == [True, True, False], "it is over"


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


def test_orders_count_when_answers_are_used_up(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 1)
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "help")
    assert harness.answer(report, "B3").disposition == "orders"
    for name in (BOB, CHARLIE):
        harness.order(harness.uid, name, "B3")
    assert harness.close(harness.uid)


def test_nobody_loses_a_seats_address_because_the_new_one_cannot_be_told(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 1)
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "help")
    assert harness.answer(report, "new address").disposition == "commands"
    assert harness.answer(report, "B3").disposition == "orders"
    harness.later(days=1)
    assert harness.answer(report, "new address").disposition == "commands"
    assert not harness.deliver(harness.reply_to(report), b"B3")


def test_two_machines_that_answer_each_other_at_a_seats_address_stop(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that answers every letter and does not declare itself automatic."""
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 20)
    harness.begin(ALICE, BOB, CHARLIE)
    came = [harness.newest(ALICE, "report")]
    for turn in range(100):
        harness.answer(came[-1], f"Thank you for letter {turn}.")
        if not harness.post_all():
            break
        came.append(harness.letters(to=ALICE)[-1])
    assert len(came) == 1 + 20


@pytest.mark.parametrize("honest", [True, False])
def test_two_instances_that_write_to_each_other_stop(
    harness: MailHarness, tmp_path: Path, reader: LetterReader, honest: bool
) -> None:
    """Their letters declare themselves automatic; if a relay removes that, they stop at ten a
    day.
    """
    url = new_sqlite(tmp_path / "other.sqlite3")
    with MailHarness(url, tmp_path / "other", reader, mail_address="moves@example.net") as other:
        harness.write("moves@example.net", SERVICE, "help")
        went = 0
        for here, there, home in (
            (harness, other, SERVICE),
            (other, harness, "moves@example.net"),
        ) * 30:
            for letter in _taken_out(here):
                went += 1
                there.deliver(_other(home), letter if honest else _stripped(here, home))
            there.read_all()
        assert went == (1 if honest else 2 * MOST_NAMED)


def _other(home: str) -> str:
    return "moves@example.net" if home == SERVICE else SERVICE


def _taken_out(harness: MailHarness) -> list[bytes]:
    """Post all waiting letters and remove them from the mailbox."""
    harness.post_all()
    files = sorted(harness.mailbox.folder.glob("*.eml")) if harness.mailbox.folder.exists() else []
    return [(file.read_bytes(), file.unlink())[0] for file in files]


def _stripped(harness: MailHarness, home: str) -> bytes:
    """Return a letter as by a gateway that keeps nothing of the original but its request for an
    answer.
    """
    return harness.letter(home, _other(home), "help").as_bytes()


def test_strangers_are_answered_so_often_in_an_hour_and_players_still(
    harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_STRANGERS", 3)
    harness.player(ALICE)
    for number in range(5):
        harness.write(f"stranger{number}@example.net", SERVICE, "help")
    harness.write(ALICE, SERVICE, "help")
    harness.post_all()
    assert len(harness.letters("answer")) == 4 and len(harness.letters("answer", ALICE)) == 1
