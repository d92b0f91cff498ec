"""Seats that change hands, by letter: `standby`, `take`, `resign`, `back`, `substitute`."""

from adjudicator.service.handover import sweeping
from adjudicator.service.matches.creation import Wish
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat

DORA = "dora@example.org"


def offered(harness: MailHarness) -> str:
    """Have Dora stand by, and Charlie resign by letter; return the match."""
    uid = harness.begin(ALICE, BOB, CHARLIE)
    harness.player(DORA)
    harness.write(DORA, SERVICE, "standby pyramid")
    harness.answer(harness.newest(DORA, "confirm"), "yes")
    harness.answer(harness.newest(CHARLIE, "report"), "resign 3")
    harness.later(minutes=1)
    assert sweeping.tend_seats(harness.database, uid, now=harness.now)
    return uid


def test_resigning_by_letter_needs_the_seats_name_and_works_once(harness: MailHarness) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(CHARLIE, "report")
    harness.answer(report, "resign")
    assert "write `resign 3`; nothing was done" in flat(harness.newest(CHARLIE, "answer"))
    harness.later(minutes=1)
    harness.answer(report, "resign 3")
    assert "looks for a new player" in flat(harness.newest(CHARLIE, "answer"))
    harness.later(minutes=1)
    harness.write(CHARLIE, SERVICE, f"resign {uid} 3")
    assert "You have no seat in this match." in flat(harness.newest(CHARLIE, "answer"))


def test_a_standby_takes_the_seat_by_answering_and_a_second_answer_changes_nothing(
    harness: MailHarness,
) -> None:
    uid = offered(harness)
    offer = harness.newest(DORA, "offer")
    assert "Charlie" not in offer.text and "resigned" not in offer.text
    harness.answer(offer, "take")
    assert "You have seat 3 in Evening Pyramid from now on." in flat(harness.newest(DORA, "answer"))
    assert "You are seat 3 now" in harness.letters("report", DORA)[-1].subject
    token = harness.address_token(uid, 2)
    harness.later(minutes=1)
    harness.answer(offer, "take")
    assert "You have seat 3 in Evening Pyramid already." in flat(harness.newest(DORA, "answer"))
    assert (harness.address_token(uid, 2), harness.seats(uid)[2].tenure) == (token, 2)


def test_an_offer_is_declined_by_letter(harness: MailHarness) -> None:
    offered(harness)
    harness.answer(harness.newest(DORA, "offer"), "decline")
    assert "You declined the seat" in flat(harness.newest(DORA, "answer"))
    harness.write(DORA, SERVICE, "standby off")
    assert "standby off" in harness.newest(DORA, "confirm").text


def test_a_substitute_is_named_and_accepts_by_letter(harness: MailHarness) -> None:
    uid = harness.begin(ALICE, BOB, CHARLIE)
    day = f"{harness.later(minutes=1):%Y}-12-20"
    harness.answer(harness.newest(CHARLIE, "report"), f"substitute {DORA} until {day}")
    assert f"{DORA} is asked by letter" in flat(harness.newest(CHARLIE, "answer"))
    harness.answer(harness.newest(DORA, "offer"), "accept")
    assert harness.seats(uid)[2].player_id == harness.player(DORA)
    assert "lent seat 3" in flat(harness.newest(ALICE, "seat"))
    harness.later(minutes=1)
    harness.write(CHARLIE, SERVICE, f"back {uid}")
    harness.answer(harness.newest(CHARLIE, "confirm"), "yes")
    assert (
        harness.seats(uid)[2].player_id == harness.player(CHARLIE)
        and harness.seats(uid)[2].tenure == 3
    )


def test_a_substitute_cannot_be_named_from_anywhere_else_and_the_line_is_not_repeated(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.write(CHARLIE, SERVICE, "substitute spam@evil.example until 2026-12-20")
    told = flat(harness.newest(CHARLIE, "answer"))
    assert "in answer to a letter of the match" in told and "evil.example" not in told


def test_take_care_is_no_command(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "B3", "Take care")
    assert "B3" in harness.newest(ALICE, "receipt").text


def test_ready_alone_keeps_a_seat_that_looks_for_a_player(harness: MailHarness) -> None:
    harness.uid = harness.match(
        ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Evening Pyramid", {}, misses=1)
    )
    harness.play_round("B3", "B3", "")
    assert harness.seats(harness.uid)[2].open_since is not None
    harness.answer(harness.newest(CHARLIE, "report"), "ready")
    told = flat(harness.newest(CHARLIE, "answer"))
    assert (
        "You keep your seat: nobody can take it any more." in told
        and "No order of yours is sealed" in told
    )
    harness.write(DORA, SERVICE, f"take {harness.uid}")
    assert "looks for nobody any more" in flat(harness.newest(DORA, "answer"))
