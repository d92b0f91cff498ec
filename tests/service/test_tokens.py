"""Tokens that prove an address: only the worker's own one counts, once and in time."""

from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.seal.tokens import hash_token, who_is
from adjudicator.service.base import rows
from adjudicator.service.base.tables import Link, Seat, SignedIn
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.requests import confirming
from adjudicator.service.tokens import proofs, references
from adjudicator.service.tokens.proofs import Proof
from adjudicator.service.tokens.references import Reference
from tests.harness import Harness

BOB, MALLORY = "bob@example.org", "mallory@example.org"
MINE = "a" * 26  # a token of somebody who can write rows


def add_link(harness: Harness, uid: str | None, token: str = MINE) -> Reference:
    with harness.database.write_tx() as session:
        session.add(
            Link(
                token_hash=hash_token(token),
                uid=uid,
                address=BOB,
                made_at=harness.now,
                until=harness.now + timedelta(minutes=10),
            )
        )
    return Reference("signin", uid or "")


def own(harness: Harness, wanted: Reference) -> str:
    """Return the token that the worker computes."""
    with harness.database.read_tx() as session:
        opened = references.find_opened(session, wanted)
        assert opened is not None
        return references.token_for(harness.keyring, wanted, opened)


def spend(harness: Harness, wanted: Reference, token: str) -> Proof | None:
    with harness.database.write_tx() as session:
        return proofs.spend_token(session, harness.keyring, wanted, token, at=harness.now)


def test_the_workers_own_token_proves_its_address_once(harness: Harness) -> None:
    link = add_link(harness, "one")
    token = own(harness, link)
    assert spend(harness, link, token) == Proof(link, BOB, who_is(harness.keyring, BOB))
    assert spend(harness, link, token) is None


def test_a_link_proves_nothing_after_its_time(harness: Harness) -> None:
    link = add_link(harness, "one")
    token = own(harness, link)
    harness.later(minutes=10)
    assert spend(harness, link, token) is None


def test_a_token_whose_hash_somebody_else_wrote_proves_nothing(harness: Harness) -> None:
    link = add_link(harness, "one")
    with harness.database.read_tx() as session:
        assert proofs.find_reference(session, "signin", MINE) == link  # its hash is there
    assert spend(harness, link, MINE) is None


def test_a_token_of_one_row_does_not_fit_another_row_or_another_address(harness: Harness) -> None:
    one, other = add_link(harness, "one"), add_link(harness, "other", "b" * 26)
    assert spend(harness, other, own(harness, one)) is None
    token = own(harness, one)
    with harness.database.write_tx() as session:
        link = session.get_one(Link, hash_token(MINE))
        link.address = MALLORY
    assert spend(harness, one, token) is None


def test_a_row_that_is_gone_and_a_purpose_without_a_session_prove_nothing(harness: Harness) -> None:
    assert spend(harness, Reference("signin", "none"), MINE) is None
    uid = harness.prepare_match(Wish("pyramid", "Table", {}, players=3), "Alice", "Bob")
    seat = Reference("seat", f"{uid}/1")
    assert spend(harness, seat, own(harness, seat)) is None


def test_only_the_newest_invitation_proves_an_address(harness: Harness) -> None:
    uid = harness.prepare_match(Wish("pyramid", "Table", {}, players=3), "Alice")
    with harness.database.write_tx() as session:
        match = rows.by_uid(session, uid)
        seat = rows.seats_of(session, match)[1]
        seat.kept_for, seat.invitation_n = BOB, 1
        wanted = references.invitation_of(match, seat)
    first = own(harness, wanted)
    with harness.database.write_tx() as session:
        session.get_one(Seat, seat.id).invitation_n = 2
    assert spend(harness, wanted, first) is None
    proof = spend(harness, wanted, own(harness, wanted))
    assert (
        proof is not None
        and proof.address == BOB
        and spend(harness, wanted, own(harness, wanted)) is None
    )


@pytest.mark.parametrize("uid", ["u", None], ids=["with an id", "as one of the previous release"])
def test_a_session_by_a_link_that_somebody_else_wrote_shows_pages_and_proves_nothing(
    harness: Harness, uid: str | None
) -> None:
    add_link(harness, uid)
    entry = sessions.use_link(harness.database, MINE, now=harness.now)
    confirming.confirm_sessions(harness.database, harness.keyring)
    with harness.database.read_tx() as session:
        row = session.get_one(SignedIn, hash_token(entry.token))
        assert sessions.signed_in_player(session, entry.token, now=harness.now) == entry.person
    assert row.box is None and not confirming.is_vouched_for(harness.keyring, row)


def test_a_session_by_the_workers_own_link_is_vouched_for(harness: Harness) -> None:
    sessions.ask_link(harness.database, BOB, zone="UTC", now=harness.now)
    with harness.database.read_tx() as session:
        link = Reference("signin", session.exec(select(Link.uid)).one() or "")
    entry = sessions.use_link(harness.database, harness.token(link), now=harness.now)
    confirming.confirm_sessions(harness.database, harness.keyring)
    with harness.database.read_tx() as session:
        row = session.get_one(SignedIn, hash_token(entry.token))
    assert row.who == who_is(harness.keyring, BOB) and confirming.is_vouched_for(
        harness.keyring, row
    )
