"""Silent players: when their seats open to others, what keeps them, and what is told."""

from datetime import timedelta

import pytest

from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.handover import leaving, replacing
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import readiness
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.harness import Harness
from tests.service.changing_hands import (
    DAVE,
    ERIN,
    any_piece,
    begin,
    notes,
    pass_round,
    phase,
    public_changes,
    resign,
    seat,
    take,
    titles,
)

# --- silence


def test_a_seat_opens_after_two_misses_in_a_row_and_its_player_keeps_it_meanwhile(
    harness: Harness,
) -> None:
    uid = begin(harness)
    pass_round(harness, uid, ALICE, BOB)
    assert seat(harness, uid, "3").open_since is None and seat(harness, uid, "3").misses == 1
    pass_round(harness, uid, ALICE, BOB)
    opened = seat(harness, uid, "3")
    assert (opened.open_since, opened.player_id, opened.tenure) == (
        harness.now,
        harness.player(CHARLIE),
        1,
    )
    assert notes(harness, uid) == [
        "the service opened seat 3 to a new player, since nothing was handed in for 2 phases in"
        " a row"
    ]
    letters = harness.claim_waiting()
    told = {each.address: each.context["title"] for each in letters if each.kind == "seat"}
    assert told == {
        "charlie@example.org": "Your seat looks for a new player",
        "alice@example.org": "Seat 3 looks for a new player",
    }


def test_handing_in_between_ends_the_row_and_orders_without_ready_are_no_miss(
    harness: Harness,
) -> None:
    uid = begin(harness)
    pass_round(harness, uid, ALICE, BOB)
    pass_round(harness, uid, ALICE, BOB, CHARLIE, piece="")
    assert seat(harness, uid, "3").misses == 0
    harness.order(uid, CHARLIE, f"{any_piece(harness, uid, CHARLIE)}\nwait")
    pass_round(harness, uid, ALICE, BOB)
    assert seat(harness, uid, "3").misses == 0 and seat(harness, uid, "3").open_since is None


def test_an_old_match_and_one_without_the_option_open_nothing(harness: Harness) -> None:
    uid = begin(harness, misses=0)
    for _ in range(4):
        pass_round(harness, uid, ALICE, BOB)
    assert seat(harness, uid, "3").open_since is None and notes(harness, uid) == []


def test_by_option_the_first_miss_of_who_never_came_opens_the_seat(harness: Harness) -> None:
    uid = begin(harness, misses=0, first_miss=True)
    pass_round(harness, uid, ALICE, BOB)
    assert seat(harness, uid, "3").open_since is not None
    assert seat(harness, uid, "1").open_since is None
    pass_round(harness, uid, ALICE)
    assert seat(harness, uid, "2").open_since is None, "who handed in something before is not meant"


def test_a_match_against_house_bots_alone_opens_no_seat(harness: Harness) -> None:
    uid = begin(harness, ALICE, house=2)
    for _ in range(3):
        pass_round(harness, uid)
    assert seat(harness, uid, "1").open_since is None and harness.page(uid).card.paused is False


def go_silent(harness: Harness, uid: str) -> None:
    """Have Charlie miss two rounds, so that the seat looks for a new player."""
    pass_round(harness, uid, ALICE, BOB)
    pass_round(harness, uid, ALICE, BOB)


def test_handing_in_orders_keeps_a_silent_players_seat_and_others_learn_it_as_the_phase_closes(
    harness: Harness,
) -> None:
    uid = begin(harness, progress="none")
    go_silent(harness, uid)
    told, shown = notes(harness, uid), public_changes(harness, uid)
    harness.order(uid, CHARLIE, any_piece(harness, uid, CHARLIE))
    assert (notes(harness, uid), public_changes(harness, uid)) == (told, shown) and harness.page(
        uid
    ).card.seats[2].looks
    assert seat(harness, uid, "3").next_ask_at is None and harness.page(uid, CHARLIE).returned
    with pytest.raises(NotNow, match="looks for nobody any more"):
        take(harness, uid, DAVE, "3")
    pass_round(harness, uid, ALICE, BOB)
    back = seat(harness, uid, "3")
    assert (back.open_since, back.misses, back.player_id) == (None, 0, harness.player(CHARLIE))
    assert (
        notes(harness, uid)[-1]
        == "the player of seat 3 is back; the seat looks for nobody any more"
    )


def test_a_master_cannot_find_out_by_excusing_who_has_handed_in(harness: Harness) -> None:
    told = []
    for hands_in in (True, False):
        uid = begin(harness, progress="none", misses=3)
        pass_round(harness, uid, ALICE, BOB)
        if hands_in:
            harness.order(uid, CHARLIE, any_piece(harness, uid, CHARLIE))
        replacing.excuse_player(
            harness.database, uid, harness.player(ALICE), "3", "was ill", now=harness.now
        )
        told.append(notes(harness, uid))
    assert told == [["Alice excused seat 3: was ill"]] * 2


def test_only_who_could_have_the_seat_learns_that_its_player_is_back(harness: Harness) -> None:
    uid = begin(harness)
    go_silent(harness, uid)
    harness.order(uid, CHARLIE, any_piece(harness, uid, CHARLIE))
    with pytest.raises(NotAllowed, match="have a seat"):
        take(harness, uid, BOB, "3")


def test_a_paused_match_goes_on_at_once_as_one_of_its_lost_players_hands_in(
    harness: Harness,
) -> None:
    uid = begin(harness, ALICE, BOB, house=1)
    pass_round(harness, uid)
    pass_round(harness, uid)
    assert harness.page(uid).card.paused
    harness.order(uid, BOB, any_piece(harness, uid, BOB))
    assert not harness.page(uid).card.paused
    assert [note for note in notes(harness, uid) if "is back" in note or "going again" in note] == [
        "the player of seat 3 is back; the seat looks for nobody any more",
        "the service set the match going again",
    ]


@pytest.mark.parametrize("private", [True, False])
def test_who_has_lost_a_seat_is_led_to_the_page_only_where_they_can_see_it(
    harness: Harness, *, private: bool
) -> None:
    invited = (address(BOB), address(CHARLIE)) if private else ()
    uid = begin(harness, private=private, invited=invited)
    go_silent(harness, uid)
    take(harness, uid, DAVE)
    letter = next(
        each
        for each in harness.claim_waiting()
        if each.kind == "seat" and "has a new player" in str(each.context["title"])
    )
    assert ("on its page" in str(letter.context["lines"])) is not private


def test_a_master_who_resigns_is_not_told_so_by_letter(harness: Harness) -> None:
    uid = begin(harness)
    resign(harness, uid, ALICE)
    resign(harness, uid, BOB)
    assert titles(harness, ALICE) == ["Seat 2 looks for a new player"]


def test_taking_and_leaving_a_seat_again_and_again_holds_no_phase(harness: Harness) -> None:
    uid = begin(harness)
    resign(harness, uid, CHARLIE)
    harness.later(hours=40)
    take(harness, uid, DAVE)
    announced = phase(harness, uid).deadline
    assert announced == harness.now + timedelta(hours=48)
    for who in (DAVE, ERIN):
        harness.later(hours=1)
        resign(harness, uid, DAVE)
        take(harness, uid, who, "3")
    assert phase(harness, uid).deadline == announced
    resign(harness, uid, ERIN)
    with pytest.raises(NotAllowed, match="left this seat twice"):
        take(harness, uid, DAVE, "3")


def test_the_phase_waits_for_a_newcomer_though_the_predecessor_was_ready(harness: Harness) -> None:
    uid = begin(harness)
    harness.order(uid, CHARLIE, f"{any_piece(harness, uid, CHARLIE)}\nready")
    resign(harness, uid, CHARLIE)
    take(harness, uid, DAVE)
    for who in (ALICE, BOB):
        harness.order(uid, who, f"{any_piece(harness, uid, who)}\nready")
    assert not harness.close(uid)
    owed = harness.page(uid, DAVE).owed
    assert owed is not None and (owed.says, owed.ready, owed.inherited) == ("", False, True)
    harness.later(hours=48, minutes=10)
    assert harness.close(uid)
    assert next(each for each in harness.story(uid, 1).orders if each.seat == "3").how == "sealed"


def test_a_silent_player_can_say_that_they_are_back(harness: Harness) -> None:
    uid = begin(harness)
    pass_round(harness, uid, ALICE, BOB)
    pass_round(harness, uid, ALICE, BOB)
    for expected in ("stays yours", "it looks for nobody"):
        assert expected in leaving.come_back(
            harness.database, uid, harness.player(CHARLIE), now=harness.now
        )
    assert seat(harness, uid, "3").open_since is None and len(notes(harness, uid)) == 2


# --- a word alone


def test_ready_or_wait_alone_is_a_sign_of_life(harness: Harness) -> None:
    for word in ("ready", "wait"):
        uid = begin(harness, misses=1)
        pass_round(harness, uid, ALICE, BOB)
        assert seat(harness, uid, "3").open_since is not None
        shown = public_changes(harness, uid)
        readiness.say_readiness(
            harness.database, uid, harness.people[CHARLIE], word, now=harness.now
        )
        assert harness.page(uid, CHARLIE).returned and not harness.page(uid, ALICE).returned
        with pytest.raises(NotNow, match="looks for nobody any more"):
            take(harness, uid, DAVE)
        # else others would learn that the seat said something
        assert public_changes(harness, uid) == shown
        pass_round(harness, uid, ALICE, BOB)
        assert seat(harness, uid, "3").open_since is None
        assert "the player of seat 3 is back; the seat looks for nobody any more" in notes(
            harness, uid
        )


def test_what_was_said_before_the_seat_opened_is_no_sign_of_life(harness: Harness) -> None:
    uid = begin(harness)
    readiness.say_readiness(
        harness.database, uid, harness.people[CHARLIE], "ready", now=harness.now
    )
    for _ in range(3):
        pass_round(harness, uid, ALICE, BOB)
    assert (
        seat(harness, uid, "3").open_since is not None and not harness.page(uid, CHARLIE).returned
    )
    assert take(harness, uid, DAVE).sentence.startswith("You have seat 3")


def test_a_seat_that_owes_nothing_is_told_how_to_stay(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, wish=Wish("phoenix", "Table", {}, players=2, misses=1))
    silent = next(who for who in (ALICE, BOB) if harness.page(uid, who).owed is not None)
    harness.later(hours=48, minutes=10)
    harness.close(uid)
    assert harness.page(uid, silent).owed is None
    with pytest.raises(
        NotNow,
        match=(
            r"You owe no orders in this phase\. Your seat looks for a new player, though; write"
            r" `back`"
        ),
    ):
        readiness.say_readiness(
            harness.database, uid, harness.people[silent], "ready", now=harness.now
        )
