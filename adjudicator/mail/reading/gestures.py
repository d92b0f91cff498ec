"""Letters that a program writes when its user presses a button: reactions by an emoji, and answers
to calendar entries.

Their fields are those of a person's letter; their parts, or their text, tell what they are.
"""

import re
from collections.abc import Sequence

from adjudicator.mail.reading.orderlike import any_of, compile_text, is_order
from adjudicator.mail.reading.parts import MimePart

_REACTIONS = ("text/vnd.google.email-reaction+json",)
_CALENDARS = ("text/calendar", "application/ics", "text/x-vcalendar")
# RFC 5546: no invitation, and no notice of a date
_ANSWERS = ("reply", "counter", "declinecounter", "refresh", "cancel")
_INVITES = ("request", "add")
_PRESS = re.compile(r"\W{0,3}(?:press|write)\b", re.IGNORECASE)
_METHOD = re.compile(rb"^METHOD[^:\n]{0,60}:\s*([A-Za-z]{1,20})", re.MULTILINE)
_BEGINNING = 4000  # bytes of a calendar in which its method is looked for
_REACTED = compile_text(any_of("reactions"))
_LONGEST = 300  # characters of a line that may tell of a reaction
_MOST_LINES = 6  # of a letter that only tells of one


def why_pressed(root: MimePart, lines: Sequence[str], passed_over: Sequence[str]) -> str:
    """Return a clause that says why a program wrote a letter with these parts and own lines; ""
    where a person may have.

    `passed_over` are further lines that were taken for a signature, such as a link.
    """
    if any(part.kind in _REACTIONS or part.disposition == "reaction" for part in root.walk()):
        return "it is a reaction by an emoji"  # Gmail's; RFC 9078
    methods = {_method(part) for part in root.walk() if _is_calendar(part)}
    if methods & set(_ANSWERS):
        return "a calendar wrote it to answer an entry"
    if any(is_order(line) or _PRESS.match(line) for line in lines):
        return ""
    if any(
        _method(part) in _INVITES
        for part in root.walk()
        if part.kind in _CALENDARS and not part.attached
    ):
        return "a calendar wrote it to invite"
    return (
        "it is a reaction by an emoji"
        if _tells_of_one([line for line in (*lines, *passed_over) if line])
        else ""
    )


def _tells_of_one(lines: Sequence[str]) -> bool:
    """Whether lines are an emoji and a sentence on it, on one line or two, as a list server leaves
    them of a reaction.
    """
    if not 1 <= len(lines) <= _MOST_LINES or lines[0][0].isascii() or lines[0][0].isalnum():
        return False
    first = lines[0].lstrip("".join({letter for letter in lines[0] if not letter.isalnum()}))
    if first:  # Outlook's is one line
        return first.endswith(":") and _REACTED.fullmatch(first[:_LONGEST]) is not None
    return any(_REACTED.fullmatch(line[:_LONGEST]) for line in lines[1:])


def _is_calendar(part: MimePart) -> bool:
    """Whether a part is a calendar, by its type or, where that says nothing, by its name."""
    return part.kind in _CALENDARS or (
        part.kind == "application/octet-stream"
        and part.parameters.get("name", "").lower().endswith(".ics")
    )


def _method(part: MimePart) -> str:
    """Return the method of a calendar (RFC 5546) in lower case, "" where it names none."""
    found = _METHOD.search(part.data(_BEGINNING))
    return part.parameters.get("method", "").lower() or (
        found[1].decode("ascii").lower() if found else ""
    )
