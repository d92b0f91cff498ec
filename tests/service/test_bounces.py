"""Letters that come back: told to the player and the masters once, nothing more is sent, and everything goes out when they arrive again."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.service.base import rows as base_rows
from adjudicator.service.base.tables import Letter, Player
from adjudicator.service.letters import bounces, letter_history, outbox
from adjudicator.service.letters.bounces import Returned
from adjudicator.service.letters.kinds import AnswerLetter
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import accounts, sessions
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness

GONE = Returned(True, "<bob@example.org>: 550 no such\r\nperson", "5.1.1")


def rows(desk: Harness, kind: str = "", to: str = "") -> list[Letter]:
    with desk.database.read_tx() as session:
        found = session.exec(select(Letter).order_by(col(Letter.id)))
        return [row for row in found if (not kind or row.kind == kind) and to in ("", row.address)]


def player(desk: Harness, name: str) -> Player:
    with desk.database.read_tx() as session:
        return session.get_one(Player, desk.people[name])


def send(desk: Harness, row: Letter) -> None:
    """Send a letter, as far as the outbox knows."""
    assert row.id is not None
    claimed = outbox.claim_letters(desk.database, desk.keyring, row.id, desk.now)
    assert claimed is not None
    outbox.mark_sent(desk.database, claimed, desk.now)


def return_it(desk: Harness, row: Letter, returned: Returned = GONE, **found_by: object) -> bool:
    with desk.database.write_tx() as session:
        return bounces.bounced(session, returned, now=desk.now, **(found_by or {"letter_uid": row.uid}))  # type: ignore[arg-type]


@pytest.fixture
def lost(desk: Harness) -> Letter:
    """Bob's first report, which came back; Alice is the master."""
    desk.match(ALICE, BOB, CHARLIE)
    (row,) = rows(desk, "report", address(BOB))
    send(desk, row)
    assert return_it(desk, row)
    return row


@pytest.mark.parametrize("final", [True, False], ids=["given up", "late"])
def test_a_passing_fault_stops_no_letters_and_tells_no_master(desk: Harness, final: bool) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    (row,) = rows(desk, "report", address(BOB))
    send(desk, row)
    assert return_it(desk, row, Returned(final, "452 4.2.2 mailbox full", "4.2.2"))
    (row,) = rows(desk, "report", address(BOB))
    assert row.state == ("bounced" if final else "sent")
    assert row.trouble == f"it {'came back' if final else 'is late'}: 452 4.2.2 mailbox full"
    assert player(desk, BOB).bounced_at is None
    assert not rows(desk, "unreachable")


def test_a_letter_that_came_back_is_told_to_its_player_and_its_row(desk: Harness, lost: Letter) -> None:
    (row,) = rows(desk, "report", address(BOB))
    assert (row.state, row.trouble) == ("bounced", "it came back: 5.1.1 the address: 550 no such person")
    bob = player(desk, BOB)
    assert (bob.bounced_at, bob.bounce) == (desk.now, "5.1.1 the address: 550 no such person")
    assert accounts.person(bob).bounced_at == desk.now
    assert player(desk, CHARLIE).bounced_at is None


def test_the_master_is_told_once_until_letters_arrive_again(desk: Harness, lost: Letter) -> None:
    for _ in range(2):
        return_it(desk, lost)
    (told,) = rows(desk, "unreachable")
    assert (told.address, told.match_id) == (address(ALICE), lost.match_id)
    with desk.database.write_tx() as session:
        bounces.arrives_again(session, desk.people[BOB], now=desk.later(hours=1))
    desk.round(rows_match(desk), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    newest = rows(desk, "report", address(BOB))[-1]
    send(desk, newest)
    return_it(desk, newest)
    assert len(rows(desk, "unreachable")) == 2


def rows_match(desk: Harness) -> str:
    """Return the public name of the one match."""
    with desk.database.read_tx() as session:
        return session.exec(select(creation.Match.uid)).one()


def test_nothing_more_is_sent_there_but_links_to_sign_in(desk: Harness, lost: Letter) -> None:
    uid = rows_match(desk)
    desk.round(uid, [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    sessions.ask_link(desk.database, address(BOB), zone="UTC", now=desk.now)
    states = {(row.kind, row.state) for row in rows(desk, to=address(BOB)) if row.id != lost.id}
    assert states == {("report", "held"), ("receipt", "held"), ("signin", "waiting")}
    assert {row.trouble for row in rows(desk, to=address(BOB)) if row.state == "held"} == {outbox.COMES_BACK}
    assert all(row.state == "waiting" for row in rows(desk, "report", address(CHARLIE)))


def test_what_waited_already_is_held_when_it_would_be_sent(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    desk.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Another", {}))
    first, second = rows(desk, "report", address(BOB))
    send(desk, first)
    return_it(desk, first)
    assert second.id is not None
    assert outbox.claim_letters(desk.database, desk.keyring, second.id, desk.now) is None
    assert rows(desk, "report", address(BOB))[1].trouble == outbox.COMES_BACK


@pytest.mark.parametrize("way", ["a link", "a letter", "the button"])
def test_held_letters_go_out_once_letters_arrive_again(desk: Harness, lost: Letter, way: str) -> None:
    desk.round(rows_match(desk), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    desk.later(days=2)
    if way == "a link":
        sign_in(desk, address(BOB))
    elif way == "a letter":
        with desk.database.write_tx() as session:
            assert bounces.arrives_again(session, desk.people[BOB], now=desk.now)
            assert not bounces.arrives_again(session, desk.people[BOB], now=desk.now)
    else:
        bounces.try_again(desk.database, desk.people[BOB], now=desk.now)
    assert (player(desk, BOB).bounced_at, player(desk, BOB).bounce) == (None, None)
    held = [row for row in rows(desk, to=address(BOB)) if row.kind in ("report", "receipt") and row.id != lost.id]
    assert [(row.state, row.tries, row.next_try) for row in held] == [("waiting", 0, desk.now)] * 2


def sign_in(desk: Harness, to: str, *, asks: int | None = None) -> None:
    sessions.ask_link(desk.database, to, zone="UTC", now=desk.now, guest_id=asks)
    letter_id = rows(desk, "signin", to)[-1].id
    assert letter_id is not None
    claimed = outbox.claim_letters(desk.database, desk.keyring, letter_id, desk.now)
    assert claimed is not None
    sessions.use_link(desk.database, claimed.context["token"], now=desk.now)


def test_another_address_takes_the_place_of_one_that_does_not_work_and_gets_what_was_held(desk: Harness, lost: Letter) -> None:
    desk.round(rows_match(desk), [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    sign_in(desk, "bob@example.net", asks=desk.people[BOB])
    assert (player(desk, BOB).address, player(desk, BOB).bounced_at) == ("bob@example.net", None)
    assert {row.kind for row in rows(desk, to="bob@example.net") if row.state == "waiting"} >= {"report", "receipt"}


def test_a_letter_to_the_address_that_was_left_comes_back_late_and_stops_nothing_at_the_new_one(desk: Harness, lost: Letter) -> None:
    """A mail server may try for five days; meanwhile its player has another address, which works."""
    uid = rows_match(desk)
    sign_in(desk, "bob@example.net", asks=desk.people[BOB])
    told = len(rows(desk, "unreachable"))
    desk.later(hours=20)
    with desk.database.write_tx() as session:
        session.get_one(Letter, lost.id).state = "sent"  # as if this one was still on its way
    assert return_it(desk, lost)
    assert player(desk, BOB).bounced_at is None and len(rows(desk, "unreachable")) == told
    desk.round(uid, [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    assert rows(desk, "report", "bob@example.net")[-1].state == "waiting"


@pytest.mark.parametrize("bouncing", [True, False])
def test_no_link_takes_a_players_address_or_seats_away(desk: Harness, lost: Letter, bouncing: bool) -> None:
    asking = BOB if bouncing else CHARLIE
    sign_in(desk, address(ALICE), asks=desk.people[asking])
    assert (player(desk, asking).address, player(desk, ALICE).address) == (address(asking), address(ALICE))
    page = desk.page(rows_match(desk))
    assert [seat.player for seat in page.card.seats] == [ALICE, BOB, CHARLIE]


def test_the_match_tells_its_master_whom_letters_do_not_reach_and_nobody_else(desk: Harness, lost: Letter) -> None:
    uid = rows_match(desk)
    told = {name: (desk.page(uid, name).not_reached, desk.page(uid, name).held_letters) for name in (ALICE, BOB, CHARLIE, None)}
    assert told == {ALICE: (("2",), 1), BOB: ((), 1), CHARLIE: ((), 0), None: ((), 0)}


def test_the_master_is_not_told_that_an_answer_to_another_seat_is_held(desk: Harness, lost: Letter) -> None:
    """It would tell that the seat had written (ruling G4)."""
    uid = rows_match(desk)
    with desk.database.write_tx() as session:
        about = outbox.LetterReference(base_rows.by_uid(session, uid).id, "2", incoming_id=1)
        to = {"address": address(BOB), "player_id": desk.people[BOB]}
        outbox.put_letter(session, desk.keyring.public, AnswerLetter(), now=desk.now, about=about, **to)  # type: ignore[arg-type]
    assert {name: desk.page(uid, name).held_letters for name in (ALICE, BOB, CHARLIE)} == {ALICE: 1, BOB: 2, CHARLIE: 0}


def test_a_late_letter_is_noted_and_nothing_else_happens(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    (row,) = rows(desk, "report", address(BOB))
    send(desk, row)
    assert return_it(desk, row, Returned(False, "still trying"))
    (row,) = rows(desk, "report", address(BOB))
    assert (row.state, row.trouble, player(desk, BOB).bounced_at) == ("sent", "it is late: still trying", None)
    assert rows(desk, "unreachable") == []


def test_a_letter_is_found_by_its_message_id_too(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    (row,) = rows(desk, "report", address(BOB))
    send(desk, row)
    assert not return_it(desk, row, message_ids=("<somebody@else.example>", "", f"<{'0' * 24}@example.org>"))
    assert return_it(desk, row, message_ids=("<somebody@else.example>", f"<{row.uid}@example.org>"))
    assert player(desk, BOB).bounced_at is not None


def test_an_invitation_that_came_back_is_shown_to_the_master(desk: Harness) -> None:
    uid = desk.prepare_match(Wish("pyramid", "Table", {}, invited=("nobody@example.org",)), ALICE)
    (row,) = rows(desk, "invitation")
    send(desk, row)
    assert return_it(desk, row)
    assert desk.page(uid, ALICE).held_letters == 1


# --- stopping


def test_a_complaint_stops_the_letters_and_tells_no_master(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    (row,) = rows(desk, "report", address(BOB))
    send(desk, row)
    with desk.database.write_tx() as session:
        assert bounces.complained(session, letter_uid=row.uid)
        assert not bounces.complained(session, letter_uid="nothing")
    assert (player(desk, BOB).letters, player(desk, CHARLIE).letters) == (False, True)
    assert rows(desk, "unreachable") == []


def test_who_stopped_letters_gets_none_of_those_that_waited(desk: Harness, lost: Letter) -> None:
    uid = rows_match(desk)
    desk.round(uid, [(ALICE, "B3"), (BOB, "B3"), (CHARLIE, "B3")])
    sessions.ask_link(desk.database, address(BOB), zone="UTC", now=desk.now)
    with desk.database.write_tx() as session:
        bounces.stop_letters(session, desk.people[BOB])
    assert [row.kind for row in rows(desk, to=address(BOB)) if row.state in ("waiting", "held")] == ["signin"]


def test_each_player_has_a_secret_of_their_own_that_stops_letters(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    secrets = {name: player(desk, name).stop_token or "" for name in (ALICE, BOB, CHARLIE)}
    assert len(set(secrets.values())) == 3 and min(map(len, secrets.values())) >= 26
    assert not bounces.stop_by_token(desk.database, "guess") and not bounces.stop_by_token(desk.database, "")
    assert bounces.stop_by_token(desk.database, secrets[BOB])
    assert [player(desk, name).letters for name in (ALICE, BOB, CHARLIE)] == [True, False, True]


def test_letters_that_are_stopped_while_one_is_on_its_way_are_stopped(desk: Harness) -> None:
    desk.match(ALICE, BOB, CHARLIE)
    (row,) = rows(desk, "report", address(BOB))
    claimed = outbox.claim_letters(desk.database, desk.keyring, row.id or 0, desk.now)
    assert claimed is not None
    with desk.database.write_tx() as session:
        bounces.stop_letters(session, desk.people[BOB])
    bounces.refused(desk.database, claimed, "550 no such person", now=desk.now)
    outbox.mark_failed(desk.database, claimed, desk.now, "451 later")
    outbox.mark_sent(desk.database, claimed, desk.now)
    assert rows(desk, to=address(BOB)) == []


# --- erasing


def test_letters_that_are_done_with_are_erased_after_a_while(desk: Harness, lost: Letter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letter_history, "_ERASED_AT_ONCE", 2)
    uid = rows_match(desk)
    for row in rows(desk, "report"):
        if row.state == "waiting":
            send(desk, row)
    desk.later(days=31)
    assert letter_history.erase_old(desk.database, desk.now - timedelta(days=40)).sent == 0
    waiting = [row.id for row in rows(desk) if row.state == "waiting"]
    assert letter_history.erase_old(desk.database, desk.now - timedelta(days=30)).sent == 3
    assert [row.id for row in rows(desk)] == waiting != []
    assert desk.page(uid, BOB).held_letters == 0
