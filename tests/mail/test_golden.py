"""The golden letters: people review their texts, which change on purpose only."""

import re

import pytest

from tests.mail.golden import GOLDEN, letters

_TEXTS = {path.stem: path.read_text() for path in sorted(GOLDEN.glob("*.txt"))}


def test_letters_say_what_the_golden_ones_say() -> None:
    told = letters()
    assert sorted(told) == sorted(_TEXTS)
    for name, text in told.items():
        assert text == _TEXTS[name], f"{name} has changed: look at it, then write it anew with `python -m tests.mail.golden`"


@pytest.mark.parametrize("name", _TEXTS)
def test_a_letter_reads_well(name: str) -> None:
    text = _TEXTS[name]
    lines = text.splitlines()
    assert max(len(line) for line in lines[2:] if "https://" not in line) <= 72
    assert not re.search(r"[!\t]|  +$|\n\n\n|None|undefined", text.replace("-- \n", "--\n"), re.MULTILINE)
    assert text.endswith("\n")


def test_a_report_is_told_in_its_order() -> None:
    text = _TEXTS["report-silent-and-dropped"]
    parts = [
        "Your plan for Round 2",
        "Round 1 was a",
        "The table",
        "What you owe",
        "B2  Black medium",
        "Where to look",
        "/phases/1",
        "-- \n",
    ]
    places = [text.index(each) for each in parts]
    assert places == sorted(places)
