"""The story of Genesis, event by event: for the seat that acted, for the other seat, and for an
observer.
"""

from typing import get_args

import pytest

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model import events
from adjudicator.games.genesis.model.events import Happened
from adjudicator.games.genesis.model.terms import SCORES, Verdict
from adjudicator.games.genesis.model.view import look
from adjudicator.games.genesis.story.narration import tell_story
from tests.games.genesis.scenes import LIFE


def said(event: Happened, you: Seat | None = None) -> str:
    """Return the sentences of an event for `you`."""
    (line,) = tell_story(look(LIFE, you), [event])
    return line


TO_ITS_SEAT: list[tuple[Happened, str]] = [
    (events.FirstDrawn(seat="1"), "You were drawn to begin."),
    (events.HandThrown(seat="1", faces=(4,), pyramids=4), "You threw 4 for your hand: 4 pyramids."),
    (
        events.HandThrown(seat="1", faces=(3, 1, 1, 5), pyramids=5),
        "You threw 3, 1, 1 and then 5 for your hand: 5 pyramids.",
    ),
    (
        events.Born(seat="1", anubis="b2", bastet="d2"),
        (
            "Your Anubis was born on b2 and your Bastet on d2; the two pyramids went back into your"
            " hand."
        ),
    ),
    (
        events.Moved(seat="1", piece="anubis", start="b2", end="c2"),
        "Your Anubis moved from b2 to c2.",
    ),
    (
        events.Leapt(seat="1", start="b1", over="b2", end="b4"),
        "Your Bastet leapt from b1 over the pyramid on b2 to b4.",
    ),
    (
        events.Leapt(seat="1", start="b1", over="b2", end="b2"),
        "Your Bastet leapt from b1 onto the pyramid on b2.",
    ),
    (
        events.Killed(seat="1", piece="anubis", of="2", square="d2"),
        "On d2 your Anubis killed seat 2’s Bastet.",
    ),
    (
        events.TookIdea(seat="1", piece="bastet", square="e5", deeds=1),
        "The idea on e5 became a deed: you now hold 1 deed.",
    ),
    (
        events.Generated(seat="1", square="a5", outside=1),
        "From the Centre your Bastet generated an idea on a5; 1 is left outside the World.",
    ),
    (
        events.Generated(seat="1", square="a5", outside=0),
        "From the Centre your Bastet generated an idea on a5; none is left outside the World.",
    ),
    (
        events.Destroyed(seat="1", square="e1", outside=7),
        "From the Centre your Bastet destroyed the idea on e1; now 7 are outside the World.",
    ),
    (events.MustLeave(seat="1"), "Your Bastet has to leave the Centre on your next turn."),
    (events.SitsStill(seat="1", turns=3), "You sit still for the other seat’s next 3 turns."),
    (
        events.SitsStill(seat="1", turns=3, given_up=2),
        (
            "You sit still for the other seat’s next 3 turns and give up the 2 turns still to come"
            " in a row."
        ),
    ),
    (
        events.PlacedPyramid(seat="1", square="d2", left=0),
        "You placed a pyramid on d2; none is left in hand.",
    ),
    (
        events.PlacedPyramid(seat="1", square="a2", left=2, tomb="1"),
        "You placed a pyramid on a2, a cell of your own tombs; 2 are left in hand.",
    ),
    (
        events.PlacedDeed(seat="1", square="b1", left=1, tomb="2"),
        "You placed a deed on b1, a cell of seat 2’s tombs; 1 is left in hand.",
    ),
    (
        events.PlacedDeed(seat="1", square="b1", left=1, duty=True),
        "You placed a duty deed on b1; 1 is left in hand.",
    ),
    (
        events.Thrown(seat="1", face=1, gift="rebirth", possible=True),
        "You threw a 1, which may bring Bastet back.",
    ),
    (
        events.Thrown(seat="1", face=1, gift="rebirth", possible=False),
        "You threw a 1, but no rebirth is possible.",
    ),
    (
        events.Thrown(seat="1", face=6, gift="leap", possible=True),
        "You threw a 6, with which Bastet may leap.",
    ),
    (
        events.Thrown(seat="1", face=3, gift="leap", possible=False),
        "You threw a 3, but no leap is possible.",
    ),
    (
        events.Thrown(seat="1", face=4, gift="nothing", possible=False),
        "You threw a 4, which gives nothing.",
    ),
    (events.Declined(seat="1", face=3, possible=True), "You declined to use the 3."),
    (events.Declined(seat="1", face=2, possible=False), "Nothing came of the 2."),
    (
        events.Reborn(seat="1", square="b4", way="pyramid"),
        "Your Bastet was reborn from the pyramid on b4, which went into your hand.",
    ),
    (
        events.Reborn(seat="1", square="e5", way="corner"),
        "Your Bastet was reborn on the corner e5.",
    ),
    (
        events.Reborn(seat="1", square="c3", way="deeds", returned=("a1", "e5")),
        "You returned 2 deeds to a1 and e5, and your Bastet was reborn in the Centre.",
    ),
    (
        events.Reborn(seat="1", square="c3", way="deeds", returned=("a1",)),
        "You returned 1 deed to a1, and your Bastet was reborn in the Centre.",
    ),
    (events.Passed(seat="1"), "You passed."),
    (events.TombsBegan(seat="1"), "No idea is left outside the World, so the tombs begin."),
    (events.Buried(seat="1", piece="anubis", square="a1"), "Your Anubis was buried on a1."),
    (
        events.Buried(
            seat="1", piece="bastet", square="a5", cells=("b1", "a2", "b2", "a4", "b4", "b5")
        ),
        "Your Bastet was buried on a5. Your tomb cells are b1, a2, b2, a4, b4 and b5.",
    ),
    (
        events.TombsCompleted(seat="1", cells=("b1", "a2"), owes="2"),
        (
            "Your tombs are complete: b1 and a2 are filled. From now on seat 2 owes a duty deed"
            " with every turn."
        ),
    ),
    (
        events.TombsCompleted(seat="1", cells=("b1", "a2")),
        "Your tombs are complete: b1 and a2 are filled.",
    ),
    (
        events.SeatOver(seat="1"),
        "It is over for you: both your pieces are buried and you can place nothing more.",
    ),
]

TO_THE_OTHER: list[tuple[Happened, str]] = [
    (events.FirstDrawn(seat="1"), "Seat 1 was drawn to begin."),
    (
        events.HandThrown(seat="1", faces=(4,), pyramids=4),
        "Seat 1 threw 4 for its hand: 4 pyramids.",
    ),
    (
        events.Born(seat="1", anubis="b2", bastet="d2"),
        (
            "Seat 1’s Anubis was born on b2 and its Bastet on d2; the two pyramids went back into"
            " its hand."
        ),
    ),
    (
        events.Killed(seat="1", piece="bastet", of="2", square="d2"),
        "On d2 seat 1’s Bastet killed your Bastet.",
    ),
    (
        events.TookIdea(seat="1", piece="bastet", square="e5", deeds=2),
        "The idea on e5 became a deed: seat 1 now holds 2 deeds.",
    ),
    (
        events.MustLeave(seat="1"),
        "Seat 1’s Bastet has to leave the Centre on its seat’s next turn.",
    ),
    (events.SitsStill(seat="1", turns=2), "Seat 1 sits still for your next 2 turns."),
    (
        events.SitsStill(seat="1", turns=3, given_up=1),
        "Seat 1 sits still for your next 3 turns and gives up the 1 turn still to come in a row.",
    ),
    (
        events.PlacedPyramid(seat="1", square="a2", left=2, tomb="1"),
        "Seat 1 placed a pyramid on a2, a cell of its own tombs; 2 are left in hand.",
    ),
    (
        events.PlacedDeed(seat="1", square="b1", left=1, tomb="2"),
        "Seat 1 placed a deed on b1, a cell of your tombs; 1 is left in hand.",
    ),
    (
        events.Reborn(seat="1", square="c3", way="deeds", returned=("a1", "e5")),
        "Seat 1 returned 2 deeds to a1 and e5, and its Bastet was reborn in the Centre.",
    ),
    (
        events.TombsCompleted(seat="1", cells=("b1", "a2"), owes="2"),
        (
            "Seat 1’s tombs are complete: b1 and a2 are filled. From now on you owe a duty deed"
            " with every turn."
        ),
    ),
    (
        events.SeatOver(seat="1"),
        "It is over for seat 1: both its pieces are buried and it can place nothing more.",
    ),
]


@pytest.mark.parametrize(
    ("event", "line"), TO_ITS_SEAT, ids=lambda value: getattr(value, "kind", "")
)
def test_each_event_has_a_sentence_for_the_seat_that_did_it(event: Happened, line: str) -> None:
    assert said(event, "1") == line


@pytest.mark.parametrize(
    ("event", "line"), TO_THE_OTHER, ids=lambda value: getattr(value, "kind", "")
)
def test_each_event_has_a_sentence_for_the_other_seat(event: Happened, line: str) -> None:
    assert said(event, "2") == line


@pytest.mark.parametrize("event", [event for event, _ in TO_ITS_SEAT], ids=lambda event: event.kind)
def test_an_observer_is_never_addressed(event: Happened) -> None:
    line = said(event)
    assert "you" not in line.lower() and line.endswith(".")


def test_every_kind_of_event_is_tried_here() -> None:
    assert {type(event) for event, _ in TO_ITS_SEAT} == set(get_args(Happened)) - {events.Ended}


def test_the_story_of_a_sitting_for_an_observer_addresses_nobody() -> None:
    assert (
        said(events.SitsStill(seat="2", turns=3))
        == "Seat 2 sits still for the other seat’s next 3 turns."
    )


# --- the end


def ended(
    one: Verdict, two: Verdict, *, deeds: tuple[int, int], limit: bool = False
) -> events.Ended:
    """Return the end with these verdicts and deeds of the seats."""
    scores = {"1": SCORES[one], "2": SCORES[two]}
    places = {
        seat: 1 + sum(other > score for other in scores.values()) for seat, score in scores.items()
    }
    return events.Ended(
        why="turn limit" if limit else "over for both",
        verdicts={"1": one, "2": two},
        deeds=dict(zip("12", deeds, strict=True)),
        places=places,
    )


def test_the_story_of_the_end_names_the_best_seat_first_with_the_reasons() -> None:
    assert (
        said(ended("lost", "reborn as winner", deeds=(2, 5)), "1")
        == "The match is over, as neither seat can place anything more. "
        "Seat 2 is reborn as winner: its tombs are complete, with 5 deeds to 2. "
        "You have lost: your tombs are not complete."
    )


def test_the_end_at_the_turn_limit_tells_the_heavier_losses() -> None:
    assert (
        said(ended("lost sevenfold", "lost threefold", deeds=(2, 0), limit=True), "2")
        == "The match is over, as all its turns are taken. You have lost threefold: not both of"
        " your pieces are buried. Seat 1 has lost sevenfold: its Bastet is not in the World."
    )


def test_one_who_is_reborn_with_fewer_deeds_has_not_lost() -> None:
    assert said(ended("reborn as winner", "reborn", deeds=(4, 1)), "2").endswith(
        "Seat 1 is reborn as winner: its tombs are complete, with 4 deeds to 1. "
        "You are reborn and have not lost: your tombs are complete, with 1 deed to 4."
    )


def test_the_story_calls_equal_deeds_a_draw() -> None:
    assert (
        said(ended("reborn", "reborn", deeds=(3, 3)), "1")
        == "The match is over, as neither seat can place anything more. "
        "Both seats are reborn with 3 deeds each: the tombs of both are complete, and it is a draw."
    )
