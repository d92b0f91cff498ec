"""Sends letters to the mail server over a persistent connection, and distinguishes permanent from
temporary refusals.
"""

import contextlib
import re
import smtplib
import socket
import ssl
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from adjudicator.platform import clock
from adjudicator.platform.config import THIS_MACHINE

TIMEOUT = 30.0  # seconds for a reply of the server
LONGEST = 60.0  # seconds in total for one letter; much less than its lease
IDLE = 10.0  # seconds without a letter after which the connection is closed
MOST_LETTERS = 200  # over one connection
_PORTS = {"smtp": 25, "smtps": 465}
_GO_ON, _CLOSING = 354, 421
_TAKEN = (250, 251)
_POLICY = re.compile(r"^5\d\d[ -]5\.7\.\d|relay", re.IGNORECASE)  # refuses us, not the address


class NotSent(Exception):
    """A letter was probably not sent; the message says why.

    `for_good`: a retry would not help. `unknown`: the address does not exist or accepts no letters.
    """

    def __init__(self, trouble: str, *, for_good: bool = False, unknown: bool = False) -> None:
        super().__init__(trouble)
        self.for_good, self.unknown = for_good, unknown


class _Gone(NotSent):
    """The connection ended before the content of the letter was sent."""


class MailServer:
    """The server at `smtp[s]://user:password@host:port`; connects when a letter needs it. Not
    shared between processes.
    """

    def __init__(self, url: str) -> None:
        self._where = urlsplit(url)
        self._open: smtplib.SMTP | None = None
        self._letters, self._used, self._until, self._begun = 0, 0.0, 0.0, False

    def hand_over(self, letter: bytes, *, sender: str, recipient: str, instead: str = "") -> None:
        """Send exactly these bytes from and to these envelope addresses. Whether they were taken is
        for `await_answer` to tell, before anything else is sent.

        The sender "" is the null sender (`<>`); `instead` is used where the server refuses that.

        Raises NotSent, for good only where the server refuses this recipient or this letter with a
        5xx: a refusal of us (in the greeting, the password or the sender) is a fault that the host
        will mend. A persistent connection that turns out to be closed is opened again, but never
        after the content was begun: only the reply may have been lost. The content is not begun
        after LONGEST: another process may be sending the letter by then.
        """
        self._until = clock.monotonic() + LONGEST
        kept = self._is_kept()
        try:
            self._offer(len(letter), (sender, instead), recipient)
        except _Gone:
            if not kept:
                raise
            self._offer(len(letter), (sender, instead), recipient)
        self._write(letter)

    def await_answer(self) -> None:
        """Wait until the server has taken the letter that was handed over last. Raises NotSent, as
        `hand_over` does.
        """
        server = self._open
        assert server is not None  # noqa: S101 a letter was just handed over to it
        try:
            _limit(server, self._left())
            code, text = server.getreply()
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise NotSent(f"the mail server broke off: {_what(error)}") from error
        if code == _CLOSING:
            self._drop()
        if code not in _TAKEN:
            raise NotSent(
                f"the mail server refused the letter: {_said(code, text)}", for_good=_final(code)
            )
        self._begun = False
        self._letters += 1

    def rest(self) -> None:
        """Close the connection after IDLE seconds without a letter."""
        if self._open is not None and clock.monotonic() - self._used > IDLE:
            self.close()

    def close(self) -> None:
        """Close the connection, with QUIT if the server still replies."""
        server, self._open = self._open, None
        if server is None:
            return
        with contextlib.suppress(OSError, smtplib.SMTPException):
            _limit(server, 2.0)
            server.quit()
        server.close()

    # --- one letter

    def _is_kept(self) -> bool:
        if self._letters >= MOST_LETTERS:
            self.close()
        self.rest()
        return self._open is not None

    def _offer(self, size: int, senders: tuple[str, str], recipient: str) -> None:
        """Take the envelope to the point where the server asks for the content (354)."""
        server = self._connected()
        if self._begun:
            self._ask(server, "RSET")
        self._begun = True
        size_told = f" SIZE={size}" if server.has_extn("size") else ""
        sender, instead = senders
        if server.has_extn("pipelining"):
            mail, rcpt, data = self._ask_at_once(
                server, f"MAIL FROM:<{sender}>{size_told}", f"RCPT TO:<{recipient}>", "DATA"
            )
            if data.code == _GO_ON and not (mail.code == _TAKEN[0] and rcpt.code in _TAKEN):
                self._drop()  # it asks for the content all the same, and gets none
            if sender or not instead or not _final(mail.code):
                return _require(mail, rcpt, data)
            server = self._connected()
            if self._begun:
                self._ask(server, "RSET")
            self._begun = True
        mail = self._ask(server, f"MAIL FROM:<{sender}>{size_told}")
        # a relay may accept letters of its own customers only
        if _final(mail.code) and not sender and instead:
            mail = self._ask(server, f"MAIL FROM:<{instead}>{size_told}")
        _require(mail)
        _require(mail, rcpt := self._ask(server, f"RCPT TO:<{recipient}>"))
        return _require(mail, rcpt, self._ask(server, "DATA"))

    def _write(self, letter: bytes) -> None:
        server = self._open
        assert server is not None  # noqa: S101 it was just offered the letter
        if clock.monotonic() > self._until:
            self._drop()
            raise NotSent("it took too long until the mail server wanted the letter")
        dotted = (b"\n" + letter).replace(b"\n.", b"\n..")[1:]
        try:
            _limit(server, self._left())
            server.send(dotted + (b".\r\n" if dotted.endswith(b"\r\n") else b"\r\n.\r\n"))
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise NotSent(f"the mail server broke off: {_what(error)}") from error

    def _ask(self, server: smtplib.SMTP, command: str) -> "_Reply":
        (reply,) = self._ask_at_once(server, command)
        return reply

    def _ask_at_once(self, server: smtplib.SMTP, *commands: str) -> "list[_Reply]":
        """Send commands without waiting between them (RFC 2920); return their replies in order."""
        if any("\r" in command or "\n" in command for command in commands):
            raise ValueError("a command of SMTP has a line break")
        replies = []
        try:
            _limit(server, min(TIMEOUT, self._left()))
            server.send("".join(f"{command}\r\n" for command in commands))
            for _ in commands:
                _limit(server, min(TIMEOUT, self._left()))
                code, text = server.getreply()
                replies.append(_Reply(code, _said(code, text)))
                if code == _CLOSING:
                    break
        except (OSError, smtplib.SMTPException) as error:
            self._drop()
            raise _Gone(f"the mail server broke off: {_what(error)}") from error
        self._used = clock.monotonic()
        if replies[-1].code == _CLOSING:
            self._drop()
            raise _Gone(f"the mail server takes no letters now: {replies[-1].said}")
        return replies

    def _left(self) -> float:
        return max(self._until - clock.monotonic(), 0.01)

    def _drop(self) -> None:
        server, self._open = self._open, None
        if server is not None:
            server.close()

    # --- the connection

    def _connected(self) -> smtplib.SMTP:
        if self._open is None:
            try:
                self._open = connect(self._where, seconds=min(TIMEOUT, self._left()))
            except smtplib.SMTPResponseException as answer:
                raise NotSent(
                    f"the mail server refused us: {_said(answer.smtp_code, answer.smtp_error)}"
                ) from answer
            except (OSError, smtplib.SMTPException) as error:
                raise NotSent(f"the mail server cannot be reached: {_what(error)}") from error
            self._letters, self._begun = 0, False
        return self._open


def connect(where: SplitResult, *, seconds: float = TIMEOUT, trusted: bool = False) -> smtplib.SMTP:
    """Return a connection to the server at `smtp[s]://user:password@host:port`, encrypted if it can
    be, and signed in.

    `trusted` refuses a certificate that nobody vouches for also where no password is sent. Raises
    OSError, SMTPException.
    """
    host, port = where.hostname or "localhost", where.port or _PORTS[where.scheme]
    if where.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            host, port, timeout=seconds, context=ssl.create_default_context()
        )
    else:
        server = smtplib.SMTP(host, port, timeout=seconds)
    if server.sock is not None:
        # each group of commands goes out at once
        server.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        _prepare(server, where, trusted=trusted or bool(where.username))
    except UnicodeError:
        server.close()
        raise smtplib.SMTPException(
            "the user or the password in SMTP_URL has letters beyond ASCII, which cannot be sent"
        ) from None
    except BaseException:
        server.close()
        raise
    return server


def _prepare(server: smtplib.SMTP, where: SplitResult, *, trusted: bool) -> None:
    """Start TLS where the server offers it, and log in; a password is never sent in the clear to
    another machine.
    """
    server.ehlo_or_helo_if_needed()
    encrypted = where.scheme == "smtps"
    if not encrypted and server.has_extn("starttls"):
        server.starttls(context=_context(strict=trusted))
        server.ehlo()
        encrypted = True
    if where.username:
        if not encrypted and where.hostname not in THIS_MACHINE:
            raise smtplib.SMTPNotSupportedError(
                "it offers no encryption, so the password was not sent"
            )
        server.login(unquote(where.username), unquote(where.password or ""))


def _context(*, strict: bool) -> ssl.SSLContext:
    """Return the TLS context. Without a password any encryption beats plain text (RFC 7435), even
    with an invalid certificate.
    """
    context = ssl.create_default_context()
    if not strict:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


class _Reply(NamedTuple):
    """A reply of the mail server: its code, and its code and text on one line."""

    code: int
    said: str


def _require(mail: _Reply, rcpt: _Reply | None = None, data: _Reply | None = None) -> None:
    """Raise NotSent for the first reply that is a refusal: to MAIL, RCPT, DATA."""
    if mail.code != _TAKEN[0]:
        raise NotSent(f"the mail server refused us: {mail.said}")
    if rcpt is not None and rcpt.code not in _TAKEN:
        unknown = _final(rcpt.code) and not _POLICY.search(rcpt.said)
        raise NotSent(
            f"the mail server refused the address: {rcpt.said}",
            for_good=_final(rcpt.code),
            unknown=unknown,
        )
    if data is not None and data.code != _GO_ON:
        raise NotSent(
            f"the mail server refused the letter: {data.said}", for_good=_final(data.code)
        )


def _limit(server: smtplib.SMTP, seconds: float) -> None:
    if server.sock is not None:
        server.sock.settimeout(seconds)


def _final(code: int) -> bool:
    return 500 <= code < 600


def _said(code: int, text: bytes | str) -> str:
    reason = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(reason.split())}"[:200]


def _what(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]
