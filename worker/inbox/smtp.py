"""SMTP (RFC 5321) and LMTP (RFC 2033) on aiosmtpd, with bounds on everything that a client may send
or hold.

This replaces unbounded parts of the library: its address parser, its reading of a letter, and its
command limits, which all connections share. Its log is off, since it contains addresses.
"""

import asyncio
import logging
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope

from adjudicator.platform import clock
from adjudicator.platform.net.clients import network_of, parse_address
from adjudicator.service.letters.receiving import LARGEST, Target

MOST_CONNECTIONS = 100
MOST_FROM_ONE = 20  # of them from one network; as many as Postfix opens to a server
MOST_RECIPIENTS = 100  # of one letter; the minimum of RFC 5321 4.5.3.1.8
MOST_ERRORS = 100  # of one connection
MOST_HELD = 16 * 1024 * 1024  # bytes of unstored letters over all connections
LONGEST_LINE = 1024  # of a command
IDLE_SECONDS = 300.0  # for a command, and for a whole letter; the minimum of RFC 5321 4.5.3.2.7
_OFTEN = 10_000
# limits for each connection
_COMMANDS = {"*": 100, "MAIL": _OFTEN, "RCPT": _OFTEN * 10, "DATA": _OFTEN, "RSET": _OFTEN}
_NOT_HERE = ("AUTH", "EXPN", "HELP", "STARTTLS", "VRFY")  # left to the host's mail server
_PATH = re.compile(
    r'\s*(?:<(?:@[^:<>]*:)?((?:"(?:[^"\\]|\\.)*"@)?[^<>"\s]*)>|([^<>"\s]+))(?:\s+(.*))?'
)
_BARE_REPLY = re.compile(rb"([245])(\d\d) (?!\d\.\d{1,3}\.)")  # without the code of RFC 3463
_CODES = {b"500": b"5.5.2", b"501": b"5.5.4", b"503": b"5.5.1", b"552": b"5.3.4", b"555": b"5.5.4"}

logging.getLogger("mail.log").setLevel(logging.CRITICAL + 1)


@dataclass
class Load:
    """The connections of one inbox, and what they hold together."""

    connections: "set[SmtpConnection]" = field(default_factory=set)
    networks: Counter[str] = field(default_factory=Counter)  # the same by network
    letters: int = 0  # in transfer
    held: int = 0  # bytes of these letters


def counted_network(peer: tuple[Any, ...] | None) -> str:
    """Return the public network that a connection comes from; "" of a private one, such as that of
    one's own mail server.
    """
    address = parse_address(str(peer[0])) if peer else None
    return network_of(address) if address is not None and address.is_global else ""


class Delivery(Envelope):
    """A letter in transfer."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[Target] = []  # one for each accepted recipient
        # monotonic time of the last byte; storing turns it into the database's time
        self.came_at = 0.0
        self.trouble = ""  # the reply if it is refused as a whole


class SmtpConnection(SMTP):
    """One SMTP connection. The handler has `handle_RCPT`, `handle_DATA` and `handle_exception`."""

    line_length_limit = 64 * 1024  # of the reader; lines of letters may be longer
    envelope: Delivery
    each_recipient = False  # whether a letter gets one reply for each recipient

    def __init__(
        self, handler: object, load: Load, *, host: str, idle: float = IDLE_SECONDS
    ) -> None:
        super().__init__(
            handler,
            data_size_limit=LARGEST,
            enable_SMTPUTF8=True,
            hostname=host,
            ident="Sealed Orders",
            timeout=idle,
            command_call_limit=_COMMANDS,
            loop=asyncio.get_running_loop(),
        )
        self.command_size_limit = LONGEST_LINE
        self.command_size_limits = defaultdict(lambda: LONGEST_LINE)
        self._load, self._errors = load, 0
        for verb in _NOT_HERE:
            self._smtp_methods.pop(verb, None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection; one too many in all, or from one network, gets 421 instead of a
        greeting.
        """
        self._load.connections.add(self)
        self._network = counted_network(transport.get_extra_info("peername"))
        self._load.networks[self._network] += 1
        of_one = self._load.networks[self._network] if self._network else 0
        self._crowded = len(self._load.connections) > MOST_CONNECTIONS or of_one > MOST_FROM_ONE
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Remove the connection from the count."""
        self._load.connections.discard(self)
        self._load.networks[self._network] -= 1
        if not self._load.networks[self._network]:
            del self._load.networks[self._network]
        super().connection_lost(error)

    async def _handle_client(self) -> None:
        if self._crowded:
            await self.push("421 4.3.2 Too many connections just now; try again in a moment")
            return
        await super()._handle_client()

    def _create_envelope(self) -> Delivery:
        return Delivery()

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Return an address, `<>` if empty, and what follows it. The library's parser never ends on
        nested addresses.
        """
        found = _PATH.fullmatch(arg)
        if found is None:
            return None, None
        return found[1] or found[2] or "<>", found[3] or ""

    async def push(self, status: Any) -> None:
        """Send a reply, after EHLO with an enhanced code (RFC 3463). Too many errors become 421,
        after which the connection is closed.
        """
        line: bytes = status.encode() if isinstance(status, str) else status
        self._errors += line.startswith(b"5")
        if self._errors > MOST_ERRORS:
            line = b"421 4.7.0 Too many errors in one connection"
        if self.session is not None and self.session.extended_smtp:
            line = _BARE_REPLY.sub(_with_code, line, count=1) if _BARE_REPLY.match(line) else line
        await super().push(line)
        if line.startswith(b"421") and self.transport is not None:
            self.transport.close()

    # --- commands

    async def smtp_EHLO(self, hostname: str) -> None:  # noqa: N802 aiosmtpd's name
        """Greet with the list of extensions."""
        if not hostname or self.session is None:
            await self.push("501 5.5.4 Say who you are: EHLO your.host.name")
            return
        self.envelope = Delivery()
        self.session.extended_smtp, self.session.host_name = True, hostname
        offers = (f"SIZE {LARGEST}", "8BITMIME", "SMTPUTF8", "PIPELINING")
        await super().push(
            "\r\n".join(
                [
                    f"250-{self.hostname}",
                    *(f"250-{each}" for each in offers),
                    "250 ENHANCEDSTATUSCODES",
                ]
            )
        )

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802 aiosmtpd's name
        """Receive a letter, and reply when the handler has stored or refused it."""
        if await self.check_helo_needed():
            return
        if arg or not self.envelope.targets:
            await self.push(
                "501 5.5.4 DATA stands alone" if arg else "503 5.5.1 Name a recipient first"
            )
            return
        await self.push("354 End the letter with a dot on a line of its own")
        delivery, content, held = self.envelope, bytearray(), 0
        self._load.letters += 1
        try:
            delivery.trouble = await self._read(content)
            delivery.came_at = clock.monotonic()
            delivery.content, held = bytes(content), len(content)
            content.clear()  # free the second copy
            replies = await self._call_handler_hook("DATA")
        finally:
            self._load.letters -= 1
            self._load.held -= held or len(content)
        self.envelope = Delivery()
        await self.push(replies)

    async def _read(self, content: bytearray) -> str:
        """Read a letter without the dots that RFC 5321 4.5.2 adds; returns the reply if it is too
        large, else "".
        """
        size, at_start, trouble = 0, True, ""
        while True:
            try:
                line = await self._reader.readuntil(b"\r\n")
            except asyncio.LimitOverrunError as long:
                line = await self._reader.readexactly(long.consumed)
            if at_start and line == b".\r\n":
                return trouble
            line = line[1:] if at_start and line.startswith(b".") else line
            at_start, size = line.endswith(b"\r\n"), size + len(line)
            trouble = trouble or self._too_much(size)
            if trouble:  # keep nothing of it
                self._load.held -= len(content)
                content.clear()
            else:
                self._load.held += len(line)
                content += line

    def _too_much(self, size: int) -> str:
        if size > LARGEST:
            return f"552 5.3.4 The letter is larger than {LARGEST} bytes"
        if self._load.held > MOST_HELD:
            return "452 4.3.1 Many letters are coming in at once; try again in a moment"
        return ""


class LmtpConnection(SmtpConnection):
    """One LMTP connection: a letter gets one reply for each recipient."""

    each_recipient = True

    async def smtp_LHLO(self, hostname: str) -> None:  # noqa: N802 aiosmtpd's name
        """Greet with the list of extensions."""
        await super().smtp_EHLO(hostname)

    async def smtp_EHLO(self, hostname: str) -> None:  # noqa: N802 aiosmtpd's name
        """Refuse the greeting of SMTP (RFC 2033 4.1)."""
        await self.push("500 5.5.1 This is LMTP: greet with LHLO")

    smtp_HELO = smtp_EHLO  # noqa: N815 aiosmtpd's name


def _with_code(found: "re.Match[bytes]") -> bytes:
    return found[0] + _CODES.get(found[1] + found[2], found[1] + b".0.0") + b" "
