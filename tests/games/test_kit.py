"""The sentences of all games: seats by number or name, scores, and the remark on orders that do not
count; and what is kept in records.
"""

from dataclasses import dataclass, replace

import pytest

from adjudicator.core import codec
from adjudicator.core.game import Parsed, Refusal
from adjudicator.games.kit.keeping import keep
from adjudicator.games.kit.parsing import last_counts
from adjudicator.games.kit.ranking import ranking
from adjudicator.games.kit.words import scores_text, who, whose

BAD = Refusal.invalid("rokc", "rokc", "“rokc” is no order.")


@pytest.mark.parametrize(
    ("you", "seat", "called", "its_own"),
    [
        ("2", "2", "you", "your"),
        ("1", "2", "seat 2", "seat 2’s"),
        (None, "2", "seat 2", "seat 2’s"),
        ("Red", "Blue", "Blue", "Blue’s"),
    ],
)
def test_the_reader_is_you_and_the_others_go_by_number_or_name(
    you: str | None, seat: str, called: str, its_own: str
) -> None:
    assert (who(you, seat), whose(you, seat)) == (called, its_own)


def test_scores_are_told_in_the_order_given() -> None:
    assert (
        scores_text("Blue", {"Blue": 1, "Red": 12, "Pink": 0})
        == "you have 1 point, Red has 12 and Pink has 0"
    )
    assert scores_text(None, {"2": 4, "1": 1}, "pip") == "seat 2 has 4 pips and seat 1 has 1"


def read(*lines: str | Refusal) -> Parsed[str]:
    """Return the result of lines where the slot `card` is owed."""
    return last_counts(lines, ("card",), several="You gave more than one order")


def test_G8_the_last_good_line_counts_and_the_bad_ones_are_refused() -> None:
    assert read("rock", BAD, "paper", "rock") == Parsed(
        ("rock",),
        (BAD,),
        ("You gave more than one order; the last one, rock, counts and paper does not.",),
    )


def test_the_slot_stays_open_without_a_good_line() -> None:
    assert read(BAD) == Parsed((), (BAD,), (), ("card",))


def test_an_order_said_twice_replaces_nothing() -> None:
    assert read("rock", "rock") == Parsed(("rock",))


def test_a_remark_names_three_orders_and_counts_more() -> None:
    assert read("a", "b", "c", "d").remarks == (
        "You gave more than one order; the last one, d, counts and a, b and c do not.",
    )
    assert read("a", "b", "c", "d", "e").remarks == (
        "You gave more than one order; the last one, e, counts and the 4 others do not.",
    )


def outcomes(**scores: int) -> str:
    """Return the ranking of some scores: `1 won, 2 lost`."""
    return ", ".join(f"{each.place} {each.outcome}" for each in ranking(scores).values())


def test_a_ranking_gives_equal_scores_one_place() -> None:
    assert outcomes(a=3, b=7) == "2 lost, 1 won"
    assert outcomes(a=7, b=3, c=7) == "1 shared, 3 lost, 1 shared"
    assert outcomes(a=0, b=0) == "1 drew, 1 drew"


def test_what_follows_from_a_record_is_worked_out_once_and_belongs_to_no_copy_and_no_store() -> (
    None
):
    worked: list[int] = []

    @keep
    def double(record: _Number) -> int:
        worked.append(record.number)
        return record.number * 2

    one = _Number(1)
    assert (double(one), double(one), double(replace(one, number=2))) == (2, 2, 4)
    assert worked == [1, 2]
    assert (one, codec.dump(_Number, one)) == (_Number(1), {"number": 1})


@dataclass(frozen=True)
class _Number:
    number: int
