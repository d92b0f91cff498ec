"""Press in a letter: from a line `press france:` on it is for other seats, and holds neither orders nor commands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.commands.command import Done
from adjudicator.platform.words import join_list, seat_phrase
from adjudicator.service.letters.kinds import ReplySection
from adjudicator.service.press import press_recipients
from adjudicator.service.press.messages import Sent
from adjudicator.service.press.press_recipients import Named

USAGE = "press france, england:"
END = "end press"
_WORD = re.compile(r"\W{0,3}press\b\s*", re.IGNORECASE)
_END = re.compile(r"\W*end\s+(?:of\s+)?press\W*", re.IGNORECASE)
_LONGEST_HEAD = 120  # characters up to the colon: what is longer is a sentence
_SHOWN = 60  # characters of what stands behind `press`, when an answer repeats it


@dataclass(frozen=True)
class Block:
    """What a letter says to other seats."""

    to: str  # what stands between `press` and the colon
    text: str

    @property
    def line(self) -> str:
        """Its first line as an answer repeats it."""
        return f"press {self.to[:_SHOWN]}".strip()


def split(lines: Sequence[str], names: Named) -> tuple[list[str], list[Block]]:
    """Return the lines that are no press, and the press; `names` are those of the seats.

    It ends with the line `end press`, with the next `press`, or with the letter.
    """
    others: list[str] = []
    heads: list[tuple[str, list[str]]] = []
    within = False
    for line in lines:
        head = _head(line, names)
        if head is not None:
            heads.append((head[0], [head[1]]))
            within = True
        elif within and _END.fullmatch(line):
            within = False
        else:
            (heads[-1][1] if within else others).append(line)
    return others, [Block(to, "\n".join(text).strip()) for to, text in heads]


def may_begin(line: str) -> bool:
    """Whether a line begins like press, whatever the seats are called."""
    return _WORD.match(line) is not None


def _head(line: str, names: Named) -> tuple[str, str] | None:
    """Return whom a line addresses and what it says already, None where it begins no press.

    Without a colon a seat has to be named: `Press on!` is no more than a sentence.
    """
    found = _WORD.match(line)
    if found is None:
        return None
    to, colon, text = line[found.end() :].partition(":")
    if len(to) > _LONGEST_HEAD or not (colon or press_recipients.looks_meant(to, names)):
        return None
    return to.strip(), text.strip()


def done(sent: Sent) -> Done:
    """Return what an answer tells of press that was sent: to whom, and every line of it."""
    whom = join_list(list(map(seat_phrase, sent.to))) if sent.to else "everybody"
    return Done(f"Sent to {whom}.", (ReplySection(f"To {whom}, as it was sent", sent.lines),))
