"""Who writes any row, without key file, cookie or letter, tries to get seats of a running match.
Each seat is given back.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, select

from adjudicator.seal import crypto
from adjudicator.seal.tokens import hash_token
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.rows import token_hash
from adjudicator.service.base.tables import (
    FormerTenure,
    Match,
    Offer,
    PhaseRow,
    Seat,
    SeatRequest,
    SignedIn,
)
from adjudicator.service.handover import leaving, substitutes
from adjudicator.service.log.catching_up import log_changes
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts
from adjudicator.service.requests import confirming
from adjudicator.service.requests.bodies import seat_request
from adjudicator.service.requests.seat_requests import bound_to
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, PLAYERS
from tests.harness import Harness
from tests.service.attacker import Attacker, entries, played, tampering
from tests.service.changing_hands import DAVE, lend, resign, seat, take

DORA = "Dora"
Forge = Callable[[Harness, Attacker, Session, Match, Seat], None]


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match that Dora runs and three people play, in its second round."""
    uid = harness.prepare_match(Wish("pyramid", "Table", {}, play=False), DORA, *PLAYERS)
    assert harness.start_match(uid)
    harness.round(uid, [(ALICE, "B3"), (BOB, "B1"), (CHARLIE, "W2")])
    harness.claim_waiting()
    return uid


@pytest.fixture(autouse=True)
def _signed_in(harness: Harness, attacker: Attacker) -> None:
    """Mallory asks by the session of the attacker."""
    harness.keychain.hold(harness.player(MALLORY), attacker.cookie)


def catch_up(harness: Harness, uid: str) -> None:
    log_changes(harness.database, harness.keyring, uid, now=harness.now)


def rows(harness: Harness, uid: str) -> list[dict[str, Any]]:
    """Return what the rows say of who has the seats."""
    left_out = {"misses", "told", "wishes", "next_ask_at"}
    return [each.model_dump(exclude=left_out) for each in harness.seats(uid)]


def tenures(harness: Harness, uid: str) -> list[tuple[str, int]]:
    """Return the tenures that the log tells besides those of the start."""
    return [(each["body"]["seat"], each["body"]["n"]) for each in entries(harness, uid, "tenure")]


def told(harness: Harness) -> set[str]:
    return {each.address for each in harness.claim_waiting() if each.kind == "seat"}


# --- ways to write somebody into a seat


def find_seat(session: Session, match: Match, name: str = "1") -> Seat:
    return session.exec(select(Seat).where(Seat.match_id == match.id, Seat.name == name)).one()


def usurp(harness: Harness, session: Session, row: Seat, *, why: str = "silent") -> None:
    """Write Mallory into a seat as a new tenure, with all rows that the site writes."""
    session.add(
        FormerTenure(
            match_id=row.match_id,
            seat_id=row.id or 0,
            seat=row.name,
            number=row.tenure,
            player_id=row.player_id or 0,
            why=why,
            since=row.taken_at,
            until=harness.now,
            token_hash=row.token_hash or "",
            token_n=row.token_n,
            tenure_proof=row.tenure_proof,
        )
    )
    row.player_id, row.taken_at, row.tenure = harness.player(MALLORY), harness.now, row.tenure + 1
    row.tenure_nonce = row.tenure_who = row.tenure_proof = row.token_hash = None
    row.token_n += 1


def ask(
    harness: Harness,
    attacker: Attacker,
    session: Session,
    match: Match,
    name: str,
    tenure: int,
    what: str,
    **more: Any,
) -> None:
    """Store a request, signed by Mallory's session."""
    row = SeatRequest(
        match_id=match.id or 0, seat=name, tenure=tenure, what=what, at=harness.now, **more
    )
    offer = session.exec(select(Offer).where(Offer.uid == row.offer)).first()
    request = seat_request(match.uid, row, offer.address if offer is not None else None)
    row.signer, row.request_signature = attacker.key.public, attacker.key.sign(request)
    session.add(row)


def overwrite(
    harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat
) -> None:
    row.player_id, row.tenure, row.taken_at = harness.player(MALLORY), 2, harness.now
    row.tenure_nonce = row.tenure_who = row.tenure_proof = None


def take_it(
    harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat
) -> None:
    usurp(harness, session, row)


def take_it_and_sign(
    harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat
) -> None:
    usurp(harness, session, row)
    ask(harness, attacker, session, match, row.name, row.tenure, "take")


def resign_for_its_player(
    harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat
) -> None:
    usurp(harness, session, row, why="resigned")
    ask(harness, attacker, session, match, row.name, 1, "leave")
    ask(harness, attacker, session, match, row.name, 2, "take")


def replace_its_player(
    harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat
) -> None:
    match.master_id = harness.player(MALLORY)
    usurp(harness, session, row, why="replaced")
    ask(harness, attacker, session, match, row.name, 1, "replace")
    ask(harness, attacker, session, match, row.name, 2, "take")


def lend_it(
    harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat
) -> None:
    until, alice = harness.now + timedelta(days=9), row.player_id
    offer = Offer(
        token_hash="00",
        uid="00" * 12,
        match_id=match.id or 0,
        seat_id=row.id or 0,
        tenure=1,
        address="mallory@example.org",
        asker_id=alice,
        returns_at=until,
        made_at=harness.now,
    )
    session.add(offer)
    session.flush()
    usurp(harness, session, row, why="lent")
    row.owner_id, row.returns_at = alice, until
    ask(harness, attacker, session, match, row.name, 1, "ask", offer=offer.uid, until=until)
    ask(harness, attacker, session, match, row.name, 2, "substitute", offer=offer.uid, until=until)


def free_it(
    harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat
) -> None:
    row.player_id, row.tenure, row.open_since = None, 2, harness.now
    row.tenure_nonce = row.tenure_who = row.tenure_proof = row.taken_at = None


def open_it(
    harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat
) -> None:
    row.open_since = harness.later(minutes=1)


def own_it(harness: Harness, attacker: Attacker, session: Session, match: Match, row: Seat) -> None:
    row.owner_id, row.returns_at = harness.player(MALLORY), harness.now


FORGERIES: list[Forge] = [
    overwrite,
    take_it,
    take_it_and_sign,
    resign_for_its_player,
    replace_its_player,
    lend_it,
    free_it,
    open_it,
    own_it,
]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_a_seat_that_nobody_gave_is_given_back_before_a_phase_closes(
    harness: Harness, uid: str, attacker: Attacker, forge: Forge
) -> None:
    harness.order(uid, ALICE, "W3\nwait")
    before = rows(harness, uid)
    attacker.change(
        lambda session, match, _: forge(
            harness, attacker, session, match, find_seat(session, match)
        )
    )
    assert rows(harness, uid) != before
    assert played(harness, uid)["1"]["orders"] == "W3"
    assert rows(harness, uid) == before and not tenures(harness, uid)
    assert "tenure" in tampering(harness, uid) and "alice@example.org" in told(harness)
    with harness.database.read_tx() as session:
        assert (
            session.exec(select(FormerTenure)).all() == []
            and session.exec(select(SeatRequest)).all() == []
        )


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_the_next_submission_gives_it_back_as_well(
    harness: Harness, uid: str, attacker: Attacker, forge: Forge
) -> None:
    before = rows(harness, uid)
    attacker.change(
        lambda session, match, _: forge(
            harness, attacker, session, match, find_seat(session, match)
        )
    )
    harness.order(uid, BOB, "W3\nwait")
    catch_up(harness, uid)
    assert rows(harness, uid) == before


def test_a_seat_that_was_only_said_to_look_for_a_player_is_not_taken(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    """Mallory takes it by the site's own function, with a session of her own."""
    before = rows(harness, uid)
    attacker.change(
        lambda session, match, _: open_it(
            harness, attacker, session, match, find_seat(session, match)
        )
    )
    take(harness, uid, MALLORY)
    assert seat(harness, uid, "1").player_id == harness.player(MALLORY)
    catch_up(harness, uid)
    assert rows(harness, uid) == before and not tenures(harness, uid)


def test_what_was_entered_for_such_a_tenure_does_not_count(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    harness.order(uid, ALICE, "W3\nwait")
    attacker.change(
        lambda session, match, _: open_it(
            harness, attacker, session, match, find_seat(session, match)
        )
    )
    take(harness, uid, MALLORY)
    harness.order(uid, MALLORY, "B2")
    assert played(harness, uid)["1"]["orders"] == "W3" and "orders" in tampering(harness, uid)


@pytest.mark.parametrize(
    "change", [{"seat": "1"}, {"tenure": 2}, {"at": timedelta(hours=1)}, {"what": "replace"}]
)
def test_a_signed_request_that_was_altered_is_refused(
    harness: Harness, uid: str, attacker: Attacker, change: dict[str, Any]
) -> None:
    resign(harness, uid, BOB)

    def alter(session: Session, match: Match, phase: PhaseRow) -> None:
        row = session.exec(select(SeatRequest)).one()
        assert row.signer is not None, "Bob's session signed it"
        for name, value in change.items():
            setattr(row, name, row.at + value if name == "at" else value)

    attacker.change(alter)
    catch_up(harness, uid)
    assert [(each.tenure, each.player_id is None) for each in harness.seats(uid)] == [
        (1, False)
    ] * 3
    assert tampering(harness, uid) == ["tenure"]


def test_a_request_works_once(harness: Harness, uid: str, attacker: Attacker) -> None:
    """Bob resigns, and takes his seat again. His resignation, stored again, takes it from
    nobody.
    """
    resign(harness, uid, BOB)
    with harness.database.read_tx() as session:
        signed = session.exec(select(SeatRequest)).one().model_dump(exclude={"id"})
    harness.later(minutes=1)
    take(harness, uid, BOB)
    catch_up(harness, uid)
    before = rows(harness, uid)

    def repeat(session: Session, match: Match, phase: PhaseRow) -> None:
        session.add(SeatRequest(**signed))
        usurp(harness, session, find_seat(session, match, "2"))
        ask(harness, attacker, session, match, "2", 3, "take")

    attacker.change(repeat)
    catch_up(harness, uid)
    assert rows(harness, uid) == before and tenures(harness, uid) == [("2", 2)]


def test_who_was_written_over_a_newcomer_does_not_get_the_seat(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    resign(harness, uid, BOB)
    take(harness, uid, DAVE)

    def write(session: Session, match: Match, phase: PhaseRow) -> None:
        find_seat(session, match, "2").player_id = harness.player(MALLORY)

    attacker.change(write)
    catch_up(harness, uid)
    assert seat(harness, uid, "2").player_id == harness.player(DAVE) and tenures(harness, uid) == [
        ("2", 2)
    ]
    assert tampering(harness, uid) == ["tenure"]


def test_a_seat_whose_player_left_is_not_got_without_a_session_of_ones_own(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    resign(harness, uid, BOB)
    catch_up(harness, uid)

    def sit(session: Session, match: Match, phase: PhaseRow) -> None:
        row = find_seat(session, match, "2")
        row.player_id, row.taken_at, row.open_since = harness.player(CHARLIE), harness.now, None
        session.add(
            SeatRequest(
                match_id=match.id or 0,
                seat="2",
                tenure=2,
                what="take",
                at=harness.now,
                request_signature=b"00",
            )
        )

    attacker.change(sit)
    catch_up(harness, uid)
    row = seat(harness, uid, "2")
    assert row.player_id is None and row.open_since is not None and not tenures(harness, uid)
    take(harness, uid, DAVE)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("2", 2)], "it still looks for a player"


# --- substitutes


@pytest.mark.parametrize("owner", [MALLORY, ALICE])
def test_a_substitutes_seat_does_not_return_early_nor_to_another(
    harness: Harness, uid: str, attacker: Attacker, owner: str
) -> None:
    lend(harness, uid, ALICE, DAVE, days=5)
    catch_up(harness, uid)
    before = rows(harness, uid)

    def claim(session: Session, match: Match, phase: PhaseRow) -> None:
        row = find_seat(session, match)
        row.owner_id, row.returns_at = harness.player(owner), harness.now

    attacker.change(claim)
    assert substitutes.return_seats(harness.database, uid, now=harness.now) == 1, (
        "the sweep believes the rows"
    )
    catch_up(harness, uid)
    assert rows(harness, uid) == before and tenures(harness, uid) == [("1", 2)]
    harness.later(days=5)
    substitutes.return_seats(harness.database, uid, now=harness.now)
    catch_up(harness, uid)
    assert seat(harness, uid, "1").player_id == harness.player(ALICE) and tenures(harness, uid) == [
        ("1", 2),
        ("1", 3),
    ]


def test_an_asked_substitute_is_not_exchanged(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    until, mallory = harness.now + timedelta(days=5), "mallory@example.org"
    substitutes.ask_substitute(
        harness.database, uid, harness.player(ALICE), "dave@example.org", until, now=harness.now
    )
    catch_up(harness, uid)
    before = rows(harness, uid)

    def accept(session: Session, match: Match, phase: PhaseRow) -> None:
        offer = session.exec(select(Offer)).one()
        offer.address = mallory
        session.flush()
        row = find_seat(session, match)
        alice = row.player_id
        usurp(harness, session, row, why="lent")
        row.owner_id, row.returns_at = alice, until
        ask(harness, attacker, session, match, "1", 2, "substitute", offer=offer.uid, until=until)

    attacker.change(accept)
    catch_up(harness, uid)
    assert rows(harness, uid) == before and not tenures(harness, uid)


def test_a_link_that_no_letter_has_proves_nobody(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    """Bob left. An offer to Charlie is forged with the hash of a known token, and that token is
    shown to the worker.
    """
    resign(harness, uid, BOB)
    catch_up(harness, uid)
    dave = harness.player(DAVE)

    def show(session: Session, match: Match, phase: PhaseRow) -> None:
        row, token = find_seat(session, match, "2"), "x" * 26
        offer = Offer(
            token_hash=hash_token(token),
            uid="00" * 12,
            match_id=match.id or 0,
            seat_id=row.id or 0,
            tenure=2,
            address="dave@example.org",
            made_at=harness.now,
        )
        session.add(offer)
        session.flush()
        row.player_id, row.taken_at, row.open_since = dave, harness.now, None
        asked = SeatRequest(
            match_id=match.id or 0, seat="2", tenure=2, what="take", at=harness.now, offer=offer.uid
        )
        bound = bound_to(seat_request(match.uid, asked, offer.address))
        asked.box = crypto.seal(
            public_keys.current_keys(session).wrapping, token.encode(), bound_to=bound
        )
        session.add(asked)

    attacker.change(show)
    catch_up(harness, uid)
    assert seat(harness, uid, "2").player_id is None and not tenures(harness, uid)


# --- bots and addresses


def test_a_seat_is_not_a_bots_because_its_row_says_so(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    before = rows(harness, uid)
    with harness.database.write_tx() as session:
        bot = accounts.house_bots(session, 1, skill="sensible", now=harness.now)[0].id

    def sit(session: Session, match: Match, phase: PhaseRow) -> None:
        row = find_seat(session, match)
        usurp(harness, session, row)
        row.player_id = bot
        session.add(
            SeatRequest(
                match_id=match.id or 0,
                seat="1",
                tenure=2,
                what="take",
                at=harness.now,
                request_signature=bytes(32),
            )
        )

    attacker.change(sit)
    catch_up(harness, uid)
    assert rows(harness, uid) == before


def test_a_seat_is_given_back_to_whoever_has_its_players_address(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    """The row of the tenure that ended is gone, and names nobody who could get the seat back."""

    def write(session: Session, match: Match, phase: PhaseRow) -> None:
        overwrite(harness, attacker, session, match, find_seat(session, match))

    attacker.change(write)
    catch_up(harness, uid)
    assert seat(harness, uid, "1").player_id == harness.player(ALICE)
    harness.order(uid, ALICE, "W3\nwait")
    assert played(harness, uid)["1"]["orders"] == "W3"


def test_a_session_that_may_not_change_seats_does_not(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    bob, cookie = harness.player(BOB), harness.enter(BOB)
    harness.keychain.hold(bob, cookie)
    with harness.database.write_tx() as session:
        row = session.get_one(SignedIn, token_hash(cookie))
        confirming.vouch(harness.keyring, row, row.who or "", scopes="orders read vote act")
    leaving.resign(harness.database, uid, bob, now=harness.now)
    catch_up(harness, uid)
    assert seat(harness, uid, "2").player_id == bob and tampering(harness, uid) == ["tenure"]


# --- what stays believed


def test_whether_somebody_may_take_a_free_seat_is_the_sites_to_say(
    harness: Harness, uid: str, attacker: Attacker
) -> None:
    """The match admits nobody who plays so little; the worker sees that the seat is free, and that
    Mallory's own session takes it.
    """
    resign(harness, uid, BOB)
    attacker.change(lambda session, match, _: setattr(match, "beginners", False))
    with pytest.raises(NotAllowed):
        take(harness, uid, MALLORY)

    def sit(session: Session, match: Match, phase: PhaseRow) -> None:
        row = find_seat(session, match, "2")
        row.player_id, row.taken_at, row.open_since = harness.player(MALLORY), harness.now, None
        ask(harness, attacker, session, match, "2", 2, "take")

    attacker.change(sit)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("2", 2)] and not tampering(harness, uid)
