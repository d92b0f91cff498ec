"""What directors do to rounds and entrants: excuse, admit, pair by hand, take a round back; and a
file that still draws all of it again.
"""

from fractions import Fraction

import pytest

from adjudicator.play.tournaments.formats import Format, KnockOut, League, Mixer, RoundRobin, Swiss
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.tables import Match
from adjudicator.service.tournaments import entering, showing
from adjudicator.service.tournaments.directing.acts import ACTS, OF_ENTRANTS, carry_out
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.harness import Harness
from tests.service.test_tournaments_decided import file_of, page
from tests.service.test_tournaments_directors import told
from tests.service.tournament_play import (
    DIRECTOR,
    advance,
    begun,
    entered,
    matches,
    notes,
    play_match,
    row,
    tables,
)

FOUR = (ALICE, BOB, CHARLIE, MALLORY)
FIVE = (*FOUR, "Eve")


def act(harness: Harness, uid: str, word: str, *, who: str = DIRECTOR, **said: str) -> str:
    """Carry out an act as the page does."""
    return carry_out(
        harness.database, said, word, uid=uid, player_id=harness.player(who), now=harness.now
    )


def seated(harness: Harness, uid: str, number: int) -> list[list[int]]:
    """Return the tables of a round."""
    return [table.entrants for table in tables(harness, uid) if table.round_number == number]


def decide(harness: Harness, uid: str, number: int) -> None:
    """Decide all tables of a round for the lower number, and have the next one paired."""
    for at, entrants in enumerate(seated(harness, uid, number), 1):
        points = " : ".join("1" if each == min(entrants) else "0" for each in entrants)
        act(harness, uid, "decide", round=str(number), table=str(at), points=points, reason="away")
    advance(harness, uid)


def totals(harness: Harness, uid: str) -> dict[int, str]:
    """Return everybody's points by number."""
    return {line.number: str(line.total) for line in page(harness, uid).standings}


@pytest.mark.both_databases
def test_entrants_sit_out_come_back_and_come_late_with_points(harness: Harness) -> None:
    uid = begun(harness, *FIVE, format_=Swiss(4))
    assert (
        "sit out round 2" in act(harness, uid, "sit out", who=ALICE)
        and page(harness, uid).swiss_or_mixer
    )
    act(harness, uid, "sit out", who=BOB)
    assert "You are paired for round 2." in act(harness, uid, "play on", who=BOB)
    told(harness)
    for _ in range(2):
        act(harness, uid, "excuse", entry="3")
    assert [title for title, _ in told(harness, CHARLIE)] == ["You sit out round 2"]
    decide(harness, uid, 1)
    assert {each for table in seated(harness, uid, 2) for each in table} < {
        2,
        4,
        5,
    }, "one of three sits out by turn"
    entering.leave(harness.database, uid, harness.player(BOB), now=harness.now)
    before = totals(harness, uid)
    assert "with 1½ points more" in act(
        harness, uid, "admit", entry="2", points="1,5", reason="back"
    )
    assert Fraction(totals(harness, uid)[2]) == Fraction(before[2]) + Fraction(3, 2)
    with pytest.raises(NotNow, match="Entries to this tournament have closed"):
        entering.enter(harness.database, uid, harness.player("Frank"), now=harness.now)
    act(harness, uid, "admit", points="½", reason="came late")
    assert entering.enter(harness.database, uid, harness.player("Frank"), now=harness.now) == 6
    with pytest.raises(NotNow):
        entering.enter(harness.database, uid, harness.player("Grace"), now=harness.now)
    decide(harness, uid, 2)
    assert totals(harness, uid)[6] == "1/2" and 6 in {
        each for table in seated(harness, uid, 3) for each in table
    }
    assert file_of(harness, uid)["rounds"][2]["given"] == {
        "2": "3/2",
        "6": "1/2",
    }, "and it draws all rounds again"


def test_a_director_sets_the_tables_of_the_next_round(harness: Harness) -> None:
    uid = begun(harness, *FIVE, format_=Swiss(3))
    for text, said in (
        ("1 2 3", "but tables have 2"),
        ("1 2, 2 3", "Entrant 2 sits at two tables"),
        ("1 9", "Entrant 9 is not there"),
        ("1, 2 3", "The table 1 has 1 entrant, but tables have 2"),
        ("Alice - Bob", "It has no numbers of entrants"),
    ):
        with pytest.raises(Refused, match=said):
            act(harness, uid, "pair", round="2", tables=text)
    with pytest.raises(NotNow, match="is not the next one"):
        act(harness, uid, "pair", round="3", tables="1 2")
    assert "1-5 and 3-2" in act(harness, uid, "pair", round="2", tables="1 5\n3,2\n")
    decide(harness, uid, 1)
    assert seated(harness, uid, 2) == [[1, 5], [3, 2]] and page(harness, uid).shown.sitting_out == (
        "Mallory",
    )  # type: ignore[union-attr]  # shown
    act(harness, uid, "pair", round="3", tables="4-5, 1-3")
    entering.leave(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    decide(harness, uid, 2)
    assert 3 not in {each for table in seated(harness, uid, 3) for each in table}, (
        "who left is not paired: it is drawn after all"
    )
    assert notes(harness)[-1].startswith("the service drew round 3, as somebody at the tables")
    assert [title for title, _ in told(harness) if "drawn" in title] == ["Round 3 was drawn"]
    assert [row["pairing_version"] > 0 for row in file_of(harness, uid)["rounds"]] == [
        True,
        False,
        True,
    ]


def test_a_round_nobody_has_moved_in_is_taken_back_and_paired_without_a_no_show(
    harness: Harness,
) -> None:
    uid = begun(harness, *FOUR, format_=Swiss(2))
    ended = list(matches(harness, uid).values())
    assert "taken back" in act(harness, uid, "undo", round="1", reason="a no-show")
    with pytest.raises(NotNow, match="Only the last round"):
        act(harness, uid, "undo", round="1", reason="once more")
    act(harness, uid, "remove", entry="4", reason="no show")
    advance(harness, uid)
    assert seated(harness, uid, 1) == [], "it waits for a director"
    for each in ended:
        harness.close(each.uid)
    why = "The reason that was given: round 1 of its tournament was taken back: a no-show"
    reports = [letter for letter in harness.claim_waiting() if letter.kind == "report"]
    assert sum(why in letter.context["notes"] for letter in reports) == 4
    act(harness, uid, "go on")
    advance(harness, uid)
    assert len(seated(harness, uid, 1)) == 1 and 4 not in seated(harness, uid, 1)[0]
    with harness.database.read_tx() as session:
        assert not any(session.get_one(Match, each.id).rated for each in ended)
    assert len(file_of(harness, uid)["voided"]) == 1
    assert "Dora took back round 1, of which no phase had closed: a no-show" in notes(harness)
    play_match(harness, matches(harness, uid)[1, 1].uid)
    with pytest.raises(NotNow, match="so it stands"):
        act(harness, uid, "undo", round="1", reason="late")


def test_the_best_rounds_count_and_the_first_ones_meet_at_a_top_table(harness: Harness) -> None:
    uid = begun(harness, *FOUR, format_=Swiss(3, best=2, top=2))
    act(harness, uid, "admit", entry="4", points="½", reason="a bye")
    for number in (1, 2, 3):
        decide(harness, uid, number)
    assert totals(harness, uid)[1] == "2", "of three wins two count"
    assert totals(harness, uid)[4] == "1/2", "given points count beside the best rounds"
    (final,) = seated(harness, uid, 4)
    assert sorted(final) == sorted(line.number for line in page(harness, uid).standings[:2])
    points = "1 : 0" if final[0] == 2 else "0 : 1"
    act(harness, uid, "decide", round="4", table="1", points=points, reason="played")
    assert page(harness, uid).standings[0].number == 2, "who wins the top table ranks first"
    assert totals(harness, uid)[1] == "2", "its points are not added"
    advance(harness, uid)
    assert file_of(harness, uid)["status"] == "ended"


def test_what_a_format_or_a_person_may_not_do_is_refused(harness: Harness) -> None:
    knock_out, mixer = (
        begun(harness, *FOUR, format_=KnockOut()),
        begun(harness, *FOUR, format_=Mixer(1, (2,))),
    )
    refused: tuple[tuple[str, str, str, dict[str, str], type[Exception]], ...] = (
        (knock_out, "sit out", ALICE, {}, Refused),
        (mixer, "sit out", ALICE, {}, NotNow),
        (mixer, "sit out", DIRECTOR, {}, NotAllowed),
        (mixer, "admit", DIRECTOR, {"reason": "late"}, NotNow),
        (mixer, "undo", ALICE, {"round": "1", "reason": "late"}, NotAllowed),
        (mixer, "undo", DIRECTOR, {"round": "1"}, Refused),
    )
    for uid, word, who, said, error in refused:
        with pytest.raises(error):
            act(harness, uid, word, who=who, **said)
    robin, league = (
        begun(harness, *FOUR, format_=RoundRobin()),
        begun(harness, *FOUR, format_=League(4)),
    )
    instead: tuple[tuple[str, str, dict[str, str], str], ...] = (
        ("sit out", ALICE, {}, "lends the seat with `substitute`"),
        ("excuse", DIRECTOR, {"entry": "1"}, "given its result with `decide`"),
        ("admit", DIRECTOR, {"reason": "late"}, "enter the next tournament or season"),
        ("pair", DIRECTOR, {"round": "2", "tables": "1 2"}, "`decide` gives a table its result"),
    )
    for uid in (robin, knock_out, league):
        for word, who, said, told_instead in instead:
            with pytest.raises(Refused, match=told_instead):
                act(harness, uid, word, who=who, **said)


def test_no_act_changes_a_tournament_of_which_nothing_can_be_changed_any_more(
    harness: Harness,
) -> None:
    """Cancelled before its first round, and played out, with final results; whoever has stopped
    directing it says so any time.
    """
    cancelled, final = (
        entered(harness, *FOUR, format_=Swiss(2)),
        begun(harness, *FOUR, format_=Swiss(2)),
    )
    decide(harness, final, 1)
    for uid in (cancelled, final):
        act(harness, uid, "end", reason="snow")
        advance(harness, uid)
    harness.later(days=8)
    said = {"round": "1", "table": "1", "points": "0 1", "hours": "5", "entry": "2"}
    said |= {"tables": "1 2", "reason": "late"}
    for uid in (cancelled, final):
        for each in (*ACTS, *OF_ENTRANTS):
            if each.word in ("end", "stop directing"):
                continue
            who = ALICE if each in OF_ENTRANTS or each.word == "direct" else DIRECTOR
            before, known = repr(row(harness, uid)), len(notes(harness))
            given = said | {"points": "1"} if each.word == "admit" else said
            with pytest.raises((NotNow, NotFound)):
                act(harness, uid, each.word, who=who, **given)
            assert (repr(row(harness, uid)), len(notes(harness))) == (before, known), each.word
        assert "over" in act(harness, uid, "end", reason="again"), "what is done stays done"


def test_the_terms_say_what_counts() -> None:
    found: tuple[tuple[Format, str], ...] = (
        (
            Swiss(5, best=4, top=3),
            (
                "The best 4 rounds of each count. Then the first 3 meet at a top table, and rank"
                " by it."
            ),
        ),
        (Mixer(5, (3,), best=1), "The best round of each counts."),
    )
    for format_, said in found:
        assert said in showing.describe_format(format_)
