"""Helpers of the reader's tests: the letters of the corpus, and the memory of the child."""

import json
from pathlib import Path
from typing import Any

from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.service.views import game_info

ORDER_WORDS = game_info.order_words()
LETTERS = Path(__file__).parent / "letters"
MOST_MEMORY = 256 * 1024  # kB


def expected() -> dict[str, dict[str, Any]]:
    """Return what a person reads in each letter of the corpus: the fields of LetterText that are
    not empty, or `unreadable`.
    """
    return json.loads((LETTERS / "expected.json").read_text("utf-8"))  # type: ignore[no-any-return]


def raw(name: str) -> bytes:
    """Return the bytes of a letter of the corpus."""
    return (LETTERS / f"{name}.eml").read_bytes()


def reply(text: str, *, head: str = "From: Bob Miller <bob@example.com>\n") -> bytes:
    """Return a plain letter with this text."""
    return f"{head}Content-Type: text/plain; charset=utf-8\n\n{text}".encode()


def both(plain: str, html: str, *, head: str = "From: Bob Miller <bob@example.com>\n") -> bytes:
    """Return a letter with this text as plain text and as HTML; only as HTML where `plain` is
    "".
    """
    kind = "Content-Type: text/html; charset=utf-8\n\n"
    if not plain:
        return f"{head}{kind}{html}".encode()
    parts = f"--b\nContent-Type: text/plain; charset=utf-8\n\n{plain}\n--b\n{kind}{html}\n--b--\n"
    return f"{head}Content-Type: multipart/alternative; boundary=b\n\n{parts}".encode()


def peak_memory(reader: LetterReader) -> int:
    """Return the peak memory of the reader's child in kB, 0 without a child."""
    try:
        status = Path(f"/proc/{reader.pid}/status").read_text()
    except FileNotFoundError:
        return 0
    return next(
        (int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0
    )
