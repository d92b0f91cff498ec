"""Words for the conditions of a new match by letter: `join diplomacy hours=24 grace=10 agree=all`.
A condition is one record here.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.core.game import About
from adjudicator.platform.words import join_list
from adjudicator.play import bots
from adjudicator.service.base import spans
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.press_rules import OPTION, PressWish
from adjudicator.service.base.state import PROGRESS_KINDS
from adjudicator.service.matches import absences, creation
from adjudicator.service.matches.proposals import VOTE_RULES

SHORT_HOURS = 24  # of a short phase in a match that a letter makes, at most
_MINUTES = re.compile(r"(\d{1,4})(?:m|min)?")
_HOURS = re.compile(r"(\d{1,3})h?(?:/(\d{1,3})h?)?")
_Reader = Callable[[str, About], Mapping[str, Any]]


@dataclass(frozen=True)
class Condition:
    """A word for conditions of a match."""

    word: str
    example: str  # how it is written
    meaning: str  # a clause
    read: _Reader  # its value as fields of `creation.Wish`; raises Refused with what is possible
    alone: bool = False  # whether no value follows it


# --- values


def read_number(word: str, most: int, name: str, unit: str = "") -> _Reader:
    """Return the reader of a whole number from 0 to `most`; the letter `unit` may follow it."""

    def read(text: str, game: About) -> Mapping[str, Any]:
        digits = text.removesuffix(unit) if unit else text
        if not (digits.isascii() and digits.isdigit() and len(digits) < 5 and int(digits) <= most):
            raise Refused(f"“{text[:40]}” is not possible for “{word}”: choose 0 to {most}.")
        return {name: int(digits)}

    return read


def _choice(word: str, values: Mapping[str, object], name: str) -> _Reader:
    """Return the reader of one of several words."""

    def read(text: str, game: About) -> Mapping[str, Any]:
        if text not in values:
            raise Refused(
                f"“{text[:40]}” is not possible for “{word}”: choose"
                f" {join_list(list(values), 'or')}."
            )
        return {name: values[text]}

    return read


def _fixed(**fields: object) -> _Reader:
    """Return the reader of a word that stands alone."""
    return lambda text, game: fields


def _read_hours(text: str, game: About) -> Mapping[str, Any]:
    """Read `48`, or `48/12` with the hours of short phases."""
    found = _HOURS.fullmatch(text)
    if found is None:
        raise Refused(
            f"“{text[:40]}” is not possible for “hours”: write `hours=48`, or `hours=48/24` with"
            " the hours of short phases."
        )
    if found[2] and not game.short_phases:
        raise Refused(f"{game.title} has no short phases: write `hours={found[1]}`.")
    return {
        "every_hours": int(found[1]),
        "short_hours": int(found[2]) if found[2] else min(SHORT_HOURS, int(found[1])),
    }


def _read_grace(text: str, game: About) -> Mapping[str, Any]:
    found = _MINUTES.fullmatch(text)
    return {"grace_minutes": int(found[1]) if found else spans.read_minutes(text, field="grace")}


def _read_overtime(text: str, game: About) -> Mapping[str, Any]:
    if not text:
        raise Refused("“overtime” needs a time, as in `overtime=6h`.")
    return {"overtime_minutes": spans.read_minutes(text, field="overtime")}


def _read_reminders(text: str, game: About) -> Mapping[str, Any]:
    if not text:
        raise Refused(
            "“reminders” needs times before the deadline, as in `reminders=24h,3h`, or"
            " `reminders=off`."
        )
    return {"reminders": spans.read_reminders(text.split())}


def _read_expiry(text: str, game: About) -> Mapping[str, Any]:
    return (
        {"expire_days": None}
        if text in spans.NONE
        else read_number("expire", creation.MOST_EXPIRE_DAYS, "expire_days")(text, game)
    )


_PROGRESS: Mapping[str, object] = {kind: kind for kind in PROGRESS_KINDS}
_BEGINNERS = {"yes": True, "no": False}
_SKILLS: Mapping[str, object] = {skill: skill for skill in bots.SKILLS}
_SEATINGS = {"preference": "preference", "order": "order"}
_RULES = {rule: rule for rule in VOTE_RULES}
CONDITIONS = {
    each.word: each
    for each in (
        Condition(
            "hours",
            "hours=48/24",
            "the hours of a phase; after `/` those of short phases",
            _read_hours,
        ),
        Condition(
            "grace",
            "grace=10",
            "minutes after the deadline in which orders still count",
            _read_grace,
        ),
        Condition(
            "overtime", "overtime=6h", "more time where somebody handed in nothing", _read_overtime
        ),
        Condition(
            "reminders",
            "reminders=24h,3h",
            "letters before the deadline to those who owe orders; `reminders=off`",
            _read_reminders,
        ),
        Condition(
            "progress",
            "progress=seats",
            "whether everybody sees who has handed in, how many (`count`), or nothing (`none`)",
            _choice("progress", _PROGRESS, "progress"),
        ),
        Condition(
            "agree",
            "agree=all",
            "who gives more time and pauses: the master, or a `majority` of the players, or `all`,"
            " or nobody else (`none`)",
            _choice("agree", _RULES, "vote_rule"),
        ),
        Condition(
            "extend",
            "extend=24",
            "hours by which votes may extend a phase",
            read_number("extend", 168, "extension_hours", "h"),
        ),
        Condition(
            "absence",
            f"absence={absences.USUAL_DAYS}",
            "days of absence honoured, a year for each player",
            read_number("absence", absences.MOST_DAYS, "absence_days"),
        ),
        Condition(
            "misses",
            "misses=2",
            "missed phases in a row after which a seat looks for a new player; 0 is never",
            read_number("misses", creation.MOST_MISSES, "misses"),
        ),
        Condition(
            "firstmiss",
            "firstmiss",
            "one missed phase suffices for who never came",
            _fixed(first_miss=True),
            alone=True,
        ),
        Condition(
            "reliability",
            "reliability=90",
            "percent of phases that players of the open seats need",
            read_number("reliability", creation.MOST_RELIABILITY, "least_reliability"),
        ),
        Condition(
            "beginners",
            "beginners=no",
            "the open seats are for players who have had 20 phases to play",
            _choice("beginners", _BEGINNERS, "beginners"),
        ),
        Condition(
            "unrated", "unrated", "it changes nobody’s rating", _fixed(rated=False), alone=True
        ),
        Condition("private", "private", "listed nowhere", _fixed(private=True), alone=True),
        Condition(
            "closed",
            "closed",
            "for those whom you invite: no seat is open to others",
            _fixed(open_seats=False),
            alone=True,
        ),
        Condition(
            "people", "people", "house bots may take no seat", _fixed(bots=False), alone=True
        ),
        Condition(
            "skill",
            "skill=greedy",
            "house bots take the most they can get at once, or move at `random`; else they think"
            " ahead",
            _choice("skill", _SKILLS, "skill"),
        ),
        Condition(
            "master", "master", "you run the match and take no seat", _fixed(play=False), alone=True
        ),
        Condition(
            "expire", "expire=30", "days to find players; `expire=none`: no limit", _read_expiry
        ),
    )
}
_WHERE = {  # for some games only
    "seating": Condition(
        "seating",
        "seating=order",
        "who plays what goes by the order of joining",
        _choice("seating", _SEATINGS, "seating"),
    ),
    "rulebook": Condition(
        "rulebook",
        "rulebook",
        "no press in the game’s short phases",
        _fixed(press=PressWish(rulebook=True)),
        alone=True,
    ),
    "opened": Condition(
        "opened",
        "opened",
        "everybody can read all press after the end",
        _fixed(press=PressWish(opened=True)),
        alone=True,
    ),
    "overseen": Condition(
        "overseen",
        "overseen",
        "you read all press, and take no seat",
        _fixed(press=PressWish(overseen=True), play=False),
        alone=True,
    ),
}
COMPARED = frozenset(  # of a table that waits; a match with any other condition is made anew
    {
        "every_hours",
        "short_hours",
        "overtime_minutes",
        "progress",
        "absence_days",
        "least_reliability",
    }
)


def conditions_of(game: About) -> dict[str, Condition]:
    """Return the conditions that a match of this game can have, by their words."""
    by_wish, talks = game.seating == "preference", any(each.name == OPTION for each in game.options)
    names = {"seating": by_wish, "rulebook": talks, "opened": talks, "overseen": talks}
    hours = CONDITIONS["hours"]
    if not game.short_phases:
        hours = replace(hours, example="hours=48", meaning="the hours of a phase")
    return (
        CONDITIONS
        | {"hours": hours}
        | {name: _WHERE[name] for name, offered in names.items() if offered}
    )
