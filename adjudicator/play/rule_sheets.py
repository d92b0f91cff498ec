"""Rule sheets: named sets of options for a whole match, each in one place. A match whose options
differ in anything has none.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class RuleSheet:
    """The options of one kind of match; those that are not named have the defaults of
    `terms.record.Terms`.
    """

    key: str  # by letter: `join diplomacy club`
    title: str  # read on after "by the rule sheet"
    hint: str
    options: Mapping[str, object]  # by the names of `terms.record.Terms`
    bots: bool = False  # whether the form gives the other seats to house bots


SHEETS = (
    RuleSheet(
        "calm",
        "two days a phase",
        "Anybody may join; it begins when every seat is taken.",
        {"every_hours": 48, "short_hours": 24},
    ),
    RuleSheet(
        "daily", "a phase a day", "The pace of a newspaper.", {"every_hours": 24, "short_hours": 12}
    ),
    RuleSheet(
        "club",
        "club Monday and Thursday",
        "Deadlines at 20:00 in your zone, open seats.",
        {"timetable": "Mon Thu 20:00"},
    ),
    RuleSheet(
        "school",
        "school day",
        "Deadlines between 8:00 and 16:00 from Monday to Friday, in your zone.",
        {"timetable": "every 24 hours; not on weekends; between 8:00 and 16:00"},
    ),
    RuleSheet(
        "zine",
        "zine fortnight",
        "Two weeks a phase, for slow letters.",
        {"timetable": "every 14 days"},
    ),
    RuleSheet(
        "live",
        "live evening",
        "15 minutes a phase, all at the table; everybody confirms before it begins.",
        {"timetable": "every 15 minutes", "grace_minutes": 0, "muster_minutes": 10},
    ),
    RuleSheet(
        "fast",
        "an hour a phase",
        "House bots take the other seats and play at once, so it goes as fast as you do.",
        {"every_hours": 1, "short_hours": 1, "grace_minutes": 0},
        bots=True,
    ),
)
LENGTHS = frozenset({"every_hours", "short_hours"})  # mean nothing in a match with a timetable


def find_sheet(key: str | None) -> RuleSheet | None:
    """Return the rule sheet of a key, None for any other text."""
    return next((sheet for sheet in SHEETS if sheet.key == key), None)


def kept_sheet(key: str, chosen: Mapping[str, object], usual: Mapping[str, object]) -> str | None:
    """Return the key of a rule sheet if the chosen options are its own; None where one of them was
    changed, or for another text.

    `usual` are the defaults of the options that the sheet does not name.
    """
    sheet = find_sheet(key)
    if sheet is None:
        return None
    wanted = {**usual, **sheet.options}
    passed_over = LENGTHS if wanted.get("timetable") else frozenset()
    same = all(chosen[name] == value for name, value in wanted.items() if name not in passed_over)
    return key if same else None


def sheet_title(key: str | None) -> str:
    """Return the title of a rule sheet, "" for none, or for one that is no longer offered."""
    sheet = find_sheet(key)
    return sheet.title if sheet else ""
