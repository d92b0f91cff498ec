"""Players who enter a tournament between its rounds."""

from collections import Counter
from fractions import Fraction

import pytest

from adjudicator.play.tournaments.formats import Format, KnockOut, Mixer, RoundRobin, Swiss
from adjudicator.play.tournaments.replay import read_tournament, replay_tournament
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.tournaments import entering, making, showing, standing
from adjudicator.service.tournaments.results.deciding import decide_table
from adjudicator.service.views.records import tournament_record
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.harness import Harness
from tests.service.tournament_play import (
    DIRECTOR,
    QUICK,
    advance,
    begun,
    entered,
    notes,
    row,
    show,
    tables,
)

FOUR, EMIL = (ALICE, BOB, CHARLIE, MALLORY), "Emil"


def enter(harness: Harness, uid: str, who: str) -> int:
    return entering.enter(harness.database, uid, harness.player(who), now=harness.now)


def decide_all(harness: Harness, uid: str) -> None:
    """Let the first seat win every table without a result, and have the next round paired."""
    for table in tables(harness, uid):
        if table.scored_at is None:
            place = (table.round_number, table.number)
            decide_table(
                harness.database,
                uid,
                harness.player(DIRECTOR),
                place,
                ("1", "0"),
                reason="away",
                now=harness.now,
            )
    advance(harness, uid)


def total(harness: Harness, uid: str, number: int) -> str:
    with harness.database.read_tx() as session:
        return next(
            str(line.total)
            for line in standing.list_standings(session, uid)
            if line.number == number
        )


@pytest.mark.parametrize(("late", "points"), [("zero", "0"), ("bye", "1/2")])
def test_who_enters_between_rounds_is_paired_from_the_next_one_on(
    harness: Harness, late: str, points: str
) -> None:
    uid = begun(harness, *FOUR, format_=Swiss(3, sitting_out=Fraction(1, 2)), late=late)
    show(harness, EMIL)
    assert enter(harness, uid, EMIL) == 5 == enter(harness, uid, EMIL)
    assert notes(harness)[-1] == "Emil entered, to be paired from round 2 on"
    assert total(harness, uid, 5) == points
    decide_all(harness, uid)
    assert 5 in [
        entrant
        for table in tables(harness, uid)
        if table.round_number == 2
        for entrant in table.entrants
    ]
    enter(harness, uid, "Fay")
    while row(harness, uid).status == "running":
        decide_all(harness, uid)
    with harness.database.read_tx() as session:
        plain = tournament_record.read_tournament(session, uid)
    assert replay_tournament(read_tournament(plain)).differences == ()
    assert [each["first_round"] for each in plain["entrants"]] == [1, 1, 1, 1, 2, 3]
    changed = plain | {"late": "zero" if late == "bye" else "bye"}
    assert (
        "The standings are not those of the results."
        in replay_tournament(read_tournament(changed)).differences
    )
    told = [
        each
        for each in harness.claim_waiting()
        if each.kind == "tournament" and each.context["title"] != "A result was decided"
    ]
    expected = {address(who): 4 for who in (*FOUR, DIRECTOR)} | {
        address(EMIL): 3,
        address("Fay"): 2,
    }
    assert Counter(each.address for each in told) == Counter(expected)


def test_nobody_enters_late_where_the_director_did_not_choose_so_or_no_round_is_left(
    harness: Harness,
) -> None:
    uid = begun(harness, *FOUR, format_=Mixer(2, (2,)))
    with pytest.raises(NotNow, match="have closed"):
        enter(harness, uid, EMIL)
    uid = begun(harness, *FOUR, format_=Mixer(2, (2,)), late="zero")
    decide_all(harness, uid)
    with pytest.raises(NotNow, match="have closed"):
        enter(harness, uid, EMIL)


def test_who_has_left_does_not_come_back_between_rounds(harness: Harness) -> None:
    uid = begun(harness, *FOUR, format_=Swiss(3), late="zero")
    entering.leave(harness.database, uid, harness.player(BOB), now=harness.now)
    with pytest.raises(NotNow, match="does not come back"):
        enter(harness, uid, BOB)
    with harness.database.read_tx() as session:
        offered = [
            showing.read_page(session, uid, harness.people[who], now=harness.now).may_enter
            for who in (ALICE, BOB, DIRECTOR)
        ]
    assert offered == [False, False, True]


def test_a_round_that_was_drawn_before_somebody_entered_is_drawn_again(harness: Harness) -> None:
    uid = entered(harness, ALICE, BOB, CHARLIE, format_=Swiss(2), late="zero")
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    enter(harness, uid, EMIL)
    advance(harness, uid)
    assert sorted(entrant for table in tables(harness, uid) for entrant in table.entrants) == [
        1,
        2,
        3,
        4,
    ]


@pytest.mark.parametrize(
    ("format_", "late", "said"),
    [
        (RoundRobin(), "zero", "Only in a Swiss or a mixer"),
        (KnockOut(), "bye", "Only in a Swiss or a mixer"),
        (Mixer(2, (2,)), "bye", "Only a Swiss has points"),
        (Swiss(2), "perhaps", "no, zero or bye"),
    ],
)
def test_formats_that_cannot_take_late_entries_say_so(
    harness: Harness, format_: Format, late: str, said: str
) -> None:
    wish = making.TournamentWish("Autumn", format_, QUICK, late=late)
    with pytest.raises(Refused, match=said):
        making.make_tournament(harness.database, harness.player(DIRECTOR), wish, now=harness.now)
