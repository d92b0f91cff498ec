"""How a match is run, where that is not the usual way: one short sentence for each option."""

from datetime import timedelta

from adjudicator.platform.words import format_duration, plural
from adjudicator.play.rule_sheets import sheet_title
from adjudicator.service.base.state import progress_of
from adjudicator.service.base.tables import Match
from adjudicator.service.matches import absences
from adjudicator.service.people import reliability

_PROGRESS = {
    "none": "While a phase is open, nobody is shown how many have handed in orders.",
    "seats": "While a phase is open, everybody is shown who has handed in orders.",
}
_VOTES = {
    "all": "More time and a pause need the votes of all.",
    "none": "The master alone decides on more time and pauses.",
}


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
    told += ["It is private: only its people and those who have its link can see it."] if match.private else []
    if match.extension_seconds is not None and match.vote_rule != "none":
        told.append(f"Votes extend a phase by {format_duration(match.extension_seconds)} at most.")
    return tuple(filter(None, told))


def _sheet(match: Match) -> str:
    return f"It is played by the rule sheet “{sheet_title(match.sheet)}”." if sheet_title(match.sheet) else ""


def _muster(match: Match) -> str:
    if match.muster_seconds is None:
        return ""
    return f"Everybody confirms before the first phase, within {format_duration(match.muster_seconds)}; else the seat is free again."


def _absences(match: Match) -> str:
    if match.absence_days == absences.usual_days(timedelta(seconds=match.every_seconds)):
        return ""
    if not match.absence_days:
        return "No deadline moves past absences."
    one = "Deadlines move past absences by at most {n} day a year for each player."
    return plural(match.absence_days, one, "Deadlines move past absences by at most {n} days a year for each player.")


def _asked(match: Match) -> str:
    asked = reliability.asked_of_players(match)
    return f"Its open seats are {asked}." if asked else ""
