"""Seats change hands as their players, substitutes and masters ask, on the site and by letter; the
worker follows each request.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator.seal.requests import SessionKey, tenure_proof
from adjudicator.service.base import public_keys
from adjudicator.service.base.phase_records import KnownMatch, keep_known, recall_known
from adjudicator.service.base.rows import by_uid, open_phase, token_hash
from adjudicator.service.base.tables import FormerTenure, Offer, Player, Seat, SeatRequest, SignedIn
from adjudicator.service.erasure import erasing, finishing
from adjudicator.service.handover import leaving, offers, replacing, substitutes, takeovers
from adjudicator.service.log.catching_up import log_changes, to_catch_up
from adjudicator.service.log.entries import former_tenure, tenure_of
from adjudicator.service.matches import seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.phases.known_seats import know_seats
from adjudicator.service.requests import confirming
from adjudicator.service.requests.identities import find_who
from adjudicator.service.requests.signing import as_worker
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.harness import Harness
from tests.service.attacker import entries, tampering
from tests.service.changing_hands import (
    DAVE,
    ERIN,
    any_piece,
    begin,
    lend,
    pass_round,
    resign,
    seat,
    take,
)
from tests.service.test_accounts import links


def catch_up(harness: Harness, uid: str) -> None:
    log_changes(harness.database, harness.keyring, uid, now=harness.now)


def tenures(harness: Harness, uid: str) -> list[tuple[str, int]]:
    """Return the tenures that the log tells besides those of the start; none was refused."""
    assert not tampering(harness, uid)
    return [(each["body"]["seat"], each["body"]["n"]) for each in entries(harness, uid, "tenure")]


def requests(harness: Harness) -> list[SeatRequest]:
    with harness.database.read_tx() as session:
        return list(session.exec(select(SeatRequest).order_by(col(SeatRequest.id))))


def known(harness: Harness, uid: str) -> KnownMatch:
    with harness.database.read_tx() as session:
        match = by_uid(session, uid)
        found = recall_known(harness.keyring, match, open_phase(session, match))
    assert found is not None
    return found


def require_known(harness: Harness, uid: str) -> None:
    """Require that the worker knows of each seat what its row says, and vouches for its player."""
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        assert known(harness, uid).seats == know_seats(session, harness.keyring, match)
        for row in session.exec(
            select(Seat).where(Seat.match_id == match.id, col(Seat.player_id).is_not(None))
        ):
            assert row.tenure_proof == tenure_proof(
                harness.keyring,
                tenure_of(match, row),
                find_who(session, harness.keyring, row.player_id),
            )
        session.rollback()


def ask(harness: Harness, uid: str, owner: str, who: str, **span: float) -> int:
    until = harness.now + timedelta(**span)
    substitutes.ask_substitute(
        harness.database,
        uid,
        harness.player(owner),
        f"{who.lower()}@example.org",
        until,
        now=harness.now,
    )
    with harness.database.read_tx() as session:
        return session.exec(select(Offer.id).order_by(col(Offer.id).desc())).first() or 0


def read_link(harness: Harness) -> str:
    """Return the token of the newest offer's letter."""
    return next(
        str(each.context["token"])
        for each in reversed(harness.claim_waiting())
        if each.kind == "offer"
    )


# --- on the site


def test_a_seat_that_was_resigned_and_taken_is_the_newcomers(harness: Harness) -> None:
    uid = begin(harness)
    resign(harness, uid, BOB)
    take(harness, uid, DAVE)
    assert [(row.what, row.tenure, row.signer is not None) for row in requests(harness)] == [
        ("leave", 1, True),
        ("take", 2, True),
    ]
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("2", 2)] and not requests(harness)
    require_known(harness, uid)


def test_a_seat_is_taken_phases_after_it_was_left(harness: Harness) -> None:
    uid = begin(harness)
    resign(harness, uid, BOB)
    for _ in range(2):
        pass_round(harness, uid, ALICE, CHARLIE)
    require_known(harness, uid)
    take(harness, uid, DAVE)
    pass_round(harness, uid, ALICE, DAVE)
    assert tenures(harness, uid) == [("2", 2)]
    require_known(harness, uid)


def test_a_silent_players_seat_is_taken(harness: Harness) -> None:
    uid = begin(harness, misses=1)
    pass_round(harness, uid, ALICE, CHARLIE)
    assert known(harness, uid).vacant == ["2"]
    take(harness, uid, DAVE)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("2", 2)] and known(harness, uid).vacant == []
    require_known(harness, uid)


@pytest.mark.parametrize("back", ["word", "orders"])
def test_a_silent_player_who_is_back_keeps_the_seat(harness: Harness, back: str) -> None:
    uid = begin(harness, misses=1)
    pass_round(harness, uid, ALICE, CHARLIE)
    if back == "word":
        leaving.come_back(harness.database, uid, harness.player(BOB), now=harness.now)
    else:
        harness.order(uid, BOB, f"{any_piece(harness, uid, BOB)}\nwait")
    catch_up(harness, uid)
    assert known(harness, uid).vacant == [] and seat(harness, uid, "2").player_id == harness.player(
        BOB
    )
    pass_round(harness, uid, ALICE, CHARLIE)
    pass_round(harness, uid, ALICE, CHARLIE)
    assert known(harness, uid).vacant == ["2"] and not tenures(harness, uid)


def test_a_master_replaces_a_player(harness: Harness) -> None:
    uid = harness.prepare_match(
        Wish("pyramid", "Table", {}, play=False), MALLORY, ALICE, BOB, CHARLIE
    )
    assert harness.start_match(uid)
    replacing.replace_player(
        harness.database, uid, harness.player(MALLORY), "2", "gone for weeks", now=harness.now
    )
    take(harness, uid, DAVE)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("2", 2)]
    require_known(harness, uid)


def test_what_happened_before_the_worker_looked_is_followed_in_order(harness: Harness) -> None:
    uid = begin(harness)
    resign(harness, uid, BOB)
    take(harness, uid, DAVE)
    harness.later(minutes=1)
    resign(harness, uid, DAVE)
    take(harness, uid, ERIN)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("2", 2), ("2", 3)]
    require_known(harness, uid)
    with harness.database.read_tx() as session:
        match, dave = (
            by_uid(session, uid),
            session.exec(select(FormerTenure).where(FormerTenure.number == 2)).one(),
        )
        who = find_who(session, harness.keyring, harness.player(DAVE))
        assert dave.tenure_proof == tenure_proof(harness.keyring, former_tenure(match, dave), who)


def test_a_session_that_ended_meanwhile_had_signed(harness: Harness) -> None:
    uid = begin(harness)
    resign(harness, uid, BOB)
    sessions.end_other_sessions(
        harness.database, harness.player(BOB), "", now=harness.later(seconds=1)
    )
    take(harness, uid, DAVE)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("2", 2)]


# --- substitutes


def test_a_seat_is_lent_and_comes_back_when_its_span_is_over(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, ALICE, DAVE, hours=30)
    catch_up(harness, uid)
    require_known(harness, uid)
    substitutes.return_seats(harness.database, uid, now=harness.later(hours=30))
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2), ("1", 3)] and not requests(harness)
    require_known(harness, uid)


def test_a_span_that_was_over_before_the_worker_saw_it_is_told(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, ALICE, DAVE, hours=1)
    substitutes.return_seats(harness.database, uid, now=harness.later(hours=1))
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2), ("1", 3)]
    require_known(harness, uid)


@pytest.mark.parametrize("who", [ALICE, DAVE])
def test_either_of_both_ends_a_span_early(harness: Harness, who: str) -> None:
    uid = begin(harness)
    lend(harness, uid, ALICE, DAVE, days=5)
    if who == ALICE:
        leaving.come_back(harness.database, uid, harness.player(ALICE), now=harness.later(hours=1))
    else:
        leaving.resign(harness.database, uid, harness.player(DAVE), now=harness.later(hours=1))
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2), ("1", 3)]
    require_known(harness, uid)


def test_a_silent_substitute_gives_the_seat_back(harness: Harness) -> None:
    uid = begin(harness, misses=1)
    lend(harness, uid, ALICE, DAVE, days=9)
    pass_round(harness, uid, BOB, CHARLIE)
    assert substitutes.return_seats(harness.database, uid, now=harness.now) == 1
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2), ("1", 3)]
    require_known(harness, uid)


def test_who_was_asked_in_an_earlier_phase_may_accept_once_the_asking_session_is_gone(
    harness: Harness,
) -> None:
    uid = begin(harness)
    offer = ask(harness, uid, ALICE, DAVE, days=9)
    with harness.database.read_tx() as session:
        assert to_catch_up(session, most=9) == [uid]
    catch_up(harness, uid)
    with harness.database.write_tx() as session:
        assert to_catch_up(session, most=9) == [], "the worker has its own word for it"
        for row in session.exec(
            select(SignedIn).where(SignedIn.player_id == harness.player(ALICE))
        ):
            session.delete(row)
    pass_round(harness, uid, BOB, CHARLIE)
    with harness.database.write_tx() as session:
        offers.accept_in(session, offer, zone="UTC", now=harness.now)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2)] and not requests(harness)
    require_known(harness, uid)


def test_a_seat_comes_back_to_an_owner_whose_address_has_changed(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, ALICE, DAVE, days=5)
    catch_up(harness, uid)
    alice = harness.player(ALICE)
    with harness.database.write_tx() as session:
        session.get_one(Player, alice).bounced_at = harness.now
    sessions.ask_link(
        harness.database, "alice@example.net", zone="UTC", now=harness.now, guest_id=alice
    )
    token = next(
        str(each.context["token"]) for each in harness.claim_waiting() if each.kind == "signin"
    )
    entry = sessions.use_link(harness.database, token, now=harness.later(minutes=1))
    confirming.confirm_sessions(harness.database, harness.keyring)
    harness.keychain.hold(alice, entry.token)
    leaving.come_back(harness.database, uid, alice, now=harness.later(minutes=1))
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2), ("1", 3)]
    require_known(harness, uid)


# --- by letter


def test_offers_are_accepted_by_the_links_of_their_letters(harness: Harness) -> None:
    """Nobody is signed in who uses a link; its token alone tells the worker who it is."""
    uid = begin(harness)
    ask(harness, uid, ALICE, DAVE, days=5)
    offers.accept_offer(
        harness.database, read_link(harness), zone="UTC", now=harness.later(minutes=1)
    )
    assert [(row.what, row.box is not None) for row in requests(harness)] == [
        ("ask", False),
        ("substitute", True),
    ]
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2)]
    require_known(harness, uid)


def test_all_of_it_works_by_letter(harness: Harness) -> None:
    """The worker that reads a letter vouches for who wrote it."""
    uid, worker = begin(harness), as_worker(harness.database, harness.keyring)
    people = {name: harness.player(name) for name in (ALICE, BOB, CHARLIE, DAVE)}
    until = harness.now + timedelta(days=3)
    substitutes.ask_substitute(
        worker, uid, people[ALICE], "erin@example.org", until, now=harness.now
    )
    leaving.resign(worker, uid, people[BOB], now=harness.now)
    with worker.write_tx() as session:
        offers.accept_in(
            session,
            session.exec(select(Offer.id)).one() or 0,
            zone="UTC",
            now=harness.later(minutes=1),
        )
    takeovers.take_seat(worker, uid, people[DAVE], now=harness.now)
    leaving.come_back(worker, uid, people[ALICE], now=harness.later(minutes=1))
    assert all(row.signer is None and row.who is not None for row in requests(harness))
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2), ("2", 2), ("1", 3)]
    require_known(harness, uid)


# --- guests, erased players


def invite(harness: Harness, address: str) -> str:
    """Keep a seat for an address; return the token of the letter's link."""
    harness.prepare_match(Wish("pyramid", "Table", {}, invited=(address,)), BOB)
    return links(harness, "invitation")[-1]


def offer(harness: Harness, address: str) -> str:
    """Ask for a substitute at an address; return the token of the letter's link."""
    ask(harness, begin(harness, ALICE, BOB, CHARLIE), ALICE, address.partition("@")[0], days=5)
    return links(harness, "offer")[-1]


def test_a_guest_who_takes_a_seat_by_a_letter_takes_along_what_the_guest_plays(
    harness: Harness,
) -> None:
    accepts = {"invitation": seats.accept_invitation, "offer": offers.accept_offer}
    for way, write in {"invitation": invite, "offer": offer}.items():
        guest = sessions.enter_guest(harness.database, zone="UTC", now=harness.now)
        harness.people[way] = guest.person.id
        harness.keychain.hold(guest.person.id, guest.token)
        uid, token = begin(harness, way, BOB, CHARLIE), write(harness, f"{way}@example.org")
        entry = accepts[way](
            harness.database, token, zone="UTC", now=harness.now, viewer_id=guest.person.id
        ).entry
        assert entry is not None and (entry.person.id, entry.person.address, entry.person.name) == (
            guest.person.id,
            f"{way}@example.org",
            way,
        ), "the guest has the address, as after a sign-in link"
        confirming.confirm_sessions(harness.database, harness.keyring)
        require_known(harness, uid)
        with harness.database.read_tx() as session:
            before = sessions.signed_in_player(session, guest.token, now=harness.now)
            assert before is None, "the guest's session has ended"


def test_a_guest_who_opens_the_letter_of_a_known_address_is_asked_to_sign_in_first(
    harness: Harness,
) -> None:
    known = harness.player("Dora")
    guest = sessions.enter_guest(harness.database, zone="UTC", now=harness.now)
    harness.people["Guest"] = guest.person.id
    harness.keychain.hold(guest.person.id, guest.token)
    uid, token = begin(harness, "Guest", BOB, CHARLIE), invite(harness, "dora@example.org")
    accepted = seats.accept_invitation(
        harness.database, token, zone="UTC", now=harness.now, viewer_id=guest.person.id
    )
    assert accepted.entry is None and not harness.page(uid, "Dora").seat
    sessions.use_link(harness.database, links(harness)[-1], now=harness.now)
    assert harness.page(uid, "Dora").seat == "1" and harness.people["Dora"] == known
    confirming.confirm_sessions(harness.database, harness.keyring)
    require_known(harness, uid)


def test_nobody_takes_a_seat_along_without_its_players_word(harness: Harness) -> None:
    """Mallory opens her own invitation, and writes into all rows that Alice's session asked for the
    address.
    """
    uid, token = begin(harness), invite(harness, "mallory@example.org")
    alice, key = harness.player(ALICE), SessionKey.of_cookie(harness.enter(ALICE))
    with harness.database.read_tx() as session:
        proves = confirming.of_token(session, "invitation", token)
    entry = seats.accept_invitation(harness.database, token, zone="UTC", now=harness.now).entry
    assert entry is not None
    thief = SessionKey.of_cookie(entry.token)
    lies = {
        "signed by another": ("mallory@example.org", thief),
        "for an address that the letter does not prove": ("alice@example.net", key),
    }
    for lie, (asked, signs) in lies.items():
        signature = signs.sign(confirming.address_request(asked)).hex()
        told = replace(proves, signer=key.public.hex(), signature=signature)
        with harness.database.write_tx() as session:
            before = seat(harness, uid, "1").tenure_proof
            row = session.get_one(SignedIn, token_hash(entry.token))
            session.get_one(Player, entry.person.id).address, row.player_id = None, alice
            session.flush()
            session.get_one(Player, alice).address = asked
            keys = public_keys.current_keys(session)
            row.box = confirming.seal_evidence(keys, thief.public, told)
            confirming.confirm_in(session, harness.keyring, row)
            assert row.who is not None, "the letter proves that she is Mallory"
            mine = select(Seat).where(Seat.player_id == alice, Seat.name == "1")
            assert session.exec(mine).one().tenure_proof == before, lie
            session.rollback()


def test_a_guests_seat_is_left_and_taken(harness: Harness) -> None:
    guest = sessions.enter_guest(harness.database, zone="UTC", now=harness.now)
    harness.people["Guest"] = guest.person.id
    harness.keychain.hold(guest.person.id, guest.token)
    uid = begin(harness, "Guest", BOB, CHARLIE)
    leaving.resign(harness.database, uid, guest.person.id, now=harness.later(minutes=1))
    take(harness, uid, DAVE)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2)]
    require_known(harness, uid)


def test_an_erased_player_leaves_the_seat_and_a_lent_one_stays_with_its_substitute(
    harness: Harness,
) -> None:
    uid, other = begin(harness), begin(harness)
    lend(harness, other, ALICE, DAVE, days=5)
    catch_up(harness, other)
    erasing.erase_player(harness.database, harness.player(ALICE), now=harness.later(minutes=1))
    assert finishing.finish_erasures(harness.database) == 0
    for each in (uid, other):
        catch_up(harness, each)
        assert not tampering(harness, each)
        require_known(harness, each)
    assert finishing.finish_erasures(harness.database) == 1
    assert seat(harness, uid, "1").player_id is None and seat(
        harness, other, "1"
    ).player_id == harness.player(DAVE)
    with harness.database.read_tx() as session:
        assert (
            session.exec(select(SignedIn).where(SignedIn.player_id == harness.player(ALICE))).all()
            == []
        )


# --- an upgrade


def forget_seats(harness: Harness, uid: str) -> None:
    """Let the open phase be one that a worker of the release before opened, and no request be
    signed.
    """
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        phase = open_phase(session, match)
        assert phase is not None
        found: Any = recall_known(harness.keyring, match, phase)
        keep_known(harness.keyring, match, phase, KnownMatch(**{**vars(found), "seats": None}))
        for row in session.exec(select(SeatRequest)):
            session.delete(row)


def test_a_phase_that_was_open_at_the_upgrade_takes_changes_that_nobody_signed(
    harness: Harness,
) -> None:
    uid = begin(harness)
    resign(harness, uid, BOB)
    take(harness, uid, DAVE)
    forget_seats(harness, uid)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("2", 2)]
    pass_round(harness, uid, ALICE, DAVE, CHARLIE)
    require_known(harness, uid)


def test_what_a_substitute_was_asked_before_the_upgrade_is_accepted_after_it(
    harness: Harness,
) -> None:
    uid = begin(harness)
    offer = ask(harness, uid, ALICE, DAVE, days=9)
    resign(harness, uid, BOB)
    forget_seats(harness, uid)
    pass_round(harness, uid, CHARLIE)
    with harness.database.write_tx() as session:
        offers.accept_in(session, offer, zone="UTC", now=harness.now)
    take(harness, uid, ERIN)
    catch_up(harness, uid)
    assert tenures(harness, uid) == [("1", 2), ("2", 2)]
    require_known(harness, uid)


def test_a_closed_phase_forgets_who_had_the_seats(harness: Harness) -> None:
    uid = begin(harness)
    with harness.database.read_tx() as session:
        match = by_uid(session, uid)
        first = open_phase(session, match)
    pass_round(harness, uid, ALICE, BOB, CHARLIE)
    with harness.database.read_tx() as session:
        assert first is not None
        session.add(first)
        session.refresh(first)
        before = recall_known(harness.keyring, match, first)
    assert before is not None and before.seats is None and known(harness, uid).seats is not None
