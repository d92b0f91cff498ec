"""Ratings: which matches count and for whom, exactly once, in the order of their ends, and the same
when worked out again.
"""

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, col, select

from adjudicator.platform import failpoints
from adjudicator.play.scoring.rating import NEW, rate_match
from adjudicator.service.base.rows import by_uid, lock_by_uid
from adjudicator.service.base.tables import Match, PlayerRating, RatedPlace
from adjudicator.service.handover import leaving, takeovers
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import concessions
from adjudicator.service.ratings import counting
from tests.cast import ALICE, BOB, CHARLIE, PLAYERS
from tests.harness import Harness
from tests.service.changing_hands import DAVE, begin, lend, pass_round
from tests.service.commands import sealed
from worker.sweep import find_due_work


def duel(harness: Harness, winner: str, loser: str, **more: Any) -> str:
    """Play a match of two, which one of them concedes."""
    uid = harness.match(winner, loser, wish=Wish("redeux", "Duel", {}, **more))
    for _ in range(2):  # a match that was stopped before its first phase closed does not count
        for who in (winner, loser):
            owed = harness.page(uid, who).owed
            harness.order(
                uid, who, "\n".join(slot.choices[0].text for slot in owed.slots) if owed else ""
            )
        harness.later(hours=49)
        harness.close(uid)
    concessions.concede(harness.database, uid, harness.people[loser], now=harness.now)
    harness.close(uid)
    assert row(harness, uid).status == "ended"
    return uid


def end(harness: Harness, uid: str) -> None:
    masters.end_match(harness.database, uid, None, "It is late", now=harness.now)
    assert harness.close(uid)


def row(harness: Harness, uid: str) -> Match:
    with harness.database.read_tx() as session:
        return by_uid(session, uid)


def count(harness: Harness) -> int:
    return counting.count_waiting(harness.database, now=harness.now)


def places(harness: Harness, uid: str) -> dict[str, int]:
    """Return the places that count in a match, by the names of players."""
    names = {player: name for name, player in harness.people.items()}
    with harness.database.read_tx() as session:
        rows = session.exec(
            select(RatedPlace).where(RatedPlace.match_id == by_uid(session, uid).id)
        )
        return {names[each.player_id]: each.place for each in rows}


def figures(harness: Harness) -> list[tuple[Any, ...]]:
    """Return all ratings, those after each match and the present ones."""
    with harness.database.read_tx() as session:
        return [*_history(session), *_present(session)]


def _history(session: Session) -> list[tuple[Any, ...]]:
    rows = session.exec(
        select(RatedPlace).order_by(col(RatedPlace.match_id), col(RatedPlace.player_id))
    )
    return [
        (each.match_id, each.player_id, each.place, each.mu, each.sigma, each.matches)
        for each in rows
    ]


def _present(session: Session) -> list[tuple[Any, ...]]:
    rows = session.exec(
        select(PlayerRating).order_by(col(PlayerRating.game), col(PlayerRating.player_id))
    )
    return [
        (each.game, each.player_id, each.mu, each.sigma, each.matches, each.points) for each in rows
    ]


def points(harness: Harness, who: str) -> int | None:
    with harness.database.read_tx() as session:
        return session.exec(
            select(PlayerRating.points).where(PlayerRating.player_id == harness.people[who])
        ).first()


def test_a_match_counts_once_after_its_end_by_its_places(harness: Harness) -> None:
    uid = begin(harness)
    pass_round(harness, uid, *PLAYERS)
    assert count(harness) == 0 and figures(harness) == []
    end(harness, uid)
    with harness.database.read_tx() as session:
        assert ("sealed.rate", True) in find_due_work(session, harness.now).queues
    assert count(harness) == 1 and count(harness) == 0
    result = row(harness, uid).result or {}
    assert places(harness, uid) == {
        name: result[str(seat)]["place"] for seat, name in enumerate(PLAYERS, 1)
    }
    wanted = rate_match([NEW] * 3, [places(harness, uid)[name] for name in PLAYERS])
    assert [points(harness, name) for name in PLAYERS] == [each.points for each in wanted]
    assert not counting.count_match(harness.database, uid, now=harness.now)


def test_a_match_that_cannot_be_counted_holds_up_no_other(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uids = [begin(harness), begin(harness)]
    for uid in uids:
        pass_round(harness, uid, *PLAYERS)
        end(harness, uid)
        harness.later(minutes=1)
    result = row(harness, uids[0]).result
    with harness.database.write_tx() as session:
        lock_by_uid(session, uids[0]).result = {"1": {"place": "first"}}
    with pytest.raises(ValueError, match="first"):
        count(harness)
    assert count(harness) == 1 and places(harness, uids[1]) and not places(harness, uids[0])
    with harness.database.read_tx() as session:
        assert ("sealed.rate", False) in find_due_work(session, harness.now).queues, (
            "it is not tried again at once"
        )
    harness.later(hours=1)
    with pytest.raises(ValueError, match="first"):  # it is not forgotten either
        count(harness)
    with harness.database.write_tx() as session:
        lock_by_uid(session, uids[0]).result = result
    harness.later(hours=1)
    assert count(harness) == 1
    counted = figures(harness)
    counting.rebuild_ratings(harness.database, "pyramid")
    assert figures(harness) == counted, "ratings after it are worked out anew"


def test_a_fault_that_stops_the_task_puts_no_match_off(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = begin(harness)
    end(harness, uid)

    def cut(*_: object, **__: object) -> bool:
        raise TimeoutError

    with monkeypatch.context() as stopped, pytest.raises(TimeoutError):
        stopped.setattr(counting, "count_match", cut)
        counting.count_waiting(harness.database, now=harness.now, cut_short=(TimeoutError,))
    assert row(harness, uid).rate_after is None and count(harness) == 1


@pytest.mark.parametrize(
    "wish",
    [
        {"rated": False},
        {"private": True, "invited": ("bob@example.org", "charlie@example.org")},
        {"house": 1},
    ],
    ids=["as its maker wishes", "private", "with a house bot"],
)
def test_a_match_that_is_not_rated_changes_nothing(harness: Harness, wish: dict[str, Any]) -> None:
    uid = harness.match(
        *PLAYERS[: 3 - wish.get("house", 0)], wish=Wish("pyramid", "Table", {}, **wish)
    )
    assert not row(harness, uid).rated
    pass_round(harness, uid, ALICE)
    end(harness, uid)
    assert count(harness) == 0 and figures(harness) == []


def test_a_match_with_a_guest_or_without_a_closed_phase_counts_for_nobody(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    guests, unplayed = (
        harness.match(ALICE, BOB, "Guest", wish=Wish("pyramid", "Table", {})),
        begin(harness),
    )
    pass_round(harness, guests, ALICE)
    for uid in (guests, unplayed):
        assert row(harness, uid).rated
        end(harness, uid)
    assert count(harness) == 2 and figures(harness) == [] and count(harness) == 0


def test_teams_are_not_rated(harness: Harness) -> None:
    four = (*PLAYERS, DAVE)
    teams = harness.match(*four, wish=Wish("phoenix", "Teams", {"team": True}))
    alone = harness.match(*four, wish=Wish("phoenix", "Alone", {}))
    assert not row(harness, teams).rated and row(harness, alone).rated


def test_who_left_comes_last_and_who_took_over_is_not_rated(harness: Harness) -> None:
    uid = begin(harness)
    pass_round(harness, uid, *PLAYERS)
    leaving.resign(harness.database, uid, harness.people[ALICE], now=harness.now)
    takeovers.take_seat(harness.database, uid, harness.player(DAVE), now=harness.now)
    pass_round(harness, uid, BOB, CHARLIE, DAVE)
    end(harness, uid)
    count(harness)
    found = places(harness, uid)
    assert set(found) == {ALICE, BOB, CHARLIE} and found[ALICE] == 4 > max(
        found[BOB], found[CHARLIE]
    )


def test_a_seat_counts_for_who_lent_it(harness: Harness) -> None:
    uid = begin(harness)
    pass_round(harness, uid, *PLAYERS)
    lend(harness, uid, ALICE, DAVE, days=30)
    pass_round(harness, uid, BOB, CHARLIE, DAVE)
    end(harness, uid)
    count(harness)
    assert places(harness, uid)[ALICE] == (row(harness, uid).result or {})["1"][
        "place"
    ] and DAVE not in places(harness, uid)


def test_matches_count_in_the_order_of_their_ends_however_they_were_counted(
    harness: Harness,
) -> None:
    uids = [
        duel(harness, ALICE, BOB),
        duel(harness, BOB, CHARLIE),
        duel(harness, ALICE, CHARLIE),
        duel(harness, CHARLIE, ALICE),
    ]
    for uid in (uids[2], uids[0], uids[3], uids[1]):
        assert counting.count_match(harness.database, uid, now=harness.now)
    found, rated = figures(harness), dict.fromkeys(PLAYERS, NEW)
    for winner, loser in ((ALICE, BOB), (BOB, CHARLIE), (ALICE, CHARLIE), (CHARLIE, ALICE)):
        rated[winner], rated[loser] = rate_match([rated[winner], rated[loser]], [1, 2])
    assert {name: points(harness, name) for name in PLAYERS} == {
        name: each.points for name, each in rated.items()
    }
    assert counting.rebuild_ratings(harness.database, "redeux") == 4 and figures(harness) == found


def test_ratings_of_games_are_apart(harness: Harness) -> None:
    duel(harness, ALICE, BOB)
    uid = begin(harness)
    pass_round(harness, uid, *PLAYERS)
    end(harness, uid)
    count(harness)
    with harness.database.read_tx() as session:
        assert counting.rated_games(session) == ["pyramid", "redeux"]
        assert set(session.exec(select(PlayerRating.matches))) == {1}


def test_a_worker_killed_while_counting_leaves_the_match_uncounted(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = duel(harness, ALICE, BOB)

    class KilledError(BaseException):
        pass

    def kill(name: str) -> None:
        if name == "rate.in_transaction":
            raise KilledError

    with monkeypatch.context() as patched, pytest.raises(KilledError):
        patched.setattr(failpoints, "kill_here", kill)
        count(harness)
    assert figures(harness) == [] and row(harness, uid).counted_at is None
    harness.now += timedelta(minutes=1)
    assert count(harness) == 1 and len(figures(harness)) == 4


def test_the_host_rebuilds_ratings_and_is_told_of_unknown_games(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel(harness, ALICE, BOB)
    count(harness)
    found = figures(harness)
    with harness.database.write_tx() as session:
        for each in session.exec(select(PlayerRating)):
            each.mu, each.points = 0.0, 0
    done = sealed("ratings", "rebuild", harness=harness, monkeypatch=monkeypatch)
    assert done.output == "redeux: 1 rated match.\n" and figures(harness) == found
    refused = sealed("ratings", "rebuild", "chess", harness=harness, monkeypatch=monkeypatch)
    assert (
        refused.exit_code == 1
        and "There is no ladder of chess; there are redeux." in refused.output
    )
