"""Leagues: divisions of a season, and the next season from its final order."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from adjudicator.play.tournaments.formats import League
from adjudicator.play.tournaments.replay import read_tournament, replay_tournament
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.base.tables import Letter, TournamentEntry
from adjudicator.service.erasure import erasing
from adjudicator.service.matches.creation import Wish
from adjudicator.service.matches.notes import list_notes
from adjudicator.service.tournaments import advancing, entering, making, records, seasons, standing
from adjudicator.service.tournaments.results.deciding import decide_table
from adjudicator.service.views.records import tournament_record
from tests.cast import address
from tests.harness import Harness
from tests.service.meeting import Meeting
from tests.service.tournament_play import (
    DIRECTOR,
    QUICK,
    advance,
    begun,
    matches,
    notes,
    row,
    swept,
    tables,
    take_steps,
)

SIX = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")


def played_out(harness: Harness, uid: str) -> None:
    """Let the entrant with the higher number win every table, to the end of the season."""
    while row(harness, uid).status == "running":
        for table in tables(harness, uid):
            if table.scored_at is None:
                points = ("1", "0") if table.entrants[0] > table.entrants[1] else ("0", "1")
                place = (table.round_number, table.number)
                decide_table(
                    harness.database,
                    uid,
                    harness.player(DIRECTOR),
                    place,
                    points,
                    reason="away",
                    now=harness.now,
                )
        advance(harness, uid)


def season_after(harness: Harness, uid: str, days: int = 14) -> str:
    return seasons.make_season(
        harness.database, uid, harness.player(DIRECTOR), days=days, now=harness.now
    )


def people(harness: Harness, uid: str) -> list[str]:
    """Return who has entered, in the order of their numbers."""
    names = {player: name for name, player in harness.people.items()}
    with harness.database.read_tx() as session:
        return [
            names[entry.player_id]
            for entry in records.entries_of(session, records.find_tournament(session, uid))
        ]


def told(harness: Harness, uid: str) -> list[tuple[str, int, int]]:
    names = {player: name for name, player in harness.people.items()}
    with harness.database.read_tx() as session:
        tournament = records.find_tournament(session, uid)
        players = {
            entry.number: names.get(entry.player_id, "?")
            for entry in records.entries_of(session, tournament)
        }
        return [
            (players[line.number], line.division, line.move)
            for line in standing.list_standings(session, uid)
        ]


def test_a_season_follows_from_the_final_order_of_the_last_one(harness: Harness) -> None:
    uid = begun(harness, *SIX, format_=League(3, 1))
    assert {
        frozenset(table.entrants) <= {1, 2, 3} or frozenset(table.entrants) <= {4, 5, 6}
        for table in tables(harness, uid)
    } == {True}
    with pytest.raises(NotNow, match="not over yet"):
        season_after(harness, uid)
    played_out(harness, uid)
    assert told(harness, uid) == [
        ("Cleo", 1, 0),
        ("Ben", 1, 0),
        ("Ann", 1, 1),
        ("Finn", 2, -1),
        ("Eve", 2, 0),
        ("Dan", 2, 0),
    ]
    following = season_after(harness, uid)
    assert following == season_after(harness, uid) and notes(harness)[-1] == "Dora made season 2"
    assert row(harness, following).anchors is None and people(harness, following) == [], (
        "nobody is entered before the chance is fixed"
    )
    assert swept(harness) == [following]
    advance(harness, following)
    assert (
        people(harness, following) == ["Cleo", "Ben", "Finn", "Ann", "Eve", "Dan"]
        and row(harness, following).anchors
    )
    assert swept(harness) == []
    entering.leave(harness.database, following, harness.player("Ben"), now=harness.now)
    entering.enter(harness.database, following, harness.player("Gus"), now=harness.now)
    harness.later(days=14)
    advance(harness, following)
    assert [(who, division) for who, division, _ in told(harness, following)] == [
        ("Cleo", 1),
        ("Finn", 1),
        ("Ann", 1),
        ("Eve", 2),
        ("Dan", 2),
        ("Gus", 2),
    ], "gaps are filled from below, and newcomers begin last"
    played_out(harness, following)
    for each in (uid, following):
        with harness.database.read_tx() as session:
            plain = tournament_record.read_tournament(session, each)
        assert replay_tournament(read_tournament(plain)).differences == ()
    assert (plain["season"], plain["previous"], plain["name"]) == (2, uid, "Autumn")


def test_who_left_or_was_erased_is_in_no_later_season(harness: Harness) -> None:
    uid = begun(harness, *SIX, format_=League(3, 1))
    entering.leave(harness.database, uid, harness.player("Ben"), now=harness.now)
    played_out(harness, uid)
    erasing.erase_player(harness.database, harness.people["Eve"], now=harness.now)
    following = season_after(harness, uid)
    advance(harness, following)
    assert sorted(people(harness, following)) == ["Ann", "Cleo", "Dan", "Finn"]


def overseen_season(
    harness: Harness, *playing: str, others: tuple[str, ...] = ()
) -> tuple[str, list[str]]:
    """Make the season after one that its master oversaw and of which that master was erased; return
    it and who directs it.
    """
    uid = begun(
        harness,
        *SIX,
        format_=League(3, 1),
        matches=Wish("diplomacy", "", {}, press=PressWish(overseen=True)),
    )
    for who in (*playing, *others):
        making.add_director(
            harness.database, uid, harness.player(DIRECTOR), harness.player(who), now=harness.now
        )
    played_out(harness, uid)
    erasing.erase_player(harness.database, harness.people[DIRECTOR], now=harness.now)
    following = seasons.make_season(
        harness.database, uid, harness.player(playing[0]), days=14, now=harness.now
    )
    names = {player: name for name, player in harness.people.items()}
    with harness.database.read_tx() as session:
        return following, [
            names[each]
            for each in records.directors_of(session, records.find_tournament(session, following))
        ]


def test_who_reads_all_press_of_a_season_does_not_play_in_it(harness: Harness) -> None:
    following, directors = overseen_season(harness, "Ann", "Ben", others=("Gus",))
    assert directors == ["Gus", "Ann", "Ben"] and row(harness, following).wish["press"]["overseen"]
    advance(harness, following)
    with pytest.raises(NotAllowed, match="You read all press"):
        entering.enter(harness.database, following, harness.player("Gus"), now=harness.now)


def test_notes_tell_who_reads_all_press_of_a_season_after_another_director_did(
    harness: Harness,
) -> None:
    following, _ = overseen_season(harness, "Ann", "Ben", others=("Gus",))
    assert (
        "Gus reads all press of this season; another director read that of the season before"
        in notes(harness)
    )
    advance(harness, following)
    harness.later(days=14)
    advance(harness, following)
    made = matches(harness, following).values()
    assert made
    with harness.database.read_tx() as session:
        for match in made:
            told = [f"{note.who} {note.what}" for note in list_notes(session, match, inside=True)]
            assert (
                "Gus reads all press of this match; another director read that of the season before"
                in told
            )


def test_where_every_director_plays_nobody_reads_all_press(harness: Harness) -> None:
    following, directors = overseen_season(harness, "Ann", "Ben")
    assert directors == ["Ann", "Ben"] and not row(harness, following).wish["press"]["overseen"]
    assert (
        "the service lets nobody read all press of this season, as every director plays in it"
        in notes(harness)
    )
    advance(harness, following)
    harness.later(days=14)
    advance(harness, following)
    assert {match.press_overseen for match in matches(harness, following).values()} == {False}


@pytest.mark.both_databases
def test_who_is_being_erased_as_a_season_is_entered_is_not_in_it(harness: Harness) -> None:
    uid = begun(harness, *SIX, format_=League(3, 1))
    played_out(harness, uid)
    following, meeting = season_after(harness, uid), Meeting(harness.database)

    def leave() -> None:
        with harness.database.write_tx() as session:
            erasing.erase_player(session, harness.people["Eve"], now=harness.now)
            # on PostgreSQL the entering looks for players meanwhile; on SQLite it waits
            meeting.hold()

    def carry() -> None:
        take_steps(harness, following)

    meeting.run(leave, carry)
    assert sorted(people(harness, following)) == ["Ann", "Ben", "Cleo", "Dan", "Finn"]


def test_everybody_is_told_of_a_new_season_once_and_how_to_leave(harness: Harness) -> None:
    uid = begun(harness, *SIX, format_=League(3, 1))
    played_out(harness, uid)
    before = Counter(each.address for each in harness.claim_waiting() if each.kind == "tournament")
    following = season_after(harness, uid)
    for _ in range(2):
        advance(harness, following)
    letters = {each.address: each for each in harness.claim_waiting() if each.kind == "tournament"}
    assert set(letters) == {address(who) for who in SIX} == set(before) - {address(DIRECTOR)}
    told_ann = letters[address("Ann")].context
    assert (
        told_ann["title"] == "A new season takes entries"
        and told_ann["match"] == "Autumn, season 2"
    )
    assert any("in division 2 of 2" in str(line) for line in told_ann["lines"])  # type: ignore[attr-defined]  # JSON
    assert told_ann["tournament"] == following and "over" not in told_ann, (
        "so the letter says how to leave"
    )
    with harness.database.read_tx() as session:
        assert (
            len(
                session.exec(
                    select(Letter.id).where(
                        Letter.kind == "tournament", Letter.address == address("Ann")
                    )
                ).all()
            )
            >= 1
        )


def test_who_enters_a_season_before_its_letters_go_out_is_not_told_of_one_before(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = begun(harness, *SIX[:4], format_=League(4, 1))
    played_out(harness, uid)
    harness.claim_waiting()
    following, write = season_after(harness, uid), advancing.write_letters

    def late(*arguments: Any, **more: Any) -> int:
        if "Gus" not in people(harness, following):
            entering.enter(harness.database, following, harness.player("Gus"), now=harness.now)
        return write(*arguments, **more)

    monkeypatch.setattr(advancing, "write_letters", late)
    for _ in range(2):
        advance(harness, following)
    letters = [each.address for each in harness.claim_waiting() if each.kind == "tournament"]
    assert sorted(letters) == sorted(address(who) for who in SIX[:4])


def test_a_season_with_too_few_left_ends(harness: Harness) -> None:
    uid = begun(harness, *SIX[:3], format_=League(3, 1))
    played_out(harness, uid)
    following = season_after(harness, uid)
    advance(harness, following)
    for who in SIX[:2]:
        entering.leave(harness.database, following, harness.player(who), now=harness.now)
    harness.later(days=14)
    advance(harness, following)
    assert row(harness, following).status == "ended"
    third = season_after(harness, following)
    advance(harness, third)
    assert people(harness, third) == ["Cleo"]


def test_a_worker_killed_as_the_chance_is_fixed_enters_nobody_twice(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = begun(harness, *SIX, format_=League(3, 1))
    played_out(harness, uid)
    following = season_after(harness, uid)

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(advancing, "close_by_moment", killed)
        advance(harness, following)
    advance(harness, following)
    with harness.database.read_tx() as session:
        wanted = select(TournamentEntry.number).where(
            TournamentEntry.tournament_id == row(harness, following).id
        )
        assert sorted(session.exec(wanted)) == [1, 2, 3, 4, 5, 6]


def test_only_directors_of_a_league_make_its_seasons(harness: Harness) -> None:
    uid = begun(harness, *SIX[:3], format_=League(3, 1))
    played_out(harness, uid)
    with pytest.raises(NotAllowed, match="Only a director"):
        seasons.make_season(harness.database, uid, harness.player("Ann"), days=14, now=harness.now)
    with pytest.raises(Refused, match="1 to 365 days"):
        season_after(harness, uid, days=0)
    other = begun(harness, *SIX[:2])
    with pytest.raises(Refused, match="Only a league has seasons"):
        season_after(harness, other)


@pytest.mark.parametrize(
    ("format_", "said"),
    [
        (League(2), "A division has 3 to 30 entrants"),
        (League(31), "A division has 3 to 30 entrants"),
        (League(4, 3), "at most 2 can go up"),
        (League(4, 1, 0), "at most 200 rounds"),
        (League(29, 1, 7), "at most 200 rounds"),
        (League(4, 1, 1, 0, (2,)), "1 to 50 rounds"),
        (League(4, 1, 1, 1, (3,)), "has 2 seats"),
    ],
)
def test_a_league_that_cannot_be_played_is_refused(
    harness: Harness, format_: League, said: str
) -> None:
    wish = making.TournamentWish("Autumn", format_, QUICK)
    with pytest.raises(Refused, match=said):
        making.make_tournament(harness.database, harness.player(DIRECTOR), wish, now=harness.now)


def test_pyramid_is_played_in_divisions_at_tables_of_three(harness: Harness) -> None:
    matches = Wish("pyramid", "", {})
    uid = begun(
        harness,
        *SIX,
        format_=League(3, 1, 1, 2, (3,)),
        matches=matches,
        closes_at=harness.now + timedelta(days=9),
    )
    assert [sorted(table.entrants) for table in tables(harness, uid)] == [[1, 2, 3], [4, 5, 6]]
