"""Checks whether letters can go out and come in, by the sender's own connection, without sending
one.
"""

import smtplib
import ssl
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from adjudicator.hosting.listeners import host_and_port, reachable_host
from adjudicator.mail.sending import smtp
from adjudicator.platform.config import Settings


@dataclass(frozen=True)
class MailServerState:
    """What can be said of a mail server: why letters cannot be handed to it, and why its
    certificate cannot be trusted; "" if not so.
    """

    trouble: str = ""
    untrusted: str = ""


def look_at_mail_server(url: str, *, seconds: float) -> MailServerState:
    """Connect to the server at smtp[s]://user:password@host:port as the sender does; then again, to
    see who vouches for it.
    """
    trouble = _why_not(url, seconds, trusted=False)
    if trouble is not None:
        return MailServerState(trouble=_said(trouble))
    doubt = _why_not(url, seconds, trusted=True)
    return MailServerState(
        untrusted=doubt.verify_message if isinstance(doubt, ssl.SSLCertVerificationError) else ""
    )


def _why_not(url: str, seconds: float, *, trusted: bool) -> OSError | smtplib.SMTPException | None:
    try:
        with smtp.connect(urlsplit(url), seconds=seconds, trusted=trusted):
            return None
    except (OSError, smtplib.SMTPException) as fault:
        return fault


def _said(fault: Exception) -> str:
    if isinstance(fault, smtplib.SMTPResponseException):
        words = fault.smtp_error
        return (
            f"it says {fault.smtp_code}"
            f" {words.decode(errors='replace') if isinstance(words, bytes) else words}"
        )
    return str(fault) or type(fault).__name__


# --- letters in


def why_silent(url: str, *, seconds: float) -> str | None:
    """Return why letters cannot be handed to the inbox at INBOX_URL; None if they can."""
    parts, (host, port) = urlsplit(url), host_and_port(url)
    try:
        with _client(parts)(reachable_host(host), port, timeout=seconds) as client:
            code, _ = client.ehlo()
            return None if code == 250 else f"it says {code}"
    except smtplib.SMTPResponseException as refusal:
        return f"it says {refusal.smtp_code}"
    except (OSError, smtplib.SMTPException) as fault:
        return str(fault) or type(fault).__name__


def _client(parts: SplitResult) -> type[smtplib.SMTP]:
    return smtplib.LMTP if parts.scheme == "lmtp" else smtplib.SMTP


def why_not_fetched(settings: Settings, *, seconds: float) -> str | None:
    """Return why letters cannot be fetched from IMAP_URL; None if they can."""
    from worker.inbox.imap import SERVER_FAULTS, open_mailbox

    try:
        with open_mailbox(settings, seconds):
            return None
    except SERVER_FAULTS as fault:
        return _without_password(str(fault) or type(fault).__name__, settings)


def _without_password(words: str, settings: Settings) -> str:
    password = urlsplit(settings.imap_url.get_secret_value()).password or ""
    for spelling in filter(None, (password, unquote(password))):
        words = words.replace(spelling, "***")
    return " ".join(words.split())[:200]
