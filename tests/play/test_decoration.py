"""Orders of every game are understood with decoration around them, and nothing is guessed (ruling
G2).
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.game import Parsed, Refusal
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.play.decoration import MOST, normalize_text, remove_decoration, strip_edges
from adjudicator.play.submission import Understood, parse_submission, understand, understand_plan
from tests.games.contract import Case, cases, played
from tests.games.pyramid.positions import after, opening

quick = settings(derandomize=True, max_examples=12)
FEWEST = {
    case.key: case for case in reversed(cases()) if not case.options and case.seed == 1
}  # for each game a match of the fewest players
each_game = pytest.mark.parametrize("case", FEWEST.values(), ids=str)
DECORATIONS = (
    "{}!!!",
    "{} !",
    "{} # note",
    "{}  // the bold one",
    "🎲 {} 🔥🔥",
    "{} 👍🏽",
    "👩‍🚀 {} ❤️!!",
    "✅ {} #luck! 🎉",
    "{}\n🙂",
)


def fullwidth(text: str) -> str:
    return "".join(
        chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else "\u3000" if sign == " " else sign
        for sign in text
    )


def read(case: Case, state: Any, seat: str, text: str) -> Understood:
    return understand(case.game, state, seat, parse_submission(text).parts[0])


def positions(case: Case) -> list[tuple[Any, str]]:
    """Return states of a match, each with a seat that is due in it."""
    return [(step.before, seat) for step in played(case).steps[::3] for seat in step.phase.due]


@each_game
@quick
@given(data=st.data())
def test_a_decorated_order_is_the_same_order_in_every_game(case: Case, data: st.DataObject) -> None:
    state, seat = data.draw(st.sampled_from(positions(case)))
    text = data.draw(
        st.sampled_from(data.draw(st.sampled_from(case.game.slots(state, seat))).choices)
    ).text
    plain = read(case, state, seat, text)
    assert plain.orders
    for decoration in data.draw(st.permutations([*DECORATIONS, fullwidth("{}")]))[:3]:
        written = fullwidth(text) if "{" not in decoration else decoration.format(text)
        assert read(case, state, seat, written) == plain, written


@each_game
@quick
@given(data=st.data())
def test_an_order_that_is_refused_plain_is_refused_decorated(
    case: Case, data: st.DataObject
) -> None:
    state, seat = data.draw(st.sampled_from(positions(case)))
    known = sorted(
        {
            word
            for slot in case.game.slots(state, seat)
            for choice in slot.choices[:9]
            for word in choice.text.split()
        }
    )
    text = " ".join(data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=4)))
    plain = read(case, state, seat, text)
    assert (
        read(case, state, seat, data.draw(st.sampled_from(DECORATIONS)).format(text)).orders
        == plain.orders
    )


@pytest.mark.parametrize(
    "text", ["Ｂ３", "ｂｌａｃｋ　ｌａｒｇｅ", "𝐁𝟑", "Ⓑ③", "𝓫𝓵𝓪𝓬𝓴 3", "Ｂ３！！！", "ＴＨＥＮ W2"]
)
def test_compatible_letters_are_the_plain_ones(text: str) -> None:
    submission = parse_submission(text)
    first = submission.parts[0] or submission.parts[1]
    assert [str(order) for order in understand(PYRAMID, opening(), "1", first).orders] == (
        ["W2"] if submission.then else ["B3"]
    )


def test_a_free_standing_accent_does_not_become_a_space() -> None:
    assert normalize_text("`A´ ¨x") == "`A´ ¨x"
    assert normalize_text("e\u0301ﬁ") == "éfi"


@pytest.mark.parametrize(
    "text",
    [
        "B3 ❌",
        "🚫 B3",
        "B3?",
        "B3 🤔",  # not this, or not sure
        "B3 # W2",
        "B3 // B2 maybe",
        "B3 # large",  # the note may be an order, too
        "B3 #2",
        "B3 # 2",
        "B3#note",
        "B #3",  # no note: a number, or a part of the word
        "⚪ B3",
        "🔴 B3",
        "B3 ✂",
        "🪨 B3",  # these may name a piece or a card
        "B3 🔥 W2",
    ],
)
def test_G2_a_line_that_may_mean_something_else_is_refused(text: str) -> None:
    read = understand(PYRAMID, opening(), "1", parse_submission(text).parts[0])
    assert not read.orders and read.refusals


def test_an_illegal_order_is_refused_for_its_reason_and_not_for_its_decoration() -> None:
    (refusal,) = understand(PYRAMID, after("B3 B2 W2"), "1", "B3!!! # again").refusals
    assert (refusal.kind, refusal.line, refusal.reason) == (
        "illegal",
        "B3",
        "You played black large in round 1.",
    )


def test_alternatives_and_plans_may_be_decorated_too() -> None:
    assert [
        str(order)
        for order in understand(
            PYRAMID, after("B3 B2 W2"), "1", "B3!! OR W2 👍 # or so it seems"
        ).orders
    ] == ["W2"]
    assert [
        str(order)
        for order in understand(
            PYRAMID, after("B3 B2 W2"), "1", "B3!! OR W2 👍 # so it seems"
        ).orders
    ] == ["W2"]
    submission = parse_submission("B3!!! THEN W2 # the next\nTHEN\n🎉 C1 OR C2!")
    assert [understand_plan(PYRAMID, opening(), "1", part).text for part in submission.parts] == [
        "B3",
        "W2",
        "C1 OR C2",
    ]


@pytest.mark.parametrize("note", ["# or W2", "// or maybe C2 or W1", "# W2 or W1", "# then W2"])
def test_G2_a_note_with_an_order_behind_or_is_refused_and_nothing_of_it_is_played(
    note: str,
) -> None:
    submission = parse_submission(f"B3 {note}")
    read = understand(PYRAMID, opening(), "1", submission.parts[0])
    assert len(submission.parts) == 1 and not submission.then
    assert not read.orders and [refusal.kind for refusal in read.refusals] == ["invalid"]


def test_or_and_then_in_a_note_separate_no_orders() -> None:
    submission = parse_submission(
        "B3 # and then we shall see, or so I hope\nTHEN\nC1 OR C2 # then home"
    )
    assert [understand_plan(PYRAMID, opening(), "1", part).text for part in submission.parts] == [
        "B3",
        "C1 OR C2",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [("ready 👍", "ready"), ("🙏 wait!!!", "wait"), ("ｒｅａｄｙ", "ready"), ("ready ❌", None)],
)
def test_the_words_around_orders_may_be_decorated(text: str, says: str | None) -> None:
    assert parse_submission(text).says == says


def test_a_character_that_its_game_knows_is_kept() -> None:
    def read(line: str) -> Parsed[str]:
        known = line in ("a!", "a", "b # c", "b", "🎲 d", "d")
        return Parsed((line,)) if known else Parsed((), (Refusal.invalid(line, line, "No."),))

    assert remove_decoration("a!\nb # c\n🎲 d\nd!", read) == "a!\nb # c\n🎲 d\nd"


@given(st.text(st.characters(codec="ascii", exclude_characters="!#/")))
def test_plain_lines_have_no_decoration_and_stay_as_they_are(text: str) -> None:
    assert all(strip_edges(line) == line.strip() for line in text.splitlines())
    assert remove_decoration(text, lambda line: pytest.fail(line)).splitlines() == text.splitlines()


def test_at_most_40_lines_are_examined_for_decoration() -> None:
    asked: list[str] = []

    def read(line: str) -> Parsed[str]:
        asked.append(line)
        return Parsed((), (Refusal.invalid(line, line, "No."),))

    text = "\n".join(["x!!! # y"] * 400)
    assert remove_decoration(text, read) == text and len(asked) <= 5 * MOST


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("! B3 !!", "! B3"),
        ("🎉🎉 B3 🎉! 🎉", "B3"),
        ("B3", "B3"),
        ("👨‍👩‍👧 B3 ☀️", "B3"),
        ("B3 ✂", "B3 ✂"),
    ],
)
def test_only_the_edges_are_cleared(text: str, left: str) -> None:
    assert strip_edges(text) == left
