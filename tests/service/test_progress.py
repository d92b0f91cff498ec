"""Progress: what others learn of who has handed in, and from when on; and the count of public
changes.
"""

import random
from datetime import datetime, timedelta

import pytest
from sqlmodel import select, update

from adjudicator.service.base import rows
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.progress import Progress
from adjudicator.service.base.state import progress_of
from adjudicator.service.base.tables import Due, Match
from adjudicator.service.letters import receiving
from adjudicator.service.letters.receiving import Arrival
from adjudicator.service.matches import masters, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import readiness
from adjudicator.service.press import messages
from adjudicator.service.press.messages import PressDraft
from adjudicator.service.views import match_list, news
from tests.cast import ALICE, BOB, CHARLIE, PLAYERS
from tests.harness import Harness

KINDS = ("none", "count", "seats")


def begin(harness: Harness, progress: str = "count", **changes: object) -> str:
    """Start a Pyramid match of the cast: Alice has seat 1, Bob 2, Charlie 3."""
    return harness.match(*PLAYERS, wish=Wish("pyramid", "Table", {}, progress=progress, **changes))  # type: ignore[arg-type]  # plain keywords


def seen(harness: Harness, uid: str, who: str | None = None) -> Progress | None:
    """Return the progress on the page of a match."""
    return harness.page(uid, who).card.progress


def count(harness: Harness, uid: str, who: str | None = None) -> int:
    progress = seen(harness, uid, who)
    assert progress is not None
    return progress.handed_in


def public_changes(harness: Harness, uid: str) -> int:
    with harness.database.read_tx() as session:
        return rows.by_uid(session, uid).shown


def test_others_know_of_orders_from_the_next_full_minute_and_the_seat_itself_at_once(
    harness: Harness,
) -> None:
    uid = begin(harness)
    harness.later(seconds=20)
    harness.order(uid, ALICE, "B3\nwait")
    assert [count(harness, uid, who) for who in (ALICE, BOB, None)] == [1, 0, 0]
    harness.later(seconds=39, milliseconds=999)
    assert [count(harness, uid, who) for who in (ALICE, BOB, None)] == [1, 0, 0]
    harness.later(milliseconds=1)
    assert [count(harness, uid, who) for who in (ALICE, BOB, None)] == [1, 1, 1]


def test_orders_on_the_minute_itself_show_with_the_next_one(harness: Harness) -> None:
    uid = begin(harness)
    assert harness.now.second == 0
    harness.order(uid, ALICE, "B3\nwait")
    assert count(harness, uid) == 0
    harness.later(minutes=1)
    assert count(harness, uid) == 1


def test_orders_of_one_minute_show_together_and_in_seat_order(harness: Harness) -> None:
    uid = begin(harness, "seats")
    for who in (CHARLIE, ALICE):
        harness.later(seconds=10)
        harness.order(uid, who, "B3\nwait")
    assert seen(harness, uid) == Progress(3, 0, False, (), ("1", "2", "3"))
    harness.later(minutes=1)
    assert seen(harness, uid) == Progress(3, 2, False, ("1", "3"), ("2",))


def test_a_count_names_no_seat(harness: Harness) -> None:
    uid = begin(harness)
    harness.order(uid, ALICE, "B3\nwait")
    harness.later(minutes=1)
    assert seen(harness, uid, BOB) == Progress(3, 1, False)


@pytest.mark.parametrize(
    "text", ["B2\nwait", "clear", "clear\nB1", "B3\nTHEN\nB1", "nonsense", "ready\nwait"]
)
def test_changed_orders_show_nothing_new(harness: Harness, text: str) -> None:
    uid = begin(harness, "seats")
    harness.later(seconds=20)
    harness.order(uid, ALICE, "B3\nwait")
    harness.later(minutes=5)
    before = [seen(harness, uid, who) for who in (BOB, None)]
    harness.order(uid, ALICE, text)
    assert [seen(harness, uid, who) for who in (BOB, None)] == before
    harness.later(minutes=2)
    assert [seen(harness, uid, who) for who in (BOB, None)] == before


def test_a_word_or_refused_orders_alone_are_nothing_handed_in(harness: Harness) -> None:
    uid = begin(harness)
    harness.order(uid, ALICE, "nonsense")
    readiness.say_readiness(harness.database, uid, harness.people[BOB], "ready", now=harness.now)
    harness.later(minutes=2)
    assert [count(harness, uid, who) for who in (ALICE, BOB, None)] == [0, 0, 0]


def test_a_plan_that_is_adopted_shows_a_minute_after_the_opening(harness: Harness) -> None:
    uid = begin(harness)
    harness.later(seconds=30)
    for who, text in ((ALICE, "B3\nTHEN\nB2\nwait"), (BOB, "B3"), (CHARLIE, "B3")):
        harness.order(uid, who, text)
    harness.later(hours=49)
    assert harness.close(uid)
    assert [count(harness, uid, who) for who in (ALICE, BOB, None)] == [1, 0, 0]
    harness.later(minutes=1)
    assert count(harness, uid, BOB) == 1


def test_the_last_who_is_missing_is_told_so_and_nobody_else(harness: Harness) -> None:
    uid = begin(harness)
    harness.order(uid, ALICE, "B3\nwait")
    harness.order(uid, BOB, "B3\nwait")
    assert seen(harness, uid, CHARLIE) == Progress(3, 0, False)
    harness.later(minutes=1)
    told = {who: seen(harness, uid, who) for who in (*PLAYERS, None)}
    assert [who for who, progress in told.items() if progress and progress.last] == [CHARLIE]
    assert told[CHARLIE] and told[CHARLIE].sentence == "Everybody else has handed in orders."
    assert told[None] and told[None].sentence == "2 of 3 have handed in orders."


def test_bots_of_a_match_with_names_show_like_people(harness: Harness) -> None:
    uid = harness.match(ALICE, wish=Wish("pyramid", "Table", {}, house=2, progress="seats"))
    with harness.database.write_tx() as session:
        for due in session.exec(select(Due).where(Due.seat != "1")):
            due.handed_in_at, due.known_at = harness.now, harness.now + timedelta(minutes=1)
    assert seen(harness, uid, ALICE) == Progress(3, 0, False, (), ("1", "2", "3"))
    harness.later(minutes=1)
    assert seen(harness, uid, ALICE) == Progress(3, 2, True, ("2", "3"), ("1",))


@pytest.mark.parametrize("progress", KINDS)
def test_an_anonymous_match_shows_nothing_whatever_was_wished_for(
    harness: Harness, progress: str
) -> None:
    wish = Wish("diplomacy", "Masks", {"anonymous": True}, players=3, progress=progress)  # type: ignore[arg-type]  # one of KINDS
    uid = harness.match(*PLAYERS, wish=wish)
    with harness.database.write_tx() as session:
        session.exec(update(Match).values(progress=progress))  # type: ignore[call-overload]  # of SQLModel
    harness.order(uid, ALICE, "ready")
    harness.later(minutes=5)
    assert [seen(harness, uid, who) for who in (*PLAYERS, None)] == [None] * 4
    with harness.database.read_tx() as session:
        assert progress_of(rows.by_uid(session, uid)) == "none"
        told = match_list.match_cards(session, harness.people[BOB], now=harness.now)
        assert [card.progress for card in told] == [None]
        assert news.of_match(session, uid, harness.people[BOB], now=harness.now).mark.progress == ""


def test_a_match_shows_nothing_where_it_says_so_and_an_unknown_value_is_refused(
    harness: Harness,
) -> None:
    uid = begin(harness, "none")
    harness.order(uid, ALICE, "B3\nwait")
    harness.later(minutes=5)
    assert [seen(harness, uid, who) for who in (*PLAYERS, None)] == [None] * 4
    with pytest.raises(Refused, match="none, count or seats"):
        begin(harness, "everything")


def test_a_clock_that_is_set_back_hides_what_it_has_not_reached_yet(harness: Harness) -> None:
    uid = begin(harness, "seats")
    harness.later(minutes=30)
    harness.order(uid, ALICE, "B3\nwait")
    harness.later(minutes=2)
    assert count(harness, uid, BOB) == 1
    harness.later(minutes=-20)
    harness.order(uid, BOB, "B3\nwait")
    assert [count(harness, uid, who) for who in (*PLAYERS, None)] == [1, 1, 0, 0]
    harness.order(uid, ALICE, "B2\nwait")
    harness.later(minutes=1)
    assert seen(harness, uid) == Progress(3, 1, False, ("2",), ("1", "3"))
    harness.later(minutes=20)
    assert seen(harness, uid) == Progress(3, 2, False, ("1", "2"), ("3",))


@pytest.mark.parametrize("seed", range(4))
def test_at_any_moment_exactly_those_of_earlier_minutes_are_known(
    harness: Harness, seed: int
) -> None:
    dice, first = random.Random(seed), dict[str, datetime]()
    uid = begin(harness, "seats")
    for _ in range(25):
        harness.later(seconds=dice.choice((0, 1, 7, 30, 59, 60)))
        who = dice.choice((*PLAYERS, None, None))
        if who is not None:
            harness.order(uid, who, f"B{dice.choice('123')}\nwait")
            first.setdefault(str(PLAYERS.index(who) + 1), harness.now)
        viewer = dice.choice((*PLAYERS, None))
        minute = harness.now.replace(second=0, microsecond=0)
        own = str(PLAYERS.index(viewer) + 1) if viewer else None
        known = tuple(
            seat for seat in "123" if seat in first and (first[seat] < minute or seat == own)
        )
        progress = seen(harness, uid, viewer)
        assert progress is not None and (progress.seats, progress.handed_in) == (known, len(known))


# --- the count of public changes


def store_letter(harness: Harness, uid: str, who: str) -> None:
    """Store a letter to a seat, as the inbox does."""
    seat = next(seat for seat in harness.seats(uid) if seat.player_id == harness.people[who])
    token = harness.address_token(uid, seat.position)
    with harness.database.read_tx() as session:
        target = receiving.find_target(session, token)
    assert target is not None
    receiving.store_letters(harness.database, [Arrival(target, b"B3", harness.now, "smtp", False)])


def test_what_is_sealed_raises_the_version_and_not_the_count_of_public_changes(
    harness: Harness,
) -> None:
    uid = begin(harness)
    with harness.database.read_tx() as session:
        version = rows.by_uid(session, uid).version
    before = public_changes(harness, uid)
    harness.order(uid, ALICE, "B3\nwait")
    harness.order(uid, ALICE, "nonsense")
    readiness.say_readiness(harness.database, uid, harness.people[ALICE], "ready", now=harness.now)
    store_letter(harness, uid, BOB)
    assert public_changes(harness, uid) == before
    with harness.database.read_tx() as session:
        assert rows.by_uid(session, uid).version == version + 4


def test_what_everybody_may_see_is_counted(harness: Harness) -> None:
    wish = Wish("diplomacy", "Table", {"press": "private"}, players=3, seating="order")
    uid = harness.prepare_match(wish, ALICE)
    changes = [public_changes(harness, uid)]

    def counted() -> bool:
        changes.append(public_changes(harness, uid))
        return changes[-1] > changes[-2]

    assert changes[0] > 0
    seats.take_seat(harness.database, uid, harness.player(BOB), now=harness.now)
    assert counted()
    seats.leave_seat(harness.database, uid, harness.player(BOB), now=harness.now)
    assert counted()
    seats.fill_with_bots(harness.database, uid, harness.player(ALICE), now=harness.now)
    assert counted()
    assert harness.start_match(uid) and counted()
    draft = PressDraft((), "Peace")
    messages.write_press(harness.database, uid, harness.player(ALICE), draft, now=harness.now)
    assert counted()
    other = next(
        seat.name for seat in harness.seats(uid) if seat.player_id != harness.player(ALICE)
    )
    messages.write_press(
        harness.database, uid, harness.player(ALICE), PressDraft((other,), "War"), now=harness.now
    )
    assert not counted()
    masters.move_deadline(harness.database, uid, None, timedelta(hours=1), now=harness.now)
    assert counted()
    masters.pause_match(harness.database, uid, None, now=harness.now)
    assert counted()
    masters.resume_match(harness.database, uid, None, now=harness.now)
    assert counted()
    harness.later(hours=60)
    assert harness.close(uid) and counted()
