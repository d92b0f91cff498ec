"""How a letter lists very many choices: a line for each kind of order, a long kind as its number
and an example.
"""

import re

import pytest

from adjudicator.core.game import Choice
from adjudicator.mail.composing.rendering import (
    COLUMNS,
    LONGEST_KIND,
    in_short,
    unbroken,
    wrap,
    wrap_orders,
)
from tests.mail.mail_harness import ALICE, BOB, MailHarness
from tests.mail.test_press import begun


def choices(heading: str, texts: list[str]) -> list[Choice]:
    return [Choice(text, f"what {text} means", heading) for text in texts]


def test_few_orders_of_a_kind_are_spelled_and_many_are_told_by_one_of_them() -> None:
    many = [f"F NTH C A LON - {place}" for place in range(LONGEST_KIND // len("F NTH C A LON - 0"))]
    lines = in_short([*choices("Move", ["F NTH - BEL", "F NTH - DEN"]), *choices("Convoy", many)])
    assert lines == [
        "Move: F NTH - BEL; F NTH - DEN",
        "Convoy: 7 in all, such as F NTH C A LON - 0",
    ]


def test_a_seat_with_many_pieces_is_told_its_choices_in_short(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="diplomacy", name="By post")
    owed = (
        harness.newest(ALICE, "report")
        .text.partition("What you owe")[2]
        .partition("Answer this letter")[0]
    )
    assert "\n  Move: A" in owed and "holds" not in owed


def test_status_tells_the_same_choices_in_short(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="diplomacy", name="By post")
    harness.answer(harness.newest(ALICE, "report"), f"status {harness.uid}")
    assert "\n  Move: A" in harness.newest(ALICE, "answer").text


def test_a_question_that_may_stay_open_says_what_that_means(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="rsp-diplomacy", name="By post")
    owed = " ".join(harness.newest(ALICE, "report").text.split())
    assert "left empty, it stays so.)" in owed and "write CONCEDE on a line of its own.)" in owed


def test_long_groups_are_folded_and_help_lists_them_all(harness: MailHarness) -> None:
    begun(harness)
    report = harness.newest(BOB, "report")
    owed = report.text.partition("What you owe")[2]
    assert (
        "\n  Move\n" in owed
        and "Support a move: " in owed
        and "in all, such as " in owed
        and "`help` in answer to this letter" in owed
    )
    assert "Support a move: " in report.html and "in all, such as" in report.html
    harness.answer(report, "help")
    told = harness.newest(BOB, "answer")
    listed = [
        order for line in told.text.splitlines() for order in line.strip().rstrip(";").split("; ")
    ]
    folded = owed.partition("in all, such as ")[2].splitlines()[0]
    assert (
        "all orders" in told.text
        and "press france:" in told.text
        and len(listed) > 60
        and folded in told.text
    )


def test_a_line_of_orders_is_broken_between_them_only() -> None:
    orders = [
        f"A MOS S F STP/SC - {place}" for place in ("LVN", "FIN", "NWY", "BOT", "SWE", "NTH", "DEN")
    ]
    lines = wrap_orders(f"Support a move: {'; '.join(orders)}", 2, 4).splitlines()
    assert len(lines) > 2 and max(map(len, lines)) <= COLUMNS
    told = [
        order
        for line in lines
        for order in line.replace("Support a move: ", "").strip().rstrip(";").split("; ")
    ]
    assert told == orders


def test_the_html_of_a_letter_breaks_lists_between_orders_only(harness: MailHarness) -> None:
    html = begun(harness).html
    assert re.search(
        r"Move: <span[^>]*inline-block[^>]*>A LVP - CLY</span>; <span[^>]*>A LVP - EDI</span>;",
        html,
    )
    harness.answer(harness.letters("report", ALICE)[-1], "status")
    assert re.search(
        r"Move: <span[^>]*inline-block[^>]*>A LVP - CLY</span>;",
        harness.newest(ALICE, "answer").html,
    )


def test_what_stands_in_a_list_of_orders_is_escaped() -> None:
    assert (
        unbroken("Move: <b>; &c")
        == 'Move: <span class="one">&lt;b&gt;</span>; <span class="one">&amp;c</span>'
    )


def test_a_receipt_breaks_orders_and_remedies_between_them_only(harness: MailHarness) -> None:
    orders = ("A LVP S F EDI - CLY", "F LON S F EDI - NTH", "A BUD S F SEV - RUM")
    harness.answer(begun(harness), *orders, "A Atlantis - Mun")
    receipt = harness.newest(ALICE, "receipt")
    assert all(each in receipt.text for each in (*orders, "A MUN - BER, A MUN - BOH"))
    assert re.search(r"<span[^>]*inline-block[^>]*>A LVP S F EDI - CLY</span>; ", receipt.html)
    harness.answer(receipt, "status")
    assert all(each in harness.newest(ALICE, "answer").text for each in orders)


def test_what_is_longer_than_a_line_is_broken_between_its_words() -> None:
    words = " OR ".join(f"A MOS - LV{number}" for number in range(12))
    assert " ".join(wrap_orders(f"Then: {words}", 2, 4).split()) == f"Then: {words}"


@pytest.mark.parametrize("before", range(30, 60))
def test_a_command_to_copy_is_never_broken_over_two_lines(before: int) -> None:
    line = f"{'x' * before} write `absence 2026-12-20 to 2027-01-03` or `vote yes`, and it is done."
    folded = wrap(line, 4)
    assert (
        "`absence 2026-12-20 to 2027-01-03`" in folded
        and "`vote yes`" in folded
        and " ".join(folded.split()) == line
    )
    assert max(map(len, folded.splitlines())) <= COLUMNS
