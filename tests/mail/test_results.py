"""Reports of the Diplomacies list the result of every order above the story, in the notation of
orders, without characteristics.
"""

import re

from tests.mail.mail_harness import ALICE, BOB, MailHarness
from tests.mail.test_press import begun

_OTHERS = "F Bre H\nA Par - Bur\nA Mar - Spa\nA Con - Bul\nA Smy H\nF Ank - Bla"


def test_a_report_lists_results_in_the_notation_of_orders_own_powers_first(
    harness: MailHarness,
) -> None:
    begun(harness)
    harness.order(
        harness.uid,
        ALICE,
        "F Lon - ENG\nF Edi - NTH\nA Lvp - Yor\nA Mun - Bur\nA Vie - Tri\nF Tri H",
    )
    harness.order(harness.uid, BOB, _OTHERS)
    harness.later(hours=49)
    assert harness.close(harness.uid)
    report = harness.newest(BOB, "report")
    lines = report.text.partition("Spring 1901\n\n")[2].splitlines()
    assert lines[0] == "  France: A Mar-Spa; A Par-Bur (bounced); F Bre H"
    assert (
        "  Turkey: " in lines[1]
        and "F Ank-Bla (bounced)" not in lines[1]
        and "A Con-Bul" in lines[1]
    )
    told = " ".join(report.text.split())
    assert (
        "A Mun-Bur (bounced)" in told
        and "A Vie-Tri (bounced)" in told
        and "A Bud H (no order)" in told
        and "F Lon-Eng " in told
    )
    assert ">A Par-Bur (bounced);</span>" in report.html
    assert "Austria: " in re.sub(r"<[^>]+>", "", report.html)


def test_results_tell_no_characteristics(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="rsp-diplomacy")
    for who, changed in ((ALICE, "Rock"), (BOB, "Paper")):
        units = re.findall(
            r"\n  ([AF] [A-Z]{3}(?:/[A-Z]C)?) H ", harness.newest(who, "report").text
        )
        harness.order(
            harness.uid, who, "\n".join(f"{changed} {unit} H" for unit in units) or "wait"
        )
    harness.later(hours=49)
    assert harness.close(harness.uid)
    for who in (ALICE, BOB):
        results = [
            line
            for line in harness.newest(who, "report").text.splitlines()
            if re.match(r"  [A-Z][a-z]+: [AF] ", line)
        ]
        assert results and not re.search(r"Rock|Paper|Scissors", " ".join(results))


def test_other_games_list_none(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, game="genesis")
    assert 'class="result"' not in harness.newest(ALICE, "report").html
