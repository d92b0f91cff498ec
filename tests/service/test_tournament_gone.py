"""Players of a tournament who are gone before their match begins: it begins without them."""

import pytest
from sqlmodel import select

from adjudicator.play.tournaments.formats import Swiss
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.erasure import erasing
from adjudicator.service.matches import seats
from adjudicator.service.phases import beginning
from adjudicator.service.tournaments import advancing, entering
from tests.cast import ALICE, BOB, CHARLIE, MALLORY
from tests.harness import Harness
from tests.service.changing_hands import notes
from tests.service.tournament_play import (
    DIRECTOR,
    advance,
    be_killed,
    begun,
    decide_round,
    entered,
    matches,
    play_match,
    row,
    swept,
    tables,
    take_steps,
)

FOUR = (ALICE, BOB, CHARLIE, MALLORY)


@pytest.mark.parametrize("stalled", ["wait", "adjudge", "substitute", "bot"])
@pytest.mark.parametrize("made_first", [True, False], ids=["match made", "table paired"])
def test_a_match_begins_without_who_was_erased(
    harness: Harness, stalled: str, made_first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = entered(harness, *FOUR, format_=Swiss(2), stalled=stalled, round_days=90)
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    with monkeypatch.context() as stopped:
        if not made_first:
            stopped.setattr(advancing, "_make", lambda *_, **__: ())
        made = take_steps(harness, uid)
    assert len(made) == 2 * made_first
    for match in made:
        beginning.prepare_match(harness.database, harness.keyring, match, now=harness.now)
    erasing.erase_player(harness.database, harness.people.pop(BOB), now=harness.now)
    assert swept(harness) == [uid]
    for match in take_steps(harness, uid):
        beginning.prepare_match(harness.database, harness.keyring, match, now=harness.now)
    take_steps(harness, uid)
    assert (
        all(harness.start_match(match.uid) for match in matches(harness, uid).values())
        and swept(harness) == []
    )
    without = next(table for table in tables(harness, uid) if 2 in table.entrants)
    match = matches(harness, uid)[1, without.number]
    seat = harness.seats(match.uid)[without.entrants.index(2)]
    with harness.database.read_tx() as session:
        bot = seat.player_id is not None and session.get_one(Player, seat.player_id).house
        found = (bot, seat.player_id is None and seat.open_since == seat.next_ask_at == harness.now)
    assert found == (stalled == "bot", stalled != "bot")
    # else the match waits for a player, once the other one is silent too
    if stalled == "substitute":
        decide_round(harness, uid, 1)
    else:
        for each in matches(harness, uid).values():
            play_match(harness, each.uid)
    advance(harness, uid)
    assert {table.round_number for table in tables(harness, uid)} == {
        1,
        2,
    }, "the round ends, and the next one is paired"
    assert not [
        table for table in tables(harness, uid) if table.round_number == 2 and 2 in table.entrants
    ]


def test_a_worker_killed_as_a_match_begins_without_a_player_lets_it_begin_once(
    harness: Harness,
) -> None:
    for point in ("vacant.before_commit", "vacant.after_commit"):
        uid = entered(harness, *FOUR, format_=Swiss(2), stalled="bot", round_days=90)
        entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
        for match in take_steps(harness, uid):
            beginning.prepare_match(harness.database, harness.keyring, match, now=harness.now)
        erasing.erase_player(harness.database, harness.people.pop(BOB), now=harness.now)
        be_killed(harness, uid, point)
        take_steps(harness, uid)
        begin = [each.uid for each in matches(harness, uid).values()]
        assert all(harness.start_match(match) for match in begin), point
        told = [note for match in begin for note in notes(harness, match)]
        assert sum("without the player" in note for note in told) == 1, point


def test_a_match_whose_players_are_all_erased_is_played_to_its_end(harness: Harness) -> None:
    uid = entered(harness, *FOUR, format_=Swiss(2))
    entering.close_entries(harness.database, uid, harness.player(DIRECTOR), now=harness.now)
    for match in take_steps(harness, uid):
        beginning.prepare_match(harness.database, harness.keyring, match, now=harness.now)
    for who in (ALICE, BOB, CHARLIE, MALLORY):
        erasing.erase_player(harness.database, harness.people.pop(who), now=harness.now)
    take_steps(harness, uid)
    for each in matches(harness, uid).values():
        assert harness.start_match(each.uid)
        play_match(harness, each.uid)
    advance(harness, uid)
    assert row(harness, uid).status == "ended"


def test_a_seat_of_a_tournament_is_not_given_back(harness: Harness) -> None:
    uid = begun(harness, *FOUR)
    match = matches(harness, uid)[1, 1]
    with harness.database.write_tx() as session:
        session.get_one(Match, match.id).status = "open"  # as one that waits for its calendar
        seated = session.exec(select(Seat).where(Seat.match_id == match.id)).first()
        assert seated is not None and seated.player_id is not None
    with pytest.raises(NotNow, match="played in a tournament"):
        seats.leave_seat(harness.database, match.uid, seated.player_id, now=harness.now)
