"""The deadline of the orders that a letter asks for, as a calendar."""

from datetime import UTC, datetime, timedelta

from icalendar import Alarm, Calendar, Event

from adjudicator.mail import addresses
from adjudicator.mail.composing.mime import Part, text_part
from adjudicator.platform import words
from adjudicator.platform.config import Settings
from adjudicator.service.letters.contents.content import OwedOrders
from adjudicator.service.letters.contents.match_content import NoticeLetter, ReportLetter

_EARLY = (
    (timedelta(hours=36), timedelta(hours=24)),
    (timedelta(hours=4), timedelta(hours=3)),
    (timedelta(hours=1), timedelta(minutes=30)),
)


def deadline_calendar(
    settings: Settings,
    content: ReportLetter | NoticeLetter,
    owed: OwedOrders,
    made_at: datetime,
    link: str,
) -> Part:
    """Return the deadline of the orders that are owed as a calendar (RFC 5545, RFC 6047); it holds
    no orders.

    A match and seat have one entry: that of a newer letter replaces it.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Sealed Orders//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(_deadline_event(settings, content, owed, made_at, link))
    text = str(calendar.to_ical(), "utf-8").replace("\r\n", "\n")
    return text_part(
        'text/calendar; charset="utf-8"; method="PUBLISH"', text, filename="deadline.ics"
    )


def _deadline_event(
    settings: Settings,
    content: ReportLetter | NoticeLetter,
    owed: OwedOrders,
    made_at: datetime,
    link: str,
) -> Event:
    """Return the calendar's entry; composing it again gives the same one."""
    deadline = owed.deadline.astimezone(UTC)
    summary = f"Orders for {owed.phase} of {content.match}"
    event = Event()
    event.add("uid", f"deadline-{content.uid}-{content.seat}@{addresses.mail_host(settings)}")
    event.add("dtstamp", made_at.replace(microsecond=0))
    event.add("sequence", owed.number)
    event.add("dtstart", deadline.replace(microsecond=0))
    event.add("summary", summary)
    event.add(
        "description",
        f"{content.game}: you owe orders for {owed.phase} as"
        f" {words.seat_phrase(content.seat)}.\n{link}",
    )
    event.add("url", link)
    event.add("transp", "TRANSPARENT")  # takes no time of the day
    warning = next((early for left, early in _EARLY if deadline - made_at >= left), None)
    if warning is not None:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("trigger", -warning)
        alarm.add("description", summary)
        event.add_component(alarm)
    return event
