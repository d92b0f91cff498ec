"""What tests of the reader share: the letters of the corpus, and a look at the reader's child."""

import json
from pathlib import Path
from typing import Any

from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.service.views import game_info

ORDER_WORDS = game_info.order_words()
LETTERS = Path(__file__).parent / "letters"
MOST_MEMORY = 256 * 1024  # kB


def expected() -> dict[str, dict[str, Any]]:
    """Return, for each letter of the corpus, what a person reads in it; of Said only what is not empty, or `unreadable`."""
    return json.loads((LETTERS / "expected.json").read_text("utf-8"))  # type: ignore[no-any-return]


def raw(name: str) -> bytes:
    """Return the bytes of a letter of the corpus."""
    return (LETTERS / f"{name}.eml").read_bytes()


def reply(text: str, *, head: str = "From: Bob Miller <bob@example.com>\n") -> bytes:
    """Return a plain letter that says this."""
    return f"{head}Content-Type: text/plain; charset=utf-8\n\n{text}".encode()


def peak_memory(reader: LetterReader) -> int:
    """Return the most memory the reader's child has held, in kB, 0 where there is no child."""
    try:
        status = Path(f"/proc/{reader.pid}/status").read_text()
    except FileNotFoundError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)
