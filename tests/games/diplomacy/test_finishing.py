"""How a match ended for every seat: solo, draw, elimination and years, as scoring systems count
them.
"""

from dataclasses import replace

from adjudicator.core.game import Finish
from adjudicator.games.diplomacy.model.orders import Vote
from adjudicator.games.diplomacy.model.state import End, State
from adjudicator.games.diplomacy.phases import ending
from adjudicator.games.diplomacy.rules import DIPLOMACY
from tests.games.diplomacy.table import play, position

SEATS = ("ENGLAND", "FRANCE", "GERMANY")
UNITS = "ENGLAND F LON / FRANCE A PAR / GERMANY A MUN"
CENTRES = "ENGLAND LON EDI / FRANCE PAR / GERMANY MUN BER KIE"


def table(phase: str, units: str = UNITS, centres: str = CENTRES, **chosen: object) -> State:
    return position(phase, units, centres, seats=SEATS, powers="one", unplayed="absent", **chosen)


def agreed(state: State, *sharers: str) -> State:
    """Return the state after all seats vote for a draw of these."""
    return ending.apply_declarations(state, {seat: (Vote(True, sharers),) for seat in SEATS})[0]


def finished(*states: State) -> dict[str, Finish]:
    return dict(DIPLOMACY.finishes(states, DIPLOMACY.standing(states[-1])))


def test_a_victory_by_centres_is_a_solo() -> None:
    before = table("F1904M", victory_centres=3)
    last = play(before).state
    assert last.end == End("victory", ("GERMANY",))
    finishes = finished(before, last)
    assert finishes["GERMANY"] == Finish(place=1, score=3, centres=3, solo=True, years=4)
    assert finishes["FRANCE"] == Finish(place=3, score=1, centres=1, years=4)


def test_the_most_centres_at_the_year_limit_are_no_solo_but_a_draw_of_all_survivors() -> None:
    before = table("F1904M", year_limit=1904)
    last = play(before).state
    assert last.end == End("year", ("GERMANY",))
    finishes = finished(before, last)
    assert not any(each.solo for each in finishes.values())
    assert all(each.drew for each in finishes.values())
    assert [each.place for each in finishes.values()] == [2, 3, 1]


def test_a_survivor_without_a_centre_at_the_last_count_is_out() -> None:
    before = table(
        "F1904M",
        "ENGLAND F LON / FRANCE A RUH / GERMANY A PAR",
        "ENGLAND LON EDI / FRANCE PAR / GERMANY MUN",
        year_limit=1904,
    )
    finishes = finished(before, play(before).state)
    assert finishes["FRANCE"] == Finish(place=3, score=0, out=True, years=4)
    assert finishes["ENGLAND"].drew


def test_a_draw_of_some_is_shared_by_them_alone() -> None:
    before = table("S1905M", draws="named")
    last = agreed(before, "ENGLAND", "FRANCE")
    assert last.end == End("draw", ("ENGLAND", "FRANCE"))
    finishes = finished(before, last)
    assert [each.drew for each in finishes.values()] == [True, True, False]
    assert finishes["GERMANY"] == Finish(place=3, score=3, centres=3, years=5)


def test_a_match_that_all_leave_to_one_is_a_solo() -> None:
    before = table("S1905M", draws="named")
    conceded = play(before, ENGLAND="CONCEDE", GERMANY="CONCEDE").state
    assert (
        finished(before, agreed(before, "FRANCE"))["FRANCE"]
        == finished(before, conceded)["FRANCE"]
        == Finish(1, 1, centres=1, solo=True, years=5)
    )


def test_a_seat_that_conceded_is_out_since_that_year_and_holds_nothing() -> None:
    spring = table("S1903M")
    fall = play(spring, ENGLAND="CONCEDE").state
    assert fall.phase == "F1903M"
    later = replace(fall, phase="S1906M")
    finishes = finished(spring, fall, later, replace(later, phase="F1906M"))
    assert finishes["ENGLAND"] == Finish(place=2, score=2, out=True, years=3)
    assert [finishes[seat].years for seat in ("FRANCE", "GERMANY")] == [6, 6]
    assert [finishes[seat].drew for seat in ("FRANCE", "GERMANY")] == [True, True]


def test_seats_that_all_concede_at_once_share_the_draw_with_what_they_had() -> None:
    before = table("F1902M")
    finishes = finished(
        before, play(before, ENGLAND="CONCEDE", FRANCE="CONCEDE", GERMANY="CONCEDE").state
    )
    assert [(each.drew, each.out, each.centres) for each in finishes.values()] == [
        (True, False, 2),
        (True, False, 1),
        (True, False, 3),
    ]


def test_an_eliminated_seat_went_out_in_the_year_of_the_phase_after_which_it_has_nothing() -> None:
    fall = table(
        "F1902M",
        "ENGLAND F LON / FRANCE A RUH / GERMANY A PAR",
        "ENGLAND LON / FRANCE PAR / GERMANY MUN",
    )
    states = [fall]
    while states[-1].year < 1904:
        states.append(play(states[-1]).state)
    finishes = finished(*states)
    assert finishes["FRANCE"].out
    assert finishes["FRANCE"].years == 2
    assert finishes["GERMANY"].years == 3


def test_a_match_stopped_in_its_first_phase_has_no_years() -> None:
    assert {each.years for each in finished(table("S1901M")).values()} == {0}
