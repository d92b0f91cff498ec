"""The story of RPS Phoenix, event by event."""

from typing import get_args

import pytest

from adjudicator.core.game import Seat
from adjudicator.games.phoenix.drawing.rule_pictures import EXAMPLES
from adjudicator.games.phoenix.model.events import (
    Began,
    ChipPaid,
    Ended,
    EscalationBegan,
    FirstRoll,
    Happened,
    Met,
    Moved,
    OpeningEnded,
    Raised,
    Rolled,
    Scored,
    Stayed,
)
from adjudicator.games.phoenix.model.grid import Bird
from adjudicator.games.phoenix.story.narration import TELLERS
from tests.games.phoenix.positions import birds_of, decide, position, story, told

RED_ROCK = Bird("Red", "rock", (3, 4))


def test_every_event_has_a_sentence() -> None:
    assert set(TELLERS) | {Ended} == set(get_args(Happened))


# --- whole turns


def test_the_story_of_a_chain_of_meetings_for_an_observer_names_every_seat() -> None:
    example = EXAMPLES["meetings"]
    assert story(decide(position(birds_of(*example.before)), "rock NE"))[:4] == (
        "Red moved its Rock north-east, from 2,1 to 3,2.",
        (
            "Red’s Rock met Blue’s Scissors to the north-east, at 4,3: Rock beats Scissors. "
            "Blue’s Scissors went to the Ashes and Red’s Rock took 4,3 (1 point for Red)."
        ),
        (
            "Red’s Rock met Blue’s Paper to the south-east, at 5,2: Paper beats Rock. "
            "Red’s Rock went to the Ashes and Blue’s Paper took 4,3 (1 point for Blue)."
        ),
        (
            "Blue’s Paper met Red’s Scissors to the north-west, at 3,4: Scissors beat Paper. "
            "Blue’s Paper went to the Ashes and Red’s Scissors took 4,3 (1 point for Red)."
        ),
    )


def test_the_same_told_to_one_of_them_says_you() -> None:
    lines = story(decide(position(birds_of(*EXAMPLES["meetings"].before)), "rock NE"), "Blue")
    assert lines[1].startswith("Red’s Rock met your Scissors to the north-east, at 4,3")
    assert lines[2].endswith(
        "Red’s Rock went to the Ashes and your Paper took 4,3 (1 point for you)."
    )


def test_a_landing_in_the_opening_is_told() -> None:
    done = decide(position("Rr? Rs66 Br43 Bs54 Bp?", turn=3, dice=(4, 3)), "place rock", 1, 2)
    assert story(done, "Red")[:2] == (
        "You placed your Rock on 4,3.",
        (
            "Blue’s Rock stood there and went to the Ashes: landing on a square eliminates,"
            " whatever the types (1 point for you)."
        ),
    )


def test_a_phoenix_lands_and_meets() -> None:
    done = decide(position("Rp12 Bp55 Bs64", dice=(5, 5)), "phoenix rock")
    assert story(done)[:3] == (
        "Phoenix: Red raised its Rock from the Ashes onto 5,5 (2 points).",
        (
            "Blue’s Paper stood there and went to the Ashes: landing on a square eliminates,"
            " whatever the types (1 point for Red)."
        ),
        (
            "Red’s Rock met Blue’s Scissors to the south-east, at 6,4: Rock beats Scissors. "
            "Blue’s Scissors went to the Ashes and Red’s Rock took 6,4 (1 point for Red)."
        ),
    )


def test_a_capture_and_its_chain_reaction() -> None:
    done = decide(position("Rp16 Br43 Bs52 Bp11", turn=60), "paper SE 3 chain")
    assert story(done, "Blue")[:5] == (
        "Red moved its Paper 3 squares south-east, from 1,6 to 4,3.",
        "There it captured your Rock, which went to the Ashes (1 point for Red).",
        "In a chain reaction Red’s Paper went on from 4,3 to 5,2.",
        "There it captured your Scissors, which went to the Ashes (1 point for Red).",
        "In a chain reaction Red’s Paper went on from 5,2 to 6,1.",
    )


def test_in_the_escalation_both_go() -> None:
    done = decide(position("Rs23 Rr61 Bs54", turn=60), "scissors NE 2")
    assert (
        story(done, "Red")[1]
        == "Your Scissors met Blue’s Scissors to the south-east, at 5,4: in the Escalation both"
        " went to the Ashes (1 point for you, 1 for Blue)."
    )


def test_a_roll_and_the_move_after_it() -> None:
    rolled = decide(position("Rr12 Bs61"), "roll", 3, 3)
    assert story(rolled) == ("Turn 21: Red rolled 3,3, doubles.",)
    assert story(decide(rolled.state, "move rock")) == (
        "Red moved its Rock from 1,2 to 3,3, the square of the dice.",
    )


def test_the_story_calls_a_named_direction_ordered() -> None:
    done = decide(position("Rr21 Bs43 Bp61 Br11"), "rock NE meeting NE")
    assert story(done)[1].startswith("As ordered, Red’s Rock met Blue’s Scissors to the north-east")


# --- single events


@pytest.mark.parametrize(
    ("event", "you", "line"),
    [
        (
            Stayed(seat="Red", why="blocked", at=(3, 4), blocker=RED_ROCK),
            None,
            "Red stayed: its own Rock stands on 3,4.",
        ),
        (
            Stayed(seat="Red", why="blocked", at=(3, 4), blocker=RED_ROCK),
            "Red",
            "You stayed: your own Rock stands on 3,4.",
        ),
        (
            Stayed(seat="Pink", why="blocked", at=(3, 4), blocker=RED_ROCK),
            "Pink",
            "You stayed: Red’s Rock stands on 3,4.",
        ),
        (
            Stayed(seat="Red", why="none-to-place", at=(3, 4)),
            "Red",
            "You have no Bird left to place and passed.",
        ),
        (
            Stayed(seat="Red", why="none-on-grid", at=(3, 4)),
            None,
            "Red has no Bird on the grid that could move to 3,4, and passed.",
        ),
        (
            ChipPaid(seat="Red", chips=2, pot=5),
            "Red",
            "You put 2 chips into the pot, which holds 5 now.",
        ),
        (
            ChipPaid(seat="Red", chips=1, pot=1),
            None,
            "Red put 1 chip into the pot, which holds 1 now.",
        ),
        (
            Scored(scores={"Red": 1, "Blue": 4}),
            "Blue",
            "The score: Red has 1 point and you have 4.",
        ),
        (Rolled(turn=3, seat="Red", dice=(3, 4), part="opening"), None, "Turn 3: Red rolled 3,4."),
        (
            Moved(bird=RED_ROCK, to=(2, 3), how="diagonal"),
            None,
            "Red moved its Rock south-west, from 3,4 to 2,3.",
        ),
    ],
)
def test_each_event_has_a_sentence(event: Happened, you: Seat | None, line: str) -> None:
    assert told(event, you=you) == line


def test_the_story_names_a_second_bird_and_a_forced_one() -> None:
    second = Raised(bird=Bird("Red", "paper", "ashes"), to=(3, 5), second=True)
    assert (
        told(second)
        == "With it Red raised its Paper from the Ashes beside the first, onto 3,5 (2 points)."
    )
    forced = Raised(bird=Bird("Red", "paper", "ashes"), to=(3, 3), forced=True)
    assert (
        told(forced, you="Red")
        == "Phoenix: you raised your Paper from the Ashes onto 3,3, as the give-away rule demands"
        " (2 points)."
    )


def test_the_rolls_for_the_first_turn_and_a_tie() -> None:
    first = (FirstRoll("Red", (3, 4)), FirstRoll("Blue", (6, 1)), FirstRoll("Pink", (1, 1)))
    again = (FirstRoll("Red", (1, 2)), FirstRoll("Blue", (6, 6)))
    assert (
        told(Began(rounds=(first, again), first="Blue"), you="Blue")
        == "For the first turn Red rolled 7 (3 and 4), you 7 (6 and 1) and Pink 2 (1 and 1). "
        "The highest totals were alike, so Red rolled 3 (1 and 2) and you 12 (6 and 6). You begin."
    )


def test_the_story_names_the_parts_of_the_game() -> None:
    assert told(OpeningEnded(turn=7)).startswith("The opening ended with turn 7.")
    assert told(EscalationBegan(turn=54)).startswith(
        "After turn 54 the Escalation has begun: long diagonals"
    )


def test_scissors_are_many() -> None:
    met = Met(
        bird=Bird("Red", "scissors", (2, 2)),
        other=Bird("Blue", "paper", (3, 3)),
        direction="NE",
        outcome="won",
    )
    assert "Scissors beat Paper" in told(met)
    blocked = Stayed(seat="Red", why="blocked", at=(3, 4), blocker=Bird("Red", "scissors", (3, 4)))
    assert told(blocked) == "Red stayed: its own Scissors stand on 3,4."


# --- the end


def end(**changes: object) -> Ended:
    """Return the end of a match that Red won alone after turn 40, with these changes."""
    common = {
        "why": "survivor",
        "turn": 40,
        "winners": (("Red",),),
        "bonus": {"Red": 3},
        "shares": {},
        "pot": 0,
    }
    tables = {"places": {"Red": 1, "Blue": 2}, "scores": {"Red": 7, "Blue": 2}}
    return Ended(**{**common, **tables, **changes})  # type: ignore[arg-type]


SCORE = "The last score: Red has 7 points and Blue has 2."
TEAM = (("Red", "Pink"),)
BOTH = (("Red",), ("Blue",))


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            end(),
            "The match is over after turn 40: Red alone has Birds on the grid and wins (3 points).",
        ),
        (
            end(winners=TEAM),
            (
                "The match is over after turn 40: Red and Pink alone have Birds on the grid and win"
                " (3 points, added to Red’s score)."
            ),
        ),
        (
            end(why="given-away"),
            "The match is over after turn 40: Red has every Bird in the Ashes and wins (3 points).",
        ),
        (
            end(why="given-away", winners=BOTH, bonus={"Red": 3, "Blue": 3}),
            (
                "The match is over after turn 40: Red and Blue have every Bird in the Ashes and"
                " share the victory (3 points each)."
            ),
        ),
        (
            end(why="limit", bonus={}),
            (
                "The match is over, as the limit is reached with turn 40: Red has the highest score"
                " and wins."
            ),
        ),
        (
            end(shares={"Red": 4}, pot=1),
            (
                "The match is over after turn 40: Red alone has Birds on the grid and wins (3"
                " points). Red takes 4 chips out of the pot; 1 stays in the pot."
            ),
        ),
        (
            end(winners=BOTH, why="limit", bonus={}, pot=1),
            (
                "The match is over, as the limit is reached with turn 40: Red and Blue have the"
                " highest score and share the victory. Too few chips for everybody to have one: 1"
                " stays in the pot."
            ),
        ),
    ],
)
def test_the_end_is_told_with_its_reason(event: Ended, line: str) -> None:
    assert told(event) == f"{line} {SCORE}"


def test_the_winner_reads_that_it_won() -> None:
    assert (
        told(end(), you="Red")
        == "The match is over after turn 40: you alone have Birds on the grid and win (3 points). "
        "The last score: you have 7 points and Blue has 2."
    )


def test_at_the_limit_of_a_give_away_the_birds_in_the_ashes_decide() -> None:
    assert "Red has most Birds in the Ashes and wins." in told(
        end(why="limit", bonus={}), give_away=True
    )
