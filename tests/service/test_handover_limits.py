"""Who may be offered a seat of a running match or take it, how many are asked, and what a leaver
leaves behind.
"""

from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.base.tables import Blocked, Letter, Offer
from adjudicator.service.handover import leaving, standbys, substitutes, sweeping, takeovers
from adjudicator.service.matches import masters, tenures
from adjudicator.service.matches.creation import Wish
from adjudicator.service.starting import links
from adjudicator.service.views import match_list
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.harness import Harness
from tests.service.test_reliability import figure, give

DORA, EVE = "Dora", "Eve"


def left(harness: Harness, **changes: object) -> str:
    """Begin a match of Alice, Bob and Charlie, and have Charlie resign."""
    uid = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}, **changes))  # type: ignore[arg-type]
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    return uid


def take(harness: Harness, uid: str, who: str) -> None:
    takeovers.take_seat(harness.database, uid, harness.player(who), "3", now=harness.now)


def offered(harness: Harness, uid: str) -> list[str]:
    """Have the standbys asked; return the addresses of all offers so far."""
    sweeping.tend_seats(harness.database, uid, now=harness.now)
    with harness.database.read_tx() as session:
        return list(
            session.exec(
                select(Letter.address).where(Letter.kind == "offer").order_by(Letter.address)
            )
        )


def standing(harness: Harness, uid: str) -> int:
    """Return how many offers of a match can be accepted."""
    with harness.database.read_tx() as session:
        return len(
            session.exec(
                tenures.standing_offers().where(Offer.match_id == rows.by_uid(session, uid).id)
            ).all()
        )


def ask(harness: Harness, uid: str, who: str, address: str) -> None:
    substitutes.ask_substitute(
        harness.database,
        uid,
        harness.player(who),
        address,
        harness.now + timedelta(days=9),
        now=harness.now,
    )


# --- who may take a seat


def test_a_seat_goes_to_nobody_whose_address_is_blocked(harness: Harness) -> None:
    uid = left(harness)
    harness.player(MALLORY)
    with harness.database.write_tx() as session:
        session.add(Blocked(what="mallory@example.org", at=harness.now))
    with pytest.raises(Refused):
        take(harness, uid, MALLORY)
    assert harness.seats(uid)[2].player_id is None


def test_a_seat_is_neither_offered_nor_given_to_who_misses_more_than_the_match_allows(
    harness: Harness,
) -> None:
    uid = left(harness, least_reliability=90)
    for who, played in ((DORA, 5), (EVE, 40)):
        give(harness, who, played=played, missed=0 if played == 40 else 30)
        standbys.stand_by(harness.database, harness.player(who), now=harness.now, game="pyramid")
    assert figure(harness, DORA)[0] < 90
    with pytest.raises(NotAllowed, match="at least 90 % of phases"):
        take(harness, uid, DORA)
    assert offered(harness, uid) == ["eve@example.org"]


def test_who_reads_all_press_takes_over_no_seat(harness: Harness) -> None:
    wish = Wish(
        "diplomacy",
        "School",
        {"press": "private"},
        players=3,
        play=False,
        press=PressWish(overseen=True),
    )
    uid = harness.prepare_match(wish, DORA, ALICE, BOB, CHARLIE)
    assert harness.start_match(uid)
    seat = harness.seats(uid)[2]
    leaving.resign(harness.database, uid, seat.player_id or 0, now=harness.now)
    with pytest.raises(NotAllowed, match="You read all press"):
        takeovers.take_seat(harness.database, uid, harness.player(DORA), seat.name, now=harness.now)


# --- who is asked, and how many


def test_standbys_of_the_game_are_not_told_of_a_private_match_and_no_list_names_it(
    harness: Harness,
) -> None:
    uid, public = (
        left(harness, private=True, invited=(address(BOB), address(CHARLIE))),
        left(harness),
    )
    for match in (uid, public):
        standbys.stand_by(harness.database, harness.player(DORA), now=harness.now, game="pyramid")
        assert offered(harness, match) == ([] if match == uid else ["dora@example.org"])
    with harness.database.read_tx() as session:
        for who in (None, harness.player(EVE)):
            assert [card.uid for card in match_list.looking_matches(session, who)] == [public]


@pytest.mark.parametrize("off", [False, True])
def test_who_knew_a_private_match_by_a_link_that_is_over_stands_by_no_more(
    harness: Harness, *, off: bool
) -> None:
    uid, public = (
        left(harness, private=True, invited=(address(BOB), address(CHARLIE))),
        left(harness),
    )
    alice, dora = harness.player(ALICE), harness.player(DORA)
    links.change_link(harness.database, uid, alice, "watch", off=False, now=harness.now)
    for match in (uid, public):
        standbys.stand_by(harness.database, dora, now=harness.now, uid=match)
        offered(harness, match)
    assert standing(harness, uid) == standing(harness, public) == 1
    links.change_link(harness.database, uid, alice, "watch", off=off, now=harness.now)
    harness.later(days=1)
    assert offered(harness, uid) == [address(DORA)] * 2, "those from before; no other is written"
    assert (standing(harness, uid), standing(harness, public)) == (0, 1)
    with harness.database.read_tx() as session:
        assert len(standbys.list_standbys(session, dora)) == 1


def test_a_player_asks_few_substitutes_a_day_and_nobody_is_asked_often(harness: Harness) -> None:
    uid, other = (
        harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {})) for _ in range(2)
    )
    for who in (ALICE, BOB, CHARLIE):
        ask(harness, uid, who, "often@example.org")
    with pytest.raises(Refused, match="No such letter goes to"):
        ask(harness, other, ALICE, "often@example.org")
    for number in range(4):
        ask(harness, uid, ALICE, f"friend{number}@example.org")
    with pytest.raises(NotNow, match="5 people within a day"):
        ask(harness, other, ALICE, "sixth@example.org")
    harness.later(days=1, minutes=1)
    ask(harness, other, ALICE, "often@example.org")


def test_a_substitute_names_no_substitute(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}))
    dora = harness.player(DORA)
    with harness.database.write_tx() as session:
        match = tenures.rows.lock_by_uid(session, uid)
        seat = tenures.seats_of(session, match)[2]
        owner = seat.player_id
        tenures.end_tenure(session, match, seat, "lent", now=harness.now)
        tenures.sit_down(session, match, seat, dora, now=harness.now)
        seat.owner_id, seat.returns_at = owner, harness.now + timedelta(days=9)
    with pytest.raises(NotAllowed, match="You are a substitute yourself"):
        ask(harness, uid, DORA, "eve@example.org")


# --- what a leaver leaves behind


def test_letters_that_a_leaver_has_not_got_yet_are_erased_but_for_receipts(
    harness: Harness,
) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}))
    harness.order(uid, CHARLIE, "B3")
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    with harness.database.read_tx() as session:
        kinds = set(
            session.exec(
                select(Letter.kind).where(
                    Letter.address == "charlie@example.org", Letter.seat == "3"
                )
            )
        )
    assert kinds == {"receipt"}


def test_a_phase_that_the_master_closed_is_no_miss(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}, misses=1))
    masters.close_now(harness.database, uid, None, now=harness.now)
    assert harness.close(uid)
    assert all(seat.misses == 0 and seat.open_since is None for seat in harness.seats(uid))


def test_an_anonymous_match_whose_people_have_gone_is_not_paused_for_its_bots(
    harness: Harness,
) -> None:
    uid = harness.match(
        ALICE, BOB, wish=Wish("diplomacy", "Table", {"anonymous": True}, players=3, house=1)
    )
    for who in (ALICE, BOB):
        leaving.resign(harness.database, uid, harness.player(who), now=harness.now)
    assert not harness.page(uid).card.paused, "a pause would tell that the last one is a bot"


def test_orders_of_the_predecessor_count_neither_for_nor_against_the_newcomer(
    harness: Harness,
) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}))
    harness.order(uid, CHARLIE, "B3")
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    take(harness, uid, DORA)
    harness.later(days=3)
    assert harness.close(uid)
    assert (figure(harness, ALICE)[1], figure(harness, DORA)[1]) == (1, 0)
