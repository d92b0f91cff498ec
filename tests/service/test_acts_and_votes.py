"""Acts and votes that count: those that a session of who may act or vote has signed. Forged votes
carry nothing.
"""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, select

from adjudicator.seal.requests import WorkerSigner
from adjudicator.service.base.phase_records import keep_phase_key, recall_phase_key
from adjudicator.service.base.rows import by_uid, open_phase, seats_of, token_hash
from adjudicator.service.base.tables import Match, PhaseRow, Player, Proposal, SignedIn, Vote
from adjudicator.service.matches import masters
from adjudicator.service.people import sessions
from adjudicator.service.phases import concessions
from adjudicator.service.requests import confirming
from adjudicator.service.requests.bodies import appointment, vote_request
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.service import changing_hands
from tests.service.acting import DORA, acts, begin_under_dora, catch_up, propose, rows, told, vote
from tests.service.attacker import Attacker, entries, played, tampering


@pytest.fixture
def uid(harness: Harness) -> str:
    return begin_under_dora(harness)


# --- acts that are good


def test_a_masters_act_is_logged_and_kept_as_the_workers_word(harness: Harness, uid: str) -> None:
    masters.close_now(harness.database, uid, harness.player(DORA), now=harness.now)
    sessions.end_other_sessions(
        harness.database, harness.player(DORA), "", now=harness.later(seconds=1)
    )
    assert harness.close(uid)
    assert [by for by, _ in acts(harness, uid)] == ["master"] and not tampering(harness, uid)
    assert entries(harness, uid, "close")[-1]["body"]["why"] == "master"


def test_the_host_and_a_master_of_all_matches_may_act(harness: Harness, uid: str) -> None:
    masters.appoint_master(harness.database, "eve@example.org", now=harness.now)
    masters.pause_match(harness.database, uid, None, now=harness.now)
    masters.resume_match(harness.database, uid, harness.player("Eve"), now=harness.later(minutes=1))
    catch_up(harness, uid)
    assert [by for by, _ in acts(harness, uid)] == ["host", "master"] and not tampering(
        harness, uid
    )


def test_a_session_that_may_not_act_does_not(harness: Harness, uid: str) -> None:
    dora = harness.player(DORA)
    cookie = harness.enter(DORA)
    harness.keychain.hold(dora, cookie)
    with harness.database.write_tx() as session:
        row = session.get_one(SignedIn, token_hash(cookie))
        confirming.vouch(harness.keyring, row, row.who or "", scopes="orders read vote")
    masters.pause_match(harness.database, uid, dora, now=harness.now)
    catch_up(harness, uid)
    assert not acts(harness, uid) and rows(harness, uid)["ends"]["deadline"] is not None


def test_a_guest_who_gets_an_address_still_runs_the_match(harness: Harness) -> None:
    guest = sessions.enter_guest(harness.database, zone="UTC", now=harness.now)
    harness.people["Guest"] = guest.person.id
    harness.keychain.hold(guest.person.id, guest.token)
    confirming.confirm_sessions(harness.database, harness.keyring)
    uid = harness.match("Guest")
    sessions.ask_link(
        harness.database, "fay@example.org", zone="UTC", now=harness.now, guest_id=guest.person.id
    )
    (link,) = [each for each in harness.claim_waiting() if each.kind == "signin"]
    entry = sessions.use_link(
        harness.database, str(link.context["token"]), now=harness.later(minutes=1)
    )
    confirming.confirm_sessions(harness.database, harness.keyring)
    harness.keychain.hold(entry.person.id, entry.token)
    masters.pause_match(harness.database, uid, entry.person.id, now=harness.now)
    catch_up(harness, uid)
    assert [by for by, _ in acts(harness, uid)] == ["master"] and not tampering(harness, uid)


# --- votes


def add_votes(harness: Harness, attacker: Attacker, number: int, *, sign: bool) -> None:
    """Store votes of Bob and Charlie, and let nobody have decided yet."""

    def work(session: Session, match: Match, phase: PhaseRow) -> None:
        proposal = session.get_one(Proposal, number)
        for seat in seats_of(session, match)[1:]:
            row = Vote(
                proposal_id=number,
                seat=seat.name,
                player_id=seat.player_id or 0,
                yes=True,
                at=harness.now,
            )
            if sign:
                row.signer, row.request_signature = (
                    attacker.key.public,
                    attacker.key.sign(vote_request(match.uid, proposal, row)),
                )
            session.add(row)

    attacker.change(work)


@pytest.mark.parametrize("kind", ["close", "end", "pause"])
@pytest.mark.parametrize("sign", [False, True])
def test_forged_votes_carry_nothing(
    harness: Harness, uid: str, attacker: Attacker, kind: Any, sign: bool
) -> None:
    before = rows(harness, uid)
    number = propose(harness, uid, ALICE, kind)
    add_votes(harness, attacker, number, sign=sign)
    assert vote(harness, uid, ALICE, number).acted, "the site counts what is stored"
    harness.claim_waiting()
    harness.later(minutes=1)
    assert not harness.close(uid)
    assert rows(harness, uid) == before and not acts(harness, uid)
    assert {"vote", "act"} <= set(tampering(harness, uid))
    letters = told(harness)
    assert "dora@example.org" in letters and (
        "bob@example.org" in letters or "charlie@example.org" in letters
    )
    with harness.database.read_tx() as session:
        assert session.exec(select(Vote.seat)).all() == ["1"], "the forged votes are gone"


def test_a_changed_vote_does_not_count(harness: Harness, uid: str, attacker: Attacker) -> None:
    number = propose(harness, uid, ALICE, "end")
    vote(harness, uid, CHARLIE, number)

    def turn(session: Session, match: Match, phase: PhaseRow) -> None:
        row = session.exec(select(Vote).where(Vote.seat == "3")).one()
        session.add(
            Vote(
                **{**row.model_dump(exclude={"id"}), "seat": "2", "player_id": harness.player(BOB)}
            )
        )

    attacker.change(turn)
    assert vote(harness, uid, ALICE, number).acted
    assert not harness.close(uid) and rows(harness, uid)["stopped"] is None


def test_seats_that_are_said_to_be_empty_have_their_votes(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    number = propose(harness, uid, ALICE, "end")

    def leave(session: Session, match: Match, phase: PhaseRow) -> None:
        for seat in seats_of(session, match)[1:]:
            seat.open_since = harness.now

    attacker.change(leave)
    assert vote(harness, uid, ALICE, number).acted
    assert not harness.close(uid) and rows(harness, uid)["stopped"] is None


def test_votes_on_an_earlier_proposal_carry_no_later_act(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    for kind in ("pause", "resume", "pause"):
        vote(harness, uid, BOB, propose(harness, uid, ALICE, kind))
        harness.later(minutes=1)
        catch_up(harness, uid)
    paused = rows(harness, uid)

    def leave(session: Session, match: Match, phase: PhaseRow) -> None:
        for seat in seats_of(session, match)[1:]:
            seat.open_since = harness.now

    attacker.change(leave)
    propose(harness, uid, ALICE, "resume")
    assert rows(harness, uid)["ends"]["deadline"] is not None, "the site counts one seat"
    catch_up(harness, uid)
    assert rows(harness, uid) == paused and len(acts(harness, uid)) == 3
    with harness.database.read_tx() as session:
        passed = [each.kind for each in session.exec(select(Proposal)) if each.outcome == "passed"]
    assert passed == ["pause", "resume", "pause"]


def test_a_repeated_vote_that_decides_carries_what_it_decides(harness: Harness, uid: str) -> None:
    propose(harness, uid, ALICE, "pause")
    for who in (BOB, CHARLIE):
        changing_hands.resign(harness, uid, who)
    catch_up(harness, uid)
    harness.later(minutes=1)
    propose(harness, uid, ALICE, "pause")
    catch_up(harness, uid)
    assert [by for by, _ in acts(harness, uid)] == ["players"] and not tampering(harness, uid)


@pytest.mark.parametrize(("kind", "by"), [("close", "players"), ("pause", "players")])
def test_what_the_players_agree_to_is_done_and_logged(
    harness: Harness, uid: str, kind: Any, by: str
) -> None:
    number = propose(harness, uid, ALICE, kind)
    vote(harness, uid, BOB, number)
    if kind == "close":
        vote(harness, uid, CHARLIE, number)
    catch_up(harness, uid)
    assert [each for each, _ in acts(harness, uid)] == [by] and not tampering(harness, uid)


def test_an_end_that_all_agree_to_over_two_phases_is_the_end(harness: Harness, uid: str) -> None:
    number = propose(harness, uid, ALICE, "end")
    vote(harness, uid, BOB, number)
    harness.round(uid, [(ALICE, "W3"), (BOB, "W2"), (CHARLIE, "C1")])
    vote(harness, uid, CHARLIE, number)
    assert harness.close(uid) and harness.page(uid).card.status == "ended"
    assert not tampering(harness, uid) and acts(harness, uid)[-1][0] == "players"


def test_votes_from_before_they_were_signed_count(harness: Harness, uid: str) -> None:
    number = propose(harness, uid, ALICE, "end")
    vote(harness, uid, BOB, number)
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        phase = open_phase(session, match)
        assert phase is not None
        phase.wrapped_key = keep_phase_key(
            harness.keyring, match, phase.number, recall_phase_key(harness.keyring, match, phase)
        )
        for row in session.exec(select(Vote)):
            row.signer = row.request_signature = None
    harness.round(uid, [(ALICE, "W3"), (BOB, "W2"), (CHARLIE, "C1")])
    vote(harness, uid, CHARLIE, number)
    assert harness.close(uid) and harness.page(uid).card.status == "ended"


def test_what_was_agreed_stands_if_a_seat_changes_hands_before_it_is_logged(
    harness: Harness, uid: str
) -> None:
    number = propose(harness, uid, ALICE, "close")
    vote(harness, uid, BOB, number)
    assert vote(harness, uid, CHARLIE, number).acted
    changing_hands.resign(harness, uid, CHARLIE)
    changing_hands.take(harness, uid, "Eve")
    catch_up(harness, uid)
    assert [by for by, _ in acts(harness, uid)] == ["players"] and not tampering(harness, uid)


# --- concessions


def test_a_concession_counts_once_its_session_has_ended(harness: Harness, uid: str) -> None:
    concessions.concede(harness.database, uid, harness.player(ALICE), now=harness.now)
    catch_up(harness, uid)
    with harness.database.write_tx() as session:
        for row in session.exec(
            select(SignedIn).where(SignedIn.player_id == harness.player(ALICE))
        ):
            session.delete(row)
    harness.round(uid, [(BOB, "W2"), (CHARLIE, "C1")])
    assert rows(harness, uid)["conceded"] == [["1", 1]] and not tampering(harness, uid)
    played(harness, uid)
    assert not tampering(harness, uid), "the next phase knows it"


def test_more_time_that_a_seat_got_stands_if_it_concedes_before_that_is_logged(
    harness: Harness,
) -> None:
    """Only that seat has a vote; as it has conceded nobody has one."""
    uid = harness.match(ALICE)
    propose(harness, uid, ALICE, "extend", target=harness.now + timedelta(days=4))
    concessions.concede(harness.database, uid, harness.player(ALICE), now=harness.now)
    catch_up(harness, uid)
    assert "players" in [by for by, _ in acts(harness, uid)] and not tampering(harness, uid)


def test_a_concession_that_another_session_signed_is_taken_back(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    harness.keychain.hold(harness.player(ALICE), attacker.cookie)
    concessions.concede(harness.database, uid, harness.player(ALICE), now=harness.now)
    harness.claim_waiting()
    catch_up(harness, uid)
    assert rows(harness, uid)["conceded"] == [] and rows(harness, uid)["due"] == ["1", "2", "3"]
    assert "alice@example.org" in told(harness)


def test_the_workers_word_for_masters_covers_a_person(harness: Harness) -> None:
    masters.appoint_master(harness.database, "eve@example.org", now=harness.now)
    with harness.database.read_tx() as session:
        eve = session.exec(select(Player).where(Player.address == "eve@example.org")).one()
    assert eve.appointed is not None
    assert eve.appointed != WorkerSigner(harness.keyring).sign(appointment("another"))
