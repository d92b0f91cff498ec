"""The changelog and the version have the form described in docs/releasing.md."""

import re
from pathlib import Path

import adjudicator

ROOT = Path(__file__).parent.parent
HEADING = re.compile(r"## (?:Unreleased|(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\))")
LINES = re.compile(r"(?:- \S.*|### (?:In short|Upgrading|Added|Changed|Fixed|Removed|Not yet)|)")


def _sections() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (ROOT / "CHANGELOG.md").read_text().splitlines():
        if line.startswith("## "):
            assert line not in sections, f"{line} twice"
            lines = sections[line] = []
        else:
            lines.append(line)
    return sections


def test_each_changelog_entry_is_one_line_under_a_version() -> None:
    for heading, lines in _sections().items():
        assert HEADING.fullmatch(heading), heading
        assert [line for line in lines if not LINES.fullmatch(line)] == []
        entries = [line for line in lines if line.startswith("- ")]
        assert len(entries) == len(set(entries)), "an entry is there twice"


def test_the_version_is_the_newest_in_the_changelog_or_the_next_one() -> None:
    newest, *_ = _sections()
    version = HEADING.fullmatch(newest)
    assert version is not None
    if version[1]:
        assert adjudicator.__version__ == version[1]
    else:
        assert adjudicator.__version__.endswith(".dev0")
