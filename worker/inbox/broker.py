"""What those who take letters in tell the broker; imported with the first letter, since the
broker's client is large.
"""

from adjudicator.platform import heartbeat, wakeups
from adjudicator.platform.db_clock import DatabaseClock
from adjudicator.platform.queues import Wakeups


class LetterNews:
    """Tells the broker that letters wait to be read, and a clock that is wrong. It raises
    nothing.
    """

    def __init__(self, url: str, role: str) -> None:
        self._sender = Wakeups(url)
        self._client = heartbeat.open_client(url)
        self._note = heartbeat.ClockNote(role)

    def tell(self, clock: DatabaseClock, *, letters: bool = True) -> None:
        """Tell of a wrong clock, and wake the workers if there are new letters."""
        self._note.tell(self._client, clock)
        if letters:
            self._sender.send(wakeups.READ_LETTERS)
