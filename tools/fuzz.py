"""Damages letters of the corpus in seeded ways and parses them: the result must be a text or a
refusal.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.mail.reading import sandbox
from adjudicator.mail.reading.letter_text import BROKE, LetterText, Unreadable
from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.service.views import game_info

LETTERS = Path(__file__).resolve().parent.parent / "tests" / "mail" / "letters"
MOST_MEMORY = 256 * 1024  # kB
LARGEST = 200_000  # bytes of a damaged letter
_PIECES = (
    b"\r\n",
    b"\n",
    b"\r",
    b"\0",
    b"\t ",
    b"--",
    b"\r\n--",
    b"\r\n\r\n",
    b">",
    b"> ",
    b"=?utf-8?q?",
    b"?=",
    b"=?utf-8?b?",
    b"=",
    b"=\r\n",
    b"<",
    b"</",
    b"<!--",
    b"<blockquote>",
    b"<div>",
    b"<table><tr><td>",
    b"&#x110000;",
    b"&",
    b"(",
    b")",
    b'"',
    b"\\",
    b";",
    b"*0*=",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xf0\x9f",
    b"\x1b$B",
    b"+AAA",
    b"-- ",
    b"-- Answer above this line --",
    b"On ",
    b" wrote:",
    b"From: ",
    b"Sent: ",
    b"Content-Type: multipart/mixed; boundary=b\r\n\r\n",
    b"Content-Type: message/delivery-status\r\n\r\n",
    b"Content-Type: text/html\r\n",
    b"Content-Transfer-Encoding: base64\r\n",
    b"charset=utf-16",
    b"charset=utf-7",
    b"format=flowed",
    b"-----BEGIN PGP SIGNED MESSAGE-----",
    b"\xcc\x81" * 50,
    b"\xe2\x80\xae",
    b"\xed\xa0\x80",
    b"<s>",
    b"<style>p{color:#fff}</style>",
    b" style='font-size:0;text-decoration:line-through'",
    b"<hr>",
    b"~~",
    b"B\xcc\xb6",
    b"&nbsp;",
    b"Content-Type: text/calendar; method=REPLY\r\n",
    b"\xf4\x8f\xbf\xb0",
)


@dataclass
class Figures:
    """The results of a run."""

    read: int = 0
    unreadable: int = 0
    crashed: list[int] = field(default_factory=list)  # seeds of letters whose child process crashed
    stood_still: list[int] = field(default_factory=list)
    # seeds of texts that exceed the limits of LetterText
    unbounded: list[int] = field(default_factory=list)
    memory: int = 0  # the maximum in kB
    slowest: float = 0.0
    seconds: float = 0.0

    @property
    def sound(self) -> bool:
        """Whether nothing failed."""
        return (
            not (self.crashed or self.stood_still or self.unbounded) and self.memory < MOST_MEMORY
        )


def damage_letter(seed: int, corpus: Sequence[bytes]) -> bytes:
    """Return a letter of the corpus after one to eight random mutations; a seed always gives the
    same letter.
    """
    chance = random.Random(seed)  # noqa: S311  # must be repeatable
    letter = chance.choice(corpus)
    for _ in range(chance.randint(1, 8)):
        letter = chance.choice(_MISHAPS)(letter, chance, corpus)[:LARGEST]
    return letter


def _flip(letter: bytes, chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    changed = bytearray(letter)
    for _ in range(chance.randint(1, 20) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _cut(letter: bytes, chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    first, second = sorted(chance.randint(0, len(letter)) for _ in range(2))
    return letter[:first] if chance.random() < 0.4 else letter[:first] + letter[second:]


def _splice(letter: bytes, chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    other = chance.choice(corpus)
    return letter[: chance.randint(0, len(letter))] + other[chance.randint(0, len(other)) :]


def _insert(letter: bytes, chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    at = chance.randint(0, len(letter))
    return letter[:at] + chance.choice(_PIECES) * chance.choice((1, 1, 1, 2, 10, 300)) + letter[at:]


def _swap_heads(letter: bytes, chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    head, _, body = letter.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    lines.insert(
        chance.randint(0, len(lines)), chance.choice(lines) * chance.choice((1, 1, 3, 200))
    )
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _repeat(letter: bytes, chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    lines = letter.split(b"\r\n")
    at = chance.randrange(len(lines))
    return b"\r\n".join([*lines[:at], *[lines[at]] * chance.choice((2, 5, 50, 3000)), *lines[at:]])


def _hurt_boundary(letter: bytes, chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    at = letter.find(b"\r\n--", chance.randint(0, len(letter)))
    return (
        letter
        if at < 0
        else letter[: at + 4]
        + bytes([chance.randrange(256)])
        + letter[at + 4 + chance.randint(0, 6) :]
    )


def _wrap(letter: bytes, chance: random.Random, corpus: Sequence[bytes]) -> bytes:
    kind = chance.choice(
        (b"mixed", b"alternative", b"report; report-type=delivery-status", b"signed", b"digest")
    )
    return (
        b"From: bob@example.com\r\nContent-Type: multipart/"
        + kind
        + b"; boundary=w\r\n\r\n--w\r\n"
        + letter
        + b"\r\n--w--\r\n"
    )


_MISHAPS: tuple[Callable[[bytes, random.Random, Sequence[bytes]], bytes], ...] = (
    _flip,
    _cut,
    _splice,
    _insert,
    _insert,
    _swap_heads,
    _repeat,
    _hurt_boundary,
    _wrap,
)


def fuzz_seeds(seeds: range) -> Figures:
    """Parse the letters of these seeds with one reader."""
    corpus = [path.read_bytes() for path in sorted(LETTERS.glob("*.eml"))]
    figures, begun = Figures(), time.monotonic()
    with LetterReader(game_info.order_words()) as reader:
        for seed in seeds:
            before = time.monotonic()
            _read(reader, damage_letter(seed, corpus), seed, figures)
            figures.slowest = max(figures.slowest, time.monotonic() - before)
            figures.memory = max(figures.memory, _peak(reader))
    figures.seconds = time.monotonic() - begun
    return figures


def _read(reader: LetterReader, letter: bytes, seed: int, figures: Figures) -> None:
    try:
        said = reader.read(letter)
    except Unreadable as reason:
        figures.unreadable += 1
        figures.crashed += [seed] if str(reason) == BROKE else []
        figures.stood_still += [seed] if str(reason) == sandbox.TOO_LONG else []
        return
    figures.read += 1
    figures.unbounded += [] if _bounded(said) else [seed]


def _bounded(said: LetterText) -> bool:
    """Whether a parsed letter keeps the limits of LetterText."""
    texts = [
        *said.lines,
        *said.passed_over,
        said.sender,
        said.subject,
        said.message_id,
        *said.refers_to,
        said.automatic,
    ]
    texts += [*said.struck, *said.unseen]
    texts += [
        text
        for each in said.bounces
        for text in (each.address, each.status, each.said, each.message_id)
    ]
    counts = len(said.lines) <= 400 and all(
        len(each) <= 20 for each in (said.passed_over, said.refers_to, said.struck, said.unseen)
    )
    # empty lines occur only between paragraphs
    gaps = said.cut or (all(said.lines[:1]) and all(said.lines[-1:]))
    return (
        counts
        and all(len(text) <= 1000 and text.isprintable() for text in texts)
        and gaps
        and len(said.digest) == 64
    )


def _peak(reader: LetterReader) -> int:
    try:
        lines = Path(f"/proc/{reader.pid}/status").read_text().splitlines()
    except FileNotFoundError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmHWM:")), 0)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seeds", type=int, default=20_000, help="how many damaged letters are read"
    )
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    asked = parser.parse_args()
    found = fuzz_seeds(range(asked.first, asked.first + asked.seeds))
    letters = found.read + found.unreadable
    sys.stdout.write(
        f"{letters} letters in {found.seconds:.0f} s, {letters / max(found.seconds, 0.001):.0f} a"
        f" second\nread {found.read}, unreadable {found.unreadable}; slowest {found.slowest:.2f} s;"
        f" memory at most {found.memory // 1024} MB\ncrashed {found.crashed[:20]}, stood still"
        f" {found.stood_still[:20]}, beyond bounds {found.unbounded[:20]}\n"
    )
    return 0 if found.sound else 1


if __name__ == "__main__":
    sys.exit(main())
