"""Each falsified entry is found, with a sentence that names match, phase and seat; correct ones
have no findings.
"""

from dataclasses import replace

import pytest

from tests.chaos import case
from tests.chaos.audit import Audit
from tests.chaos.case import (
    ALICE,
    CAME,
    ENDED,
    ENVELOPES,
    FIRST,
    NEWEST,
    POSTED,
    RECEIPTS,
    REPORTS,
    ROUND,
    SINK,
)
from tests.chaos.facts import Taken
from tests.chaos.ledger import Kept

TAKEN = ROUND.taken


def test_a_right_audit_is_sound() -> None:
    verdict = case.sound_audit().verdict()
    assert verdict.sound and (verdict.repeats, verdict.held) == (0, 0)


LOST = {
    "accepted on the page, and no receipt is there": case.with_facts(receipts=RECEIPTS[1:]),
    "the receipt says refused": case.with_facts(
        receipts=(*RECEIPTS[:1], replace(RECEIPTS[1], disposition="refused"), RECEIPTS[2])
    ),
    "the receipt is of other orders": case.with_facts(
        receipts=(replace(RECEIPTS[0], seals=("other",)), *RECEIPTS[1:])
    ),
    "the receipt is not signed": case.with_facts(
        receipts=(replace(RECEIPTS[0], signed=False), *RECEIPTS[1:])
    ),
    "no envelope is there": case.with_facts(envelopes=ENVELOPES[1:]),
    "an older envelope was played": case.with_facts(
        phases=(
            case.OPENING,
            replace(ROUND, taken={**TAKEN, "1": Taken("sealed", "B1", "seal-a1")}),
        )
    ),
    "the default was played": case.with_facts(
        phases=(case.OPENING, replace(ROUND, taken={**TAKEN, "1": Taken("default", "B1", "")}))
    ),
    "what a letter said was not played": case.with_facts(
        phases=(case.OPENING, replace(ROUND, taken={**TAKEN, "2": Taken("default", "C1", "")}))
    ),
    "the letter is not there": case.with_facts(into=()),
    "the letter was never read": case.with_facts(into=(replace(CAME, disposition=""),)),
    "the letter is only known as a copy": case.with_facts(
        into=(replace(CAME, disposition="repeated"),)
    ),
    "the letter's orders were not handed in": case.with_facts(
        receipts=RECEIPTS[:2],
        envelopes=ENVELOPES[:2],
        phases=(case.OPENING, replace(ROUND, taken={"1": TAKEN["1"]})),
    ),
    "the letter came in time and was refused": case.with_facts(
        receipts=(*RECEIPTS[:2], replace(RECEIPTS[2], disposition="refused")),
        envelopes=ENVELOPES[:2],
    ),
    "the letter counts in another phase than it came in": case.with_facts(
        receipts=(*RECEIPTS[:2], replace(RECEIPTS[2], phase=2)),
        envelopes=(*ENVELOPES[:2], replace(ENVELOPES[2], phase=2)),
    ),
    "a form was refused as late before the deadline": case.with_ledger(
        handed=(
            FIRST,
            NEWEST,
            replace(
                FIRST,
                fate="refused",
                seq=3,
                reason="The deadline of Round 1 had passed",
                ended=40.0,
            ),
        )
    ),
    "a seat was not told of a closing": case.with_facts(out=REPORTS[1:]),
    "a report waits": case.with_facts(out=(replace(REPORTS[0], state="waiting"), *REPORTS[1:])),
    "a report is held, and nobody refused its address": case.with_facts(
        out=(replace(REPORTS[0], state="held"), *REPORTS[1:])
    ),
    "a report is marked as sent and never came": case.with_ledger(kept=SINK[1:]),
}


@pytest.mark.parametrize("audit", LOST.values(), ids=LOST.keys())
def test_what_is_lost_is_found(audit: Audit) -> None:
    assert audit.verdict().lost


DOUBLE = {
    "a phase is there twice": case.with_facts(phases=(case.OPENING, ROUND, ROUND)),
    "a phase is missing": case.with_facts(phases=(case.OPENING, replace(ROUND, number=2))),
    "a phase of a match that is over is open": case.with_facts(
        phases=(case.OPENING, replace(ROUND, closed=None))
    ),
    "one number was given to two submissions": case.with_ledger(
        handed=(FIRST, NEWEST, replace(NEWEST, seal="seal-a1", seq=1))
    ),
    "a letter was read twice": case.with_facts(into=(CAME, CAME)),
    "two reports of one closing": case.with_facts(
        out=(*REPORTS, replace(REPORTS[0], uid="again")), matches=(ENDED,)
    ),
    "a report came twice, and nothing was broken then": case.with_ledger(
        kept=(*SINK, replace(SINK[0], at=40.0))
    ),
    "a report came twice, and the fault was long over": case.with_ledger(
        kept=(*SINK, replace(SINK[0], at=40.0)), faults=(case.killed_at(20),)
    ),
}


@pytest.mark.parametrize("audit", DOUBLE.values(), ids=DOUBLE.keys())
def test_what_is_doubled_is_found(audit: Audit) -> None:
    assert audit.verdict().double


OTHER = {
    "orders that were sent after the deadline count": case.with_ledger(
        handed=(FIRST, replace(NEWEST, begun=100.0, ended=100.1))
    ),
    "an envelope is from after the deadline": case.with_facts(
        envelopes=(*ENVELOPES[:2], replace(ENVELOPES[2], at=100.0))
    ),
    "a letter came of which no row knows": case.with_ledger(
        kept=(*SINK, Kept(60.0, "unknown", ALICE, "taken"))
    ),
    "a match plays otherwise again": case.with_facts(
        matches=(replace(ENDED, differences=("Round 1: another state",)),)
    ),
    "a match is stuck": case.with_facts(matches=(replace(ENDED, status="stuck"),)),
}


@pytest.mark.parametrize("audit", OTHER.values(), ids=OTHER.keys())
def test_what_else_must_not_be_is_found(audit: Audit) -> None:
    assert audit.verdict().other


def test_a_report_that_came_again_after_a_death_is_counted_and_forgiven() -> None:
    again = (*SINK, replace(SINK[0], at=140.0))
    verdict = case.with_ledger(kept=again, faults=(case.killed_at(2.5),)).verdict()
    assert verdict.sound and verdict.repeats == 1


@pytest.mark.parametrize("answer", ["cut", "silent"])
def test_a_report_that_the_mail_server_did_not_acknowledge_may_come_again(answer: str) -> None:
    first = replace(SINK[0], answer=answer)  # type: ignore[arg-type]  # both are answers
    assert (
        case.with_ledger(kept=(first, *SINK[1:], replace(SINK[0], at=60.0))).verdict().repeats == 1
    )


def test_newer_orders_of_which_a_seat_never_heard_may_be_played() -> None:
    unheard = replace(NEWEST, fate="unanswered", seq=0, seal="")
    assert case.with_ledger(handed=(FIRST, unheard)).verdict().sound
    assert case.with_ledger(handed=(FIRST,)).verdict().lost, "nobody sent what was played"


REFUSED = {
    "receipts": (*RECEIPTS[:2], replace(RECEIPTS[2], disposition="refused")),
    "envelopes": ENVELOPES[:2],
}


def test_a_letter_that_was_acknowledged_at_the_deadline_may_be_refused() -> None:
    open_to_the_end = replace(ROUND, closed=101.0)
    audit = case.with_facts(**REFUSED, phases=(case.OPENING, open_to_the_end))
    assert (
        Audit(replace(audit.ledger, posted=(replace(POSTED, ended=100.0),)), audit.facts)
        .verdict()
        .sound
    )
    assert (
        Audit(replace(audit.ledger, posted=(replace(POSTED, ended=99.9),)), audit.facts)
        .verdict()
        .lost
    )


def test_a_letter_whose_piece_is_gone_may_be_refused() -> None:
    gone = replace(case.OPENING, taken={"2": Taken("sealed", "W2", "")})
    assert case.with_facts(**REFUSED, phases=(gone, ROUND)).verdict().sound


def test_a_letter_to_an_address_that_was_refused_may_be_held() -> None:
    audit = case.with_facts(out=(replace(REPORTS[0], state="held", trouble="550"), *REPORTS[1:]))
    refused = replace(audit.ledger, kept=(*SINK[1:], Kept(3.0, "", ALICE, "refused")))
    verdict = Audit(refused, audit.facts).verdict()
    assert verdict.sound and verdict.held == 1
