"""The text of a submission besides the orders: THEN and OR in unusual places, and texts that are
too long.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import AnyGame, Parsed, Phase, Refusal
from adjudicator.core.options import complete_options
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.games.pyramid.orders import Pick
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.pyramid.state import State
from adjudicator.play.submission import (
    Submitted,
    TooLong,
    parse_submission,
    understand_all,
    understand_over,
)

OPENING = PYRAMID.start(("1", "2", "3"), {"take": "captured", "red": False}, ScriptedChance([]))


def submitted(text: str) -> Submitted:
    """Read a submission of seat 1 at the opening."""
    return understand_all(PYRAMID, OPENING, "1", parse_submission(text))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ("",)),
        ("B3", ("B3",)),
        ("THEN B3", ("", "B3")),
        ("B3 THEN", ("B3",)),
        ("B3 THEN THEN B2", ("B3", "B2")),
        ("B3 then B2\nThen\nW1", ("B3", "B2", "W1")),
        ("B3\nready\nTHEN B2\nwait.", ("B3", "B2")),
        ("strengthen B3", ("strengthen B3",)),
    ],
)
def test_THEN_parts_a_text_wherever_it_stands(text: str, parts: tuple[str, ...]) -> None:
    assert parse_submission(text).parts == parts


@pytest.mark.parametrize(
    ("text", "taken", "refused"),
    [
        ("B3 OR W3", "B3", 0),
        ("R3 or W3", "W3", 0),
        ("R3 OR nonsense", "", 2),
        ("B3 OR", "", 1),
        ("OR B3", "", 1),
        ("nonsense\nR3 OR W3", "W3", 1),
        ("R3 OR R2\nB1", "B1", 2),
    ],
)
def test_of_alternatives_the_first_legal_one_is_taken(text: str, taken: str, refused: int) -> None:
    read = submitted(text)
    assert (read.now.text, len(read.refusals)) == (taken, refused)


def test_of_ready_and_wait_the_last_counts() -> None:
    assert [parse_submission(text).says for text in ("ready\nwait", "wait\nREADY!", "B3")] == [
        "wait",
        "ready",
        None,
    ]


def test_a_refused_line_in_the_plan_leaves_the_orders_incomplete() -> None:
    assert submitted("B3 THEN W3").complete
    assert not submitted("B3 THEN nonsense").complete


@pytest.mark.parametrize(
    "text",
    [
        "x" * 20_001,
        "B3\n" * 401,
        "B3\r" * 401,
        "B3\u2028" * 401,
        " OR ".join(["B3"] * 202),
        " THEN ".join(["B3"] * 61),
        "B3\n" * 25 + " OR ".join(["B3"] * 200),
        "B3 OR B2\n" * 71,
    ],
    ids=[
        "long",
        "lines",
        "carriage returns",
        "line separators",
        "alternatives",
        "parts",
        "a long line below others",
        "alternatives by lines",
    ],
)
def test_a_text_that_no_game_could_need_is_not_read(text: str) -> None:
    with pytest.raises(TooLong, match="nothing was changed"):
        parse_submission(text)


def test_a_refused_line_is_not_parsed_again_for_every_alternative() -> None:
    """Parsed again with each of 50 alternatives, the 49 bad lines would make it 7,648 lines instead
    of 2,748.
    """
    parsed = 0

    def counting_parse(state: State, seat: str, text: str) -> Parsed[Pick]:
        nonlocal parsed
        parsed += len(text.splitlines())
        return PYRAMID.parse(state, seat, text)

    understand_all(
        replace(PYRAMID, parse=counting_parse),
        OPENING,
        "1",
        parse_submission("blakc 5\n" * 49 + "B3 OR B2\n" * 50),
    )
    assert parsed < 3_000


def test_a_line_that_is_legal_alone_but_not_beside_the_kept_ones_is_refused_with_its_reason() -> (
    None
):
    births = {"1": "birth anubis b2 bastet d2", "2": "birth anubis b4 bastet d4"}
    state = GENESIS.start(
        ("1", "2"), complete_options(GENESIS.about, {}), ScriptedChance(["1", 4, 4])
    )
    for seat, text in births.items():
        state = GENESIS.adjudicate(
            state, {seat: GENESIS.parse(state, seat, text).orders}, ScriptedChance([])
        ).state
    read = understand_over(GENESIS, state, "1", ["bastet c2"], parse_submission("anubis c2"))
    assert read.texts == ("bastet c2",) and not read.complete
    assert [refusal.line for refusal in read.refusals] == ["anubis c2"]


# --- orders that are never conditional (rsp R2)


@dataclass(frozen=True)
class UnconditionalOrder:
    """An order that is never conditional."""

    word: str
    unconditional: ClassVar[bool] = True

    def __str__(self) -> str:
        return self.word


class UnconditionalGame:
    """The part of a game that a submission needs: small words are never conditional, and lines that
    end in `gone` are illegal.
    """

    def phase(self, state: Any) -> Phase:
        return Phase("Now", () if state == "later" else ("1",))

    def parse(self, state: Any, seat: str, text: str) -> Parsed[Any]:
        lines = text.splitlines()
        good = [line for line in lines if not line.endswith("gone")]
        gone = [
            Refusal.illegal(line, line, "It is gone.", understood=line)
            for line in lines
            if line.endswith("gone")
        ]
        refusals = [replace(each, unconditional=each.line[0].islower()) for each in gone]
        return Parsed(
            tuple(UnconditionalOrder(line) if line[0].islower() else line for line in good),
            tuple(refusals),
        )


def submitted_unconditional(text: str, *, state: str = "") -> Submitted:
    return understand_all(cast(AnyGame, UnconditionalGame()), state, "1", parse_submission(text))


@pytest.mark.parametrize(
    ("text", "taken", "piece"),
    [
        ("vow OR Kneel", "Kneel", "vow"),
        ("Kneel OR vow", "Kneel", "vow"),
        ("gone OR Kneel", "Kneel", "gone"),
        ("vow\nKneel", "vow\nKneel", ""),
    ],
)
def test_an_order_that_is_never_conditional_is_refused_beside_OR_and_the_other_alternatives_stay(
    text: str, taken: str, piece: str
) -> None:
    read = submitted_unconditional(text)
    assert (read.now.text, "".join(refusal.piece for refusal in read.refusals)) == (taken, piece)


@pytest.mark.parametrize("vow", ["vow", "vow gone"])
def test_an_order_that_is_never_conditional_is_refused_beside_OR_in_a_plan_too(vow: str) -> None:
    read = submitted_unconditional(f"{vow} OR Kneel\nStand", state="later")
    assert (read.texts, [refusal.piece for refusal in read.refusals]) == (("Kneel\nStand",), [vow])


@pytest.mark.parametrize(
    ("text", "followed"),
    [("Kneel\nvow gone", True), ("Kneel gone\nvow", False), ("vow gone", False)],
)
def test_an_illegal_one_is_dropped_from_a_plan_and_the_rest_is_followed(
    text: str, followed: bool
) -> None:
    read = submitted_unconditional(text).now
    assert (read.followed, read.settled) == (followed, followed)
    assert not read.complete
