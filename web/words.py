"""Template functions and filters: times in the viewer's zone, seats, choices and the words for
codes.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from flask import Flask
from markupsafe import Markup, escape

from adjudicator.core.game import Slot
from adjudicator.platform import words
from adjudicator.service.views import game_info, trials
from adjudicator.service.views.duties import Owed
from web.http import request_context
from web.http.kept_pages import lasts_until

MOST_CARDS = 10  # choices of a slot shown side by side; more become a list
MOST_SEATS_SHOWN = 3  # seats of a card on a phone; of more only the viewer's
MOST_LAID_OUT = 2  # slots shown one below the other; more become rows
# suffix of a slot that belongs to another one: what a unit is, beside what it does
GOES_WITH = "-is"
HOW = {
    "sealed": "handed in sealed",
    "plan": "from a plan, sealed earlier",
    "forced": "the only order there was",
    "default": "nothing handed in; the game’s default",
    "conceded": "conceded; the game’s default",
    "record": "as in the record",
}
SEALED = {  # how the orders of a seat came and were opened, in a match with a log
    "sealed": "sealed, opened unchanged",
    "plan": "from a plan: sealed earlier, opened unchanged",
    "forced": "the only order there was, so nothing was sealed",
    "default": "nothing was sealed; the game’s default",
    "conceded": "conceded, so nothing was sealed; the game’s default",
}
STILL_SEALED = {
    "sealed": "sealed; its seal opens when the match ends",
    "plan": "from a plan, sealed earlier; its seal opens when the match ends",
}
WHY = {
    "ready": "everybody was ready",
    "deadline": "the deadline",
    "forced": "nobody had a choice",
    "master": "closed by the master",
    "record": "as in the record",
}
STATUS = {
    "making": "being set up",
    "open": "waiting for players",
    "running": "under way",
    "ended": "over",
    "stuck": "standing still",
    "expired": "over before it began",
}


def install(app: Flask) -> None:
    """Register the functions, filters and constants for templates."""
    functions = {
        "when": format_moment,
        "left": format_time_left,
        "soon": is_soon,
        "passed": is_past,
        "labels": choice_labels,
        "local_moment": local_moment,
        "lasting": words.format_duration,
        "listing": words.join_list,
        "span_of": words.format_span,
        "plural": write_plural,
        "language_tag": words.language_tag,
        "triable": trials.possible,
        "about_game": game_info.about,
    }
    app.jinja_env.globals.update(
        functions, HOW=HOW, SEALED=SEALED, STILL_SEALED=STILL_SEALED, WHY=WHY, STATUS=STATUS
    )
    app.jinja_env.globals.update(
        MOST_CARDS=MOST_CARDS, MOST_LAID_OUT=MOST_LAID_OUT, MOST_SEATS_SHOWN=MOST_SEATS_SHOWN
    )
    app.jinja_env.filters |= {
        "groups": group_choices,
        "rows": pair_slots,
        "scrolling": wrap_tables,
        "points": words.format_points,
        "number": words.format_number,
        "day": words.format_day,
        "minutes": lambda number: words.format_duration(60 * number),
        "percent": lambda share: words.format_percent(share / 100),
        "sized": size_picture,
        "called": words.display_seat,
        "as_seat": words.seat_phrase,
        "capital": lambda text: text[:1].upper() + text[1:],
        "web_links": link_addresses,
        "holds": words.seat_verb,
    }


def write_plural(number: int, one: str, other: str, **values: Any) -> Markup:
    """Return `words.plural` of a template's own HTML; the values are escaped."""
    return Markup(words.plural(number, Markup(one), Markup(other), **values))  # noqa: S704 our own sentence, its values escaped


_ADDRESS = re.compile(r"https?://[^\s<>\"“”]+", re.IGNORECASE)
_AFTER_ADDRESS = ".,;:!?'’*_"  # what ends a sentence rather than an address


def link_addresses(line: str) -> Markup:
    """Return a line that somebody wrote, escaped, with its http and https addresses as links that
    say where they lead.

    A link tells the other site nothing about this page. Closing brackets without an opening one are
    left out of an address.
    """
    html, at = Markup(), 0
    for found in _ADDRESS.finditer(line):
        address = _without_end(found[0])
        if not _host_of(address):
            continue
        html += escape(line[at : found.start()])
        html += Markup('<a href="{0}" rel="nofollow ugc noopener noreferrer">{0}</a>').format(
            address
        )
        at = found.start() + len(address)
    return html + escape(line[at:])


def _without_end(address: str) -> str:
    while address and (
        address[-1] in _AFTER_ADDRESS
        or (address[-1] == ")" and address.count("(") < address.count(")"))
    ):
        address = address[:-1]
    return address


def _host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def format_moment(at: datetime) -> Markup:
    """Return a `time` element in the viewer's zone, with the year if it is not the current one."""
    this_year = request_context.arrival_time().year
    lasts_until(datetime(this_year + 1, 1, 1, tzinfo=UTC))
    text = words.format_moment(at, request_context.viewer_zone(), year=at.year != this_year)
    return Markup('<time datetime="{}">{}</time>').format(_iso_time(at), text)


def local_moment(at: datetime) -> str:
    """Return a time as the value of a `datetime-local` field, in the viewer's zone."""
    return at.astimezone(ZoneInfo(request_context.viewer_zone())).strftime("%Y-%m-%dT%H:%M")


def format_time_left(at: datetime) -> Markup:
    """Return the time left until `at` in words; the page's script updates them."""
    lasts_until(words.distance_lasts(at, request_context.arrival_time()))
    return Markup('<span class="left" data-until="{}">{}</span>').format(
        _iso_time(at), words.format_distance(at, request_context.arrival_time())
    )


def is_past(at: datetime) -> bool:
    """Whether `at` is not after this request's arrival."""
    if at > request_context.arrival_time():
        lasts_until(at)
    return at <= request_context.arrival_time()


def is_soon(at: datetime, every_seconds: int) -> bool:
    """Whether less than a sixth of a phase's time is left until `at`."""
    begins = at - timedelta(seconds=every_seconds / 6)
    if begins >= request_context.arrival_time():
        lasts_until(begins)
    return begins < request_context.arrival_time()


def choice_labels(owed: Owed | None) -> dict[str, str]:
    """Return the label of each possible order, by its text."""
    return (
        {choice.text: choice.label for slot in owed.slots for choice in slot.choices}
        if owed
        else {}
    )


@dataclass(frozen=True)
class Group:
    """Choices under one heading."""

    title: str
    choices: list[Any]


def group_choices(choices: Iterable[Any]) -> list[Group]:
    """Return a slot's choices by group, in the game's order."""
    return [
        Group(title, list(found))
        for title, found in groupby(choices, key=lambda choice: str(choice.group))
    ]


@dataclass(frozen=True)
class Row:
    """A slot, and the slots beside it."""

    slot: Slot
    beside: tuple[Slot, ...] = ()


def pair_slots(slots: Iterable[Slot]) -> list[Row]:
    """Return the slots in the game's order; a slot `X-is` goes beside the slot `X` if there is
    one.
    """
    slots = list(slots)
    names = {slot.name for slot in slots}
    with_others = {
        slot.name
        for slot in slots
        if slot.name.endswith(GOES_WITH) and slot.name.removesuffix(GOES_WITH) in names
    }
    beside = {slot.name.removesuffix(GOES_WITH): slot for slot in slots if slot.name in with_others}
    return [
        Row(slot, tuple(filter(None, [beside.get(slot.name)])))
        for slot in slots
        if slot.name not in with_others
    ]


_TABLE = re.compile(r"<h[1-4][^>]*>(?P<heading>.*?)</h[1-4]>|<table\b.*?</table>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


def wrap_tables(article: str) -> Markup:
    """Return an article whose tables scroll, also by keyboard; each is labelled by the heading
    above it, the second with a number.
    """
    heading, labels = "Table", Counter[str]()

    def wrap_table(found: re.Match[str]) -> str:
        nonlocal heading
        if found["heading"] is not None:
            heading = " ".join(_TAG.sub("", found["heading"]).split())
            return found[0]
        labels[heading] += 1
        label = heading if labels[heading] < 2 else f"{heading} ({labels[heading]})"
        return (
            f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">{found[0]}</div>'
        )

    return Markup(_TABLE.sub(wrap_table, article))  # noqa: S704 our own article


_BOX = re.compile(r' viewBox="[-\d.]+ [-\d.]+ (?P<width>[\d.]+) (?P<height>[\d.]+)"')
# pixels for a unit; more than any window gives, so that a stylesheet only has to limit the size
_NATURAL = 4


def size_picture(picture: str) -> Markup:
    """Return a game's picture with a natural size, by whose ratio it fills the room that the page
    gives it.
    """
    found = _BOX.search(picture)
    if found is None:
        return Markup(picture)  # noqa: S704 drawn by the game
    sized = (
        f'{found[0]} width="{_NATURAL * float(found["width"]):.0f}"'
        f' height="{_NATURAL * float(found["height"]):.0f}"'
    )
    return Markup(picture.replace(found[0], sized, 1))  # noqa: S704 drawn by the game


def _iso_time(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")
