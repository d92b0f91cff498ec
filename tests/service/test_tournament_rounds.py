"""How the worker runs a tournament: one that is killed, tables that stall, seats that fall silent,
letters, and many entrants.
"""

import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.play.tournaments.formats import Format, RoundRobin, Swiss
from adjudicator.play.tournaments.replay import read_tournament, replay_tournament
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.tables import Letter, Match, PhaseRow, Player, TournamentEntry
from adjudicator.service.handover import sweeping
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.tournaments import advancing, entering, making, records, rounds, stalling
from adjudicator.service.tournaments.results.deciding import decide_table
from adjudicator.service.views.records import tournament_record
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.harness import Harness
from tests.sampling import sample
from tests.service.changing_hands import notes as match_notes
from tests.service.tournament_play import (
    DIRECTOR,
    QUICK,
    add_bots,
    advance,
    be_killed,
    begun,
    decide_round,
    entered,
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
POINTS = [
    f"{what}.{when}_commit"
    for what in ("results", "round", "tables", "told")
    for when in ("before", "after")
]


def tournament_letters(harness: Harness) -> list[LetterToSend]:
    """Claim the letters about tournaments that wait, but for those to the director."""
    return [
        each
        for each in harness.claim_waiting()
        if each.kind == "tournament" and each.address != address(DIRECTOR)
    ]


def count_letters(harness: Harness) -> Counter[str]:
    """Count the letters about tournaments by address, but for those to the director."""
    with harness.database.read_tx() as session:
        return Counter(
            session.exec(
                select(Letter.address).where(
                    Letter.kind == "tournament", Letter.address != address(DIRECTOR)
                )
            )
        )


# --- killed, repeated


@pytest.mark.parametrize("point", sample(POINTS, 2))
def test_a_worker_killed_at_any_commit_pairs_and_tells_each_round_once(
    harness: Harness, point: str
) -> None:
    uid = begun(harness, *FOUR, format_=Swiss(2))
    for match in matches(harness, uid).values():
        play_match(harness, match.uid)
    be_killed(harness, uid, point)
    left = [] if point == "told.after_commit" else [uid]
    assert swept(harness) == left, "the sweep finds what is left"
    take_steps(harness, uid)
    assert [(table.round_number, table.number) for table in tables(harness, uid)] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
    ]
    with harness.database.read_tx() as session:
        of_tables = Counter(session.exec(select(Match.table_id)))
    assert set(of_tables.values()) == {1} and len(of_tables) == 4
    assert count_letters(harness) == Counter({address(who): 2 for who in FOUR})


def test_a_task_that_stops_after_each_step_does_the_same_as_one_that_goes_on(
    harness: Harness,
) -> None:
    uid = entered(harness, *FOUR)
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    made: list[str] = []
    for _ in range(12):
        for step, found in enumerate(
            advancing.advance_steps(harness.database, harness.keyring, uid, now=harness.now)
        ):
            made += found
            if step:
                break
    assert len(made) == 2 and count_letters(harness) == Counter({address(who): 1 for who in FOUR})
    assert swept(harness) == []


def test_a_round_is_drawn_again_if_somebody_left_meanwhile(harness: Harness) -> None:
    uid = entered(harness, *FOUR)
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    with harness.database.read_tx() as session:
        position = rounds.find_position(
            session, records.find_tournament(session, uid), now=harness.now
        )
    assert position is not None and position.entrants == (1, 2, 3, 4)
    entering.leave(harness.database, uid, harness.player(BOB), now=harness.now)
    with harness.database.write_tx() as session:
        tournament = records.lock_tournament(session, uid)
        assert not rounds.write_round(
            session, tournament, position, None, harness.keyring, now=harness.now
        )
    advance(harness, uid)
    assert [table.entrants for table in tables(harness, uid) if 2 in table.entrants] == []
    assert len(tables(harness, uid)) == 1 and row(harness, uid).status == "running"


def test_a_round_keeps_what_it_was_paired_from_after_a_correction(harness: Harness) -> None:
    uid = begun(harness, *FOUR, format_=Swiss(3))
    decide_round(harness, uid, 1)
    advance(harness, uid)
    decide_table(
        harness.database,
        uid,
        harness.player(DIRECTOR),
        (1, 1),
        ("0", "1"),
        reason="misread",
        now=harness.now,
    )
    decide_round(harness, uid, 2)
    advance(harness, uid)
    with harness.database.read_tx() as session:
        _, second, third = records.rounds_of(
            session, records.find_tournament(session, uid), whole=True
        )
        kept = records.paired_from(session, records.find_tournament(session, uid))
    new = [
        {"round": number, "table": table, "points": ["1", "0"]}
        for number in (1, 2)
        for table in (1, 2)
    ]
    assert (second.entrants, second.changes) == ([1, 2, 3, 4], new[:2])
    assert third.changes == [
        new[0] | {"points": ["0", "1"]},
        *new[2:],
    ], "of the first round the corrected result alone"
    assert json.loads(json.dumps(kept)) == [
        [],
        [[["1", "0"]] * 2],
        [[["0", "1"], ["1", "0"]], [["1", "0"]] * 2],
    ]


def test_rounds_that_kept_all_results_go_on_and_are_drawn_again(harness: Harness) -> None:
    uid = begun(harness, *FOUR, format_=Swiss(4))
    for number in (1, 2, 3):
        decide_round(harness, uid, number)
        advance(harness, uid)
        if number < 3:
            keep_all_results(harness, uid, number + 1)
    decide_table(
        harness.database,
        uid,
        harness.player(DIRECTOR),
        (1, 1),
        ("0", "1"),
        reason="misread",
        now=harness.now,
    )
    with harness.database.read_tx() as session:
        plain = tournament_record.read_tournament(session, uid)
        third = records.rounds_of(session, records.find_tournament(session, uid), whole=True)[2]
    assert replay_tournament(read_tournament(plain)).differences == ()
    assert third.results and [len(each["changes"]) for each in plain["rounds"]] == [0, 2, 2, 2]


def keep_all_results(harness: Harness, uid: str, number: int) -> None:
    """Turn a round into one of the release that kept all earlier results with each."""
    with harness.database.write_tx() as session:
        tournament = records.lock_tournament(session, uid)
        known = records.paired_from(session, tournament)[number - 1]
        old = records.rounds_of(session, tournament, whole=True)[number - 1]
        old.results, old.changes = json.loads(json.dumps(known)), None


# --- who stalls


def test_open_matches_end_as_they_are_when_the_days_of_a_round_are_over(harness: Harness) -> None:
    uid = begun(harness, *FOUR, round_days=1, stalled="adjudge")
    play_match(harness, matches(harness, uid)[1, 1].uid)  # a default takes 49 hours
    assert swept(harness) == [uid]
    advance(harness, uid)
    [left] = [match for match in matches(harness, uid).values() if match.status == "running"]
    assert left.stopped_why == "master" and match_notes(harness, left.uid)[-1].startswith(
        "the service ended the match"
    )
    assert harness.close(left.uid)
    advance(harness, uid)
    assert all(table.scored_at for table in tables(harness, uid) if table.round_number == 1)
    assert any(
        "end without a result of table 2; they are adjudged as they are" in note
        for note in notes(harness)
    )
    assert (
        max(table.round_number for table in tables(harness, uid)) == 2
        and not row(harness, uid).adjudging
    )


def test_without_that_choice_the_end_of_the_days_is_noted_once(harness: Harness) -> None:
    uid = begun(harness, *FOUR, round_days=1)
    harness.later(days=1)
    assert swept(harness) == [uid] and advance(harness, uid) == () and swept(harness) == []
    assert (
        notes(harness)[-1]
        == "the service saw the days of round 1 end without a result of tables 1 and 2"
    )
    assert [match.stopped_why for match in matches(harness, uid).values()] == [None, None]


def test_two_directors_close_a_round_once(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    making.add_director(
        harness.database, uid, harness.player(DIRECTOR), harness.player(ALICE), now=harness.now
    )
    for why in ("the term ends", "twice"):
        stalling.close_round(
            harness.database, uid, harness.player(DIRECTOR), why, number=1, now=harness.now
        )
    with pytest.raises(NotNow, match="is being closed already"):
        stalling.close_round(
            harness.database, uid, harness.player(ALICE), "so it does", number=1, now=harness.now
        )
    with pytest.raises(NotAllowed, match="Only a director"):
        stalling.close_round(
            harness.database, uid, harness.player(BOB), "no", number=1, now=harness.now
        )
    with pytest.raises(Refused, match="reason"):
        stalling.close_round(
            harness.database, uid, harness.player(DIRECTOR), " ", number=1, now=harness.now
        )
    with pytest.raises(NotNow, match="over already"):
        stalling.close_round(
            harness.database, uid, harness.player(DIRECTOR), "late", number=2, now=harness.now
        )
    assert (
        notes(harness)[-1]
        == "Dora closed round 1 without a result of tables 1 and 2: the term ends"
    )
    advance(harness, uid)
    for match in matches(harness, uid).values():
        note = match_notes(harness, match.uid)[-1]
        assert note.startswith("Dora ended the match in ") and note.endswith(
            ": the round of the tournament is over"
        )
        assert harness.close(match.uid)
    advance(harness, uid)
    assert {table.round_number for table in tables(harness, uid)} == {1, 2} and not row(
        harness, uid
    ).adjudging


def test_who_plays_an_open_match_does_not_close_its_round(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    making.add_director(
        harness.database, uid, harness.player(DIRECTOR), harness.player(ALICE), now=harness.now
    )
    with pytest.raises(NotAllowed, match="another director"):
        stalling.close_round(
            harness.database, uid, harness.player(ALICE), "I lead", number=1, now=harness.now
        )
    assert not row(harness, uid).adjudging


def test_rounds_keep_the_zone_in_which_their_hours_were_chosen(harness: Harness) -> None:
    harness.player(DIRECTOR, zone="Europe/Paris")
    uid = begun(
        harness, ALICE, BOB, format_=Swiss(2), matches=replace(QUICK, timetable="Mon Thu 18:00")
    )
    with harness.database.write_tx() as session:
        session.get_one(Player, harness.player(DIRECTOR)).zone = "Asia/Tokyo"
    [first] = matches(harness, uid).values()
    assert first.timetable is not None and "Europe/Paris" in first.timetable
    assert row(harness, uid).wish["timetable"] == first.timetable


def test_a_timetable_that_was_accepted_serves_all_rounds(harness: Harness) -> None:
    timed = replace(QUICK, timetable="every 7 days; not 2027-01-10 to 2028-01-08")
    uid = begun(harness, ALICE, BOB, format_=Swiss(2), matches=timed)
    harness.later(days=64)
    with pytest.raises(Refused, match="more than 366 days from now"):
        harness.prepare_match(replace(timed, name="today"), ALICE)
    decide_table(
        harness.database,
        uid,
        harness.player(DIRECTOR),
        (1, 1),
        ("1", "0"),
        reason="away",
        now=harness.now,
    )
    assert len(advance(harness, uid)) == 1 and swept(harness) == []
    with harness.database.read_tx() as session:
        deadlines = session.exec(
            select(PhaseRow.deadline).where(PhaseRow.match_id == matches(harness, uid)[2, 1].id)
        ).all()
    assert max(each for each in deadlines if each is not None).date().isoformat() == "2028-01-09"


def test_overtime_that_was_accepted_is_half_of_a_phase_that_became_shorter(
    harness: Harness,
) -> None:
    timed = replace(
        QUICK, timetable="Mon 18:00; not 2026-11-05 to 2027-09-01", overtime_minutes=10 * 24 * 60
    )
    uid = begun(harness, ALICE, BOB, format_=Swiss(2), matches=timed)
    harness.later(days=365)
    decide_table(
        harness.database,
        uid,
        harness.player(DIRECTOR),
        (1, 1),
        ("1", "0"),
        reason="away",
        now=harness.now,
    )
    advance(harness, uid)
    first, second = matches(harness, uid).values()
    assert (
        first.overtime_seconds == 10 * 86_400
        and second.overtime_seconds == second.every_seconds // 2 == 302_400
    )


# --- seats that fall silent


@pytest.mark.parametrize("stalled", ["bot", "substitute", "wait"])
def test_a_silent_seat_goes_to_a_bot_where_that_was_chosen(harness: Harness, stalled: str) -> None:
    long = replace(QUICK, options={"turn_limit": 30})
    uid = begun(harness, ALICE, BOB, stalled=stalled, matches=long)
    [match] = matches(harness, uid).values()
    for _ in range(7):
        harness.later(hours=49)
        harness.close(match.uid)
        sweeping.tend_seats(harness.database, match.uid, now=harness.now)
    with harness.database.read_tx() as session:
        sitting = [session.get_one(Player, seat.player_id) for seat in harness.seats(match.uid)]
    assert any(player.house for player in sitting) == (stalled == "bot")
    assert any(seat.open_since for seat in harness.seats(match.uid)) == (stalled == "substitute")


def test_rounds_that_adjudge_need_their_days(harness: Harness) -> None:
    wish = making.TournamentWish("Autumn", RoundRobin(), QUICK, stalled="adjudge")
    with pytest.raises(Refused, match="Give a round its days"):
        making.make_tournament(harness.database, harness.player(DIRECTOR), wish, now=harness.now)


# --- letters


def test_everybody_gets_a_letter_as_it_begins_after_each_round_and_at_its_end(
    harness: Harness,
) -> None:
    bots = add_bots(harness, 1)
    [bot] = [name for name, player in harness.people.items() if player in bots]
    uid = begun(harness, ALICE, BOB, bot)
    first = {each.address: each for each in tournament_letters(harness)}
    assert set(first) == {address(ALICE), address(BOB)}, "house bots read no letters"
    assert all(each.context["title"] == "The tournament has begun" for each in first.values())
    anchors = row(harness, uid).anchors or {}
    assert first[address(ALICE)].context["anchor"] == anchors["public"]
    told = " ".join(str(line) for each in first.values() for line in each.context["lines"])  # type: ignore[attr-defined]  # JSON
    assert "In round 1 you meet" in told
    play_round(harness, uid)
    told_to_alice = [each for each in tournament_letters(harness) if each.address == address(ALICE)]
    second = next(each for each in told_to_alice if each.context["title"] == "Round 1 is over")
    assert second.context["cross"] is True
    assert [rank["name"] for rank in second.context["ranks"] if rank.get("you")] == [ALICE]  # type: ignore[attr-defined]  # JSON
    while row(harness, uid).status == "running":
        play_round(harness, uid)
    last = tournament_letters(harness)
    assert {each.context["title"] for each in last} >= {"The tournament is over"}
    assert row(harness, uid).status == "ended" and count_letters(harness)[address(ALICE)] == 4


def test_who_left_or_wants_no_letters_gets_none(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    entering.leave(harness.database, uid, harness.player(BOB), now=harness.now)
    with harness.database.write_tx() as session:
        session.get_one(Player, harness.player(CHARLIE)).letters = False
    before = count_letters(harness)
    play_round(harness, uid)
    assert {who for who, number in count_letters(harness).items() if number > before[who]} == {
        address(ALICE),
        address(MALLORY),
    }


def test_a_tournament_of_one_ends_with_a_letter_and_its_chance(harness: Harness) -> None:
    uid = entered(harness, ALICE, closes_at=harness.now + timedelta(hours=1))
    harness.later(hours=1)
    advance(harness, uid)
    assert row(harness, uid).status == "ended" and row(harness, uid).opened_chains
    [letter] = tournament_letters(harness)
    assert letter.context["title"] == "The tournament is over"


def test_only_who_shows_a_page_is_named_in_public(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    show(harness, ALICE)
    for who in (ALICE, BOB):
        entering.leave(harness.database, uid, harness.player(who), now=harness.now)
    assert notes(harness)[-2:] == ["Alice left the tournament", "Entrant 2 left the tournament"]


def test_letters_that_a_killed_worker_left_are_written_before_the_next_round_is_paired(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = entered(harness, *FOUR, format_=Swiss(2))
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    with monkeypatch.context() as killed:
        killed.setattr(advancing, "write_letters", lambda *_, **__: 0)
        advance(harness, uid)
    for number in (1, 2):
        decide_table(
            harness.database,
            uid,
            harness.player(DIRECTOR),
            (1, number),
            ("1", "0"),
            reason="away",
            now=harness.now,
        )
    advance(harness, uid)
    assert count_letters(harness) == Counter({address(who): 3 for who in FOUR}), (
        "with one of the decided table"
    )


# --- many


@pytest.mark.parametrize("format_", [Swiss(2), RoundRobin()], ids=type)
def test_odd_numbers_and_many_tables_are_paired_in_short_transactions(
    harness: Harness, format_: Format
) -> None:
    uid = entered(harness, *FOUR, format_=format_)
    count = 2 * advancing.MOST_AT_ONCE + 5
    with harness.database.write_tx() as session:
        tournament = records.lock_tournament(session, uid)
        for number in range(5, count + 1):
            player = Player(
                name=f"P{number}", address=f"p{number}@example.org", made_at=harness.now
            )
            session.add(player)
            session.flush()
            session.add(
                TournamentEntry(
                    tournament_id=tournament.id or 0,
                    player_id=player.id or 0,
                    number=number,
                    entered_at=harness.now,
                )
            )
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    steps = [
        len(made)
        for made in advancing.advance_steps(harness.database, harness.keyring, uid, now=harness.now)
    ]
    assert max(steps) == advancing.MOST_AT_ONCE and sum(steps) == count // 2
    assert len(count_letters(harness)) == count and swept(harness) == []
    with harness.database.read_tx() as session:
        [first] = records.rounds_of(session, records.find_tournament(session, uid), whole=True)
    assert len(first.sitting_out) == 1 and first.changes == []
