"""What a process that writes any row and has no key file cannot do with addresses and links of
letters (SEAL/1).
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import Session, col, select

from adjudicator.mail.addresses import token_address
from adjudicator.seal import crypto
from adjudicator.seal.tokens import hash_token
from adjudicator.service.base import public_keys, rows
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.tables import (
    Confirmation,
    Incoming,
    Letter,
    Link,
    LogEntry,
    MasterAddress,
    Match,
    Offer,
    Player,
    Seat,
    all_tables,
)
from adjudicator.service.handover import leaving, offers
from adjudicator.service.handover.substitutes import ask_substitute
from adjudicator.service.letters import bounces, kinds, outbox, receiving, suppression
from adjudicator.service.letters.contents.answer_content import AnswerLetter
from adjudicator.service.letters.contents.content import LetterContent
from adjudicator.service.letters.contents.seat_content import InvitationLetter
from adjudicator.service.matches import seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import sessions
from adjudicator.service.tokens import references
from adjudicator.service.tokens.references import Reference
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.unlogged import forget_computed_tokens

DORA, MALLORY = "dora@example.org", "mallory@example.net"
MINE = "m" * 26  # a token that the attacker knows


def write_row(harness: MailHarness, table: type[Any], key: object, **values: object) -> None:
    """Change a row, as whoever has the database can."""
    with harness.database.write_tx() as session:
        row = session.get_one(table, key)
        for name, value in values.items():
            setattr(row, name, value)


def mine(harness: MailHarness, token: str = MINE) -> str:
    return token_address(harness.settings, token).addr_spec


def tampering(harness: MailHarness) -> list[str]:
    """Return the kinds of tampering in the log of the newest match."""
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, harness.uid)
        told = (
            select(LogEntry)
            .where(LogEntry.match_id == match.id, LogEntry.type == "tampering")
            .order_by(col(LogEntry.index))
        )
        return [entry.body["kind"] for entry in session.exec(told)]


def handed_in(harness: MailHarness, who: str) -> bool:
    owed = harness.page(harness.uid, who).owed
    return owed is not None and owed.handed_in_at is not None


# --- seats


def test_a_letter_that_is_moved_to_another_seat_hands_nothing_in_and_the_log_says_so(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    uid = harness.begin(ALICE, BOB, CHARLIE)
    to = harness.reply_to(harness.newest(BOB, "report"))
    assert harness.deliver(to, harness.letter(BOB, to, "B3").as_bytes())
    (stored,), charlie = harness.came_in(), harness.seats(uid)[2]
    write_row(harness, Incoming, stored.id, seat_id=charlie.id)
    (outcome,) = harness.read_all()
    assert (
        outcome.disposition == "forged"
        and not handed_in(harness, CHARLIE)
        and not handed_in(harness, BOB)
    )
    assert tampering(harness) == ["letter"]


def test_a_letter_that_is_moved_to_another_proposal_votes_on_none(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "extend 24h")
    to = harness.reply_to(harness.newest(BOB, "proposal"))
    assert harness.deliver(to, harness.letter(BOB, to, "yes").as_bytes())
    stored = harness.came_in()[-1]
    assert stored.ref is not None
    write_row(harness, Incoming, stored.id, ref="7" + stored.ref)
    assert harness.read_all()[-1].disposition == "forged" and tampering(harness) == ["letter"]


def test_a_letter_that_is_not_moved_is_read(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    assert harness.answer(harness.newest(BOB, "report"), "B3").disposition == "orders"
    assert handed_in(harness, BOB) and tampering(harness) == []


@pytest.mark.parametrize("column", ["token_hash", "earlier_hash"])
def test_a_seats_address_that_somebody_else_wrote_is_not_honoured(
    harness: MailHarness, column: str
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    write_row(harness, Seat, harness.seats(uid)[1].id, **{column: hash_token(MINE)})
    assert harness.write(MALLORY, mine(harness), "B3").disposition == "forged"
    assert not handed_in(harness, BOB) and tampering(harness) == ["letter"]


def test_a_letter_to_ones_own_seat_does_not_pass_as_that_of_a_former_player(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    to = harness.reply_to(harness.newest(BOB, "report"))
    assert harness.deliver(to, harness.letter(BOB, to, "B3").as_bytes())
    (stored,) = harness.came_in()
    write_row(harness, Incoming, stored.id, seat_id=harness.seats(uid)[2].id, tenure=1)
    write_row(harness, Seat, harness.seats(uid)[2].id, tenure=2)
    assert harness.read_all()[-1].disposition == "forged"


@pytest.mark.parametrize("inside", [b"", f"{MINE}\n".encode()])
@pytest.mark.parametrize("bound_to", ["incoming", "incoming/2"])
def test_a_letter_that_no_inbox_stored_is_not_read_as_a_seats(
    harness: MailHarness, inside: bytes, bound_to: str
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    bob = harness.seats(uid)[1]
    with harness.database.write_tx() as session:
        public = public_keys.current_keys(session).inbox
        raw = crypto.seal(
            public,
            inside + harness.letter(BOB, SERVICE, "B3").as_bytes(),
            bound_to=f"{bound_to}:f".encode(),
        )
        session.add(
            Incoming(
                uid="f",
                kind="seat",
                seat_id=bob.id,
                match_id=bob.match_id,
                tenure=bob.tenure,
                via="smtp",
                received_at=harness.now,
                next_try=harness.now,
                raw=raw,
                size=1,
            )
        )
    assert [each.disposition for each in harness.read_all()] == ["forged"] and not handed_in(
        harness, BOB
    )


def test_a_letter_to_the_service_does_not_become_one_to_a_seat(harness: MailHarness) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    assert harness.deliver(SERVICE, harness.letter(MALLORY, SERVICE, "B3").as_bytes())
    bob = harness.seats(uid)[1]
    write_row(
        harness,
        Incoming,
        harness.came_in()[0].id,
        kind="seat",
        seat_id=bob.id,
        match_id=bob.match_id,
        tenure=1,
    )
    assert harness.read_all()[-1].disposition == "forged"


@pytest.mark.parametrize("times", [1, 3])
def test_a_stored_letter_is_read_after_its_address_was_renewed(
    harness: MailHarness, times: int
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(BOB, "report")
    to = harness.reply_to(report)
    for _ in range(times):  # as somebody does to whom no answer comes
        assert harness.deliver(to, harness.letter(BOB, to, "new address").as_bytes())
    assert harness.deliver(to, harness.letter(BOB, to, "B3").as_bytes())
    assert [each.disposition for each in harness.read_all()] == ["commands"] * times + ["orders"]
    assert not harness.deliver(to, harness.letter(BOB, to, "B1").as_bytes())


def test_a_letter_that_came_before_its_seat_changed_hands_is_its_former_players(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    to = harness.reply_to(harness.newest(CHARLIE, "report"))
    assert harness.deliver(to, harness.letter(CHARLIE, to, "W3").as_bytes())
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.later(minutes=1))
    assert harness.read_all()[-1].disposition == "orders"


# --- other addresses


def forge_question(session: Session, harness: MailHarness) -> None:
    session.add(
        Confirmation(
            token_hash=hash_token(MINE),
            uid="u",
            address=BOB,
            wanted=["name Fool"],
            made_at=harness.now,
            until=harness.later(days=1),
        )
    )


def forge_invitation(session: Session, harness: MailHarness) -> None:
    seat = rows.seats_of(session, rows.by_uid(session, harness.uid))[1]
    seat.kept_for, seat.player_id, seat.invitation_hash, seat.invitation_n = (
        BOB,
        None,
        hash_token(MINE),
        1,
    )


def forge_earlier_invitation(session: Session, harness: MailHarness) -> None:
    forge_invitation(session, harness)
    rows.seats_of(session, rows.by_uid(session, harness.uid))[1].invitation_n = 0


def forge_offer(session: Session, harness: MailHarness, uid: str | None = "u") -> None:
    seat = rows.seats_of(session, rows.by_uid(session, harness.uid))[1]
    session.add(
        Offer(
            token_hash=hash_token(MINE),
            uid=uid,
            match_id=seat.match_id,
            seat_id=seat.id or 0,
            tenure=1,
            address=DORA,
            made_at=harness.now,
        )
    )


def forge_earlier_offer(session: Session, harness: MailHarness) -> None:
    forge_offer(session, harness, None)


@pytest.mark.parametrize(
    "forge",
    [forge_question, forge_invitation, forge_earlier_invitation, forge_offer, forge_earlier_offer],
)
def test_no_other_address_works_that_somebody_else_wrote(
    harness: MailHarness, forge: Callable[[Session, MailHarness], None]
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    with harness.database.write_tx() as session:
        forge(session, harness)
    assert harness.write(MALLORY, mine(harness), "yes", "accept", "take").disposition == "forged"


def test_a_masters_address_that_somebody_else_wrote_is_not_honoured(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.write(ALICE, SERVICE, f"pause {harness.uid}")
    harness.answer(harness.newest(ALICE, "confirm"), "yes")
    harness.post_all()
    with harness.database.write_tx() as session:
        match = rows.by_uid(session, harness.uid)
        made = session.exec(select(MasterAddress).where(MasterAddress.match_id == match.id)).one()
        made.token_hash = hash_token(MINE)
    assert harness.write(MALLORY, mine(harness, f"m-{MINE}"), "resume").disposition == "forged"
    assert harness.page(harness.uid, ALICE).card.paused and tampering(harness) == ["letter"]


def test_a_question_whose_commands_were_exchanged_confirms_nothing(harness: MailHarness) -> None:
    harness.player(BOB)
    harness.write(BOB, SERVICE, "name Bobby")
    question = harness.newest(BOB, "confirm")
    with harness.database.write_tx() as session:
        session.exec(select(Confirmation)).one().wanted = ["name Fool"]
    assert harness.answer(question, "yes").disposition == "forged"
    with harness.database.read_tx() as session:
        assert session.get_one(Player, harness.people[BOB]).name != "Fool"


def test_a_question_of_the_previous_release_is_asked_once_more(harness: MailHarness) -> None:
    harness.player(BOB)
    with harness.database.write_tx() as session:
        forge_question(session, harness)
        session.flush()
        session.exec(select(Confirmation)).one().uid = None
    harness.now = harness.later(days=-1)
    assert harness.write(BOB, mine(harness), "yes").disposition == "asked"
    assert harness.answer(harness.newest(BOB, "confirm"), "yes").disposition == "commands"
    with harness.database.read_tx() as session:
        assert session.get_one(Player, harness.people[BOB]).name == "Fool"


# --- what the database tells


def everything(harness: MailHarness) -> set[str]:
    """Return each text that stands in any row of any table, also within JSON, as whoever has the
    database reads it.
    """
    found = set[str]()
    with harness.database.read_tx() as session:
        for table in all_tables().sorted_tables:
            for row in session.connection().execute(table.select()):
                found |= {
                    word
                    for value in row
                    for word in re.findall(
                        r"[\w-]{8,}", value if isinstance(value, str) else repr(value)
                    )
                }
    return found


def test_nothing_that_the_database_holds_is_a_link_or_an_address(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    sessions.ask_link(harness.database, BOB, zone="UTC", now=harness.now)
    harness.prepare_match(Wish("pyramid", "Table", {}, players=3, invited=(DORA,)), ALICE)
    uid = harness.begin(ALICE, BOB, CHARLIE)
    harness.write(ALICE, SERVICE, f"pause {uid}")
    harness.answer(harness.newest(ALICE, "confirm"), "yes")
    harness.write(MALLORY, SERVICE, "join pyramid")
    ask_substitute(
        harness.database,
        uid,
        harness.people[BOB],
        DORA,
        harness.later(days=3),
        now=harness.later(days=-3),
    )
    harness.post_all()
    texts = everything(harness)
    assert {row.uid for row in harness.rows()} <= texts
    with harness.database.read_tx() as session:
        found = [
            text
            for text in texts
            for prefix in ("", "b-", "m-", "s-", "n-")
            if receiving.find_target(session, prefix + text)
        ]
        found += [
            text
            for text in texts
            if bounces.of_token(session, text) or suppression.of_token(session, text)
        ]
        found += [
            text
            for text in texts
            for read in (seats.invitation, offers.offer_of_token)
            if opens(session, read, text)
        ]
    assert found == []
    for text in (each for each in texts if len(each) >= 20):
        with pytest.raises(NotNow):
            sessions.use_link(harness.database, text, now=harness.now)


def opens(session: Session, read: Callable[[Session, str], object], token: str) -> bool:
    try:
        return read(session, token) is not None
    except NotFound:
        return False


# --- letters that somebody else has written


def put(harness: MailHarness, content: LetterContent, to: str, **more: Any) -> Letter:
    """Put a letter of one's own into the outbox: anybody can seal to the worker's public key."""
    with harness.database.write_tx() as session:
        return outbox.put_letter(
            session, public_keys.current_keys(session), content, address=to, now=harness.now, **more
        )


def told(harness: MailHarness, letter: Letter) -> dict[str, Any]:
    """Return the content as the worker writes it."""
    claimed = harness.claim_row(letter)
    assert kinds.load_context(claimed.kind, claimed.context) is not None
    return claimed.context


def test_no_letter_tells_the_address_of_a_seat_or_master_to_anybody_else(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    harness.write(ALICE, SERVICE, f"status {uid}")
    harness.post_all()
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
        seat = references.of_seat(match, rows.seats_of(session, match)[1])
        master = references.of_master(match, harness.people[ALICE])
    for wanted in (seat, master):
        assert (
            told(harness, put(harness, AnswerLetter(reply_token=wanted), MALLORY))["reply_token"]
            is None
        )
    assert told(harness, put(harness, AnswerLetter(reply_token=seat), BOB))[
        "reply_token"
    ] == harness.token(seat)


def test_no_letter_tells_a_link_or_an_invitation_to_anybody_else(harness: MailHarness) -> None:
    sessions.ask_link(harness.database, BOB, zone="UTC", now=harness.now)
    harness.prepare_match(Wish("pyramid", "Table", {}, invited=(BOB,)), ALICE)
    harness.post_all()
    with harness.database.read_tx() as session:
        uid = session.exec(select(Link.uid)).one() or ""
        match = session.exec(select(Match)).one()
        invitation = references.invitation_of(match, rows.seats_of(session, match)[1])
    for wanted in (Reference("signin", uid), invitation):
        token = told(
            harness,
            put(
                harness,
                InvitationLetter(
                    token=wanted, game="Pyramid", summary="", master="", every_seconds=1
                ),
                MALLORY,
            ),
        )["token"]
        assert token and token != harness.token(wanted)


# --- the previous release


def test_an_earlier_address_of_a_seat_works_on_in_a_match_of_the_previous_release(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    forget_computed_tokens(harness.database, harness.keyring)
    write_row(harness, Seat, harness.seats(uid)[1].id, earlier_hash=hash_token(MINE))
    assert harness.write(BOB, mine(harness), "B3").disposition == "orders"
    # that letter has a computed one
    assert harness.answer(harness.newest(BOB, "receipt"), "B1").disposition == "orders"


def test_a_letter_that_an_inbox_of_the_previous_release_stored_is_read_in_a_match_of_it(
    harness: MailHarness,
) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    forget_computed_tokens(harness.database, harness.keyring)
    bob = harness.seats(uid)[1]
    with harness.database.write_tx() as session:
        raw = crypto.seal(
            public_keys.current_keys(session).inbox,
            harness.letter(BOB, SERVICE, "B3").as_bytes(),
            bound_to=b"incoming:old",
        )
        session.add(
            Incoming(
                uid="old",
                kind="seat",
                seat_id=bob.id,
                match_id=bob.match_id,
                tenure=1,
                via="smtp",
                received_at=harness.now,
                next_try=harness.now,
                raw=raw,
                size=1,
            )
        )
    assert [each.disposition for each in harness.read_all()] == ["orders"] and handed_in(
        harness, BOB
    )


def test_the_worker_does_not_take_a_new_match_for_one_of_the_previous_release(
    harness: MailHarness,
) -> None:
    old = harness.begin(ALICE, BOB, CHARLIE)
    forget_computed_tokens(harness.database, harness.keyring)
    with harness.database.read_tx() as session:
        record = rows.by_uid(session, old).wrapped_chains
    uid = harness.begin(ALICE, BOB, CHARLIE)
    with harness.database.write_tx() as session:
        rows.by_uid(session, uid).wrapped_chains = record
    write_row(harness, Seat, harness.seats(uid)[1].id, earlier_hash=hash_token(MINE))
    assert harness.write(MALLORY, mine(harness), "B3").disposition == "forged"
