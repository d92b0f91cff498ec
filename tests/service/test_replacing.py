"""Masters who replace or excuse a player: with a public reason, once, and not while they play
beside other people.
"""

from datetime import timedelta
from functools import partial

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.tables import Offer
from adjudicator.service.handover import leaving, offers, replacing, substitutes, takeovers
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press import messages
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.harness import Harness

DORA = "Dora"  # runs the match without playing


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match of Alice, Bob and Charlie in Round 1, run by Dora, whose seats open after two
    misses.
    """
    made = harness.prepare_match(
        Wish("pyramid", "Table", {}, play=False, misses=2), DORA, ALICE, BOB, CHARLIE
    )
    assert harness.start_match(made)
    return made


def replace(harness: Harness, uid: str, who: str, seat: str, why: str = "never answers") -> None:
    replacing.replace_player(harness.database, uid, harness.player(who), seat, why, now=harness.now)


def excuse(harness: Harness, uid: str, who: str, seat: str, why: str = "was ill") -> None:
    replacing.excuse_player(harness.database, uid, harness.player(who), seat, why, now=harness.now)


def notes(harness: Harness, uid: str) -> list[str]:
    return [f"{note.who} {note.what}" for note in reversed(harness.page(uid).notes)]


def miss(harness: Harness, uid: str) -> None:
    """Close a round in which Bob, who has seat 2, hands in nothing."""
    piece = {1: "B3", 2: "B2"}[len(harness.page(uid).phases) - 1]
    for who in (ALICE, CHARLIE):
        harness.order(uid, who, piece)
    harness.later(hours=49)
    assert harness.close(uid)


def test_a_replaced_player_leaves_and_the_seat_looks_for_another_with_the_reason_told(
    harness: Harness, uid: str
) -> None:
    replace(harness, uid, DORA, "2")
    assert (
        harness.seats(uid)[1].player_id is None and harness.seats(uid)[1].open_since == harness.now
    )
    assert notes(harness, uid) == ["Dora opened seat 2 to a new player: never answers"]
    with pytest.raises(NotNow, match="looks for a new player already"):
        replace(harness, uid, DORA, "2")
    assert len(notes(harness, uid)) == 1


@pytest.mark.parametrize("act", [replace, excuse])
def test_only_a_master_may_and_with_a_reason(harness: Harness, uid: str, act: object) -> None:
    for who, seat, why, fault in (
        (ALICE, "2", "because", NotAllowed),
        (MALLORY, "2", "because", NotAllowed),
        (DORA, "2", " ", Refused),
        (DORA, "9", "so", Refused),
    ):
        with pytest.raises(fault):
            act(harness, uid, who, seat, why)  # type: ignore[operator]
    assert notes(harness, uid) == [] and harness.seats(uid)[1].player_id == harness.player(BOB)


def test_a_master_who_plays_beside_others_replaces_nobody(harness: Harness) -> None:
    own = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}))
    with pytest.raises(NotAllowed, match="only a master who does not play"):
        replace(harness, own, ALICE, "2")
    with pytest.raises(NotAllowed, match="your own seat"):
        replace(harness, own, ALICE, "1")


def test_a_master_who_lends_the_seat_still_plays(harness: Harness) -> None:
    own = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}, overtime_minutes=60))
    until = harness.now + timedelta(days=9)
    substitutes.ask_substitute(
        harness.database,
        own,
        harness.player(ALICE),
        f"{DORA.lower()}@example.org",
        until,
        now=harness.now,
    )
    with harness.database.write_tx() as session:
        offers.accept_in(
            session, session.exec(select(Offer)).one().id or 0, zone="UTC", now=harness.now
        )
    with pytest.raises(NotAllowed, match="only a master who does not play"):
        replace(harness, own, ALICE, "2")
    for act in (masters.close_now, partial(masters.end_match, reason="enough")):
        with pytest.raises(NotAllowed, match="Your substitute votes for your seat"):
            act(harness.database, own, harness.player(ALICE), now=harness.now)
    page = press_of(harness, own, CHARLIE)
    assert page.to_master == "It goes to the master, who plays in this match."
    harness.later(hours=50)
    harness.close(own)
    assert harness.page(own).card.overtime_until is not None and harness.page(own, ALICE).late == ()
    assert not [letter for letter in harness.claim_waiting() if letter.kind == "late"]


def press_of(harness: Harness, uid: str, who: str) -> messages.PressPage:
    with harness.database.read_tx() as session:
        return messages.press_page(session, uid, harness.player(who))


def test_a_master_who_leaves_the_seat_does_not_come_back_to_it(harness: Harness) -> None:
    own = harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "Table", {}))
    for who in (ALICE, BOB):
        leaving.resign(harness.database, own, harness.player(who), now=harness.now)
    with pytest.raises(NotAllowed, match="and run the match"):
        takeovers.take_seat(harness.database, own, harness.player(ALICE), "1", now=harness.now)
    assert takeovers.take_seat(harness.database, own, harness.player(BOB), "2", now=harness.now)


def test_who_is_excused_has_missed_nothing(harness: Harness, uid: str) -> None:
    with pytest.raises(NotNow, match="has missed nothing"):
        excuse(harness, uid, DORA, "2")
    miss(harness, uid)
    assert harness.seats(uid)[1].misses == 1
    excuse(harness, uid, DORA, "2")
    assert harness.seats(uid)[1].misses == 0 and notes(harness, uid) == [
        "Dora excused seat 2: was ill"
    ]
    miss(harness, uid)
    assert harness.seats(uid)[1].open_since is None, (
        "one miss after the excuse does not open the seat"
    )


def test_excusing_a_silent_player_ends_the_search(harness: Harness, uid: str) -> None:
    miss(harness, uid)
    miss(harness, uid)
    assert harness.seats(uid)[1].open_since is not None
    excuse(harness, uid, DORA, "2")
    assert (
        harness.seats(uid)[1].open_since is None
        and notes(harness, uid)[-1] == "Dora excused seat 2: was ill"
    )
    with pytest.raises(NotNow):
        takeovers.take_seat(harness.database, uid, harness.player(MALLORY), "2", now=harness.now)


def test_one_seat_is_warned_replaced_and_excused_three_times_a_day_at_most(
    harness: Harness, uid: str
) -> None:
    def warn(seat: str) -> None:
        messages.warn_seat(
            harness.database, uid, harness.player(DORA), seat, "be nice", now=harness.now
        )

    for _ in range(masters.MOST_AT_A_SEAT):
        harness.later(hours=1)
        warn("1")
    with pytest.raises(NotNow, match="3 times within a day"):
        warn("1")
    warn("2")
    harness.later(hours=22)
    warn("1")
    assert sum("warned seat 1" in note for note in notes(harness, uid)) == 4


def test_a_master_changes_a_match_so_often_a_day_that_everybody_is_told_enough(
    harness: Harness, uid: str
) -> None:
    dora = harness.player(DORA)
    for number in range(masters.MOST_ACTS):
        masters.move_deadline(
            harness.database,
            uid,
            dora,
            timedelta(minutes=1),
            now=harness.later(minutes=1),
            phase_number=None,
        )
        assert len(notes(harness, uid)) == number + 1
    for act in (
        partial(masters.move_deadline, harness.database, uid, dora, timedelta(minutes=1)),
        partial(masters.pause_match, harness.database, uid, dora),
        partial(masters.close_now, harness.database, uid, dora),
        partial(replacing.replace_player, harness.database, uid, dora, "2", "gone"),
        partial(messages.warn_seat, harness.database, uid, dora, "2", "gone"),
    ):
        with pytest.raises(NotNow, match="40 times within a day"):
            act(now=harness.now)
    masters.pause_match(harness.database, uid, None, now=harness.now)  # the host
    # what is paused is not left so
    masters.resume_match(harness.database, uid, dora, now=harness.now)
    masters.move_deadline(
        harness.database, uid, dora, timedelta(minutes=1), now=harness.later(days=1)
    )
