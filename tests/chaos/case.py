"""An audit without findings, for tests to falsify: one match of two people with one closed phase
and its end.
"""

from dataclasses import replace

from tests.chaos.audit import Audit
from tests.chaos.facts import (
    EnvelopeFact,
    Facts,
    InFact,
    MatchFact,
    OutFact,
    PhaseFact,
    ReceiptFact,
    Taken,
)
from tests.chaos.ledger import Fault, Handed, Kept, Ledger, Posted

MATCH, ALICE, BOB = "abc", "alice@example.org", "bob@example.org"
LETTER = "<one@home.example.org>"
DEADLINE = 100.0

FIRST = Handed(MATCH, "1", 1, "B1", begun=10, ended=10.1, fate="accepted", seq=1, seal="seal-a1")
NEWEST = Handed(MATCH, "1", 1, "B3", begun=20, ended=20.1, fate="accepted", seq=2, seal="seal-a2")
POSTED = Posted(LETTER, MATCH, "2", "W2", begun=30, ended=30.2, tries=1)
OPENING = PhaseFact(MATCH, 0, 1.0, None, 1.0, "forced", {})
ROUND = PhaseFact(
    MATCH,
    1,
    1.0,
    DEADLINE,
    50.0,
    "ready",
    {"1": Taken("sealed", "B3", "seal-a2"), "2": Taken("sealed", "W2", "seal-b1")},
)
RECEIPTS = (
    ReceiptFact(MATCH, 1, "1", 1, "form", 10.0, "accepted", ("seal-a1",), signed=True),
    ReceiptFact(MATCH, 1, "1", 2, "form", 20.0, "accepted", ("seal-a2",), signed=True),
    ReceiptFact(MATCH, 1, "2", 1, "letter", 30.1, "accepted", ("seal-b1",), signed=True),
)
ENVELOPES = tuple(
    EnvelopeFact(each.match, each.phase, each.seat, each.seq, each.at) for each in RECEIPTS
)
CAME = InFact(LETTER, MATCH, "2", 30.1, "orders")
REPORTS = tuple(
    OutFact(f"{name}{number}", "report", MATCH, seat, number, address, "sent", "")
    for seat, name, address in (("1", "a", ALICE), ("2", "b", BOB))
    for number in (1, None)
)
SINK = tuple(
    Kept(2.0 if letter.phase else 51.0, letter.uid, letter.address, "taken") for letter in REPORTS
)
ENDED = MatchFact(MATCH, "ended", ("1", "2"), ())


def sound_audit() -> Audit:
    """Return an audit in which every promise was kept."""
    facts = Facts((ENDED,), (OPENING, ROUND), RECEIPTS, ENVELOPES, REPORTS, (CAME,))
    return Audit(Ledger((FIRST, NEWEST), (POSTED,), SINK), facts)


def with_facts(**changes: object) -> Audit:
    """Return this audit with changed facts."""
    audit = sound_audit()
    return Audit(audit.ledger, replace(audit.facts, **changes))  # type: ignore[arg-type]  # fields of Facts


def with_ledger(**changes: object) -> Audit:
    """Return this audit with a changed ledger."""
    audit = sound_audit()
    return Audit(replace(audit.ledger, **changes), audit.facts)  # type: ignore[arg-type]  # fields of Ledger


def killed_at(moment: float) -> Fault:
    """Return the fault of a killed worker."""
    return Fault("the worker", moment, moment, between=True)
