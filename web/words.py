"""Template functions and filters: times in the viewer's zone, seats, choices and the words for codes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask
from markupsafe import Markup

from adjudicator.core.game import Slot
from adjudicator.platform import words
from adjudicator.service.views import trials
from adjudicator.service.views.duties import Owed
from web.http import request_context

MOST_CARDS = 10  # choices of a slot shown side by side; more become a list
MOST_LAID_OUT = 2  # slots shown one below the other; more become rows
GOES_WITH = "-is"  # suffix of a slot that belongs to another one: what a unit is, beside what it does
HOW = {
    "sealed": "handed in sealed",
    "plan": "from a plan, sealed earlier",
    "forced": "the only order there was",
    "default": "nothing handed in; the game’s default",
    "conceded": "conceded; the game’s default",
    "record": "as in the record",
}
WHY = {
    "ready": "everybody was ready", "deadline": "the deadline", "forced": "nobody had a choice", "master": "closed by the master",
    "record": "as in the record",
}  # fmt: skip
STATUS = {
    "making": "being set up", "open": "waiting for players", "running": "under way", "ended": "over", "stuck": "standing still",
    "expired": "not begun: it was not full in time",
}  # fmt: skip


def install(app: Flask) -> None:
    """Register the functions, filters and constants for templates."""
    told = {
        "when": format_moment,
        "left": format_time_left,
        "soon": is_soon,
        "passed": is_past,
        "labels": choice_labels,
        "local_moment": local_moment,
        "lasting": words.format_duration,
        "listing": words.join_list,
        "span_of": words.format_span,
        "triable": trials.possible,
    }
    app.jinja_env.globals.update(told, HOW=HOW, WHY=WHY, STATUS=STATUS, MOST_CARDS=MOST_CARDS, MOST_LAID_OUT=MOST_LAID_OUT)
    app.jinja_env.filters |= {
        "groups": group_choices,
        "rows": pair_slots,
        "scrolling": wrap_tables,
        "points": words.format_points,
        "called": words.display_seat,
        "as_seat": words.seat_phrase,
        "capital": lambda text: text[:1].upper() + text[1:],
        "holds": words.seat_verb,
    }


def format_moment(at: datetime) -> Markup:
    """Return a `time` element in the viewer's zone, with the year if it is not the current one."""
    text = words.format_moment(at, request_context.viewer_zone(), year=at.year != request_context.arrival_time().year)
    return Markup('<time datetime="{}">{}</time>').format(_iso_time(at), text)


def local_moment(at: datetime) -> str:
    """Return a time as the value of a `datetime-local` field, in the viewer's zone."""
    return at.astimezone(ZoneInfo(request_context.viewer_zone())).strftime("%Y-%m-%dT%H:%M")


def format_time_left(at: datetime) -> Markup:
    """Return the time left until `at` in words; the page's script updates them."""
    return Markup('<span class="left" data-until="{}">{}</span>').format(
        _iso_time(at), words.format_distance(at, request_context.arrival_time())
    )


def is_past(at: datetime) -> bool:
    """Whether `at` is not after this request's arrival."""
    return at <= request_context.arrival_time()


def is_soon(at: datetime, every_seconds: int) -> bool:
    """Whether less than a sixth of a phase's time is left until `at`."""
    return (at - request_context.arrival_time()).total_seconds() < every_seconds / 6


def choice_labels(owed: Owed | None) -> dict[str, str]:
    """Return the label of each possible order, by its text."""
    return {choice.text: choice.label for slot in owed.slots for choice in slot.choices} if owed else {}


@dataclass(frozen=True)
class Group:
    """Choices under one heading."""

    title: str
    choices: list[Any]


def group_choices(choices: Iterable[Any]) -> list[Group]:
    """Return a slot's choices by group, in the game's order."""
    return [Group(title, list(found)) for title, found in groupby(choices, key=lambda choice: str(choice.group))]


@dataclass(frozen=True)
class Row:
    """A slot, and the slots beside it."""

    slot: Slot
    beside: tuple[Slot, ...] = ()


def pair_slots(slots: Iterable[Slot]) -> list[Row]:
    """Return the slots in the game's order; a slot `X-is` goes beside the slot `X` if there is one."""
    slots = list(slots)
    names = {slot.name for slot in slots}
    with_others = {slot.name for slot in slots if slot.name.endswith(GOES_WITH) and slot.name.removesuffix(GOES_WITH) in names}
    beside = {slot.name.removesuffix(GOES_WITH): slot for slot in slots if slot.name in with_others}
    return [Row(slot, tuple(filter(None, [beside.get(slot.name)]))) for slot in slots if slot.name not in with_others]


_TABLE = re.compile(r"<h[1-4][^>]*>(?P<heading>.*?)</h[1-4]>|<table\b.*?</table>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


def wrap_tables(article: str) -> Markup:
    """Return an article whose tables scroll, also by keyboard; each is labelled by the heading above it."""
    heading = "Table"

    def wrap_table(found: re.Match[str]) -> str:
        nonlocal heading
        if found["heading"] is not None:
            heading = " ".join(_TAG.sub("", found["heading"]).split())
            return found[0]
        return f'<div class="scroll" role="region" tabindex="0" aria-label="{heading}">{found[0]}</div>'

    return Markup(_TABLE.sub(wrap_table, article))  # noqa: S704 our own article


def _iso_time(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")
