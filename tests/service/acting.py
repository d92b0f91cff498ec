"""Acts and votes of a match that Dora runs: what its rows and its log say, for the tests of who may
act.
"""

from typing import Any

from sqlmodel import col, select

from adjudicator.service.base.phase_records import ends
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import Due, PhaseRow, Proposal
from adjudicator.service.log.catching_up import log_changes
from adjudicator.service.matches import votes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.votes import Ask, VoteResult
from tests.cast import ALICE, BOB, CHARLIE, PLAYERS
from tests.harness import Harness
from tests.service.attacker import entries

DORA = "Dora"


def begin_under_dora(harness: Harness) -> str:
    """Begin a match that Dora runs and three people play, and bring it to its second round; returns
    its public name.
    """
    uid = harness.prepare_match(Wish("pyramid", "Table", {}, play=False), DORA, *PLAYERS)
    assert harness.start_match(uid)
    harness.round(uid, [(ALICE, "B3"), (BOB, "B1"), (CHARLIE, "W2")])
    harness.claim_waiting()
    return uid


def catch_up(harness: Harness, uid: str) -> None:
    log_changes(harness.database, harness.keyring, uid, now=harness.now)


def rows(harness: Harness, uid: str) -> dict[str, Any]:
    """Return what the rows say of a match's clock, its end and its rules."""
    with harness.database.read_tx() as session:
        match = by_uid(session, uid)
        phase = session.exec(
            select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))
        ).one()
        owes = sorted(session.exec(select(Due.seat).where(Due.phase_id == phase.id)))
        told = {
            "ends": ends(match, phase),
            "why": phase.why,
            "stopped": match.stopped_why,
            "conceded": match.conceded or [],
        }
        return told | {
            "due": list(phase.due),
            "owes": owes,
            "rules": (match.vote_rule, match.ready_rule),
        }


def acts(harness: Harness, uid: str) -> list[tuple[str, str]]:
    return [(each["body"]["by"], each["body"]["what"]) for each in entries(harness, uid, "master")]


def told(harness: Harness) -> dict[str, str]:
    """Return the letters about seats and matches that wait, by address."""
    return {
        each.address: str(each.context) for each in harness.claim_waiting() if each.kind == "seat"
    }


def propose(harness: Harness, uid: str, who: str, kind: Any, **more: Any) -> int:
    votes.propose(harness.database, uid, harness.player(who), Ask(kind, **more), now=harness.now)
    with harness.database.read_tx() as session:
        return session.exec(select(Proposal.id).order_by(col(Proposal.id).desc())).first() or 0


def vote(harness: Harness, uid: str, who: str, number: int, *, yes: bool = True) -> VoteResult:
    return votes.vote(harness.database, uid, harness.player(who), number, yes=yes, now=harness.now)
