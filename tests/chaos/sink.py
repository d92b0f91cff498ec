"""The mail server for outgoing letters: a process that keeps a ledger, and fails on command.

`python -m tests.chaos.sink PORT BOOK`; each line on standard input is a failure mode and for how
many letters or connections it lasts: `busy 3`; `well` ends it. Used modes are reported on standard
error. The process ends when standard input closes.
"""

import sys
import threading
import time
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from adjudicator.platform import clock
from tests.chaos.ledger import Kept, to_json
from tests.mail_sink import BREAK, SILENCE, MailSink, Transaction

MOODS = {
    "well": "it takes letters",
    "greeting": "421 as its greeting",
    "busy": "451 to a letter",
    "closing": "421 to a letter, and it hangs up",
    "unknown": "550 to a recipient",
    "silent-before": "it says nothing to a letter, and does not keep it",
    "silent-after": "it keeps a letter and says nothing",
    "cut-before": "it hangs up at the end of a letter, and does not keep it",
    "cut-after": "it keeps a letter and hangs up",
    "slow": "it takes a second for each letter",
}


class MoodySink(MailSink):
    """Answers by the current failure mode, and writes its ledger."""

    quiet_seconds = 40.0  # longer than any client waits

    def __init__(self, port: int, book: Path) -> None:
        super().__init__(port=port)
        self._book = book.open("a")
        self._mood, self._left = "well", 0
        self._lock = threading.Lock()

    def tell(self, words: str) -> None:
        """Set a failure mode such as `busy 5`. Raises ValueError for an unknown one."""
        mood, _, often = words.partition(" ")
        if mood not in MOODS:
            raise ValueError(f"no mood is called {mood}")
        with self._lock:
            self._mood, self._left = mood, int(often or 1_000_000)
        if mood == "greeting":  # open connections had their greeting already
            self.hang_up()

    def in_mood(self, *moods: str) -> str:
        """Return the current mode, and use it once, if it is one of these; else ""."""
        with self._lock:
            if self._mood not in moods or self._left <= 0:
                return ""
            self._left -= 1
            sys.stderr.write(f"{self._mood}\n")
            sys.stderr.flush()
            return self._mood

    def write(self, message_id: str, to: str, answer: Any) -> None:
        """Record a letter."""
        with self._lock:
            self._book.write(to_json(Kept(clock.now().timestamp(), message_id, to, answer)))
            self._book.flush()

    def answer(self, step: str, letter: Transaction) -> str:
        """Answer a step by the current mode."""
        if step == "greeting" and self.in_mood("greeting"):
            return "421 4.3.2 Come back later"
        if step == "RCPT" and self.in_mood("unknown"):
            self.write("", letter.recipients[-1], "refused")
            return "550 5.1.1 No such address here"
        return self._at_the_end(letter) if step == "dot" else super().answer(step, letter)

    def _at_the_end(self, letter: Transaction) -> str:
        """Accept or refuse a letter at its end."""
        mood, to = (
            self.in_mood(
                "busy",
                "closing",
                "silent-before",
                "silent-after",
                "cut-before",
                "cut-after",
                "slow",
            ),
            letter.recipients[0],
        )
        uid = _uid(letter.content)
        if mood in ("busy", "closing"):
            return "451 4.3.0 Try again later" if mood == "busy" else "421 4.3.2 Going down"
        if mood.endswith("after"):
            self.write(uid, to, mood.removesuffix("-after"))
        if mood.startswith(("silent", "cut")):
            return SILENCE if mood.startswith("silent") else BREAK
        time.sleep(1.0 if mood == "slow" else 0)
        self.write(uid, to, "taken")
        return "250 OK"

    def keep(self, letter: Transaction, answer: str) -> None:
        """Keep only the ledger."""


def _uid(content: bytes) -> str:
    """Return the uid in a letter's Message-ID."""
    named = BytesHeaderParser().parsebytes(content)["Message-ID"] or ""
    return str(named).strip("<> ").partition("@")[0]


if __name__ == "__main__":
    with MoodySink(int(sys.argv[1]), Path(sys.argv[2])) as sink:
        for words in sys.stdin:
            sink.tell(words.strip())
