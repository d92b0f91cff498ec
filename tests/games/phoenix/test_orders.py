"""How orders of RPS Phoenix are read: spellings, and every way of being wrong with its reason and a
way out.
"""

import pytest

from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from tests.games.phoenix.positions import ESCALATED, decide, position, refused, texts, why

OPENING = position("Rr? Rp? Rs? Bs61", dice=(3, 3))
MAIN = position("Rr33 Rp21 Bs61 Bp66")
ROLLED = position("Rr33 Bs61 Bp66", dice=(4, 4))
LATE = position("Rr33 Bs61 Bp55 Br66", turn=ESCALATED)
LATE_ROLLED = position("Rs16 Bs61 Bp66", turn=ESCALATED, dice=(3, 4))
LATE_DOUBLES = position("Rs16 Bs61 Bp66", turn=ESCALATED, dice=(3, 3))

SPELLINGS = [
    # at which state, as written, the order in its own spelling
    (OPENING, "place rock", "place rock"),
    (OPENING, "Place my Rock.", "place rock"),
    (OPENING, "put R on 3,3", "place rock"),
    (OPENING, "PLACE  scissors", "place scissors"),
    (MAIN, "roll", "roll"),
    (MAIN, "Roll the dice.", "roll"),
    (MAIN, "play roll!", "roll"),
    (MAIN, "rock NE", "rock NE"),
    (MAIN, "Red rock ne", "rock NE"),
    (MAIN, "r ne 1", "rock NE"),
    (MAIN, "move rock north-east", "rock NE"),
    (MAIN, "rock to the North East", "rock NE"),
    (MAIN, "rock up-right", "rock NE"),
    (MAIN, "rock -> 4,4", "rock 4,4"),
    (MAIN, "rock 4, 4", "rock 4,4"),
    (MAIN, "rock (4/4)", "rock 4,4"),
    (MAIN, "rock 4-4", "rock 4,4"),
    (MAIN, "rock 44", "rock 4,4"),
    (MAIN, "rock 4 4", "rock 4,4"),
    (MAIN, "rock NE meeting SW, SE", "rock NE meeting SW SE"),
    (MAIN, "rock NE meeting SW and SE", "rock NE meeting SW SE"),
    (MAIN, "rock NE, meeting south-west first", "rock NE meeting SW"),
    (ROLLED, "move rock", "move rock"),
    (ROLLED, "Move my Rock, meeting NE.", "move rock meeting NE"),
    (ROLLED, "move rock to 4,4", "rock 4,4"),
    (ROLLED, "rock 4,4", "rock 4,4"),
    (ROLLED, "phoenix paper", "phoenix paper"),
    (ROLLED, "resurrect P on 4,4 meeting sw", "phoenix paper meeting SW"),
    (LATE, "rock NE 2 chain", "rock NE 2 chain"),
    (LATE, "rock NE 2, chain 1, meeting NW", "rock NE 2 chain 1 meeting NW"),
    (LATE, "rock 5,5 meeting NW chain 1", "rock 5,5 chain 1 meeting NW"),
    (LATE_DOUBLES, "phoenix paper and rock 3,4", "phoenix paper and rock 3,4"),
    (LATE_DOUBLES, "phoenix paper, rock 34", "phoenix paper and rock 3,4"),
    (
        LATE_DOUBLES,
        "Phoenix paper on 3,3 and phoenix rock on 3,4 meeting NE",
        "phoenix paper and rock 3,4 meeting NE",
    ),
    (
        LATE_DOUBLES,
        "phoenix paper meeting NE and rock 3,4",
        "phoenix paper and rock 3,4 meeting NE",
    ),
    (position("Bs61 Bp66", dice=(3, 4)), "pass", "stay"),
]


@pytest.mark.parametrize(
    ("state", "text", "order"), SPELLINGS, ids=[text for _, text, _ in SPELLINGS]
)
def test_every_spelling_of_an_order_is_read(state: State, text: str, order: str) -> None:
    read = PHOENIX.parse(state, "Red", text)
    assert ([str(each) for each in read.orders], read.refusals, read.open) == ([order], (), ())
    again = PHOENIX.parse(state, "Red", order)
    assert again.orders == read.orders


@pytest.mark.parametrize("text", ["", "   ", "\n\n", " , . \n\t\n"])
def test_empty_lines_say_nothing(text: str) -> None:
    read = PHOENIX.parse(MAIN, "Red", text)
    assert (read.orders, read.refusals, read.open) == ((), (), ("turn",))


# --- not understood

INVALID = [
    # text, the piece, the reason
    ("xyzzy", "xyzzy", "“xyzzy” is no word of an order here."),
    (
        "scisors NE",
        "scisors",
        "“scisors” is no word of an order here; perhaps “scissors” is meant.",
    ),
    ("Blue rock NE", "Blue", "You order your own Birds only, not Blue’s."),
    ("rock 7,4", "7,4", "There is no square 7,4; both numbers go from 1 to 6."),
    ("rock 0,4", "0,4", "There is no square 0,4; both numbers go from 1 to 6."),
    ("rock 123", "123", "“123” is neither a square, such as 3,4, nor a number of squares."),
    ("rock NE 6", "NE 6", "A diagonal move goes from 1 to 5 squares."),
    ("rock NE 0", "NE 0", "A diagonal move goes from 1 to 5 squares."),
    ("rock NE chain 5", "chain 5", "A chain reaction goes from 1 to 4 squares."),
    (
        "rock NE chain 1 chain 2",
        "chain 2",
        "“chain 2” cannot follow “rock NE chain 1”; one order stands on a line.",
    ),
    (
        "roll move rock",
        "move rock",
        "“move rock” cannot follow “roll”; one order stands on a line.",
    ),
    ("chain", "chain", "“chain” is not put as an order."),
    ("phoenix rock and rock 3,4", "rock", "Your Rock cannot rise twice; name another Bird."),
    ("place rock 3,4", "3,4", "The dice name this square; leave it out."),
    (
        "place rock meeting NE",
        "meeting NE",
        "“meeting NE” cannot follow “place rock”; one order stands on a line.",
    ),
    ("the", "the", "“the” names no order."),
]


@pytest.mark.parametrize(("text", "piece", "reason"), INVALID, ids=[text for text, _, _ in INVALID])
def test_a_refusal_quotes_the_smallest_part_that_is_not_understood(
    text: str, piece: str, reason: str
) -> None:
    refusal = refused(MAIN, text)
    assert (refusal.kind, refusal.piece, refusal.reason, refusal.understood) == (
        "invalid",
        piece,
        reason,
        "",
    )
    assert refusal.line == text


AMBIGUOUS = [
    ("rock", "“rock” does not say what your Rock is to do."),
    ("place", "“place” does not say which Bird is to be placed."),
    ("move", "“move” does not say which Bird is to move."),
    ("phoenix", "“phoenix” does not say which Bird is to rise."),
    (
        "phoenix rock and paper",
        "“phoenix rock and paper” does not say on which square the second Bird is to rise.",
    ),
    ("NE", "“NE” does not say which Bird is meant."),
    ("3,4", "“3,4” does not say which Bird is meant."),
    ("rock NE meeting", "After “meeting” stand the directions to look first: NE, SE, SW, NW."),
]


@pytest.mark.parametrize(("text", "reason"), AMBIGUOUS, ids=[text for text, _ in AMBIGUOUS])
def test_what_leaves_something_open_is_ambiguous(text: str, reason: str) -> None:
    refusal = refused(MAIN, text)
    assert (refusal.kind, refusal.reason) == ("ambiguous", reason)


def test_another_square_than_that_of_the_dice_is_refused() -> None:
    assert (
        refused(OPENING, "place rock 3,4").reason
        == "The dice name this square and show 3,3; leave it out."
    )
    assert (
        refused(OPENING, "place rock 3,3", seat="Blue").reason
        == "The dice name this square; leave it out."
    )
    assert (
        refused(ROLLED, "phoenix paper 4,5").reason
        == "The dice name this square and show 4,4; leave it out."
    )


# --- not possible now

ILLEGAL = [
    (OPENING, "roll", "In the opening the dice are rolled for you; they show 3,3."),
    (OPENING, "rock NE", "In the opening no Bird moves; you place one on the square of the dice."),
    (
        OPENING,
        "move rock",
        "In the opening no Bird moves; you place one on the square of the dice.",
    ),
    (
        OPENING,
        "phoenix rock",
        "Your Rock has not been placed yet; only a Bird in the Ashes can rise.",
    ),
    (
        position("Rr11 Rp? Bs61", dice=(3, 3)),
        "place rock",
        "Your Rock stands on 1,1; only a Bird that was never placed can be placed.",
    ),
    (
        position("Rr11 Rp? Bs61", dice=(3, 3)),
        "place scissors",
        "Your Scissors lie in the Ashes; only a Bird that was never placed can be placed.",
    ),
    (
        position("Rr11 Rp? Bs61", dice=(3, 3)),
        "phoenix scissors meeting NE",
        "In the opening nothing interacts, so a Bird meets nobody.",
    ),
    (
        position("Rr33 Rp? Bs61", dice=(3, 3)),
        "place paper",
        "Your own Rock stands on 3,3, so no Bird of yours can come there.",
    ),
    (MAIN, "place rock", "The opening is over, and every Bird has been placed."),
    (MAIN, "move rock", "You have not rolled, so there is no square to move to yet."),
    (MAIN, "phoenix scissors", "You have not rolled; a Phoenix needs doubles."),
    (MAIN, "stay", "Before the roll you may roll or move a Bird diagonally, but not stay."),
    (MAIN, "scissors NE", "Your Scissors lie in the Ashes; only a Bird on the grid can move."),
    (MAIN, "rock 3,4", "3,4 is not on a diagonal of your Rock at 3,3."),
    (MAIN, "rock 3,3", "3,3 is not on a diagonal of your Rock at 3,3."),
    (MAIN, "paper SW 2", "2 squares south-west of 2,1 is off the grid."),
    (MAIN, "paper SE", "1 square south-east of 2,1 is off the grid."),
    (
        MAIN,
        "rock NE 2",
        "A diagonal move is one square until the Escalation begins, which is after turn 54.",
    ),
    (ROLLED, "roll", "You have rolled already; the dice show 4,4."),
    (
        ROLLED,
        "rock NW",
        "You have rolled, so no Bird moves diagonally this turn; the dice show 4,4.",
    ),
    (ROLLED, "move paper", "Your Paper lies in the Ashes; only a Bird on the grid can move."),
    (ROLLED, "phoenix rock", "Your Rock stands on 3,3; only a Bird in the Ashes can rise."),
    (LATE_ROLLED, "phoenix paper", "The dice show 3,4; a Phoenix needs doubles."),
]


@pytest.mark.parametrize(
    ("state", "text", "reason"),
    ILLEGAL,
    ids=[f"{text} {place}" for place, (_, text, _) in enumerate(ILLEGAL)],
)
def test_what_is_not_possible_now_has_its_own_reason_and_a_way_out(
    state: State, text: str, reason: str
) -> None:
    assert why(state, text) == reason
    remedies = refused(state, text).remedies
    assert remedies and set(remedies) <= set(texts(state))


def test_orders_out_of_turn_are_kept_for_later() -> None:
    refusal = refused(MAIN, "rock NE 3 chain", seat="Blue")
    assert (refusal.kind, refusal.reason) == ("illegal", "It is not your turn: Red decides now.")
    assert (refusal.understood, refusal.remedies) == ("rock NE 3 chain", ())
    assert PHOENIX.parse(MAIN, "Blue", "").open == ()


def test_after_the_end_nothing_can_be_ordered() -> None:
    over = decide(position("Rr33 Bs55"), "rock NE").state
    assert why(over, "roll", over.on_turn) == "The match is over."
    assert PHOENIX.parse(over, "Red", "").open == ()


def test_the_remedies_nearest_to_what_was_meant_come_first() -> None:
    assert refused(MAIN, "paper 5,5").remedies[0].startswith("paper ")
    assert refused(ROLLED, "phoenix rock").remedies[0].startswith("phoenix ")
    assert refused(LATE, "rock NE 2 chain 3").piece == "chain 3"


# --- what is offered


def test_each_choice_has_a_label_and_the_marks_to_click() -> None:
    (slot,) = PHOENIX.slots(LATE, "Red")
    choices = {choice.text: choice for choice in slot.choices}
    assert choices["roll"].marks == ("phoenix-dice",)
    taken = choices["rock 5,5"]
    assert (taken.label, taken.group) == (
        "Rock to 5,5, north-east, eliminating Blue’s Paper",
        "Rock at 3,3",
    )
    assert taken.marks == ("phoenix-Red-rock", "phoenix-5-5")
    onward = choices["rock 5,5 chain 1"]
    assert (
        onward.label
        == "Rock to 5,5, north-east, eliminating Blue’s Paper, and on to 6,6, eliminating Blue’s"
        " Rock"
    )
    assert onward.marks == ("phoenix-Red-rock", "phoenix-5-5", "phoenix-6-6")


def test_a_choice_to_look_another_way_first_is_marked_with_the_bird_met() -> None:
    (slot,) = PHOENIX.slots(position("Rr33 Rp11 Rs21 Bs55 Bp53"), "Red")
    choice = next(choice for choice in slot.choices if choice.text == "rock 4,4 meeting SE")
    assert choice.label == "Rock to 4,4, north-east, meeting Blue’s Paper (south-east) first"
    assert choice.marks == ("phoenix-Red-rock", "phoenix-4-4", "phoenix-Blue-paper")
