"""Free texts at the end of a `join` line: `timetable: ...`, `calendar: ...`, `name: ...`, `invite:
...`.
"""

import re
from collections.abc import Mapping

from adjudicator.service.base.names import link_in

PREFER = "prefer"  # precedes the seats that the player would like
TEXTS = {  # how each is written, and what it means
    "timetable: Mon Thu 20:00 Europe/Paris": "fixed hours instead of a length",
    "calendar: https://example.org/club.ics": (
        "days off for the timetable; only in answer to a letter of the service"
    ),
    "name: Friday evening": "the name of the match, up to six words",
    "invite: ann@example.org": "keeps a seat for each of these addresses, and writes to them",
}
_LABEL = re.compile(
    r"[\s;,]+(?:(timetable)\b\s*[:=]?|(name|invite|calendar)\s*[:=])\s*", re.IGNORECASE
)
# in a line whose web address no question may repeat
CALENDAR = re.compile(r"\bcalendar:", re.IGNORECASE)
_PREFERENCES = re.compile(rf"[\s;,]+(?={PREFER}\s)", re.IGNORECASE)
_MOST_HOURS = 60
_OF_HOURS = re.compile(r"(?!.*//|.*\.\D)[\w:/+;,.-]{1,40}")  # a word of a timetable
_OF_NAME = re.compile(r"[\w'’&-]{1,24}")
_MOST_OF_NAME = 6
_ADDRESS = re.compile(r"[^\s@<>,;:/]{1,64}@[^\s@<>,;:/]{1,100}")
_OF_CALENDAR = re.compile(r"https://\S{1,490}", re.IGNORECASE)
_EDGES = ".,;:!?`\"'“”„«»()[]"


def part_texts(line: str) -> tuple[str, dict[str, str]]:
    """Return a line without its free texts, and these by their labels; the last ends at `prefer`. A
    label without text is a word.
    """
    labels = [found for found in _LABEL.finditer(line) if found.end() < len(line)]
    if not labels:
        return line, {}
    ends = [*(found.start() for found in labels[1:]), len(line)]
    chunks = [line[found.end() : end] for found, end in zip(labels, ends, strict=True)]
    parted = _PREFERENCES.split(f" {chunks[-1]}", maxsplit=1)
    chunks[-1] = parted[0]
    texts = {
        (found[1] or found[2]).lower(): chunk.strip(" ;,")
        for found, chunk in zip(labels, chunks, strict=True)
    }
    return " ".join([line[: labels[0].start()], *parted[1:]]).strip(), texts


def may_follow(texts: Mapping[str, str]) -> bool:
    """Whether these texts have the form of what they are labelled as, so that the line is a
    command.
    """
    hours, addresses = texts.get("timetable", "").strip(_EDGES).split(), split_addresses(texts)
    return (
        len(hours) <= _MOST_HOURS
        and all(map(_OF_HOURS.fullmatch, hours))
        and all(map(_ADDRESS.fullmatch, addresses))
        and _is_name(texts.get("name", "").strip(_EDGES))
        and ("calendar" not in texts or _OF_CALENDAR.fullmatch(texts["calendar"]) is not None)
    )


def _is_name(text: str) -> bool:
    words = text.split()
    return len(words) <= _MOST_OF_NAME and all(map(_OF_NAME.fullmatch, words)) and not link_in(text)


def split_addresses(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the addresses that a line invites."""
    return tuple(
        each.strip("<>.") for each in re.split(r"[\s,;]+", texts.get("invite", "")) if each
    )


def written_texts(texts: Mapping[str, str]) -> list[str]:
    """Return texts as a command's line has them after its words."""
    return [
        f"{label}: {text if label == 'calendar' else text.strip(_EDGES)}"
        for label, text in texts.items()
    ]
