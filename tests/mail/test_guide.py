"""The rules of a game in a letter: readable in a fixed-width font."""

import pytest

from adjudicator.mail.composing.rendering import COLUMNS, render_rules


@pytest.mark.parametrize("name", ["genesis", "genesis.ru", "phoenix", "redeux"])
def test_no_line_of_the_rules_is_wider_than_a_letter(name: str) -> None:
    assert [line for line in render_rules(name).text.splitlines() if len(line) > COLUMNS] == []


def test_an_example_of_orders_stands_apart_from_the_sentences_around_it() -> None:
    lines = render_rules("genesis").text.splitlines()
    first = lines.index("    throw")
    assert lines[first - 1 : first + 2] == ["", "    throw", "    THEN"]
    last = next(place for place in range(first, len(lines)) if not lines[place])
    assert lines[last - 1] == "    bastet c3 idea e5 OR pyramid c2 OR pass"
    assert lines[last + 1].startswith("* A line that cannot be read")
