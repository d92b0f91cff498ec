"""Results that directors type: doubtful points, pairings that wait, corrections of what was paired
from them, and the end.
"""

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner
from sqlmodel import select

from adjudicator.cli import sealed
from adjudicator.play.tournaments.formats import Format, KnockOut, RoundRobin, Swiss
from adjudicator.play.tournaments.replay import read_tournament, replay_tournament
from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.tables import Letter, Match, PhaseRow
from adjudicator.service.tournaments import advancing, entering, making, records, showing, standing
from adjudicator.service.tournaments.results import deciding
from adjudicator.service.tournaments.results.deciding import Doubtful, decide_table
from adjudicator.service.tournaments.showing import TournamentPage
from adjudicator.service.views import match_list
from adjudicator.service.views.records import tournament_record
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.harness import Harness
from tests.service.tournament_play import (
    DIRECTOR,
    advance,
    be_killed,
    begun,
    decide_round,
    matches,
    notes,
    play_match,
    row,
    swept,
    tables,
    take_steps,
)

FOUR = (ALICE, BOB, CHARLIE, MALLORY)
DAY = 24
WHEN = ("before", "after")


def decide(harness: Harness, uid: str, place: tuple[int, int], *points: str, **more: Any) -> None:
    """Have the director decide a table, sure of the points."""
    given = {"reason": "misread", "now": harness.now} | more
    decide_table(harness.database, uid, harness.player(DIRECTOR), place, points, **given)


def page(harness: Harness, uid: str, number: int | None = None) -> TournamentPage:
    """Return the page that the director sees."""
    with harness.database.read_tx() as session:
        return showing.read_page(
            session, uid, harness.player(DIRECTOR), now=harness.now, number=number
        )


def rounds(harness: Harness, uid: str) -> int:
    """Return how many rounds are paired."""
    return max((table.round_number for table in tables(harness, uid)), default=0)


def file_of(harness: Harness, uid: str) -> dict[str, Any]:
    """Return the tournament's file, which draws all of its rounds again."""
    with harness.database.read_tx() as session:
        plain = json.loads(json.dumps(tournament_record.read_tournament(session, uid)))
    assert replay_tournament(read_tournament(plain)).differences == ()
    return plain  # type: ignore[no-any-return]  # a file is a dict


def letters(harness: Harness) -> list[tuple[str, str, str]]:
    """Return the address, title and text of the letters about tournaments that wait, and take them
    away.
    """
    found = [each for each in harness.claim_waiting() if each.kind == "tournament"]
    with harness.database.write_tx() as session:
        for each in found:
            session.delete(session.get_one(Letter, each.id))
    return [
        (
            each.address,
            str(each.context["title"]),
            " ".join(cast("list[str]", each.context["lines"])),
        )
        for each in found
    ]


# --- doubtful points


def test_points_outside_of_the_scoring_count_only_once_the_director_is_sure_of_them(
    harness: Harness,
) -> None:
    uid = begun(harness, ALICE, BOB)
    for points in (("10", "0"), ("-3", "4"), ("999999", "0"), ("5", "5"), ("0", "0"), ("1/2", "1")):
        with pytest.raises(Doubtful, match="1 point, shared by all in the first place"):
            decide(harness, uid, (1, 1), *points)
        with pytest.raises(Doubtful):
            decide(harness, uid, (1, 1), *points, sure="1 : 0")
    assert tables(harness, uid)[0].scored_at is None
    decide(harness, uid, (1, 1), "0", "0", sure="0 : 0", reason="nobody came")
    assert tables(harness, uid)[0].points == ["0", "0"]


# --- the file


def test_a_file_of_rules_that_are_not_known_here_is_refused_with_a_sentence(
    harness: Harness, tmp_path: Path
) -> None:
    uid = begun(harness, ALICE, BOB)
    decide(harness, uid, (1, 1), "1", "0")
    plain = file_of(harness, uid)
    (top, *others), (first,) = plain["standings"], plain["rounds"]
    newer, older = (
        {"rounds": [{**plain["rounds"][0], "pairing_version": version}]} for version in (99, -1)
    )
    cases: tuple[tuple[dict[str, Any], int, str], ...] = (
        ({}, 0, "Not compared: the anchors"),
        ({"tie_breaks": ["luck"]}, 2, "“luck” is no tie break known here; there are opponents, "),
        (
            newer,
            2,
            "Round 1 was paired by version 99 of the rules, of which this program knows 1 to ",
        ),
        (older, 2, "Round 1 was paired by version -1 of the rules"),
        ({"format": "luck"}, 2, "“luck” is no format"),
        # damaged, or read in part
        ({"moon": "full"}, 0, "Not read, as no round follows from it: name, game"),
        ({"moon": "full"}, 0, "wait_hours, season"),
        ({"moon": "full"}, 0, ", moon, entrants: name, rounds: paired_at"),
        ({"rounds": [{**first, "sitting_out": [99]}]}, 2, "Round 1 has an entrant 99, whom"),
        ({"rounds": [{**first, "sitting_out": [1]}]}, 2, "Somebody sits twice in round 1."),
        ({"rounds": [{**first, "tables": [{"entrants": [1, 1]}]}]}, 2, "sits twice in round 1."),
        (
            {"format": "knock-out", "policies": {}, "rounds": [{**first, "order": [1, None]}]},
            2,
            "The tables of round 1 are not those of its bracket.",
        ),
        ({"standings": [{**top, "tie_breaks": ["7"]}, *others]}, 1, "The standings are not"),
        ({"standings": [{**top, "tables": 7}, *others]}, 1, "The standings are not"),
        ({"format": "league", "policies": {"size": 2, "sizes": []}}, 2, "Choose the seats of"),
        ({"format": "x" * 9000, "name": "y" * 9000}, 2, "is no format"),
    )
    for change, code, told in cases:
        (tmp_path / "file.json").write_text(json.dumps(plain | change))
        done = CliRunner().invoke(sealed, ["replay", str(tmp_path / "file.json")])
        assert (done.exit_code, type(done.exception)) in (
            (0, type(None)),
            (code, SystemExit),
        ), (change, done.exception)
        assert done.exit_code == code and told in done.stderr, (change, done.stderr)


# --- waiting


def test_a_pairing_waits_for_the_director_after_a_typed_result_and_for_nobody_else(
    harness: Harness,
) -> None:
    for case, format_, act in (
        ("the hours are over", RoundRobin(), "wait"),
        ("a director lets it go on", RoundRobin(), "go on"),
        ("of the last round", KnockOut(), "wait"),
        ("the hours are set to none", RoundRobin(), "set"),
    ):
        people = FOUR if not isinstance(format_, KnockOut) else FOUR[:2]
        uid, dora = (
            begun(harness, *people, format_=format_, wait_hours=24),
            harness.player(DIRECTOR),
        )
        for number in range(1, len(people) // 2 + 1):
            decide(harness, uid, (1, number), "1", "0")
        advance(harness, uid)
        assert uid not in swept(harness) and (rounds(harness, uid), row(harness, uid).status) == (
            1,
            "running",
        ), case
        assert page(harness, uid).waits_until == harness.now + timedelta(hours=24), case
        if act == "wait":
            harness.later(hours=DAY)
        elif act == "go on":
            deciding.go_on(harness.database, uid, dora, now=harness.now)
        else:
            deciding.set_wait(harness.database, uid, dora, 0, now=harness.now)
        assert uid in swept(harness), case
        advance(harness, uid)
        assert rounds(harness, uid) == 2 or row(harness, uid).status == "ended", case


def test_what_the_service_adjudicated_waits_for_nobody(harness: Harness) -> None:
    uid = begun(harness, *FOUR, wait_hours=24)
    for match in matches(harness, uid).values():
        play_match(harness, match.uid)
    advance(harness, uid)
    assert rounds(harness, uid) == 2


def test_who_lets_a_round_go_on_has_to_direct_it_and_to_have_seen_the_last_result(
    harness: Harness,
) -> None:
    uid, dora = begun(harness, *FOUR, wait_hours=24), harness.player(DIRECTOR)
    with pytest.raises(NotNow, match="No round waits"):
        deciding.go_on(harness.database, uid, dora, now=harness.now)
    decide(harness, uid, (1, 1), "1", "0")
    seen = (row(harness, uid).waits_until or harness.now).isoformat()
    harness.later(hours=1)
    decide(harness, uid, (1, 2), "1", "0")
    with pytest.raises(NotAllowed, match="Only a director"):
        deciding.go_on(harness.database, uid, harness.player(ALICE), now=harness.now)
    with pytest.raises(NotNow, match="decided since you looked"):
        deciding.go_on(harness.database, uid, dora, seen=seen, now=harness.now)
    for hours in (-1, 337):
        with pytest.raises(Refused, match="waits 0 to 336 hours"):
            deciding.set_wait(harness.database, uid, dora, hours, now=harness.now)
    deciding.set_wait(harness.database, uid, dora, 48, now=harness.now)
    assert row(harness, uid).waits_until == harness.now + timedelta(hours=48)
    deciding.go_on(harness.database, uid, dora, now=harness.now)
    assert notes(harness)[-1] == "Dora let the next round be paired"


# --- corrections


@pytest.mark.parametrize("format_", [KnockOut(), Swiss(3)], ids=["knock-out", "swiss"])
def test_a_round_of_which_no_phase_has_closed_is_paired_again_from_the_corrected_result(
    harness: Harness, format_: Format
) -> None:
    uid = begun(harness, *FOUR, format_=format_)
    decide_round(harness, uid, 1)
    advance(harness, uid)
    first = [table.entrants for table in tables(harness, uid) if table.round_number == 2]
    ended = [match for (number, _), match in matches(harness, uid).items() if number == 2]
    letters(harness)
    decide(harness, uid, (1, 1), "0", "1")
    assert swept(harness) == [uid]
    advance(harness, uid)
    now = [table.entrants for table in tables(harness, uid) if table.round_number == 2]
    winner = tables(harness, uid)[0].entrants[1]
    assert now != first and (any(winner in table for table in now))
    with harness.database.read_tx() as session:
        stopped = [session.get_one(Match, match.id) for match in ended]
        assert {(match.stopped_why, match.rated) for match in stopped} == {("master", False)}
    for match in ended:
        assert harness.close(match.uid)
    assert [each["entrants"] for each in file_of(harness, uid)["voided"][0]["tables"]] == first
    shown = page(harness, uid).shown
    assert (
        shown is not None
        and [len(void.tables) for void in shown.voids] == [len(first)]
        and not shown.outdated
    )
    told = letters(harness)
    corrected = [(title, text) for _, title, text in told if title == "A result was corrected"]
    assert len(corrected) == 4 and all(
        "Round 2 is paired again from the corrected result" in text for _, text in corrected
    )
    assert sum(title == "Round 2 is paired again" for _, title, _ in told) == 4
    assert swept(harness) == [] and advance(harness, uid) == ()
    decide(harness, uid, (1, 1), "1", "0", reason="it was right")
    advance(harness, uid)
    assert [table.entrants for table in tables(harness, uid) if table.round_number == 2] == first, (
        "from the same element"
    )
    assert len(file_of(harness, uid)["voided"]) == 2


def test_a_worker_killed_beside_a_correction_pairs_again_and_tells_it_once(
    harness: Harness,
) -> None:
    uid = begun(harness, *FOUR, format_=KnockOut())
    decide_round(harness, uid, 1)
    advance(harness, uid)
    letters(harness)
    points = [f"{what}.{when}_commit" for what in ("recheck", "decision") for when in WHEN]
    for voided, point in enumerate(points, 1):
        decide(harness, uid, (1, 1), *("01" if voided % 2 else "10"), reason=point)
        be_killed(harness, uid, point)
        assert swept(harness) == ([] if point == "decision.after_commit" else [uid]), point
        advance(harness, uid)
        assert len(file_of(harness, uid)["voided"]) == voided, point
        winner = tables(harness, uid)[0].entrants[voided % 2]
        final = next(table for table in tables(harness, uid) if table.round_number == 2)
        assert winner in final.entrants, point
        titles = Counter(title for _, title, _ in letters(harness))
        assert titles["A result was corrected"] == titles["Round 2 is paired again"] == 4, point
        assert swept(harness) == [], point


def test_a_match_of_a_void_pairing_that_had_not_begun_says_why(harness: Harness) -> None:
    uid = begun(harness, *FOUR, format_=KnockOut())
    decide_round(harness, uid, 1)
    (made,) = take_steps(harness, uid)
    decide(harness, uid, (1, 1), "0", "1")
    advance(harness, uid)
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, made)
        seat, *_ = rows.seats_of(session, match)
        (card,) = [
            each
            for each in match_list.match_cards(session, seat.player_id or 0)
            if each.uid == made
        ]
    assert (
        match.status == "expired"
        and "paired again" in rows.why_not_open(match)
        and "paired again" in card.never_began
    )


def test_a_round_that_has_begun_stands_and_the_page_says_so(harness: Harness) -> None:
    for case in ("a phase has closed", "a table has a result"):
        uid = begun(harness, *FOUR, format_=KnockOut())
        decide_round(harness, uid, 1)
        advance(harness, uid)
        final = next(table for table in tables(harness, uid) if table.round_number == 2)
        if case == "a phase has closed":
            with harness.database.write_tx() as session:
                opened = select(PhaseRow).where(PhaseRow.match_id == matches(harness, uid)[2, 1].id)
                session.exec(opened.where(PhaseRow.number == 1)).one().closed_at = (
                    harness.now + timedelta(hours=1)
                )
        else:
            decide(harness, uid, (2, 1), "1", "0", now=harness.now)
        letters(harness)
        decide(harness, uid, (1, 1), "0", "1")
        advance(harness, uid)
        assert (
            next(table for table in tables(harness, uid) if table.round_number == 2).entrants
            == final.entrants
        ), case
        shown = page(harness, uid, 2).shown
        assert shown is not None and shown.outdated and not shown.voids, case
        assert file_of(harness, uid)["rounds"][1]["outdated"], case
        corrected = [
            text for _, title, text in letters(harness) if title == "A result was corrected"
        ]
        assert corrected and all(
            "Round 2 had begun before the correction, so it stands" in text for text in corrected
        ), case


def test_a_correction_that_gives_the_same_round_changes_no_round(harness: Harness) -> None:
    for format_ in (RoundRobin(), Swiss(3)):
        uid = begun(harness, *FOUR, format_=format_)
        decide_round(harness, uid, 1)
        advance(harness, uid)
        made = {match.uid for match in matches(harness, uid).values()}
        for points in (("0", "1"), ("1", "0")):  # and back before the worker looks
            decide(harness, uid, (1, 1), *points)
        if isinstance(format_, RoundRobin):
            decide(harness, uid, (1, 1), "0", "1")
        advance(harness, uid)
        again = file_of(harness, uid)
        assert not any(each["outdated"] for each in again["rounds"]) and not again["voided"], (
            format_
        )
        assert {match.uid for match in matches(harness, uid).values()} == made, format_


# --- the end


def test_results_are_provisional_for_seven_days_and_then_final(harness: Harness) -> None:
    uid = begun(harness, ALICE, BOB, format_=RoundRobin())
    decide(harness, uid, (1, 1), "1", "0")
    letters(harness)
    advance(harness, uid)
    assert row(harness, uid).status == "ended" and page(
        harness, uid
    ).final_at == harness.now + timedelta(days=7)
    assert all(
        "provisional until" in text
        for _, title, text in letters(harness)
        if title == "The tournament is over"
    )
    harness.later(days=6)
    decide(harness, uid, (1, 1), "0", "1")
    assert swept(harness) == [uid]
    advance(harness, uid)
    assert row(harness, uid).status == "ended" and swept(harness) == []
    told = letters(harness)
    assert [title for _, title, _ in told] == ["A result was corrected"] * 2 and all(
        "provisional until" in text for *_, text in told
    )
    with harness.database.read_tx() as session:
        best = standing.list_standings(session, uid)[0]
    assert best.number == tables(harness, uid)[0].entrants[1] and file_of(harness, uid)["final_at"]
    harness.later(days=1)
    with pytest.raises(NotNow, match="are final"):
        decide(harness, uid, (1, 1), "1", "0")
    assert page(harness, uid).final_at is None


def test_a_tournament_that_was_ended_gets_no_more_results(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    decide(harness, uid, (1, 1), "1", "0")
    advancing.end_tournament(
        harness.database, uid, harness.player(DIRECTOR), "no time", now=harness.now
    )
    with pytest.raises(NotNow, match="ended without a result of that table"):
        decide(harness, uid, (1, 2), "1", "0")


# --- the letters


def test_a_decided_result_is_told_to_the_table_and_a_correction_to_whose_place_changed(
    harness: Harness,
) -> None:
    uid = begun(harness, *FOUR, "Emil", format_=Swiss(2), wait_hours=24)
    letters(harness)
    numbers = tables(harness, uid)[0].entrants
    with harness.database.read_tx() as session:
        names = standing.entrant_names(session, records.find_tournament(session, uid), inside=True)
    decide(harness, uid, (1, 1), "1", "0", reason="both agreed")
    advance(harness, uid)
    told = letters(harness)
    one, other = (names[number] for number in numbers)
    assert len(told) == 2 and {title for _, title, _ in told} == {"A result was decided"}
    said = (
        f"A director decided table 1 of round 1: {one} 1 and {other} 0. The reason: both"
        " agreed. You"
    )
    assert all(
        text.startswith(said) and "The next round is not paired before Tue" in text
        for *_, text in told
    ), told
    decide(harness, uid, (1, 1), "0", "1")
    advance(harness, uid)
    told = letters(harness)
    assert {title for _, title, _ in told} == {"A result was corrected"} and len(told) == 2, (
        "nobody else changed place"
    )
    assert f"{one} 0 and {other} 1. Before it was {one} 1 and {other} 0." in told[0][2]
    assert swept(harness) == []


def test_who_cannot_direct_it_decides_nothing(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    making.add_director(
        harness.database, uid, harness.player(DIRECTOR), harness.player(ALICE), now=harness.now
    )
    entering.leave(harness.database, uid, harness.player(ALICE), now=harness.now)
    own = next(table for table in tables(harness, uid) if 1 in table.entrants)
    with pytest.raises(NotAllowed, match="You play at this table"):
        decide_table(
            harness.database,
            uid,
            harness.player(ALICE),
            (1, own.number),
            ("1", "0"),
            reason="mine",
            now=harness.now,
        )
