"""The best assignments of seats, the draw among them, and the names of seats."""

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.chance import ScriptedChance, Setting, first_element, of_phase
from adjudicator.games.diplomacy.rules import DIPLOMACY
from adjudicator.games.phoenix.rules import PHOENIX
from adjudicator.platform.words import display_seat, seat_phrase, seat_verb
from adjudicator.play import seat_allocation
from adjudicator.play.seat_allocation import Lot, SeatingError

POWERS = DIPLOMACY.about.seats[7]
COLOURS = PHOENIX.about.palette
FOUR = ("ENGLAND", "FRANCE", "GERMANY", "RUSSIA")


def unhappiness(wishes: list[tuple[str, ...]], seats: tuple[str, ...]) -> int:
    """The sum of ranks as the rule says: the place among a player's wishes, after all of them for a
    seat not wished for.
    """
    return sum(
        mine.index(seat) if seat in mine else len(mine)
        for mine, seat in zip(wishes, seats, strict=True)
    )


_SOME = st.lists(st.sampled_from(FOUR), unique=True).map(tuple)


@given(st.lists(_SOME, min_size=4, max_size=4))
def test_the_best_assignments_are_all_with_the_smallest_sum_of_ranks(
    wishes: list[tuple[str, ...]],
) -> None:
    least = min(unhappiness(wishes, seats) for seats in permutations(FOUR))
    assert seat_allocation.best_assignments(wishes, FOUR) == [
        seats for seats in permutations(FOUR) if unhappiness(wishes, seats) == least
    ]


@given(st.lists(_SOME, min_size=4, max_size=4), st.binary(min_size=8, max_size=8))
def test_everybody_gets_another_seat_and_the_same_chance_gives_the_same(
    wishes: list[tuple[str, ...]], seed: bytes
) -> None:
    firsts = {"public": first_element(seed, "public"), "hidden": first_element(seed, "hidden")}
    one, two = (
        seat_allocation.draw_seats(wishes, FOUR, of_phase(firsts, Setting("m", 0)).public)
        for _ in range(2)
    )  # type: ignore[arg-type]
    assert one == two and sorted(lot.seat for lot in one) == sorted(FOUR)
    assert [lot.wishes for lot in one] == wishes


def test_naming_one_alone_gains_nothing_over_naming_all() -> None:
    alone, all_seven = ("FRANCE",), ("FRANCE", *(power for power in POWERS if power != "FRANCE"))
    found = seat_allocation.best_assignments([alone, all_seven, (), (), (), (), ()], POWERS)
    assert {given[0] for given in found} > {"FRANCE"} and {given[1] for given in found} == {
        "FRANCE",
        "AUSTRIA",
    }


@pytest.mark.parametrize(
    ("wishes", "possible"),
    [
        (["", ""], ["Red Blue", "Blue Red"]),
        (["Green", ""], ["Green Red"]),
        (["Red", ""], ["Red Blue"]),
        (["Pink", "Green"], ["Pink Green"]),
        (["Green", "Green"], ["Red Green", "Green Red"]),
        (["Green Pink", "Green"], ["Green Red", "Pink Green"]),
        (["", "Blue", ""], ["Red Blue Pink", "Pink Blue Red"]),
        (["Green", "Pink", "Green Blue"], ["Red Pink Green", "Green Pink Blue"]),
    ],
)
def test_R16_of_more_colours_than_places_those_left_are_used_in_order(
    wishes: list[str], possible: list[str]
) -> None:
    found = seat_allocation.best_assignments([each.split() for each in wishes], COLOURS)
    assert sorted(map(" ".join, found)) == sorted(possible)


def test_R16_wishes_of_before_are_met_as_they_were() -> None:
    """A file written under the first version draws the same seats again."""
    for names in (COLOURS[:2], COLOURS[:3]):
        lists = [mine for size in range(len(names) + 1) for mine in permutations(names, size)]
        for wishes in product(lists, repeat=len(names)):
            assert seat_allocation.best_assignments(
                wishes, COLOURS
            ) == seat_allocation.best_assignments(wishes, names), wishes


def test_without_wishes_every_assignment_of_seven_is_drawn_from() -> None:
    assert len(seat_allocation.best_assignments([()] * 7, POWERS)) == 5040


def test_the_draw_is_one_pick_among_the_best() -> None:
    chance = ScriptedChance([str(("FRANCE", "ENGLAND", "GERMANY", "RUSSIA"))])
    lots = seat_allocation.draw_seats([("FRANCE",), (), (), ()], FOUR, chance.public)
    assert [lot.seat for lot in lots] == ["FRANCE", "ENGLAND", "GERMANY", "RUSSIA"]
    assert [(draw.stream, draw.label) for draw in chance.draws] == [
        ("public", seat_allocation.LABEL)
    ]


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("france england", ("FRANCE", "ENGLAND")),
        ("Fra, ENG; g", ("FRANCE", "ENGLAND", "GERMANY")),
        ("russia > france", ("RUSSIA", "FRANCE")),
        ("", ()),
    ],
)
def test_wishes_are_read_in_any_case_and_abbreviated(text: str, seats: tuple[str, ...]) -> None:
    assert seat_allocation.read_preferences(text, FOUR) == seats


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "spain",
            "“spain” is not played in this match; wish for England, France, Germany or Russia.",
        ),
        ("france f", "“f” stands twice among your wishes; name each once, the dearest first."),
    ],
)
def test_a_wish_that_names_no_seat_says_which_there_are(text: str, sentence: str) -> None:
    with pytest.raises(SeatingError, match=sentence):
        seat_allocation.read_preferences(text, FOUR)


def test_a_beginning_that_may_be_two_asks_for_more_of_the_name() -> None:
    with pytest.raises(
        SeatingError, match="“r” may be Red or Rose; write a little more of the name"
    ):
        seat_allocation.read_preferences("r", ("Red", "Rose", "Blue"))
    assert seat_allocation.read_preferences("1", ("1", "10")) == ("1",)


@pytest.mark.parametrize(
    ("lot", "said"),
    [
        (Lot(("FRANCE",), "FRANCE"), "your first wish"),
        (Lot(("FRANCE", "RUSSIA"), "RUSSIA"), "your second wish"),
        (
            Lot(("FRANCE", "RUSSIA"), "ENGLAND"),
            "by lot: what you wished for (France and Russia) went to others",
        ),
        (Lot((), "ENGLAND"), "by lot, as you wished for nothing"),
    ],
)
def test_a_lot_says_which_wish_was_granted(lot: Lot, said: str) -> None:
    assert lot.said == said


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("FRANCE", ("France", "France", "play France")),
        ("3", ("3", "seat 3", "have seat 3")),
        ("Red", ("Red", "seat Red", "have seat Red")),
        ("A", ("A", "seat A", "have seat A")),
    ],
)
def test_seats_are_called_by_their_names(name: str, sentences: tuple[str, str, str]) -> None:
    assert (display_seat(name), seat_phrase(name), seat_verb(name)) == sentences
