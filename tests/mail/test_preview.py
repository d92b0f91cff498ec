"""`preview` by letter: orders are tried and shown with a picture, and nothing is sealed."""

import pytest

from adjudicator.mail.sending.mailbox import Posted
from adjudicator.service.views import match_page
from tests.games.sample_game import offer
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness


@pytest.fixture(autouse=True)
def stairs(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch)


@pytest.fixture
def report(harness: MailHarness) -> Posted:
    """The letter that asks Alice for her first turn."""
    harness.begin(ALICE, BOB, game="stairs", name="Up")
    return harness.newest(ALICE, "report")


def told(harness: MailHarness) -> str:
    return " ".join(harness.newest(ALICE, "answer").text.split())


def sealed(harness: MailHarness) -> bool:
    with harness.database.read_tx() as session:
        owed = match_page.match_page(session, harness.uid, harness.player(ALICE)).owed
    return owed is None or owed.handed_in_at is not None


def test_the_orders_of_the_letter_are_tried_and_not_sealed(
    harness: MailHarness, report: Posted
) -> None:
    assert harness.answer(report, "preview", "A up 2", "B up 1").disposition == "commands"
    assert "only tried, and nothing was sealed" in told(harness)
    assert "What would come of it A climbed 2. B climbed 1. The table then A 2, B 1" in told(
        harness
    )
    assert not sealed(harness) and harness.letters("receipt", ALICE) == []


def test_the_word_may_stand_anywhere_in_the_letter(harness: MailHarness, report: Posted) -> None:
    harness.answer(report, "A up 2", "Preview.")
    assert "A climbed 2." in told(harness) and not sealed(harness)


def test_the_answer_shows_the_board_as_it_would_be(harness: MailHarness, report: Posted) -> None:
    harness.answer(report, "preview", "A up 2")
    message = harness.message(harness.newest(ALICE, "answer").name)
    assert [
        part.get_content_type() for part in message.walk() if part.get_content_maintype() == "image"
    ] == ["image/png"]
    html = message.get_body(("html",))
    assert html is not None and 'src="cid:picture.' in html.get_content()


def test_what_cannot_be_read_is_told_with_what_would_be_right(
    harness: MailHarness, report: Posted
) -> None:
    harness.answer(report, "preview", "A up 9", "A up 1")
    assert "What was not tried “A up 9”: Write A up 1. Possible: A up 1." in told(
        harness
    ) and "A climbed 1." in told(harness)


def test_what_was_sealed_before_still_stands(harness: MailHarness, report: Posted) -> None:
    harness.answer(report, "up 3", "wait")
    receipt = harness.newest(ALICE, "receipt")
    harness.answer(receipt, "preview", "A up 1")
    harness.later(hours=49)
    assert harness.close(harness.uid)
    with harness.database.read_tx() as session:
        assert match_page.match_page(session, harness.uid, None).board == "A 3, B 0"


def test_without_orders_or_without_a_match_there_is_nothing_to_try(
    harness: MailHarness, report: Posted
) -> None:
    harness.answer(report, "preview")
    assert "there are none" in told(harness)
    harness.write(ALICE, SERVICE, "preview", "A up 1")
    assert "in answer to one of its letters" in told(harness)


def test_too_much_is_refused_with_a_sentence(harness: MailHarness, report: Posted) -> None:
    harness.answer(report, "preview", *["A up 1 " + "OR A up 2 " * 30] * 8)
    assert "alternatives at most" in told(harness) and not sealed(harness)


def test_in_a_game_without_trials_nothing_is_sealed_either(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "preview", "B3")
    assert "cannot be tried" in told(harness) and "“B3”" in told(harness) and not sealed(harness)


def test_a_position_of_diplomacy_is_tried_with_orders_of_everybody(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="diplomacy", name="By post")
    harness.answer(
        harness.newest(ALICE, "report"),
        "preview",
        "FRANCE:",
        "A PAR - BUR",
        "A MAR S A PAR - BUR",
        "GERMANY: A MUN - BUR",
        "A PAR - LON",
    )
    assert "Your orders for Spring 1901 were only tried, and nothing was sealed." in told(harness)
    assert "“A PAR - LON”" in told(harness) and "Burgundy" in told(harness)
    picture = next(
        part
        for part in harness.message(harness.newest(ALICE, "answer").name).walk()
        if part.get_content_maintype() == "image"
    )
    assert len(picture.get_content()) <= 200 * 1024
    assert not sealed(harness)


def test_a_position_that_is_typed_is_laid_by_letter_too(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="diplomacy", name="By post")
    lines = (
        "preview",
        "units",
        "FRANCE: A PAR, A MAR",
        "GERMANY: A BUR",
        "orders",
        "A PAR - BUR",
        "A MAR S A PAR - BUR",
    )
    harness.answer(harness.newest(ALICE, "report"), *lines)
    assert (
        "What was not tried" not in told(harness)
        and "Paris" in told(harness)
        and "driven out" in told(harness)
    )


def test_where_a_characteristic_is_missing_no_table_is_shown_as_if_it_had_been_tried(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, game="rsp-diplomacy", name="By post")
    harness.answer(harness.newest(ALICE, "report"), "preview", "F ANK - BLA", "F SEV - BLA")
    assert "write its characteristic with it" in told(harness) and "The table then" not in told(
        harness
    )


def test_the_receipt_of_many_orders_lists_them_one_under_the_other(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="diplomacy", name="By post")
    # of both, as who plays England goes by lot
    holds = ["A LVP H", "F LON H", "F EDI H", "A MUN H", "A BER H", "F KIE H"]
    harness.answer(
        harness.newest(ALICE, "report"),
        *holds,
        "A VIE H",
        "A BUD H",
        "A PAR H",
        "A MAR H",
        "A CON H",
        "A SMY H",
        "A ROM H",
        "A VEN H",
    )
    lines = [line.strip() for line in harness.newest(ALICE, "receipt").text.splitlines()]
    assert len([line for line in lines if line in holds]) == 3
