"""The mail server, spoken to over SMTP: what it takes is sent, what it refuses for good is told apart from what may pass later."""

import contextlib
import smtplib
import ssl
from email.message import EmailMessage
from urllib.parse import SplitResult, unquote, urlsplit

TIMEOUT = 30.0  # seconds for every answer of the server
_PORTS = {"smtp": 25, "smtps": 465}
_OWN_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})


class NotSent(Exception):
    """A letter was not sent, as far as we know; the message says why. `for_good`: trying again would not help."""

    def __init__(self, trouble: str, *, for_good: bool = False) -> None:
        super().__init__(trouble)
        self.for_good = for_good


def send(url: str, message: EmailMessage) -> None:
    """Send one letter by the server at `smtp[s]://user:password@host:port`.

    Raises NotSent. For good only where the server refuses this recipient or this letter with a 5xx: a server that refuses
    *us* (its greeting, the password, the sender) has a fault that its host will mend.
    """
    try:
        server = _connect(urlsplit(url))
    except smtplib.SMTPResponseException as answer:
        raise NotSent(f"the mail server refused us: {_said(answer.smtp_code, answer.smtp_error)}") from answer
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(f"the mail server cannot be reached: {_what(error)}") from error
    try:
        _hand_over(server, message)
    finally:
        with contextlib.suppress(OSError, smtplib.SMTPException):
            server.quit()


def _connect(where: SplitResult) -> smtplib.SMTP:
    host, port = where.hostname or "localhost", where.port or _PORTS[where.scheme]
    if where.scheme == "smtps":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=ssl.create_default_context())
    else:
        server = smtplib.SMTP(host, port, timeout=TIMEOUT)
    try:
        _prepare(server, where)
    except BaseException:
        server.close()
        raise
    return server


def _prepare(server: smtplib.SMTP, where: SplitResult) -> None:
    """Encrypt where the server offers it, and say who we are; a password is never sent in the clear to another machine."""
    server.ehlo_or_helo_if_needed()
    encrypted = where.scheme == "smtps"
    if not encrypted and server.has_extn("starttls"):
        server.starttls(context=_context(strict=bool(where.username)))
        server.ehlo()
        encrypted = True
    if where.username:
        if not encrypted and where.hostname not in _OWN_MACHINE:
            raise smtplib.SMTPNotSupportedError("it offers no encryption, so the password was not sent")
        server.login(unquote(where.username), unquote(where.password or ""))


def _context(*, strict: bool) -> ssl.SSLContext:
    """Return how to encrypt. Without a password anything beats plain text (RFC 7435), also a certificate nobody signed."""
    context = ssl.create_default_context()
    if not strict:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _hand_over(server: smtplib.SMTP, message: EmailMessage) -> None:
    try:
        server.send_message(message)
    except smtplib.SMTPRecipientsRefused as refused:
        code, said = next(iter(refused.recipients.values()))
        raise NotSent(f"the mail server refused the address: {_said(code, said)}", for_good=_final(code)) from refused
    except smtplib.SMTPDataError as answer:
        trouble = f"the mail server refused the letter: {_said(answer.smtp_code, answer.smtp_error)}"
        raise NotSent(trouble, for_good=_final(answer.smtp_code)) from answer
    except smtplib.SMTPResponseException as answer:
        raise NotSent(f"the mail server refused us: {_said(answer.smtp_code, answer.smtp_error)}") from answer
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(f"the mail server broke off: {_what(error)}") from error


def _final(code: int) -> bool:
    return 500 <= code < 600


def _said(code: int, text: bytes | str) -> str:
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(said.split())}"[:200]


def _what(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]
