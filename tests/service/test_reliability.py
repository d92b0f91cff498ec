"""The reliability of players: which phases count, for whom, what anonymous matches hide, and which
matches ask for it.
"""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.errors import NotAllowed, Refused
from adjudicator.service.base.rows import by_uid, seats_of
from adjudicator.service.base.tables import Attendance, Match, Player
from adjudicator.service.matches import masters, seats
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import reliability
from adjudicator.service.phases import closing
from tests.harness import Harness
from tests.service.listed import open_matches

NAMES = ("Alice", "Bob", "Charlie")


def rows(harness: Harness) -> list[tuple[str, int, bool]]:
    """Return player, phase and whether it was played, of all rows."""
    with harness.database.read_tx() as session:
        found = select(Player.name, Attendance.phase_number, Attendance.played).join(
            Player, onclause=col(Player.id) == Attendance.player_id
        )
        return sorted(session.exec(found))


def figure(harness: Harness, who: str) -> tuple[int, int]:
    with harness.database.read_tx() as session:
        own = reliability.of_player(session, harness.player(who))
    return own.percent, own.phases


def give(harness: Harness, who: str, *, played: int = 0, missed: int = 0) -> None:
    """Give a player phases of the first match, which have closed at this moment, the missed ones
    last.
    """
    player_id = harness.player(who)
    with harness.database.write_tx() as session:
        match_id = session.exec(select(Match.id)).first() or 0
        for number in range(played + missed):
            told = {
                "phase_number": 1000 + number,
                "seat": who,
                "played": number < played,
                "hidden": False,
                "at": harness.now,
            }
            session.add(Attendance(player_id=player_id, match_id=match_id, **told))


def past_deadline(harness: Harness, uid: str) -> None:
    harness.later(days=2, minutes=11)
    assert harness.close(uid)


def test_each_person_has_a_row_for_each_due_phase_and_house_bots_have_none(
    harness: Harness,
) -> None:
    uid = harness.match("Alice", "Bob")
    harness.order(uid, "Alice", "B1")
    past_deadline(harness, uid)
    assert rows(harness) == [("Alice", 1, True), ("Bob", 1, False)]


def test_orders_that_did_not_count_were_handed_in_all_the_same(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    for text in ("B1", "clear"):
        harness.order(uid, "Alice", text)
    past_deadline(harness, uid)
    assert rows(harness) == [("Alice", 1, True), ("Bob", 1, False), ("Charlie", 1, False)]


def test_closing_twice_writes_rows_once(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    past_deadline(harness, uid)
    assert not harness.close(uid)
    assert len(rows(harness)) == 3


def test_phases_that_plans_alone_closed_were_played(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    for who in NAMES:
        harness.order(uid, who, "B1\nTHEN\nB2")
    assert harness.close(uid)
    assert [row for row in rows(harness) if row[1] == 2] == [(who, 2, True) for who in NAMES]


def test_a_phase_that_a_master_closed_counts_for_nobody(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    harness.order(uid, "Alice", "B1")
    masters.close_now(harness.database, uid, None, now=harness.now)
    assert harness.close(uid)
    assert rows(harness) == []


def test_a_phase_in_which_the_match_was_stuck_counts_for_nobody(harness: Harness) -> None:
    uid = harness.match(*NAMES)

    def broken(database: Database, keyring: Keyring, uid: str, **_: object) -> bool:
        raise ValueError("broken rules")

    closing.step_or_stop(broken, harness.database, harness.keyring, uid, now=harness.now)  # type: ignore[arg-type]
    masters.resume_match(harness.database, uid, None, now=harness.later(days=3))
    assert harness.close(uid)
    assert rows(harness) == []
    past_deadline(harness, uid)
    assert [row[1] for row in rows(harness)] == [2, 2, 2]


def test_rows_stay_with_the_player_who_had_the_seat(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    past_deadline(harness, uid)
    dora = harness.player("Dora")
    with harness.database.write_tx() as session:
        seats_of(session, by_uid(session, uid))[1].player_id = dora
    # a silent seat played a piece picked by chance, which may be one of them
    harness.order(uid, "Dora", "B1\nB2")
    past_deadline(harness, uid)
    told = rows(harness)
    assert ("Bob", 1, False) in told and ("Dora", 2, True) in told
    assert not {("Bob", 2, True), ("Bob", 2, False), ("Dora", 1, False)} & set(told)


def test_guests_have_a_figure_too(harness: Harness) -> None:
    harness.player("Guest", guest=True)
    uid = harness.match("Guest", "Bob", "Charlie")
    past_deadline(harness, uid)
    assert figure(harness, "Guest") == (73, 1)


def test_an_anonymous_match_changes_no_figure_before_its_end(harness: Harness) -> None:
    harness.match(*NAMES)
    give(harness, "Alice", played=30)
    uid = harness.match(
        "Alice", wish=Wish("diplomacy", "Masks", {"anonymous": True, "year_limit": 1901}, house=6)
    )
    with harness.database.read_tx() as session:
        before = str(reliability.of_player(session, harness.people["Alice"])).encode()
    for _ in range(12):
        if harness.page(uid).card.status == "ended":
            break
        with harness.database.read_tx() as session:
            assert str(reliability.of_player(session, harness.people["Alice"])).encode() == before
        harness.later(days=4)
        harness.close(uid)
    assert harness.page(uid).card.status == "ended"
    assert any(not played for who, number, played in rows(harness) if number < 1000)
    with harness.database.read_tx() as session:
        assert str(reliability.of_player(session, harness.people["Alice"])).encode() != before


# --- what a match asks


def open_table(harness: Harness, **asked: object) -> str:
    return harness.prepare_match(Wish("pyramid", "Table", {}, **asked), "Alice")  # type: ignore[arg-type]


def listed(harness: Harness, who: str) -> list[str]:
    with harness.database.read_tx() as session:
        return [card.uid for card in open_matches(session, harness.player(who))]


def test_a_match_that_asks_for_reliability_is_closed_to_those_who_have_less(
    harness: Harness,
) -> None:
    uid = open_table(harness, least_reliability=90)
    give(harness, "Bob", played=40)
    give(harness, "Charlie", played=20, missed=20)
    with pytest.raises(NotAllowed, match="at least 90 % of phases; you play 36 %"):
        seats.take_seat(harness.database, uid, harness.player("Charlie"), now=harness.now)
    seats.take_seat(harness.database, uid, harness.player("Bob"), now=harness.now)
    assert (listed(harness, "Charlie"), listed(harness, "Dora")) == ([], [uid])


def test_beginners_may_join_unless_the_match_says_no(harness: Harness) -> None:
    asking, closed = open_table(harness, least_reliability=90), open_table(harness, beginners=False)
    give(harness, "Bob", missed=19)
    give(harness, "Charlie", played=1, missed=19)
    assert listed(harness, "Bob") == [asking] and listed(harness, "Charlie") == [closed]
    seats.take_seat(harness.database, asking, harness.player("Bob"), now=harness.now)
    with pytest.raises(NotAllowed, match="fewer than 20 phases to play; you have had 19"):
        seats.take_seat(harness.database, closed, harness.player("Bob"), now=harness.now)
    seats.take_seat(harness.database, closed, harness.player("Charlie"), now=harness.now)


def test_whoever_is_invited_is_not_asked(harness: Harness) -> None:
    uid = open_table(harness, beginners=False, invited=("bob@example.org",))
    seats.take_seat(harness.database, uid, harness.player("Bob"), now=harness.now)
    assert harness.page(uid, "Bob").seat == "2"


@pytest.mark.parametrize("least", [-1, 100])
def test_what_nobody_could_meet_is_refused(harness: Harness, least: int) -> None:
    with pytest.raises(Refused, match="0 to 99 % of phases"):
        open_table(harness, least_reliability=least)


def test_figures_are_shown_where_one_joins_and_not_where_players_are_hidden(
    harness: Harness,
) -> None:
    uid = open_table(harness)
    give(harness, "Alice", played=30)
    assert [seat.plays for seat in harness.page(uid).card.seats] == ["plays 99 % of phases", "", ""]
    masked = harness.prepare_match(Wish("diplomacy", "Masks", {"anonymous": True}), "Alice")
    assert {seat.plays for seat in harness.page(masked, "Bob").card.seats} == {""}
    seats.fill_with_bots(harness.database, uid, harness.people["Alice"], now=harness.now)
    assert [seat.plays for seat in harness.page(uid).card.seats] == ["plays 99 % of phases", "", ""]
    assert harness.start_match(uid)
    assert {seat.plays for seat in harness.page(uid).card.seats} == {""}


def test_the_newest_phases_are_those_that_closed_last(harness: Harness) -> None:
    harness.match(*NAMES)
    give(harness, "Alice", missed=30)
    worst = figure(harness, "Alice")[0]
    with harness.database.write_tx() as session:
        for row in session.exec(
            select(Attendance).where(
                Attendance.player_id == harness.people["Alice"], Attendance.phase_number < 1015
            )
        ):
            row.played = True
    newest_missed = figure(harness, "Alice")[0]
    with harness.database.write_tx() as session:
        for row in session.exec(
            select(Attendance).where(Attendance.player_id == harness.people["Alice"])
        ):
            row.at -= timedelta(days=row.phase_number)
    assert worst < newest_missed < figure(harness, "Alice")[0]
