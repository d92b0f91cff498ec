"""Votes: more time, pauses and ends that players decide together; what is refused, what repeats,
and who is told.
"""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, select, update

from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.tables import Letter, Match, PhaseRow, Proposal, Seat
from adjudicator.service.handover import leaving
from adjudicator.service.matches import masters, votes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.proposals import ProposalKind
from adjudicator.service.matches.votes import Ask, VoteResult
from adjudicator.service.phases import closing
from adjudicator.service.requests.made_for import MadeFor
from adjudicator.service.views import votes as view
from adjudicator.service.views.votes import Voting
from tests.harness import Harness

NAMES = ("Alice", "Bob", "Charlie")
HOURS = timedelta(hours=1)


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match of three people in Round 1, due in two days."""
    return harness.match(*NAMES)


def phase_of(harness: Harness, uid: str) -> PhaseRow:
    with harness.database.read_tx() as session:
        phase = rows.open_phase(session, rows.by_uid(session, uid))
    assert phase is not None and phase.deadline is not None
    return phase


def propose(
    harness: Harness, uid: str, who: str, kind: ProposalKind, hours: int | None = None, **more: Any
) -> VoteResult:
    """Propose a change; `hours` counts from the deadline of now."""
    target = (
        None if hours is None else (phase_of(harness, uid).deadline or harness.now) + hours * HOURS
    )
    return votes.propose(
        harness.database, uid, harness.people[who], Ask(kind, target), now=harness.now, **more
    )


def newest(harness: Harness) -> Proposal:
    with harness.database.read_tx() as session:
        return session.exec(select(Proposal).order_by(col(Proposal.id).desc())).first()  # type: ignore[return-value]


def vote(
    harness: Harness, uid: str, who: str, *, yes: bool = True, on: int | None = None
) -> VoteResult:
    """Vote on the newest proposal, or on this one."""
    return votes.vote(
        harness.database,
        uid,
        harness.people[who],
        on or newest(harness).id or 0,
        yes=yes,
        now=harness.now,
    )


def letters(harness: Harness, kind: str) -> list[str]:
    with harness.database.read_tx() as session:
        return sorted(session.exec(select(Letter.address).where(Letter.kind == kind)))


def notes(harness: Harness, uid: str) -> list[tuple[str, str]]:
    return [(note.who, note.what) for note in harness.page(uid).notes]


def seen(harness: Harness, uid: str, who: str | None = None) -> Voting:
    with harness.database.read_tx() as session:
        return view.votes_of(
            session, uid, harness.people[who] if who else None, zone="UTC", now=harness.now
        )


def rule(harness: Harness, uid: str, **values: object) -> None:
    """Change the match's rule of votes."""
    with harness.database.write_tx() as session:
        session.exec(update(Match).where(col(Match.uid) == uid).values(**values))


# --- more time


def test_more_time_lapses_where_the_deadline_became_earlier(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    masters.move_deadline(harness.database, uid, None, -36 * HOURS, now=harness.now)
    earlier = phase_of(harness, uid).deadline
    with pytest.raises(NotNow, match="is over"):
        vote(harness, uid, "Bob")
    assert phase_of(harness, uid).deadline == earlier, (
        "else votes would give 60 hours, and they may give 48"
    )


def test_a_majority_of_those_who_owe_orders_extends_the_phase_at_once(
    harness: Harness, uid: str
) -> None:
    before = phase_of(harness, uid).deadline
    assert before is not None
    asked = propose(harness, uid, "Alice", "extend", 24)
    assert asked == VoteResult(
        "You proposed more time: Round 1 until Thu 5 Nov 12:00 (UTC). 1 of 3 agrees; 2 have to.",
        acted=False,
    )
    assert phase_of(harness, uid).deadline == before and letters(harness, "proposal") == [
        "bob@example.org",
        "charlie@example.org",
    ]
    harness.order(uid, "Bob", "B3")
    assert vote(harness, uid, "Bob").acted, "a seat that handed in votes like the others"
    phase = phase_of(harness, uid)
    assert phase.deadline == before + 24 * HOURS and phase.closes_at == phase.deadline + timedelta(
        minutes=10
    )
    moved = (
        "moved the deadline of Round 1 from Wed 4 Nov 2026 12:00 (UTC) to Thu 5 Nov 2026 12:00"
        " (UTC)"
    )
    assert notes(harness, uid) == [("the players", moved)] and len(letters(harness, "notice")) == 3


def test_a_repeated_proposal_or_vote_changes_nothing(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    target = newest(harness).target
    for _ in range(2):
        votes.propose(
            harness.database, uid, harness.people["Alice"], Ask("extend", target), now=harness.now
        )
    assert (
        len(letters(harness, "proposal")) == 2
        and seen(harness, uid).proposals[0].tally == "1 of 3 agrees; 2 have to"
    )
    vote(harness, uid, "Bob")
    deadline = phase_of(harness, uid).deadline
    assert not vote(harness, uid, "Bob").acted and not vote(harness, uid, "Alice").acted
    again = votes.propose(
        harness.database, uid, harness.people["Charlie"], Ask("extend", target), now=harness.now
    )
    assert again.sentence.endswith("is that already, so nothing was changed.")
    assert (
        phase_of(harness, uid).deadline == deadline
        and len(notes(harness, uid)) == 1
        and len(letters(harness, "notice")) == 3
    )


def test_proposing_what_another_proposed_counts_as_a_vote_for_it(
    harness: Harness, uid: str
) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    assert propose(harness, uid, "Bob", "extend", 24).acted


def test_while_one_proposal_stands_another_target_is_refused(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    with pytest.raises(NotNow, match="Another proposal stands: more time: Round 1 until Thu 5 Nov"):
        propose(harness, uid, "Bob", "extend", 12)
    for who in ("Bob", "Charlie"):
        vote(harness, uid, who, yes=False)
    assert notes(harness, uid)[0][1].startswith("did not agree to a proposal: more time")
    assert not propose(harness, uid, "Bob", "extend", 12).acted, (
        "once it is rejected another can be made"
    )


def test_where_all_have_to_agree_one_no_rejects_it(harness: Harness, uid: str) -> None:
    rule(harness, uid, vote_rule="all")
    propose(harness, uid, "Alice", "extend", 24)
    assert not vote(harness, uid, "Bob").acted
    assert vote(harness, uid, "Charlie", yes=False).sentence.startswith("The proposal was rejected")
    with pytest.raises(NotNow, match="was rejected already"):
        vote(harness, uid, "Charlie")
    assert not vote(harness, uid, "Charlie", yes=False).acted


def test_votes_give_no_more_than_the_usual_length_of_a_phase(harness: Harness, uid: str) -> None:
    with pytest.raises(Refused, match="Votes can give more time: Round 1 until Fri 6 Nov 12:00"):
        propose(harness, uid, "Alice", "extend", 49)
    propose(harness, uid, "Alice", "extend", 48)
    vote(harness, uid, "Bob")
    assert seen(harness, uid, "Alice").extend_until is None
    with pytest.raises(Refused, match="Votes can give Round 1 no more time"):
        propose(harness, uid, "Alice", "extend", 1)


def test_a_match_can_allow_less_and_an_earlier_deadline_is_no_extension(
    harness: Harness, uid: str
) -> None:
    rule(harness, uid, extension_seconds=3600)
    with pytest.raises(Refused, match="until Wed 4 Nov 13:00"):
        propose(harness, uid, "Alice", "extend", 2)
    with pytest.raises(Refused, match="gives only more time"):
        propose(harness, uid, "Alice", "extend", -1)


def test_in_a_match_without_votes_its_master_alone_gives_time(harness: Harness, uid: str) -> None:
    rule(harness, uid, vote_rule="none")
    for kind, hours in (("extend", 1), ("pause", None)):
        with pytest.raises(NotAllowed, match="its master alone decides"):
            propose(harness, uid, "Bob", kind, hours)  # type: ignore[arg-type]
    masters.pause_match(harness.database, uid, harness.people["Alice"], now=harness.now)
    assert masters.resume_match(
        harness.database, uid, harness.people["Alice"], now=harness.now
    ).acted, "as it always was"
    assert seen(harness, uid, "Bob").extend_until is None


def test_house_bots_are_neither_counted_nor_asked(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob")
    propose(harness, uid, "Alice", "extend", 24)
    assert seen(harness, uid).proposals[0].tally == "1 of 2 agrees; all have to" and letters(
        harness, "proposal"
    ) == ["bob@example.org"]


def test_in_an_anonymous_match_every_seat_counts_so_that_nothing_tells_a_bot(
    harness: Harness,
) -> None:
    uid = harness.match(
        "Alice", wish=Wish("diplomacy", "Hidden", {"anonymous": True}, players=2, house=1)
    )
    assert not propose(harness, uid, "Alice", "extend", 24).acted
    assert seen(harness, uid).proposals[0].tally == "1 of 2 agrees; all have to"


def test_who_voted_how_is_told_only_where_a_match_shows_its_seats(harness: Harness) -> None:
    told = {}
    for progress in ("seats", "count", "none"):
        uid = harness.match(*NAMES, wish=Wish("pyramid", progress, {}, progress=progress))  # type: ignore[arg-type]
        propose(harness, uid, "Alice", "end")
        shown = seen(harness, uid, "Bob").proposals[0]
        told[progress] = (shown.agree, shown.against)
    assert told == {"seats": (("1",), ()), "count": ((), ()), "none": ((), ())}


def test_a_seat_that_owes_nothing_may_ask_and_not_vote(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", wish=Wish("genesis", "Turns", {}))
    due = phase_of(harness, uid).due[0]
    on_turn, other = (
        ("Alice", "Bob") if harness.page(uid, "Alice").seat == due else ("Bob", "Alice")
    )
    assert propose(harness, uid, other, "extend", 24).sentence.endswith(
        "0 of 1 agree; all have to."
    )
    with pytest.raises(NotAllowed, match="Only the seats that owe orders vote"):
        vote(harness, uid, other)
    assert vote(harness, uid, on_turn).acted


def test_a_vote_counts_only_while_its_player_has_the_seat(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    with harness.database.write_tx() as session:
        session.exec(
            update(Seat)
            .where(col(Seat.player_id) == harness.people["Alice"])
            .values(player_id=harness.player("Dora"))
        )
    assert not vote(harness, uid, "Bob").acted, "Alice's vote went with her"
    assert vote(harness, uid, "Dora").acted


def test_a_seat_proposes_the_same_three_times_in_a_phase_at_most(
    harness: Harness, uid: str
) -> None:
    for hours in (1, 2, 3):
        propose(harness, uid, "Alice", "extend", hours)
        for who in ("Bob", "Charlie"):
            vote(harness, uid, who, yes=False)
    with pytest.raises(NotNow, match="3 times in Round 1 already"):
        propose(harness, uid, "Alice", "extend", 4)


# --- faults of time


def test_a_vote_after_the_phase_closed_changes_nothing(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    stood = newest(harness).id
    harness.round(uid, [(name, "B3") for name in NAMES])
    deadline = phase_of(harness, uid).deadline
    with pytest.raises(NotNow, match="is over already"):
        vote(harness, uid, "Bob", on=stood)
    assert phase_of(harness, uid).deadline == deadline and seen(harness, uid).proposals == ()
    assert not propose(harness, uid, "Bob", "extend", 24).acted, (
        "the lapsed one does not stand in the way"
    )


def test_a_vote_after_deadline_and_grace_is_too_late_and_one_in_the_grace_is_not(
    harness: Harness, uid: str
) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    harness.later(hours=48, minutes=10)
    with pytest.raises(NotNow, match="it is being closed"):
        vote(harness, uid, "Bob")
    harness.later(minutes=-1)
    assert vote(harness, uid, "Bob").acted and not harness.close(uid)


def test_a_closing_that_was_worked_out_before_the_vote_passed_is_not_written(
    harness: Harness, uid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    work_out = closing.work_out

    def voted_meanwhile(*given: Any) -> Any:
        harness.later(hours=-2)
        vote(harness, uid, "Bob")
        harness.later(hours=2)
        return work_out(*given)

    monkeypatch.setattr(closing, "work_out", voted_meanwhile)
    harness.later(hours=49)
    assert not harness.close(uid) and phase_of(harness, uid).number == 1


def test_what_a_form_says_of_a_closed_phase_is_not_done_to_the_next(
    harness: Harness, uid: str
) -> None:
    harness.round(uid, [(name, "B3") for name in NAMES])
    with pytest.raises(NotNow, match="nothing was changed; Round 2 is open"):
        propose(harness, uid, "Alice", "extend", 24, made_for=MadeFor(1))


def test_a_paused_match_is_not_extended(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    for act in (
        lambda: vote(harness, uid, "Bob"),
        lambda: propose(harness, uid, "Bob", "extend", 12),
    ):
        with pytest.raises(NotNow, match="paused"):
            act()
    assert newest(harness).outcome is None


def test_with_the_clock_set_back_votes_work_as_before(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    harness.later(hours=-5)
    assert vote(harness, uid, "Bob").acted


def test_a_proposal_lapses_as_the_master_moves_the_deadline_beyond_it(
    harness: Harness, uid: str
) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    masters.move_deadline(harness.database, uid, None, 30 * HOURS, now=harness.now)
    deadline = phase_of(harness, uid).deadline
    with pytest.raises(NotNow, match="is over already"):
        vote(harness, uid, "Bob")
    assert phase_of(harness, uid).deadline == deadline


# --- pauses


def test_the_players_pause_the_match_and_let_it_go_on(harness: Harness, uid: str) -> None:
    assert not propose(harness, uid, "Alice", "pause").acted and not harness.page(uid).card.paused
    assert vote(harness, uid, "Charlie").acted and harness.page(uid).card.paused
    harness.later(hours=30)
    assert not propose(harness, uid, "Bob", "resume").acted
    assert vote(harness, uid, "Alice").acted and not harness.page(uid).card.paused
    assert phase_of(harness, uid).deadline == harness.now + 48 * HOURS
    assert [who for who, _ in notes(harness, uid)] == ["the players", "the players"]


def test_a_player_who_writes_pause_proposes_it_and_the_master_does_it(
    harness: Harness, uid: str
) -> None:
    assert not masters.pause_match(
        harness.database, uid, harness.people["Bob"], now=harness.now
    ).acted
    assert masters.pause_match(
        harness.database, uid, harness.people["Alice"], now=harness.now
    ).acted
    assert not masters.resume_match(
        harness.database, uid, harness.people["Alice"], now=harness.now
    ).acted, "she plays"
    assert vote(harness, uid, "Bob").acted and not harness.page(uid).card.paused


def test_two_proposals_of_different_kinds_stand_side_by_side(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    propose(harness, uid, "Bob", "pause")
    assert [each.kind for each in seen(harness, uid, "Charlie").proposals] == ["extend", "pause"]
    assert all(
        each.may_vote and each.voted is None for each in seen(harness, uid, "Charlie").proposals
    )
    assert not any(each.may_vote for each in seen(harness, uid).proposals), "an observer looks on"


def test_nobody_waits_for_the_vote_of_a_seat_that_looks_for_a_player_until_its_player_is_back(
    harness: Harness,
) -> None:
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, misses=1))
    for who in ("Alice", "Bob"):
        harness.order(uid, who, "B3")
    harness.later(hours=48, minutes=10)
    assert harness.close(uid)
    propose(harness, uid, "Alice", "end")
    assert "1 of 2 agrees" in seen(harness, uid).proposals[0].tally
    with pytest.raises(NotAllowed, match="Write `back` first"):
        vote(harness, uid, "Charlie")
    leaving.come_back(harness.database, uid, harness.people["Charlie"], now=harness.now)
    assert not vote(harness, uid, "Charlie").acted and vote(harness, uid, "Bob").acted


def test_a_proposal_to_end_the_match_stands_for_a_week(harness: Harness) -> None:
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_hours=240))
    propose(harness, uid, "Alice", "end")
    vote(harness, uid, "Bob")
    harness.later(days=7)
    assert seen(harness, uid).proposals == ()
    with pytest.raises(NotNow, match="is over already"):
        vote(harness, uid, "Charlie")
    assert harness.page(uid).card.status == "running"


# --- the consent that a master who plays needs


def test_all_other_persons_consent_to_an_early_close(harness: Harness, uid: str) -> None:
    alice = harness.people["Alice"]
    assert not masters.close_now(harness.database, uid, alice, now=harness.now).acted
    assert not vote(harness, uid, "Bob").acted and vote(harness, uid, "Charlie").acted
    assert harness.close(uid) and phase_of(harness, uid).number == 2


def test_all_other_persons_consent_to_a_shorter_phase(harness: Harness, uid: str) -> None:
    target = harness.now + 3 * HOURS
    masters.move_deadline(harness.database, uid, harness.people["Alice"], target, now=harness.now)
    vote(harness, uid, "Bob")
    assert vote(harness, uid, "Charlie").acted and phase_of(harness, uid).deadline == target


# --- who may


def test_strangers_and_votes_of_other_matches_are_refused(harness: Harness, uid: str) -> None:
    propose(harness, uid, "Alice", "extend", 24)
    harness.player("Mallory")
    with pytest.raises(NotAllowed, match="no seat"):
        vote(harness, uid, "Mallory")
    other = harness.match(*NAMES)
    with pytest.raises(NotFound):
        vote(harness, other, "Bob")


# --- the options of a match


def test_a_match_says_whose_votes_it_needs(harness: Harness) -> None:
    uid = harness.match(
        *NAMES, wish=Wish("pyramid", "Strict", {}, vote_rule="all", extension_hours=6)
    )
    told = harness.terms(uid)[-1].told
    assert told == (
        "More time and a pause need the votes of all.",
        "Votes extend a phase by 6 hours at most.",
        "It is rated, if people alone play it.",
    )
    for wrong in ({"vote_rule": "some"}, {"extension_hours": 169}):
        with pytest.raises(Refused):
            harness.match(*NAMES, wish=Wish("pyramid", "Wrong", {}, **wrong))  # type: ignore[arg-type]
