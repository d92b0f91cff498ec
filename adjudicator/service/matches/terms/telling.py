"""What *About* and letters tell of the terms of a match: "" where a term says nothing."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from adjudicator.platform.words import format_duration, join_list, plural
from adjudicator.play.rule_sheets import sheet_title
from adjudicator.service.base.state import progress_of
from adjudicator.service.base.tables import Match
from adjudicator.service.matches import absences
from adjudicator.service.people import reliability

_PROGRESS = {
    "none": "While a phase is open, nobody is shown how many have handed in orders.",
    "seats": "While a phase is open, everybody is shown who has handed in orders.",
}


def when(column: str, sentences: Mapping[object, str]) -> Callable[[Match], str]:
    """Return what tells one of these sentences, by the value of a column."""
    return lambda match: sentences.get(getattr(match, column), "")


def grace(match: Match) -> str:
    """Tell the time after a deadline."""
    return format_duration(match.grace_seconds) if match.grace_seconds else "none"


def overtime(match: Match) -> str:
    """Tell how much longer a phase is open for the late."""
    if not match.overtime_seconds:
        return ""
    whole = (
        "{length}, at most half of a phase, where somebody missed the deadline; it ends as soon as"
        " those who were late are ready"
    )
    return whole.format(length=format_duration(match.overtime_seconds))


def reminders(match: Match) -> str:
    """Tell when letters remind."""
    if not match.reminders:
        return "none"
    spans = join_list([format_duration(60 * minutes) for minutes in match.reminders])
    return f"{spans} before a deadline, to those who owe orders and have handed in nothing"


def honoured(match: Match) -> str:
    """Tell what absences do to deadlines."""
    if not match.absence_days:
        return "move no deadline"
    one = "deadlines move past them, by at most {n} day a year for each player"
    return plural(
        match.absence_days,
        one,
        "deadlines move past them, by at most {n} days a year for each player",
    )


def unusual_absences(match: Match) -> str:
    """Tell the same where it is not as usual for such phases."""
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


def missing(match: Match) -> str:
    """Tell what happens to who hands in nothing."""
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


def sheet(match: Match) -> str:
    """Tell the rule sheet."""
    title = sheet_title(match.sheet)
    return f"It is played by the rule sheet “{title}”." if title else ""


def progress(match: Match) -> str:
    """Tell what is shown of who has handed in."""
    return _PROGRESS.get(progress_of(match), "")


def extension(match: Match) -> str:
    """Tell by how much votes extend a phase."""
    if match.extension_seconds is None or match.vote_rule == "none":
        return ""
    return f"Votes extend a phase by {format_duration(match.extension_seconds)} at most."


def muster(match: Match) -> str:
    """Tell that everybody confirms before the start."""
    if match.muster_seconds is None:
        return ""
    return (
        "Everybody confirms before the first phase, within"
        f" {format_duration(match.muster_seconds)}; else the seat is free again."
    )


def asked(match: Match) -> str:
    """Tell whom the open seats are for."""
    players = reliability.asked_of_players(match)
    return f"Its open seats are {players}." if players else ""
