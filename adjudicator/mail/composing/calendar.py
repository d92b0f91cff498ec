"""The deadline for a player's own calendar: one entry for each match and seat, which every newer letter replaces."""

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

from icalendar import Alarm, Calendar, Event

from adjudicator.mail import addresses
from adjudicator.platform import words
from adjudicator.platform.config import Settings
from adjudicator.service.letters.kinds import NoticeLetter, OwedOrders, ReportLetter

NAME = "deadline.ics"
_EARLY = ((timedelta(hours=36), timedelta(hours=24)), (timedelta(hours=4), timedelta(hours=3)), (timedelta(hours=1), timedelta(minutes=30)))


def attach(
    message: EmailMessage, settings: Settings, content: ReportLetter | NoticeLetter, owed: OwedOrders, made_at: datetime, link: str
) -> None:  # fmt: skip
    """Attach the entry of what a letter says is owed (RFC 5545, RFC 6047); it tells no orders."""
    text = entry(settings, content, owed, made_at, link).replace("\r\n", "\n")
    message.add_attachment(text, subtype="calendar", cte="quoted-printable", filename=NAME, params={"method": "PUBLISH"})


def entry(settings: Settings, content: ReportLetter | NoticeLetter, owed: OwedOrders, made_at: datetime, link: str) -> str:
    """Return the entry as a calendar of its own; composing it again gives the same text."""
    deadline = owed.deadline.astimezone(UTC)
    summary = f"Orders for {owed.phase} of {content.match}"
    event = Event()
    event.add("uid", f"deadline-{content.uid}-{content.seat}@{addresses.host(settings)}")
    event.add("dtstamp", made_at.replace(microsecond=0))
    event.add("sequence", owed.number)
    event.add("dtstart", deadline.replace(microsecond=0))
    event.add("summary", summary)
    event.add("description", f"{content.game}: you owe orders for {owed.phase} as {words.seat_phrase(content.seat)}.\n{link}")
    event.add("url", link)
    event.add("transp", "TRANSPARENT")  # takes no time of the day
    warning = next((early for left, early in _EARLY if deadline - made_at >= left), None)
    if warning is not None:
        event.add_component(_alarm(summary, warning))
    calendar = Calendar()
    calendar.add("prodid", "-//Sealed Orders//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return str(calendar.to_ical(), "utf-8")


def _alarm(summary: str, early: timedelta) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", -early)
    alarm.add("description", summary)
    return alarm
