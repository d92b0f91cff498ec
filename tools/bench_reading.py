"""Figures of the reading of letters: how many a second through the real child process, by their kind. Prints; asserts nothing."""

import sys
import time
from pathlib import Path

from adjudicator.mail.reading.limited import Reader

LETTERS = Path(__file__).resolve().parent.parent / "tests" / "mail" / "letters"
KINDS = {  # as it is told: a letter of the corpus
    "a typical reply, text and HTML, with its quote": "gmail-web-top",
    "an answer below a quote": "thunderbird-bottom",
    "HTML only, with its quote": "outlook-365-html",
    "a bounce": "bounce-postfix",
    "a bounce in no standard form": "bounce-qmail",
}
COUNT = 1000


def main() -> None:
    """Read each kind a thousand times; the starts of new children, one every 200 letters, are counted in."""
    with Reader() as reader:
        for told, name in KINDS.items():
            raw = (LETTERS / f"{name}.eml").read_bytes()
            begin = time.perf_counter()
            for _ in range(COUNT):
                reader.read(raw)
            sys.stdout.write(f"{told}: {COUNT / (time.perf_counter() - begin):.0f} letters/s ({len(raw)} bytes)\n")
        begin = time.perf_counter()
        reader.close()
        reader.read(b"B3\n")
        sys.stdout.write(f"a new child, its first letter read: {(time.perf_counter() - begin) * 1000:.0f} ms\n")


if __name__ == "__main__":
    main()
