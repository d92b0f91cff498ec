"""A letter's lines, each classified once: press, commands, and the rest, which are orders or
prose.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.mail.commands.command import Command, Writer
from adjudicator.mail.commands.recognition import find_command
from adjudicator.service.press import press_recipients
from adjudicator.service.press.press_by_letter import PressBlock
from adjudicator.service.press.press_recipients import Named

# as people make lists; `3.` may be a part of an order
_BULLET = re.compile(r"^\s*(?:[*•·–—-]|\d{1,2}\))\s+(?=\S)")
_PRESS = re.compile(r"\W{0,3}press\b\s*", re.IGNORECASE)
# for masters: below a seat's address it tells their texts from the seat's
_WRITE = re.compile(r"\W{0,3}write\b\s*", re.IGNORECASE)
_END_PRESS = re.compile(r"\W*end\s+(?:of\s+)?(?:press|write)\W*", re.IGNORECASE)
_LONGEST_HEAD = 120  # characters between `press` and the colon: a longer line is a sentence


@dataclass(frozen=True)
class SortedLine:
    """A line that is no press."""

    text: str  # without its bullet
    command: Command | None = None  # None: an order or prose
    more: str = ""  # the text after the command's word

    @classmethod
    def read(cls, text: str) -> "SortedLine":
        return cls(text, *(find_command(text) or ()))


@dataclass(frozen=True)
class SortedLetter:
    """What a letter says, by kind."""

    lines: tuple[SortedLine, ...]
    press: tuple[PressBlock, ...] = ()
    written: str = ""  # the lines that are no press, as they were written

    @property
    def talk(self) -> tuple[str, ...]:
        """The lines that are no commands: orders or prose."""
        return tuple(line.text for line in self.lines if line.command is None)

    @property
    def tries(self) -> bool:
        """Whether a command says that its orders are only tried."""
        return any(line.command.tries for line in self.lines if line.command is not None)


def sort_lines(writer: Writer) -> SortedLetter:
    """Classify the lines of a letter; only one to a seat or a master can hold press.

    Where no line of a letter to the service itself is a command, the subject may be one.
    """
    others, press = list(writer.letter.lines), list[PressBlock]()
    if writer.here:
        others, press = split_press(others, writer.answered.names, master=writer.answered.runs)
    lines = tuple(SortedLine.read(_BULLET.sub("", line)) for line in others if line.strip())
    if writer.claimed.target.kind == "service" and not any(line.command for line in lines):
        subject = SortedLine.read(writer.letter.subject)
        lines = (subject,) if subject.command else lines
    return SortedLetter(lines, tuple(press), "\n".join(others))


def split_press(
    lines: Sequence[str], names: Named, *, master: bool = False
) -> tuple[list[str], list[PressBlock]]:
    """Return the lines that are no press, and the press; `names` are those of the seats.

    A block of press ends with the line `end press`, with the next `press`, or with the letter. A
    `master` may also begin it with `write`.
    """
    others: list[str] = []
    heads: list[tuple[str, str, list[str]]] = []
    within = False
    for line in lines:
        head = _press_head(line, names, master=master)
        if head is not None:
            heads.append((head[0], head[1], [head[2]]))
            within = True
        elif within and _END_PRESS.fullmatch(line):
            within = False
        else:
            (heads[-1][2] if within else others).append(line)
    return others, [PressBlock(to, "\n".join(text).strip(), word) for word, to, text in heads]


def _press_head(line: str, names: Named, *, master: bool) -> tuple[str, str, str] | None:
    """Return how a line begins press, whom it addresses and the text after its colon, None where it
    begins no press.

    Without a colon a seat has to be named: `Press on!` is only a sentence. `write` needs its colon.
    """
    press, write = _PRESS.match(line), _WRITE.match(line) if master else None
    found = press or write
    if found is None:
        return None
    to, colon, text = line[found.end() :].partition(":")
    if len(to) > _LONGEST_HEAD or not (
        colon or (press and press_recipients.looks_meant(to, names))
    ):
        return None
    return "press" if press else "write", to.strip(), text.strip()
