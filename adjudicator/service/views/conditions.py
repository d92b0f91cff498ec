"""The terms of a match in words, as its page and the answers to letters list them."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from adjudicator.core.options import describe_options
from adjudicator.service.base import press_rules
from adjudicator.service.base.rows import by_uid, is_inside, open_phase, seats_of
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import Match
from adjudicator.service.matches import timetables
from adjudicator.service.matches.terms import record
from adjudicator.service.matches.timetables import rhythm_of


@dataclass(frozen=True)
class ToldTerm:
    """What a match was made with, in one regard."""

    title: str
    told: tuple[str, ...]
    meaning: str = ""  # a sentence, where the value is a bare number


@dataclass(frozen=True)
class Outlook:
    """What a letter tells somebody who has taken a seat in a match."""

    name: str
    game: str
    terms: tuple[ToldTerm, ...]
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


def told_terms(session: Session, uid: str, player_id: int | None) -> tuple[ToldTerm, ...]:
    """Return the terms of a match besides its game as a viewer may know them (None: somebody who is
    not signed in); raises NotFound.
    """
    match = by_uid(session, uid)
    inside = is_inside(match, seats_of(session, match), player_id)
    return terms_of(session, match, inside=inside)


def terms_of(session: Session, match: Match, *, inside: bool) -> tuple[ToldTerm, ...]:
    """Return the terms of a match besides its game; `inside`: for somebody who may read who is in
    it.
    """
    press = press_rules.told_rules(session, match, inside=inside)
    time = (
        f"{rhythm_of(match)} at most; a phase closes as soon as every seat that owes orders is"
        " ready"
    )
    terms = [
        ToldTerm(each.title, (each.value,), each.meaning)
        for each in describe_options(game_of(match).about, match.options)
    ]
    terms += [ToldTerm("Rules of press", (" ".join(press),))] if press else []
    terms += [ToldTerm("Time", (time,)), ToldTerm("Ready", (_READY[match.ready_rule],))]
    terms += [
        ToldTerm(each.row[0], (sentences,))
        for each in record.TERMS
        if each.row and (sentences := each.row[1](match))
    ]
    how = conditions(match)
    return (*terms, ToldTerm("How this match is run", how)) if how else tuple(terms)


def conditions(match: Match) -> tuple[str, ...]:
    """Return the options of a match that are not the default, in words."""
    return tuple(sentence for each in record.TERMS if each.told and (sentence := each.told(match)))
