"""Tournaments from their making to their standings."""

from collections import Counter
from datetime import timedelta
from fractions import Fraction

import pytest

from adjudicator.core import chance
from adjudicator.core.chance import Setting
from adjudicator.play.tournaments.formats import (
    MOST_ROUNDS,
    Format,
    KnockOut,
    Mixer,
    RoundRobin,
    Swiss,
    count_rounds,
)
from adjudicator.play.tournaments.pairing import pair_round
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.tables import Match
from adjudicator.service.matches.creation import Wish
from adjudicator.service.tournaments import advancing, entering, making, records, standing
from adjudicator.service.tournaments.results.deciding import decide_table
from tests.asked import asking
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.harness import Harness
from tests.service.test_races import at_once
from tests.service.tournament_play import (
    DIRECTOR,
    QUICK,
    add_bots,
    advance,
    begun,
    entered,
    made,
    matches,
    notes,
    play_match,
    play_round,
    row,
    show,
    swept,
    tables,
    take_steps,
)

FOUR = (ALICE, BOB, CHARLIE, MALLORY)


def leave(harness: Harness, uid: str, who: str) -> str:
    return entering.leave(harness.database, uid, harness.player(who), now=harness.now)


def close(harness: Harness, uid: str, who: str = DIRECTOR) -> None:
    entering.close_entries(harness.database, uid, harness.player(who), now=harness.now)


def standings(harness: Harness, uid: str) -> tuple[standing.EntryStanding, ...]:
    with harness.database.read_tx() as session:
        return standing.list_standings(session, uid, inside=True)


def decide(
    harness: Harness,
    uid: str,
    place: tuple[int, int],
    *points: str,
    who: str = DIRECTOR,
    reason: str = "a dispute",
) -> None:
    decide_table(
        harness.database, uid, harness.player(who), place, points, reason=reason, now=harness.now
    )


def decide_all(harness: Harness, uid: str, *points: str) -> tuple[str, ...]:
    """Decide every table without a result in this way, and have the next round paired."""
    for table in tables(harness, uid):
        if table.scored_at is None:
            decide(harness, uid, (table.round_number, table.number), *points)
    return advance(harness, uid)


# --- a whole tournament


def test_four_play_a_round_robin_of_genesis_to_its_standings(harness: Harness) -> None:
    bots = add_bots(harness, 2)
    names = [name for name, player in harness.people.items() if player in bots]
    uid = begun(harness, ALICE, BOB, *names, tie_breaks=("beaten",))
    while row(harness, uid).status == "running":
        play_round(harness, uid)
    met = Counter(frozenset(table.entrants) for table in tables(harness, uid))
    assert len(met) == 6 and set(met.values()) == {1}
    lines = standings(harness, uid)
    assert sorted(line.name for line in lines) == sorted([ALICE, BOB, *names])
    assert sum(line.total for line in lines) == 6 and all(line.tables == 3 for line in lines), (
        "one point at each table"
    )
    assert [line.total for line in lines] == sorted((line.total for line in lines), reverse=True)
    with harness.database.read_tx() as session:
        cross = standing.cross_table(session, uid, most=5, inside=True)
    assert cross is not None
    assert len(cross.cells) == 12 and list(cross.names.values()) == [ALICE, BOB, *names]
    assert all(sum(one) == 1 for cell in cross.cells.values() for one in cell)
    assert (
        swept(harness) == []
        and notes(harness)[-1] == "the service ended the tournament, which is played out"
    )


def test_matches_seat_the_paired_people_and_write_the_usual_first_letter(harness: Harness) -> None:
    uid = begun(harness, ALICE, BOB)
    [match] = matches(harness, uid).values()
    entrants = {1: ALICE, 2: BOB}
    seated = [harness.people[entrants[number]] for number in tables(harness, uid)[0].entrants]
    assert [seat.player_id for seat in harness.seats(match.uid)] == seated
    assert (match.status, match.name, match.open_seats) == (
        "running",
        "Autumn, round 1, table 1",
        False,
    )
    assert {address(ALICE), address(BOB)} <= {
        each.address for each in harness.claim_waiting() if each.kind == "report"
    }


def test_the_legs_of_a_table_exchange_seats_and_add_up(harness: Harness) -> None:
    uid = begun(harness, ALICE, BOB, legs=2)
    with harness.database.read_tx() as session:
        [table] = records.tables_of(session, records.find_tournament(session, uid))
        pair: list[Match] = records.matches_of(session, [table])[table.id or 0]
    seats = [[seat.player_id for seat in harness.seats(match.uid)] for match in pair]
    assert len(seats) == 2 and seats[0] == seats[1][::-1]
    play_match(harness, pair[0].uid)
    assert (
        advance(harness, uid) == ()
        and swept(harness) == []
        and tables(harness, uid)[0].scored_at is None
    )
    play_match(harness, pair[1].uid)
    assert swept(harness) == [uid]
    advance(harness, uid)
    assert sum(map(Fraction, tables(harness, uid)[0].points or ())) == 2


# --- chance


@pytest.mark.parametrize(
    "format_", [RoundRobin(), Swiss(3), Mixer(2, (2,)), KnockOut("draw")], ids=type
)
def test_the_published_chance_gives_the_same_rounds_again(
    harness: Harness, format_: Format
) -> None:
    uid = begun(harness, *FOUR, "Emil", format_=format_)
    anchors = row(harness, uid).anchors
    while decide_all(harness, uid, "1", "0"):
        pass
    ended = row(harness, uid)
    assert (ended.status, ended.anchors) == ("ended", anchors) and ended.opened_chains is not None
    firsts = {name: bytes.fromhex(value) for name, value in ended.opened_chains.items()}
    assert {name: chance.chain_anchor(first).hex() for name, first in firsts.items()} == anchors
    with harness.database.read_tx() as session:
        history, rounds = records.history_of(session, ended), records.rounds_of(session, ended)
    assert len(history) > 1
    for number, played in enumerate(history, 1):
        draw = chance.of_phase(firsts, Setting(uid, number)).public  # type: ignore[arg-type]  # names of streams
        assert pair_round(format_, (1, 2, 3, 4, 5), history[: number - 1], draw) == played.round
        element = bytes.fromhex(rounds[number - 1].element)
        assert chance.chain_anchor(element, number + 1).hex() == (anchors or {})["public"], (
            "each round shows its own element"
        )


def test_the_chance_is_fixed_before_anybody_can_enter_and_hidden_until_the_end(
    harness: Harness,
) -> None:
    uid = made(harness)
    with pytest.raises(NotNow, match="being set up"):
        entering.enter(harness.database, uid, harness.player(ALICE), now=harness.now)
    assert row(harness, uid).anchors is None and swept(harness) == [uid]
    advance(harness, uid)
    anchors = row(harness, uid).anchors
    assert anchors and swept(harness) == [] and row(harness, uid).opened_chains is None
    advance(harness, uid)
    assert row(harness, uid).anchors == anchors


# --- entries


def test_entries_are_numbered_and_can_be_taken_back_before_the_beginning(harness: Harness) -> None:
    uid = entered(harness, ALICE, BOB)
    assert entering.enter(harness.database, uid, harness.player(ALICE), now=harness.now) == 1, (
        "nobody enters twice"
    )
    leave(harness, uid, ALICE)
    leave(harness, uid, ALICE)
    assert [line.name for line in standings(harness, uid)] == [BOB]
    assert entering.enter(harness.database, uid, harness.player(ALICE), now=harness.now) == 3


def test_a_tournament_of_one_is_refused_with_a_sentence(harness: Harness) -> None:
    uid = entered(harness, ALICE)
    with pytest.raises(NotNow, match="needs at least 2 players; only one has entered"):
        close(harness, uid)
    assert row(harness, uid).status == "entering"


@pytest.mark.parametrize(
    ("format_", "most"),
    [
        (RoundRobin(), 200),
        (RoundRobin(10), 20),
        (RoundRobin(7), 28),
        (Swiss(50), 500),
        (KnockOut(), 500),
    ],
)
def test_as_many_can_enter_as_its_rounds_have_room_for(format_: Format, most: int) -> None:
    assert entering.most_entries(format_) == most
    assert count_rounds(format_, most) <= MOST_ROUNDS


def test_a_full_tournament_says_how_many_have_entered(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entering, "MOST_ROUNDS", 2)
    uid = entered(harness, ALICE, BOB, format_=RoundRobin(2))
    with pytest.raises(NotNow, match="full: 2 have entered"):
        entering.enter(harness.database, uid, harness.player(CHARLIE), now=harness.now)


def test_only_a_director_closes_the_entries_and_nobody_enters_later(harness: Harness) -> None:
    uid = entered(harness, ALICE, BOB)
    with pytest.raises(NotAllowed, match="Only a director"):
        close(harness, uid, ALICE)
    making.add_director(
        harness.database, uid, harness.player(DIRECTOR), harness.player(ALICE), now=harness.now
    )
    close(harness, uid, ALICE)
    close(harness, uid)
    assert notes(harness) == [
        "Dora named another director",
        "Alice became a director",
        "Alice closed the entries",
    ]
    with pytest.raises(NotNow, match="have closed"):
        entering.enter(harness.database, uid, harness.player(CHARLIE), now=harness.now)


@pytest.mark.parametrize(
    ("people", "status", "told"),
    [(FOUR, "running", "closed the entries"), (FOUR[:1], "ended", "too few")],
)
def test_entries_close_at_their_moment(
    harness: Harness, people: tuple[str, ...], status: str, told: str
) -> None:
    uid = entered(harness, *people, closes_at=harness.now + timedelta(days=2))
    assert swept(harness) == [] and advance(harness, uid) == ()
    harness.later(days=2)
    with pytest.raises(NotNow, match="have closed"):
        entering.enter(harness.database, uid, harness.player("Emil"), now=harness.now)
    assert swept(harness) == [uid] and len(advance(harness, uid)) == len(people) // 2
    assert row(harness, uid).status == status and told in notes(harness)[-1]


# --- rounds


def test_with_an_odd_number_each_sits_out_once(harness: Harness) -> None:
    uid = begun(harness, ALICE, BOB, CHARLIE)
    while decide_all(harness, uid, "1", "0"):
        pass
    with harness.database.read_tx() as session:
        out = [
            each.sitting_out
            for each in records.rounds_of(session, records.find_tournament(session, uid))
        ]
    assert sorted(out) == [[1], [2], [3]]


def test_who_leaves_midway_is_in_no_later_round(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    show(harness, BOB)
    assert "goes on" in leave(harness, uid, BOB) and leave(harness, uid, BOB)
    with pytest.raises(NotAllowed, match="did not enter"):
        leave(harness, uid, "Emil")
    while decide_all(harness, uid, "1", "0"):
        pass
    later = [table.entrants for table in tables(harness, uid) if table.round_number > 1]
    assert later and not [entrants for entrants in later if 2 in entrants]
    assert [line.name for line in standings(harness, uid) if line.left] == [BOB]
    assert [note for note in notes(harness) if "left" in note] == ["Bob left the tournament"]


def test_no_round_is_paired_while_a_table_has_no_result(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    play_match(harness, matches(harness, uid)[1, 1].uid)
    assert swept(harness) == [uid] and advance(harness, uid) == () and swept(harness) == []
    assert [table.scored_at is not None for table in tables(harness, uid)] == [True, False]


def test_of_two_who_advance_at_once_one_pairs_the_round(harness: Harness) -> None:
    uid = entered(harness, *FOUR)
    made_by: list[tuple[str, ...]] = []

    def direct() -> None:
        close(harness, uid)
        made_by.append(take_steps(harness, uid))

    at_once(direct, direct)
    assert sorted(map(len, made_by)) == [0, 2]
    assert [(table.round_number, table.number) for table in tables(harness, uid)] == [
        (1, 1),
        (1, 2),
    ]
    assert notes(harness) == ["Dora closed the entries"]


def test_a_knock_out_ranks_by_how_far_each_came(harness: Harness) -> None:
    uid = begun(harness, *FOUR, format_=KnockOut())
    while decide_all(harness, uid, "1", "0"):
        pass
    assert [line.place for line in standings(harness, uid)] == [1, 2, 3, 3] and len(
        tables(harness, uid)
    ) == 3


# --- directors


def test_a_director_adjudges_a_stalled_table_and_its_match_counts_no_more(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    decide(harness, uid, (1, 1), "1/2", "0.5", reason="both are away")
    play_round(harness, uid)
    first = tables(harness, uid)[0]
    assert (first.points, first.corrected_why, first.corrected_by) == (
        ["1/2", "1/2"],
        "both are away",
        harness.people[DIRECTOR],
    )
    assert "Dora adjudged 1/2 : 1/2 to table 1 of round 1: both are away" in notes(harness)


def test_a_corrected_result_changes_the_standings_and_no_round(harness: Harness) -> None:
    uid = begun(harness, ALICE, BOB, format_=Swiss(2))
    decide_all(harness, uid, "1", "0")
    before = tables(harness, uid)
    for _ in range(2):
        decide(harness, uid, (1, 1), "0", "1", reason="the score was read wrongly.")
    assert [table.entrants for table in tables(harness, uid)] == [
        table.entrants for table in before
    ]
    best = next(line for line in standings(harness, uid) if line.place == 1)
    assert best.number == before[0].entrants[1] and best.total == 1
    assert (
        notes(harness)[-1]
        == "Dora corrected 1 : 0 to 0 : 1 at table 1 of round 1: the score was read wrongly"
    )
    assert len(notes(harness)) == 3, "the same correction is noted once"


def test_nobody_decides_their_own_table_or_without_points_and_a_reason(harness: Harness) -> None:
    uid = begun(harness, ALICE, DIRECTOR)
    making.add_director(
        harness.database, uid, harness.player(DIRECTOR), harness.player(BOB), now=harness.now
    )
    with pytest.raises(NotAllowed, match="another director"):
        decide(harness, uid, (1, 1), "0", "1")
    with pytest.raises(NotAllowed, match="Only a director"):
        decide(harness, uid, (1, 1), "0", "1", who=CHARLIE)
    with pytest.raises(NotFound, match="no table 2 in round 1"):
        decide(harness, uid, (1, 2), "0", "1", who=BOB)
    with pytest.raises(Refused, match="reason"):
        decide(harness, uid, (1, 1), "0", "1", who=BOB, reason=" ")
    with pytest.raises(Refused, match="2 seats"):
        decide(harness, uid, (1, 1), "1", who=BOB)
    for text in ("one", "1/0", "1e9", "1/00", "", "9999999"):
        with pytest.raises(Refused, match="does not read as points"):
            decide(harness, uid, (1, 1), "0", text, who=BOB)
    assert tables(harness, uid)[0].scored_at is None


def test_a_director_ends_a_tournament_as_it_stands(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    decide(harness, uid, (1, 1), "1", "0")
    with pytest.raises(Refused, match="reason"):
        advancing.end_tournament(
            harness.database, uid, harness.player(DIRECTOR), "", now=harness.now
        )
    for _ in range(2):
        advancing.end_tournament(
            harness.database, uid, harness.player(DIRECTOR), "no time", now=harness.now
        )
    assert swept(harness) == [uid] and advance(harness, uid) == ()
    ended = row(harness, uid)
    assert (
        ended.status == "ended"
        and ended.opened_chains
        and notes(harness)[-1] == "Dora ended the tournament: no time"
    )
    assert [match.status for match in matches(harness, uid).values()] == ["running", "running"]
    assert sum(line.total for line in standings(harness, uid)) == 1
    with pytest.raises(NotNow, match="over"):
        leave(harness, uid, ALICE)


# --- the sweep


def test_tournaments_that_wait_are_found_by_indexes_alone(sqlite_url: str) -> None:
    with Harness(sqlite_url) as harness:
        with asking(harness.database) as asked:
            assert swept(harness) == []
        with harness.database.engine.connect() as connection:
            plans = [
                str(row[-1])
                for sql, values in asked
                if "FROM tournament" in sql
                for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)
            ]
    assert len([step for step in plans if "ix_tournament_due" in step]) == 3
    assert [step for step in plans if step.startswith("SCAN")] == []


# --- what is refused


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": " "}, "Give the tournament a name"),
        ({"matches": Wish("chess", "", {})}, "chess"),
        ({"matches": Wish("genesis", "", {"turn_limit": 9999})}, "turn"),
        ({"matches": Wish("genesis", "", {}, every_hours=0)}, "A phase may last"),
        ({"matches": Wish("pyramid", "", {})}, "not played by two"),
        ({"format": Swiss(2, (3,))}, "has 2 seats"),
        ({"format": Swiss(0)}, "1 to 50 rounds"),
        ({"format": RoundRobin(0)}, "1 to 10 cycles"),
        (
            {"format": Swiss(2, (7,)), "matches": Wish("diplomacy", "", {"anonymous": True})},
            "anonymous",
        ),
        ({"scoring": "sum-of-squares"}, "can be scored by wins, places or own"),
        ({"legs": 0}, "1 to 7 matches"),
        ({"round_days": 0}, "A round lasts"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused_and_leaves_nothing(
    harness: Harness, changes: dict[str, object], said: str
) -> None:
    wish = making.TournamentWish(
        **{"name": "Autumn", "format": RoundRobin(), "matches": QUICK} | changes
    )  # type: ignore[arg-type]
    with pytest.raises(Refused, match=said):
        making.make_tournament(harness.database, harness.player(DIRECTOR), wish, now=harness.now)
    assert swept(harness) == []
    with harness.database.read_tx() as session:
        assert session.get(Match, 1) is None


def test_making_a_tournament_makes_no_match(harness: Harness) -> None:
    made(harness)
    with harness.database.read_tx() as session:
        assert session.get(Match, 1) is None
