"""Somebody who writes any row, and has no key file, no cookie and no letter, tries to act for
others. Each try is refused.
"""

import json
from datetime import timedelta

import pytest
from sqlmodel import Session, col, select

from adjudicator.core.jcs import format_timestamp
from adjudicator.platform import entropy
from adjudicator.seal import commitments, crypto
from adjudicator.seal.commitments import Contents, Place
from adjudicator.seal.requests import SessionKey
from adjudicator.service.base import public_keys
from adjudicator.service.base.rows import by_uid, token_hash
from adjudicator.service.base.storing import add_at_end
from adjudicator.service.base.tables import (
    Due,
    Envelope,
    Letter,
    Link,
    LogEntry,
    Match,
    PhaseRow,
    Player,
    Reading,
    ReadingNote,
    Receipt,
    Seat,
    SignedIn,
)
from adjudicator.service.orders import disclosure, receipts
from adjudicator.service.orders.envelopes import make_envelope
from adjudicator.service.people import sessions
from adjudicator.service.requests import confirming
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, PLAYERS
from tests.harness import Harness
from tests.service.attacker import Attacker, entries, played, rejected, tampering

COPIED = (
    "match_id",
    "phase_number",
    "seat",
    "seq",
    "channel",
    "at",
    "disposition",
    "commitments",
    "tenure",
    "says",
    "complete",
    "letter",
    "signer",
    "request_signature",
)


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match of three people in which Alice has handed in B3, Bob B1, and both wait."""
    uid = harness.match(*PLAYERS)
    harness.order(uid, ALICE, "B3\nwait")
    harness.order(uid, BOB, "B1\nwait")
    receipts.sign_receipts(harness.database, harness.keyring)
    return uid


# --- orders


@pytest.mark.parametrize("sign", [False, True])
def test_forged_orders_are_neither_signed_nor_opened(
    harness: Harness, uid: str, attacker: Attacker, sign: bool
) -> None:
    attacker.add_orders("1", "R5", sign=sign)
    assert receipts.sign_receipts(harness.database, harness.keyring) == 0
    (row,) = rejected(harness)
    assert (row.seat, row.signature, row.number) == ("1", None, None)
    assert played(harness, uid)["1"]["orders"] == "B3"
    assert tampering(harness, uid) == ["orders"]


def test_an_envelope_without_a_receipt_is_not_opened(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    def add(session: Session, match: Match, phase: PhaseRow) -> None:
        place = Place(match.uid, phase.number, "1", 7)
        contents = Contents(commitments.commit_parts(place, ["R5"], ready=True))
        add_at_end(session, make_envelope(phase, place, contents, harness.now, tenure=1))

    attacker.change(add)
    assert played(harness, uid)["1"]["orders"] == "B3"


def test_a_plan_that_the_worker_did_not_carry_on_is_not_opened(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    def add(session: Session, match: Match, phase: PhaseRow) -> None:
        place = Place(match.uid, phase.number, "3", 0)
        contents = Contents(commitments.commit_parts(place, ["R5"], ready=True))
        add_at_end(session, make_envelope(phase, place, contents, harness.now, tenure=1))

    attacker.change(add)
    assert "3" not in played(harness, uid)


@pytest.mark.parametrize("field", ["seat", "phase_number", "seq", "match_id"])
def test_a_signed_request_counts_for_no_other_seat_phase_number_or_match(
    harness: Harness, uid: str, attacker: Attacker, field: str
) -> None:
    other = harness.match(*PLAYERS)

    def copy(session: Session, match: Match, phase: PhaseRow) -> None:
        row = session.exec(
            select(Receipt).where(Receipt.match_id == match.id, Receipt.seat == "1")
        ).one()
        plain = {name: getattr(row, name) for name in COPIED}
        elsewhere = {
            "seat": "3",
            "phase_number": 2,
            "seq": 9,
            "match_id": by_uid(session, other).id,
        }[field]
        session.add(Receipt(**{**plain, field: elsewhere}))

    attacker.change(copy)
    assert (
        receipts.sign_receipts(harness.database, harness.keyring) == 0
        and len(rejected(harness)) == 1
    )


def test_an_old_signed_request_does_not_come_back_with_another_time(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    harness.order(uid, CHARLIE, "B2")

    def age(session: Session, match: Match, phase: PhaseRow) -> None:
        row = session.exec(select(Receipt).where(Receipt.seat == "3")).one()
        row.at = harness.later(minutes=30)

    attacker.change(age)
    assert (
        receipts.sign_receipts(harness.database, harness.keyring) == 0
        and len(rejected(harness)) == 1
    )


def test_newer_orders_stay_the_newer_ones_whatever_the_order_of_rows(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    harness.order(uid, ALICE, "clear\nB2\nwait")
    receipts.sign_receipts(harness.database, harness.keyring)

    def reinsert(session: Session, match: Match, phase: PhaseRow) -> None:
        row = session.exec(select(Envelope).where(Envelope.seat == "1", Envelope.seq == 1)).one()
        plain = row.model_dump(exclude={"id"})
        session.delete(row)
        session.flush()
        session.add(Envelope(**plain))

    attacker.change(reinsert)
    assert played(harness, uid)["1"]["orders"] == "B2"


def test_the_seat_alone_is_told_which_orders_were_refused(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    harness.claim_waiting()
    attacker.add_orders("1", "R5", sign=False)
    receipts.sign_receipts(harness.database, harness.keyring)
    told = [each for each in harness.claim_waiting() if each.kind == "seat"]
    assert [each.address for each in told] == ["alice@example.org"] and "did not hand in" in str(
        told[0].context
    )
    assert "seat" not in entries(harness, uid, "tampering")[0]["body"]
    with harness.database.read_tx() as session:
        _, lines = receipts.receipts_of(session, uid, harness.player(ALICE))
        assert [line.rejected for line in lines] == [True, False]
    attacker.add_orders("1", "R5", sign=False)
    receipts.sign_receipts(harness.database, harness.keyring)
    assert not harness.claim_waiting() and len(tampering(harness, uid)) == 1, "at most once an hour"


def test_orders_of_a_session_that_ended_since_still_count(harness: Harness, uid: str) -> None:
    cookie = harness.enter(CHARLIE)
    harness.keychain.hold(harness.player(CHARLIE), cookie)
    harness.order(uid, CHARLIE, "B2")
    sessions.sign_out(harness.database, cookie, now=harness.later(seconds=1))
    assert receipts.sign_receipts(harness.database, harness.keyring) == 1


def test_orders_signed_after_the_session_ended_do_not_count(harness: Harness, uid: str) -> None:
    cookie = harness.enter(CHARLIE)
    harness.keychain.hold(harness.player(CHARLIE), cookie)
    sessions.sign_out(harness.database, cookie, now=harness.now)
    harness.later(seconds=1)
    harness.order(uid, CHARLIE, "B2")
    assert receipts.sign_receipts(harness.database, harness.keyring) == 0


# --- ready


def test_a_forged_ready_closes_nothing_and_is_put_right(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    def claim(session: Session, match: Match, phase: PhaseRow) -> None:
        for due in session.exec(select(Due)):
            due.complete, due.says, due.handed_in_at = True, "ready", harness.now
        phase.closes_at = harness.now

    attacker.change(claim)
    assert not harness.close(uid)
    with harness.database.read_tx() as session:
        assert {due.seat: due.says for due in session.exec(select(Due))} == {
            "1": "wait",
            "2": "wait",
            "3": None,
        }
        assert (
            session.exec(select(PhaseRow.closes_at).where(col(PhaseRow.closed_at).is_(None))).one()
            > harness.now
        )  # type: ignore[operator]
    assert tampering(harness, uid) == ["ready"]


def test_seats_that_were_taken_out_are_waited_for(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    def remove(session: Session, match: Match, phase: PhaseRow) -> None:
        for due in session.exec(select(Due)):
            if due.seat == "1":
                due.says = "ready"
            else:
                session.delete(due)
        phase.closes_at = harness.now

    attacker.change(remove)
    assert not harness.close(uid)
    with harness.database.read_tx() as session:
        assert sorted(session.exec(select(Due.seat))) == ["1", "2", "3"]


def test_a_forged_bare_ready_is_not_signed(harness: Harness, uid: str, attacker: Attacker) -> None:
    def say(session: Session, match: Match, phase: PhaseRow) -> None:
        for seat in "123":
            session.add(
                Receipt(
                    match_id=match.id or 0,
                    phase_number=phase.number,
                    seat=seat,
                    seq=9,
                    channel="form",
                    at=harness.now,
                    disposition="accepted",
                    commitments=[],
                    says="ready",
                )
            )
        for due in session.exec(select(Due)):
            due.says = "ready"
        phase.closes_at = harness.now

    attacker.change(say)
    assert not harness.close(uid) and len(rejected(harness)) == 3


@pytest.mark.parametrize("why", ["forced", "master"])
def test_a_phase_that_is_marked_as_decided_is_not_closed(
    harness: Harness, uid: str, attacker: Attacker, why: str
) -> None:
    def mark(session: Session, match: Match, phase: PhaseRow) -> None:
        phase.why, phase.closes_at = why, harness.now

    attacker.change(mark)
    assert not harness.close(uid)


# --- readings


def test_a_forged_session_reads_nothing(harness: Harness, uid: str, attacker: Attacker) -> None:
    token, alice = entropy.token_urlsafe(32), harness.player(ALICE)
    key = SessionKey.of_cookie(token)

    def enter(session: Session, match: Match, phase: PhaseRow) -> None:
        row = SignedIn(
            token_hash=token_hash(token),
            player_id=alice,
            made_at=harness.now,
            until=harness.now + timedelta(days=1),
        )
        row.public = key.public
        own = session.exec(select(SignedIn).where(SignedIn.player_id == alice)).first()
        row.who, row.scopes, row.proof = (
            (own.who, own.scopes, own.proof) if own else ("", "read", b"")
        )
        session.add(row)

    attacker.change(enter)
    asked = disclosure.request_disclosure(attacker.database, uid, token, now=harness.now)
    disclosure.answer_request(harness.database, harness.keyring, asked.uid, now=harness.now)
    with pytest.raises(Exception, match="not your orders"):
        disclosure.fetch_disclosed(attacker.database, asked)
    with harness.database.read_tx() as session:
        assert not session.exec(select(ReadingNote)).all()


def test_who_gives_himself_anothers_seat_or_address_reads_nothing(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    mallory, alice = harness.player(MALLORY), harness.player(ALICE)

    def swap(session: Session, match: Match, phase: PhaseRow) -> None:
        session.get_one(Player, alice).address = "gone@example.org"
        session.flush()
        session.get_one(Player, mallory).address = "alice@example.org"
        for row in session.exec(select(SignedIn).where(SignedIn.player_id == mallory)):
            row.player_id = alice

    attacker.change(swap)
    asked = disclosure.request_disclosure(attacker.database, uid, attacker.cookie, now=harness.now)
    disclosure.answer_request(harness.database, harness.keyring, asked.uid, now=harness.now)
    with pytest.raises(Exception, match="not your orders"):
        disclosure.fetch_disclosed(attacker.database, asked)


def test_a_tenure_that_the_log_tells_is_not_begun_anew_for_another(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    """Who is written into a seat without a new tenure would be shown what its player sealed."""

    def take(session: Session, match: Match, phase: PhaseRow) -> None:
        seat = session.exec(select(Seat).where(Seat.match_id == match.id, Seat.name == "1")).one()
        seat.player_id, seat.tenure_nonce, seat.tenure_proof, seat.tenure_who = (
            harness.player(MALLORY),
            None,
            None,
            None,
        )

    attacker.change(take)
    asked = disclosure.request_disclosure(attacker.database, uid, attacker.cookie, now=harness.now)
    disclosure.answer_request(harness.database, harness.keyring, asked.uid, now=harness.now)
    with pytest.raises(Exception, match="not your orders"):
        disclosure.fetch_disclosed(attacker.database, asked)
    assert tampering(harness, uid) == ["tenure"]


def test_who_takes_a_seat_over_in_the_rows_is_not_shown_the_orders_before(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    """The new tenure is refused; and the envelopes of the one before are not its own, whatever
    their rows say.
    """

    def take(session: Session, match: Match, phase: PhaseRow) -> None:
        seat = session.exec(select(Seat).where(Seat.match_id == match.id, Seat.name == "1")).one()
        seat.player_id, seat.tenure_nonce, seat.tenure_proof, seat.tenure = (
            harness.player(MALLORY),
            None,
            None,
            2,
        )
        for row in (
            *session.exec(select(Envelope).where(Envelope.seat == "1")),
            *session.exec(select(Receipt).where(Receipt.seat == "1")),
        ):
            row.tenure = 2

    attacker.change(take)
    asked = disclosure.request_disclosure(attacker.database, uid, attacker.cookie, now=harness.now)
    disclosure.answer_request(harness.database, harness.keyring, asked.uid, now=harness.now)
    with pytest.raises(Exception, match="not your orders"):
        disclosure.fetch_disclosed(attacker.database, asked)
    assert not entries(harness, uid, "tenure") and tampering(harness, uid) == ["tenure"]


def test_a_copied_reading_answers_only_who_asked(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    own = disclosure.request_disclosure(
        harness.database, uid, harness.enter(ALICE), now=harness.now
    )
    with harness.database.read_tx() as session:
        box = session.exec(select(Reading.request)).one()
    with attacker.database.write_tx() as session:
        session.add(Reading(uid="another", request=box, made_at=harness.now))
    with pytest.raises(crypto.CannotOpen):
        disclosure.answer_request(harness.database, harness.keyring, "another", now=harness.now)
    disclosure.answer_request(harness.database, harness.keyring, own.uid, now=harness.now)
    shown = disclosure.fetch_disclosed(harness.database, own)
    assert shown is not None and shown.parts == ("B3",)


def test_a_reading_of_the_attackers_making_names_a_session_in_vain(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    private, reply = crypto.new_pair()
    with attacker.database.write_tx() as session:
        alices = (
            session.exec(
                select(SignedIn.public).where(SignedIn.player_id == harness.player(ALICE))
            ).first()
            or b""
        )
        request = disclosure.reading_request(uid, 1, "1", "forged", reply)
        asked = {
            "match": uid,
            "phase": 1,
            "seat": "1",
            "reply": reply.hex(),
            "signer": alices.hex(),
        }
        asked["signature"] = attacker.key.sign(request).hex()
        box = crypto.seal(
            public_keys.current_keys(session).wrapping,
            json.dumps(asked).encode(),
            bound_to=b"reading:forged",
        )
        session.add(Reading(uid="forged", request=box, made_at=harness.now))
    disclosure.answer_request(harness.database, harness.keyring, "forged", now=harness.now)
    with harness.database.read_tx() as session:
        answer = session.get_one(Reading, "forged").answer or b""
    assert "refused" in json.loads(crypto.unseal(private, answer, bound_to=b"reading:forged"))


# --- sessions


def test_a_session_lasts_no_longer_than_the_worker_said(harness: Harness, uid: str) -> None:
    cookie = harness.enter(ALICE)
    with harness.database.write_tx() as session:
        row = session.get_one(SignedIn, token_hash(cookie))
        assert confirming.is_vouched_for(harness.keyring, row)
        row.until = harness.later(days=400)
        assert not confirming.is_vouched_for(harness.keyring, row), format_timestamp(row.until)


def test_a_session_with_fewer_scopes_does_not_sign_for_others(harness: Harness, uid: str) -> None:
    cookie = harness.enter(CHARLIE)
    harness.keychain.hold(harness.player(CHARLIE), cookie)
    with harness.database.write_tx() as session:
        row = session.get_one(SignedIn, token_hash(cookie))
        confirming.vouch(harness.keyring, row, row.who or "", scopes="read")
    harness.order(uid, CHARLIE, "B2")
    assert receipts.sign_receipts(harness.database, harness.keyring) == 0


def test_a_guest_takes_the_seat_along_to_an_address(harness: Harness) -> None:
    guest = sessions.enter_guest(harness.database, zone="UTC", now=harness.now)
    harness.people["Guest"] = guest.person.id
    harness.keychain.hold(guest.person.id, guest.token)
    confirming.confirm_sessions(harness.database, harness.keyring)
    uid = harness.match("Guest")
    harness.order(uid, "Guest", "B3\nwait")
    assert receipts.sign_receipts(harness.database, harness.keyring) == 1
    sessions.ask_link(
        harness.database, "dora@example.org", zone="UTC", now=harness.now, guest_id=guest.person.id
    )
    (link,) = [each for each in harness.claim_waiting() if each.kind == "signin"]
    entry = sessions.use_link(
        harness.database, str(link.context["token"]), now=harness.later(minutes=1)
    )
    harness.keychain.hold(entry.person.id, entry.token)
    harness.order(uid, "Guest", "clear\nB2\nwait")
    assert receipts.sign_receipts(harness.database, harness.keyring) == 1, (
        "the new session has the guest's seat"
    )


def test_an_address_that_the_old_session_did_not_ask_for_takes_no_seat(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    """Mallory has a link to her own address, and writes into its row that Alice asked for it."""
    sessions.ask_link(harness.database, "mallory@example.net", zone="UTC", now=harness.now)
    (letter,) = [each for each in harness.claim_waiting() if each.kind == "signin"]
    token = str(letter.context["token"])

    def claim(session: Session, match: Match, phase: PhaseRow) -> None:
        link = session.exec(select(Link).where(Link.token_hash == token_hash(token))).one()
        link.guest_id, link.signer = harness.player(ALICE), attacker.key.public
        link.request_signature = attacker.key.sign(confirming.address_request(link.address))
        session.get_one(Player, harness.player(ALICE)).bounced_at = harness.now

    attacker.change(claim)
    entry = sessions.use_link(attacker.database, token, now=harness.now)
    confirming.confirm_sessions(harness.database, harness.keyring)
    harness.keychain.hold(harness.player(ALICE), entry.token)
    asked = disclosure.request_disclosure(attacker.database, uid, entry.token, now=harness.now)
    disclosure.answer_request(harness.database, harness.keyring, asked.uid, now=harness.now)
    with pytest.raises(Exception, match="not your orders"):
        disclosure.fetch_disclosed(attacker.database, asked)


def test_no_page_or_entry_names_a_session(harness: Harness, uid: str) -> None:
    with harness.database.read_tx() as session:
        publics = [each.hex() for each in session.exec(select(SignedIn.public)) if each is not None]
        texts = json.dumps([row.body for row in session.exec(select(LogEntry))]) + str(
            session.exec(select(Letter.address)).all()
        )
    assert publics and not any(each in texts for each in publics)
