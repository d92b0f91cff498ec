"""Before a match begins: the waiting list, the muster, and the expiry of a match that does not
fill.
"""

from datetime import timedelta
from functools import partial

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.tables import Letter, Match, QueueEntry
from adjudicator.service.letters import kinds, outbox
from adjudicator.service.letters.contents.seat_content import GatheringLetter
from adjudicator.service.matches import seats, waiting_list
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import beginning
from adjudicator.service.starting import expiry, muster
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, PLAYERS, address
from tests.harness import Harness
from tests.service.test_races import at_once

DORA = "Dora"
DAY = timedelta(days=1)


def wish(**changes: object) -> Wish:
    return Wish("pyramid", "Table", {}, **changes)  # type: ignore[arg-type]  # as its test wants it


def row(harness: Harness, uid: str) -> Match:
    with harness.database.read_tx() as session:
        return session.exec(select(Match).where(Match.uid == uid)).one()


def sitting(harness: Harness, uid: str) -> list[str | None]:
    """Return the names of the players in seat order."""
    names = {player_id: name for name, player_id in harness.people.items()}
    return [names.get(seat.player_id) if seat.player_id else None for seat in harness.seats(uid)]


def told(harness: Harness) -> list[tuple[str, str]]:
    """Return whom letters about matches that gather were written to since the last call, and what
    they tell.
    """
    found = []
    for each in harness.claim_waiting():
        outbox.mark_sent(harness.database, [each], harness.now)
        if each.kind == "gathering":
            letter = kinds.load_context(each.kind, each.context)
            assert isinstance(letter, GatheringLetter)
            found.append((each.address, letter.what))
    return sorted(found)


def wait(harness: Harness, uid: str, who: str) -> int:
    return waiting_list.wait_for_seat(harness.database, uid, harness.player(who), now=harness.now)


def leave(harness: Harness, uid: str, who: str) -> None:
    seats.leave_seat(harness.database, uid, harness.player(who), now=harness.now)


def confirm(harness: Harness, uid: str, who: str) -> bool:
    return muster.confirm(harness.database, uid, harness.player(who), now=harness.now)


def sweep(harness: Harness) -> list[str]:
    """Do what the sweep would do; return the matches that began."""
    with harness.database.read_tx() as session:
        mustering = [*muster.to_muster(session), *muster.to_end(session, harness.now)]
        expiring, starting = expiry.to_expire(session, harness.now), beginning.to_start(session)
    starting += [
        uid for uid in mustering if muster.advance_muster(harness.database, uid, now=harness.now)
    ]
    for uid in expiring:
        expiry.expire_match(harness.database, uid, now=harness.now)
    return [uid for uid in starting if harness.start_match(uid)]


# --- the waiting list


def test_a_master_who_reads_all_press_is_offered_no_place_on_it(harness: Harness) -> None:
    lesson = Wish("diplomacy", "Lesson", {}, players=3, play=False, press=PressWish(overseen=True))
    uid = harness.prepare_match(lesson, DORA, *PLAYERS)
    assert (
        not harness.page(uid, DORA).waiting_list.open
        and harness.page(uid, MALLORY).waiting_list.open
    )


@pytest.mark.parametrize(
    ("minutes", "when"),
    [(None, "every seat is taken;"), (60, "every seat is taken and everybody has confirmed;")],
)
def test_who_joins_is_told_when_the_match_begins(
    harness: Harness, minutes: int | None, when: str
) -> None:
    uid, bob = harness.prepare_match(wish(muster_minutes=minutes), ALICE), harness.player(BOB)
    with harness.database.write_tx() as session:
        assert f"It begins when {when}" in seats.sit_anywhere(
            session, by_uid(session, uid), bob, now=harness.now
        )


def full(harness: Harness) -> str:
    """A match whose free seat is kept for Bob, with Alice and Charlie sitting."""
    return harness.prepare_match(wish(invited=(address(BOB),)), ALICE, CHARLIE)


def test_the_first_on_the_list_gets_the_seat_that_becomes_free(harness: Harness) -> None:
    uid = full(harness)
    assert [wait(harness, uid, who) for who in (DORA, MALLORY, DORA)] == [1, 2, 1]
    leave(harness, uid, CHARLIE)
    assert sitting(harness, uid) == [ALICE, None, DORA] and told(harness) == [
        (address(DORA), "seated")
    ]
    page = harness.page(uid, MALLORY)
    assert (page.waiting_list.place, page.waiting_list.length) == (1, 1)
    assert harness.page(uid).waiting_list.place is None


def test_a_declined_invitation_goes_to_the_waiting_list(harness: Harness) -> None:
    uid = full(harness)
    wait(harness, uid, DORA)
    token = next(
        each.context["token"] for each in harness.claim_waiting() if each.kind == "invitation"
    )
    seats.decline_invitation(harness.database, str(token), now=harness.now)
    assert sitting(harness, uid) == [ALICE, DORA, CHARLIE] and sweep(harness) == [uid]


def test_who_waits_may_stop_waiting_and_who_sits_may_not_wait(harness: Harness) -> None:
    uid = full(harness)
    wait(harness, uid, DORA)
    leave(harness, uid, DORA)
    assert (
        harness.page(uid, DORA).waiting_list.open
        and harness.page(uid, DORA).waiting_list.length == 0
    )
    with pytest.raises(NotAllowed):
        leave(harness, uid, DORA)
    with pytest.raises(Refused, match="have a seat"):
        wait(harness, uid, CHARLIE)
    leave(harness, uid, CHARLIE)
    assert sitting(harness, uid) == [ALICE, None, None]
    with pytest.raises(NotNow, match="is free"):
        wait(harness, uid, DORA)


def test_nobody_waits_where_seats_are_for_invited_people(harness: Harness) -> None:
    uid = harness.prepare_match(
        wish(invited=(address(BOB), address(CHARLIE)), open_seats=False), ALICE
    )
    with pytest.raises(NotAllowed, match="invites"):
        wait(harness, uid, DORA)


def test_an_invited_person_who_waited_is_off_the_list_once_seated(harness: Harness) -> None:
    uid = full(harness)
    wait(harness, uid, BOB)
    seats.take_seat(harness.database, uid, harness.people[BOB], now=harness.now)
    with harness.database.read_tx() as session:
        assert session.exec(select(QueueEntry)).all() == []


def test_the_list_is_told_when_the_match_begins(harness: Harness) -> None:
    uid = full(harness)
    wait(harness, uid, DORA)
    seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now)
    assert sweep(harness) == [uid] and told(harness) == [(address(DORA), "begun")]
    with pytest.raises(NotNow, match="has begun"):
        wait(harness, uid, MALLORY)


def test_of_two_who_join_for_the_last_seat_one_sits_and_the_other_may_wait(
    harness: Harness,
) -> None:
    uid = harness.prepare_match(wish(muster_minutes=60), ALICE, CHARLIE)
    rivals, refused = [harness.player(BOB), harness.player(DORA)], []

    def join(player_id: int) -> None:
        try:
            seats.take_seat(harness.database, uid, player_id, now=harness.now)
        except NotNow as error:
            refused.append(str(error))
            waiting_list.wait_for_seat(harness.database, uid, player_id, now=harness.now)

    at_once(*(partial(join, each) for each in rivals))
    assert len(refused) == 1 and f"`queue {uid}`" in refused[0]
    seated = {seat.player_id for seat in harness.seats(uid)} & set(rivals)
    with harness.database.read_tx() as session:
        waiting = set(session.exec(select(QueueEntry.player_id)))
    assert len(seated) == 1 and seated | waiting == set(rivals)


# --- the muster


def gathered(harness: Harness, **changes: object) -> str:
    """A full match with a muster of two days, which has just begun."""
    uid = harness.prepare_match(wish(muster_minutes=2880, **changes), *PLAYERS)
    assert sweep(harness) == [] and told(harness) == [(address(who), "muster") for who in PLAYERS]
    return uid


def test_a_match_begins_once_everybody_has_confirmed(harness: Harness) -> None:
    uid = gathered(harness)
    assert sweep(harness) == [] and told(harness) == []
    assert [confirm(harness, uid, who) for who in (ALICE, ALICE, BOB)] == [False, False, False]
    assert (harness.page(uid, ALICE).muster or 0) and harness.page(uid, ALICE).muster.count == 2  # type: ignore[union-attr]  # just looked
    assert sweep(harness) == [] and confirm(harness, uid, CHARLIE) and sweep(harness) == [uid]
    with pytest.raises(NotNow, match="has begun"):
        confirm(harness, uid, ALICE)
    assert row(harness, uid).muster_until is None and told(harness) == []


def test_who_does_not_confirm_loses_the_seat_and_the_muster_begins_anew(harness: Harness) -> None:
    uid = gathered(harness)
    confirm(harness, uid, ALICE)
    harness.later(hours=48)
    assert sweep(harness) == [] and sitting(harness, uid) == [ALICE, None, None]
    assert told(harness) == [(address(BOB), "lapsed"), (address(CHARLIE), "lapsed")]
    with pytest.raises(NotNow, match="asks nobody"):
        confirm(harness, uid, ALICE)
    with pytest.raises(NotAllowed):
        confirm(harness, uid, BOB)
    for who in (BOB, DORA):
        seats.take_seat(harness.database, uid, harness.player(who), now=harness.now)
    assert sweep(harness) == []
    assert told(harness) == [(address(who), "muster") for who in (ALICE, BOB, DORA)], (
        "everybody is asked again"
    )
    assert [note.what.partition(",")[0] for note in harness.page(uid).notes[1:3]] == [
        "ended the muster",
        "freed 2 seats that nobody confirmed within 2 days",
    ]


def test_the_waiting_list_takes_the_place_and_gets_the_whole_time(harness: Harness) -> None:
    uid = gathered(harness)
    wait(harness, uid, DORA)
    for who in (ALICE, BOB):
        confirm(harness, uid, who)
    harness.later(hours=48)
    assert sweep(harness) == [] and sitting(harness, uid) == [ALICE, BOB, DORA]
    assert told(harness) == [(address(CHARLIE), "lapsed"), (address(DORA), "seated-muster")]
    assert row(harness, uid).muster_until == harness.now + 2 * DAY
    assert confirm(harness, uid, DORA) and sweep(harness) == [uid]


def test_who_leaves_in_a_muster_is_replaced_or_ends_it(harness: Harness) -> None:
    uid = gathered(harness)
    wait(harness, uid, DORA)
    confirm(harness, uid, ALICE)
    leave(harness, uid, BOB)
    assert (
        sitting(harness, uid) == [ALICE, DORA, CHARLIE]
        and harness.seats(uid)[0].confirmed_at is not None
    )
    leave(harness, uid, CHARLIE)
    assert row(harness, uid).muster_until is None and harness.seats(uid)[0].confirmed_at is None


def test_a_confirmation_counts_as_long_as_the_seat_is_held(harness: Harness) -> None:
    uid = gathered(harness)
    for who in (ALICE, BOB):
        confirm(harness, uid, who)
    harness.later(hours=49)
    assert confirm(harness, uid, CHARLIE) and sweep(harness) == [uid]


def test_house_bots_confirm_at_once(harness: Harness) -> None:
    uid = harness.prepare_match(wish(muster_minutes=60, house=2), ALICE)
    sweep(harness)
    assert confirm(harness, uid, ALICE) and sweep(harness) == [uid]


@pytest.mark.parametrize("bots", [0, 4])
def test_an_anonymous_muster_lasts_its_whole_time_and_shows_no_count(
    harness: Harness, bots: int
) -> None:
    people = ["Alice", "Bob", "Charlie", "Dora", "Emil", "Fritz", "Greta"][: 7 - bots]
    uid = harness.prepare_match(
        Wish("diplomacy", "Masks", {"anonymous": True}, muster_minutes=60, house=bots), *people
    )
    sweep(harness)
    for who in people:
        assert not confirm(harness, uid, who)
        page = harness.page(uid, who)
        assert page.muster is not None and (page.muster.count, page.muster.confirmed) == (
            None,
            True,
        )
    assert sweep(harness) == [] and not harness.start_match(uid)
    harness.later(minutes=60)
    assert sweep(harness) == [uid]


def test_letters_that_came_in_time_are_read_before_a_muster_ends(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = gathered(harness)
    harness.later(hours=48)
    monkeypatch.setattr(muster.incoming, "any_unread", lambda *_: True)
    assert sweep(harness) == [] and sitting(harness, uid) == list(PLAYERS)
    monkeypatch.undo()
    sweep(harness)
    assert sitting(harness, uid) == [None, None, None]


# --- expiry


def test_a_match_that_is_not_full_expires_and_everybody_is_told(harness: Harness) -> None:
    uid = harness.prepare_match(wish(invited=(address(BOB),), expire_days=10), ALICE, CHARLIE)
    wait(harness, uid, DORA)
    harness.later(days=10)
    assert sweep(harness) == [] and row(harness, uid).status == "expired"
    assert told(harness) == [(address(who), "expired") for who in (ALICE, CHARLIE, DORA)]
    assert sweep(harness) == [] and told(harness) == []
    for act in (
        lambda: seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now),
        lambda: wait(harness, uid, DORA),
    ):
        with pytest.raises(NotNow, match="has expired"):
            act()
    assert harness.page(uid).notes[0].what == "ended the match, which was not full within 10 days"


def test_a_full_match_does_not_expire(harness: Harness) -> None:
    uid = harness.prepare_match(wish(muster_minutes=2880, expire_days=1), *PLAYERS)
    sweep(harness)
    harness.later(days=1)
    assert sweep(harness) == [] and row(harness, uid).status == "open"
    assert not expiry.expire_match(harness.database, uid, now=harness.now)
    harness.later(days=1)
    for _ in range(2):
        sweep(harness)
    assert row(harness, uid).status == "expired", "its muster freed every seat"


def test_a_seat_taken_as_it_expires_begins_the_match_or_is_refused(harness: Harness) -> None:
    uid = harness.prepare_match(wish(expire_days=1), ALICE, BOB)
    harness.later(days=1)
    with harness.database.read_tx() as session:
        assert expiry.to_expire(session, harness.now) == [uid]
    seats.take_seat(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    assert not expiry.expire_match(harness.database, uid, now=harness.now), (
        "it looks again in its own transaction"
    )
    assert harness.start_match(uid) and not expiry.expire_match(
        harness.database, uid, now=harness.now
    )


def test_a_start_that_was_worked_out_before_the_expiry_is_not_written(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = harness.prepare_match(wish(expire_days=1), *PLAYERS)
    harness.later(days=1)
    work_out = beginning._work_out_start

    def expired_meanwhile(*given: object) -> object:
        leave(harness, uid, BOB)
        assert expiry.expire_match(harness.database, uid, now=harness.now)
        return work_out(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(beginning, "_work_out_start", expired_meanwhile)
    assert not harness.start_match(uid) and row(harness, uid).status == "expired"


def test_its_master_gives_it_more_days_once(harness: Harness) -> None:
    uid = harness.prepare_match(wish(expire_days=10), ALICE)
    harness.later(days=9)
    with pytest.raises(NotAllowed):
        expiry.renew_match(harness.database, uid, harness.player(BOB), now=harness.now)
    for _ in range(2):
        until = expiry.renew_match(harness.database, uid, harness.people[ALICE], now=harness.now)
        harness.later(seconds=1)
    assert until == row(harness, uid).expires_at and len(harness.page(uid).notes) == 1
    harness.later(days=9)
    assert sweep(harness) == [] and row(harness, uid).status == "open"
    harness.later(days=1)
    sweep(harness)
    with pytest.raises(NotNow, match="has expired"):
        expiry.renew_match(harness.database, uid, harness.people[ALICE], now=harness.now)


def test_matches_without_a_limit_never_expire(harness: Harness) -> None:
    uid = harness.prepare_match(wish(expire_days=None), ALICE)
    harness.later(days=1000)
    assert (
        sweep(harness) == []
        and row(harness, uid).status == "open"
        and harness.page(uid).expires_at is None
    )
    with pytest.raises(NotNow, match="without a limit"):
        expiry.renew_match(harness.database, uid, harness.people[ALICE], now=harness.now)


@pytest.mark.parametrize(
    "changes",
    [{"muster_minutes": 1}, {"muster_minutes": 99999}, {"expire_days": 0}, {"expire_days": 9999}],
)
def test_a_muster_or_a_limit_out_of_range_is_refused(
    harness: Harness, changes: dict[str, object]
) -> None:
    with pytest.raises(Refused):
        harness.prepare_match(wish(**changes), ALICE)
    with harness.database.read_tx() as session:
        assert session.exec(select(Letter)).all() == []
