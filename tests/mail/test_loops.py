"""Never a loop: who is not answered, how often anybody is, and two instances that write to each other."""

from pathlib import Path

import pytest

from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.mail.sending.mailbox import Posted
from adjudicator.platform import db
from adjudicator.service.letters import acknowledgements
from adjudicator.service.letters.acknowledgements import MOST_NAMED
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_press import begun

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
def test_automatic_letters_are_never_answered_nor_obeyed(office: MailHarness, headers: dict[str, str]) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    outcome = office.answer(report, "B3", **headers)
    assert outcome.disposition == "automatic" and outcome.reason.startswith("No person wrote it")
    assert office.post_all() == 0


def test_null_senders_are_never_answered(office: MailHarness) -> None:
    assert office.deliver(SERVICE, office.letter(DORA, SERVICE, "help").as_bytes(), null_sender=True)
    assert office.read_all()[0].disposition == "automatic" and office.post_all() == 0


def test_a_letter_in_our_own_name_is_not_answered(office: MailHarness) -> None:
    assert office.write(SERVICE, SERVICE, "help").disposition == "automatic"


def test_who_writes_a_lot_still_learns_that_an_order_was_refused(office: MailHarness) -> None:
    report = begun(office)
    for number in range(11):
        office.answer(report, "press france:", f"Thought {number}.")
    assert office.answer(report, "A Atlantis - Mun").disposition == "orders"
    assert "A Atlantis - Mun" in flat(office.newest(ALICE, "receipt"))


def test_who_was_answered_a_lot_in_one_match_can_join_another(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    for _ in range(MOST_NAMED + 1):
        office.answer(report, "help")
    assert office.write(ALICE, SERVICE, "join pyramid").disposition == "asked"
    assert office.newest(ALICE, "confirm")


def test_the_last_answer_to_a_seat_says_so_and_the_next_report_counts_what_came_after(
    both_offices: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    office = both_offices
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 3)
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    for text in ("help", "B3", "Q7", "B9", "W2"):
        office.later(minutes=1)
        office.answer(report, text)
    office.post_all()
    given = [flat(each) for each in office.letters(to=ALICE) if each.name != report.name]
    assert ["the last answer within a day to letters to this match" in each for each in given] == [False, False, True]
    assert office.came_in()[-1].reason == acknowledgements.NOT_ANSWERED and office.came_in()[-1].disposition == "orders"
    for name in (BOB, CHARLIE):
        office.order(office.uid, name, "C3")
    assert office.close(office.uid)
    told = flat(office.newest(ALICE, "report"))
    assert "2 letters of yours were read since your last report and not answered" in told
    assert "not answered" not in flat(office.newest(BOB, "report"))


def test_a_letter_that_was_not_answered_is_told_once_and_after_a_day_answers_come_again(
    office: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 1)
    office.begin(ALICE, BOB, CHARLIE)
    for text in ("help", "wait"):
        office.later(seconds=1)
        office.answer(office.newest(ALICE, "report"), text)
    office.play_round("B3", "B3", "B3")
    assert "A letter of yours was read since" in flat(office.newest(ALICE, "report"))
    office.play_round("B2", "W3", "C3")
    assert "not answered" not in flat(office.newest(ALICE, "report"))
    office.later(days=1)
    office.answer(office.newest(ALICE, "report"), "help")
    assert office.post_all() == 1


def test_each_seat_of_a_player_has_answers_of_its_own(office: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 1)
    office.begin(ALICE, BOB, CHARLIE)
    first = office.newest(ALICE, "report")
    office.answer(first, "help")
    office.later(seconds=1)
    office.begin(ALICE, BOB, CHARLIE)
    second = office.newest(ALICE, "report")
    assert [office.answer(each, "help").reason for each in (first, second)] == [acknowledgements.NOT_ANSWERED, ""]


def test_letters_in_a_players_name_do_not_use_up_the_answers_to_the_players_own(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    for _ in range(MOST_NAMED + 3):
        office.write(ALICE, SERVICE, "help")
        office.later(minutes=1)
    office.post_all()
    given = office.letters("answer", ALICE)
    assert ["the last answer within a day to letters that only" in flat(each) for each in given] == [False] * (MOST_NAMED - 1) + [True]
    office.answer(report, "B3")
    assert "Sealed." in office.newest(ALICE, "receipt").text


def flat(posted: Posted) -> str:
    return " ".join(posted.text.split())


def test_orders_count_when_answers_are_used_up(office: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 1)
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    office.answer(report, "help")
    assert office.answer(report, "B3").disposition == "orders"
    for name in (BOB, CHARLIE):
        office.order(office.uid, name, "B3")
    assert office.close(office.uid)


def test_nobody_loses_a_seats_address_because_the_new_one_cannot_be_told(office: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 1)
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    office.answer(report, "help")
    assert office.answer(report, "new address").disposition == "commands"
    assert office.answer(report, "B3").disposition == "orders"
    office.later(days=1)
    assert office.answer(report, "new address").disposition == "commands"
    assert not office.deliver(office.reply_to(report), b"B3")


def test_two_machines_that_answer_each_other_at_a_seats_address_stop(office: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that answers whatever comes, and hides that it is one."""
    monkeypatch.setattr(acknowledgements, "MOST_TO_SEAT", 20)
    office.begin(ALICE, BOB, CHARLIE)
    came = [office.newest(ALICE, "report")]
    for turn in range(100):
        office.answer(came[-1], f"Thank you for letter {turn}.")
        if not office.post_all():
            break
        came.append(office.letters(to=ALICE)[-1])
    assert len(came) == 1 + 20


@pytest.mark.parametrize("honest", [True, False])
def test_two_instances_that_write_to_each_other_stop(office: MailHarness, tmp_path: Path, reader: LetterReader, honest: bool) -> None:
    """Their letters say that they are automatic; where something on the way takes that off, they stop at ten a day."""
    url = f"sqlite:///{tmp_path / 'other.sqlite3'}"
    db.migrate(url)
    with MailHarness(url, tmp_path / "other", reader, mail_address="moves@example.net") as other:
        office.write("moves@example.net", SERVICE, "help")
        went = 0
        for here, there, home in ((office, other, SERVICE), (other, office, "moves@example.net")) * 30:
            for letter in _taken_out(here):
                went += 1
                there.deliver(_other(home), letter if honest else _stripped(here, home))
            there.read_all()
        assert went == (1 if honest else 2 * MOST_NAMED)


def _other(home: str) -> str:
    return "moves@example.net" if home == SERVICE else SERVICE


def _taken_out(office: MailHarness) -> list[bytes]:
    """Post what waits and take it out of the mailbox."""
    office.post_all()
    files = sorted(office.mailbox.folder.glob("*.eml")) if office.mailbox.folder.exists() else []
    return [(file.read_bytes(), file.unlink())[0] for file in files]


def _stripped(office: MailHarness, home: str) -> bytes:
    """Return a letter as a gateway might make it that keeps nothing of the original but its wish for an answer."""
    return office.letter(home, _other(home), "help").as_bytes()


def test_strangers_are_answered_so_often_in_an_hour_and_players_still(office: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acknowledgements, "MOST_STRANGERS", 3)
    office.player(ALICE)
    for number in range(5):
        office.write(f"stranger{number}@example.net", SERVICE, "help")
    office.write(ALICE, SERVICE, "help")
    office.post_all()
    assert len(office.letters("answer")) == 4 and len(office.letters("answer", ALICE)) == 1
