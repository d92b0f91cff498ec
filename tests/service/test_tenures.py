"""Seats that are left and taken over: what changes, and what is told."""

from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.tables import FormerTenure, Offer
from adjudicator.service.handover import leaving, standbys, sweeping
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import readiness
from adjudicator.service.views import match_list
from adjudicator.service.views.match_list import Card
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.harness import Harness
from tests.service.changing_hands import (
    DAVE,
    ERIN,
    begin,
    notes,
    pass_round,
    phase,
    resign,
    seat,
    take,
)

# --- taking over


def test_a_newcomer_gets_the_seat_with_a_new_address_and_a_whole_phase(harness: Harness) -> None:
    uid = begin(harness)
    pass_round(harness, uid, ALICE, BOB)
    pass_round(harness, uid, ALICE, BOB)
    before, old = harness.address_token(uid, 2), phase(harness, uid).deadline
    harness.later(hours=30)
    taken = take(harness, uid, DAVE)
    after, token = seat(harness, uid, "3"), harness.address_token(uid, 2)
    assert (after.player_id, after.tenure, after.open_since, after.misses) == (
        harness.player(DAVE),
        2,
        None,
        0,
    )
    assert token != before and harness.token(taken.address) == token
    assert phase(harness, uid).deadline == harness.now + timedelta(hours=48) and old is not None
    assert notes(harness, uid)[1:] == [
        "a new player took over seat 3, and can read the press that was written to it",
        (
            "the service moved the deadline of Round 3 from Sun 8 Nov 2026 12:20 (UTC) to Mon 9 Nov"
            " 2026 18:20 (UTC), for the new player"
        ),
    ]
    letters = harness.claim_waiting()
    first = [
        each for each in letters if each.address == "dave@example.org" and each.kind == "report"
    ]
    assert (
        len(first) == 1
        and first[0].context["newcomer"] is True
        and first[0].context["reply_token"] == token
    )
    assert [each.kind for each in letters if each.address == "charlie@example.org"][-1] == "seat"
    assert {each.address for each in letters if each.kind == "notice"} == {
        f"{who}@example.org" for who in ("alice", "bob")
    }, "one letter tells who is new and of the deadline, and who is new has the first report"


def test_nobody_hears_whether_a_player_is_new_while_the_match_hides_its_players(
    harness: Harness,
) -> None:
    told = []
    for taker in (CHARLIE, DAVE):
        uid = harness.match(
            ALICE, BOB, CHARLIE, wish=Wish("diplomacy", "Masks", {"anonymous": True}, players=3)
        )
        harness.claim_waiting()
        left = next(
            each for each in harness.seats(uid) if each.player_id == harness.player(CHARLIE)
        )
        resign(harness, uid, CHARLIE)
        harness.later(hours=1)
        take(harness, uid, taker)
        name = left.name.capitalize()
        told.append([note.replace(name, "Seat") for note in notes(harness, uid)[-2:]])
        titles = {each.context.get("title") for each in harness.claim_waiting()}
        assert f"{name} has a player again" in titles
        harness.now -= timedelta(hours=1)
    assert told[0] == told[1]
    assert told[0][0] == "somebody took over Seat, and can read the press that was written to it"
    assert told[0][1].endswith("for whoever took over Seat")


def test_a_newcomer_is_not_ready_because_the_predecessor_was(harness: Harness) -> None:
    uid = begin(harness)
    harness.order(uid, CHARLIE, "W3\nready")
    resign(harness, uid, CHARLIE)
    take(harness, uid, DAVE)
    owed = harness.page(uid, DAVE).owed
    assert owed is not None and (owed.ready, owed.says, owed.inherited) == (False, "", True)
    harness.order(uid, ALICE, "B3\nready")
    harness.order(uid, BOB, "C3\nready")
    assert not harness.close(uid), "the newcomer has a whole phase"
    harness.later(hours=49)
    assert harness.close(uid)
    assert next(each for each in harness.story(uid, 1).orders if each.seat == "3").lines == ("W3",)


def test_a_match_whose_others_are_all_ready_waits_for_the_newcomer(harness: Harness) -> None:
    uid = begin(harness)
    for who, piece in ((ALICE, "B3"), (BOB, "C3"), (CHARLIE, "W3")):
        harness.order(uid, who, f"{piece}\nready")
    resign(harness, uid, CHARLIE)
    take(harness, uid, DAVE)
    assert not harness.close(uid) and phase(harness, uid).closes_at == phase(
        harness, uid
    ).deadline + timedelta(minutes=10)


def test_taking_a_seat_again_changes_nothing_and_a_second_taker_comes_too_late(
    harness: Harness,
) -> None:
    uid = begin(harness)
    resign(harness, uid, CHARLIE)
    take(harness, uid, DAVE)
    told = notes(harness, uid)
    assert (
        "already" in take(harness, uid, DAVE).sentence
        and "already" in take(harness, uid, DAVE, "3").sentence
    )
    for name in ("", "3"):
        with pytest.raises(NotNow):
            take(harness, uid, ERIN, name)
    assert notes(harness, uid) == told and seat(harness, uid, "3").tenure == 2


def test_nobody_who_sits_or_sat_in_the_match_takes_another_seat_of_it(harness: Harness) -> None:
    uid = begin(harness)
    resign(harness, uid, CHARLIE)
    resign(harness, uid, BOB)
    with pytest.raises(NotAllowed, match="have a seat"):
        take(harness, uid, ALICE, "3")
    with pytest.raises(NotAllowed, match="played in this match before"):
        take(harness, uid, CHARLIE, "2")
    harness.player("Guest", guest=True)
    with pytest.raises(NotAllowed, match="with an address"):
        take(harness, uid, "Guest", "3")
    with pytest.raises(Refused, match="2 or 3"):
        take(harness, uid, DAVE)
    assert take(harness, uid, CHARLIE, "3").uid == uid, (
        "who left may come back while the seat is open"
    )
    assert (seat(harness, uid, "3").player_id, seat(harness, uid, "3").tenure) == (
        harness.player(CHARLIE),
        2,
    )


def test_a_leaver_cannot_come_back_once_somebody_has_the_seat(harness: Harness) -> None:
    uid = begin(harness)
    pass_round(harness, uid, ALICE, BOB)
    pass_round(harness, uid, ALICE, BOB)
    take(harness, uid, DAVE)
    with pytest.raises(NotAllowed):
        harness.order(uid, CHARLIE, "W1")
    with pytest.raises(NotAllowed):
        leaving.come_back(harness.database, uid, harness.player(CHARLIE), now=harness.now)


def test_nothing_can_be_taken_after_the_end_or_before_the_beginning(harness: Harness) -> None:
    uid = begin(harness, misses=2)
    for _ in range(9):
        (
            pass_round(harness, uid, ALICE, BOB, piece="")
            if phase(harness, uid).number < 4
            else pass_round(harness, uid)
        )
        if harness.page(uid).card.status == "ended":
            break
        if harness.page(uid).card.paused:
            leaving.come_back(harness.database, uid, harness.player(ALICE), now=harness.now)
    waiting = harness.prepare_match(Wish("pyramid", "Table", {}), ALICE)
    with pytest.raises(NotNow, match="not begun"):
        take(harness, waiting, DAVE)
    assert harness.page(uid).card.status == "ended"
    with pytest.raises(NotNow, match="is over"):
        take(harness, uid, DAVE, "3")
    with pytest.raises(NotNow, match="is over"):
        resign(harness, uid, BOB)


# --- resigning


def test_a_seat_is_resigned_once_and_its_sealed_orders_count(harness: Harness) -> None:
    uid = begin(harness)
    harness.order(uid, CHARLIE, "W3 THEN W2")
    assert "looks for a new player" in resign(harness, uid, CHARLIE)
    with pytest.raises(NotAllowed, match="no seat"):
        resign(harness, uid, CHARLIE)
    left = seat(harness, uid, "3")
    assert (left.player_id, left.tenure, left.open_since) == (None, 2, harness.now)
    harness.order(uid, ALICE, "B3")
    harness.order(uid, BOB, "C3")
    assert harness.close(uid), "the one who left had been ready"
    story = harness.story(uid, 1)
    assert next(each for each in story.orders if each.seat == "3").lines == ("W3",)
    harness.later(hours=48, minutes=10)
    harness.order(uid, ALICE, "B2")
    harness.order(uid, BOB, "C2")
    assert harness.close(uid)
    assert (
        next(each for each in harness.story(uid, 2).orders if each.seat == "3").how == "default"
    ), "the plan was dropped"


def test_a_match_whose_every_player_has_gone_pauses_until_somebody_comes(harness: Harness) -> None:
    uid = begin(harness, ALICE, BOB, house=1)
    resign(harness, uid, ALICE)
    assert not harness.page(uid).card.paused
    resign(harness, uid, BOB)
    assert harness.page(uid).card.paused and phase(harness, uid).closes_at is None
    harness.later(days=30)
    assert not harness.close(uid)
    take(harness, uid, DAVE, "3")
    assert not harness.page(uid).card.paused and phase(
        harness, uid
    ).deadline == harness.now + timedelta(hours=48)
    assert (
        notes(harness, uid)[2]
        == "the service paused the match, since every player has gone; it goes on as soon as"
        " somebody takes a seat"
    )


# --- standbys


def test_standbys_of_the_match_are_asked_before_those_of_the_game_five_at_once_and_more_a_day_later(
    harness: Harness,
) -> None:
    uid = begin(harness)
    everybody = [f"Standby{number}" for number in range(8)]
    for who in everybody:
        harness.player(who)
    with harness.database.write_tx() as session:
        for who in everybody:
            standbys.stand_by(session, harness.player(who), now=harness.now, game="pyramid")
        for who in (everybody[7], everybody[7]):
            standbys.stand_by(session, harness.player(who), now=harness.now, uid=uid)
        standbys.stand_by(session, harness.player(BOB), now=harness.now, game="pyramid")
    resign(harness, uid, CHARLIE)
    with harness.database.read_tx() as session:
        assert sweeping.matches_to_tend(session, harness.now, most=9) == [uid]
    assert sweeping.tend_seats(harness.database, uid, now=harness.now)
    assert not sweeping.tend_seats(harness.database, uid, now=harness.now), "done once"
    first = [each.address for each in harness.claim_waiting() if each.kind == "offer"]
    assert first == [f"standby{number}@example.org" for number in (7, 0, 1, 2, 3)]
    harness.later(days=1)
    sweeping.tend_seats(harness.database, uid, now=harness.now)
    more = [
        each.address
        for each in harness.claim_waiting()
        if each.kind == "offer" and each.address not in first
    ]
    assert more == [f"standby{number}@example.org" for number in (4, 5, 6)]
    harness.later(days=15)
    sweeping.tend_seats(harness.database, uid, now=harness.now)
    assert seat(harness, uid, "3").next_ask_at is None


def test_who_stands_down_is_not_asked(harness: Harness) -> None:
    uid = begin(harness)
    harness.player(DAVE)
    with harness.database.write_tx() as session:
        standbys.stand_by(session, harness.player(DAVE), now=harness.now, game="pyramid")
        assert standbys.stand_down(session, harness.player(DAVE)) == 1
    resign(harness, uid, CHARLIE)
    sweeping.tend_seats(harness.database, uid, now=harness.now)
    with harness.database.read_tx() as session:
        assert session.exec(select(Offer)).all() == []


# --- former tenures


def test_the_statistics_stay_with_the_leaver(harness: Harness) -> None:
    uid = begin(harness)
    began = harness.now
    harness.later(hours=1)
    resign(harness, uid, CHARLIE)
    harness.later(hours=1)
    take(harness, uid, MALLORY)
    with harness.database.read_tx() as session:
        former = session.exec(select(FormerTenure)).one()
    assert (former.seat, former.number, former.player_id, former.why) == (
        "3",
        1,
        harness.player(CHARLIE),
        "resigned",
    )
    assert (former.since, former.until) == (began, began + timedelta(hours=1))
    assert seat(harness, uid, "3").taken_at == harness.now


# --- what a newcomer's lists tell


def line(harness: Harness, uid: str, who: str) -> Card:
    """Return a match as a line of somebody's list."""
    with harness.database.read_tx() as session:
        return next(
            card
            for card in match_list.match_cards(session, harness.people[who], now=harness.now)
            if card.uid == uid
        )


@pytest.mark.parametrize("predecessor_hands_in", [True, False])
def test_a_newcomer_owes_orders_whether_or_not_the_predecessor_handed_in(
    harness: Harness, predecessor_hands_in: bool
) -> None:
    uid = begin(harness, progress="none")
    if predecessor_hands_in:
        harness.order(uid, CHARLIE, "B3")
    resign(harness, uid, CHARLIE)
    harness.later(minutes=2)
    take(harness, uid, DAVE)
    told = line(harness, uid, DAVE)
    assert (told.owed, told.ready, told.progress) == (True, False, None)
    readiness.say_readiness(harness.database, uid, harness.people[DAVE], "ready", now=harness.now)
    assert (line(harness, uid, DAVE).owed, line(harness, uid, DAVE).ready) == (False, True)


def test_a_newcomer_who_handed_in_owes_nothing_any_more(harness: Harness) -> None:
    uid = begin(harness)
    harness.order(uid, CHARLIE, "B3")
    resign(harness, uid, CHARLIE)
    take(harness, uid, DAVE)
    assert line(harness, uid, DAVE).owed
    harness.order(uid, DAVE, "B2")
    assert (line(harness, uid, DAVE).owed, line(harness, uid, DAVE).ready) == (False, True)
