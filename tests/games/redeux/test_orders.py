"""How orders of RPS Redeux are read: spellings, and the three ways of being wrong."""

from dataclasses import replace

import pytest

from adjudicator.core.game import Refusal
from adjudicator.games.redeux.orders import Answer, Play
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.games.redeux.state import State
from adjudicator.play.submission import understand_plan
from tests.games.redeux.positions import after, opening, risk

SPELLINGS = [
    ("rock", Play("rock")),
    ("R", Play("rock")),
    ("r", Play("rock")),
    ("play scissors", Play("scissors")),
    ("Play: the Scissors card.", Play("scissors")),
    ("scissor", Play("scissors")),
    ("  paper ,", Play("paper")),
    ("I play my paper", Play("paper")),
    ("paper no bet", Play("paper")),
    ("paper without a bet", Play("paper")),
    ("paper bet 0", Play("paper")),
]
BETS = [
    ("rock bet 10", Play("rock", 10)),
    ("R 10", Play("rock", 10)),
    ("R10", Play("rock", 10)),
    ("bet 10 rock", Play("rock", 10)),
    ("Rock, bet 10 points.", Play("rock", 10)),
    ("10 on rock", Play("rock", 10)),
    ("stake 005 p", Play("paper", 5)),
    ("rock 0", Play("rock")),
    ("R.10!", Play("rock", 10)),
    ("“rock”, bet 5, please.", Play("rock", 5)),
]
ANSWERS = [
    ("risk yes", True),
    ("Risk: YES.", True),
    ("yes please", True),
    ("y", True),
    ("no", False),
    ("risk no", False),
    ("risk rounds no", False),
]


def question(**options: str) -> State:
    """Return a match in which the Risk Rounds question is open."""
    return after(opening(**options), "R/S R/S R/S")


@pytest.mark.parametrize(("text", "order"), SPELLINGS)
@pytest.mark.parametrize("state", [opening(), risk("10-5")], ids=["primary", "risk"])
def test_every_spelling_of_a_card_is_read(state: State, text: str, order: Play) -> None:
    read = REDEUX.parse(state, "1", text)
    assert (read.orders, read.refusals, read.remarks, read.open) == ((order,), (), (), ())


@pytest.mark.parametrize(("text", "order"), BETS)
def test_every_spelling_of_a_bet_is_read(text: str, order: Play) -> None:
    assert REDEUX.parse(risk("10-5"), "1", text).orders == (order,)


@pytest.mark.parametrize(("text", "yes"), ANSWERS)
def test_every_spelling_of_an_answer_is_read(text: str, yes: bool) -> None:
    assert REDEUX.parse(question(), "1", text).orders == (Answer(yes=yes),)


@pytest.mark.parametrize(
    ("order", "text"),
    [(Play("rock"), "rock"), (Play("rock", 10), "rock bet 10"), (Answer(yes=False), "risk no")],
)
def test_an_order_is_written_in_its_canonical_spelling(order: Play | Answer, text: str) -> None:
    assert str(order) == text


@pytest.mark.parametrize("text", ["", "   ", "\n\n", " , . \n\t\n"])
def test_empty_lines_say_nothing_and_leave_the_slot_open(text: str) -> None:
    assert REDEUX.parse(opening(), "1", text).open == ("card",)
    assert REDEUX.parse(question(), "1", text).open == ("risk",)
    assert REDEUX.parse(opening(), "1", text).refusals == ()


def refused(text: str, state: State) -> Refusal:
    """Return the one refusal that `text` gets."""
    read = REDEUX.parse(state, "1", text)
    assert read.orders == ()
    assert len(read.refusals) == 1
    return read.refusals[0]


# --- illegal: understood, and kept in a plan


CARDS = ("rock", "paper", "scissors")
WRONG_TIME = [
    # state, text, understood, reason, remedies
    (
        opening(),
        "rock bet 10",
        "rock bet 10",
        "There are no bets in the Primary game; they come with the Risk Rounds.",
        ("rock",),
    ),
    (
        opening(risk="never"),
        "r5",
        "rock bet 5",
        "There are no bets in the Primary game, and this match has no Risk Rounds.",
        ("rock",),
    ),
    (
        opening(),
        "yes",
        "risk yes",
        "The Risk Rounds question comes after the Primary game; now a card is wanted.",
        CARDS,
    ),
    (
        opening(risk="never"),
        "risk no",
        "risk no",
        "This match has no Risk Rounds, so nobody is asked.",
        CARDS,
    ),
    (
        opening(risk="always"),
        "risk no",
        "risk no",
        (
            "In this match the Risk Rounds come after the Primary game in any case, so nobody is"
            " asked."
        ),
        CARDS,
    ),
    (
        risk("10-5"),
        "risk no",
        "risk no",
        "Both of you have said yes already; now a card is wanted.",
        CARDS,
    ),
    (
        question(),
        "paper 5",
        "paper bet 5",
        "No card is wanted now: the question is whether you both go on to the Risk Rounds.",
        ("risk yes", "risk no"),
    ),
    (
        risk("10-5"),
        "rock 15",
        "rock bet 15",
        "You have 10 points, so a bet is 0, 5 or 10.",
        ("rock bet 10", "rock"),
    ),
    (
        risk("10-5", hands="PPPPSSSSS/RRRPPPSSS"),
        "r5",
        "rock bet 5",
        "You have no rock in your hand.",
        ("paper bet 5", "scissors bet 5"),
    ),
    (after(opening(risk="never"), "R/S R/S R/S"), "rock", "rock", "The match is over.", ()),
    (after(opening(risk="never"), "R/S R/S R/S"), "yes", "risk yes", "The match is over.", ()),
]


@pytest.mark.parametrize(("state", "text", "understood", "reason", "remedies"), WRONG_TIME)
def test_what_is_not_possible_now_is_illegal(
    state: State, text: str, understood: str, reason: str, remedies: tuple[str, ...]
) -> None:
    refusal = refused(text, state)
    assert (refusal.kind, refusal.understood, refusal.reason, refusal.remedies) == (
        "illegal",
        understood,
        reason,
        remedies,
    )


def test_when_the_match_is_over_no_slot_is_open() -> None:
    assert REDEUX.parse(after(opening(risk="never"), "R/S R/S R/S"), "1", "rock").open == ()


def test_the_smallest_wrong_part_is_quoted() -> None:
    assert refused("play rock, bet 15", risk("10-5")).piece == "15"
    assert refused("play rock, bet 5", risk("10-5", hands="PPPPSSSSS/RRRPPPSSS")).piece == "rock"


def test_G5_a_plan_may_go_from_the_primary_game_through_the_question_into_the_risk_rounds() -> None:
    for text, planned in (
        ("yes", "risk yes"),
        ("R 20 OR R 10 OR rock", "rock bet 20 OR rock bet 10 OR rock"),
    ):
        assert understand_plan(REDEUX, opening(), "1", text).text == planned


def test_G5_a_bet_that_never_is_one_is_refused_in_a_plan_too() -> None:
    planned = understand_plan(REDEUX, opening(), "1", "rock bet 7")
    assert (planned.text, [refusal.kind for refusal in planned.refusals]) == ("", ["invalid"])


# --- ambiguous: half an order, or two


AMBIGUOUS = [
    (
        risk("10-5"),
        "bet 10",
        "is half an order",
        ("rock bet 10", "paper bet 10", "scissors bet 10"),
    ),
    (risk("10-5"), "10", "is half an order", ("rock bet 10", "paper bet 10", "scissors bet 10")),
    (opening(), "bet 10", "is half an order", CARDS),
    (risk("10-5"), "no bet", "“no bet” is half an order", CARDS),
    (risk("10-5"), "rock bet", "does not say how much", ("rock bet 10", "rock")),
    (risk("10-5"), "rock and paper", "more than one card", ("rock", "paper")),
    (risk("10-5"), "rock 5 10", "more than one bet", ("rock bet 5",)),
    (risk("10-5"), "rock yes", "a card or a bet and an answer at once", CARDS),
    (question(), "yes no", "does not say whether you go on", ("risk yes", "risk no")),
    (question(), "risk", "does not say whether you go on", ("risk yes", "risk no")),
]


@pytest.mark.parametrize(("state", "text", "reason", "remedies"), AMBIGUOUS)
def test_half_an_order_or_two_at_once_are_ambiguous(
    state: State, text: str, reason: str, remedies: tuple[str, ...]
) -> None:
    refusal = refused(text, state)
    assert (refusal.kind, refusal.remedies) == ("ambiguous", remedies)
    assert reason in refusal.reason


# --- invalid


INVALID = [
    (opening(), "rok", "rok", "“rok” is not a card or a bet.", ("rock",)),
    (
        risk("10-5"),
        "scisors bet 10",
        "scisors",
        "“scisors” is not a card or a bet.",
        ("scissors bet 10",),
    ),
    (opening(), "scisors bet 10", "scisors", "“scisors” is not a card or a bet.", ("scissors",)),
    (opening(), "lizard", "lizard", "“lizard” is not a card or a bet.", CARDS),
    (question(), "maybe", "maybe", "“maybe” is not an answer.", ("risk yes", "risk no")),
    (opening(), "play my card", "play my card", "“play my card” names no card.", CARDS),
    (
        question(),
        "bet 5",
        "bet 5",
        "A bet goes with a card, and the question now is whether you go on.",
        ("risk yes", "risk no"),
    ),
    (
        risk("10-5"),
        "rock bet 7",
        "7",
        "“7” is not a bet. You have 10 points, so a bet is 0, 5 or 10.",
        ("rock bet 5", "rock"),
    ),
    (
        risk("10-5"),
        "rock bet 5.5",
        "5.5",
        "“5.5” is not a bet. You have 10 points, so a bet is 0, 5 or 10.",
        ("rock",),
    ),
    (
        risk("10-5"),
        "rock bet .5",
        ".5",
        "“.5” is not a bet. You have 10 points, so a bet is 0, 5 or 10.",
        ("rock",),
    ),
    (
        risk("10-5"),
        "rock 5,5",
        "5,5",
        "“5,5” is not a bet. You have 10 points, so a bet is 0, 5 or 10.",
        ("rock",),
    ),
    (risk("10-5"), "rock bet all", "all", "“all” is not a card or a bet.", ("rock bet 10", "rock")),
    (risk("10-5"), "paper five", "five", "“five” is not a card or a bet.", ("paper",)),
    (
        risk("10-5"),
        "rock −5",
        "−5",
        "“−5” is not a bet. You have 10 points, so a bet is 0, 5 or 10.",
        ("rock",),
    ),
    (
        opening(),
        "r 1234567",
        "1234567",
        "“1234567” is not a bet: bets are 0 or a multiple of 5, up to the points you have.",
        ("rock",),
    ),
]


@pytest.mark.parametrize(("state", "text", "piece", "reason", "remedies"), INVALID)
def test_what_is_no_order_is_invalid(
    state: State, text: str, piece: str, reason: str, remedies: tuple[str, ...]
) -> None:
    refusal = refused(text, state)
    assert (refusal.kind, refusal.piece, refusal.reason, refusal.remedies) == (
        "invalid",
        piece,
        reason,
        remedies,
    )


def test_a_refusal_does_not_tell_the_other_hand() -> None:
    own = "PPPPSSSSS"
    reads = [
        REDEUX.parse(risk("10-5", hands=f"{own}/{other}"), "1", "rock 20")
        for other in ("RRRPPPSSS", "SSSSSSSSS")
    ]
    assert reads[0] == reads[1]


# --- several lines


def test_G2_a_bad_line_keeps_the_good_one() -> None:
    read = REDEUX.parse(risk("10-5"), "1", "rock bet 10\nbet 5")
    assert read.orders == (Play("rock", 10),)
    assert [refusal.line for refusal in read.refusals] == ["bet 5"]


def test_G8_the_later_of_two_good_orders_counts_with_its_bet_and_a_remark_says_so() -> None:
    read = REDEUX.parse(risk("10-5"), "1", "rock bet 10\npaper")
    assert read.orders == (Play("paper"),)
    assert read.remarks == (
        "You gave more than one order; the last one, paper, counts and rock bet 10 does not.",
    )


def test_G8_the_same_order_twice_needs_no_remark() -> None:
    assert REDEUX.parse(opening(), "1", "rock\nR").remarks == ()


def test_a_state_in_which_a_card_is_wanted_knows_its_slot_whatever_the_part() -> None:
    assert [
        REDEUX.parse(replace(opening(), part=part), "1", "").open
        for part in ("primary", "risk", "over")
    ] == [("card",), ("card",), ()]
