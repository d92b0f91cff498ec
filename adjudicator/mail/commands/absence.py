"""Commands about a player's absences: `absence 2026-12-20 to 2027-01-03`, `absence list`, `absence
cancel 2026-12-20`.
"""

from collections.abc import Collection

from adjudicator.mail.commands.command import Command, Done, Writer
from adjudicator.platform.words import format_span, plural
from adjudicator.service.base.errors import Refused
from adjudicator.service.letters.contents.answer_content import ReplySection
from adjudicator.service.matches import absences
from adjudicator.service.matches.absences import Honoured
from adjudicator.service.people import absence_calendar

_TO = ("to", "until", "till", "-")
_WANTED = "It needs the first and the last day: `absence 2026-12-20 to 2027-01-03`."
_NONE = "You have no absence ahead. `absence 2026-12-20 to 2027-01-03` adds one; both days count."


def _add(writer: Writer, arguments: str) -> Done:
    """Add an absence to the player's calendar."""
    days = [word for word in arguments.split() if word.lower() not in _TO]
    if not 1 <= len(days) <= 2:
        raise Refused(_WANTED)
    first, last = (absence_calendar.read_day(word) for word in (days[0], days[-1]))
    kept = absence_calendar.add_absence(*writer.me, first, last, now=writer.now)
    meaning = (
        "Deadlines that are set from now on move past it, as far as each match honours absences."
    )
    return Done(
        f"You are away {format_span(*kept)}; these are days in {writer.zone}. {meaning}",
        _sections(writer, listing=False),
    )


def _list(writer: Writer, arguments: str) -> Done:
    """List the player's absences, and what each match makes of them."""
    found = absence_calendar.list_absences(*writer.me, writer.now)
    sentence = (
        f"Your absences stand below, in days of {writer.zone}. Nobody else sees them."
        if found
        else _NONE
    )
    return Done(sentence, _sections(writer, listing=True))


def _cancel(writer: Writer, arguments: str) -> Done:
    """Take an absence out of the player's calendar."""
    if not arguments:
        raise Refused("It needs a day of the absence: `absence cancel 2026-12-20`.")
    gone = absence_calendar.cancel_absence(
        *writer.me, absence_calendar.read_day(arguments), now=writer.now
    )
    return Done(
        f"Your absence {format_span(*gone)} is cancelled. Deadlines that moved past it already"
        " stay."
    )


def _sections(writer: Writer, *, listing: bool) -> tuple[ReplySection, ...]:
    player_id = writer.known().id
    spans = absence_calendar.list_absences(writer.session, player_id, writer.now)
    matches = absences.list_honoured(writer.session, player_id)
    years = absences.years_ahead(spans, writer.now)
    staying = tuple(_stays(writer, each) for each in matches if each.deadline is not None)
    sections = (
        [ReplySection("Your absences", tuple(format_span(*span) for span in spans))]
        if spans and listing
        else []
    )
    sections += [ReplySection("Deadlines that stay", staying)] if staying else []
    sections += (
        [ReplySection("Your matches", tuple(_honours(each, years) for each in matches))]
        if matches
        else []
    )
    return tuple(sections)


def _stays(writer: Writer, each: Honoured) -> str:
    assert each.deadline is not None  # noqa: S101 the caller looked
    where = (
        f"{each.match} ({each.uid}): the deadline of {each.phase} lies in your absence,"
        f" {writer.when(each.deadline)}."
    )
    return (
        f"{where} It was set before, or no days are left, so it stays; you can ask for more time."
    )


def _honours(each: Honoured, years: Collection[int]) -> str:
    if not each.days:
        return f"{each.match} ({each.uid}) moves no deadline past absences."
    one = "{match} ({uid}) honours {n} day a year; left: {left}."
    other = "{match} ({uid}) honours {n} days a year; left: {left}."
    return plural(
        each.days, one, other, match=each.match, uid=each.uid, left=each.describe_left(years)
    )


ABSENCE = Command(
    "absence",
    "absence 2026-12-20 to 2027-01-03",
    "you are away on these days, in all your matches; deadlines move past them as far as each match"
    " allows",
    _add,
    most=3,
)
ABSENCES = Command(
    "absence list",
    "absence list",
    "your absences, and what your matches make of them",
    _list,
    changes=False,
)
CANCEL_ABSENCE = Command(
    "absence cancel", "absence cancel 2026-12-20", "cancel the absence of that day", _cancel
)
