"""The terms of a match in words, as its page and the answers to letters list them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from adjudicator.core.options import describe_options
from adjudicator.platform.words import format_duration, join_list, plural
from adjudicator.play.rule_sheets import sheet_title
from adjudicator.service.base import press_rules
from adjudicator.service.base.rows import by_uid, open_phase
from adjudicator.service.base.state import game_of, progress_of
from adjudicator.service.base.tables import Match
from adjudicator.service.matches import absences, timetables
from adjudicator.service.matches.timetables import rhythm_of
from adjudicator.service.people import reliability


@dataclass(frozen=True)
class Term:
    """What a match was made with, in one regard."""

    title: str
    told: tuple[str, ...]
    meaning: str = ""  # a sentence, where the value is a bare number


_PROGRESS = {
    "none": "While a phase is open, nobody is shown how many have handed in orders.",
    "seats": "While a phase is open, everybody is shown who has handed in orders.",
}
_VOTES = {
    "all": "More time and a pause need the votes of all.",
    "none": "The master alone decides on more time and pauses.",
}


@dataclass(frozen=True)
class Outlook:
    """What a letter tells somebody who has taken a seat in a match."""

    name: str
    game: str
    terms: tuple[Term, ...]
    deadlines: tuple[datetime, ...]  # the next ones; () where no clock runs
    begun: bool  # else they are those of a match that begins now
    hours_in: str  # the zone of its timetable's hours and days, "" where it names none


TOLD = 3  # deadlines of an outlook


def outlook(session: Session, uid: str, *, now: datetime) -> Outlook:
    """Return the terms and the next deadlines of a match, for somebody in it; raises NotFound."""
    match = by_uid(session, uid)
    phase = open_phase(session, match)
    table = timetables.table_of(match)
    return Outlook(
        match.name,
        game_of(match).about.title,
        terms_of(session, match, inside=True),
        timetables.coming(match, phase, TOLD, now=now),
        begun=phase is not None,
        hours_in=table.zone if table.is_local else "",
    )


_READY = {
    "complete": "orders that leave nothing open make a seat ready, unless it says wait",
    "said": "a seat is ready when it says so",
}


def terms_of(session: Session, match: Match, *, inside: bool) -> tuple[Term, ...]:
    """Return the terms of a match besides its game; `inside`: for somebody who may read who is in
    it.
    """
    press = press_rules.told_rules(session, match, inside=inside)
    time = (
        f"{rhythm_of(match)} at most; a phase closes as soon as every seat that owes orders is"
        " ready"
    )
    terms = [
        Term(each.title, (each.value,), each.meaning)
        for each in describe_options(game_of(match).about, match.options)
    ]
    terms += [Term("Rules of press", (" ".join(press),))] if press else []
    terms += [Term("Time", (time,)), Term("Ready", (_READY[match.ready_rule],))]
    terms += [
        Term("Grace", (format_duration(match.grace_seconds) if match.grace_seconds else "none",))
    ]
    terms += [Term("Absences", (_honoured(match),))]
    terms += [Term("Overtime", (_overtime(match),))] if match.overtime_seconds else []
    terms += [
        Term("Reminders", (_reminders(match),)),
        Term("Who hands in nothing", (_missing(match),)),
    ]
    how = conditions(match)
    return (*terms, Term("How this match is run", how)) if how else tuple(terms)


def _honoured(match: Match) -> str:
    if not match.absence_days:
        return "move no deadline"
    one = "deadlines move past them, by at most {n} day a year for each player"
    return plural(
        match.absence_days,
        one,
        "deadlines move past them, by at most {n} days a year for each player",
    )


def _overtime(match: Match) -> str:
    whole = (
        "{length}, at most half of a phase, where somebody missed the deadline; it ends as soon as"
        " those who were late are ready"
    )
    return whole.format(length=format_duration(match.overtime_seconds))


def _reminders(match: Match) -> str:
    if not match.reminders:
        return "none"
    spans = join_list([format_duration(60 * minutes) for minutes in match.reminders])
    return f"{spans} before a deadline, to those who owe orders and have handed in nothing"


def _missing(match: Match) -> str:
    one = "After one such phase the seat looks for a new player."
    opens = (
        plural(match.misses, one, "After {n} such phases in a row the seat looks for a new player.")
        if match.misses
        else ""
    )
    first = (
        "The seat of a player who never came looks for one after the first."
        if match.first_miss
        else ""
    )
    return " ".join(filter(None, ("gets the game’s default, and everybody is told.", opens, first)))


def conditions(match: Match) -> tuple[str, ...]:
    """Return the options of a match that are not the default, in words."""
    told = [
        _sheet(match),
        _PROGRESS.get(progress_of(match), ""),
        _VOTES.get(match.vote_rule, ""),
        _muster(match),
        _absences(match),
        _asked(match),
        "It is rated, if people alone play it." if match.rated else "",
    ]
    told += (
        ["It is private: only its people and those who have its link can see it."]
        if match.private
        else []
    )
    if match.extension_seconds is not None and match.vote_rule != "none":
        told.append(f"Votes extend a phase by {format_duration(match.extension_seconds)} at most.")
    return tuple(filter(None, told))


def _sheet(match: Match) -> str:
    return (
        f"It is played by the rule sheet “{sheet_title(match.sheet)}”."
        if sheet_title(match.sheet)
        else ""
    )


def _muster(match: Match) -> str:
    if match.muster_seconds is None:
        return ""
    return (
        "Everybody confirms before the first phase, within"
        f" {format_duration(match.muster_seconds)}; else the seat is free again."
    )


def _absences(match: Match) -> str:
    if match.absence_days == absences.usual_days(timedelta(seconds=match.every_seconds)):
        return ""
    if not match.absence_days:
        return "No deadline moves past absences."
    one = "Deadlines move past absences by at most {n} day a year for each player."
    return plural(
        match.absence_days,
        one,
        "Deadlines move past absences by at most {n} days a year for each player.",
    )


def _asked(match: Match) -> str:
    asked = reliability.asked_of_players(match)
    return f"Its open seats are {asked}." if asked else ""
