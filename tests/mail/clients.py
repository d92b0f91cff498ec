"""The ways in which known mail programs announce the letter they quote, and answers written in each
of them.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from adjudicator.mail.reading.headers import Correspondents

SERVICE = "orders@orders.example.org"
PLAYER = "bob@example.com"
KNOWN = Correspondents(("@orders.example.org",))
SUBJECT = "[Evening Pyramid] Round 2: you owe orders by Tue 24 Nov 20:00 (Paris)"

# What our letter says below its marker: every order in it is another than those that tests write.
LETTER = """Evening Pyramid
Rock Paper Pyramid. You are seat Red.

Round 2 is open: you owe orders by Tue 24 Nov 20:00 (Paris), in 2 days.

Which piece do you show in round 2?

  C3  Crystal large
  C2  Crystal medium

A Edi - Lvp
F Nth - Nwy; F Nth C A Lon - Nwy

ready

Answer this letter with your orders, one a line, above everything else; or
choose them on the page of the match.
Your orders:
  https://orders.example.org/matches/evening22

--\x20
Sealed Orders, https://orders.example.org"""
MARKER = "-- Answer above this line --"


def _heads(kind: str) -> dict[str, str]:
    listed = json.loads((Path(__file__).parent / "heads.json").read_text("utf-8"))
    return {name: "\n".join(lines) for name, lines in listed[kind].items()}


QUOTING = _heads("quoting")  # announcements of programs that mark each quoted line
BARE = _heads("bare")  # those of programs that mark none: all text below is quoted


def heads() -> list[str]:
    """Return the names of all announcements."""
    return [*QUOTING, *BARE]


def answered(text: str, head: str, *, marker: bool, gap: bool = True, bottom: str = "") -> str:
    """Return the body of an answer: the writer's text, an announcement, our letter and text below
    it.
    """
    body = f"{MARKER}\n\n{LETTER}" if marker else LETTER
    if head in QUOTING:
        body = "\n".join(f"> {line}".rstrip() for line in body.split("\n"))
    announcement = QUOTING[head] if head in QUOTING else BARE[head]
    above = f"{text}\n" + ("\n" if gap else "")
    return f"{above if text else ''}{announcement}\n{body}" + (
        f"\n\n{bottom}\n" if bottom else "\n"
    )


def rewrapped(head: str) -> Iterator[str]:
    """Yield an announcement of one or two lines wrapped at each blank where a program may wrap it,
    and at the address.
    """
    lines = [line.strip() for line in (QUOTING | BARE)[head].split("\n") if line.strip()]
    one = " ".join(lines).replace("< ", "<")
    if len(lines) > 2 or one.startswith(">"):
        return
    yield from (
        f"{one[:at]}\n{one[at + 1 :]}"
        for at, letter in enumerate(one)
        if letter == " " and 38 <= at <= 78
    )
    yield from (
        one.replace("<orders", broken, 1)
        for broken in ("<\norders", "\n<orders")
        if "<orders" in one
    )
