"""Checks whether a mail server would accept letters, by the sender's own connection, without sending one."""

import smtplib
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from adjudicator.mail.sending import smtp


@dataclass(frozen=True)
class MailServerState:
    """What can be said of a mail server: why letters cannot be handed to it, and why its certificate cannot be trusted; "" if not so."""

    trouble: str = ""
    untrusted: str = ""


def look_at_mail_server(url: str, *, seconds: float) -> MailServerState:
    """Connect to the server at smtp[s]://user:password@host:port as the sender does; then again, to see who vouches for it."""
    trouble = _why_not(url, seconds, trusted=False)
    if trouble is not None:
        return MailServerState(trouble=_said(trouble))
    doubt = _why_not(url, seconds, trusted=True)
    return MailServerState(untrusted=doubt.verify_message if isinstance(doubt, ssl.SSLCertVerificationError) else "")


def _why_not(url: str, seconds: float, *, trusted: bool) -> OSError | smtplib.SMTPException | None:
    try:
        with smtp.connect(urlsplit(url), seconds=seconds, trusted=trusted):
            return None
    except (OSError, smtplib.SMTPException) as fault:
        return fault


def _said(fault: Exception) -> str:
    if isinstance(fault, smtplib.SMTPResponseException):
        words = fault.smtp_error
        return f"it says {fault.smtp_code} {words.decode(errors='replace') if isinstance(words, bytes) else words}"
    return str(fault) or type(fault).__name__
