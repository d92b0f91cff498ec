"""`preview` by letter: orders are tried and told with a picture, and the letter seals nothing."""

import pytest

from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.views import match_page
from tests.games.sample_game import offer
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness


@pytest.fixture(autouse=True)
def stairs(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch)


@pytest.fixture
def report(office: MailHarness) -> Posted:
    """The letter that asks Alice for her first turn."""
    office.begin(ALICE, BOB, game="stairs", name="Up")
    return office.newest(ALICE, "report")


def told(office: MailHarness) -> str:
    return " ".join(office.newest(ALICE, "answer").text.split())


def sealed(office: MailHarness) -> bool:
    with office.database.read_tx() as session:
        owed = match_page.match_page(session, office.uid, office.player(ALICE)).owed
    return owed is None or owed.handed_in_at is not None


def test_the_orders_of_the_letter_are_tried_and_not_sealed(office: MailHarness, report: Posted) -> None:
    assert office.answer(report, "preview", "A up 2", "B up 1").disposition == "commands"
    assert "only tried, and nothing was sealed" in told(office)
    assert "What would come of it A climbed 2. B climbed 1. The table then A 2, B 1" in told(office)
    assert not sealed(office) and office.letters("receipt", ALICE) == []


def test_the_word_may_stand_anywhere_in_the_letter(office: MailHarness, report: Posted) -> None:
    office.answer(report, "A up 2", "Preview.")
    assert "A climbed 2." in told(office) and not sealed(office)


def test_the_answer_shows_the_board_as_it_would_be(office: MailHarness, report: Posted) -> None:
    office.answer(report, "preview", "A up 2")
    message = office.message(office.newest(ALICE, "answer").name)
    assert [part.get_content_type() for part in message.walk() if part.get_content_maintype() == "image"] == ["image/png"]
    html = message.get_body(("html",))
    assert html is not None and 'src="cid:picture.' in html.get_content()


def test_what_cannot_be_read_is_told_with_what_would_be_right(office: MailHarness, report: Posted) -> None:
    office.answer(report, "preview", "A up 9", "A up 1")
    assert "What was not tried “A up 9”: Write A up 1. Possible: A up 1." in told(office) and "A climbed 1." in told(office)


def test_what_was_sealed_before_still_stands(office: MailHarness, report: Posted) -> None:
    office.answer(report, "up 3", "wait")
    receipt = office.newest(ALICE, "receipt")
    office.answer(receipt, "preview", "A up 1")
    office.later(hours=49)
    assert office.close(office.uid)
    with office.database.read_tx() as session:
        assert match_page.match_page(session, office.uid, None).board == "A 3, B 0"


def test_without_orders_or_without_a_match_there_is_nothing_to_try(office: MailHarness, report: Posted) -> None:
    office.answer(report, "preview")
    assert "there are none" in told(office)
    office.write(ALICE, SERVICE, "preview", "A up 1")
    assert "in answer to one of its letters" in told(office)


def test_too_much_is_refused_with_a_sentence(office: MailHarness, report: Posted) -> None:
    office.answer(report, "preview", *["A up 1 " + "OR A up 2 " * 30] * 8)
    assert "alternatives at most" in told(office) and not sealed(office)


def test_in_a_game_without_trials_nothing_is_sealed_either(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    office.answer(office.newest(ALICE, "report"), "preview", "B3")
    assert "cannot be tried" in told(office) and "“B3”" in told(office) and not sealed(office)


def test_a_position_of_diplomacy_is_tried_with_orders_of_everybody(office: MailHarness) -> None:
    office.begin(ALICE, BOB, game="diplomacy", name="By post")
    office.answer(
        office.newest(ALICE, "report"), "preview", "FRANCE:", "A PAR - BUR", "A MAR S A PAR - BUR", "GERMANY: A MUN - BUR", "A PAR - LON"
    )
    assert "Your orders for Spring 1901 were only tried, and nothing was sealed." in told(office)
    assert "“A PAR - LON”" in told(office) and "Burgundy" in told(office)
    picture = next(part for part in office.message(office.newest(ALICE, "answer").name).walk() if part.get_content_maintype() == "image")
    assert len(picture.get_content()) <= 200 * 1024
    assert not sealed(office)


def test_a_position_that_is_typed_is_laid_by_letter_too(office: MailHarness) -> None:
    office.begin(ALICE, BOB, game="diplomacy", name="By post")
    lines = ("preview", "units", "FRANCE: A PAR, A MAR", "GERMANY: A BUR", "orders", "A PAR - BUR", "A MAR S A PAR - BUR")
    office.answer(office.newest(ALICE, "report"), *lines)
    assert "What was not tried" not in told(office) and "Paris" in told(office) and "driven out" in told(office)


def test_where_a_characteristic_is_missing_no_table_is_shown_as_if_it_had_been_tried(office: MailHarness) -> None:
    office.begin(ALICE, BOB, game="rsp-diplomacy", name="By post")
    office.answer(office.newest(ALICE, "report"), "preview", "F ANK - BLA", "F SEV - BLA")
    assert "write its characteristic with it" in told(office) and "The table then" not in told(office)


def test_the_receipt_of_many_orders_lists_them_one_under_the_other(office: MailHarness) -> None:
    office.begin(ALICE, BOB, game="diplomacy", name="By post")
    holds = ["A LVP H", "F LON H", "F EDI H", "A MUN H", "A BER H", "F KIE H"]  # of both, as who plays England goes by lot
    office.answer(
        office.newest(ALICE, "report"), *holds, "A VIE H", "A BUD H", "A PAR H", "A MAR H", "A CON H", "A SMY H", "A ROM H", "A VEN H"
    )
    lines = [line.strip() for line in office.newest(ALICE, "receipt").text.splitlines()]
    assert len([line for line in lines if line in holds]) == 3
