"""Who writes any row, without key file, cookie or letter, tries to run matches and to vote for
others. Each try is put right.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, select

from adjudicator.core.jcs import format_timestamp
from adjudicator.seal.requests import SessionKey
from adjudicator.service.base.phase_records import (
    ends,
    keep_phase_key,
    recall_known,
    recall_phase_key,
)
from adjudicator.service.base.rows import by_uid, open_phase
from adjudicator.service.base.tables import LogEntry, MasterNote, Match, PhaseRow, Player
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import closing
from adjudicator.service.requests.bodies import act_request
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, PLAYERS
from tests.harness import Harness
from tests.service.acting import DORA, acts, begin_under_dora, catch_up, propose, rows, told, vote
from tests.service.attacker import Attacker, played, tampering

Change = Callable[[Match, PhaseRow], None]


@pytest.fixture
def uid(harness: Harness) -> str:
    return begin_under_dora(harness)


# --- changes without an act


def move(match: Match, phase: PhaseRow, span: timedelta) -> None:
    assert phase.deadline is not None
    phase.deadline += span
    phase.closes_at = phase.deadline


def hurry(match: Match, phase: PhaseRow) -> None:
    move(match, phase, timedelta(hours=-71))


def delay(match: Match, phase: PhaseRow) -> None:
    move(match, phase, timedelta(days=9))


def pause(match: Match, phase: PhaseRow) -> None:
    match.paused_at, phase.closes_at = phase.opened_at, None


def desert(match: Match, phase: PhaseRow) -> None:
    match.paused_at, match.deserted, phase.closes_at = phase.opened_at, True, None


def overtime(match: Match, phase: PhaseRow) -> None:
    assert phase.deadline is not None
    phase.overtime_after, phase.overtime_until = phase.deadline, phase.deadline + timedelta(days=30)


def close_at_once(match: Match, phase: PhaseRow) -> None:
    phase.why, phase.grace_seconds, phase.deadline = "master", 0, phase.opened_at
    phase.closes_at = phase.opened_at


def stop(match: Match, phase: PhaseRow) -> None:
    match.stopped_after, match.stopped_why, match.stop_note = phase.number - 1, "master", "over"
    phase.why, phase.closes_at = "stopped", phase.opened_at


def concede(match: Match, phase: PhaseRow) -> None:
    match.conceded, phase.due = [["1", phase.number - 1]], ["2", "3"]


def concede_earlier(match: Match, phase: PhaseRow) -> None:
    match.conceded = [["1", 0]]


def let_a_majority_decide(match: Match, phase: PhaseRow) -> None:
    match.vote_rule = "all"


def wait_for_nobody(match: Match, phase: PhaseRow) -> None:
    match.ready_rule = "said"


CHANGES: dict[Change, str] = {
    hurry: "deadline",
    delay: "deadline",
    pause: "deadline",
    desert: "deadline",
    overtime: "deadline",
    close_at_once: "act",
    stop: "act",
    concede: "act",
    concede_earlier: "act",
    let_a_majority_decide: "act",
    wait_for_nobody: "act",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_what_nobody_asked_for_is_put_back_before_a_phase_closes(
    harness: Harness, uid: str, attacker: Attacker, change: Change
) -> None:
    before = rows(harness, uid)
    attacker.change(lambda _, match, phase: change(match, phase))
    assert rows(harness, uid) != before
    harness.later(minutes=1)
    assert not harness.close(uid)
    assert rows(harness, uid) == before
    assert CHANGES[change] in tampering(harness, uid)
    assert "dora@example.org" in told(harness), "whoever runs the match is told"
    assert not acts(harness, uid)


@pytest.mark.parametrize("change", [hurry, pause], ids=lambda change: change.__name__)
def test_the_next_submission_puts_it_back_as_well(
    harness: Harness, uid: str, attacker: Attacker, change: Change
) -> None:
    before = rows(harness, uid)["ends"]
    attacker.change(lambda _, match, phase: change(match, phase))
    harness.later(minutes=1)
    catch_up(harness, uid)
    assert rows(harness, uid)["ends"] == before


@pytest.mark.parametrize("told_since", [False, True])
def test_a_resumed_match_is_paused_again(
    harness: Harness, uid: str, attacker: Attacker, told_since: bool
) -> None:
    before, deadlines = rows(harness, uid)["ends"]["deadline"], []
    masters.pause_match(harness.database, uid, harness.player(DORA), now=harness.now)
    if told_since:  # by the service, which also pauses matches that everybody has left
        number = propose(harness, uid, ALICE, "resume")
        for voter in (BOB, CHARLIE):
            vote(harness, uid, voter, number, yes=False)
    catch_up(harness, uid)

    def resume(session: Session, match: Match, phase: PhaseRow) -> None:
        assert phase.deadline is not None
        match.paused_at, phase.closes_at, phase.deadline = (
            None,
            harness.now,
            phase.deadline + timedelta(hours=9),
        )

    attacker.change(resume)
    harness.later(hours=90)
    assert not harness.close(uid)
    assert rows(harness, uid)["ends"]["deadline"] is None
    attacker.change(lambda _, __, phase: deadlines.append(format_timestamp(phase.deadline)))
    assert deadlines == [before]


def test_a_seat_that_was_made_to_concede_is_told_and_owes_orders_again(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    harness.order(uid, ALICE, "W3\nwait")
    attacker.change(lambda _, match, phase: concede(match, phase))
    assert not harness.close(uid)
    assert played(harness, uid)["1"]["orders"] == "W3"


# --- forged acts


def note(harness: Harness, match: Match, phase: PhaseRow, **more: Any) -> MasterNote:
    row = MasterNote(
        match_id=match.id or 0,
        at=harness.now,
        who=DORA,
        log_as="master",
        actor="master",
        phase_number=phase.number,
        log_size=match.log_size,
        clock=ends(match, phase),
        what="paused the match",
    )
    for name, value in more.items():
        setattr(row, name, value)
    return row


def forge(harness: Harness, attacker: Attacker, *, sign: bool = True, **more: Any) -> None:
    """Pause the match, with a note that the attacker's own session signed, or nobody."""

    def work(session: Session, match: Match, phase: PhaseRow) -> None:
        match.paused_at, phase.closes_at = harness.now, None
        row = note(harness, match, phase, **more)
        if sign:
            row.signer, row.request_signature = (
                attacker.key.public,
                attacker.key.sign(act_request(match.uid, row)),
            )
        session.add(row)

    attacker.change(work)


@pytest.mark.parametrize("actor", ["master", "host", "players", "service", "seat"])
@pytest.mark.parametrize("sign", [False, True])
def test_a_forged_act_is_not_logged_and_moves_nothing(
    harness: Harness, uid: str, attacker: Attacker, actor: str, sign: bool
) -> None:
    before = rows(harness, uid)
    forge(harness, attacker, sign=sign, actor=actor, log_as=actor if actor != "seat" else "service")
    catch_up(harness, uid)
    assert rows(harness, uid) == before and not acts(harness, uid)
    assert "deadline" in tampering(harness, uid)


def test_who_writes_himself_in_as_master_may_nothing(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    mallory = harness.player(MALLORY)

    def rise(session: Session, match: Match, phase: PhaseRow) -> None:
        match.master_id = mallory
        player = session.get_one(Player, mallory)
        player.master, player.appointed = True, b"x" * 32

    attacker.change(rise)
    before = rows(harness, uid)
    harness.keychain.hold(mallory, attacker.cookie)
    masters.pause_match(harness.database, uid, mallory, now=harness.now)
    catch_up(harness, uid)
    assert rows(harness, uid) == before and tampering(harness, uid) == ["act", "deadline"]


@pytest.mark.parametrize("change", ["what", "clock", "at", "decides", "signer"])
def test_a_signed_act_that_was_altered_is_refused(
    harness: Harness, uid: str, attacker: Attacker, change: str
) -> None:
    masters.move_deadline(
        harness.database, uid, harness.player(DORA), timedelta(hours=5), now=harness.now
    )

    def alter(session: Session, match: Match, phase: PhaseRow) -> None:
        row = session.exec(select(MasterNote).where(MasterNote.actor == "master")).one()
        assert row.signer is not None, "Dora's session signed it"
        other: dict[str, Any] = {
            "what": "ended it",
            "clock": {**(row.clock or {}), "grace": 0},
            "at": harness.later(hours=1),
            "decides": ["closed"],
            "signer": attacker.key.public,
        }
        setattr(row, change, other[change])

    attacker.change(alter)
    catch_up(harness, uid)
    assert not acts(harness, uid) and tampering(harness, uid) == ["act", "deadline"]


def test_an_act_is_not_told_twice(harness: Harness, uid: str, attacker: Attacker) -> None:
    """A master moves the deadline, and back again. The first note, put back as it was, moves
    nothing.
    """
    dora = harness.player(DORA)
    masters.move_deadline(harness.database, uid, dora, timedelta(hours=5), now=harness.now)
    with harness.database.read_tx() as session:
        signed = (
            session.exec(select(MasterNote).where(MasterNote.actor == "master"))
            .one()
            .model_dump(exclude={"id"})
        )
    catch_up(harness, uid)
    masters.move_deadline(
        harness.database, uid, dora, timedelta(hours=-4), now=harness.later(minutes=1)
    )
    catch_up(harness, uid)
    before, told_before = rows(harness, uid), acts(harness, uid)

    def repeat(session: Session, match: Match, phase: PhaseRow) -> None:
        session.add(MasterNote(**signed))
        move(match, phase, timedelta(hours=4))

    attacker.change(repeat)
    catch_up(harness, uid)
    assert rows(harness, uid) == before and acts(harness, uid) == told_before


def test_an_act_of_one_match_is_none_in_another(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    other = harness.prepare_match(Wish("pyramid", "Other", {}, play=False), DORA, *PLAYERS)
    assert harness.start_match(other)
    masters.pause_match(harness.database, other, harness.player(DORA), now=harness.now)
    before = rows(harness, uid)

    def copy(session: Session, match: Match, phase: PhaseRow) -> None:
        row = session.exec(select(MasterNote).where(MasterNote.actor == "master")).one()
        session.add(MasterNote(**{**row.model_dump(exclude={"id"}), "match_id": match.id}))
        match.paused_at = harness.now

    attacker.change(copy)
    catch_up(harness, uid)
    assert rows(harness, uid) == before


def test_an_act_of_an_earlier_phase_is_none_in_this_one(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    def add(session: Session, match: Match, phase: PhaseRow) -> None:
        row = note(harness, match, phase, phase_number=phase.number - 1)
        dora = SessionKey.of_cookie(
            harness.keychain.enter(session, session.get_one(Player, harness.player(DORA)))
        )
        row.signer, row.request_signature = dora.public, dora.sign(act_request(match.uid, row))
        session.add(row)

    attacker.change(add)
    catch_up(harness, uid)
    assert not acts(harness, uid) and tampering(harness, uid) == ["act"]


def test_a_deadline_in_the_log_that_the_worker_did_not_sign_stops_the_match(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    def log_it(session: Session, match: Match, phase: PhaseRow) -> None:
        hurry(match, phase)
        body = {**ends(match, phase), "time": format_timestamp(harness.now)}
        row = LogEntry(
            match_id=match.id or 0,
            index=match.log_size,
            prev=match.log_hash or "",
            type="deadline",
            body=body,
            hash="00",
            sig=b"",
        )
        row.at = harness.now
        session.add(row)
        match.log_size += 1

    attacker.change(log_it)
    harness.later(hours=2)
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
    )
    assert harness.page(uid).card.status == "stuck"


def test_a_phase_that_an_earlier_release_opened_takes_acts_without_signatures(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        phase = open_phase(session, match)
        assert phase is not None
        phase.wrapped_key = keep_phase_key(
            harness.keyring, match, phase.number, recall_phase_key(harness.keyring, match, phase)
        )
    forge(harness, attacker, sign=False)
    catch_up(harness, uid)
    assert acts(harness, uid) == [("master", "paused the match")]
    masters.resume_match(harness.database, uid, harness.player(DORA), now=harness.later(minutes=1))
    harness.round(uid, [(ALICE, "W3"), (BOB, "W2"), (CHARLIE, "C1")])
    with harness.database.read_tx() as session:
        match = by_uid(session, uid)
        assert recall_known(harness.keyring, match, open_phase(session, match)) is not None, (
            "the next one does not"
        )
