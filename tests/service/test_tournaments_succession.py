"""Nobody is stuck: a tournament without directors gets one, a deserted table is scored, a round
that cannot be closed says so.
"""

import pytest

from adjudicator.play.tournaments.formats import Swiss
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.erasure import erasing
from adjudicator.service.handover import leaving
from adjudicator.service.matches import masters
from adjudicator.service.tournaments import advancing, making, records, stalling, succession
from tests.cast import ALICE, BOB, CHARLIE, MALLORY, address
from tests.harness import Harness
from tests.service.tournament_play import (
    DIRECTOR,
    advance,
    begun,
    matches,
    notes,
    play_round,
    row,
    swept,
    tables,
)

FOUR = (ALICE, BOB, CHARLIE, MALLORY)


def directors(harness: Harness, uid: str) -> list[int]:
    """Return who directs a tournament."""
    with harness.database.read_tx() as session:
        return records.directors_of(session, records.find_tournament(session, uid))


def asked(harness: Harness) -> list[str]:
    """Return the addresses of those who are told that a tournament lacks a director."""
    return [
        each.address
        for each in harness.claim_waiting()
        if each.context.get("title") == "The tournament lacks a director"
    ]


@pytest.mark.parametrize("how", ["erased", "leaves", "leaves while results are provisional"])
def test_after_the_last_director_the_eldest_entrant_who_says_yes_directs(
    harness: Harness, how: str
) -> None:
    uid, dora = begun(harness, *FOUR, format_=Swiss(2)), harness.player(DIRECTOR)
    if how.endswith("provisional"):
        advancing.end_tournament(harness.database, uid, dora, "snow", now=harness.now)
    if how == "erased":
        erasing.erase_player(harness.database, harness.people.pop(DIRECTOR), now=harness.now)
    else:
        succession.stop_directing(harness.database, uid, dora, now=harness.now)
    assert directors(harness, uid) == [] and asked(harness) == [address(ALICE)]
    with pytest.raises(NotAllowed, match="Only who takes part"):
        succession.take_over(harness.database, uid, harness.player("Emil"), now=harness.now)
    for _ in range(2):
        succession.take_over(harness.database, uid, harness.player(BOB), now=harness.now)
    with pytest.raises(NotNow, match="has a director by now"):
        succession.take_over(harness.database, uid, harness.player(ALICE), now=harness.now)
    assert directors(harness, uid) == [harness.player(BOB)]
    assert notes(harness)[-1] == "Bob became a director, as there was none"


def test_a_master_of_all_matches_directs_before_any_entrant_and_another_director_before_both(
    harness: Harness,
) -> None:
    uid, host = begun(harness, *FOUR), harness.player("Hugo")
    masters.appoint_master(harness.database, address("Hugo"), now=harness.now)
    making.add_director(
        harness.database, uid, harness.player(DIRECTOR), harness.player(BOB), now=harness.now
    )
    succession.stop_directing(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    assert directors(harness, uid) == [harness.player(BOB)] and asked(harness) == []
    with pytest.raises(NotAllowed):
        succession.stop_directing(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    erasing.erase_player(harness.database, harness.people.pop(BOB), now=harness.now)
    assert directors(harness, uid) == [host] and asked(harness) == [address("Hugo")]
    making.add_director(harness.database, uid, host, harness.player(DIRECTOR), now=harness.now)
    assert len(directors(harness, uid)) == 2, "who left can be named again"


def test_the_first_director_or_a_master_dismisses_an_entrant_who_directs(harness: Harness) -> None:
    uid, dora, bob = begun(harness, *FOUR), harness.player(DIRECTOR), harness.player(BOB)
    host = harness.player("Hugo")
    masters.appoint_master(harness.database, address("Hugo"), now=harness.now)

    def dismiss(who: int, number: int) -> None:
        succession.dismiss_director(harness.database, uid, who, number, now=harness.now)

    for who in (dora, host):
        for each in (ALICE, BOB):
            making.add_director(harness.database, uid, dora, harness.player(each), now=harness.now)
        cases = (
            (bob, 1, NotAllowed, "Only the first director"),
            (who, 3, Refused, "Entrant 3 does not direct"),
            (who, 9, Refused, "has no entrant 9"),
        )
        for actor, number, kind, sentence in cases:
            with pytest.raises(kind, match=sentence):
                dismiss(actor, number)
        dismiss(who, 1)
        assert directors(harness, uid) == [dora, bob], who
    making.make_entrant_director(harness.database, uid, dora, 1, now=harness.now)
    succession.stop_directing(harness.database, uid, dora, now=harness.now)
    with pytest.raises(Refused, match="write `stop directing tournament"):
        dismiss(harness.player(ALICE), 1)
    dismiss(host, 1)  # also the first one
    assert directors(harness, uid) == [bob]
    assert notes(harness)[-2:] == [
        "Hugo dismissed another director",
        "Alice directs the tournament no more",
    ]


def test_rounds_go_on_without_a_director(harness: Harness) -> None:
    uid = begun(harness, *FOUR, format_=Swiss(2))
    erasing.erase_player(harness.database, harness.people.pop(DIRECTOR), now=harness.now)
    assert (
        play_round(harness, uid) and max(table.round_number for table in tables(harness, uid)) == 2
    )


def test_a_table_whose_players_have_all_gone_is_scored(harness: Harness) -> None:
    for stalled, days in (("wait", 0), ("adjudge", 0), ("substitute", 7)):
        uid = begun(harness, *FOUR, format_=Swiss(1), stalled=stalled, round_days=90)
        match = matches(harness, uid)[1, 1]
        for seat in harness.seats(match.uid):
            leaving.resign(harness.database, match.uid, seat.player_id or 0, now=harness.now)
        if days:
            assert uid not in swept(harness), stalled
            harness.later(days=days)
        assert uid in swept(harness), stalled
        advance(harness, uid)
        assert harness.close(match.uid), stalled
        advance(harness, uid)
        assert [table.scored_at is not None for table in tables(harness, uid)] == [
            True,
            False,
        ], stalled
        assert uid not in swept(harness), stalled


def test_to_close_a_round_that_cannot_change_says_so(harness: Harness) -> None:
    uid, dora = begun(harness, *FOUR), harness.player(DIRECTOR)
    for match in matches(harness, uid).values():
        masters.end_match(harness.database, match.uid, dora, "late", now=harness.now)
    with pytest.raises(NotNow, match="would change nothing"):
        stalling.close_round(harness.database, uid, dora, "time", number=1, now=harness.now)
    assert not row(harness, uid).adjudging
