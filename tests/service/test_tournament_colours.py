"""Phoenix R16: entrants of a tournament wish for colours, and the points still go to who
entered.
"""

from fractions import Fraction

import pytest

from adjudicator.play.tournaments.formats import Mixer, RoundRobin
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.rows import by_uid
from adjudicator.service.matches.creation import Wish
from adjudicator.service.tournaments import entering
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.harness import Harness
from tests.service.tournament_play import advance, entered, play_match, tables

BIRDS = Wish("phoenix", "", {"turn_limit": 3, "escalation": 1})


def wish(harness: Harness, uid: str, who: str, *wishes: str) -> None:
    entering.enter(harness.database, uid, harness.player(who), now=harness.now, wishes=wishes)


def test_a_table_with_wishes_is_given_by_them_and_one_without_by_the_pairing(
    harness: Harness,
) -> None:
    uid = entered(harness, ALICE, BOB, CHARLIE, MALLORY, matches=BIRDS, legs=2)
    wish(harness, uid, ALICE, "green")
    wish(harness, uid, ALICE, "blue", "pink")
    # entering again forgets no wish
    entering.enter(harness.database, uid, harness.player(ALICE), now=harness.now)
    with pytest.raises(
        Refused, match="“mauve” is not played in this match; wish for Red, Blue, Pink or Green"
    ):
        wish(harness, uid, BOB, "mauve")
    entering.close_entries(harness.database, uid, harness.player("Dora"), now=harness.now)
    uids, alice = advance(harness, uid), harness.player(ALICE)
    seats = [{row.player_id: row.name for row in harness.seats(each)} for each in uids]
    assert [each[alice] for each in seats if alice in each] == ["Blue", "Blue"]
    assert [set(each.values()) for each in seats] == [{"Red", "Blue"}] * 4

    for each in uids:
        play_match(harness, each)
    advance(harness, uid)
    with harness.database.read_tx() as session:
        results = {each: by_uid(session, each).result or {} for each in uids}
    won = {player: Fraction(0) for each in seats for player in each if player}
    for each, names in zip(uids, seats, strict=True):
        first = [player for player, name in names.items() if results[each][name]["place"] == 1]
        for player in first:
            won[player or 0] += Fraction(1, len(first))
    told = {
        who: Fraction(points)
        for table in tables(harness, uid)
        for who, points in zip(table.entrants, table.points or (), strict=False)
    }
    assert told == {
        number: won[harness.player(who)]
        for number, who in enumerate((ALICE, BOB, CHARLIE, MALLORY), 1)
    }


def test_no_colour_is_wished_for_where_the_pairing_says_who_plays_with_whom(
    harness: Harness,
) -> None:
    for matches, format_ in (
        (Wish("phoenix", "", {"team": True}), Mixer(1, (4,))),
        (Wish("genesis", "", {}), RoundRobin()),
    ):
        uid = entered(harness, matches=matches, format_=format_)
        with pytest.raises(Refused, match="given by its pairings, so none can be wished for"):
            wish(harness, uid, ALICE, "red")
