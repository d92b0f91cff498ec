"""Bounces: the player and the masters are told once, other letters are held, and they go out when
letters arrive again.
"""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.service.base import rows as base_rows
from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.letters import bounces, letter_history, outbox
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.letters.contents.answer_content import AnswerLetter
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, sessions
from adjudicator.service.phases import reminders
from adjudicator.service.tokens.references import Reference
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from tests.letters_out import claim_letter

GONE = Returned(True, "<bob@example.org>: 550 no such\r\nperson", "5.1.1")


def rows(harness: Harness, kind: str = "", to: str = "") -> list[Letter]:
    with harness.database.read_tx() as session:
        found = session.exec(select(Letter).order_by(col(Letter.id)))
        return [row for row in found if (not kind or row.kind == kind) and to in ("", row.address)]


def player(harness: Harness, name: str) -> Player:
    with harness.database.read_tx() as session:
        return session.get_one(Player, harness.people[name])


def send(harness: Harness, row: Letter) -> None:
    """Claim a letter and mark it as sent."""
    assert row.id is not None
    claimed = claim_letter(harness.database, harness.keyring, row.id, harness.now)
    assert claimed is not None
    outbox.mark_sent(harness.database, [claimed], harness.now)


def return_it(harness: Harness, row: Letter, returned: Returned = GONE, **found_by: object) -> bool:
    with harness.database.write_tx() as session:
        return bounces.bounced(
            session, returned, now=harness.now, **(found_by or {"letter_uid": row.uid})
        )  # type: ignore[arg-type]


def test_a_letter_that_takes_the_number_of_a_withdrawn_one_is_still_to_be_sent(
    harness: Harness,
) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    (row,) = rows(harness, "report", address(BOB))
    claimed = claim_letter(harness.database, harness.keyring, row.id or 0, harness.now)
    assert claimed is not None
    # as a change of the seat does, while a worker sends it
    with harness.database.write_tx() as session:
        session.delete(session.get_one(Letter, row.id))
        session.flush()
        session.add(Letter(**row.model_dump() | {"uid": "next"}))
    outbox.mark_sent(harness.database, [claimed], harness.now)
    outbox.mark_failed(harness.database, claimed, harness.now, "no such person", for_good=True)
    (following,) = rows(harness, "report", address(BOB))
    assert (following.id, following.uid, following.state, following.trouble) == (
        row.id,
        "next",
        "waiting",
        None,
    )


@pytest.fixture
def lost(harness: Harness) -> Letter:
    """Bob's first report, which has bounced; Alice is the master."""
    harness.match(ALICE, BOB, CHARLIE)
    (row,) = rows(harness, "report", address(BOB))
    send(harness, row)
    assert return_it(harness, row)
    return row


@pytest.mark.parametrize("final", [True, False], ids=["given up", "late"])
def test_a_passing_fault_stops_no_letters_and_tells_no_master(
    harness: Harness, final: bool
) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    (row,) = rows(harness, "report", address(BOB))
    send(harness, row)
    assert return_it(harness, row, Returned(final, "452 4.2.2 mailbox full", "4.2.2"))
    (row,) = rows(harness, "report", address(BOB))
    assert row.state == ("bounced" if final else "sent")
    assert row.trouble == f"it {'came back' if final else 'is late'}: 452 4.2.2 mailbox full"
    assert player(harness, BOB).bounced_at is None
    assert not rows(harness, "unreachable")


def test_a_letter_that_came_back_is_told_to_its_player_and_its_row(
    harness: Harness, lost: Letter
) -> None:
    (row,) = rows(harness, "report", address(BOB))
    assert (row.state, row.trouble) == (
        "bounced",
        "it came back: 5.1.1 the address: 550 no such person",
    )
    bob = player(harness, BOB)
    assert (bob.bounced_at, bob.bounce) == (harness.now, "5.1.1 the address: 550 no such person")
    assert accounts.person(bob).bounced_at == harness.now
    assert player(harness, CHARLIE).bounced_at is None


def test_the_master_is_told_once_until_letters_arrive_again(harness: Harness, lost: Letter) -> None:
    for _ in range(2):
        return_it(harness, lost)
    (told,) = rows(harness, "unreachable")
    assert (told.address, told.match_id) == (address(ALICE), lost.match_id)
    with harness.database.write_tx() as session:
        bounces.arrives_again(session, harness.people[BOB], now=harness.later(hours=1))
    harness.round(rows_match(harness), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    newest = rows(harness, "report", address(BOB))[-1]
    send(harness, newest)
    return_it(harness, newest)
    assert len(rows(harness, "unreachable")) == 2


def rows_match(harness: Harness) -> str:
    """Return the public name of the one match."""
    with harness.database.read_tx() as session:
        return session.exec(select(creation.Match.uid)).one()


def test_nothing_more_is_sent_there_but_links_to_sign_in(harness: Harness, lost: Letter) -> None:
    uid = rows_match(harness)
    harness.round(uid, [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    sessions.ask_link(harness.database, address(BOB), zone="UTC", now=harness.now)
    states = {(row.kind, row.state) for row in rows(harness, to=address(BOB)) if row.id != lost.id}
    assert states == {("report", "held"), ("receipt", "held"), ("signin", "waiting")}
    assert {row.trouble for row in rows(harness, to=address(BOB)) if row.state == "held"} == {
        outbox.COMES_BACK
    }
    assert all(row.state == "waiting" for row in rows(harness, "report", address(CHARLIE)))


def test_what_waited_already_is_held_when_it_would_be_sent(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Another", {}))
    first, second = rows(harness, "report", address(BOB))
    send(harness, first)
    return_it(harness, first)
    assert second.id is not None
    assert claim_letter(harness.database, harness.keyring, second.id, harness.now) is None
    assert rows(harness, "report", address(BOB))[1].trouble == outbox.COMES_BACK


@pytest.mark.parametrize("way", ["a link", "a letter", "the button"])
def test_held_letters_go_out_once_letters_arrive_again(
    harness: Harness, lost: Letter, way: str
) -> None:
    harness.round(rows_match(harness), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    harness.later(days=2)
    if way == "a link":
        sign_in(harness, address(BOB))
    elif way == "a letter":
        with harness.database.write_tx() as session:
            assert bounces.arrives_again(session, harness.people[BOB], now=harness.now)
            assert not bounces.arrives_again(session, harness.people[BOB], now=harness.now)
    else:
        bounces.try_again(harness.database, harness.people[BOB], now=harness.now)
    assert (player(harness, BOB).bounced_at, player(harness, BOB).bounce) == (None, None)
    held = [
        row
        for row in rows(harness, to=address(BOB))
        if row.kind in ("report", "receipt") and row.id != lost.id
    ]
    assert [(row.state, row.tries, row.next_try) for row in held] == [
        ("waiting", 0, harness.now)
    ] * 2


def sign_in(harness: Harness, to: str, *, asks: int | None = None) -> None:
    sessions.ask_link(harness.database, to, zone="UTC", now=harness.now, guest_id=asks)
    letter_id = rows(harness, "signin", to)[-1].id
    assert letter_id is not None
    claimed = claim_letter(harness.database, harness.keyring, letter_id, harness.now)
    assert claimed is not None
    entry = sessions.use_link(harness.database, claimed.context["token"], now=harness.now)
    if asks is not None:  # the change of address has ended the session before
        harness.keychain.hold(asks, entry.token)


def test_another_address_takes_the_place_of_one_that_does_not_work_and_gets_what_was_held(
    harness: Harness, lost: Letter
) -> None:
    harness.round(rows_match(harness), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    sign_in(harness, "bob@example.net", asks=harness.people[BOB])
    assert (player(harness, BOB).address, player(harness, BOB).bounced_at) == (
        "bob@example.net",
        None,
    )
    assert {row.kind for row in rows(harness, to="bob@example.net") if row.state == "waiting"} >= {
        "report",
        "receipt",
    }


def test_a_letter_to_the_address_that_was_left_comes_back_late_and_stops_nothing_at_the_new_one(
    harness: Harness, lost: Letter
) -> None:
    """A mail server may retry for five days; meanwhile the player may have changed to a working
    address.
    """
    uid = rows_match(harness)
    sign_in(harness, "bob@example.net", asks=harness.people[BOB])
    told = len(rows(harness, "unreachable"))
    harness.later(hours=20)
    with harness.database.write_tx() as session:
        session.get_one(Letter, lost.id).state = "sent"  # as if it were still on its way
    assert return_it(harness, lost)
    assert player(harness, BOB).bounced_at is None and len(rows(harness, "unreachable")) == told
    harness.round(uid, [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    assert rows(harness, "report", "bob@example.net")[-1].state == "waiting"


@pytest.mark.parametrize("bouncing", [True, False])
def test_no_link_takes_a_players_address_or_seats_away(
    harness: Harness, lost: Letter, bouncing: bool
) -> None:
    asking = BOB if bouncing else CHARLIE
    sign_in(harness, address(ALICE), asks=harness.people[asking])
    assert (player(harness, asking).address, player(harness, ALICE).address) == (
        address(asking),
        address(ALICE),
    )
    page = harness.page(rows_match(harness))
    assert [seat.player for seat in page.card.seats] == [ALICE, BOB, CHARLIE]


def test_the_match_tells_its_master_whom_letters_do_not_reach_and_nobody_else(
    harness: Harness, lost: Letter
) -> None:
    uid = rows_match(harness)
    told = {
        name: (harness.page(uid, name).not_reached, harness.page(uid, name).held_letters)
        for name in (ALICE, BOB, CHARLIE, None)
    }
    assert told == {ALICE: (("2",), 1), BOB: ((), 1), CHARLIE: ((), 0), None: ((), 0)}


def test_the_master_is_not_told_that_an_answer_to_another_seat_is_held(
    harness: Harness, lost: Letter
) -> None:
    """It would reveal that the seat had written (ruling G4)."""
    uid = rows_match(harness)
    with harness.database.write_tx() as session:
        about = outbox.LetterReference(base_rows.by_uid(session, uid).id, "2", incoming_id=1)
        to = {"address": address(BOB), "player_id": harness.people[BOB]}
        outbox.put_letter(
            session, harness.keyring.public, AnswerLetter(), now=harness.now, about=about, **to
        )  # type: ignore[arg-type]
    assert {name: harness.page(uid, name).held_letters for name in (ALICE, BOB, CHARLIE)} == {
        ALICE: 1,
        BOB: 2,
        CHARLIE: 0,
    }


def test_a_reminder_that_comes_back_tells_the_master_nothing(harness: Harness) -> None:
    """Only seats that have handed in nothing are reminded."""
    uid = harness.match(ALICE, BOB, CHARLIE)
    for who in (ALICE, CHARLIE):
        harness.order(uid, who, "B3")
    harness.later(hours=24)
    assert reminders.send_reminders(harness.database, uid, now=harness.now) == 1
    with harness.database.write_tx() as session:
        letter = session.exec(select(Letter).where(Letter.kind == "reminder")).one()
        assert bounces.bounced(
            session, Returned(True, "550 no such person"), now=harness.now, letter_uid=letter.uid
        )
        letter.state = "held"
    assert (harness.page(uid, ALICE).held_letters, harness.page(uid, ALICE).not_reached) == (0, ())
    assert harness.page(uid, BOB).held_letters == 1 and not [
        each for each in harness.claim_waiting() if each.kind == "unreachable"
    ]


def test_a_late_letter_is_noted_and_nothing_else_happens(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    (row,) = rows(harness, "report", address(BOB))
    send(harness, row)
    assert return_it(harness, row, Returned(False, "still trying"))
    (row,) = rows(harness, "report", address(BOB))
    assert (row.state, row.trouble, player(harness, BOB).bounced_at) == (
        "sent",
        "it is late: still trying",
        None,
    )
    assert rows(harness, "unreachable") == []


def test_a_letter_is_found_by_its_message_id_too(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    (row,) = rows(harness, "report", address(BOB))
    send(harness, row)
    assert not return_it(
        harness, row, message_ids=("<somebody@else.example>", "", f"<{'0' * 24}@example.org>")
    )
    assert return_it(
        harness, row, message_ids=("<somebody@else.example>", f"<{row.uid}@example.org>")
    )
    assert player(harness, BOB).bounced_at is not None


def test_an_invitation_that_came_back_is_shown_to_the_master(harness: Harness) -> None:
    uid = harness.prepare_match(
        Wish("pyramid", "Table", {}, invited=("nobody@example.org",)), ALICE
    )
    (row,) = rows(harness, "invitation")
    send(harness, row)
    assert return_it(harness, row)
    assert harness.page(uid, ALICE).held_letters == 1


# --- stopping


def test_a_complaint_stops_the_letters_and_tells_no_master(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    (row,) = rows(harness, "report", address(BOB))
    send(harness, row)
    with harness.database.write_tx() as session:
        assert bounces.complained(session, letter_uid=row.uid)
        assert not bounces.complained(session, letter_uid="nothing")
    assert (player(harness, BOB).letters, player(harness, CHARLIE).letters) == (False, True)
    assert rows(harness, "unreachable") == []


def test_who_stopped_letters_gets_none_of_those_that_waited(harness: Harness, lost: Letter) -> None:
    uid = rows_match(harness)
    harness.round(uid, [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    sessions.ask_link(harness.database, address(BOB), zone="UTC", now=harness.now)
    with harness.database.write_tx() as session:
        bounces.stop_letters(session, harness.people[BOB])
    assert [
        row.kind for row in rows(harness, to=address(BOB)) if row.state in ("waiting", "held")
    ] == ["signin"]


def test_each_player_has_a_secret_of_their_own_that_stops_letters(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    secrets = {
        name: harness.token(Reference("stop", str(harness.people[name])))
        for name in (ALICE, BOB, CHARLIE)
    }
    assert len(set(secrets.values())) == 3 and min(map(len, secrets.values())) >= 26
    assert not bounces.stop_by_token(harness.database, "guess") and not bounces.stop_by_token(
        harness.database, ""
    )
    assert bounces.stop_by_token(harness.database, secrets[BOB])
    assert [player(harness, name).letters for name in (ALICE, BOB, CHARLIE)] == [True, False, True]


def test_letters_that_are_stopped_while_one_is_on_its_way_are_stopped(harness: Harness) -> None:
    harness.match(ALICE, BOB, CHARLIE)
    (row,) = rows(harness, "report", address(BOB))
    claimed = claim_letter(harness.database, harness.keyring, row.id or 0, harness.now)
    assert claimed is not None
    with harness.database.write_tx() as session:
        bounces.stop_letters(session, harness.people[BOB])
    bounces.refused(harness.database, claimed, "550 no such person", now=harness.now)
    outbox.mark_failed(harness.database, claimed, harness.now, "451 later")
    outbox.mark_sent(harness.database, [claimed], harness.now)
    assert rows(harness, to=address(BOB)) == []


# --- erasing


def test_letters_that_are_done_with_are_erased_after_a_while(
    harness: Harness, lost: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_history, "_ERASED_AT_ONCE", 2)
    uid = rows_match(harness)
    for row in rows(harness, "report"):
        if row.state == "waiting":
            send(harness, row)
    harness.later(days=31)
    assert letter_history.erase_old(harness.database, harness.now - timedelta(days=40)).sent == 0
    waiting = [row.id for row in rows(harness) if row.state == "waiting"]
    assert letter_history.erase_old(harness.database, harness.now - timedelta(days=30)).sent == 3
    assert [row.id for row in rows(harness)] == waiting != []
    assert harness.page(uid, BOB).held_letters == 0
