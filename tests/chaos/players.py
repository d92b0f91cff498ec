"""The players: a process in which each submits orders every round, over HTTP or SMTP, and records
the answers.

`python -m tests.chaos.players PLAN BOOK`. The line `hurry` on standard input makes them finish
without pauses; the process ends when standard input closes.
"""

import json
import random
import sys
import threading
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from adjudicator.platform import clock
from tests.chaos.browser import Browser, Look, NoAnswer
from tests.chaos.ledger import Fate, Handed, Posted, to_json
from tests.chaos.postman import NotTaken, hand_over

Habit = Literal["plain", "changes", "waits", "late"]
AGAIN = 1.0  # seconds before a retry if there was no answer
QUICK = 1.5  # seconds between looks in a hurry
PATIENT = 10.0  # seconds after which a hurrying player submits for the same phase again
AROUND = 0.4  # seconds before and after a deadline in which late players submit


@dataclass(frozen=True)
class PlayerSeat:
    """A player's seat and way of playing."""

    match: str
    seat: str
    token: str  # of its browser's session
    own: str  # the player's address
    address: str  # the seat's address for letters
    channel: Literal["form", "letter"]
    habit: Habit
    first: float  # seconds from the start to its first turn
    pace: float  # seconds between turns


class Signals:
    """Shared signals to all players."""

    def __init__(self) -> None:
        self.hurry, self.stop = threading.Event(), threading.Event()

    def pause(self, seconds: float) -> None:
        """Wait for `seconds`, or until the run is stopped."""
        self.stop.wait(max(seconds, 0))

    def until(self, moment: float) -> None:
        """Wait for a time of the monotonic clock, or until players are to hurry."""
        while (
            not (self.stop.is_set() or self.hurry.is_set())
            and (left := moment - time.monotonic()) > 0
        ):
            self.hurry.wait(min(left, 0.5))


class LedgerFile:
    """The players' ledger."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file.open("a"), threading.Lock()

    def write(self, entry: Handed | Posted) -> None:
        """Append an answer."""
        with self._lock:
            self._file.write(to_json(entry))
            self._file.flush()


class Player:
    """A player, in its own thread."""

    def __init__(
        self, seat: PlayerSeat, plan: dict[str, Any], book: LedgerFile, signals: Signals
    ) -> None:
        self._seat, self._book, self._signals = seat, book, signals
        self._browser = Browser(plan["web"], seat.token)
        self._inbox: int = plan["inbox"]
        self._dice = random.Random(f"{seat.match} {seat.seat}")
        self._next = time.monotonic() + seat.first
        self._last = (0, 0.0)  # the last phase it submitted for, and when

    def run(self) -> None:
        """Play until the match is over."""
        while not self._signals.stop.is_set():
            self._signals.until(self._next)
            begun = time.monotonic()
            look = self._look()
            if look is None or look.over:
                return
            if look.phase is not None and look.choices and not self._waits(look.phase):
                self._turn(look)
                self._last = (look.phase, time.monotonic())
            hurries = self._signals.hurry.is_set()
            self._next = (
                max(self._next + self._seat.pace, time.monotonic())
                if not hurries
                else begun + QUICK
            )
            if hurries:
                self._signals.pause(self._next - time.monotonic())

    def _waits(self, phase: int) -> bool:
        """Whether the player waits for others, so that submitting again would gain nothing."""
        return (
            self._signals.hurry.is_set()
            and self._last[0] == phase
            and time.monotonic() < self._last[1] + PATIENT
        )

    def _look(self) -> Look | None:
        while not self._signals.stop.is_set():
            try:
                return self._browser.look(self._seat.match)
            except NoAnswer:
                self._signals.pause(AGAIN)
        return None

    def _turn(self, look: Look) -> None:
        piece, habit = (
            self._dice.choice(look.choices),
            ("plain" if self._signals.hurry.is_set() else self._seat.habit),
        )
        if self._seat.channel == "letter":
            self._post(piece)
            return
        if habit in ("changes", "late"):
            self._hand_in(look, self._dice.choice(look.choices), "wait")
            at = (
                look.deadline + self._dice.uniform(-AROUND, AROUND)
                if habit == "late" and look.deadline
                else clock.now().timestamp() + 2
            )
            self._signals.until(time.monotonic() + at - clock.now().timestamp())
            self._hand_in(look, piece, "", again=habit == "changes")
            return
        self._hand_in(look, piece, "wait" if habit == "waits" else "")

    def _hand_in(self, look: Look, piece: str, says: str, *, again: bool = True) -> None:
        """Submit by form; retry if no answer came and the page shows that the orders are still
        wanted.
        """
        while look.phase is not None and not self._signals.stop.is_set():
            begun = clock.now().timestamp()
            try:
                answer = self._browser.hand_in(self._seat.match, look.phase, piece, says)
            except NoAnswer:
                self._note(look.phase, piece, begun, "unanswered")
            else:
                self._note(
                    answer.phase or look.phase,
                    piece,
                    begun,
                    answer.fate,
                    answer.seq,
                    answer.seal,
                    answer.reason,
                )
                return
            self._signals.pause(AGAIN)
            seen = self._look()
            if not again or seen is None or seen.phase != look.phase:
                return

    def _note(
        self,
        phase: int,
        piece: str,
        begun: float,
        fate: Fate,
        seq: int = 0,
        seal: str = "",
        reason: str = "",
    ) -> None:
        now = clock.now().timestamp()
        self._book.write(
            Handed(
                self._seat.match, self._seat.seat, phase, piece, begun, now, fate, seq, seal, reason
            )
        )

    def _post(self, piece: str) -> None:
        """Deliver a letter, retrying as a mail server does until the inbox accepts it."""
        message_id, tries = f"<{uuid.uuid4().hex}@home.example.org>", 0
        while not self._signals.stop.is_set():
            begun, tries = clock.now().timestamp(), tries + 1
            try:
                hand_over(self._inbox, self._seat.own, self._seat.address, message_id, piece)
            except NotTaken:
                self._signals.pause(AGAIN)
                continue
            now = clock.now().timestamp()
            self._book.write(
                Posted(message_id, self._seat.match, self._seat.seat, piece, begun, now, tries)
            )
            return


def main(plan: dict[str, Any], book: Path) -> None:
    """Run all players."""
    signals, ledger = Signals(), LedgerFile(book)
    players = [Player(PlayerSeat(**each), plan, ledger, signals) for each in plan["seats"]]
    threads = [threading.Thread(target=player.run, daemon=True) for player in players]
    for thread in threads:
        thread.start()
    for words in sys.stdin:
        if words.strip() == "hurry":
            signals.hurry.set()
    signals.stop.set()
    for thread in threads:
        thread.join(25)


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]))
