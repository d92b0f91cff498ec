"""Writes docs/acts.md from the acts and the table of who may do them, which
tests/service/test_who_may.py tries: python -m tools.list_acts.
"""

from collections.abc import Mapping
from pathlib import Path

from adjudicator.service.requests.acts import Act
from tests.service.who_may import MATCH, NO, OTHERWISE, ROWS, TOURNAMENT, VOTE, YES, Row, persons_of

PAGE = Path(__file__).parent.parent / "docs" / "acts.md"
_MARKS = {YES: "yes", VOTE: "by vote", NO: "", OTHERWISE: "yes, but not now"}
_HEAD = """# Who may do what

An act is what a person does to a match, a seat, a tournament or an account, on the site or by
letter. Each is a function of `adjudicator/service` that `@act` declares. The tables are what a test
tries, with each act and each person; `python -m tools.list_acts` writes this page.

- *yes*: it is done. An empty field: it is refused to this person.
- *by vote*: it becomes a proposal, and is done once the others agree.
- *yes, but not now*: another reason stands against it, such as a seat that the person has already.

The host does by `sealed matches` what a master does who does not play. What is done by a secret
link (taking a free seat, declining an invitation or an offer) is open to whoever has the link. What
is done to an account is open to its player.
"""


def first_sentence(act: Act[..., object]) -> str:
    """Return the first sentence of an act's contract."""
    text = " ".join((act.do.__doc__ or "").split())
    return text.partition("; ")[0].partition(". ")[0].rstrip(".")


def _table(title: str, persons: Mapping[str, str]) -> str:
    rows = [row for row in ROWS if persons_of(row.thing) is persons]
    lines = [
        f"| {' | '.join(['act', *persons])} |",
        f"|{'---|' * (len(persons) + 1)}",
        *(f"| {' | '.join([first_sentence(row.act), *_told(row)])} |" for row in rows),
    ]
    return "\n".join([f"\n## {title}\n", *lines, ""])


def _told(row: Row) -> list[str]:
    return [_MARKS[mark] for mark in row.may.split()]


def write_page() -> str:
    """Return the page."""
    matches = _table("Matches and seats", MATCH)
    return _HEAD + matches + _table("Tournaments", TOURNAMENT)


if __name__ == "__main__":
    PAGE.write_text(write_page(), "utf-8")
