"""Seats that are lent to a substitute for a span, and returned: what changes, and what is told."""

from datetime import timedelta

import pytest

from adjudicator.service.base.errors import NotAllowed, Refused
from adjudicator.service.handover import leaving, substitutes, sweeping
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import concessions
from adjudicator.service.views import match_list
from adjudicator.service.views.votes import Voting, votes_of
from tests.cast import ALICE, BOB, CHARLIE, PLAYERS
from tests.harness import Harness
from tests.service.changing_hands import (
    DAVE,
    ERIN,
    begin,
    lend,
    notes,
    pass_round,
    resign,
    seat,
)


def voting(harness: Harness, uid: str, who: str) -> Voting:
    with harness.database.read_tx() as session:
        return votes_of(session, uid, harness.player(who), zone="UTC", now=harness.now)


def test_a_substitute_plays_for_a_span_and_then_the_seat_returns(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, CHARLIE, DAVE, days=3)
    lent = seat(harness, uid, "3")
    assert (lent.player_id, lent.tenure, lent.owner_id) == (
        harness.player(DAVE),
        2,
        harness.player(CHARLIE),
    )
    assert notes(harness, uid) == [
        "Charlie lent seat 3 to a substitute until Thu 5 Nov 2026 12:00 (UTC)",
        "dave plays seat 3 as a substitute",
    ]
    harness.order(uid, DAVE, "W3")
    with pytest.raises(NotAllowed):
        harness.order(uid, CHARLIE, "W1")
    harness.later(days=3)
    with harness.database.read_tx() as session:
        assert sweeping.matches_to_tend(session, harness.now, most=9) == [uid]
    for _ in range(2):
        sweeping.tend_seats(harness.database, uid, now=harness.now)
    back = seat(harness, uid, "3")
    assert (back.player_id, back.tenure, back.owner_id, back.returns_at) == (
        harness.player(CHARLIE),
        3,
        None,
        None,
    )
    assert lent.token_n < back.token_n
    assert (
        notes(harness, uid)[-1]
        == "Charlie has seat 3 back, and can read the press that was written to it"
    )


def test_a_lent_match_stays_on_its_owners_home_page(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, CHARLIE, DAVE, days=5)
    with harness.database.read_tx() as session:
        for who in (CHARLIE, DAVE):
            assert [card.uid for card in match_list.match_cards(session, harness.player(who))] == [
                uid
            ]


def test_a_seat_can_be_had_back_early_and_a_substitute_may_give_it_back(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, CHARLIE, DAVE, days=3)
    assert "yours again" in leaving.come_back(
        harness.database, uid, harness.player(CHARLIE), now=harness.now
    )
    assert seat(harness, uid, "3").player_id == harness.player(CHARLIE)
    lend(harness, uid, CHARLIE, ERIN, days=3)
    assert "back to its player" in resign(harness, uid, ERIN)
    assert (
        seat(harness, uid, "3").player_id == harness.player(CHARLIE)
        and seat(harness, uid, "3").open_since is None
    )


@pytest.mark.parametrize(
    ("who", "days", "why"),
    [
        ("Bob", 3, "cannot be a substitute"),
        ("Dave", 62, "within the next 60"),
        ("Dave", -1, "within the next 60"),
    ],
)
def test_a_substitute_is_refused(harness: Harness, who: str, days: int, why: str) -> None:
    uid = begin(harness)
    harness.player(who)
    with pytest.raises(Refused, match=why):
        until = harness.now + timedelta(days=days)
        substitutes.ask_substitute(
            harness.database,
            uid,
            harness.player(CHARLIE),
            f"{who.lower()}@example.org",
            until,
            now=harness.now,
        )


def test_a_substitute_cannot_concede(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, CHARLIE, DAVE, days=3)
    with pytest.raises(NotAllowed, match="only its player can"):
        concessions.concede(harness.database, uid, harness.player(DAVE), now=harness.now)
    assert not voting(harness, uid, DAVE).may_concede and voting(harness, uid, BOB).may_concede
    leaving.come_back(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    assert concessions.concede(
        harness.database, uid, harness.player(CHARLIE), now=harness.now
    ).acted


def test_orders_of_a_substitute_that_concede_are_refused(harness: Harness) -> None:
    uid = harness.match(*PLAYERS, wish=Wish("diplomacy", "Orders", {}, players=3))
    lend(harness, uid, CHARLIE, DAVE, days=3)
    for text in ("CONCEDE", "draw\nTHEN\nconcede"):
        answer = harness.order(uid, DAVE, text)
        assert answer.disposition == "refused" and "only its player can" in answer.reason, text
    assert harness.order(uid, DAVE, "draw").disposition == "accepted"
    assert harness.order(uid, BOB, "concede").disposition == "accepted"


def test_a_silent_substitute_gives_the_seat_back_instead_of_losing_it(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, CHARLIE, DAVE, days=30)
    pass_round(harness, uid, ALICE, BOB)
    pass_round(harness, uid, ALICE, BOB)
    assert seat(harness, uid, "3").open_since is None
    sweeping.tend_seats(harness.database, uid, now=harness.now)
    assert seat(harness, uid, "3").player_id == harness.player(CHARLIE)
