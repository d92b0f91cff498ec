"""The mail server that letters go out to: a process of its own that keeps a book, and fails when it is told to.

`python -m tests.chaos.sink PORT BOOK`; each line on its standard input is a mood and for how many letters or connections it
lasts: `busy 3`; `well` for good. A mood that was felt is told on standard error. It ends when standard input closes.
"""

import asyncio
import sys
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session

from adjudicator.platform import clock
from tests.chaos.ledger import Kept, line

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
SILENCE = 40.0  # seconds; longer than anybody waits
HOST = "127.0.0.1"


class Sink:
    """How it is in the mood to answer, and its book."""

    def __init__(self, book: Path) -> None:
        self._book = book.open("a")
        self._mood, self._left = "well", 0
        self.lines: set[asyncio.BaseTransport] = set()

    def tell(self, words: str) -> None:
        """Take a mood on, such as `busy 5`; raises ValueError where none is called so."""
        mood, _, often = words.partition(" ")
        if mood not in MOODS:
            raise ValueError(f"no mood is called {mood}")
        self._mood, self._left = mood, int(often or 1_000_000)
        if mood == "greeting":  # who is here was greeted already
            for transport in list(self.lines):
                transport.close()

    def in_mood(self, *moods: str) -> str:
        """Return the mood where it is one of these, used once more; "" otherwise."""
        if self._mood not in moods or self._left <= 0:
            return ""
        self._left -= 1
        sys.stderr.write(f"{self._mood}\n")
        return self._mood

    def write(self, message_id: str, to: str, answer: Any) -> None:
        """Note a letter."""
        self._book.write(line(Kept(clock.now().timestamp(), message_id, to, answer)))
        self._book.flush()

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        """Take a recipient, or not."""
        if self.in_mood("unknown"):
            self.write("", address, "refused")
            return "550 5.1.1 No such address here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Take a letter, or not."""
        mood, to = self.in_mood("busy", "closing", "silent-before", "silent-after", "cut-before", "cut-after", "slow"), envelope.rcpt_tos[0]
        uid = _uid(envelope.content)
        if mood in ("busy", "closing"):
            return "451 4.3.0 Try again later" if mood == "busy" else "421 4.3.2 Going down"
        if mood.endswith("after"):
            self.write(uid, to, mood.removesuffix("-after"))
        if mood.startswith("silent"):
            await asyncio.sleep(SILENCE)
        if mood.startswith(("silent", "cut")):
            assert server.transport is not None
            server.transport.close()
            return "250 nobody hears this"
        await asyncio.sleep(1.0 if mood == "slow" else 0)
        self.write(uid, to, "taken")
        return "250 OK"


def _uid(content: Any) -> str:
    """Return what a letter's Message-ID names."""
    named = BytesHeaderParser().parsebytes(content)["Message-ID"] or ""
    return str(named).strip("<> ").partition("@")[0]


class Greeter(SMTP):
    """A connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it."""
        self.event_handler.lines.add(transport)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Count it off."""
        self.event_handler.lines.discard(self.transport)
        super().connection_lost(error)

    async def _handle_client(self) -> None:
        if self.event_handler.in_mood("greeting"):
            await self.push("421 4.3.2 Come back later")
            assert self.transport is not None
            self.transport.close()
            return
        await super()._handle_client()


async def _serve(port: int, book: Path) -> None:
    sink, loop = Sink(book), asyncio.get_running_loop()
    server = await loop.create_server(lambda: Greeter(sink, hostname="sink.example.org", loop=loop), HOST, port)
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while words := (await orders.readline()).decode().strip():
        sink.tell(words)
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), Path(sys.argv[2])))
