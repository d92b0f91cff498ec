"""Answers of any program in any language: every line of the writer is read, and no line of the
quote.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.mail.reading.reply_text import find_own_lines
from tests.mail.clients import KNOWN, LETTER, QUOTING, answered, heads, rewrapped

NAME = "Bob Miller"
TEXTS = (
    "B3",
    "W2 @ noon",
    "B3 at 12:30\nA Par - Bur\nF Bre - MAO",
    (
        "press france: let us meet where we met last year, I will be there on\nTuesday with the"
        " fleet, and we meet again at\n20:00,"
    ),
    "press all: I go on Monday; Russia comes\nOn Tuesday",
    "press italy: 22 November it is,",
    "A Par - Bur; F Bre - MAO\nready",
    "see you on the 24th,\npress all: in 1901 we met in Munich\nA Mun S A Bur",
    "On Monday at 12:30 we wrote\npress all: to Paris\nOn Tuesday",
    "press france: my plan:\nGermany: A Mun H\nItaly: hold everything",
)
LAST = (
    "at 12:30",
    "20:00,",
    "On Tuesday",
    "@ noon",
    "the 24th",
    "I wrote to him",
    "see you there,",
    "France wrote that,",
)


def read(text: str) -> list[str]:
    return find_own_lines(text, NAME, KNOWN).lines


@pytest.mark.parametrize("marker", [True, False], ids=["with marker", "without marker"])
@pytest.mark.parametrize("head", heads())
def test_what_stands_above_a_quote_is_read_and_nothing_of_the_quote(
    head: str, marker: bool
) -> None:
    for text in TEXTS:
        for gap in (True, False):
            assert read(answered(text, head, marker=marker, gap=gap)) == text.split("\n"), (
                text,
                gap,
            )


@pytest.mark.parametrize("marker", [True, False], ids=["with marker", "without marker"])
@pytest.mark.parametrize("head", sorted(QUOTING))
def test_what_stands_below_a_marked_quote_is_read(head: str, marker: bool) -> None:
    assert read(answered("", head, marker=marker, bottom="B3\nready")) == ["B3", "ready"]
    assert read(answered("W2", head, marker=marker, bottom="B3")) == ["W2", "B3"]


@pytest.mark.parametrize("head", sorted(set(heads()) - set(QUOTING)))
def test_nothing_below_an_unmarked_quote_is_read(head: str) -> None:
    assert read(answered("", head, marker=False, bottom="B3\nready")) == []


def test_an_announcement_is_recognised_wherever_its_program_wraps_it() -> None:
    marked = "\n".join(f"> {line}" for line in LETTER.split("\n"))
    for head in heads():
        for announcement in rewrapped(head):
            assert read(f"B3\n\n{announcement}\n\n{marked if head in QUOTING else LETTER}") == [
                "B3"
            ], (head, announcement)


ORDERS = (
    "A Par - Bur",
    "F Bre H",
    "B3",
    "W2",
    "rock",
    "paper NE",
    "ready",
    "A Mun S A Bur",
    "France: A Par H",
    "press all: hello",
)
WORDS = (
    "I",
    "you",
    "we",
    "attack",
    "Munich",
    "Paris",
    "1901",
    "(no)",
    "meet",
    "Russia,",
    "spring",
    "fleet",
    "–",
    "3",
    "there",
)
words = st.sampled_from(ORDERS)
prose = st.lists(st.sampled_from(WORDS), min_size=3, max_size=14).map(
    lambda each: " ".join(["press", "all:", *each])
)
alone = st.sampled_from(
    (
        "20:00,",
        "at 12:30",
        "On Tuesday",
        "@ noon",
        "On Monday at 12:30 we wrote",
        "see you on the 24th,",
        "by 22.11.",
    )
)
line = st.one_of(words, prose, alone, st.tuples(words, st.sampled_from(LAST)).map(" ".join))
texts = st.lists(line, min_size=1, max_size=5).map("\n".join)


@settings(max_examples=300)
@given(texts, st.sampled_from(heads()), st.booleans(), st.booleans())
def test_exactly_what_was_written_is_read(text: str, head: str, marker: bool, gap: bool) -> None:
    assert read(answered(text, head, marker=marker, gap=gap)) == text.split("\n")
