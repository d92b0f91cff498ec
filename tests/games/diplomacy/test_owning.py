"""Who owned the supply centres, year by year, as records of matches tell it."""

from adjudicator.core.game import Ownership
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.phases.owning import list_owners
from adjudicator.games.diplomacy.phases.view import look
from tests.games.diplomacy.table import play, position

UNITS = "ENGLAND F LON / FRANCE A PAR / GERMANY A MUN"
CENTRES = "ENGLAND LON / FRANCE PAR / GERMANY MUN BER KIE"


def table(phase: str, units: str = UNITS, centres: str = CENTRES, **chosen: object) -> State:
    return position(
        phase,
        units,
        centres,
        seats=("ENGLAND", "FRANCE", "GERMANY"),
        powers="one",
        unplayed="absent",
        **chosen,
    )


def owners(*states: State) -> Ownership:
    return list_owners([look(state, None) for state in states])


def test_a_year_is_told_once_the_next_one_is_open() -> None:
    spring = table("S1904M")
    fall = play(spring).state
    next_year = play(fall).state
    while next_year.year == 1904:
        next_year = play(next_year).state
    assert owners(spring, fall).by_year == {}
    told = owners(spring, fall, next_year)
    assert {power: count for power, count in told.by_year[1904].items() if count} == {
        "ENGLAND": 1,
        "FRANCE": 1,
        "GERMANY": 3,
    }
    assert told.now == {
        "ENGLAND": ("LON",),
        "FRANCE": ("PAR",),
        "GERMANY": ("BER", "KIE", "MUN"),
    } and {*told.by_year} == {1904}


def test_a_power_without_centres_counts_none() -> None:
    before = table(
        "F1904M",
        centres="FRANCE PAR / GERMANY MUN BER KIE",
        units="ENGLAND F NTH / FRANCE A PAR / GERMANY A MUN",
        year_limit=1904,
    )
    told = owners(before, play(before).state)
    assert told.by_year[1904]["ENGLAND"] == 0 and "ENGLAND" not in told.now


def test_the_year_in_which_the_rules_ended_the_match_is_told() -> None:
    before = table("F1904M", victory_centres=3)
    after = play(before).state
    assert after.end is not None and owners(before, after).by_year[1904]["GERMANY"] == 3


def test_before_the_first_phase_has_closed_there_are_owners_and_no_year() -> None:
    told = owners(table("S1901M"))
    assert told.by_year == {} and told.now["FRANCE"] == ("PAR",)
